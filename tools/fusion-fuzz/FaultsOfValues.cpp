//===- FaultsOfValues.cpp - wrong constants, operands and roundings -------===//

#include "Faults.h"
#include "fusion/Tile/IR/Tile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::fuzz;

static Type getElement(Operation *op) {
  return op->getNumResults() == 1 ? getElementTypeOrSelf(op->getResult(0))
                                  : Type();
}

static bool isFloat(Operation *op) {
  return isa_and_nonnull<FloatType>(getElement(op));
}

/// Whether `op` computes data, not positions.
static bool isData(Operation *op) {
  Type element = getElement(op);
  return element && (isa<FloatType>(element) || element.isInteger());
}

/// A float everywhere, of the type of `like`.
static Value splat(OpBuilder &builder, double number, Value like) {
  Type element = getElementTypeOrSelf(like);
  TypedAttr attribute = builder.getFloatAttr(element, number);
  if (auto type = dyn_cast<RankedTensorType>(like.getType())) {
    attribute = DenseElementsAttr::get(type, Attribute(attribute));
  }
  return arith::ConstantOp::create(builder, like.getLoc(), attribute);
}

/// Replaces the result of `op` by what `change` makes of it.
static bool
replaceResult(Operation *op,
              llvm::function_ref<Value(OpBuilder &, Value)> change) {
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  Value result = op->getResult(0);
  SmallVector<OpOperand *> uses(llvm::make_pointer_range(result.getUses()));
  Value changed = change(builder, result);
  for (OpOperand *use : uses) {
    use->set(changed);
  }
  return true;
}

