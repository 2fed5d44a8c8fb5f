//===- SearchFusions.cpp - which fusions save the most --------------------===//

#include "fusion/Planner/SearchFusions.h"

#include "fusion/Dialect/Fusion/IR/Directives.h"
#include "llvm/ADT/SetVector.h"
#include <map>
#include <queue>

using namespace mlir;
using namespace mlir::fusion;

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

/// Returns the distinct units that `consumer` reads from.
static SmallVector<unsigned> getProducers(const UnitGraph &graph,
                                          unsigned consumer) {
  llvm::SmallSetVector<unsigned, 8> producers;
  for (const UnitRead &read : graph.units[consumer].reads) {
    if (read.producer && !graph.units[*read.producer].isOpaque()) {
      producers.insert(*read.producer);
    }
  }
  return SmallVector<unsigned>(producers.takeVector());
}

/// Returns pairs of contractions that meet in an elementwise `consumer`: they
/// may share a kernel even where it does not join them.
static SmallVector<UnitPair> getSiblings(const UnitGraph &graph,
                                         unsigned consumer) {
  SmallVector<UnitPair> pairs;
  if (graph.units[consumer].space.role != OpRole::Elementwise) {
    return pairs;
  }
  std::optional<unsigned> first;
  for (unsigned producer : getProducers(graph, consumer)) {
    if (graph.units[producer].space.role != OpRole::Contraction) {
      continue;
    }
    if (first) {
      pairs.push_back({*first, producer});
    }
    first = first ? first : producer;
  }
  return pairs;
}

SmallVector<UnitPair, 0> fusion::getPairs(const UnitGraph &graph) {
  SmallVector<UnitPair, 0> pairs;
  for (unsigned unit = 0, e = graph.units.size(); unit < e; ++unit) {
    if (graph.units[unit].isOpaque()) {
      continue;
    }
    for (unsigned producer : getProducers(graph, unit)) {
      pairs.push_back({producer, unit});
    }
    llvm::append_range(pairs, getSiblings(graph, unit));
  }
  return pairs;
}

/// Returns whether `unit` reads one tensor and makes a larger one of equal
/// shape, as a cast to a wider type does.
static bool onlyWidens(const Unit &unit) {
  if (unit.space.role != OpRole::Elementwise || unit.reads.size() != 1) {
    return false;
  }
  auto from = dyn_cast<RankedTensorType>(unit.reads[0].value.getType());
  auto to = cast<RankedTensorType>(unit.values[0].value.getType());
  return from && from.getShape() == to.getShape() &&
         getTensorBytes(from) < getTensorBytes(to);
}

/// Returns whether `reader` has loops and reads nothing of `producer` but a
/// single truth value: where the two do not share a kernel each block may still
/// compute it (PlacePredicates.cpp), so that other pairs matter more.
static bool readsPredicate(const UnitGraph &graph, unsigned producer,
                           unsigned reader) {
  const Unit &unit = graph.units[reader];
  bool onlyPredicates = llvm::all_of(unit.reads, [&](const UnitRead &read) {
    auto type = dyn_cast<RankedTensorType>(read.value.getType());
    return read.producer != producer ||
           (type && type.getRank() == 0 && type.getElementType().isInteger(1));
  });
  return onlyPredicates && !unit.space.sizes.empty();
}

//===----------------------------------------------------------------------===//
// One plan
//===----------------------------------------------------------------------===//

namespace {
/// Makes one plan.
class PlanMaker {
public:
  PlanMaker(UnitGraph &graph, const PlannerOptions &options)
      : graph(graph), plan{Partition(graph, options), {}} {}

  void fuseForced();
  void fuseInOrder();
  void fuseByGain(ArrayRef<UnitPair> pairs);
  /// Fuses `pair` if it may be.
  void fuseFirst(UnitPair pair);
  /// A refusal may rest on what was not merged yet: asks once more.
  void retry();
  double getTotalUs() const { return plan.partition.getTotalUs(); }
  bool areTogether(UnitPair pair) const;
  FusionPlan take() { return std::move(plan); }

private:
  void fuseForced(ArrayRef<unsigned> units);
  void decide(UnitPair pair);
  void record(UnitPair pair, FusionDecision decision);

  UnitGraph &graph;
  FusionPlan plan;
  DenseMap<std::pair<unsigned, unsigned>, size_t> decisionOf;
};
} // namespace

bool PlanMaker::areTogether(UnitPair pair) const {
  return plan.partition.getClusterOf(pair.producer) ==
         plan.partition.getClusterOf(pair.consumer);
}

/// Keeps the latest decision for each pair, with times where there were any.
void PlanMaker::record(UnitPair pair, FusionDecision decision) {
  auto [it, isNew] = decisionOf.try_emplace({pair.producer, pair.consumer},
                                            plan.decisions.size());
  if (isNew) {
    plan.decisions.push_back({pair, std::move(decision)});
    return;
  }
  FusionDecision &kept = plan.decisions[it->second].decision;
  if (!kept || !decision || decision.getTimes()) {
    kept = std::move(decision);
  }
}

