//===- Elementwise.cpp - elementwise operations to linalg -----------------===//
//
// Each operation has one `emit`: the scalar code of an element, in the type of
// the computation (f32 for f16 and bf16). The pattern around it does the rest.
// An addition is an `emit` and a line in `populateElementwisePatterns`.
//
//===----------------------------------------------------------------------===//

#include "LinalgBuilder.h"
#include "ScalarCast.h"
#include "fusion/Dialect/Fusion/IR/Fusion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {

/// Builds scalar code whose operands have one element type.
class Scalars : public ImplicitLocOpBuilder {
public:
  /// `element`: the operands' type in the graph (it has the signedness).
  Scalars(ImplicitLocOpBuilder &b, Type element)
      : ImplicitLocOpBuilder(b), type(getComputeType(element)),
        isFloat(isa<FloatType>(element)),
        isUnsigned(isUnsignedElement(element)) {}

  /// A constant of the operands' type; for integers `value` is one.
  Value constant(double value) {
    TypedAttr attr = isFloat
                         ? TypedAttr(getFloatAttr(type, value))
                         : getIntegerAttr(type, static_cast<int64_t>(value));
    return arith::ConstantOp::create(*this, attr);
  }

  /// The operation for the kind of the operands.
  template <typename FloatOp, typename SignedOp, typename UnsignedOp = SignedOp>
  Value pick(Value x, Value y) {
    if (isFloat) {
      return FloatOp::create(*this, x, y);
    }
    return isUnsigned ? UnsignedOp::create(*this, x, y).getResult()
                      : SignedOp::create(*this, x, y).getResult();
  }

  Value add(Value x, Value y) {
    return pick<arith::AddFOp, arith::AddIOp>(x, y);
  }
  Value sub(Value x, Value y) {
    return pick<arith::SubFOp, arith::SubIOp>(x, y);
  }
  Value mul(Value x, Value y) {
    return pick<arith::MulFOp, arith::MulIOp>(x, y);
  }
  Value min(Value x, Value y) {
    return pick<arith::MinimumFOp, arith::MinSIOp, arith::MinUIOp>(x, y);
  }
  Value max(Value x, Value y) {
    return pick<arith::MaximumFOp, arith::MaxSIOp, arith::MaxUIOp>(x, y);
  }
  Value select(Value condition, Value x, Value y) {
    return arith::SelectOp::create(*this, condition, x, y);
  }
  Value compare(ComparePredicate predicate, Value x, Value y);

  Type type;
  bool isFloat;
  bool isUnsigned;
};

arith::CmpFPredicate getFloatPredicate(ComparePredicate predicate) {
  switch (predicate) {
  case ComparePredicate::eq:
    return arith::CmpFPredicate::OEQ;
  case ComparePredicate::ne:
    return arith::CmpFPredicate::UNE;
  case ComparePredicate::lt:
    return arith::CmpFPredicate::OLT;
  case ComparePredicate::le:
    return arith::CmpFPredicate::OLE;
  case ComparePredicate::gt:
    return arith::CmpFPredicate::OGT;
  case ComparePredicate::ge:
    return arith::CmpFPredicate::OGE;
  }
  llvm_unreachable("all predicates are handled");
}

arith::CmpIPredicate getIntPredicate(ComparePredicate predicate,
                                     bool isUnsigned) {
  using Predicate = arith::CmpIPredicate;
  switch (predicate) {
  case ComparePredicate::eq:
    return Predicate::eq;
  case ComparePredicate::ne:
    return Predicate::ne;
  case ComparePredicate::lt:
    return isUnsigned ? Predicate::ult : Predicate::slt;
  case ComparePredicate::le:
    return isUnsigned ? Predicate::ule : Predicate::sle;
  case ComparePredicate::gt:
    return isUnsigned ? Predicate::ugt : Predicate::sgt;
  case ComparePredicate::ge:
    return isUnsigned ? Predicate::uge : Predicate::sge;
  }
  llvm_unreachable("all predicates are handled");
}

Value Scalars::compare(ComparePredicate predicate, Value x, Value y) {
  if (isFloat) {
    return arith::CmpFOp::create(*this, getFloatPredicate(predicate), x, y);
  }
  return arith::CmpIOp::create(*this, getIntPredicate(predicate, isUnsigned), x,
                               y);
}

//===----------------------------------------------------------------------===//
// Unary
//===----------------------------------------------------------------------===//

/// An operation that is one of the math dialect.
template <typename MathOp> Value emitMath(Scalars &b, ValueRange x) {
  return MathOp::create(b, x[0]);
}

