//===- Contraction.cpp - matmul to linalg ---------------------------------===//

#include "LinalgBuilder.h"
#include "fusion/Dialect/Fusion/IR/Fusion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {

/// The maps of `op` over the loops (batch..., m, n, k): a transposed operand is
/// only read in another order.
SmallVector<AffineMap> getMatmulMaps(MatmulOp op) {
  MLIRContext *context = op.getContext();
  int64_t batch = op.getResult().getType().getRank() - 2;
  AffineExpr m = getAffineDimExpr(batch, context);
  AffineExpr n = getAffineDimExpr(batch + 1, context);
  AffineExpr k = getAffineDimExpr(batch + 2, context);
  auto makeMap = [&](AffineExpr row, AffineExpr column, bool transposed) {
    SmallVector<AffineExpr> exprs;
    for (int64_t dim : llvm::seq<int64_t>(0, batch)) {
      exprs.push_back(getAffineDimExpr(dim, context));
    }
    exprs.push_back(transposed ? column : row);
    exprs.push_back(transposed ? row : column);
    return AffineMap::get(batch + 3, 0, exprs, context);
  };
  return {makeMap(m, k, op.getTransposeA()), makeMap(k, n, op.getTransposeB()),
          makeMap(m, n, false)};
}

/// The shape of the result: batch dims from whichever operand knows them, M and
/// N.
SmallVector<OpFoldResult> getResultShape(ImplicitLocOpBuilder &b, MatmulOp op,
                                         MatmulOp::Adaptor adaptor) {
  RankedTensorType type = op.getResult().getType();
  SmallVector<OpFoldResult> lhs = getShape(b, op.getLhs(), adaptor.getLhs());
  SmallVector<OpFoldResult> rhs = getShape(b, op.getRhs(), adaptor.getRhs());
  SmallVector<OpFoldResult> shape(ArrayRef(lhs).drop_back(2));
  shape.push_back(lhs[op.getDimM()]);
  shape.push_back(rhs[op.getDimN()]);
  for (auto [dim, size] : llvm::enumerate(shape)) {
    if (!type.isDynamicDim(dim)) {
      size = b.getIndexAttr(type.getDimSize(dim));
    }
  }
  return shape;
}

/// One contraction that accumulates in f32 (or wider, or in the integer type of
/// the result), then the rounding to the result's type where that is narrower.
struct LowerMatmul : OpConversionPattern<MatmulOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(MatmulOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Type element = getElementTypeOrSelf(op.getResult());
    Type accumulator = getComputeType(element);
    bool isUnsigned = isUnsignedElement(element);

    SmallVector<OpFoldResult> shape = getResultShape(b, op, adaptor);
    Type storage =
        getElementTypeOrSelf(getTypeConverter()->convertType(op.getType()));
    // A loop that never runs cannot be tiled.
    if (op.getLhs().getType().getDimSize(op.getLhsDimK()) == 0 ||
        op.getRhs().getType().getDimSize(op.getRhsDimK()) == 0) {
      Value zero =
          arith::ConstantOp::create(b, rewriter.getZeroAttr(accumulator));
      rewriter.replaceOp(op,
                         narrowTensor(b, makeFilled(b, shape, zero), storage));
      return success();
    }
    SmallVector<utils::IteratorType> iterators(shape.size(),
                                               utils::IteratorType::parallel);
    iterators.push_back(utils::IteratorType::reduction);
    Value product = makeContraction(b, adaptor.getOperands(), getMatmulMaps(op),
                                    iterators, shape, accumulator, isUnsigned);
    rewriter.replaceOp(op, narrowTensor(b, product, storage));
    return success();
  }
};

} // namespace

Value fusion::makeContraction(ImplicitLocOpBuilder &b, ValueRange operands,
                              ArrayRef<AffineMap> maps,
                              ArrayRef<utils::IteratorType> iterators,
                              ArrayRef<OpFoldResult> shape, Type accumulator,
                              bool isUnsigned) {
  Value zero =
      arith::ConstantOp::create(b, cast<TypedAttr>(b.getZeroAttr(accumulator)));
  Value init = makeFilled(b, shape, zero);
  auto contraction = linalg::GenericOp::create(
      b, init.getType(), operands, init, maps, iterators,
      [&](OpBuilder &nested, Location loc, ValueRange args) {
        ImplicitLocOpBuilder inner(loc, nested);
        Value lhs = widenScalar(inner, args[0], accumulator, isUnsigned);
        Value rhs = widenScalar(inner, args[1], accumulator, isUnsigned);
        Value sum;
        if (isa<FloatType>(accumulator)) {
          Value product = arith::MulFOp::create(inner, lhs, rhs);
          sum = arith::AddFOp::create(inner, args[2], product);
        } else {
          Value product = arith::MulIOp::create(inner, lhs, rhs);
          sum = arith::AddIOp::create(inner, args[2], product);
        }
        linalg::YieldOp::create(inner, sum);
      });
  return contraction.getResult(0);
}

void fusion::populateContractionPatterns(const TypeConverter &converter,
                                         RewritePatternSet &patterns) {
  patterns.add<LowerMatmul>(converter, patterns.getContext());
}
