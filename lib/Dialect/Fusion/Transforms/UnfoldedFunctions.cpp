//===- UnfoldedFunctions.cpp - functions that do not fold -----------------===//

#include "fusion/Dialect/Fusion/Transforms/UnfoldedFunctions.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace mlir::fusion;

bool fusion::isInexactFunction(Operation *op) {
  if (!isa_and_present<math::MathDialect>(op->getDialect()) ||
      op->getNumResults() == 0 ||
      !isa<FloatType>(getElementTypeOrSelf(op->getResult(0)))) {
    return false;
  }
  return !isa<math::AbsFOp, math::CeilOp, math::FloorOp, math::TruncOp,
              math::RoundOp, math::RoundEvenOp, math::CopySignOp, math::SqrtOp,
              math::FmaOp, math::ClampFOp>(op);
}

/// Marks the casts that hide operands. Two equal operands tell them from casts
/// that fold.
static constexpr StringLiteral kHides = "fusion.hides";

UnfoldedFunctions::UnfoldedFunctions(Operation *root) : root(root) {
  root->walk([](Operation *op) {
    if (!isInexactFunction(op)) {
      return;
    }
    OpBuilder builder(op);
    Value operand = op->getOperand(0);
    auto hidden = UnrealizedConversionCastOp::create(
        builder, op->getLoc(), operand.getType(), ValueRange{operand, operand});
    hidden->setAttr(kHides, builder.getUnitAttr());
    op->setOperand(0, hidden.getResult(0));
  });
}

UnfoldedFunctions::~UnfoldedFunctions() {
  root->walk([](UnrealizedConversionCastOp cast) {
    if (cast->hasAttr(kHides)) {
      cast.getResult(0).replaceAllUsesWith(cast.getOperand(0));
      cast.erase();
    }
  });
}
