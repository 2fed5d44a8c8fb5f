//===- WidenSums.cpp - sums of halves in f32 ------------------------------===//
//
// Other compilers let a product or a sum of f16 or bf16 accumulate in that
// type. What comes out then depends on the order (a half sticks at 2048 ones),
// which kernels are free to choose. Here such sums get the form that those of
// our dialect have: an accumulator of f32, rounded once at the end.
//
//===----------------------------------------------------------------------===//

#include "fusion/Analysis/HalfFloats.h"
#include "fusion/Dialect/Fusion/IR/Fusion.h"
#include "fusion/Dialect/Fusion/Transforms/GenericForm.h"
#include "fusion/Planner/AdoptLinalg.h"
#include "fusion/Planner/ReportKept.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::fusion;
using linalg::LinalgOp;

/// Returns what adds to, or multiplies, the accumulator `number` of `op`, or
/// null where that is no half.
static Operation *getHalfStep(LinalgOp op, unsigned number) {
  BlockArgument sum = op.getRegionOutputArgs()[number];
  Operation *step =
      op.getBlock()->getTerminator()->getOperand(number).getDefiningOp();
  bool steps = isa_and_nonnull<arith::AddFOp, arith::MulFOp>(step) &&
               step->getBlock() == op.getBlock() &&
               llvm::is_contained(step->getOperands(), sum);
  return isHalfFloat(sum.getType()) && steps ? step : nullptr;
}

/// Returns the same, or null where the accumulator takes part in anything else.
static Operation *findHalfStep(LinalgOp op, unsigned number) {
  Operation *step = getHalfStep(op, number);
  bool isAlone =
      step && step->hasOneUse() && op.getRegionOutputArgs()[number].hasOneUse();
  return isAlone ? step : nullptr;
}

/// Returns whether a sum of halves of `op` can be widened; says of others why
/// not.
static bool hasHalfSum(LinalgOp op) {
  if (op.getNumReductionLoops() == 0 || !op.hasPureTensorSemantics() ||
      op->getParentOfType<GroupOp>()) {
    return false;
  }
  auto results = llvm::seq<unsigned>(op.getNumDpsInits());
  if (llvm::any_of(results, [&](unsigned k) {
        return getHalfStep(op, k) && !findHalfStep(op, k);
      })) {
    reportKept(
        "AdoptLinalg", op,
        "a sum of halves is needed on its way, and rounded at each step");
  }
  return llvm::any_of(results, [&](unsigned k) { return findHalfStep(op, k); });
}

/// An elementwise op that turns `value` into `element`, one number at a time.
static Value convert(ImplicitLocOpBuilder &b, Value value, Type element) {
  auto type = cast<RankedTensorType>(value.getType());
  Value empty =
      tensor::EmptyOp::create(b, tensor::getMixedSizes(b, b.getLoc(), value),
                              element, type.getEncoding());
  SmallVector<AffineMap> maps(2, b.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> parallel(type.getRank(),
                                            utils::IteratorType::parallel);
  auto whole = linalg::GenericOp::create(
      b, empty.getType(), value, empty, maps, parallel,
      [&](OpBuilder &body, Location loc, ValueRange arguments) {
        Value number;
        if (element.isF32()) {
          number = arith::ExtFOp::create(body, loc, element, arguments[0]);
        } else {
          auto round =
              arith::TruncFOp::create(body, loc, element, arguments[0]);
          round->setDiscardableAttr(FusionDialect::kRoundingAttr,
                                    body.getUnitAttr());
          number = round;
        }
        linalg::YieldOp::create(body, loc, number);
      });
  return whole.getResult(0);
}

/// What a sum in f32 begins with, where that in halves does with `init`.
static Value widenInit(ImplicitLocOpBuilder &b, Value init) {
  auto fill = init.getDefiningOp<linalg::FillOp>();
  APFloat number(0.0f);
  if (!fill || !matchPattern(fill.value(), m_ConstantFloat(&number))) {
    return convert(b, init, b.getF32Type());
  }
  bool loses = false;
  number.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &loses);
  auto type = cast<RankedTensorType>(init.getType());
  Value empty =
      tensor::EmptyOp::create(b, tensor::getMixedSizes(b, b.getLoc(), init),
                              b.getF32Type(), type.getEncoding());
  Value value =
      arith::ConstantOp::create(b, b.getFloatAttr(b.getF32Type(), number));
  return linalg::FillOp::create(b, value, empty).getResult(0);
}

/// Returns the half `term` in f32; a product of two halves is not rounded.
static Value widenTerm(ImplicitLocOpBuilder &b, Value term) {
  auto product = term.getDefiningOp<arith::MulFOp>();
  auto widen = [&](Value value) -> Value {
    return arith::ExtFOp::create(b, b.getF32Type(), value);
  };
  if (!product || !term.hasOneUse()) {
    return widen(term);
  }
  Value lhs = widen(product.getLhs());
  Value rhs = widen(product.getRhs());
  return arith::MulFOp::create(b, lhs, rhs);
}

/// Lets `step` combine an f32 accumulator `sum` with its other operand.
static void widenStep(Operation *step, BlockArgument sum) {
  ImplicitLocOpBuilder b(step->getLoc(), step);
  bool isFirst = step->getOperand(0) == sum;
  Value term = widenTerm(b, step->getOperand(isFirst ? 1 : 0));
  sum.setType(b.getF32Type());
  Value wide = isa<arith::AddFOp>(step)
                   ? arith::AddFOp::create(b, sum, term).getResult()
                   : arith::MulFOp::create(b, sum, term).getResult();
  Operation *product = step->getOperand(isFirst ? 1 : 0).getDefiningOp();
  step->getResult(0).replaceAllUsesWith(wide);
  step->erase();
  if (product && isOpTriviallyDead(product)) {
    product->erase();
  }
}

/// Replaces `op` by one whose half sums are f32, and the roundings of these.
static void widen(linalg::GenericOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  SmallVector<Value> inits(op.getDpsInits());
  SmallVector<Operation *> steps;
  for (unsigned k = 0; k < inits.size(); ++k) {
    steps.push_back(findHalfStep(cast<LinalgOp>(op.getOperation()), k));
    if (steps.back()) {
      inits[k] = widenInit(b, inits[k]);
    }
  }
  auto wide = linalg::GenericOp::create(
      b, TypeRange(ValueRange(inits)), op.getInputs(), inits,
      op.getIndexingMapsArray(), op.getIteratorTypesArray());
  wide->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  wide.getRegion().takeBody(op.getRegion());
  for (unsigned k = 0; k < inits.size(); ++k) {
    Value result = wide.getResult(k);
    if (steps[k]) {
      widenStep(steps[k], wide.getRegionOutputArgs()[k]);
      Type half = getElementTypeOrSelf(op.getResult(k));
      b.setInsertionPointAfter(wide);
      result = convert(b, result, half);
    }
    op.getResult(k).replaceAllUsesWith(result);
  }
  op.erase();
}

void fusion::widenSums(func::FuncOp func) {
  SmallVector<LinalgOp> ops;
  func.walk([&](LinalgOp op) {
    if (hasHalfSum(op)) {
      ops.push_back(op);
    }
  });
  IRRewriter rewriter(func.getContext());
  for (LinalgOp op : ops) {
    if (FailureOr<linalg::GenericOp> generic = toGeneric(rewriter, op);
        succeeded(generic)) {
      widen(*generic);
    }
  }
}
