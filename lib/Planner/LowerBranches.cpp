//===- LowerBranches.cpp - scf.if on tensors as fusion.if -----------------===//

#include "EqualSizes.h"
#include "TensorBranches.h"

#include "fusion/Analysis/FusionDecision.h"
#include "fusion/Planner/AdoptLinalg.h"
#include "fusion/Planner/Passes.h"
#include "fusion/Planner/ReportKept.h"

using namespace mlir;
using namespace mlir::fusion;

static constexpr StringLiteral kOpaqueCondition =
    "the condition is not made of elements of tensors by simple code";
static constexpr StringLiteral kSizeCondition =
    "the host knows the condition, and the sides are more than reads of one "
    "tensor, as it is or repeated";

/// Says why a choice by `condition` is not made on the device.
static StringRef explainCondition(Value condition) {
  return isOfSizes(condition) ? kSizeCondition : kOpaqueCondition;
}

/// Returns whether `branch` chooses between tensors and does nothing else.
static FusionDecision canLower(scf::IfOp branch) {
  if (branch.getNumResults() == 0) {
    return FusionDecision::forbid("the branch has no result: what it is for "
                                  "are its effects");
  }
  for (OpResult result : branch->getResults()) {
    if (!isa<RankedTensorType>(result.getType())) {
      std::string type;
      llvm::raw_string_ostream(type) << result.getType();
      return FusionDecision::forbid(
          "the branch may give tensors of known rank only, but its result " +
          Twine(result.getResultNumber()) + " is of type " + type +
          " (a scalar can be a tensor of one element)");
    }
  }
  for (Region &region : branch->getRegions()) {
    for (Operation &op : region.front().without_terminator()) {
      if (!isMemoryEffectFree(&op)) {
        return FusionDecision::forbid("'" + op.getName().getStringRef() +
                                      "' in the branch has effects");
      }
    }
  }
  return FusionDecision::allow();
}

static void moveRegion(Region &from, Region &to) {
  to.takeBody(from);
  Operation *yield = to.front().getTerminator();
  OpBuilder builder(yield);
  YieldOp::create(builder, yield->getLoc(), yield->getOperands());
  yield->erase();
}

/// Checks that `op` gives tensors of the same sizes whether `taken` or `other`
/// are its results: a `fusion.if` has one buffer for both.
static LogicalResult checkSizes(Operation *op, ValueRange taken,
                                ValueRange other) {
  for (auto [number, values] : llvm::enumerate(llvm::zip_equal(taken, other))) {
    auto [first, second] = values;
    if (std::optional<int64_t> dim = findUnequalDim(first, second)) {
      return op->emitOpError(
                 "expected both sides to give results of one size, which the "
                 "host must know, but got sizes that may differ for dim ")
             << *dim << " of result " << number;
    }
  }
  return success();
}

/// Lowers `branch`, or says in a remark why not. Fails where its results may
/// differ in size.
static LogicalResult lowerBranch(scf::IfOp branch) {
  FusionDecision decision = canLower(branch);
  Value condition;
  if (decision) {
    condition = makeScalarTensor(branch, branch.getCondition());
    if (!condition) {
      decision =
          FusionDecision::forbid(explainCondition(branch.getCondition()));
    }
  }
  if (!decision) {
    reportKept("AdoptLinalg", branch, decision.getReason());
    return success();
  }
  if (failed(checkSizes(branch, branch.thenYield().getOperands(),
                        branch.elseYield().getOperands()))) {
    return failure();
  }
  OpBuilder builder(branch);
  auto lowered = IfOp::create(builder, branch.getLoc(), branch.getResultTypes(),
                              condition);
  moveRegion(branch.getThenRegion(), lowered.getThenRegion());
  moveRegion(branch.getElseRegion(), lowered.getElseRegion());
  lowered->setDiscardableAttrs(branch->getDiscardableAttrDictionary());
  branch->replaceAllUsesWith(lowered->getResults());
  branch.erase();
  return success();
}

/// Turns a choice between whole tensors by one scalar into a branch; by one
/// that the host has, it stays for others to choose element by element. Fails
/// where the tensors may differ in size, if that is `checked`.
static LogicalResult lowerSelect(arith::SelectOp select, bool checked) {
  if (checked && failed(checkSizes(select, select.getTrueValue(),
                                   select.getFalseValue()))) {
    return failure();
  }
  Value condition = makeScalarTensor(select, select.getCondition());
  if (!condition) {
    reportKept("AdoptLinalg", select, explainCondition(select.getCondition()));
    return success();
  }
  OpBuilder builder(select);
  Location loc = select.getLoc();
  auto branch = IfOp::create(builder, loc, select->getResultTypes(), condition);
  Value values[] = {select.getTrueValue(), select.getFalseValue()};
  for (auto [region, value] : llvm::zip_equal(branch->getRegions(), values)) {
    builder.createBlock(&region);
    YieldOp::create(builder, loc, value);
  }
  select.replaceAllUsesWith(branch->getResult(0));
  select.erase();
  return success();
}

/// Lowers the choices between tensors in `func`.
static LogicalResult lowerSelects(func::FuncOp func, bool checked) {
  SmallVector<arith::SelectOp> selects;
  func.walk([&](arith::SelectOp select) {
    if (isa<RankedTensorType>(select.getType()) &&
        !isa<ShapedType>(select.getCondition().getType())) {
      selects.push_back(select);
    }
  });
  for (arith::SelectOp select : selects) {
    if (failed(lowerSelect(select, checked))) {
      return failure();
    }
  }
  return success();
}

void fusion::lowerChoices(func::FuncOp func) {
  (void)lowerSelects(func, /*checked=*/false); // fails by its check alone
}

SmallVector<scf::IfOp> fusion::collectTensorBranches(func::FuncOp func) {
  SmallVector<scf::IfOp> branches;
  func.walk([&](scf::IfOp branch) {
    bool isScalarCode = branch->getParentOfType<linalg::LinalgOp>() ||
                        branch->getParentOfType<tensor::GenerateOp>() ||
                        branch->getParentOfType<tensor::PadOp>();
    if (!isScalarCode) {
      branches.push_back(branch);
    }
  });
  return branches;
}

LogicalResult fusion::lowerBranches(func::FuncOp func) {
  if (failed(lowerSelects(func, /*checked=*/true))) {
    return failure();
  }
  // Inner ones first: what is left in a branch has effects.
  for (scf::IfOp branch : collectTensorBranches(func)) {
    if (failed(lowerBranch(branch))) {
      return failure();
    }
  }
  return success();
}
