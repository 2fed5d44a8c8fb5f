//===- Recompute.cpp - values that are computed in several kernels --------===//

#include "fusion/Planner/Recompute.h"

#include "Reasons.h"
#include "RecomputeTrial.h"
#include "fusion/Dialect/Fusion/IR/Directives.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::fusion;

/// What one kernel computes anew, and what is asked about: bounds the code that
/// is copied, and the time of planning.
static constexpr unsigned kMostCopied = 32, kMostReaders = 8, kMostUnits = 160;

/// How much shorter the kernels must be that change: less is within the error
/// of the estimate. Rows that are reduced again before they are multiplied were
/// measured less often (FuseOperandRows.cpp).
static constexpr double kMargin = 1.05, kRowsMargin = 1.15;

namespace {
/// A kernel that reads values of another one, and might make them itself.
struct Reader {
  unsigned leader;
  SmallVector<unsigned> wanted; ///< the units whose values it wants
  SmallVector<unsigned> copied; ///< those that it would compute, in order
  double before = 0, after = 0; ///< microseconds
  KernelWork work;              ///< then
  bool hasRows = false;
};

class Recomputer {
public:
  Recomputer(UnitGraph &graph, FusionPlan &plan, const PlannerOptions &options)
      : graph(graph), plan(plan), options(options) {}
  void run();

private:
  unsigned getClusterOf(unsigned unit) const {
    auto it = ownerOf.find(unit);
    return it == ownerOf.end() ? plan.partition.getClusterOf(unit) : it->second;
  }
  double getUs(const KernelWork &work) const {
    return estimateKernel(work, options.device).us;
  }
  bool isReadOutside(unsigned unit, unsigned leader) const;
  bool mayMove(unsigned leader) const;
  SmallVector<Reader, 0> findReaders(unsigned leader) const;
  void findCopied(unsigned leader, Reader &reader) const;
  bool canRedirect(unsigned leader, const Reader &reader) const;
  FusionDecision ask(unsigned leader, Reader &reader) const;
  SmallVector<unsigned> findKept(unsigned leader,
                                 ArrayRef<const Reader *> takers) const;
  void tryProducer(unsigned leader);
  void decide(unsigned leader, ArrayRef<const Reader *> takers);
  void explain(const Reader &reader, const FusionDecision &decision,
               bool recomputed);
  void redirect(unsigned index, const DenseMap<unsigned, unsigned> &copyOf,
                const IRMapping &mapping);
  void copy(const Reader &reader);
  void dropUnits(unsigned leader, ArrayRef<unsigned> kept);

  UnitGraph &graph;
  FusionPlan &plan;
  const PlannerOptions &options;
  DenseMap<unsigned, unsigned> ownerOf; ///< the clusters of copies
  DenseSet<unsigned> grown;             ///< clusters with copies
  DenseMap<std::pair<unsigned, unsigned>, size_t> decisionOf;
};
} // namespace

bool Recomputer::isReadOutside(unsigned unit, unsigned leader) const {
  return llvm::any_of(graph.units[unit].users, [&](unsigned user) {
    return getClusterOf(user) != leader;
  });
}

/// Whether the cluster `leader` is one that others may copy from.
bool Recomputer::mayMove(unsigned leader) const {
  const Cluster &cluster = plan.partition.getCluster(leader);
  return !cluster.units.empty() && !graph.units[leader].isOpaque() &&
         cluster.form <= KernelForm::Rows && cluster.partSize == 0 &&
         cluster.units.size() <= kMostUnits && !grown.contains(leader) &&
         llvm::none_of(cluster.units, [&](unsigned index) {
           return isDirected(graph.units[index].anchor);
         });
}

/// Returns the clusters that read values of `leader`, in program order.
SmallVector<Reader, 0> Recomputer::findReaders(unsigned leader) const {
  llvm::MapVector<unsigned, SmallVector<unsigned>> wanted;
  for (unsigned unit : plan.partition.getCluster(leader).units) {
    for (unsigned user : graph.units[unit].users) {
      unsigned reader = getClusterOf(user);
      if (reader != leader && !llvm::is_contained(wanted[reader], unit)) {
        wanted[reader].push_back(unit);
      }
    }
  }
  SmallVector<Reader, 0> readers;
  for (auto &[reader, units] : wanted) {
    readers.emplace_back();
    readers.back().leader = reader;
    readers.back().wanted = std::move(units);
  }
  return readers;
}

