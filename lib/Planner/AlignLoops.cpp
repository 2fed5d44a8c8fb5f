//===- AlignLoops.cpp - which loops of two clusters are one ---------------===//

#include "Reasons.h"
#include "fusion/Analysis/IndexingMaps.h"
#include "fusion/Planner/Partition.h"
#include "fusion/Planner/PrologueReads.h"

using namespace mlir;
using namespace mlir::fusion;

/// Pairs the loops that `read` of `consumer` and its producer have in common.
FusionDecision Partition::alignRead(const Unit &producer, const Unit &consumer,
                                    const UnitRead &read,
                                    ArrayRef<unsigned> space,
                                    LoopAlignment &loops) const {
  if (read.isSide) {
    return FusionDecision::forbid(kChosenInMemory);
  }
  AffineMap written = producer.getMapOf(read.value);
  if (!written || !read.map) {
    return FusionDecision::forbid("the value is not read as a tensor operand");
  }
  if (read.isInit) {
    return FusionDecision::forbid(
        "the value is the initial value of an accumulator");
  }
  ArrayRef<int64_t> shape = cast<ShapedType>(read.value.getType()).getShape();
  bool windows = consumer.space.role == OpRole::Contraction &&
                 readsInWindows(consumer, read.operandNumber);
  for (auto [dim, size] : llvm::enumerate(shape)) {
    std::optional<unsigned> from = getLoopAt(read.map, dim);
    std::optional<unsigned> to = getLoopAt(written, dim);
    if (size == 1) {
      // A loop of one iteration may run with any other such. Reductions keep
      // theirs, so that these have to be found again; one that the producer's
      // cluster keeps is found by its size.
      bool keepsOther =
          to && !llvm::is_contained(space, getLoop(producer, *to)) &&
          llvm::any_of(space,
                       [&](unsigned loop) { return loopSizes[loop] == 1; });
      if (from && to && !keepsOther) {
        (void)loops.pair(getLoop(consumer, *from), getLoop(producer, *to));
      }
      continue;
    }
    // Along a window both have loops of their own.
    if (windows && (!from || consumer.space.sizes[*from] != size)) {
      continue;
    }
    if (!from || !to) {
      return FusionDecision::forbid(Twine("the value is ") +
                                    (to ? "read" : "written") +
                                    " at computed positions");
    }
    if (!loops.pair(getLoop(consumer, *from), getLoop(producer, *to))) {
      return FusionDecision::forbid(
          "the consumer reads the value at other positions than the producer "
          "writes it");
    }
  }
  return FusionDecision::allow();
}

FusionDecision Partition::alignReads(unsigned producer, unsigned consumer,
                                     LoopAlignment &loops) const {
  for (unsigned index : clusters[consumer].units) {
    const Unit &unit = graph.units[index];
    for (const UnitRead &read : unit.reads) {
      if (!read.producer || !isIn(*read.producer, producer)) {
        continue;
      }
      FusionDecision decision =
          alignRead(graph.units[*read.producer], unit, read,
                    clusters[producer].space, loops);
      if (!decision) {
        return decision;
      }
    }
  }
  return FusionDecision::allow();
}

/// Pairs loops that no edge relates but that index the same dim of a tensor
/// which both clusters read.
void Partition::alignByCommonReads(unsigned producer, unsigned consumer,
                                   LoopAlignment &loops) const {
  auto allPaired = [&](ArrayRef<unsigned> all) {
    return llvm::all_of(all,
                        [&](unsigned loop) { return loops.hasSource(loop); });
  };
  if (allPaired(clusters[consumer].space) &&
      allPaired(clusters[consumer].reduced)) {
    return;
  }
  DenseMap<Value, std::pair<const Unit *, AffineMap>> readers;
  for (unsigned index : clusters[producer].units) {
    const Unit &unit = graph.units[index];
    for (const UnitRead &read : unit.reads) {
      if (read.map) {
        readers.try_emplace(read.value, &unit, read.map);
      }
    }
  }
  for (unsigned index : clusters[consumer].units) {
    const Unit &unit = graph.units[index];
    for (const UnitRead &read : unit.reads) {
      auto it = read.map ? readers.find(read.value) : readers.end();
      if (it == readers.end()) {
        continue;
      }
      auto [other, otherMap] = it->second;
      for (unsigned dim = 0, e = read.map.getNumResults(); dim < e; ++dim) {
        std::optional<unsigned> from = getLoopAt(read.map, dim);
        std::optional<unsigned> to = getLoopAt(otherMap, dim);
        if (!from || !to) {
          continue;
        }
        unsigned fromLoop = getLoop(unit, *from);
        if (!loops.hasSource(fromLoop)) {
          (void)loops.pair(fromLoop, getLoop(*other, *to));
        }
      }
    }
  }
}

/// Pairs what is left from the innermost loop outwards where the sizes are
/// known to be equal: two loops of one size may always run together.
void Partition::alignBySize(unsigned producer, unsigned consumer,
                            LoopAlignment &loops) const {
  SmallVector<unsigned> targets;
  for (unsigned loop : clusters[producer].space) {
    if (!loops.hasTarget(loop)) {
      targets.push_back(loop);
    }
  }
  for (unsigned loop : llvm::reverse(clusters[consumer].space)) {
    if (targets.empty()) {
      return;
    }
    if (loops.hasSource(loop)) {
      continue;
    }
    int64_t size = loopSizes[loop];
    if (ShapedType::isDynamic(size) || size != loopSizes[targets.back()]) {
      return;
    }
    (void)loops.pair(loop, targets.pop_back_val());
  }
}
