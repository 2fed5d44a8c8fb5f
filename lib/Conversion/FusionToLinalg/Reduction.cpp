//===- Reduction.cpp - reduce to linalg -----------------------------------===//

#include "LinalgBuilder.h"
#include "fusion/Dialect/Fusion/IR/Fusion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {

/// The neutral element of a reduction in floats.
APFloat getFloatIdentity(ReduceKind kind, FloatType type) {
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  switch (kind) {
  case ReduceKind::sum:
  case ReduceKind::mean:
    return APFloat::getZero(semantics);
  case ReduceKind::max:
    return APFloat::getInf(semantics, /*Negative=*/true);
  case ReduceKind::min:
    return APFloat::getInf(semantics);
  case ReduceKind::prod:
    return APFloat::getOne(semantics);
  }
  llvm_unreachable("all kinds are handled");
}

/// The neutral element of a reduction in integers of `width` bits.
APInt getIntIdentity(ReduceKind kind, unsigned width, bool isUnsigned) {
  switch (kind) {
  case ReduceKind::sum:
  case ReduceKind::mean:
    return APInt::getZero(width);
  case ReduceKind::max:
    return isUnsigned ? APInt::getMinValue(width)
                      : APInt::getSignedMinValue(width);
  case ReduceKind::min:
    return isUnsigned ? APInt::getMaxValue(width)
                      : APInt::getSignedMaxValue(width);
  case ReduceKind::prod:
    return APInt(width, 1);
  }
  llvm_unreachable("all kinds are handled");
}

/// The combiner of two scalars.
arith::AtomicRMWKind getCombiner(ReduceKind kind, bool isFloat,
                                 bool isUnsigned) {
  using Kind = arith::AtomicRMWKind;
  switch (kind) {
  case ReduceKind::sum:
  case ReduceKind::mean:
    return isFloat ? Kind::addf : Kind::addi;
  case ReduceKind::max:
    return isFloat ? Kind::maximumf : isUnsigned ? Kind::maxu : Kind::maxs;
  case ReduceKind::min:
    return isFloat ? Kind::minimumf : isUnsigned ? Kind::minu : Kind::mins;
  case ReduceKind::prod:
    return isFloat ? Kind::mulf : Kind::muli;
  }
  llvm_unreachable("all kinds are handled");
}

} // namespace

TypedAttr fusion::getReductionIdentity(ReduceKind kind, Type element,
                                       Type compute) {
  Builder b(compute.getContext());
  if (auto type = dyn_cast<FloatType>(compute)) {
    return b.getFloatAttr(compute, getFloatIdentity(kind, type));
  }
  return b.getIntegerAttr(compute,
                          getIntIdentity(kind, compute.getIntOrFloatBitWidth(),
                                         isUnsignedElement(element)));
}

Value fusion::combineScalars(ImplicitLocOpBuilder &b, ReduceKind kind,
                             Type element, Value lhs, Value rhs) {
  arith::AtomicRMWKind combiner = getCombiner(
      kind, isa<FloatType>(lhs.getType()), isUnsignedElement(element));
  return arith::getReductionOp(combiner, b, b.getLoc(), lhs, rhs);
}

namespace {

/// Returns the number of elements that each result of `op` is the mean of, as
/// a scalar of the float type `type`; `shape` is that of the input.
Value makeCount(ImplicitLocOpBuilder &b, ReduceOp op,
                ArrayRef<OpFoldResult> shape, Type type) {
  int64_t known = 1;
  Value unknown;
  for (int64_t dim : op.getDims()) {
    if (std::optional<int64_t> size = getConstantIntValue(shape[dim])) {
      known *= *size;
      continue;
    }
    auto size = cast<Value>(shape[dim]);
    unknown =
        unknown ? arith::MulIOp::create(b, unknown, size).getResult() : size;
  }
  if (!unknown) {
    auto count = b.getFloatAttr(type, static_cast<double>(known));
    return arith::ConstantOp::create(b, count);
  }
  Value factor = arith::ConstantIndexOp::create(b, known);
  Value count = arith::MulIOp::create(b, unknown, factor);
  Value integer = arith::IndexCastOp::create(b, b.getI64Type(), count);
  return arith::SIToFPOp::create(b, type, integer);
}

/// One reduction in the type of the computation; where that is not the graph's
/// type, or for a mean, one elementwise operation that finishes it.
struct LowerReduce : OpConversionPattern<ReduceOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ReduceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Type element = getElementTypeOrSelf(op.getInput());
    Type compute = getComputeType(element);
    Value input = adaptor.getInput();
    SmallVector<OpFoldResult> inputShape = getShape(b, op.getInput(), input);
    SmallVector<OpFoldResult> shape;
    for (auto [dim, size] : llvm::enumerate(inputShape)) {
      if (!llvm::is_contained(op.getDims(), static_cast<int64_t>(dim))) {
        shape.push_back(size);
      }
    }
    Value reduced = reduce(b, op, input, shape, compute);
    Type storage =
        getElementTypeOrSelf(getTypeConverter()->convertType(op.getType()));
    if (op.getKind() != ReduceKind::mean) {
      rewriter.replaceOp(op, narrowTensor(b, reduced, storage));
      return success();
    }
    Value count = makeCount(b, op, inputShape, compute);
    rewriter.replaceOp(
        op, makeParallel(b, reduced, {}, shape, storage,
                         [&](ImplicitLocOpBuilder &inner, ValueRange args) {
                           Value mean =
                               arith::DivFOp::create(inner, args[0], count);
                           return narrowScalar(inner, mean, storage);
                         }));
    return success();
  }

private:
  /// Makes the reduction of `input` (the operand of `op`) in type `compute`.
  static Value reduce(ImplicitLocOpBuilder &b, ReduceOp op, Value input,
                      ArrayRef<OpFoldResult> shape, Type compute) {
    int64_t rank = op.getInput().getType().getRank();
    SmallVector<utils::IteratorType> iterators(rank,
                                               utils::IteratorType::parallel);
    SmallVector<AffineExpr> kept;
    for (int64_t dim : llvm::seq<int64_t>(0, rank)) {
      if (llvm::is_contained(op.getDims(), dim)) {
        iterators[dim] = utils::IteratorType::reduction;
      } else {
        kept.push_back(b.getAffineDimExpr(dim));
      }
    }
    SmallVector<AffineMap> maps = {
        b.getMultiDimIdentityMap(rank),
        AffineMap::get(rank, 0, kept, b.getContext())};

    ReduceKind kind = op.getKind();
    Type element = getElementTypeOrSelf(op.getInput());
    TypedAttr identity = getReductionIdentity(kind, element, compute);
    Value init = makeFilled(b, shape, arith::ConstantOp::create(b, identity));
    // A loop that never runs cannot be tiled.
    if (llvm::any_of(op.getDims(), [&](int64_t dim) {
          return op.getInput().getType().getDimSize(dim) == 0;
        })) {
      return init;
    }
    auto generic = linalg::GenericOp::create(
        b, init.getType(), input, init, maps, iterators,
        [&](OpBuilder &nested, Location loc, ValueRange args) {
          ImplicitLocOpBuilder inner(loc, nested);
          Value wide = widenScalar(inner, args[0], compute);
          Value combined = combineScalars(inner, kind, element, args[1], wide);
          linalg::YieldOp::create(inner, combined);
        });
    return generic.getResult(0);
  }
};

} // namespace

void fusion::populateReductionPatterns(const TypeConverter &converter,
                                       RewritePatternSet &patterns) {
  patterns.add<LowerReduce>(converter, patterns.getContext());
}
