//===- FuseHorizontal.cpp - contractions that share an operand ------------===//

#include "fusion/Planner/Partition.h"

using namespace mlir;
using namespace mlir::fusion;

/// Pairs the loops of `a` and `b`, which have equal maps, that operand `number`
/// is read along, the same value in both; returns whether that worked.
static bool alignOperand(const Unit &a, const Unit &b, unsigned number,
                         llvm::function_ref<bool(unsigned, unsigned)> pair) {
  linalg::LinalgOp opA = a.anchor;
  AffineMap map = opA.getMatchingIndexingMap(&opA->getOpOperand(number));
  // Places of a convolution and elements of its windows are summed.
  for (unsigned loop = 0, e = opA.getNumLoops(); loop < e; ++loop) {
    if (map.isFunctionOfDim(loop) && !pair(loop, loop)) {
      return false;
    }
  }
  return true;
}

/// Names the contractions of two kernels: who asks may have meant other ops of
/// these.
static std::string describe(linalg::LinalgOp a, linalg::LinalgOp b) {
  return "the contractions of the two kernels, " + getDisplayName(a) + " and " +
         getDisplayName(b) + ", ";
}

/// Checks that the contractions of two clusters can share one loop over K and
/// the tiles of a common operand.
FusionDecision Partition::checkHorizontal(unsigned a, unsigned b,
                                          LoopAlignment &loops) const {
  if (!options.horizontal) {
    return FusionDecision::forbid("horizontal fusion is switched off");
  }
  auto isContraction = [&](unsigned index) {
    return graph.units[index].space.role == OpRole::Contraction;
  };
  if (llvm::none_of(clusters[a].units, isContraction) ||
      llvm::none_of(clusters[b].units, isContraction)) {
    return FusionDecision::forbid(
        "one of the two reduces over windows, which share no operand's tiles");
  }
  // All contractions of one cluster have equal spaces: one of `a` stands for
  // all, each of `b` is checked.
  const Unit &first =
      graph.units[*llvm::find_if(clusters[a].units, isContraction)];
  for (unsigned index : clusters[b].units) {
    if (!isContraction(index)) {
      continue;
    }
    const Unit &unit = graph.units[index];
    linalg::LinalgOp opA = first.anchor, opB = unit.anchor;
    if (first.hasTwoContractions() || unit.hasTwoContractions()) {
      return FusionDecision::forbid(
          "contractions one after the other have their loops for themselves");
    }
    if (opA->getOperandTypes() != opB->getOperandTypes() ||
        opA.getIndexingMapsArray() != opB.getIndexingMapsArray()) {
      return FusionDecision::forbid(describe(opA, opB) +
                                    "differ in shape, types or layout");
    }
    std::optional<unsigned> shared;
    for (unsigned number : llvm::seq(opA.getNumDpsInputs())) {
      if (!shared && opA->getOperand(number) == opB->getOperand(number)) {
        shared = number;
      }
    }
    if (!shared) {
      return FusionDecision::forbid(describe(opA, opB) + "share no operand");
    }
    // The shared operand fixes its loops, the equal results the others.
    bool aligned =
        alignOperand(first, unit, *shared, [&](unsigned from, unsigned to) {
          return loops.pair(getLoop(unit, from), getLoop(first, to));
        });
    if (!aligned) {
      return FusionDecision::forbid(
          "the contractions read their common operand at different positions");
    }
  }
  return FusionDecision::allow();
}
