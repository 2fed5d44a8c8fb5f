//===- ExpandMath.cpp - math functions into arithmetic --------------------===//

#include "fusion/Conversion/ExpandMath/ExpandMath.h"
#include "DoubleMath.h"
#include "fusion/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::fusion {
#define GEN_PASS_DEF_EXPANDMATH
#include "fusion/Conversion/Passes.h.inc"
} // namespace mlir::fusion

using namespace mlir;
using namespace mlir::fusion;

using UnaryExpansion = Value (*)(FloatMath &, Value);
using BinaryExpansion = Value (*)(FloatMath &, Value, Value);

/// Names an op to a generic lambda.
template <typename Op> struct Tag {
  using type = Op;
};

/// The type with f32 elements.
static Type getSingle(Type type) {
  Type f32 = Float32Type::get(type.getContext());
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped ? Type(shaped.clone(f32)) : f32;
}

/// Whether the values are f32 or narrower, scalars or vectors.
static bool isExpandable(Type type) {
  Type element = getElementTypeOrSelf(type);
  bool isShape = type == element || isa<VectorType>(type);
  return isShape && (element.isF32() || element.isF16() || element.isBF16());
}

/// Replaces `op` by what `expand` makes of its operands as f32.
static LogicalResult
rewriteInSingle(Operation *op, PatternRewriter &rewriter,
                function_ref<Value(FloatMath &, ValueRange)> expand,
                ExpandMathTarget target) {
  Type type = op->getResult(0).getType();
  if (!isExpandable(type)) {
    return rewriter.notifyMatchFailure(op, "not f32, f16 or bf16 on a thread");
  }
  Type single = getSingle(type);
  SmallVector<Value> operands(op->getOperands());
  if (type != single) {
    for (Value &operand : operands) {
      operand = arith::ExtFOp::create(rewriter, op->getLoc(), single, operand);
    }
  }
  FloatMath m(rewriter, op->getLoc(), single, target);
  Value result = expand(m, operands);
  if (type != single) {
    result = arith::TruncFOp::create(rewriter, op->getLoc(), type, result);
  }
  rewriter.replaceOp(op, result);
  return success();
}

/// Replaces `op` on f64 by what `expand` makes of its operands.
static LogicalResult
rewriteInDouble(Operation *op, PatternRewriter &rewriter,
                function_ref<Value(FloatMath &, ValueRange)> expand) {
  Type type = op->getResult(0).getType();
  bool isShape = isa<FloatType, VectorType>(type);
  if (!isShape || !getElementTypeOrSelf(type).isF64()) {
    return rewriter.notifyMatchFailure(op, "not f64 on a thread");
  }
  FloatMath m(rewriter, op->getLoc(), getSingle(type), {});
  rewriter.replaceOp(op, expand(m, op->getOperands()));
  return success();
}

namespace {
template <typename Op> struct ExpandDouble : OpRewritePattern<Op> {
  ExpandDouble(MLIRContext *context, UnaryExpansion expand)
      : OpRewritePattern<Op>(context), expand(expand) {}

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    return rewriteInDouble(op, rewriter, [&](FloatMath &m, ValueRange x) {
      return expand(m, x[0]);
    });
  }

  UnaryExpansion expand;
};

template <typename Op> struct ExpandDoubleBinary : OpRewritePattern<Op> {
  ExpandDoubleBinary(MLIRContext *context, BinaryExpansion expand)
      : OpRewritePattern<Op>(context), expand(expand) {}

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    if (isa<arith::RemFOp>(op.getOperation()) &&
        isa<VectorType>(op.getType())) {
      return rewriter.notifyMatchFailure(op, "a loop for each element");
    }
    return rewriteInDouble(op, rewriter, [&](FloatMath &m, ValueRange x) {
      return expand(m, x[0], x[1]);
    });
  }

  BinaryExpansion expand;
};

template <typename Op> struct ExpandUnary : OpRewritePattern<Op> {
  ExpandUnary(MLIRContext *context, UnaryExpansion expand,
              ExpandMathTarget target)
      : OpRewritePattern<Op>(context), expand(expand), target(target) {}

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    auto apply = [&](FloatMath &m, ValueRange x) { return expand(m, x[0]); };
    return rewriteInSingle(op, rewriter, apply, target);
  }

  UnaryExpansion expand;
  ExpandMathTarget target;
};

