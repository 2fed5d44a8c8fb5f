//===- FusePrologue.cpp - what computes a contraction's operand -----------===//
//
// Elementwise code that only makes the operands of contractions may run in
// their kernel: each block computes, step by step of k, the part of the operand
// that it multiplies. What the operand does not span is done again: once for
// each column of blocks on the side of m, each row of them on the side of n.
// Reductions of the operand's own rows along k (norms) come before the steps.
//
//===----------------------------------------------------------------------===//

#include "Reasons.h"
#include "fusion/Analysis/HalfFloats.h"
#include "fusion/Planner/KernelWork.h"
#include "fusion/Planner/Partition.h"
#include "fusion/Planner/PrologueReads.h"

using namespace mlir;
using namespace mlir::fusion;

bool fusion::multipliesTiles(linalg::LinalgOp op) {
  Type type = getElementTypeOrSelf(op.getDpsInputs().front().getType());
  Type sum = getElementTypeOrSelf(op.getDpsInits().front().getType());
  return op.getNumDpsInputs() == 2 && sum.isF32() &&
         (isHalfFloat(type) || type.isF32()) &&
         getElementTypeOrSelf(op.getDpsInputs().back().getType()) == type;
}

/// Returns why an op of `from` and `unit`, which reads it, were found not to be
/// one kernel, after `prefix`; nothing where nobody asked.
static std::optional<FusionDecision> findRefusal(const UnitGraph &graph,
                                                 const Cluster &from,
                                                 const Unit &unit,
                                                 const Twine &prefix) {
  for (unsigned index : from.units) {
    auto refused =
        graph.chainRefusals.find({graph.units[index].anchor, unit.anchor});
    if (refused == graph.chainRefusals.end()) {
      continue;
    }
    const FusionDecision &why = refused->second;
    FusionDecision decision = FusionDecision::forbid(prefix + why.getReason());
    return why.getTimes() ? std::move(decision).withTimes(*why.getTimes())
                          : std::move(decision);
  }
  return std::nullopt;
}

/// Says why `unit` does not follow the contractions of `from` in one kernel.
FusionDecision Partition::explainChain(const Cluster &from,
                                       const Unit &unit) const {
  bool multiplies = llvm::any_of(from.units, [&](unsigned index) {
    return graph.units[index].space.role == OpRole::Contraction;
  });
  if (!multiplies) {
    return FusionDecision::forbid("a contraction's operand would be the result "
                                  "of a reduction over windows");
  }
  if (auto refusal =
          findRefusal(graph, from, unit, kOperandIsContraction + ": ")) {
    return std::move(*refusal);
  }
  return FusionDecision::forbid(kOperandIsContraction + " in the same kernel");
}

/// Says why `from` does not make an operand of `unit`, two contractions, in its
/// kernel.
FusionDecision Partition::explainOperand(const Cluster &from,
                                         const Unit &unit) const {
  if (auto refusal = findRefusal(graph, from, unit, "")) {
    return std::move(*refusal);
  }
  bool isShared = llvm::any_of(from.units, [&](unsigned index) {
    return llvm::any_of(graph.units[index].users, [&](unsigned user) {
      return &graph.units[user] != &unit &&
             getClusterOf(user) != getClusterOf(index);
    });
  });
  return FusionDecision::forbid(unit.isSoftmax && isShared &&
                                        from.form == KernelForm::Elementwise
                                    ? kOperandIsShared
                                    : kChainReadsMemory);
}

FusionDecision Partition::checkOperand(unsigned producer,
                                       const Unit &unit) const {
  const Cluster &from = clusters[producer];
  if (from.form == KernelForm::Contraction) {
    return explainChain(from, unit);
  }
  if (!options.prologue) {
    return FusionDecision::forbid("computing operands in the kernels of "
                                  "contractions is switched off");
  }
  if (unit.hasTwoContractions()) {
    return explainOperand(from, unit);
  }
  if (options.device.isCPU()) {
    return checkPackedOperand(producer, unit);
  }
  if (!multipliesTiles(unit.anchor)) {
    return FusionDecision::forbid(
        "only operands of one type, f16, bf16 or f32, "
        "are computed inside of a contraction");
  }
  for (const UnitRead &read : unit.reads) {
    if (FusionDecision decision = checkWindows(producer, unit, read);
        !decision) {
      return decision;
    }
  }
  return FusionDecision::allow();
}

/// Checks that where `read` of the contraction `unit` reads what `producer`
/// makes in windows, that may be computed in these.
FusionDecision Partition::checkWindows(unsigned producer, const Unit &unit,
                                       const UnitRead &read) const {
  bool reads = read.producer && isIn(*read.producer, producer) && read.map;
  return reads && readsInWindows(unit, read.operandNumber)
             ? checkComputedWindows(unit)
             : FusionDecision::allow();
}

