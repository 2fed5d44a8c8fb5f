//===- Exactness.cpp - which results must agree to the bit ----------------===//

#include "Exactness.h"
#include "fusion/Analysis/HalfFloats.h"
#include "fusion/Dialect/Fusion/IR/Fusion.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringSwitch.h"
#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::fuzz;

/// Integers up to here are exact in `type`, and in the type that sums it.
static double getLargestInteger(Type type) {
  return type.isBF16()  ? 256
         : type.isF16() ? 2048
         : type.isF32() ? 16777216
                        : 9007199254740992;
}

static bool isSumKind(ReduceKind kind) {
  return kind == ReduceKind::sum || kind == ReduceKind::mean ||
         kind == ReduceKind::prod;
}

static std::optional<ScatterKind> getScatterKind(Operation *op) {
  if (auto scatter = dyn_cast<ScatterElementsOp>(op)) {
    return scatter.getKind();
  }
  if (auto scatter = dyn_cast<ScatterNdOp>(op)) {
    return scatter.getKind();
  }
  return std::nullopt;
}

bool fuzz::isOpenSum(Operation *op) {
  if (!isa<FloatType>(getElementTypeOrSelf(op->getResult(0)))) {
    return false;
  }
  if (auto reduce = dyn_cast<ReduceOp>(op)) {
    return isSumKind(reduce.getKind());
  }
  if (auto pool = dyn_cast<PoolOp>(op)) {
    return isSumKind(pool.getKind());
  }
  if (std::optional<ScatterKind> kind = getScatterKind(op)) {
    return kind == ScatterKind::add || kind == ScatterKind::mul;
  }
  return isa<MatmulOp, ConvOp, ConvTransposeOp, CumsumOp, SoftmaxOp,
             LogSoftmaxOp, LayerNormOp, RmsNormOp>(op);
}

bool fuzz::isMovement(Operation *op) {
  return llvm::StringSwitch<bool>(op->getName().stripDialect())
      .Cases({"broadcast", "transpose", "reshape", "slice", "concat", "pad"},
             true)
      .Cases({"gather", "gather_elements", "gather_nd", "select", "min"}, true)
      .Cases({"max", "relu", "clamp", "neg", "abs", "reduce", "pool"}, true)
      .Cases({"scatter_elements", "scatter_nd", "top_k"}, true)
      .Default(false);
}

Knowledge Exactness::meet(ValueRange values) const {
  Knowledge result{true, -1};
  for (Value value : values) {
    if (!isa<RankedTensorType>(value.getType())) {
      continue;
    }
    Knowledge operand = get(value);
    result.exact &= operand.exact;
    result.integers = operand.integers == 0 || result.integers == 0
                          ? 0
                          : std::max(result.integers, operand.integers);
  }
  result.integers = std::max(result.integers, 0.0);
  return result;
}

/// How many terms a sum has at most.
static double countTerms(Operation *op) {
  // Graphs are small; dynamic dims count as large ones.
  double terms = 1;
  for (Value operand : op->getOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    double size = 1;
    for (int64_t dim : type ? type.getShape() : ArrayRef<int64_t>()) {
      size *= ShapedType::isDynamic(dim) ? 1024 : static_cast<double>(dim);
    }
    terms = std::max(terms, size);
  }
  return terms;
}

Knowledge Exactness::judgeSum(Operation *op, Type type) const {
  Knowledge operands = meet(op->getOperands());
  bool isProduct = isa<MatmulOp, ConvOp, ConvTransposeOp>(op);
  auto reduce = dyn_cast<ReduceOp>(op);
  auto pool = dyn_cast<PoolOp>(op);
  bool isPlain = isProduct || isa<CumsumOp>(op) ||
                 getScatterKind(op) == ScatterKind::add ||
                 (reduce && reduce.getKind() == ReduceKind::sum) ||
                 (pool && pool.getKind() == ReduceKind::sum);
  double most = operands.integers * (isProduct ? operands.integers : 1) *
                (1 + countTerms(op));
  if (!operands.exact || most == 0 || !isPlain ||
      most > getLargestInteger(Float32Type::get(type.getContext()))) {
    return {false, 0};
  }
  bool fits = most <= getLargestInteger(type);
  return {fits || strict, fits ? most : 0};
}

