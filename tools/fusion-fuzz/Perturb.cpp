//===- Perturb.cpp - how far may results be apart? ------------------------===//

#include "Perturb.h"
#include "Exactness.h"
#include "Noise.h"
#include "Poles.h"
#include "fusion/Dialect/Fusion/IR/Directives.h"
#include "fusion/Dialect/Fusion/IR/Fusion.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::fuzz;

/// Whether `op` multiplies many floats in an order that is open.
static bool isOpenProduct(Operation *op) {
  auto reduce = dyn_cast<ReduceOp>(op);
  auto pool = dyn_cast<PoolOp>(op);
  auto scatter = dyn_cast<ScatterElementsOp>(op);
  auto scatterNd = dyn_cast<ScatterNdOp>(op);
  return isOpenSum(op) &&
         ((reduce && reduce.getKind() == ReduceKind::prod) ||
          (pool && pool.getKind() == ReduceKind::prod) ||
          (scatter && scatter.getKind() == ScatterKind::mul) ||
          (scatterNd && scatterNd.getKind() == ScatterKind::mul));
}

namespace {
/// Adds noise to the results of one op.
class Perturbation {
public:
  /// `number` makes the noise differ from that of other ops.
  Perturbation(Operation *op, int64_t number, Noise &noise,
               const PipelineOptions &pipeline)
      : op(op), number(number), noise(noise), pipeline(pipeline),
        builder(op->getContext()), loc(op->getLoc()) {
    builder.setInsertionPointAfter(op);
    element = getElementTypeOrSelf(op->getResult(0));
    wide = element.isF64() ? Type(builder.getF64Type())
                           : Type(builder.getF32Type());
  }
  void run();

private:
  Value widen(Value value) {
    return getElementTypeOrSelf(value) == wide
               ? value
               : Value(CastOp::create(builder, loc, value, wide));
  }
  Value splat(double value, Value like) {
    return makeSplat(builder, loc, value, like);
  }
  Value getNoise(Value result) {
    return noise.get(builder, loc, result, number);
  }
  Value getTotal();
  Value getSumError(Value total);
  Value addProductError(Value moved);
  Value getAnything(Value like);
  Value markTurns(Value moved);
  Value makeZeroWithin(Value error, Value size, Value moved);
  Value getCancellation(GeluOp gelu);
  Value cloneOn(llvm::function_ref<Value(Value)> convert);
  Value markOverflow(Value moved);
  Value markOverflowOfSum(Value moved, Value total);
  /// Units of the result's own type by which it may be off.
  double getRelative() const;

  Operation *op;
  int64_t number;
  Noise &noise;
  const PipelineOptions &pipeline;
  OpBuilder builder;
  Location loc;
  Type element, wide;
};
} // namespace

/// The distance of the smallest numbers of a type.
static double getSmallest(Type type) {
  return type.isBF16()  ? 0x1p-133
         : type.isF16() ? 0x1p-24
         : type.isF32() ? 0x1p-149
                        : 0x1p-1074;
}

static double getSpacing(Type type) {
  return type.isBF16()  ? 0x1p-7
         : type.isF16() ? 0x1p-10
         : type.isF32() ? 0x1p-23
                        : 0x1p-52;
}

/// The same op in the wide type on operands that `convert` makes.
Value Perturbation::cloneOn(llvm::function_ref<Value(Value)> convert) {
  IRMapping mapping;
  for (Value operand : op->getOperands()) {
    if (isa<FloatType>(getElementTypeOrSelf(operand))) {
      mapping.map(operand, convert(widen(operand)));
    }
  }
  Operation *clone = builder.clone(*op, mapping);
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  clone->getResult(0).setType(type.clone(wide));
  return clone->getResult(0);
}

