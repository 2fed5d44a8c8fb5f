//===- FusePrologue.cpp - what computes a contraction's operand -----------===//
//
// Elementwise code that only makes the operands of contractions may run in
// their kernel: each block computes, step by step of k, the part of the operand
// that it multiplies. What the operand does not span is done again: once for
// each column of blocks on the side of m, each row of them on the side of n.
//
//===----------------------------------------------------------------------===//

#include "fusion/Planner/Partition.h"

using namespace mlir;
using namespace mlir::fusion;

/// Whether code generation multiplies tiles of the operands of `op`.
static bool multipliesTiles(linalg::LinalgOp op) {
  Type type = getElementTypeOrSelf(op.getDpsInputs().front().getType());
  Type sum = getElementTypeOrSelf(op.getDpsInits().front().getType());
  return op.getNumDpsInputs() == 2 && sum.isF32() &&
         (type.isF16() || type.isBF16() || type.isF32()) &&
         getElementTypeOrSelf(op.getDpsInputs().back().getType()) == type;
}

/// Says why `unit` does not follow the contractions of `from` in one kernel.
FusionDecision Partition::explainChain(const Cluster &from,
                                       const Unit &unit) const {
  constexpr StringRef kWhat =
      "a contraction's operand would be the result of another contraction";
  for (unsigned index : from.units) {
    auto refused =
        graph.chainRefusals.find({graph.units[index].anchor, unit.anchor});
    if (refused == graph.chainRefusals.end()) {
      continue;
    }
    const FusionDecision &why = refused->second;
    FusionDecision decision =
        FusionDecision::forbid(kWhat + ": " + why.getReason());
    return why.getTimes() ? std::move(decision).withTimes(*why.getTimes())
                          : decision;
  }
  return FusionDecision::forbid(kWhat + " in the same kernel");
}

FusionDecision Partition::checkOperand(unsigned producer,
                                       const Unit &unit) const {
  const Cluster &from = clusters[producer];
  if (from.form == KernelForm::Contraction) {
    return explainChain(from, unit);
  }
  if (from.form == KernelForm::Rows) {
    return FusionDecision::forbid(
        "a contraction's tiles do not hold the whole rows of a reduction");
  }
  if (!options.prologue) {
    return FusionDecision::forbid("computing operands in the kernels of "
                                  "contractions is switched off");
  }
  if (options.device.isCPU()) {
    return FusionDecision::forbid(
        "computing a contraction's operand inside its kernel is not supported "
        "on a CPU");
  }
  if (unit.hasTwoContractions()) {
    return FusionDecision::forbid("contractions one after the other read their "
                                  "operands from memory");
  }
  if (!multipliesTiles(unit.anchor)) {
    return FusionDecision::forbid(
        "only operands of one type, f16, bf16 or f32, "
        "are computed inside of a contraction");
  }
  for (const UnitRead &read : unit.reads) {
    bool reads = read.producer && isIn(*read.producer, producer);
    if (reads && read.map && !read.map.isProjectedPermutation(true)) {
      return FusionDecision::forbid(
          "windows of the producer's result would be computed several times");
    }
  }
  return FusionDecision::allow();
}

bool Partition::makesOperands(const Cluster &cluster, unsigned index) const {
  return graph.units[index].space.role == OpRole::Contraction ||
         llvm::is_contained(cluster.prologue, index);
}

bool Partition::isPrologue(unsigned producer, unsigned consumer) const {
  if (clusters[producer].form != KernelForm::Elementwise) {
    return false;
  }
  return llvm::any_of(clusters[consumer].units, [&](unsigned index) {
    const Unit &unit = graph.units[index];
    return makesOperands(clusters[consumer], index) &&
           llvm::any_of(unit.reads, [&](const UnitRead &read) {
             return read.producer && isIn(*read.producer, producer) &&
                    !read.isInit;
           });
  });
}

/// Whether each of `reads` has all of `loops`, side by side and in this order,
/// or none of them.
static bool keepsTogether(ArrayRef<SmallVector<unsigned, 4>> reads,
                          ArrayRef<unsigned> loops) {
  return llvm::all_of(reads, [&](ArrayRef<unsigned> read) {
    const unsigned *at = llvm::find(read, loops.front());
    if (at == read.end()) {
      return llvm::none_of(
          read, [&](unsigned loop) { return llvm::is_contained(loops, loop); });
    }
    ArrayRef<unsigned> rest(at, read.end());
    return rest.size() >= loops.size() &&
           rest.take_front(loops.size()) == loops;
  });
}