bool Partition::makesOperands(const Cluster &cluster, unsigned index) const {
  return graph.units[index].space.role == OpRole::Contraction ||
         llvm::is_contained(cluster.prologue, index);
}

bool Partition::isPrologue(unsigned producer, unsigned consumer) const {
  if (clusters[producer].form > KernelForm::Rows) {
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

namespace {
/// How arrays are read along loops that a contraction takes as one.
enum class PartReads {
  Whole, ///< along all of them, side by side and in order, or along none
  Parts, ///< some along a part of them
  Apart  ///< otherwise
};
} // namespace

/// Says how each of `reads` reads along `loops`.
static PartReads getPartReads(ArrayRef<SmallVector<unsigned, 4>> reads,
                              ArrayRef<unsigned> loops) {
  PartReads found = PartReads::Whole;
  for (ArrayRef<unsigned> read : reads) {
    SmallVector<unsigned, 4> own = llvm::filter_to_vector<4>(
        read, [&](unsigned loop) { return llvm::is_contained(loops, loop); });
    if (own.empty()) {
      continue;
    }
    if (own.size() < loops.size()) {
      found = PartReads::Parts;
      continue;
    }
    const unsigned *at = llvm::find(read, loops.front());
    ArrayRef<unsigned> rest(at, read.end());
    if (rest.size() < loops.size() || rest.take_front(loops.size()) != loops) {
      return PartReads::Apart;
    }
  }
  return found;
}

/// Adds the loops along which `reader` reads each array, as `loops` map them.
void Partition::addReadLoops(
    const Unit &reader, const LoopAlignment *loops,
    SmallVectorImpl<SmallVector<unsigned, 4>> &reads) const {
  for (const UnitRead &read : reader.reads) {
    SmallVector<unsigned, 4> &dims = reads.emplace_back();
    for (AffineExpr expr :
         read.map ? read.map.getResults() : ArrayRef<AffineExpr>()) {
      if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
        unsigned loop = getLoop(reader, dim.getPosition());
        dims.push_back(loops ? loops->map(loop) : loop);
      }
    }
  }
}

/// Returns the loops that the contraction `unit` takes as one each: those of
/// the result by the operand that alone has them, and those of k.
std::array<SmallVector<unsigned, 4>, 3>
Partition::getLoopsTakenAsOne(const Unit &unit,
                              const LoopAlignment &loops) const {
  linalg::LinalgOp op = unit.anchor;
  auto indexes = [&](unsigned operand, unsigned loop) {
    return op.getIndexingMapsArray()[operand].isFunctionOfDim(loop);
  };
  std::array<SmallVector<unsigned, 4>, 3> parts;
  for (unsigned loop : unit.space.parallel) {
    bool both = indexes(0, loop) && indexes(1, loop);
    if (!both) {
      parts[indexes(0, loop) ? 0 : 1].push_back(loops.map(getLoop(unit, loop)));
    }
  }
  for (unsigned loop : unit.space.reduced) {
    parts[2].push_back(loops.map(getLoop(unit, loop)));
  }
  return parts;
}

/// Checks that what `producer` reads lets the contraction `unit` go on taking
/// loops that lie side by side as one: its rows, its columns, k. Sets
/// `hasParts` where an array has only some of them.
FusionDecision Partition::checkMergedLoops(unsigned producer, const Unit &unit,
                                           const LoopAlignment &loops,
                                           bool &hasParts) const {
  SmallVector<SmallVector<unsigned, 4>> reads;
  for (unsigned index : clusters[producer].units) {
    addReadLoops(graph.units[index], /*loops=*/nullptr, reads);
  }
  auto isKnown = [&](unsigned loop) { return loopSizes[loop] > 0; };
  auto parts = getLoopsTakenAsOne(unit, loops);
  // Blocks of k that whole steps fill may have a factor each.
  constexpr int64_t kStep = 32;
  bool blocks = !parts[2].empty() && loopSizes[parts[2].back()] % kStep == 0 &&
                llvm::all_of(parts[2], isKnown);
  for (auto [number, part] : llvm::enumerate(parts)) {
    PartReads found = part.size() > 1 && !(number == 2 && blocks)
                          ? getPartReads(reads, part)
                          : PartReads::Whole;
    if (found == PartReads::Parts && number == 2) {
      // Then k has to be one: what else is multiplied must have it so.
      addReadLoops(unit, &loops, reads);
      found = std::max(found, getPartReads(reads, part));
    }
    bool divides = llvm::all_of(
        ArrayRef(part).drop_front(std::min<size_t>(part.size(), 1)), isKnown);
    // Rows and columns are taken apart again where an array has them so (places
    // of several images, with the channels in between).
    if (found == PartReads::Apart && number != 2 && divides) {
      found = PartReads::Parts;
    }
    if (found == PartReads::Apart) {
      return FusionDecision::forbid("what the operand is computed from keeps "
                                    "loops apart that the contraction takes "
                                    "as one");
    }
    if (found == PartReads::Parts && !divides) {
      return FusionDecision::forbid("what the operand is computed from has "
                                    "parts of loops whose sizes are known only "
                                    "at run time");
    }
    hasParts |= found == PartReads::Parts;
  }
  return FusionDecision::allow();
}

/// Adds to `merged` the loops of `producer` that `unit` reads in windows.
void Partition::addWindowedLoops(unsigned producer, const Unit &unit,
                                 const LoopAlignment &loops,
                                 Cluster &merged) const {
  for (const UnitRead &read : unit.reads) {
    bool reads = read.producer && isIn(*read.producer, producer) && read.map;
    if (!reads || unit.space.role != OpRole::Contraction ||
        !readsInWindows(unit, read.operandNumber)) {
      continue;
    }
    merged.computedAtReads = true;
    const Unit &maker = graph.units[*read.producer];
    for (AffineExpr expr : maker.getMapOf(read.value).getResults()) {
      unsigned loop = getLoop(maker, cast<AffineDimExpr>(expr).getPosition());
      if (!loops.hasTarget(loop) && loopSizes[loop] != 1) {
        merged.windowed.push_back(loop);
      }
    }
  }
}

/// Checks that the kernel `merged` walks along all loops of `producer`.
FusionDecision Partition::checkSpace(unsigned producer,
                                     const Cluster &merged) const {
  bool has = llvm::all_of(clusters[producer].space, [&](unsigned loop) {
    return llvm::is_contained(merged.space, loop) ||
           llvm::is_contained(merged.reduced, loop) ||
           llvm::is_contained(merged.windowed, loop);
  });
  return has ? FusionDecision::allow()
             : FusionDecision::forbid(kOperandHasOtherLoops);
}

/// Checks that the prologue of `merged` may be computed where it is read, if it
/// has to be.
FusionDecision Partition::checkAtReads(const Cluster &merged) const {
  if (options.device.isCPU()) {
    return checkPacked(merged.prologue);
  }
  if (!merged.computedAtReads) {
    return FusionDecision::allow();
  }
  for (unsigned index : merged.prologue) {
    if (FusionDecision decision = checkComputedAnywhere(graph.units[index]);
        !decision) {
      return decision;
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
  merged.held = loops.map(consumer.held);
  merged.windowed = loops.map(consumer.windowed);
  merged.computedAtReads = consumer.computedAtReads;
  for (unsigned index : consumer.units) {
    addWindowedLoops(producerLeader, graph.units[index], loops, merged);
  }
  if (FusionDecision decision = checkSpace(producerLeader, merged); !decision) {
    return decision;
  }
  for (unsigned index : producer.units) {
    if (leaves(graph.units[index], producerLeader, consumerLeader)) {
      return FusionDecision::forbid(kOperandIsShared);
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
      // What is read in windows is split into loops anyway.
      FusionDecision decision =
          merged.windowed.empty() && !options.device.isCPU()
              ? checkMergedLoops(producerLeader, unit, loops,
                                 merged.computedAtReads)
              : FusionDecision::allow();
      if (decision && producer.form == KernelForm::Rows) {
        decision = checkOperandRows(producerLeader, unit, loops);
      }
      if (!decision) {
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
  return checkAtReads(merged);
}

double Partition::getPrologueRepetitions(const Cluster &merged,
                                         ArrayRef<unsigned> spanned) const {
  // The side of the tiles that schedules choose where there is enough work; the
  // columns that a CPU packs at once.
  constexpr double kTileSide = 128, kPackedColumns = 256;
  double repetitions = 1;
  for (unsigned loop : merged.space) {
    if (!llvm::is_contained(spanned, loop)) {
      bool columns = options.device.isCPU() && loop == merged.space.back();
      repetitions *= std::ceil(getNominalSize(loopSizes[loop]) /
                               (columns ? kPackedColumns : kTileSide));
    }
  }
  // What is computed where it is read is so for each element of a window, and
  // of a block.
  for (unsigned loop : merged.reduced) {
    if (merged.computedAtReads && !llvm::is_contained(spanned, loop)) {
      repetitions *= getNominalSize(loopSizes[loop]);
    }
  }
  return repetitions;
}
