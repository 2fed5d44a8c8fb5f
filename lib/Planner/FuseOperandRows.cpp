//===- FuseOperandRows.cpp - norms in the kernels of contractions ---------===//
//
// A contraction's operand may be computed from reductions of its own rows along
// k: normalised rows. The block of a tile makes these for its rows before its
// steps of k, as often as it computes the operand itself (FusePrologue.cpp).
//
//===----------------------------------------------------------------------===//

#include "fusion/Planner/Partition.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::fusion;

/// Whether one op with a neutral element combines the elements of `op`, a
/// reduction, to each of its results.
static bool isCombined(linalg::LinalgOp op) {
  SmallVector<BlockArgument> carried(op.getRegionOutputArgs());
  return llvm::all_of(llvm::seq<unsigned>(0, carried.size()), [&](unsigned i) {
    SmallVector<Operation *> combiners;
    return matchReduction(carried, i, combiners) && combiners.size() == 1 &&
           arith::getNeutralElement(combiners.front());
  });
}

static SmallVector<unsigned, 4> sorted(SmallVector<unsigned, 4> loops) {
  llvm::sort(loops);
  return loops;
}

FusionDecision Partition::checkOperandRows(unsigned producer, const Unit &unit,
                                           const LoopAlignment &loops) const {
  constexpr StringRef kWhat =
      "a contraction's tiles do not hold the whole rows of a reduction";
  const Cluster &from = clusters[producer];
  linalg::LinalgOp op = unit.anchor;
  auto toClasses = [&](ArrayRef<unsigned> own) {
    SmallVector<unsigned, 4> classes = getLoops(unit, own);
    return loops.map(classes);
  };
  if (from.partSize != 0 || from.reduced.size() != 1 ||
      toClasses(unit.space.reduced) != ArrayRef<unsigned>(from.reduced)) {
    return FusionDecision::forbid(Twine(kWhat) +
                                  " other than along one dim, its k");
  }
  // The rows of either operand; loops of one iteration are no matter.
  SmallVector<SmallVector<unsigned, 4>, 2> rows;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    SmallVector<unsigned, 4> own;
    for (unsigned loop : unit.space.parallel) {
      if (map.isFunctionOfDim(loop) && unit.space.sizes[loop] != 1) {
        own.push_back(loop);
      }
    }
    rows.push_back(sorted(toClasses(own)));
  }
  for (unsigned index : from.units) {
    const Unit &maker = graph.units[index];
    if (maker.space.role != OpRole::Reduction) {
      continue;
    }
    SmallVector<unsigned, 4> own;
    for (unsigned loop : maker.space.parallel) {
      if (maker.space.sizes[loop] != 1) {
        own.push_back(getLoop(maker, loop));
      }
    }
    if (!llvm::is_contained(rows, sorted(loops.map(own)))) {
      return FusionDecision::forbid(Twine(kWhat) +
                                    " that are not those of its operand");
    }
    if (!isCombined(maker.anchor)) {
      return FusionDecision::forbid(
          "a reduction goes from element to element of the operand's rows");
    }
  }
  return FusionDecision::allow();
}

/// How much faster one kernel must be by the estimate: that of the pieces of
/// rows, one after another, rests on kernels that do nothing else.
static constexpr double kRowsMargin = 1.15;

FusionDecision Partition::checkRowsMargin(FusionDecision decision) {
  const std::optional<FusionTimes> &times = decision.getTimes();
  if (!decision || !times || times->fusedUs * kRowsMargin <= times->apartUs) {
    return decision;
  }
  return FusionDecision::forbid(
             llvm::formatv("estimated at {0:F1} us fused and {1:F1} us apart, "
                           "which is too close to tell for rows that are "
                           "reduced before they are multiplied",
                           times->fusedUs, times->apartUs)
                 .str())
      .withTimes(*times);
}