void PlanMaker::decide(UnitPair pair) {
  record(pair, areTogether(pair)
                   ? FusionDecision::allow()
                   : plan.partition.fuse(pair.producer, pair.consumer));
}

/// Fuses the units that `fusion.fuse_with` gives one name.
void PlanMaker::fuseForced() {
  llvm::MapVector<Attribute, SmallVector<unsigned>> sets;
  for (auto [index, unit] : llvm::enumerate(graph.units)) {
    Attribute name =
        unit.anchor ? unit.anchor->getAttr(kFuseWithAttr) : nullptr;
    if (name) {
      sets[name].push_back(index);
    }
  }
  for (auto &[name, units] : sets) {
    fuseForced(units);
  }
}

/// Tries each pair of neighbours in program order until nothing changes: what
/// is refused at first may be legal once others have joined.
void PlanMaker::fuseForced(ArrayRef<unsigned> units) {
  SmallVector<PairDecision, 0> pairs;
  for (size_t i = 1; i < units.size(); ++i) {
    pairs.push_back({{units[i - 1], units[i]}, FusionDecision::allow()});
    for (unsigned producer : getProducers(graph, units[i])) {
      if (producer != units[i - 1] && llvm::is_contained(units, producer)) {
        pairs.push_back({{producer, units[i]}, FusionDecision::allow()});
      }
    }
  }
  bool changed = true;
  while (changed) {
    changed = false;
    for (auto &[pair, decision, recomputed] : pairs) {
      if (!areTogether(pair)) {
        decision = plan.partition.fuse(pair.producer, pair.consumer,
                                       /*force=*/true);
        changed |= bool(decision);
      }
    }
  }
  for (auto &[pair, decision, recomputed] : pairs) {
    record(pair, std::move(decision));
  }
}

/// Fuses each unit with those that it reads from. A unit that only widens joins
/// its readers first: where it cannot be with its producer and them, the narrow
/// value should cross memory. Predicates come last.
void PlanMaker::fuseInOrder() {
  SmallVector<UnitPair, 0> postponed;
  for (unsigned unit = 0, e = graph.units.size(); unit < e; ++unit) {
    if (graph.units[unit].isOpaque()) {
      continue;
    }
    bool later = onlyWidens(graph.units[unit]);
    for (unsigned producer : getProducers(graph, unit)) {
      if (later || readsPredicate(graph, producer, unit)) {
        postponed.push_back({producer, unit});
      } else {
        decide({producer, unit});
      }
    }
    for (UnitPair pair : getSiblings(graph, unit)) {
      if (!areTogether(pair)) {
        (void)plan.partition.fuse(pair.producer, pair.consumer);
      }
    }
  }
  llvm::for_each(postponed, [&](UnitPair pair) { decide(pair); });
}

void PlanMaker::fuseFirst(UnitPair pair) {
  if (!areTogether(pair)) {
    decide(pair);
  }
}

void PlanMaker::retry() {
  for (auto &[pair, decision, recomputed] : plan.decisions) {
    if (!decision) {
      decision = areTogether(pair)
                     ? FusionDecision::allow()
                     : plan.partition.fuse(pair.producer, pair.consumer);
    }
  }
}

static double getGain(const FusionDecision &decision) {
  const std::optional<FusionTimes> &times = decision.getTimes();
  return times ? times->apartUs - times->fusedUs : 0;
}

namespace {
/// A pair that may be fused.
struct Candidate {
  double gain; ///< when it was asked last
  size_t number;
  unsigned asked;

  /// The largest gain is on top, of equal ones the first in program order.
  bool operator<(const Candidate &other) const {
    return gain != other.gain ? gain < other.gain : number > other.number;
  }
};
} // namespace

void PlanMaker::fuseByGain(ArrayRef<UnitPair> pairs) {
  /// A pair whose gain fell is asked again when its turn comes, so often.
  constexpr unsigned kMaxAsked = 4;
  std::priority_queue<Candidate> queue;
  auto ask = [&](size_t number, unsigned asked) {
    UnitPair pair = pairs[number];
    if (areTogether(pair)) {
      return record(pair, FusionDecision::allow());
    }
    FusionDecision decision =
        plan.partition.probe(pair.producer, pair.consumer);
    if (decision) {
      queue.push({getGain(decision), number, asked});
    } else {
      record(pair, std::move(decision));
    }
  };
  for (size_t number = 0; number < pairs.size(); ++number) {
    ask(number, 1);
  }
  while (!queue.empty()) {
    Candidate top = queue.top();
    queue.pop();
    UnitPair pair = pairs[top.number];
    if (!areTogether(pair) && top.asked < kMaxAsked && !queue.empty()) {
      FusionDecision now = plan.partition.probe(pair.producer, pair.consumer);
      if (now && getGain(now) < queue.top().gain && getGain(now) < top.gain) {
        queue.push({getGain(now), top.number, top.asked + 1});
        continue;
      }
    }
    decide(pair);
  }
}

//===----------------------------------------------------------------------===//
// The best plan
//===----------------------------------------------------------------------===//