/// The sum of the sizes of all terms that are no infinities.
Value Perturbation::getTotal() {
  return cloneOn([&](Value value) -> Value {
    Value size = AbsOp::create(builder, loc, value);
    double infinity = std::numeric_limits<double>::infinity();
    Value isInfinite = CompareOp::create(builder, loc, ComparePredicate::eq,
                                         size, splat(infinity, size));
    return SelectOp::create(builder, loc, isInfinite, splat(0, size), size);
  });
}

Value Perturbation::getSumError(Value total) {
  Value terms = cloneOn([&](Value value) { return splat(1, value); });
  // As many roundings as there are elements, in products and means too.
  if (auto reduce = terms.getDefiningOp<ReduceOp>()) {
    reduce.setKind(ReduceKind::sum);
  }
  if (auto pool = terms.getDefiningOp<PoolOp>()) {
    pool.setKind(ReduceKind::sum);
  }
  if (auto scatter = terms.getDefiningOp<ScatterElementsOp>()) {
    scatter.setKind(ScatterKind::add);
  }
  if (auto scatter = terms.getDefiningOp<ScatterNdOp>()) {
    scatter.setKind(ScatterKind::add);
  }
  // Roundings go up and down: of many, but for their root they cancel.
  Value root = SqrtOp::create(builder, loc, terms);
  Value units = MinOp::create(
      builder, loc, terms,
      MulOp::create(builder, loc, root, splat(4, root)).getResult());
  Value bound = MulOp::create(builder, loc, units, total);
  return MulOp::create(builder, loc, bound, splat(getSpacing(wide), bound));
}

/// Adds to the result `moved` of a product that what underflows in one order is
/// multiplied by the rest in another. Where one order overflows and another
/// does not (inf * 0 among these), it may be anything.
Value Perturbation::addProductError(Value moved) {
  auto clamped = [&](auto combine) {
    return cloneOn([&](Value value) -> Value {
      Value size = AbsOp::create(builder, loc, value);
      return combine(size, splat(1, value));
    });
  };
  Value large = clamped([&](Value size, Value one) -> Value {
    return MaxOp::create(builder, loc, size, one);
  });
  Value small = clamped([&](Value size, Value one) -> Value {
    return MinOp::create(builder, loc, size, one);
  });
  double terms = 4096; // More than the arrays of a graph have elements.
  Value lost = MulOp::create(builder, loc, large,
                             splat(terms * getSmallest(wide), large));
  lost = MulOp::create(builder, loc, lost, getNoise(moved));
  auto is = [&](ComparePredicate predicate, Value value, double number) {
    return CompareOp::create(builder, loc, predicate, value,
                             splat(number, value));
  };
  double infinity = std::numeric_limits<double>::infinity();
  Value overflows = is(ComparePredicate::eq, large, infinity);
  Value shrinks = is(ComparePredicate::lt, small, 1);
  Value isOpen = AndOp::create(builder, loc, overflows, shrinks);
  Value closed = AddOp::create(builder, loc, moved, lost);
  return SelectOp::create(builder, loc, isOpen, getAnything(moved), closed);
}

/// Anything instead of the result `moved` of a sum whose finite terms may
/// overflow: in another order they do not, or meet an infinity of the other
/// sign.
Value Perturbation::markOverflowOfSum(Value moved, Value total) {
  double infinity = std::numeric_limits<double>::infinity();
  Value isOpen = CompareOp::create(builder, loc, ComparePredicate::eq, total,
                                   splat(infinity, total));
  return SelectOp::create(builder, loc, isOpen, getAnything(moved), moved);
}

/// A value that may be anything, of the sizes of `like`.
Value Perturbation::getAnything(Value like) {
  return makeBroadcast(builder, loc, widen(noise.getAnything()), like);
}

/// Anything instead of the result `moved` of a function with periods where one
/// rounding of its operand is a good part of one.
Value Perturbation::markTurns(Value moved) {
  Value operand = op->getOperand(0);
  double spacing = getSpacing(getElementTypeOrSelf(operand));
  Value size = AbsOp::create(builder, loc, widen(operand));
  constexpr double kMost = 0.25;
  Value isOpen = CompareOp::create(builder, loc, ComparePredicate::gt, size,
                                   splat(kMost / spacing, size));
  return SelectOp::create(builder, loc, isOpen, getAnything(moved), moved);
}

