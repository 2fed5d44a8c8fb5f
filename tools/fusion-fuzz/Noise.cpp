//===- Noise.cpp - small numbers that a graph makes up --------------------===//

#include "Noise.h"
#include "fusion/Dialect/Fusion/IR/Fusion.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::fuzz;

Value fuzz::makeBroadcast(OpBuilder &builder, Location loc, Value scalar,
                          Value like) {
  return BroadcastOp::create(builder, loc, scalar,
                             tensor::getMixedSizes(builder, loc, like),
                             ArrayRef<int64_t>());
}

Value fuzz::makeSplat(OpBuilder &builder, Location loc, double number,
                      Value like) {
  Type element = getElementTypeOrSelf(like);
  auto type = RankedTensorType::get({}, element);
  APFloat value = builder.getFloatAttr(element, number).getValue();
  Value constant =
      ConstantOp::create(builder, loc, DenseElementsAttr::get(type, value));
  return makeBroadcast(builder, loc, constant, like);
}

Noise::Noise(func::FuncOp entry, Value phase) : entry(entry), phase(phase) {
  OpBuilder builder = OpBuilder::atBlockBegin(&entry.getBody().front());
  Location loc = entry.getLoc();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  anything = makeSplat(builder, loc, std::nan(""), phase);
  // From these phases on.
  for (auto [from, number] :
       {std::pair(3.1, 1.0), std::pair(3.6, infinity), std::pair(4.1, -1.0),
        std::pair(4.5, -infinity), std::pair(5.0, 1.0)}) {
    Value isLater = CompareOp::create(builder, loc, ComparePredicate::gt, phase,
                                      makeSplat(builder, loc, from, phase));
    anything =
        SelectOp::create(builder, loc, isLater,
                         makeSplat(builder, loc, number, phase), anything);
  }
  Value beyond = SubOp::create(builder, loc, phase,
                               makeSplat(builder, loc, kCoherent, phase));
  spread =
      MaxOp::create(builder, loc, beyond, makeSplat(builder, loc, 0, phase));
}

/// A multiple of the index along each dim, added up, times how much positions
/// count.
Value Noise::makePositions(OpBuilder &builder, Location loc, Value like) {
  auto type = cast<RankedTensorType>(like.getType());
  Type f32 = builder.getF32Type();
  Value sum;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (type.getDimSize(dim) == 1) {
      continue;
    }
    Value index = IotaOp::create(
        builder, loc, f32, tensor::getMixedSizes(builder, loc, like), dim);
    auto step = 12.9898 + 33.7316 * static_cast<double>(dim);
    index = MulOp::create(builder, loc, index,
                          makeSplat(builder, loc, step, index));
    sum = sum ? Value(AddOp::create(builder, loc, sum, index)) : index;
  }
  return sum ? Value(MulOp::create(builder, loc, sum,
                                   makeBroadcast(builder, loc, spread, sum)))
             : Value();
}

Value Noise::getPositions(OpBuilder &builder, Location loc, Value like) {
  auto type = cast<RankedTensorType>(like.getType());
  if (!type.hasStaticShape()) {
    return makePositions(builder, loc, like);
  }
  auto [found, isNew] =
      positions.try_emplace(type.clone(builder.getF32Type()), Value());
  if (isNew) {
    OpBuilder first = OpBuilder(builder.getContext());
    first.setInsertionPointAfterValue(spread);
    Value sizes = tensor::EmptyOp::create(first, loc, type.getShape(),
                                          builder.getF32Type());
    found->second = makePositions(first, loc, sizes);
  }
  return found->second;
}

Value Noise::get(OpBuilder &builder, Location loc, Value result,
                 int64_t number) {
  // In f64 the part behind the point still depends on every bit of a float.
  Type f64 = builder.getF64Type();
  auto widen = [&](Value value) {
    return getElementTypeOrSelf(value) == f64
               ? value
               : Value(CastOp::create(builder, loc, value, f64));
  };
  Value angle = widen(result);
  auto splat = [&](double value) {
    return makeSplat(builder, loc, value, angle);
  };
  constexpr double kMost = 0x1p20;
  auto turn = static_cast<double>(number % 61);
  angle = MinOp::create(builder, loc, angle, splat(kMost));
  angle = MaxOp::create(builder, loc, angle, splat(-kMost));
  angle = MulOp::create(builder, loc, angle, splat(7.91937e7 + 3.14e5 * turn));
  angle = AddOp::create(builder, loc, angle, splat(1 + 2.3 * turn));
  Value own = makeBroadcast(builder, loc, widen(phase), angle);
  angle = MulOp::create(builder, loc, angle, own);
  if (Value where = getPositions(builder, loc, result)) {
    angle = AddOp::create(builder, loc, angle, widen(where));
  }
  Value whole = FloorOp::create(builder, loc, angle);
  Value part = SubOp::create(builder, loc, angle, whole);
  Value noise = MulOp::create(builder, loc, part, splat(2 * kLargest));
  noise = SubOp::create(builder, loc, noise, splat(kLargest));
  Type wide = getElementTypeOrSelf(result);
  return wide == f64 ? noise : Value(CastOp::create(builder, loc, noise, wide));
}
