//===- Decompose.cpp - softmax and normalizations, taken apart ------------===//

#include "fusion/Dialect/Fusion/Transforms/Decompose.h"

#include "fusion/Dialect/Fusion/IR/Directives.h"
#include "fusion/Dialect/Fusion/IR/Fusion.h"
#include "fusion/Dialect/Fusion/Transforms/Passes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::fusion {
#define GEN_PASS_DEF_DECOMPOSE
#include "fusion/Dialect/Fusion/Transforms/Passes.h.inc"
} // namespace mlir::fusion

using namespace mlir;
using namespace mlir::fusion;

namespace {

/// Builds computations along some dims of one tensor, in the type in which
/// they are computed: f32 for f16 and bf16.
class RowBuilder {
public:
  /// `dims`: what is reduced, ascending.
  RowBuilder(OpBuilder &builder, Location loc, Value input,
             ArrayRef<int64_t> dims)
      : b(loc, builder), storage(getElementTypeOrSelf(input)),
        compute(storage.getIntOrFloatBitWidth() < 32 ? b.getF32Type()
                                                     : storage),
        shape(tensor::getMixedSizes(b, loc, input)), dims(dims) {
    for (int64_t dim : llvm::seq<int64_t>(0, shape.size())) {
      if (!llvm::is_contained(dims, dim)) {
        keptDims.push_back(dim);
      }
    }
  }

  /// Returns `value` in the type of the computation. Exact.
  Value widen(Value value) {
    return compute == storage ? value
                              : CastOp::create(b, value, compute).getResult();
  }

  /// Returns `value` in the graph's type.
  Value narrow(Value value) {
    return compute == storage
               ? value
               : CastOp::create(b, value, storage, /*rounding=*/true)
                     .getResult();
  }

  /// Reduces each row of `value`.
  Value reduce(ReduceKind kind, Value value) {
    return ReduceOp::create(b, kind, value, dims);
  }

  /// Repeats one value per row to the whole shape.
  Value broadcastRows(Value value) {
    return BroadcastOp::create(b, value, ArrayRef(shape), keptDims);
  }

  /// Repeats a tensor that has the reduced (trailing) dims to the whole shape.
  Value broadcastColumns(Value value) {
    return BroadcastOp::create(b, value, ArrayRef(shape), dims);
  }

  /// Returns `value` minus the same row's `perRow`.
  Value centre(Value value, Value perRow) {
    return SubOp::create(b, value, broadcastRows(perRow));
  }

  /// Returns 1 / sqrt(mean(value^2) + eps), one per row.
  Value inverseRms(Value value, const APFloat &eps) {
    Value square = MulOp::create(b, value, value);
    Value mean = reduce(ReduceKind::mean, square);
    return RsqrtOp::create(b, AddOp::create(b, mean, splatPerRow(eps)));
  }

  /// Returns `value` times `scale`, which has the reduced dims; null is one.
  Value scaleColumns(Value value, Value scale) {
    return scale ? MulOp::create(b, value, broadcastColumns(widen(scale)))
                 : value;
  }

  ImplicitLocOpBuilder &builder() { return b; }

private:
  /// Returns `value` once per row.
  Value splatPerRow(APFloat value) {
    bool losesInfo = false;
    value.convert(cast<FloatType>(compute).getFloatSemantics(),
                  APFloat::rmNearestTiesToEven, &losesInfo);
    auto scalar = RankedTensorType::get({}, compute);
    Value constant =
        ConstantOp::create(b, DenseElementsAttr::get(scalar, value));
    SmallVector<OpFoldResult> rows;
    for (int64_t dim : keptDims) {
      rows.push_back(shape[dim]);
    }
    return BroadcastOp::create(b, constant, ArrayRef(rows),
                               ArrayRef<int64_t>());
  }

