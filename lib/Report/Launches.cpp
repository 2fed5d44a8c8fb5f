//===- Launches.cpp - what was decided about launches ---------------------===//

#include "ReportLaunches.h"

#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::fusion;

LaunchDecisions::LaunchDecisions(const CompilationReport &report) {
  kernels.resize(report.groups.size());
  decisions.resize(report.groups.size());
  llvm::StringMap<SmallVector<size_t, 1>> groupsOf;
  auto add = [&](StringRef kernel, size_t group) {
    if (kernels[group].insert(kernel).second) {
      groupsOf[kernel].push_back(group);
    }
  };
  for (auto [index, group] : llvm::enumerate(report.groups)) {
    SmallVector<StringRef> names;
    StringRef(group.name).split(names, " | ");
    for (StringRef name : names) {
      add(name, index);
    }
  }
  for (const NodeReport &node : report.nodes) {
    if (node.group >= 0 && !node.kernel.empty()) {
      add(node.kernel, node.group);
    }
  }
  for (const DecisionReport &decision : report.notFused) {
    for (StringRef name : {decision.producer, decision.consumer}) {
      auto found = groupsOf.find(name);
      if (found == groupsOf.end()) {
        continue;
      }
      for (size_t group : found->second) {
        decisions[group].push_back(&decision);
      }
    }
  }
}

const DecisionReport *LaunchDecisions::find(size_t a, size_t b) const {
  for (const DecisionReport *decision : decisions[a]) {
    bool same = kernels[a].contains(decision->producer) &&
                kernels[b].contains(decision->consumer);
    bool swapped = kernels[a].contains(decision->consumer) &&
                   kernels[b].contains(decision->producer);
    if (same || swapped) {
      return decision;
    }
  }
  return nullptr;
}