Value emit(ExpOp, Scalars &b, ValueRange x) {
  return emitMath<math::ExpOp>(b, x);
}
Value emit(LogOp, Scalars &b, ValueRange x) {
  return emitMath<math::LogOp>(b, x);
}
Value emit(SqrtOp, Scalars &b, ValueRange x) {
  return emitMath<math::SqrtOp>(b, x);
}
Value emit(RsqrtOp, Scalars &b, ValueRange x) {
  return emitMath<math::RsqrtOp>(b, x);
}
Value emit(ErfOp, Scalars &b, ValueRange x) {
  return emitMath<math::ErfOp>(b, x);
}
Value emit(TanhOp, Scalars &b, ValueRange x) {
  return emitMath<math::TanhOp>(b, x);
}
Value emit(SinOp, Scalars &b, ValueRange x) {
  return emitMath<math::SinOp>(b, x);
}
Value emit(CosOp, Scalars &b, ValueRange x) {
  return emitMath<math::CosOp>(b, x);
}
Value emit(TanOp, Scalars &b, ValueRange x) {
  return emitMath<math::TanOp>(b, x);
}
Value emit(AsinOp, Scalars &b, ValueRange x) {
  return emitMath<math::AsinOp>(b, x);
}
Value emit(AcosOp, Scalars &b, ValueRange x) {
  return emitMath<math::AcosOp>(b, x);
}
Value emit(AtanOp, Scalars &b, ValueRange x) {
  return emitMath<math::AtanOp>(b, x);
}
Value emit(SinhOp, Scalars &b, ValueRange x) {
  return emitMath<math::SinhOp>(b, x);
}
Value emit(CoshOp, Scalars &b, ValueRange x) {
  return emitMath<math::CoshOp>(b, x);
}
Value emit(AsinhOp, Scalars &b, ValueRange x) {
  return emitMath<math::AsinhOp>(b, x);
}
Value emit(AcoshOp, Scalars &b, ValueRange x) {
  return emitMath<math::AcoshOp>(b, x);
}
Value emit(AtanhOp, Scalars &b, ValueRange x) {
  return emitMath<math::AtanhOp>(b, x);
}
Value emit(ExpM1Op, Scalars &b, ValueRange x) {
  return emitMath<math::ExpM1Op>(b, x);
}
Value emit(Log1pOp, Scalars &b, ValueRange x) {
  return emitMath<math::Log1pOp>(b, x);
}
Value emit(FloorOp, Scalars &b, ValueRange x) {
  return emitMath<math::FloorOp>(b, x);
}
Value emit(CeilOp, Scalars &b, ValueRange x) {
  return emitMath<math::CeilOp>(b, x);
}
Value emit(RoundOp, Scalars &b, ValueRange x) {
  return emitMath<math::RoundEvenOp>(b, x);
}

Value emit(NegOp, Scalars &b, ValueRange x) {
  if (b.isFloat) {
    return arith::NegFOp::create(b, x[0]);
  }
  return b.sub(b.constant(0), x[0]);
}

Value emit(AbsOp, Scalars &b, ValueRange x) {
  if (b.isFloat) {
    return math::AbsFOp::create(b, x[0]);
  }
  return b.isUnsigned ? x[0] : b.max(x[0], b.sub(b.constant(0), x[0]));
}

Value emit(SignOp, Scalars &b, ValueRange x) {
  Value zero = b.constant(0);
  Value above = b.compare(ComparePredicate::gt, x[0], zero);
  Value result = b.select(above, b.constant(1), x[0]);
  if (b.isUnsigned) {
    return result;
  }
  Value below = b.compare(ComparePredicate::lt, x[0], zero);
  return b.select(below, b.constant(-1), result);
}

Value emit(ReluOp, Scalars &b, ValueRange x) {
  return b.max(x[0], b.constant(0));
}

Value emit(NotOp, Scalars &b, ValueRange x) {
  return arith::XOrIOp::create(b, x[0], b.constant(-1));
}

Value emit(ReciprocalOp, Scalars &b, ValueRange x) {
  return arith::DivFOp::create(b, b.constant(1), x[0]);
}

/// 1 / (1 + exp(-x))
Value emitSigmoid(Scalars &b, Value x) {
  Value one = b.constant(1);
  Value exp = math::ExpOp::create(b, arith::NegFOp::create(b, x));
  return arith::DivFOp::create(b, one, b.add(one, exp));
}

Value emit(SigmoidOp, Scalars &b, ValueRange x) { return emitSigmoid(b, x[0]); }

