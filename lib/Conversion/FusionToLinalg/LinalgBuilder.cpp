//===- LinalgBuilder.cpp - what the lowerings of all families share -------===//

#include "LinalgBuilder.h"

#include "fusion/Dialect/Fusion/IR/Fusion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::fusion;

Type fusion::getComputeType(Type type) {
  if (isa<Float16Type, BFloat16Type>(type)) {
    return Float32Type::get(type.getContext());
  }
  if (auto integer = dyn_cast<IntegerType>(type)) {
    return IntegerType::get(type.getContext(), integer.getWidth());
  }
  return type;
}

Value fusion::widenScalar(ImplicitLocOpBuilder &b, Value value, Type type,
                          bool isUnsigned) {
  if (value.getType() == type) {
    return value;
  }
  if (isa<FloatType>(type)) {
    return arith::ExtFOp::create(b, type, value);
  }
  if (isUnsigned) {
    return arith::ExtUIOp::create(b, type, value);
  }
  return arith::ExtSIOp::create(b, type, value);
}

Value fusion::narrowScalar(ImplicitLocOpBuilder &b, Value value, Type type,
                           bool marked) {
  if (value.getType() == type) {
    return value;
  }
  auto rounded = arith::TruncFOp::create(b, type, value);
  if (marked) {
    rounded->setDiscardableAttr(FusionDialect::kRoundingAttr, b.getUnitAttr());
  }
  return rounded;
}

SmallVector<OpFoldResult> fusion::getShape(ImplicitLocOpBuilder &b,
                                           Value original, Value converted) {
  if (auto reshape = original.getDefiningOp<ReshapeOp>()) {
    return getMixedValues(reshape.getResult().getType().getShape(),
                          reshape.getSizes(), b);
  }
  return tensor::getMixedSizes(b, b.getLoc(), converted);
}

Value fusion::makeEmpty(ImplicitLocOpBuilder &b, ArrayRef<OpFoldResult> shape,
                        Type elementType) {
  return tensor::EmptyOp::create(b, shape, elementType);
}

Value fusion::makeFilled(ImplicitLocOpBuilder &b, ArrayRef<OpFoldResult> shape,
                         Value value) {
  Value empty = makeEmpty(b, shape, value.getType());
  return linalg::FillOp::create(b, value, empty).getResult(0);
}

Value fusion::makeParallel(ImplicitLocOpBuilder &b, ValueRange inputs,
                           ArrayRef<AffineMap> maps,
                           ArrayRef<OpFoldResult> shape, Type elementType,
                           ScalarFunction body) {
  AffineMap identity = b.getMultiDimIdentityMap(shape.size());
  SmallVector<AffineMap> allMaps(maps);
  if (maps.empty()) {
    allMaps.append(inputs.size(), identity);
  }
  allMaps.push_back(identity);
  SmallVector<utils::IteratorType> iterators(shape.size(),
                                             utils::IteratorType::parallel);
  Value empty = makeEmpty(b, shape, elementType);
  auto generic = linalg::GenericOp::create(
      b, empty.getType(), inputs, empty, allMaps, iterators,
      [&](OpBuilder &nested, Location loc, ValueRange args) {
        ImplicitLocOpBuilder inner(loc, nested);
        Value result = body(inner, args.drop_back());
        linalg::YieldOp::create(inner, result);
      });
  return generic.getResult(0);
}

Value fusion::makeReduction(ImplicitLocOpBuilder &b, ValueRange inputs,
                            ArrayRef<AffineMap> maps,
                            ArrayRef<utils::IteratorType> iterators,
                            ArrayRef<OpFoldResult> shape, TypedAttr identity,
                            ScalarFunction value, ScalarCombiner combine) {
  Value init = makeFilled(b, shape, arith::ConstantOp::create(b, identity));
  // A loop that never runs cannot be tiled.
  for (auto [input, map] : llvm::zip(inputs, maps)) {
    ArrayRef<int64_t> sizes =
        cast<RankedTensorType>(input.getType()).getShape();
    for (auto [expr, size] : llvm::zip_equal(map.getResults(), sizes)) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (size == 0 && loop &&
          iterators[loop.getPosition()] == utils::IteratorType::reduction) {
        return init;
      }
    }
  }
  auto generic = linalg::GenericOp::create(
      b, init.getType(), inputs, init, maps, iterators,
      [&](OpBuilder &nested, Location loc, ValueRange args) {
        ImplicitLocOpBuilder inner(loc, nested);
        Value element = value(inner, args.drop_back());
        Value combined = combine(inner, args.back(), element);
        linalg::YieldOp::create(inner, combined);
      });
  return generic.getResult(0);
}

Value fusion::narrowTensor(ImplicitLocOpBuilder &b, Value value,
                           Type elementType) {
  if (getElementTypeOrSelf(value) == elementType) {
    return value;
  }
  return makeParallel(b, value, {}, tensor::getMixedSizes(b, b.getLoc(), value),
                      elementType,
                      [&](ImplicitLocOpBuilder &inner, ValueRange args) {
                        return narrowScalar(inner, args[0], elementType);
                      });
}