/// Checks that what `producer` reads lets the contraction `unit` go on taking
/// loops that lie side by side as one: its rows, its columns, k.
FusionDecision Partition::checkMergedLoops(unsigned producer, const Unit &unit,
                                           const LoopAlignment &loops) const {
  SmallVector<SmallVector<unsigned, 4>, 4> reads;
  for (unsigned index : clusters[producer].units) {
    const Unit &maker = graph.units[index];
    for (const UnitRead &read : maker.reads) {
      SmallVector<unsigned, 4> &dims = reads.emplace_back();
      for (AffineExpr expr :
           read.map ? read.map.getResults() : ArrayRef<AffineExpr>()) {
        if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
          dims.push_back(getLoop(maker, dim.getPosition()));
        }
      }
    }
  }
  linalg::LinalgOp op = unit.anchor;
  auto indexes = [&](unsigned operand, unsigned loop) {
    return op.getIndexingMapsArray()[operand].isFunctionOfDim(loop);
  };
  // Loops of the result by the operands that have them, and those of k.
  SmallVector<unsigned, 4> parts[3];
  for (unsigned loop : unit.space.parallel) {
    bool both = indexes(0, loop) && indexes(1, loop);
    if (!both) {
      parts[indexes(0, loop) ? 0 : 1].push_back(loops.map(getLoop(unit, loop)));
    }
  }
  for (unsigned loop : unit.space.reduced) {
    parts[2].push_back(loops.map(getLoop(unit, loop)));
  }
  // Blocks of k that whole steps fill may have a factor each.
  constexpr int64_t kStep = 32;
  if (!parts[2].empty()) {
    bool blocks = loopSizes[parts[2].back()] > 0 &&
                  loopSizes[parts[2].back()] % kStep == 0 &&
                  llvm::all_of(ArrayRef(parts[2]).drop_front(),
                               [&](unsigned l) { return loopSizes[l] > 0; });
    parts[2].resize(blocks ? 1 : parts[2].size());
  }
  for (ArrayRef<unsigned> part : parts) {
    if (part.size() > 1 && !keepsTogether(reads, part)) {
      return FusionDecision::forbid(
          "what the operand is computed from keeps loops apart that the "
          "contraction takes as one");
    }
  }
  return FusionDecision::allow();
}

FusionDecision Partition::combinePrologue(unsigned producerLeader,
                                          unsigned consumerLeader,
                                          const LoopAlignment &loops,
                                          Cluster &merged) const {
  const Cluster &producer = clusters[producerLeader];
  const Cluster &consumer = clusters[consumerLeader];
  merged.space = loops.map(consumer.space);
  merged.reduced = loops.map(consumer.reduced);
  for (unsigned loop : producer.space) {
    if (!llvm::is_contained(merged.space, loop) &&
        !llvm::is_contained(merged.reduced, loop)) {
      return FusionDecision::forbid("the iteration spaces differ");
    }
  }
  for (unsigned index : producer.units) {
    if (leaves(graph.units[index], producerLeader, consumerLeader)) {
      return FusionDecision::forbid(
          "the operand is needed outside of the group too: it is computed "
          "once, and written");
    }
  }
  for (unsigned index : consumer.units) {
    const Unit &unit = graph.units[index];
    bool reads = llvm::any_of(unit.reads, [&](const UnitRead &read) {
      return read.producer && isIn(*read.producer, producerLeader);
    });
    if (reads && !makesOperands(consumer, index)) {
      return FusionDecision::forbid("the operand is needed for the result too");
    }
    if (unit.space.role == OpRole::Contraction) {
      if (FusionDecision decision =
              checkMergedLoops(producerLeader, unit, loops);
          !decision) {
        return decision;
      }
    }
  }
  merged.form = KernelForm::Contraction;
  std::merge(producer.units.begin(), producer.units.end(),
             consumer.units.begin(), consumer.units.end(),
             std::back_inserter(merged.units));
  merged.prologue = consumer.prologue;
  llvm::append_range(merged.prologue, producer.units);
  merged.vertical = true;
  merged.horizontal = producer.horizontal || consumer.horizontal;
  return FusionDecision::allow();
}

double Partition::getPrologueRepetitions(const Cluster &merged,
                                         ArrayRef<unsigned> spanned) const {
  // The side of the tiles that schedules choose where there is enough work.
  constexpr double kTileSide = 128;
  double repetitions = 1;
  for (unsigned loop : merged.space) {
    if (!llvm::is_contained(spanned, loop)) {
      int64_t size = ShapedType::isDynamic(loopSizes[loop])
                         ? kNominalDynamicSize
                         : loopSizes[loop];
      repetitions *= std::ceil(size / kTileSide);
    }
  }
  return repetitions;
}
