//===- LowerIndexMaps.cpp - positions in bodies as plain arithmetic -------===//

#include "fusion/Planner/AdoptLinalg.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace mlir::fusion;

/// Replaces `apply` by its map written out.
static void lower(affine::AffineApplyOp apply) {
  OpBuilder builder(apply);
  SmallVector<Value> operands(apply.getMapOperands());
  std::optional<SmallVector<Value, 8>> results = affine::expandAffineMap(
      builder, apply.getLoc(), apply.getAffineMap(), operands);
  if (results) {
    apply.replaceAllUsesWith(results->front());
    apply.erase();
  }
}

void fusion::lowerIndexMaps(func::FuncOp func) {
  SmallVector<affine::AffineApplyOp> applies;
  func.walk([&](affine::AffineApplyOp apply) {
    if (apply->getParentOfType<linalg::LinalgOp>()) {
      applies.push_back(apply);
    }
  });
  llvm::for_each(applies, lower);
}
