//===- BufferizeGroup.cpp - the tensors of a group to memrefs -------------===//

#include "fusion/Conversion/GroupToCPU/GroupToCPU.h"
#include "fusion/Conversion/Passes.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::fusion;

namespace mlir::fusion {
#define GEN_PASS_DEF_BUFFERIZEGROUP
#include "fusion/Conversion/Passes.h.inc"
} // namespace mlir::fusion

LogicalResult fusion::bufferizeGroup(func::FuncOp group) {
  // Slices of empty tensors are empty tensors; they would be kept whole.
  RewritePatternSet patterns(group.getContext());
  tensor::populateFoldTensorEmptyPatterns(patterns);
  if (failed(applyPatternsGreedily(group, std::move(patterns)))) {
    return failure();
  }
  IRRewriter rewriter(group.getContext());
  if (failed(bufferization::eliminateEmptyTensors(rewriter, group))) {
    return failure();
  }
  bufferization::OneShotBufferizationOptions options;
  bufferization::BufferizationState state;
  return bufferization::runOneShotBufferize(group, options, state);
}

namespace {
struct BufferizeGroup : fusion::impl::BufferizeGroupBase<BufferizeGroup> {
  void runOnOperation() override {
    if (!getOperation().isExternal() &&
        failed(bufferizeGroup(getOperation()))) {
      signalPassFailure();
    }
  }
};
} // namespace
