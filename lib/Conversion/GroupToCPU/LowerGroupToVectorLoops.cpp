//===- LowerGroupToVectorLoops.cpp - linalg on memrefs to loops -----------===//

#include "fusion/Conversion/GroupToCPU/GroupToCPU.h"
#include "fusion/Conversion/Passes.h"
#include "fusion/Dialect/Fusion/Transforms/GenericForm.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::fusion;

namespace mlir::fusion {
#define GEN_PASS_DEF_LOWERGROUPTOVECTORLOOPS
#include "fusion/Conversion/Passes.h.inc"
} // namespace mlir::fusion

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
    if (!named.hasPureBufferSemantics()) {
      return emitError(loc, "expected a linalg op on memrefs");
    }
    FailureOr<linalg::GenericOp> generic = toGeneric(rewriter, named);
    if (failed(generic)) {
      return emitError(loc, "expected a linalg op with a scalar form");
    }
    auto op = cast<linalg::LinalgOp>(generic->getOperation());
    if (succeeded(contractionToVector(rewriter, op, options)) ||
        succeeded(linalgToVector(rewriter, op, options))) {
      continue;
    }
    rewriter.setInsertionPoint(op);
    if (failed(linalg::linalgOpToLoops(rewriter, op))) {
      return emitError(loc, "expected a linalg op with a scalar form");
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