/// Whether the default rules leave the bits of such an op on f32 and f64 alone.
static bool isArithmetic(Operation *op) {
  return llvm::StringSwitch<bool>(op->getName().stripDialect())
      .Cases({"add", "sub", "mul", "div", "rem", "sqrt", "reciprocal"}, true)
      .Cases({"floor", "ceil", "round", "sign", "cast", "compare", "iota"},
             true)
      .Case("constant", true)
      .Default(false);
}

bool fuzz::isDoubleFunction(Operation *op) {
  return getElementTypeOrSelf(op->getResult(0)).isF64() && !isMovement(op) &&
         !isArithmetic(op) && !isOpenSum(op) && !isa<IfOp, LoopOp>(op);
}

/// The largest element of an op on integers, or 0 where it may be none.
static double boundIntegers(Operation *op, double most) {
  StringRef name = op->getName().stripDialect();
  if (name == "add" || name == "sub") {
    return 2 * most;
  }
  return name == "mul"                                        ? most * most
         : isMovement(op) || name == "cast" || name == "sign" ? most
                                                              : 0;
}

Knowledge Exactness::judge(Operation *op, Type type) const {
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    auto values = dyn_cast<DenseFPElementsAttr>(constant.getValue());
    double most = 0;
    for (const APFloat &value :
         values ? llvm::to_vector(values.getValues<APFloat>())
                : SmallVector<APFloat>()) {
      if (!value.isFinite() || !value.isInteger()) {
        return {true, 0};
      }
      most = std::max(most, std::fabs(value.convertToDouble()));
    }
    return {true, most};
  }
  Knowledge operands = meet(op->getOperands());
  if (!isa<FloatType>(type)) {
    return {operands.exact, 0};
  }
  double most = boundIntegers(op, operands.integers);
  most = most <= getLargestInteger(type) ? most : 0;
  if (onGPU && isDoubleFunction(op)) {
    return {false, 0};
  }
  auto cast = dyn_cast<CastOp>(op);
  bool rounds = isa<ConstantOp>(op) || (cast && !cast.getRounding());
  bool keeps = strict || isMovement(op) ||
               (isArithmetic(op) && (!isHalfFloat(type) || most > 0 || rounds));
  return {operands.exact && keeps, most};
}

void Exactness::visitArgument(Value argument, StringRef name) {
  Knowledge knowledge;
  int64_t most = 0;
  if (name.consume_front("int") && !name.consumeInteger(10, most)) {
    knowledge.integers = static_cast<double>(most);
  }
  known[argument] = knowledge;
}

void Exactness::visitBody(Block &block) {
  for (Operation &inner : block.without_terminator()) {
    visit(&inner);
  }
}

void Exactness::visitLoop(Operation *op) {
  auto loop = cast<LoopOp>(op);
  Block &body = loop.getBody().front();
  known[body.getArgument(0)] = {true, 0};
  auto carried = body.getArguments().drop_front();
  for (auto [argument, init] : llvm::zip(carried, loop.getInits())) {
    known[argument] = {get(init).exact, 0};
  }
  bool changed = true;
  while (changed) { // Each round at least one argument ceases to be exact.
    changed = false;
    visitBody(body);
    for (auto [argument, yielded] :
         llvm::zip(carried, loop.getYield().getValues())) {
      bool exact = get(argument).exact && get(yielded).exact;
      changed |= exact != get(argument).exact;
      known[argument].exact = exact;
    }
  }
  for (auto [result, argument] : llvm::zip(op->getResults(), carried)) {
    known[result] = get(argument);
  }
}

void Exactness::visit(Operation *op) {
  if (isa<LoopOp>(op)) {
    visitLoop(op);
    return;
  }
  if (auto branch = dyn_cast<IfOp>(op)) {
    visitBody(branch.getThenRegion().front());
    visitBody(branch.getElseRegion().front());
    bool decided = get(branch.getCondition()).exact;
    for (auto [result, one, two] :
         llvm::zip(op->getResults(), branch.getThenYield().getValues(),
                   branch.getElseYield().getValues())) {
      Knowledge knowledge = meet({one, two});
      knowledge.exact &= decided;
      known[result] = knowledge;
    }
    return;
  }
  for (Value result : op->getResults()) {
    if (!isa<RankedTensorType>(result.getType())) {
      continue;
    }
    Type type = getElementTypeOrSelf(result);
    known[result] = isOpenSum(op) ? judgeSum(op, type) : judge(op, type);
  }
}
