//===- DecomposeIf.cpp - cheap branches become selects --------------------===//

#include "fusion/Dialect/Fusion/Transforms/Decompose.h"

#include "fusion/Dialect/Fusion/IR/Fusion.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::fusion;

/// What both regions together may hold for both to be computed: so many
/// operations, on tensors of so many elements. A kernel that selects reads what
/// both sides read; a branch costs a launch, or stops vertical fusion.
static constexpr unsigned kMaxOperations = 8;
static constexpr int64_t kMaxElements = int64_t(1) << 18;

/// Returns the elements of `type`, dynamic dims taken for 512.
static int64_t countElements(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  int64_t elements = 1;
  for (int64_t size : tensor ? tensor.getShape() : ArrayRef<int64_t>()) {
    elements *= ShapedType::isDynamic(size) ? 512 : size;
    if (elements > kMaxElements) {
      break;
    }
  }
  return elements;
}

/// Returns whether computing both regions of `branch` costs next to nothing.
/// Nothing in the dialect traps.
static bool isCheap(IfOp branch) {
  unsigned operations = 0;
  for (Type type : branch.getResultTypes()) {
    if (countElements(type) > kMaxElements) {
      return false;
    }
  }
  for (YieldOp yield : {branch.getThenYield(), branch.getElseYield()}) {
    for (Operation &op : yield->getBlock()->without_terminator()) {
      bool isSmall = llvm::all_of(op.getResultTypes(), [](Type type) {
        return countElements(type) <= kMaxElements;
      });
      bool isFree =
          isa<ConstantOp, BroadcastOp, ReshapeOp, tensor::DimOp>(op) ||
          op.hasTrait<OpTrait::ConstantLike>();
      bool isSimple = isFree || op.hasTrait<OpTrait::Elementwise>();
      operations += !isFree;
      if (!isSmall || !isSimple || operations > kMaxOperations) {
        return false;
      }
    }
  }
  return true;
}

namespace {
/// Computes both regions and selects, where that is cheap.
struct DecomposeIf : OpRewritePattern<IfOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IfOp op,
                                PatternRewriter &rewriter) const override {
    if (!isCheap(op)) {
      return failure();
    }
    SmallVector<SmallVector<Value>, 2> values;
    for (YieldOp yield : {op.getThenYield(), op.getElseYield()}) {
      values.emplace_back(yield.getValues());
      Block *block = yield->getBlock();
      rewriter.eraseOp(yield);
      rewriter.inlineBlockBefore(block, op);
    }
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    SmallVector<Value> results;
    for (auto [ifTrue, ifFalse] : llvm::zip(values[0], values[1])) {
      SmallVector<OpFoldResult> shape =
          tensor::getMixedSizes(b, op.getLoc(), ifTrue);
      Value condition = BroadcastOp::create(
          b, op.getCondition(), ArrayRef(shape), ArrayRef<int64_t>());
      results.push_back(
          SelectOp::create(b, ifTrue.getType(), condition, ifTrue, ifFalse));
    }
    rewriter.replaceOp(op, results);
    return success();
  }
};
} // namespace

void fusion::populateDecomposeIfPatterns(RewritePatternSet &patterns) {
  patterns.add<DecomposeIf>(patterns.getContext());
}
