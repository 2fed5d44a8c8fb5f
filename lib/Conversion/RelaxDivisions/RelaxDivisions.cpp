//===- RelaxDivisions.cpp - faster division of inexact values -------------===//

#include "fusion/Conversion/RelaxDivisions/RelaxDivisions.h"
#include "fusion/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::fusion {
#define GEN_PASS_DEF_RELAXDIVISIONS
#include "fusion/Conversion/Passes.h.inc"
} // namespace mlir::fusion

using namespace mlir;
using namespace mlir::fusion;

/// Formulas around an activation are short; this keeps the pass linear.
static constexpr size_t opsToLookAt = 16;

/// Functions whose results are exact, or rounded once, everywhere.
static bool isRoundedOnce(Operation *op) {
  return isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::CopySignOp,
             math::CountLeadingZerosOp, math::CtPopOp, math::FloorOp,
             math::FmaOp, math::RoundEvenOp, math::RoundOp, math::SqrtOp,
             math::TruncOp>(op);
}

bool mlir::fusion::isApproximate(Value value) {
  llvm::SetVector<Value> seen;
  seen.insert(value);
  for (size_t next = 0; next < seen.size() && next < opsToLookAt; ++next) {
    Operation *op = seen[next].getDefiningOp();
    if (!op) {
      continue;
    }
    bool isMath = isa_and_nonnull<math::MathDialect>(op->getDialect());
    if (isMath && !isRoundedOnce(op)) {
      return true;
    }
    if (isMath || isa<arith::ArithDialect>(op->getDialect())) {
      seen.insert(op->operand_begin(), op->operand_end());
    }
  }
  return false;
}

void mlir::fusion::relaxDivisions(Operation *root) {
  SmallVector<arith::DivFOp> divisions;
  root->walk([&](arith::DivFOp division) {
    if (division.getType().isF32() && (isApproximate(division.getLhs()) ||
                                       isApproximate(division.getRhs()))) {
      divisions.push_back(division);
    }
  });
  // Only now: what was replaced would not be looked through.
  for (arith::DivFOp division : divisions) {
    OpBuilder builder(division);
    auto quotient = LLVM::CallIntrinsicOp::create(
        builder, division.getLoc(), division.getType(),
        builder.getStringAttr("llvm.nvvm.div.full"), division->getOperands());
    division.replaceAllUsesWith(quotient.getResult(0));
    division.erase();
  }
}

namespace {
struct RelaxDivisions : fusion::impl::RelaxDivisionsBase<RelaxDivisions> {
  void runOnOperation() override { relaxDivisions(getOperation()); }
};
} // namespace
