//===- PackedOperands.cpp - what a CPU computes while it packs ------------===//
//
// The kernel of a contraction copies blocks of its operands to where they are
// read again and again. What makes an operand may be computed on the way, line
// by line: once for each block of columns (rows) of the result that needs it.
//
//===----------------------------------------------------------------------===//

#include "fusion/Planner/Partition.h"
#include "fusion/Planner/PrologueReads.h"

using namespace mlir;
using namespace mlir::fusion;
using linalg::LinalgOp;

/// Checks that `op` is a product whose operands are packed.
static FusionDecision checkPacks(LinalgOp op) {
  AffineMap result = op.getIndexingMapsArray().back();
  bool packs = isMatrixProduct(op) && result.isProjectedPermutation() &&
               result.getNumResults() > 0;
  if (packs) {
    unsigned last = result.getDimPosition(result.getNumResults() - 1);
    bool used[2] = {op.getIndexingMapsArray()[0].isFunctionOfDim(last),
                    op.getIndexingMapsArray()[1].isFunctionOfDim(last)};
    packs = used[0] != used[1];
  }
  return packs ? FusionDecision::allow()
               : FusionDecision::forbid(
                     "on a CPU only what a matrix product packs is computed "
                     "inside of its kernel");
}

/// Checks that `unit` can be computed by lines of vectors.
static FusionDecision checkVectors(const Unit &unit) {
  for (const UnitRead &read : unit.reads) {
    Type type = getElementTypeOrSelf(read.value.getType());
    if (!type.isIntOrFloat() || type.getIntOrFloatBitWidth() % 8 != 0) {
      return FusionDecision::forbid("elements of less than a byte are not "
                                    "packed in vectors");
    }
    if (!read.map) {
      return FusionDecision::forbid("what makes the operand takes a value from "
                                    "outside of its loops");
    }
    if (!read.map.isProjectedPermutation()) {
      return FusionDecision::forbid("what the operand is computed from is not "
                                    "read along its dims");
    }
  }
  return unit.users.size() == 1
             ? FusionDecision::allow()
             : FusionDecision::forbid("what makes the operand has several "
                                      "readers, and is computed once");
}

/// Checks that along one loop all arrays are read side by side, or once.
FusionDecision Partition::checkLines(ArrayRef<unsigned> units) const {
  struct Line {
    unsigned loop;
    SmallVector<unsigned, 4> all;
  };
  SmallVector<Line> lines;
  for (unsigned index : units) {
    const Unit &maker = graph.units[index];
    for (const UnitRead &read : maker.reads) {
      if (!read.map || read.map.getNumResults() == 0) {
        continue;
      }
      Line &line = lines.emplace_back();
      for (AffineExpr expr : read.map.getResults()) {
        line.all.push_back(
            getLoop(maker, cast<AffineDimExpr>(expr).getPosition()));
      }
      line.loop = line.all.back();
    }
  }
  bool together = llvm::any_of(lines, [&](const Line &one) {
    return llvm::all_of(lines, [&](const Line &other) {
      return other.loop == one.loop || !llvm::is_contained(other.all, one.loop);
    });
  });
  return together ? FusionDecision::allow()
                  : FusionDecision::forbid("what the operand is computed from "
                                           "has no lines in common");
}

FusionDecision Partition::checkPackedOperand(unsigned producer,
                                             const Unit &unit) const {
  const Cluster &from = clusters[producer];
  if (from.form == KernelForm::Rows) {
    return FusionDecision::forbid(
        "a contraction's tiles do not hold the whole rows of a reduction");
  }
  if (FusionDecision decision = checkPacks(unit.anchor); !decision) {
    return decision;
  }
  for (const UnitRead &read : unit.reads) {
    bool reads = read.producer && isIn(*read.producer, producer);
    if (reads && read.map && !read.map.isProjectedPermutation()) {
      return FusionDecision::forbid(
          "windows of the producer's result would be computed several times");
    }
  }
  FusionDecision decision = checkPacked(from.units);
  return decision ? checkLines(from.units) : decision;
}

/// Checks that `units` can be computed while what they make is packed.
FusionDecision Partition::checkPacked(ArrayRef<unsigned> units) const {
  for (unsigned index : units) {
    const Unit &maker = graph.units[index];
    FusionDecision decision = checkComputedAnywhere(maker);
    decision = decision ? checkVectors(maker) : std::move(decision);
    if (!decision) {
      return decision;
    }
  }
  return FusionDecision::allow();
}