/// `moved`, or in some phases zero where zero is within `error` of a result of
/// `size`: an infinity times that is none of either sign.
Value Perturbation::makeZeroWithin(Value error, Value size, Value moved) {
  Value anything = getAnything(moved);
  Value isPhase =
      CompareOp::create(builder, loc, ComparePredicate::eq, anything, anything);
  Value isWithin =
      CompareOp::create(builder, loc, ComparePredicate::le, size, error);
  return SelectOp::create(builder, loc,
                          AndOp::create(builder, loc, isPhase, isWithin),
                          splat(0, moved), moved);
}

/// The error of a sum with 1 that cancels, in absolute terms: docs/Numerics.md
/// allows gelu one.
Value Perturbation::getCancellation(GeluOp gelu) {
  Value size = AbsOp::create(builder, loc, widen(gelu.getInput()));
  double units = element.isF64() ? 0x1p-49 : 0x1p-21;
  return MulOp::create(builder, loc, size, splat(units, size));
}

/// Anything instead of an infinity that is one only after it was rounded to a
/// half.
Value Perturbation::markOverflow(Value moved) {
  Value result = isa<CastOp>(op) ? widen(op->getOperand(0))
                                 : cloneOn([](Value value) { return value; });
  Value difference = SubOp::create(builder, loc, result, result);
  Value isFinite = CompareOp::create(builder, loc, ComparePredicate::eq,
                                     difference, splat(0, result));
  double infinity = std::numeric_limits<double>::infinity();
  Value size = AbsOp::create(builder, loc, moved);
  Value isInfinite = CompareOp::create(builder, loc, ComparePredicate::eq, size,
                                       splat(infinity, moved));
  Value isOpen = AndOp::create(builder, loc, isFinite, isInfinite);
  return SelectOp::create(builder, loc, isOpen, getAnything(moved), moved);
}

double Perturbation::getRelative() const {
  bool isSum = isOpenSum(op);
  if (!pipeline.isCPU() && isDoubleFunction(op)) {
    return 8 * getSpacing(element);
  }
  if (pipeline.numerics == Numerics::Strict) {
    return isSum && element != wide ? getSpacing(element) : 0;
  }
  if (isMovement(op) && !isSum) {
    // One reader may see a half before it is rounded, another one after; and
    // two kernels that compute the same sum add in different orders.
    return element != wide ? getSpacing(element) : 2 * getSpacing(element);
  }
  return element != wide ? getSpacing(element) : 8 * getSpacing(element);
}

