//===- Perturb.cpp - how far may results be apart? ------------------------===//

#include "Perturb.h"
#include "Exactness.h"
#include "fusion/Dialect/Fusion/IR/Fusion.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::fuzz;

namespace {
/// Adds noise to the results of one op.
class Perturbation {
public:
  Perturbation(Operation *op, Value phase, const PipelineOptions &pipeline)
      : op(op), phase(phase), pipeline(pipeline), builder(op->getContext()),
        loc(op->getLoc()) {
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
  Value splat(double value, Value like);
  Value getNoise(Value result);
  Value getSumError();
  Value cloneOn(llvm::function_ref<Value(Value)> convert);
  /// Units of the result's own type by which it may be off.
  double getRelative() const;

  Operation *op;
  Value phase;
  const PipelineOptions &pipeline;
  OpBuilder builder;
  Location loc;
  Type element, wide;
};
} // namespace

static double getSpacing(Type type) {
  return type.isBF16()  ? 0x1p-7
         : type.isF16() ? 0x1p-10
         : type.isF32() ? 0x1p-23
                        : 0x1p-52;
}

Value Perturbation::splat(double value, Value like) {
  auto type = RankedTensorType::get({}, wide);
  auto number = DenseElementsAttr::get(
      type, builder.getFloatAttr(wide, value).getValue());
  Value constant = ConstantOp::create(builder, loc, number);
  return BroadcastOp::create(builder, loc, constant,
                             tensor::getMixedSizes(builder, loc, like),
                             ArrayRef<int64_t>());
}

/// Between -1 and 1, different for different results and phases.
Value Perturbation::getNoise(Value result) {
  Value scaled = MulOp::create(builder, loc, result, splat(7919.37, result));
  Value shift = BroadcastOp::create(builder, loc, widen(phase),
                                    tensor::getMixedSizes(builder, loc, result),
                                    ArrayRef<int64_t>());
  return SinOp::create(builder, loc,
                       AddOp::create(builder, loc, scaled, shift).getResult());
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

Value Perturbation::getSumError() {
  Value terms = cloneOn([&](Value value) { return splat(1, value); });
  Value total = cloneOn(
      [&](Value value) -> Value { return AbsOp::create(builder, loc, value); });
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
  Value bound = MulOp::create(builder, loc, terms, total);
  return MulOp::create(builder, loc, bound, splat(getSpacing(wide), bound));
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
    return 0;
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
  if (isSum) {
    error = AddOp::create(builder, loc, error, getSumError());
  }
  Value moved = MulOp::create(builder, loc, error, getNoise(result));
  moved = AddOp::create(builder, loc, result, moved);
  // Infinities and NaN stay what they are.
  Value difference = SubOp::create(builder, loc, moved, moved);
  Value isFinite = CompareOp::create(builder, loc, ComparePredicate::eq,
                                     difference, splat(0, result));
  moved = SelectOp::create(builder, loc, isFinite, moved, result);
  if (element != wide) {
    moved = CastOp::create(builder, loc, moved, element);
  }
  SmallPtrSet<Operation *, 16> added;
  for (Operation *it = op->getNextNode(); it != last; it = it->getNextNode()) {
    added.insert(it);
  }
  original.replaceAllUsesExcept(moved, added);
}

void fuzz::perturb(ModuleOp module, const PipelineOptions &pipeline) {
  auto entry = module.lookupSymbol<func::FuncOp>("main");
  Builder builder(module.getContext());
  auto scalar = RankedTensorType::get({}, builder.getF32Type());
  auto attributes = builder.getDictionaryAttr(builder.getNamedAttr(
      FusionDialect::kNameAttr, builder.getStringAttr(phaseName)));
  unsigned index = entry.getNumArguments();
  (void)entry.insertArgument(index, scalar, attributes, entry.getLoc());
  SmallVector<Operation *> ops;
  entry.walk([&](Operation *op) {
    if (op->getDialect() &&
        op->getDialect()->getNamespace() ==
            FusionDialect::getDialectNamespace() &&
        op->getNumResults() == 1 && !isa<IfOp, ConstantOp>(op) &&
        isa<FloatType>(getElementTypeOrSelf(op->getResult(0)))) {
      ops.push_back(op);
    }
  });
  for (Operation *op : ops) {
    Perturbation(op, entry.getArgument(index), pipeline).run();
  }
}