template <typename Op> struct ExpandBinary : OpRewritePattern<Op> {
  ExpandBinary(MLIRContext *context, BinaryExpansion expand,
               ExpandMathTarget target)
      : OpRewritePattern<Op>(context), expand(expand), target(target) {}

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    auto apply = [&](FloatMath &m, ValueRange x) {
      return expand(m, x[0], x[1]);
    };
    return rewriteInSingle(op, rewriter, apply, target);
  }

  BinaryExpansion expand;
  ExpandMathTarget target;
};

/// Whether `value` is 1 or -1, everywhere.
static bool isUnit(Value value) {
  FloatAttr scalar;
  SplatElementsAttr splat;
  if (matchPattern(value, m_Constant(&splat))) {
    scalar = splat.getSplatValue<FloatAttr>();
  } else if (!matchPattern(value, m_Constant(&scalar))) {
    return false;
  }
  return std::abs(scalar.getValueAsDouble()) == 1.0;
}

/// An erf that is only added to 1 (gelu): its absolute error counts.
struct ExpandErfBesideOne : OpRewritePattern<math::ErfOp> {
  ExpandErfBesideOne(MLIRContext *context, ExpandMathTarget target)
      : OpRewritePattern(context, /*benefit=*/2), target(target) {}

  LogicalResult matchAndRewrite(math::ErfOp op,
                                PatternRewriter &rewriter) const override {
    bool besideOne = llvm::all_of(op->getUsers(), [](Operation *user) {
      return isa<arith::AddFOp, arith::SubFOp>(user) &&
             llvm::any_of(user->getOperands(), isUnit);
    });
    if (!besideOne || !getElementTypeOrSelf(op.getType()).isF32()) {
      return rewriter.notifyMatchFailure(op, "its relative error counts");
    }
    auto apply = [](FloatMath &m, ValueRange x) {
      return expandErfBesideOne(m, x[0]);
    };
    return rewriteInSingle(op, rewriter, apply, target);
  }

  ExpandMathTarget target;
};

/// An exp that may be approximated (`fastmath<afn>`): by the GPU's 2^x alone.
struct ExpandApproximateExp : OpRewritePattern<math::ExpOp> {
  ExpandApproximateExp(MLIRContext *context, ExpandMathTarget target)
      : OpRewritePattern(context, /*benefit=*/2), target(target) {}

  LogicalResult matchAndRewrite(math::ExpOp op,
                                PatternRewriter &rewriter) const override {
    if (!arith::bitEnumContainsAll(op.getFastmath(),
                                   arith::FastMathFlags::afn)) {
      return rewriter.notifyMatchFailure(op, "every bit of it counts");
    }
    auto apply = [](FloatMath &m, ValueRange x) {
      return expandApproximateExp(m, x[0]);
    };
    return rewriteInSingle(op, rewriter, apply, target);
  }

  ExpandMathTarget target;
};

/// Computes a function that f32 has on halves: widen, apply, round.
template <typename Op> struct WidenHalves : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    if (getElementTypeOrSelf(op.getType()).isF32()) {
      return rewriter.notifyMatchFailure(op, "already f32");
    }
    auto apply = [&](FloatMath &, ValueRange x) -> Value {
      return Op::create(rewriter, op.getLoc(), x[0]);
    };
    return rewriteInSingle(op, rewriter, apply, {});
  }
};
} // namespace

static void populateExpandDoublePatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  auto unary = [&](auto tag, UnaryExpansion expand) {
    using Op = typename decltype(tag)::type;
    patterns.add<ExpandDouble<Op>>(context, expand);
  };
  auto binary = [&](auto tag, BinaryExpansion expand) {
    using Op = typename decltype(tag)::type;
    patterns.add<ExpandDoubleBinary<Op>>(context, expand);
  };
  unary(Tag<math::ExpOp>(), f64::expandExp);
  unary(Tag<math::Exp2Op>(), f64::expandExp2);
  unary(Tag<math::LogOp>(), f64::expandLog);
  unary(Tag<math::Log2Op>(), f64::expandLog2);
  unary(Tag<math::Log10Op>(), f64::expandLog10);
  unary(Tag<math::TanhOp>(), f64::expandTanh);
  unary(Tag<math::SinhOp>(), f64::expandSinh);
  unary(Tag<math::CoshOp>(), f64::expandCosh);
  unary(Tag<math::AsinhOp>(), f64::expandAsinh);
  unary(Tag<math::AcoshOp>(), f64::expandAcosh);
  unary(Tag<math::AtanhOp>(), f64::expandAtanh);
  unary(Tag<math::ErfOp>(), f64::expandErf);
  unary(Tag<math::ErfcOp>(), f64::expandErfc);
  unary(Tag<math::SinOp>(), f64::expandSin);
  unary(Tag<math::CosOp>(), f64::expandCos);
  unary(Tag<math::TanOp>(), f64::expandTan);
  unary(Tag<math::AsinOp>(), f64::expandAsin);
  unary(Tag<math::AcosOp>(), f64::expandAcos);
  unary(Tag<math::AtanOp>(), f64::expandAtan);
  unary(Tag<math::CbrtOp>(), f64::expandCbrt);
  binary(Tag<math::Atan2Op>(), f64::expandAtan2);
  binary(Tag<arith::RemFOp>(), f64::expandRemainder);
}

