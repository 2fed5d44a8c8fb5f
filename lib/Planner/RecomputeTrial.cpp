//===- RecomputeTrial.cpp - some units as one kernel ----------------------===//

#include "RecomputeTrial.h"

#include "fusion/Planner/SearchFusions.h"

using namespace mlir;
using namespace mlir::fusion;

/// Takes over the refusals of `whole` that are about two of `units`: a large
/// graph has many, and there are many trials.
static void addRefusals(const UnitGraph &whole, ArrayRef<unsigned> units,
                        ChainRefusals &refusals) {
  for (unsigned second : units) {
    if (whole.units[second].space.role != OpRole::Contraction) {
      continue;
    }
    for (unsigned first : units) {
      auto refused = whole.chainRefusals.find(
          {whole.units[first].anchor, whole.units[second].anchor});
      if (refused != whole.chainRefusals.end()) {
        refusals.insert(*refused);
      }
    }
  }
}

RecomputeTrial::RecomputeTrial(const UnitGraph &whole, ArrayRef<unsigned> units,
                               unsigned copied) {
  // The first unit stands for all that makes inputs, the last for all that
  // reads results; in between the units are in their own order.
  DenseMap<unsigned, unsigned> numberOf;
  graph.units.emplace_back();
  for (unsigned unit : units) {
    numberOf[unit] = graph.units.size();
    graph.units.push_back(whole.units[unit]);
  }
  unsigned sink = graph.units.size();
  graph.units.emplace_back();
  addRefusals(whole, units, graph.chainRefusals);
  for (auto [position, unit] : llvm::enumerate(units)) {
    Unit &own = graph.units[position + 1];
    own.firstLoop = graph.numLoops;
    graph.numLoops += own.space.sizes.size();
    for (UnitRead &read : own.reads) {
      if (read.producer) {
        auto it = numberOf.find(*read.producer);
        read.producer = it == numberOf.end() ? 0 : it->second;
      }
    }
    SmallVector<unsigned, 2> users;
    bool leaves = false;
    for (unsigned user : own.users) {
      auto it = numberOf.find(user);
      if (it != numberOf.end()) {
        users.push_back(it->second);
      }
      leaves |= it == numberOf.end();
    }
    if (leaves && position >= copied) {
      users.push_back(sink);
    }
    own.users = std::move(users);
  }
}

std::optional<KernelWork>
RecomputeTrial::estimate(const PlannerOptions &options) {
  Partition partition(graph, options);
  SmallVector<UnitPair, 0> pairs = getPairs(graph);
  bool changed = true;
  while (changed) {
    changed = false;
    for (UnitPair pair : pairs) {
      if (partition.getClusterOf(pair.producer) !=
          partition.getClusterOf(pair.consumer)) {
        changed |=
            bool(partition.fuse(pair.producer, pair.consumer, /*force=*/true));
      }
    }
  }
  unsigned leader = partition.getClusterOf(1);
  for (unsigned unit = 2; unit + 1 < graph.units.size(); ++unit) {
    if (partition.getClusterOf(unit) != leader) {
      return std::nullopt;
    }
  }
  return partition.getCluster(leader).work;
}
