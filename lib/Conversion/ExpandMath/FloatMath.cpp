//===- FloatMath.cpp - writes floating-point formulas ---------------------===//

#include "FloatMath.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::fusion;

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

Type FloatMath::withElement(Type element) const {
  if (auto shaped = dyn_cast<ShapedType>(like)) {
    return shaped.clone(element);
  }
  return element;
}

TypedAttr FloatMath::splat(Type type, TypedAttr value) const {
  if (auto shaped = dyn_cast<ShapedType>(type)) {
    return DenseElementsAttr::get(shaped, ArrayRef<Attribute>(value));
  }
  return value;
}

static Value makeConstant(OpBuilder &b, Location loc, TypedAttr value) {
  return arith::ConstantOp::create(b, loc, value);
}

Value FloatMath::constant(double value) {
  return makeConstant(
      b, loc, splat(withElement(b.getF32Type()), b.getF32FloatAttr(value)));
}

Value FloatMath::constantLike(Value to, double value) {
  Type element = getElementTypeOrSelf(to.getType());
  return makeConstant(b, loc,
                      splat(to.getType(), b.getFloatAttr(element, value)));
}

Value FloatMath::integer(int64_t value) {
  return makeConstant(b, loc,
                      splat(withElement(b.getI32Type()),
                            b.getI32IntegerAttr(static_cast<int32_t>(value))));
}

Value FloatMath::integerLike(Value to, int64_t value) {
  Type element = getElementTypeOrSelf(to.getType());
  APInt number(element.getIntOrFloatBitWidth(), value, /*isSigned=*/true,
               /*implicitTrunc=*/true);
  return makeConstant(b, loc,
                      splat(to.getType(), b.getIntegerAttr(element, number)));
}

Value FloatMath::infinity() {
  return constant(std::numeric_limits<double>::infinity());
}

Value FloatMath::nan() {
  return constant(std::numeric_limits<double>::quiet_NaN());
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

Value FloatMath::add(Value x, Value y) {
  return arith::AddFOp::create(b, loc, x, y);
}
Value FloatMath::sub(Value x, Value y) {
  return arith::SubFOp::create(b, loc, x, y);
}
Value FloatMath::mul(Value x, Value y) {
  return arith::MulFOp::create(b, loc, x, y);
}
Value FloatMath::div(Value x, Value y) {
  return arith::DivFOp::create(b, loc, x, y);
}
Value FloatMath::fma(Value x, Value y, Value z) {
  return math::FmaOp::create(b, loc, x, y, z);
}
Value FloatMath::neg(Value x) { return arith::NegFOp::create(b, loc, x); }
Value FloatMath::abs(Value x) { return math::AbsFOp::create(b, loc, x); }
Value FloatMath::sqrt(Value x) { return math::SqrtOp::create(b, loc, x); }
Value FloatMath::trunc(Value x) { return math::TruncOp::create(b, loc, x); }
Value FloatMath::copysign(Value magnitude, Value sign) {
  return math::CopySignOp::create(b, loc, magnitude, sign);
}

Value FloatMath::less(Value x, Value y) {
  return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLT, x, y);
}
Value FloatMath::lessEqual(Value x, Value y) {
  return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLE, x, y);
}
Value FloatMath::equal(Value x, Value y) {
  return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, x, y);
}
Value FloatMath::differs(Value x, Value y) {
  return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNE, x, y);
}
Value FloatMath::both(Value x, Value y) {
  return arith::AndIOp::create(b, loc, x, y);
}
Value FloatMath::either(Value x, Value y) {
  return arith::OrIOp::create(b, loc, x, y);
}
Value FloatMath::select(Value condition, Value x, Value y) {
  return arith::SelectOp::create(b, loc, condition, x, y);
}

Value FloatMath::atMost(Value x, double high) {
  Value highest = constantLike(x, high);
  // One instruction on the GPU, several on the CPU.
  return target.hardwareExp
             ? arith::MinimumFOp::create(b, loc, x, highest).getResult()
             : select(less(highest, x), highest, x);
}