void fusion::populateExpandMathPatterns(RewritePatternSet &patterns,
                                        bool hardwareExp, bool expandF64) {
  MLIRContext *context = patterns.getContext();
  // Also for devices with a library: MLIR would make log(1 + x) and exp(x) - 1
  // of these, which are 0 for the smallest x.
  patterns.add<ExpandDouble<math::ExpM1Op>>(context, f64::expandExpM1);
  patterns.add<ExpandDouble<math::Log1pOp>>(context, f64::expandLog1p);
  // And LLVM calls exp2, exp10 or none for powers of constants, which have
  // other last bits than the same powers of what is in memory.
  patterns.add<ExpandDoubleBinary<math::PowFOp>>(context, f64::expandPow);
  patterns.add<ExpandDouble<math::RoundOp>>(context, expandRound);
  populateNumberClassPatterns(patterns);
  if (expandF64) {
    populateExpandDoublePatterns(patterns);
  }
  ExpandMathTarget target{hardwareExp};
  if (target.hardwareExp) {
    patterns.add<ExpandErfBesideOne, ExpandApproximateExp>(context, target);
  }
  auto unary = [&](auto tag, UnaryExpansion expand) {
    using Op = typename decltype(tag)::type;
    patterns.add<ExpandUnary<Op>>(context, expand, target);
  };
  auto binary = [&](auto tag, BinaryExpansion expand) {
    using Op = typename decltype(tag)::type;
    patterns.add<ExpandBinary<Op>>(context, expand, target);
  };
  unary(Tag<math::ExpOp>(), expandExp);
  unary(Tag<math::Exp2Op>(), expandExp2);
  unary(Tag<math::ExpM1Op>(), expandExpM1);
  unary(Tag<math::LogOp>(), expandLog);
  unary(Tag<math::Log2Op>(), expandLog2);
  unary(Tag<math::Log10Op>(), expandLog10);
  unary(Tag<math::Log1pOp>(), expandLog1p);
  unary(Tag<math::RoundOp>(), expandRound);
  unary(Tag<math::TanhOp>(), expandTanh);
  unary(Tag<math::SinhOp>(), expandSinh);
  unary(Tag<math::CoshOp>(), expandCosh);
  unary(Tag<math::AsinhOp>(), expandAsinh);
  unary(Tag<math::AcoshOp>(), expandAcosh);
  unary(Tag<math::AtanhOp>(), expandAtanh);
  unary(Tag<math::ErfOp>(), expandErf);
  unary(Tag<math::ErfcOp>(), expandErfc);
  unary(Tag<math::SinOp>(), expandSin);
  unary(Tag<math::CosOp>(), expandCos);
  unary(Tag<math::TanOp>(), expandTan);
  unary(Tag<math::AsinOp>(), expandAsin);
  unary(Tag<math::AcosOp>(), expandAcos);
  unary(Tag<math::AtanOp>(), expandAtan);
  unary(Tag<math::CbrtOp>(), expandCbrt);
  binary(Tag<math::Atan2Op>(), expandAtan2);
  binary(Tag<math::PowFOp>(), expandPow);
  binary(Tag<arith::RemFOp>(), expandRemainder);
  patterns.add<WidenHalves<math::SqrtOp>, WidenHalves<math::RsqrtOp>,
               WidenHalves<math::CeilOp>, WidenHalves<math::FloorOp>,
               WidenHalves<math::TruncOp>, WidenHalves<math::RoundEvenOp>>(
      context);
}

namespace {
struct ExpandMath : fusion::impl::ExpandMathBase<ExpandMath> {
  using ExpandMathBase::ExpandMathBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateExpandMathPatterns(patterns, hardwareExp, expandF64);
    arith::populateCeilFloorDivExpandOpsPatterns(patterns);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace
