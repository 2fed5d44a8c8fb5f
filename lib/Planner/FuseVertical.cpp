//===- FuseVertical.cpp - a producer and its consumer in one kernel -------===//

#include "Reasons.h"
#include "fusion/Dialect/Fusion/IR/Directives.h"
#include "fusion/Planner/Partition.h"

using namespace mlir;
using namespace mlir::fusion;

static FusionDecision checkAlone(const Unit &unit, const Cluster &cluster,
                                 StringRef which) {
  if (unit.anchor && unit.anchor->hasAttr(kNoFuseAttr)) {
    return FusionDecision::forbid("the " + which + " is marked with " +
                                  kNoFuseAttr);
  }
  if (cluster.form == KernelForm::Alone) {
    return FusionDecision::forbid("the " + which +
                                  " is grouped alone: " + unit.space.reason);
  }
  return FusionDecision::allow();
}

/// Checks what the roles of two clusters allow, whatever their loops.
FusionDecision Partition::checkVertical(unsigned producer,
                                        unsigned consumer) const {
  const Cluster &from = clusters[producer], &to = clusters[consumer];
  for (auto [cluster, which] : {std::pair(&from, StringRef("producer")),
                                std::pair(&to, StringRef("consumer"))}) {
    const Unit &unit = graph.units[cluster->units.front()];
    if (FusionDecision decision = checkAlone(unit, *cluster, which);
        !decision) {
      return decision;
    }
  }
  bool fromContraction = from.form == KernelForm::Contraction;
  bool toContraction = to.form == KernelForm::Contraction;
  if (!options.vertical && !(fromContraction && toContraction)) {
    return FusionDecision::forbid("vertical fusion is switched off");
  }
  for (unsigned index : to.units) {
    const Unit &unit = graph.units[index];
    bool reads = llvm::any_of(unit.reads, [&](const UnitRead &read) {
      return read.producer && isIn(*read.producer, producer);
    });
    if (reads && unit.space.role == OpRole::Window) {
      return FusionDecision::forbid(kWindowsRepeat);
    }
    if (!reads || unit.space.role != OpRole::Contraction) {
      continue;
    }
    if (FusionDecision decision = checkOperand(producer, unit); !decision) {
      return decision;
    }
  }
  if ((fromContraction && to.form == KernelForm::Rows &&
       options.device.isCPU()) ||
      (from.form == KernelForm::Rows && toContraction &&
       !isPrologue(producer, consumer))) {
    return FusionDecision::forbid(kTilesHoldNoRows);
  }
  return FusionDecision::allow();
}

/// Returns whether `whole` has each loop of `part`. Their order does not
/// matter: which loops lie along memory was checked for each op.
static bool isSubset(ArrayRef<unsigned> part, ArrayRef<unsigned> whole) {
  return llvm::all_of(
      part, [&](unsigned loop) { return llvm::is_contained(whole, loop); });
}

/// Finds the loops that what follows a contraction reduces: a tile of `merged`
/// has all of them.
static FusionDecision combineHeld(const Cluster &producer,
                                  const Cluster &consumer,
                                  const LoopAlignment &loops, Cluster &merged) {
  bool reducesResult =
      merged.form == KernelForm::Contraction && consumer.form != merged.form;
  SmallVector<unsigned, 4> held =
      loops.map(reducesResult ? consumer.reduced : consumer.held);
  if (!producer.held.empty() && !held.empty() &&
      ArrayRef<unsigned>(producer.held) != ArrayRef<unsigned>(held)) {
    return FusionDecision::forbid("the reductions run over different dims");
  }
  merged.held = producer.held;
  if (merged.held.empty()) {
    merged.held.assign(held.begin(), held.end());
  }
  return FusionDecision::allow();
}

/// Finds the space of the merged cluster. Only elementwise clusters may be
/// smaller than it: a reduction or a contraction would be repeated.
FusionDecision Partition::combineSpaces(const Cluster &producer,
                                        const Cluster &consumer,
                                        const LoopAlignment &loops,
                                        Cluster &merged) const {
  SmallVector<unsigned, 4> consumerSpace = loops.map(consumer.space);
  SmallVector<unsigned, 4> consumerReduced = loops.map(consumer.reduced);
  bool fits = isSubset(consumerSpace, producer.space);
  bool swaps = isSubset(producer.space, consumerSpace);
  // Of equal spaces, that of a reduction: it has the columns last.
  if (fits && (!swaps || consumer.form == KernelForm::Elementwise ||
               producer.form != KernelForm::Elementwise)) {
    merged.space = producer.space;
  } else if (swaps) {
    merged.space = consumerSpace;
  } else {
    return FusionDecision::forbid(
        "each of the two loops over dims that the other does not have");
  }
  merged.form = std::max(producer.form, consumer.form);
  if (producer.form != KernelForm::Elementwise &&
      merged.space.size() != producer.space.size()) {
    return FusionDecision::forbid(
        producer.form == KernelForm::Rows ? kRepeatsRows : kRepeatsResult);
  }
  if (consumer.form != KernelForm::Elementwise &&
      merged.space.size() != consumerSpace.size()) {
    return FusionDecision::forbid(
        consumer.form == KernelForm::Rows
            ? "the reductions run over different dims"
            : "the producer is larger than the result of the contraction");
  }
  bool both = producer.form == merged.form && consumer.form == merged.form;
  if (both && producer.reduced != ArrayRef<unsigned>(consumerReduced)) {
    return FusionDecision::forbid("the reductions run over different dims");
  }
  if (both && producer.partSize != consumer.partSize) {
    return FusionDecision::forbid("the reductions have different parts");
  }
  merged.partSize = std::max(producer.partSize, consumer.partSize);
  merged.reduced.assign(producer.form == merged.form ? producer.reduced.begin()
                                                     : consumerReduced.begin(),
                        producer.form == merged.form ? producer.reduced.end()
                                                     : consumerReduced.end());
  std::merge(producer.units.begin(), producer.units.end(),
             consumer.units.begin(), consumer.units.end(),
             std::back_inserter(merged.units));
  merged.prologue = producer.prologue;
  llvm::append_range(merged.prologue, consumer.prologue);
  merged.windowed = producer.windowed;
  llvm::append_range(merged.windowed, loops.map(consumer.windowed));
  merged.computedAtReads = producer.computedAtReads || consumer.computedAtReads;
  merged.vertical = producer.vertical || consumer.vertical;
  merged.horizontal = producer.horizontal || consumer.horizontal;
  return combineHeld(producer, consumer, loops, merged);
}