Value emit(SiluOp, Scalars &b, ValueRange x) {
  return b.mul(x[0], emitSigmoid(b, x[0]));
}

/// 0.5 * x * (1 + f), where f is an error function or what stands in for it.
Value emit(GeluOp op, Scalars &b, ValueRange args) {
  Value x = args[0];
  Value f;
  if (op.getApproximate() == GeluApproximation::tanh) {
    Value cube = b.mul(b.mul(x, x), x);
    Value sum = b.add(x, b.mul(b.constant(0.044715), cube));
    // sqrt(2 / pi)
    Value scaled = b.mul(b.constant(0.79788456080286535588), sum);
    f = math::TanhOp::create(b, scaled);
  } else {
    // 1 / sqrt(2)
    f = math::ErfOp::create(b, b.mul(x, b.constant(0.70710678118654752440)));
  }
  Value half = b.mul(b.constant(0.5), x);
  return b.mul(half, b.add(b.constant(1), f));
}

//===----------------------------------------------------------------------===//
// Binary
//===----------------------------------------------------------------------===//

Value emit(AddOp, Scalars &b, ValueRange x) { return b.add(x[0], x[1]); }
Value emit(SubOp, Scalars &b, ValueRange x) { return b.sub(x[0], x[1]); }
Value emit(MulOp, Scalars &b, ValueRange x) { return b.mul(x[0], x[1]); }
Value emit(MinOp, Scalars &b, ValueRange x) { return b.min(x[0], x[1]); }
Value emit(MaxOp, Scalars &b, ValueRange x) { return b.max(x[0], x[1]); }
Value emit(PowOp, Scalars &b, ValueRange x) {
  return math::PowFOp::create(b, x[0], x[1]);
}
Value emit(AndOp, Scalars &b, ValueRange x) {
  return arith::AndIOp::create(b, x[0], x[1]);
}
Value emit(OrOp, Scalars &b, ValueRange x) {
  return arith::OrIOp::create(b, x[0], x[1]);
}
Value emit(XorOp, Scalars &b, ValueRange x) {
  return arith::XOrIOp::create(b, x[0], x[1]);
}

/// The result of `shift` where `y` is below the width, else `beyond`. What
/// arith shifts by is always below it.
Value emitShift(Scalars &b, Value y, Value beyond,
                function_ref<Value(Value)> shift) {
  unsigned width = b.type.getIntOrFloatBitWidth();
  Value fits =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ult, y, b.constant(width));
  Value amount = b.select(fits, y, b.constant(0));
  return b.select(fits, shift(amount), beyond);
}

Value emit(ShlOp, Scalars &b, ValueRange x) {
  return emitShift(b, x[1], b.constant(0), [&](Value amount) -> Value {
    return arith::ShLIOp::create(b, x[0], amount);
  });
}

Value emit(ShrOp, Scalars &b, ValueRange x) {
  auto shift = [&](Value amount) {
    return b.pick<arith::DivFOp, arith::ShRSIOp, arith::ShRUIOp>(x[0], amount);
  };
  Value beyond = b.isUnsigned
                     ? b.constant(0)
                     : shift(b.constant(b.type.getIntOrFloatBitWidth() - 1));
  return emitShift(b, x[1], beyond, shift);
}

/// Replaces a divisor of integers that would trap by 1: 0, and -1 where the
/// dividend is the smallest value (which divided by 1 is what we define).
Value makeSafeDivisor(Scalars &b, Value x, Value y, Value isZero) {
  Value unsafe = isZero;
  if (!b.isUnsigned) {
    unsigned width = b.type.getIntOrFloatBitWidth();
    Value least = arith::ConstantOp::create(
        b, b.getIntegerAttr(b.type, APInt::getSignedMinValue(width)));
    Value isLeast = b.compare(ComparePredicate::eq, x, least);
    Value isMinusOne = b.compare(ComparePredicate::eq, y, b.constant(-1));
    Value overflows = arith::AndIOp::create(b, isLeast, isMinusOne);
    unsafe = arith::OrIOp::create(b, isZero, overflows);
  }
  return b.select(unsafe, b.constant(1), y);
}

Value emit(DivOp, Scalars &b, ValueRange x) {
  if (b.isFloat) {
    return arith::DivFOp::create(b, x[0], x[1]);
  }
  Value isZero = b.compare(ComparePredicate::eq, x[1], b.constant(0));
  Value divisor = makeSafeDivisor(b, x[0], x[1], isZero);
  Value quotient =
      b.pick<arith::DivFOp, arith::DivSIOp, arith::DivUIOp>(x[0], divisor);
  return b.select(isZero, b.constant(-1), quotient);
}

