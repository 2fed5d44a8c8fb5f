//===- PrologueReads.cpp - how contractions read operands -----------------===//

#include "fusion/Planner/PrologueReads.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fusion;
using linalg::LinalgOp;

bool fusion::readsInWindows(const Unit &unit, unsigned number) {
  LinalgOp op = unit.anchor;
  if (!op || int64_t(number) >= op.getNumDpsInputs()) {
    return false;
  }
  OpOperand *operand = op.getDpsInputOperand(number);
  auto producer = operand->get().getDefiningOp<LinalgOp>();
  bool isPadded = producer && getAbsorbedPadding(producer).has_value();
  return isPadded || !isPlainRead(op.getMatchingIndexingMap(operand));
}

FusionDecision fusion::checkComputedAnywhere(const Unit &unit) {
  LinalgOp op = unit.anchor;
  if (unit.space.role != OpRole::Elementwise) {
    return FusionDecision::forbid("rows that are reduced first are no operand "
                                  "that is computed element by element");
  }
  for (OpOperand &init : op.getDpsInitsMutable()) {
    if (op.payloadUsesValueFromOperand(&init)) {
      return FusionDecision::forbid("what makes the operand reads its "
                                    "destination, and is computed once");
    }
  }
  bool uniform = llvm::all_of(*op.getBlock(), [](Operation &inner) {
    return inner.getNumRegions() == 0 &&
           !isa<linalg::IndexOp, tensor::ExtractOp>(inner);
  });
  return uniform ? FusionDecision::allow()
                 : FusionDecision::forbid(
                       "what makes the operand asks for positions, and is "
                       "computed where it lies");
}

FusionDecision fusion::checkComputedWindows(const Unit &unit) {
  if (!isMatrixProduct(unit.anchor)) {
    return FusionDecision::forbid(
        "only windows of matrix products are computed where they are read");
  }
  for (unsigned loop : unit.space.reduced) {
    if (ShapedType::isDynamic(unit.space.sizes[loop])) {
      return FusionDecision::forbid(
          "windows or channels whose sizes are known only at run time are read "
          "from memory");
    }
  }
  return FusionDecision::allow();
}