void Perturbation::run() {
  Value original = op->getResult(0);
  bool isSum = isOpenSum(op);
  double relative = getRelative();
  if (!isSum && relative == 0) {
    return;
  }
  Operation *last = op->getNextNode();
  Value result = widen(original);
  Value size = AbsOp::create(builder, loc, result);
  Value error =
      MulOp::create(builder, loc, size, splat(relative, result)).getResult();
  if (element != wide) {
    error =
        AddOp::create(builder, loc, error, splat(getSmallest(element), result));
  }
  Value total = isSum ? getTotal() : Value();
  if (isSum) {
    error = AddOp::create(builder, loc, error, getSumError(total));
  }
  auto gelu = dyn_cast<GeluOp>(op);
  if (gelu && relative > 0) {
    error = AddOp::create(builder, loc, error, getCancellation(gelu));
  }
  Value moved = MulOp::create(builder, loc, error, getNoise(result));
  moved = AddOp::create(builder, loc, result, moved);
  moved = makeZeroWithin(error, size, moved);
  // Infinities and NaN stay what they are.
  Value difference = SubOp::create(builder, loc, result, result);
  Value isFinite = CompareOp::create(builder, loc, ComparePredicate::eq,
                                     difference, splat(0, result));
  moved = SelectOp::create(builder, loc, isFinite, moved, result);
  if (isa<SinOp, CosOp>(op)) {
    moved = markTurns(moved);
  } else if (isOpenProduct(op)) {
    moved = addProductError(moved);
  } else if (isSum) {
    moved = markOverflowOfSum(moved, total);
  }
  if (element != wide) {
    // What moves or is told to round makes no infinities that another kernel
    // would not; products that are reductions do.
    auto cast = dyn_cast<CastOp>(op);
    bool keeps = (isMovement(op) && !isSum) || (cast && !cast.getRounding());
    if (pipeline.numerics != Numerics::Strict && !keeps) {
      moved = markOverflow(moved);
    }
    moved = CastOp::create(builder, loc, moved, element);
  }
  SmallPtrSet<Operation *, 16> added;
  for (Operation *it = op->getNextNode(); it != last; it = it->getNextNode()) {
    added.insert(it);
  }
  original.replaceAllUsesExcept(moved, added);
}

/// Whether op computes a float that may be moved.
static bool isFloatOp(Operation *op) {
  return op->getDialect() &&
         op->getDialect()->getNamespace() ==
             FusionDialect::getDialectNamespace() &&
         op->getNumResults() == 1 && op->getNumRegions() == 0 &&
         !isa<ConstantOp>(op) &&
         isa<FloatType>(getElementTypeOrSelf(op->getResult(0)));
}

/// What is known of the values of `entry`, those in regions left out.
static Exactness judge(func::FuncOp entry, const PipelineOptions &pipeline) {
  Exactness exactness(pipeline);
  for (BlockArgument argument : entry.getArguments()) {
    auto name = entry.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                   FusionDialect::kNameAttr);
    exactness.visitArgument(argument, name ? name.getValue() : "");
  }
  for (Operation &op : entry.getBody().front().without_terminator()) {
    exactness.visit(&op);
  }
  return exactness;
}

/// Lets each op have a kernel of its own, so that what is added may be fused
/// (which is much sooner compiled), but nothing that is compared.
static void keepApart(func::FuncOp entry) {
  entry.walk([](Operation *op) {
    if (op->getNumResults() > 0) {
      op->removeAttr(kFuseWithAttr);
      op->setAttr(kNoFuseAttr, UnitAttr::get(op->getContext()));
    }
  });
}

void fuzz::perturb(ModuleOp module, const PipelineOptions &pipeline,
                   ArrayRef<HostArray> nearPoles) {
  auto entry = module.lookupSymbol<func::FuncOp>("main");
  flattenBranches(entry);
  keepApart(entry);
  Exactness exactness = judge(entry, pipeline);
  Block *body = &entry.getBody().front();
  SmallVector<Operation *> ops;
  entry.walk([&](Operation *op) {
    if (isFloatOp(op) &&
        (op->getBlock() != body || !exactness.get(op->getResult(0)).exact)) {
      ops.push_back(op);
    }
  });
  SmallVector<OpOperand *> poles = findPoles(*body, exactness);
  Builder builder(module.getContext());
  auto scalar = RankedTensorType::get({}, builder.getF32Type());
  auto attributes = builder.getDictionaryAttr(builder.getNamedAttr(
      FusionDialect::kNameAttr, builder.getStringAttr(phaseName)));
  unsigned index = entry.getNumArguments();
  (void)entry.insertArgument(index, scalar, attributes, entry.getLoc());
  Noise noise(entry, entry.getArgument(index));
  for (auto [number, op] : llvm::enumerate(ops)) {
    Perturbation(op, number, noise, pipeline).run();
  }
  if (nearPoles.empty()) {
    returnPoles(entry, poles);
  } else {
    poisonPoles(entry, poles, nearPoles, noise);
  }
}