/// Finds what `reader` must compute to make what it wants of `leader`: back to
/// values that are read elsewhere too, and so are in memory. Of two values the
/// one that the other is computed from stays there.
void Recomputer::findCopied(unsigned leader, Reader &reader) const {
  ArrayRef<unsigned> units = plan.partition.getCluster(leader).units;
  llvm::SmallSet<unsigned, 16> copied;
  SmallVector<unsigned> wanted;
  for (unsigned unit : llvm::reverse(units)) {
    bool isWanted = llvm::is_contained(reader.wanted, unit);
    if (isWanted && !copied.contains(unit)) {
      bool isSource = llvm::any_of(wanted, [&](unsigned other) {
        return llvm::any_of(graph.units[unit].users, [&](unsigned user) {
          return user == other || copied.contains(user);
        });
      });
      if (!isSource) {
        copied.insert(unit);
        wanted.push_back(unit);
      }
    }
    if (!copied.contains(unit)) {
      continue;
    }
    for (const UnitRead &read : graph.units[unit].reads) {
      if (read.producer && getClusterOf(*read.producer) == leader &&
          !isReadOutside(*read.producer, leader)) {
        copied.insert(*read.producer);
      }
    }
  }
  for (unsigned unit : units) {
    if (copied.contains(unit)) {
      reader.copied.push_back(unit);
    }
  }
  std::reverse(wanted.begin(), wanted.end());
  reader.wanted = std::move(wanted);
}

/// Whether every read of what is copied is an operand or captured as it is:
/// not through what pads or chooses.
bool Recomputer::canRedirect(unsigned leader, const Reader &reader) const {
  auto reads = [](const Unit &unit, Value value) {
    return llvm::any_of(unit.ops, [&](Operation *op) {
      return llvm::is_contained(op->getOperands(), value);
    });
  };
  auto allDirect = [&](ArrayRef<unsigned> units) {
    return llvm::all_of(units, [&](unsigned index) {
      const Unit &unit = graph.units[index];
      return llvm::all_of(unit.reads, [&](const UnitRead &read) {
        bool moves =
            read.producer && llvm::is_contained(reader.copied, *read.producer);
        return !moves || (read.map && !read.isSide && !read.isInit &&
                          reads(unit, read.value));
      });
    });
  };
  return allDirect(reader.copied) &&
         allDirect(plan.partition.getCluster(reader.leader).units);
}

/// Finds what `reader` would take of `leader` and what that would cost, or says
/// why it cannot.
FusionDecision Recomputer::ask(unsigned leader, Reader &reader) const {
  const Cluster &own = plan.partition.getCluster(reader.leader);
  if (graph.units[reader.leader].isOpaque() || own.form == KernelForm::Alone ||
      own.units.size() > kMostUnits) {
    return FusionDecision::forbid("what reads it is no kernel that computes "
                                  "more");
  }
  bool directed = llvm::any_of(own.units, [&](unsigned index) {
    Operation *op = graph.units[index].anchor;
    return op->hasAttr(kNoFuseAttr) || op->hasAttr(kPinnedScheduleAttr);
  });
  if (directed) {
    return FusionDecision::forbid("a directive keeps its reader as it is");
  }
  findCopied(leader, reader);
  if (reader.copied.size() > kMostCopied) {
    return FusionDecision::forbid("it takes more than " + Twine(kMostCopied) +
                                  " operations to compute it again");
  }
  if (!canRedirect(leader, reader)) {
    return FusionDecision::forbid("it is read through what pads or chooses");
  }
  SmallVector<unsigned> together(reader.copied);
  llvm::append_range(together, own.units);
  RecomputeTrial trial(graph, together, reader.copied.size());
  std::optional<KernelWork> work = trial.estimate(options);
  if (!work) {
    return FusionDecision::forbid(
        "one kernel cannot compute it and its reader");
  }
  reader.work = *work;
  reader.before = getUs(own.work);
  reader.after = getUs(*work);
  reader.hasRows = own.form == KernelForm::Contraction &&
                   llvm::any_of(reader.copied, [&](unsigned index) {
                     return graph.units[index].space.role == OpRole::Reduction;
                   });
  return FusionDecision::allow();
}

