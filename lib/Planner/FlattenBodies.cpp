//===- FlattenBodies.cpp - branches in bodies as choices ------------------===//
//
// Other compilers write branches in the bodies of linalg ops. A tile computes
// both arms and chooses; just reads stay under their condition, since there may
// be no such element.
//
//===----------------------------------------------------------------------===//

#include "fusion/Planner/AdoptLinalg.h"
#include "fusion/Planner/ReportKept.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace mlir::fusion;

/// Returns whether `branch` gives elements where its condition holds, and else
/// what is computed anyway.
static bool isGuard(scf::IfOp branch) {
  return branch.elseBlock() &&
         branch.elseBlock()->without_terminator().empty() &&
         llvm::all_of(branch.thenBlock()->without_terminator(),
                      llvm::IsaPred<tensor::ExtractOp>);
}

/// Returns whether all that `branch` does can be done in any case, but for
/// reads.
static bool canFlatten(scf::IfOp branch) {
  return llvm::all_of(branch->getRegions(), [](Region &region) {
    return llvm::all_of(region.getOps(), [](Operation &op) {
      if (auto inner = dyn_cast<scf::IfOp>(op)) {
        return isGuard(inner);
      }
      bool isScalarCode = isMemoryEffectFree(&op) && op.getNumRegions() == 0 &&
                          (OpTrait::hasElementwiseMappableTraits(&op) ||
                           op.hasTrait<OpTrait::ConstantLike>());
      return isScalarCode || isa<tensor::ExtractOp, scf::YieldOp>(op);
    });
  });
}

/// Reads what `read` does where `condition` holds.
static void guard(tensor::ExtractOp read, Value condition) {
  ImplicitLocOpBuilder b(read.getLoc(), read);
  Value zero = arith::ConstantOp::create(
      b, cast<TypedAttr>(b.getZeroAttr(read.getType())));
  auto branch = scf::IfOp::create(
      b, condition,
      [&](OpBuilder &inner, Location loc) {
        Value element = tensor::ExtractOp::create(inner, loc, read.getTensor(),
                                                  read.getIndices());
        scf::YieldOp::create(inner, loc, element);
      },
      [&](OpBuilder &inner, Location loc) {
        scf::YieldOp::create(inner, loc, zero);
      });
  read.replaceAllUsesWith(branch.getResult(0));
  read.erase();
}

/// Moves what `block`, taken where `condition` holds, does before `branch`.
static void hoist(Block &block, scf::IfOp branch, Value condition) {
  for (Operation &op : llvm::make_early_inc_range(block.without_terminator())) {
    op.moveBefore(branch);
    if (auto read = dyn_cast<tensor::ExtractOp>(op)) {
      guard(read, condition);
    } else if (auto inner = dyn_cast<scf::IfOp>(op)) {
      OpBuilder builder(inner);
      inner.getConditionMutable().assign(arith::AndIOp::create(
          builder, inner.getLoc(), condition, inner.getCondition()));
    }
  }
}

static void flatten(scf::IfOp branch) {
  ImplicitLocOpBuilder b(branch.getLoc(), branch);
  Value condition = branch.getCondition();
  Value yes = arith::ConstantOp::create(b, b.getBoolAttr(true));
  Value other = arith::XOrIOp::create(b, condition, yes);
  hoist(*branch.thenBlock(), branch, condition);
  hoist(*branch.elseBlock(), branch, other);
  for (auto [result, taken, otherwise] :
       llvm::zip_equal(branch.getResults(), branch.thenYield().getOperands(),
                       branch.elseYield().getOperands())) {
    result.replaceAllUsesWith(
        arith::SelectOp::create(b, condition, taken, otherwise));
  }
  branch.erase();
}

void fusion::flattenBodies(func::FuncOp func) {
  SmallVector<scf::IfOp> branches; // inner ones first
  func.walk([&](scf::IfOp branch) {
    if (branch->getParentOfType<linalg::LinalgOp>() &&
        branch.getNumResults() != 0) {
      branches.push_back(branch);
    }
  });
  for (scf::IfOp branch : branches) {
    if (isGuard(branch)) {
      continue;
    }
    if (canFlatten(branch)) {
      flatten(branch);
    } else {
      reportKept("AdoptLinalg", branch,
                 "a branch in a body does more than simple code and reads");
    }
  }
}