Value FloatMath::clamp(Value x, double low, double high) {
  Value lowest = constantLike(x, low);
  x = target.hardwareExp
          ? arith::MaximumFOp::create(b, loc, x, lowest).getResult()
          : select(less(x, lowest), lowest, x);
  return atMost(x, high);
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

Value FloatMath::bits(Value x) {
  Type element = getElementTypeOrSelf(x.getType());
  Type integer = b.getIntegerType(element.getIntOrFloatBitWidth());
  return arith::BitcastOp::create(b, loc, withElement(integer), x);
}
Value FloatMath::fromBits(Value x) {
  bool wide = getElementTypeOrSelf(x.getType()).isInteger(64);
  Type element = wide ? Type(b.getF64Type()) : Type(b.getF32Type());
  return arith::BitcastOp::create(b, loc, withElement(element), x);
}
Value FloatMath::addInt(Value x, Value y) {
  return arith::AddIOp::create(b, loc, x, y);
}
Value FloatMath::subInt(Value x, Value y) {
  return arith::SubIOp::create(b, loc, x, y);
}
Value FloatMath::andInt(Value x, Value y) {
  return arith::AndIOp::create(b, loc, x, y);
}
Value FloatMath::orInt(Value x, Value y) {
  return arith::OrIOp::create(b, loc, x, y);
}
Value FloatMath::xorInt(Value x, Value y) {
  return arith::XOrIOp::create(b, loc, x, y);
}
Value FloatMath::mulInt(Value x, Value y) {
  return arith::MulIOp::create(b, loc, x, y);
}
Value FloatMath::remainderUnsigned(Value x, Value y) {
  return arith::RemUIOp::create(b, loc, x, y);
}
Value FloatMath::divideUnsigned(Value x, Value y) {
  return arith::DivUIOp::create(b, loc, x, y);
}
Value FloatMath::repeat(Value count, Value init,
                        llvm::function_ref<Value(Value)> body) {
  auto loop = scf::ForOp::create(b, loc, integerLike(count, 0), count,
                                 integerLike(count, 1), init);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  scf::YieldOp::create(b, loc, body(loop.getRegionIterArg(0)));
  return loop.getResult(0);
}
Value FloatMath::shiftLeft(Value x, int64_t by) {
  return shiftLeft(x, integerLike(x, by));
}
Value FloatMath::shiftRight(Value x, int64_t by) {
  return shiftRight(x, integerLike(x, by));
}
Value FloatMath::shiftRightSigned(Value x, int64_t by) {
  return arith::ShRSIOp::create(b, loc, x, integerLike(x, by));
}
Value FloatMath::shiftLeft(Value x, Value by) {
  return arith::ShLIOp::create(b, loc, x, by);
}
Value FloatMath::shiftRight(Value x, Value by) {
  return arith::ShRUIOp::create(b, loc, x, by);
}
Value FloatMath::equalInt(Value x, Value y) {
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, x, y);
}
Value FloatMath::toFloat(Value integer) {
  return arith::SIToFPOp::create(b, loc, withElement(b.getF32Type()), integer);
}
Value FloatMath::toWideFloat(Value integer) {
  return arith::SIToFPOp::create(b, loc, withElement(b.getF64Type()), integer);
}
Value FloatMath::widen(Value x) {
  return arith::ExtFOp::create(b, loc, withElement(b.getF64Type()), x);
}
Value FloatMath::narrow(Value x) {
  return arith::TruncFOp::create(b, loc, withElement(b.getF32Type()), x);
}
Value FloatMath::widenUnsigned(Value x) {
  return arith::ExtUIOp::create(b, loc, withElement(b.getI64Type()), x);
}
Value FloatMath::narrowInt(Value x) {
  return arith::TruncIOp::create(b, loc, withElement(b.getI32Type()), x);
}

//===----------------------------------------------------------------------===//
// Formulas
//===----------------------------------------------------------------------===//

Value FloatMath::polynomial(Value x, ArrayRef<double> c) {
  Value sum = constantLike(x, c.back());
  for (double coefficient : llvm::reverse(c.drop_back())) {
    sum = fma(sum, x, constantLike(x, coefficient));
  }
  return sum;
}

Value FloatMath::oddPolynomial(Value x, ArrayRef<double> c) {
  Value square = mul(x, x);
  Value cube = mul(square, x);
  return fma(cube, polynomial(square, c), x);
}

Value FloatMath::powerOfTwo(Value n) {
  return fromBits(shiftLeft(addInt(n, integer(127)), 23));
}

Value FloatMath::scale(Value x, Value n) {
  Value half = shiftRightSigned(n, 1);
  Value rest = subInt(n, half);
  return mul(mul(x, powerOfTwo(half)), powerOfTwo(rest));
}

std::pair<Value, Value> FloatMath::roundToInteger(Value x) {
  // Adding 1.5 * 2^23 leaves the integer in the low bits of the sum.
  constexpr double shifter = 12582912.0;
  Value shifted = add(x, constant(shifter));
  Value rounded = sub(shifted, constant(shifter));
  Value number = subInt(bits(shifted), integer(0x4B400000));
  return {rounded, number};
}

Value FloatMath::callIntrinsic(StringRef name, Value x) {
  auto call = [&](Value scalar) -> Value {
    return LLVM::CallIntrinsicOp::create(b, loc, b.getF32Type(),
                                         b.getStringAttr(name),
                                         ValueRange{scalar})
        .getResult(0);
  };
  auto type = dyn_cast<VectorType>(x.getType());
  if (!type) {
    return call(x);
  }
  SmallVector<Value> elements;
  for (Value element : vector::ToElementsOp::create(b, loc, x).getResults()) {
    elements.push_back(call(element));
  }
  return vector::FromElementsOp::create(b, loc, type, elements);
}

Value FloatMath::hardwareExp2(Value x, bool denormals) {
  return callIntrinsic(denormals ? "llvm.nvvm.ex2.approx.f32"
                                 : "llvm.nvvm.ex2.approx.ftz.f32",
                       x);
}

Value FloatMath::hardwareReciprocal(Value x) {
  return callIntrinsic("llvm.nvvm.rcp.approx.ftz.f", x);
}
