//===- LowerGroupToVectorLoops.cpp - linalg on memrefs to loops -----------===//

#include "fusion/Conversion/GroupToCPU/GroupToCPU.h"
#include "fusion/Conversion/Passes.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::fusion;

namespace mlir::fusion {
#define GEN_PASS_DEF_LOWERGROUPTOVECTORLOOPS
#include "fusion/Conversion/Passes.h.inc"
} // namespace mlir::fusion

/// Returns `op` as a `linalg.generic`, or null.
static linalg::LinalgOp generalize(RewriterBase &rewriter,
                                   linalg::LinalgOp op) {
  if (isa<linalg::GenericOp>(op)) {
    return op;
  }
  rewriter.setInsertionPoint(op);
  FailureOr<linalg::GenericOp> generic =
      linalg::generalizeNamedOp(rewriter, op);
  return succeeded(generic) ? cast<linalg::LinalgOp>(generic->getOperation())
                            : linalg::LinalgOp();
}

LogicalResult fusion::lowerGroupToVectorLoops(func::FuncOp group,
                                              const CPUVectorOptions &options) {
  IRRewriter rewriter(group.getContext());
  group.walk([&](memref::CopyOp copy) {
    rewriter.setInsertionPoint(copy);
    rewriter.replaceOpWithNewOp<linalg::CopyOp>(copy, copy.getSource(),
                                                copy.getTarget());
  });
  SmallVector<linalg::LinalgOp> ops;
  group.walk([&](linalg::LinalgOp op) { ops.push_back(op); });
  for (linalg::LinalgOp named : ops) {
    Location loc = named.getLoc();
    linalg::LinalgOp op = generalize(rewriter, named);
    if (!op) {
      return emitError(loc, "expected a linalg op with a scalar form");
    }
    if (succeeded(contractionToVector(rewriter, op, options)) ||
        succeeded(linalgToVector(rewriter, op, options))) {
      continue;
    }
    rewriter.setInsertionPoint(op);
    if (failed(linalg::linalgOpToLoops(rewriter, op))) {
      return emitError(loc, "expected a linalg op on memrefs");
    }
    rewriter.eraseOp(op);
  }
  return success();
}

namespace {
struct LowerGroupToVectorLoops
    : fusion::impl::LowerGroupToVectorLoopsBase<LowerGroupToVectorLoops> {
  using LowerGroupToVectorLoopsBase::LowerGroupToVectorLoopsBase;

  void runOnOperation() override {
    CPUVectorOptions options;
    if (vectorBits != 0) {
      options.vectorBits = vectorBits;
    }
    if (failed(lowerGroupToVectorLoops(getOperation(), options))) {
      signalPassFailure();
    }
  }
};
} // namespace
