//===- BufferizeGroup.cpp - the tensors of a group to memrefs -------------===//

#include "fusion/Conversion/GroupToCPU/GroupToCPU.h"
#include "fusion/Conversion/Passes.h"
#include "fusion/Dialect/Fusion/Transforms/UnfoldedFunctions.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::fusion;

namespace mlir::fusion {
#define GEN_PASS_DEF_BUFFERIZEGROUP
#include "fusion/Conversion/Passes.h.inc"
} // namespace mlir::fusion

/// Gives each use of a fill its own one. Where two results start from one
/// (common subexpressions become one), elimination of empty tensors would put
/// it into the first result's buffer, which the other one then computes in as
/// well.
static void separateFills(func::FuncOp group) {
  SmallVector<linalg::FillOp> fills;
  group.walk([&](linalg::FillOp fill) { fills.push_back(fill); });
  for (linalg::FillOp fill : fills) {
    auto empty = fill.getOutputs().front().getDefiningOp<tensor::EmptyOp>();
    if (!empty || fill->use_empty()) {
      continue;
    }
    SmallVector<OpOperand *> uses = llvm::to_vector(
        llvm::map_range(fill->getUses(), [](OpOperand &use) { return &use; }));
    for (OpOperand *use : llvm::drop_end(uses)) {
      Operation *user =
          fill->getBlock()->findAncestorOpInBlock(*use->getOwner());
      OpBuilder builder(user);
      Value destination = builder.clone(*empty)->getResult(0);
      Operation *own = builder.clone(*fill);
      own->setOperand(1, destination);
      use->set(own->getResult(0));
    }
  }
}

LogicalResult fusion::bufferizeGroup(func::FuncOp group) {
  separateFills(group);
  // Slices of empty tensors are empty tensors; they would be kept whole.
  RewritePatternSet patterns(group.getContext());
  tensor::populateFoldTensorEmptyPatterns(patterns);
  {
    UnfoldedFunctions unfolded(group);
    if (failed(applyPatternsGreedily(group, std::move(patterns)))) {
      return failure();
    }
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