/// The units of `leader` that something needs once `takers` compute for
/// themselves what they want.
SmallVector<unsigned>
Recomputer::findKept(unsigned leader, ArrayRef<const Reader *> takers) const {
  ArrayRef<unsigned> units = plan.partition.getCluster(leader).units;
  DenseSet<unsigned> needed;
  auto takes = [&](unsigned user, unsigned unit) {
    return llvm::any_of(takers, [&](const Reader *taker) {
      return getClusterOf(user) == taker->leader &&
             llvm::is_contained(taker->copied, unit);
    });
  };
  for (unsigned unit : units) {
    for (unsigned user : graph.units[unit].users) {
      if (getClusterOf(user) != leader && !takes(user, unit)) {
        needed.insert(unit);
      }
    }
  }
  for (const Reader *taker : takers) {
    for (unsigned unit : taker->copied) {
      for (const UnitRead &read : graph.units[unit].reads) {
        if (read.producer && getClusterOf(*read.producer) == leader &&
            !llvm::is_contained(taker->copied, *read.producer)) {
          needed.insert(*read.producer);
        }
      }
    }
  }
  for (unsigned unit : llvm::reverse(units)) {
    if (needed.contains(unit)) {
      for (const UnitRead &read : graph.units[unit].reads) {
        if (read.producer && getClusterOf(*read.producer) == leader) {
          needed.insert(*read.producer);
        }
      }
    }
  }
  return llvm::filter_to_vector(
      units, [&](unsigned unit) { return needed.contains(unit); });
}

/// Keeps `decision` for the pairs of what `reader` wants and who reads it; of
/// refusals those of operands, which could be made where they are multiplied:
/// with times, or where nothing but their other readers was against it.
void Recomputer::explain(const Reader &reader, const FusionDecision &decision,
                         bool recomputed) {
  bool multiplies =
      plan.partition.getCluster(reader.leader).form == KernelForm::Contraction;
  for (unsigned unit : reader.wanted) {
    for (unsigned user : graph.units[unit].users) {
      auto it = decisionOf.find({unit, user});
      if (getClusterOf(user) != reader.leader || it == decisionOf.end()) {
        continue;
      }
      PairDecision &kept = plan.decisions[it->second];
      kept.recomputed = recomputed;
      if (recomputed) {
        kept.decision = decision;
        continue;
      }
      std::optional<FusionTimes> times = decision.getTimes();
      bool adds = times || (!graph.units[user].hasTwoContractions() &&
                            kept.decision.getReason() == kOperandIsShared);
      if (multiplies && adds && !kept.decision && !kept.decision.getTimes()) {
        auto both = FusionDecision::forbid(kept.decision.getReason() + "; " +
                                           decision.getReason());
        kept.decision =
            times ? std::move(both).withTimes(*times) : std::move(both);
      }
    }
  }
}

void Recomputer::tryProducer(unsigned leader) {
  SmallVector<Reader, 0> readers = findReaders(leader);
  SmallVector<const Reader *> able, faster;
  for (Reader &reader : readers) {
    FusionDecision decision =
        readers.size() <= kMostReaders
            ? ask(leader, reader)
            : FusionDecision::forbid("more than " + Twine(kMostReaders) +
                                     " kernels read it");
    if (!decision) {
      explain(reader, decision, /*recomputed=*/false);
      continue;
    }
    // The search has asked about one reader that takes all.
    bool isAll =
        readers.size() == 1 &&
        reader.copied.size() == plan.partition.getCluster(leader).units.size();
    if (!isAll) {
      able.push_back(&reader);
    }
  }
  llvm::copy_if(able, std::back_inserter(faster), [](const Reader *reader) {
    return reader->after < reader->before;
  });
  if (!able.empty()) {
    decide(leader, able);
  }
  bool tookAll = llvm::any_of(able, [&](const Reader *reader) {
    return grown.contains(reader->leader);
  });
  if (!tookAll && !faster.empty() && faster.size() < able.size()) {
    decide(leader, faster);
  }
}

/// Lets `takers` compute what they want of `leader` if that saves time.
void Recomputer::decide(unsigned leader, ArrayRef<const Reader *> takers) {
  Cluster &cluster = plan.partition.getMutableCluster(leader);
  SmallVector<unsigned> kept = findKept(leader, takers);
  std::optional<KernelWork> rest;
  FusionTimes times;
  times.apartUs = getUs(cluster.work);
  if (!kept.empty()) {
    rest = RecomputeTrial(graph, kept, 0).estimate(options);
    if (!rest) {
      return;
    }
    times.fusedUs = getUs(*rest);
  }
  bool hasRows = false;
  for (const Reader *taker : takers) {
    times.apartUs += taker->before;
    times.fusedUs += taker->after;
    hasRows |= taker->hasRows;
  }
  if (times.fusedUs * (hasRows ? kRowsMargin : kMargin) > times.apartUs) {
    for (const Reader *taker : takers) {
      explain(*taker,
              FusionDecision::forbid(
                  llvm::formatv("to compute it again is estimated at {0:F1} us "
                                "in all kernels concerned, to write and read "
                                "it at {1:F1} us",
                                times.fusedUs, times.apartUs)
                      .str())
                  .withTimes(times),
              /*recomputed=*/false);
    }
    return;
  }
  for (const Reader *taker : takers) {
    explain(*taker, FusionDecision::allow().withTimes(times),
            /*recomputed=*/true);
    copy(*taker);
  }
  dropUnits(leader, kept);
  if (rest) {
    cluster.work = *rest;
  }
}