/// Less than this share of the total is within the error of the estimate: the
/// plan found first stays.
static constexpr double kLeastGain = 1e-3;

namespace {
/// A pair that would save time alone, but is apart in the best plan so far.
struct LostPair {
  double gain; ///< microseconds
  size_t number;
  UnitPair pair;

  /// The largest gain is first, of equal ones the first in program order.
  bool operator<(const LostPair &other) const {
    return gain != other.gain ? gain > other.gain : number < other.number;
  }
};
} // namespace

/// Returns the pairs that are lost in `best`, in order.
static SmallVector<LostPair, 0> findLost(UnitGraph &graph,
                                         const PlannerOptions &options,
                                         ArrayRef<UnitPair> pairs,
                                         const PlanMaker &best) {
  Partition alone(graph, options);
  SmallVector<LostPair, 0> lost;
  for (auto [number, pair] : llvm::enumerate(pairs)) {
    if (!best.areTogether(pair)) {
      FusionDecision decision = alone.probe(pair.producer, pair.consumer);
      if (decision && getGain(decision) > 0) {
        lost.push_back({getGain(decision), number, pair});
      }
    }
  }
  llvm::sort(lost);
  return lost;
}

/// Puts pairs together that would save equally much between ops of equal code,
/// as those of a model's equal layers; in the order of `lost`.
static SmallVector<SmallVector<UnitPair>, 0>
gatherAlike(UnitGraph &graph, ArrayRef<LostPair> lost) {
  auto hashUnit = [&](unsigned index) -> size_t {
    auto hashType = [](Value value) {
      return llvm::hash_value(value.getType().getAsOpaquePointer());
    };
    return OperationEquivalence::computeHash(
        graph.units[index].anchor, hashType,
        OperationEquivalence::ignoreHashValue,
        OperationEquivalence::IgnoreLocations);
  };
  std::map<std::tuple<double, size_t, size_t>, size_t> numbers;
  SmallVector<SmallVector<UnitPair>, 0> alike;
  for (const auto &[gain, number, pair] : lost) {
    auto [it, isNew] = numbers.try_emplace(
        {gain, hashUnit(pair.producer), hashUnit(pair.consumer)}, alike.size());
    if (isNew) {
      alike.emplace_back();
    }
    alike[it->second].push_back(pair);
  }
  return alike;
}

namespace {
/// Makes plans and keeps the best.
class PlanSearch {
public:
  PlanSearch(UnitGraph &graph, const PlannerOptions &options)
      : graph(graph), options(options), pairs(getPairs(graph)) {
    best.emplace(graph, options);
  }

  FusionPlan run();

private:
  bool tryByGain();
  void tryFirst(ArrayRef<UnitPair> lost);

  UnitGraph &graph;
  const PlannerOptions &options;
  SmallVector<UnitPair, 0> pairs;
  std::optional<PlanMaker> best;
  SmallVector<UnitPair> first; ///< pairs that are fused before all others
  size_t attempts = 0;         ///< how many more plans may be made
};
} // namespace

/// Makes a plan by the largest gain; returns whether it is the best so far.
bool PlanSearch::tryByGain() {
  PlanMaker maker(graph, options);
  maker.fuseForced();
  llvm::for_each(first, [&](UnitPair pair) { maker.fuseFirst(pair); });
  maker.fuseByGain(pairs);
  maker.retry();
  bool better = maker.getTotalUs() < best->getTotalUs() * (1 - kLeastGain);
  if (better) {
    best.emplace(std::move(maker));
  }
  return better;
}

/// Puts those of `lost` that are apart before all other pairs, if that helps.
void PlanSearch::tryFirst(ArrayRef<UnitPair> lost) {
  size_t known = first.size();
  llvm::copy_if(lost, std::back_inserter(first),
                [&](UnitPair pair) { return !best->areTogether(pair); });
  bool asks = first.size() > known && attempts > 0;
  attempts -= asks;
  if (!asks || !tryByGain()) {
    first.truncate(known);
  }
}

FusionPlan PlanSearch::run() {
  best->fuseForced();
  best->fuseInOrder();
  best->retry();
  tryByGain();
  // Each attempt plans the whole block: as many as so many ops allow. What
  // helps in one of many equal layers helps in all: these are one attempt, so
  // that their number does not grow with the depth of a model.
  constexpr size_t kBudget = 20000, kLeastAttempts = 4;
  attempts = std::max(kBudget / std::max<size_t>(graph.units.size(), 100),
                      kLeastAttempts);
  SmallVector<LostPair, 0> lost = findLost(graph, options, pairs, *best);
  for (ArrayRef<UnitPair> alike : gatherAlike(graph, lost)) {
    if (alike.size() > 1) {
      tryFirst(alike);
    }
  }
  for (const LostPair &one : lost) {
    tryFirst(one.pair);
  }
  return best->take();
}

FusionPlan fusion::searchFusions(UnitGraph &graph,
                                 const PlannerOptions &options) {
  if (!options.vertical && !options.horizontal) {
    return {Partition(graph, options), {}};
  }
  return PlanSearch(graph, options).run();
}