Value emit(RemOp, Scalars &b, ValueRange x) {
  if (b.isFloat) {
    return arith::RemFOp::create(b, x[0], x[1]);
  }
  Value isZero = b.compare(ComparePredicate::eq, x[1], b.constant(0));
  Value divisor = makeSafeDivisor(b, x[0], x[1], isZero);
  Value remainder =
      b.pick<arith::RemFOp, arith::RemSIOp, arith::RemUIOp>(x[0], divisor);
  return b.select(isZero, x[0], remainder);
}

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

Value emit(CompareOp op, Scalars &b, ValueRange x) {
  return b.compare(op.getPredicate(), x[0], x[1]);
}
Value emit(SelectOp, Scalars &b, ValueRange x) {
  return b.select(x[0], x[1], x[2]);
}
Value emit(ClampOp, Scalars &b, ValueRange x) {
  return b.min(b.max(x[0], x[1]), x[2]);
}
Value emit(CastOp op, Scalars &b, ValueRange x) {
  return castScalar(b, x[0], getElementTypeOrSelf(op.getInput()),
                    getElementTypeOrSelf(op.getResult()));
}

/// Whether the rounding of the result of `op` is only the graph's type.
bool roundsToGraphType(Operation *op) {
  auto cast = dyn_cast<CastOp>(op);
  return !cast || cast.getRounding();
}

/// One parallel generic: operands widened, `emit`, result rounded.
template <typename Op> struct LowerElementwise : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;

  LogicalResult
  matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    // The last operand: the first one of a select is the condition.
    Type element = getElementTypeOrSelf(op->getOperands().back());
    Type storage = getElementTypeOrSelf(
        this->getTypeConverter()->convertType(op.getResult().getType()));
    SmallVector<OpFoldResult> shape =
        getShape(b, op->getOperands().back(), adaptor.getOperands().back());
    Value result = makeParallel(
        b, adaptor.getOperands(), {}, shape, storage,
        [&](ImplicitLocOpBuilder &inner, ValueRange args) {
          SmallVector<Value> operands;
          for (Value arg : args) {
            Type compute = getComputeType(arg.getType());
            operands.push_back(widenScalar(inner, arg, compute));
          }
          Scalars scalars(inner, element);
          Value value = emit(op, scalars, operands);
          return narrowScalar(inner, value, storage, roundsToGraphType(op));
        });
    rewriter.replaceOp(op, result);
    return success();
  }
};

} // namespace

void fusion::populateElementwisePatterns(const TypeConverter &converter,
                                         RewritePatternSet &patterns) {
  patterns.add<
      // Unary.
      LowerElementwise<AbsOp>, LowerElementwise<AcosOp>,
      LowerElementwise<AcoshOp>, LowerElementwise<AsinOp>,
      LowerElementwise<AsinhOp>, LowerElementwise<AtanOp>,
      LowerElementwise<AtanhOp>, LowerElementwise<CeilOp>,
      LowerElementwise<CosOp>, LowerElementwise<CoshOp>,
      LowerElementwise<ErfOp>, LowerElementwise<ExpM1Op>,
      LowerElementwise<ExpOp>, LowerElementwise<Log1pOp>,
      LowerElementwise<SinhOp>, LowerElementwise<TanOp>,
      LowerElementwise<FloorOp>, LowerElementwise<GeluOp>,
      LowerElementwise<LogOp>, LowerElementwise<NegOp>, LowerElementwise<NotOp>,
      LowerElementwise<ReciprocalOp>, LowerElementwise<ReluOp>,
      LowerElementwise<RoundOp>, LowerElementwise<RsqrtOp>,
      LowerElementwise<SigmoidOp>, LowerElementwise<SignOp>,
      LowerElementwise<SiluOp>, LowerElementwise<SinOp>,
      LowerElementwise<SqrtOp>, LowerElementwise<TanhOp>,
      // Binary.
      LowerElementwise<AddOp>, LowerElementwise<AndOp>, LowerElementwise<DivOp>,
      LowerElementwise<MaxOp>, LowerElementwise<MinOp>, LowerElementwise<MulOp>,
      LowerElementwise<OrOp>, LowerElementwise<PowOp>, LowerElementwise<RemOp>,
      LowerElementwise<ShlOp>, LowerElementwise<ShrOp>, LowerElementwise<SubOp>,
      LowerElementwise<XorOp>,
      // Others.
      LowerElementwise<CastOp>, LowerElementwise<ClampOp>,
      LowerElementwise<CompareOp>, LowerElementwise<SelectOp>>(
      converter, patterns.getContext());
}