/// Lets unit `index` read the copies of what it reads: by the number of the
/// original in `copyOf`, values in `mapping`.
void Recomputer::redirect(unsigned index,
                          const DenseMap<unsigned, unsigned> &copyOf,
                          const IRMapping &mapping) {
  for (UnitRead &read : graph.units[index].reads) {
    if (!read.producer) {
      continue;
    }
    auto it = copyOf.find(*read.producer);
    if (it != copyOf.end()) {
      read.producer = it->second;
      read.value = mapping.lookup(read.value);
    }
    SmallVector<unsigned, 2> &users = graph.units[*read.producer].users;
    if (!llvm::is_contained(users, index)) {
      users.push_back(index);
    }
  }
}

/// Clones what `reader` takes, and lets it read the clones.
void Recomputer::copy(const Reader &reader) {
  Cluster &cluster = plan.partition.getMutableCluster(reader.leader);
  IRMapping mapping;
  DenseMap<unsigned, unsigned> copyOf;
  for (unsigned original : reader.copied) {
    unsigned index = graph.units.size();
    Unit unit = graph.units[original];
    unit.users.clear();
    for (Operation *&op : unit.ops) {
      OpBuilder builder(op->getContext());
      builder.setInsertionPointAfter(op);
      bool isAnchor = unit.anchor.getOperation() == op;
      op = builder.clone(*op, mapping);
      if (isAnchor) {
        unit.anchor = cast<linalg::LinalgOp>(op);
      }
    }
    for (UnitValue &made : unit.values) {
      made.value = mapping.lookup(made.value);
    }
    graph.units.push_back(std::move(unit));
    redirect(index, copyOf, mapping);
    copyOf[original] = index;
    ownerOf[index] = reader.leader;
  }
  DenseSet<Operation *> readers;
  for (unsigned index : cluster.units) {
    readers.insert(graph.units[index].ops.begin(),
                   graph.units[index].ops.end());
    redirect(index, copyOf, mapping);
  }
  for (unsigned original : reader.copied) {
    Unit &unit = graph.units[original];
    for (const UnitValue &made : unit.values) {
      Value value = made.value;
      value.replaceUsesWithIf(mapping.lookup(value), [&](OpOperand &use) {
        return readers.contains(use.getOwner());
      });
    }
    llvm::erase_if(unit.users, [&](unsigned user) {
      return getClusterOf(user) == reader.leader;
    });
  }
  for (unsigned original : reader.copied) {
    cluster.units.push_back(copyOf.lookup(original));
  }
  llvm::sort(cluster.units, [&](unsigned a, unsigned b) {
    return graph.units[a].ops.front()->isBeforeInBlock(
        graph.units[b].ops.front());
  });
  cluster.work = reader.work;
  cluster.vertical = true;
  grown.insert(reader.leader);
}

/// Leaves `kept` of the units of `leader`: nothing reads the others any more.
void Recomputer::dropUnits(unsigned leader, ArrayRef<unsigned> kept) {
  Cluster &cluster = plan.partition.getMutableCluster(leader);
  for (unsigned unit : cluster.units) {
    if (llvm::is_contained(kept, unit)) {
      continue;
    }
    for (const UnitRead &read : graph.units[unit].reads) {
      if (read.producer) {
        llvm::erase(graph.units[*read.producer].users, unit);
      }
    }
  }
  cluster.units.assign(kept.begin(), kept.end());
}

void Recomputer::run() {
  for (auto [number, kept] : llvm::enumerate(plan.decisions)) {
    decisionOf[{kept.pair.producer, kept.pair.consumer}] = number;
  }
  for (unsigned leader : plan.partition.getOrder()) {
    if (mayMove(leader)) {
      tryProducer(leader);
    }
  }
}

void fusion::recomputeValues(UnitGraph &graph, FusionPlan &plan,
                             const PlannerOptions &options) {
  // On a CPU a value is computed once, into the cache.
  if (options.vertical && options.recompute && !options.device.isCPU()) {
    Recomputer(graph, plan, options).run();
  }
}