  ImplicitLocOpBuilder b;
  Type storage;
  Type compute;
  SmallVector<OpFoldResult> shape;
  SmallVector<int64_t> dims;
  SmallVector<int64_t> keptDims;
};

/// The dims of `type` from `axis` on.
SmallVector<int64_t> getTrailingDims(RankedTensorType type, int64_t axis) {
  return llvm::to_vector(llvm::seq<int64_t>(axis, type.getRank()));
}

/// exp(x - max) / sum(exp(x - max))
struct DecomposeSoftmax : OpRewritePattern<SoftmaxOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(SoftmaxOp op,
                                PatternRewriter &rewriter) const override {
    int64_t dim = op.getDim();
    RowBuilder rows(rewriter, op.getLoc(), op.getInput(), dim);
    ImplicitLocOpBuilder &b = rows.builder();
    Value x = rows.widen(op.getInput());
    Value shifted = rows.centre(x, rows.reduce(ReduceKind::max, x));
    Value exp = ExpOp::create(b, shifted);
    Value sum = rows.reduce(ReduceKind::sum, exp);
    Value result = DivOp::create(b, exp, rows.broadcastRows(sum));
    rewriter.replaceOp(op, rows.narrow(result));
    return success();
  }
};

/// (x - max) - log(sum(exp(x - max)))
struct DecomposeLogSoftmax : OpRewritePattern<LogSoftmaxOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(LogSoftmaxOp op,
                                PatternRewriter &rewriter) const override {
    int64_t dim = op.getDim();
    RowBuilder rows(rewriter, op.getLoc(), op.getInput(), dim);
    ImplicitLocOpBuilder &b = rows.builder();
    Value x = rows.widen(op.getInput());
    Value shifted = rows.centre(x, rows.reduce(ReduceKind::max, x));
    Value sum = rows.reduce(ReduceKind::sum, ExpOp::create(b, shifted));
    Value result = rows.centre(shifted, LogOp::create(b, sum));
    rewriter.replaceOp(op, rows.narrow(result));
    return success();
  }
};

/// d = x - mean(x); d / sqrt(mean(d^2) + eps) * scale + bias
struct DecomposeLayerNorm : OpRewritePattern<LayerNormOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(LayerNormOp op,
                                PatternRewriter &rewriter) const override {
    RowBuilder rows(rewriter, op.getLoc(), op.getInput(),
                    getTrailingDims(op.getInput().getType(), op.getAxis()));
    ImplicitLocOpBuilder &b = rows.builder();
    Value x = rows.widen(op.getInput());
    Value centred = rows.centre(x, rows.reduce(ReduceKind::mean, x));
    Value inverse = rows.inverseRms(centred, op.getEps());
    Value result = MulOp::create(b, centred, rows.broadcastRows(inverse));
    result = rows.scaleColumns(result, op.getScale());
    if (Value bias = op.getBias()) {
      Value columns = rows.broadcastColumns(rows.widen(bias));
      result = AddOp::create(b, result, columns);
    }
    rewriter.replaceOp(op, rows.narrow(result));
    return success();
  }
};

/// x / sqrt(mean(x^2) + eps) * scale
struct DecomposeRmsNorm : OpRewritePattern<RmsNormOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(RmsNormOp op,
                                PatternRewriter &rewriter) const override {
    RowBuilder rows(rewriter, op.getLoc(), op.getInput(),
                    getTrailingDims(op.getInput().getType(), op.getAxis()));
    ImplicitLocOpBuilder &b = rows.builder();
    Value x = rows.widen(op.getInput());
    Value inverse = rows.inverseRms(x, op.getEps());
    Value result = MulOp::create(b, x, rows.broadcastRows(inverse));
    result = rows.scaleColumns(result, op.getScale());
    rewriter.replaceOp(op, rows.narrow(result));
    return success();
  }
};

struct Decompose : fusion::impl::DecomposeBase<Decompose> {
  void runOnOperation() override {
    DirectiveKeeper keeper(getOperation());
    if (failed(unrollLoops(getOperation()))) {
      signalPassFailure();
      return;
    }
    RewritePatternSet patterns(&getContext());
    populateDecomposePatterns(patterns);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};

} // namespace

void fusion::populateDecomposePatterns(RewritePatternSet &patterns) {
  patterns.add<DecomposeSoftmax, DecomposeLogSoftmax, DecomposeLayerNorm,
               DecomposeRmsNorm>(patterns.getContext());
  populateDecomposeIfPatterns(patterns);
  populateDecomposeConvTransposePatterns(patterns);
}