/// Replaces `op` by an op with another name.
static bool rename(Operation *op, StringRef name) {
  OpBuilder builder(op);
  OperationState state(op->getLoc(), name);
  state.addOperands(op->getOperands());
  state.addTypes(op->getResultTypes());
  op->replaceAllUsesWith(builder.create(state));
  op->erase();
  return true;
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// The number that `value` is everywhere.
static std::optional<APFloat> getNumber(Value value) {
  FloatAttr number;
  if (matchPattern(value, m_Constant(&number))) {
    return number.getValue();
  }
  SplatElementsAttr elements;
  if (matchPattern(value, m_Constant(&elements)) &&
      isa<FloatType>(elements.getElementType())) {
    return elements.getSplatValue<APFloat>();
  }
  return std::nullopt;
}

static bool isNumber(Operation *op) {
  std::optional<APFloat> number =
      isa<arith::ConstantOp>(op) ? getNumber(op->getResult(0)) : std::nullopt;
  return number && number->isFinite() && !number->isZero() && !op->use_empty();
}

static bool scaleNumber(Operation *op, Random &) {
  double number = getNumber(op->getResult(0))->convertToDouble();
  return replaceResult(op, [&](OpBuilder &builder, Value result) {
    return splat(builder, number * 1.0625, result);
  });
}

/// The operand of a fill or a mask that is a reduction's identity.
static OpOperand *getIdentity(Operation *op) {
  if (auto fill = dyn_cast<linalg::FillOp>(op)) {
    return &fill.getInputsMutable()[0];
  }
  if (auto mask = dyn_cast<tile::MaskOp>(op)) {
    return &mask.getPaddingMutable();
  }
  return nullptr;
}

static bool hasIdentity(Operation *op) {
  OpOperand *identity = getIdentity(op);
  return identity && getNumber(identity->get());
}

static bool changeIdentity(Operation *op, Random &) {
  OpOperand *identity = getIdentity(op);
  APFloat number = *getNumber(identity->get());
  OpBuilder builder(op);
  identity->set(splat(builder, number.isZero() ? 1 : 0, identity->get()));
  return true;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

static bool hasOrder(Operation *op) {
  return isData(op) &&
         isa<arith::SubFOp, arith::DivFOp, arith::SubIOp, arith::DivSIOp,
             arith::DivUIOp, arith::RemFOp, math::PowFOp, arith::SelectOp>(op);
}

static bool exchangeOperands(Operation *op, Random &) {
  unsigned last = op->getNumOperands() - 1;
  Value one = op->getOperand(last - 1), two = op->getOperand(last);
  op->setOperand(last - 1, two);
  op->setOperand(last, one);
  return one != two;
}

static bool combines(Operation *op) {
  return isData(op) &&
         isa<arith::AddFOp, arith::MulFOp, arith::SubFOp, arith::DivFOp,
             arith::MaximumFOp, arith::MinimumFOp, arith::AddIOp, arith::MulIOp,
             arith::SubIOp, arith::MaxSIOp, arith::MinSIOp, arith::AndIOp,
             arith::OrIOp, arith::XOrIOp>(op);
}

static bool dropOperand(Operation *op, Random &random) {
  op->replaceAllUsesWith(ValueRange(op->getOperand(random.below(2))));
  op->erase();
  return true;
}

static bool isComparison(Operation *op) {
  auto compare = dyn_cast<arith::CmpIOp>(op);
  return isa<arith::CmpFOp>(op) ||
         (compare && !getElementTypeOrSelf(compare.getLhs()).isIndex());
}

static bool isBound(Operation *op) {
  auto compare = dyn_cast<arith::CmpIOp>(op);
  return compare && getElementTypeOrSelf(compare.getLhs()).isIndex() &&
         compare.getPredicate() != arith::CmpIPredicate::eq;
}

/// Returns the other one of the pair of `pairs` that has `one`.
template <typename T, size_t N>
static std::optional<T> getOther(const std::pair<T, T> (&pairs)[N],
                                 const T &one) {
  for (const auto &[first, second] : pairs) {
    if (one == first || one == second) {
      return one == first ? second : first;
    }
  }
  return std::nullopt;
}

/// Less becomes less or equal, and the like.
static std::optional<arith::CmpIPredicate> shift(arith::CmpIPredicate from) {
  using P = arith::CmpIPredicate;
  static const std::pair<P, P> pairs[] = {{P::slt, P::sle},
                                          {P::sgt, P::sge},
                                          {P::ult, P::ule},
                                          {P::ugt, P::uge},
                                          {P::eq, P::ne}};
  return getOther(pairs, from);
}

static std::optional<arith::CmpFPredicate> shift(arith::CmpFPredicate from) {
  using P = arith::CmpFPredicate;
  static const std::pair<P, P> pairs[] = {{P::OLT, P::OLE}, {P::OGT, P::OGE},
                                          {P::ULT, P::ULE}, {P::UGT, P::UGE},
                                          {P::OEQ, P::UEQ}, {P::UNE, P::ONE}};
  // What only asks for a NaN asks for equal numbers instead.
  return from == P::ORD   ? P::OEQ
         : from == P::UNO ? P::UEQ
                          : getOther(pairs, from);
}

template <typename CompareOp> static bool shiftPredicate(CompareOp compare) {
  auto other = shift(compare.getPredicate());
  if (other) {
    compare.setPredicate(*other);
  }
  return other.has_value();
}

static bool shiftComparison(Operation *op, Random &) {
  auto compare = dyn_cast<arith::CmpIOp>(op);
  return compare ? shiftPredicate(compare)
                 : shiftPredicate(cast<arith::CmpFOp>(op));
}

/// Ops that differ in what the first bit of an integer means.
static std::optional<StringRef> getOtherSign(Operation *op) {
  static const std::pair<StringRef, StringRef> pairs[] = {
      {"arith.divsi", "arith.divui"},  {"arith.remsi", "arith.remui"},
      {"arith.maxsi", "arith.maxui"},  {"arith.minsi", "arith.minui"},
      {"arith.extsi", "arith.extui"},  {"arith.shrsi", "arith.shrui"},
      {"arith.sitofp", "arith.uitofp"}};
  return getOther(pairs, op->getName().getStringRef());
}

static bool hasOtherSign(Operation *op) {
  return isData(op) && getOtherSign(op);
}

static bool changeSign(Operation *op, Random &) {
  return rename(op, *getOtherSign(op));
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

static bool isRounding(Operation *op) {
  auto round = dyn_cast<arith::TruncFOp>(op);
  return round && getElementTypeOrSelf(round.getIn()).isF32();
}

/// Rounds some numbers the other way.
static bool roundOff(Operation *op, Random &) {
  auto round = cast<arith::TruncFOp>(op);
  OpBuilder builder(op);
  double more = getElement(op).isBF16() ? 0x1p-9 : 0x1p-12;
  Value wide = round.getIn();
  op->setOperand(0, arith::MulFOp::create(builder, op->getLoc(), wide,
                                          splat(builder, 1 + more, wide)));
  return true;
}

static bool widensRounded(Operation *op) {
  auto widen = dyn_cast<arith::ExtFOp>(op);
  auto round = widen ? widen.getIn().getDefiningOp<arith::TruncFOp>() : nullptr;
  return round && round.getIn().getType() == widen.getType();
}

static bool skipRounding(Operation *op, Random &) {
  Value wide = op->getOperand(0).getDefiningOp()->getOperand(0);
  op->replaceAllUsesWith(ValueRange(wide));
  op->erase();
  return true;
}

static bool keepsNan(Operation *op) {
  return isa<arith::MaximumFOp, arith::MinimumFOp>(op);
}

static bool loseNan(Operation *op, Random &) {
  bool isMost = isa<arith::MaximumFOp>(op);
  return rename(op, isMost ? "arith.maxnumf" : "arith.minnumf");
}

/// Whether `op` computes a float of an element or of a tile.
static bool isArithmetic(Operation *op) {
  return isFloat(op) && isa<arith::AddFOp, arith::MulFOp, arith::SubFOp,
                            arith::DivFOp, arith::NegFOp, arith::MaximumFOp,
                            arith::MinimumFOp, arith::SelectOp>(op);
}

static bool loseZeroSign(Operation *op, Random &) {
  return replaceResult(op, [](OpBuilder &builder, Value result) -> Value {
    return arith::AddFOp::create(builder, result.getLoc(), result,
                                 splat(builder, 0, result));
  });
}

static bool flushDenormals(Operation *op, Random &) {
  auto type = cast<FloatType>(getElement(op));
  double least = APFloat::getSmallestNormalized(type.getFloatSemantics())
                     .convertToDouble();
  return replaceResult(op, [&](OpBuilder &builder, Value result) -> Value {
    Location loc = result.getLoc();
    Value size = math::AbsFOp::create(builder, loc, result);
    Value isTiny =
        arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT, size,
                              splat(builder, least, result));
    return arith::SelectOp::create(builder, loc, isTiny,
                                   splat(builder, 0, result), result);
  });
}

static bool addsProduct(Operation *op) {
  auto add = dyn_cast<arith::AddFOp>(op);
  return add && add.getLhs().getDefiningOp<arith::MulFOp>();
}

static bool contract(Operation *op, Random &) {
  auto add = cast<arith::AddFOp>(op);
  auto multiply = add.getLhs().getDefiningOp<arith::MulFOp>();
  OpBuilder builder(op);
  Value fused = math::FmaOp::create(builder, op->getLoc(), multiply.getLhs(),
                                    multiply.getRhs(), add.getRhs());
  add.replaceAllUsesWith(fused);
  add.erase();
  return true;
}

static bool isFunction(Operation *op) {
  return isFloat(op) && op->getDialect() &&
         op->getDialect()->getNamespace() == "math" &&
         !isa<math::AbsFOp, math::FloorOp, math::CeilOp, math::TruncOp,
              math::RoundEvenOp, math::CopySignOp, math::FmaOp>(op);
}

template <int units> static bool scaleFunction(Operation *op, Random &) {
  return replaceResult(op, [](OpBuilder &builder, Value result) -> Value {
    double step = getElementTypeOrSelf(result).isF64() ? 0x1p-52 : 0x1p-23;
    return arith::MulFOp::create(builder, result.getLoc(), result,
                                 splat(builder, 1 + units * step, result));
  });
}

/// Whether `op` is what a reduction combines floats of 32 bits with.
static bool isPartOfSum(Operation *op) {
  auto generic = dyn_cast_or_null<linalg::GenericOp>(op->getParentOp());
  bool isReduced = (generic && generic.getNumReductionLoops() > 0) ||
                   isa_and_nonnull<tile::ReduceOp>(op->getParentOp());
  return isReduced && isa<arith::AddFOp>(op) && getElement(op).isF32();
}

static bool sumInHalves(Operation *op, Random &) {
  return replaceResult(op, [](OpBuilder &builder, Value result) -> Value {
    Value half = arith::TruncFOp::create(builder, result.getLoc(),
                                         builder.getBF16Type(), result);
    return arith::ExtFOp::create(builder, result.getLoc(), result.getType(),
                                 half);
  });
}

ArrayRef<FaultKind> fuzz::getFaultsOfValues() {
  static const FaultKind kinds[] = {
      {"a constant is off by a sixteenth", isNumber, scaleNumber},
      {"another identity of a reduction", hasIdentity, changeIdentity},
      {"operands exchanged", hasOrder, exchangeOperands},
      {"an operation left out", combines, dropOperand},
      {"a comparison off by one", isComparison, shiftComparison},
      {"a bound off by one", isBound, shiftComparison},
      {"signed taken as unsigned", hasOtherSign, changeSign},
      {"rounded the other way", isRounding, roundOff},
      {"a rounding left out", widensRounded, skipRounding},
      {"NaN lost", keepsNan, loseNan},
      {"the sign of zero lost", isArithmetic, loseZeroSign},
      {"denormals flushed", isArithmetic, flushDenormals},
      {"a product and a sum contracted", addsProduct, contract},
      {"a function off by 512 units", isFunction, scaleFunction<512>},
      {"a function off by 32 units", isFunction, scaleFunction<32>},
      {"a sum kept in halves", isPartOfSum, sumInHalves},
  };
  return kinds;
}
