//===- SinkScalars.cpp - scalars of elements, in the bodies that use them -===//
//
// Other compilers take an element out of a tensor and use it as a scalar: a
// predicate, the start of a slice, a factor. On a GPU that would be a read by
// the host. Here the element is read where it is used.
//
//===----------------------------------------------------------------------===//

#include "fusion/Dialect/Fusion/Transforms/GenericForm.h"
#include "fusion/Planner/AdoptLinalg.h"
#include "fusion/Planner/Passes.h"
#include "fusion/Planner/ReportKept.h"
#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::fusion;
using linalg::LinalgOp;

/// What is computed again by each user is at most so many ops.
static constexpr size_t kMaxOps = 64;
static constexpr StringLiteral kOpaqueScalar =
    "a scalar that it uses is made by more than simple code";

namespace {
/// What makes a scalar from elements of tensors.
struct ElementCode {
  SetVector<Operation *> ops; /// operands first
  bool reads = false;         /// an element of a tensor is among them
  bool fits = true;           /// all can stand in a body

  bool isUsable() const { return reads && fits; }
};
} // namespace

/// Returns what makes the scalar `value`. What is known to the host, sizes and
/// constants, is not among it.
static ElementCode getElementCode(Value value) {
  ElementCode code;
  llvm::SetVector<Value> values;
  values.insert(value);
  for (size_t i = 0; i < values.size(); ++i) {
    Operation *def = values[i].getDefiningOp();
    if (!def || isa<tensor::DimOp>(def) ||
        def->hasTrait<OpTrait::ConstantLike>()) {
      continue;
    }
    bool isScalar =
        llvm::none_of(def->getResultTypes(), llvm::IsaPred<ShapedType>);
    if (!isMemoryEffectFree(def) || def->getNumRegions() != 0 || !isScalar ||
        code.ops.size() == kMaxOps) {
      code.fits = false;
      return code;
    }
    code.reads |= isa<tensor::ExtractOp>(def);
    code.ops.insert(def);
    for (Value operand : def->getOperands()) {
      if (!isa<ShapedType>(operand.getType())) {
        values.insert(operand);
      }
    }
  }
  code.ops = topologicalSort(code.ops);
  return code;
}

/// Clones `ops`; returns what `value`, made by them, is in the copy.
static Value cloneCode(OpBuilder &builder, const SetVector<Operation *> &ops,
                       Value value) {
  IRMapping mapping;
  for (Operation *op : ops) {
    builder.clone(*op, mapping);
  }
  return mapping.lookupOrDefault(value);
}

Value fusion::makeScalarTensor(Operation *user, Value scalar) {
  auto extract = scalar.getDefiningOp<tensor::ExtractOp>();
  if (extract && extract.getTensor().getType().getRank() == 0) {
    return extract.getTensor();
  }
  ElementCode code = getElementCode(scalar);
  if (!code.isUsable()) {
    return {};
  }
  ImplicitLocOpBuilder b(user->getLoc(), user);
  Value empty =
      tensor::EmptyOp::create(b, ArrayRef<int64_t>{}, scalar.getType());
  auto made = linalg::GenericOp::create(
      b, empty.getType(), ValueRange(), empty,
      ArrayRef<AffineMap>{b.getMultiDimIdentityMap(0)},
      ArrayRef<utils::IteratorType>{},
      [&](OpBuilder &body, Location loc, ValueRange) {
        linalg::YieldOp::create(body, loc, cloneCode(body, code.ops, scalar));
      });
  return made.getResult(0);
}

/// Computes the scalars that the body of `op` takes from outside in it.
static void sinkCaptured(LinalgOp op) {
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  for (Value value : captured) {
    if (isa<ShapedType>(value.getType())) {
      continue;
    }
    ElementCode code = getElementCode(value);
    if (!code.fits) {
      reportKept("AdoptLinalg", op, kOpaqueScalar);
    }
    if (!code.isUsable()) {
      continue;
    }
    OpBuilder builder = OpBuilder::atBlockBegin(op.getBlock());
    Value inside = cloneCode(builder, code.ops, value);
    value.replaceUsesWithIf(inside, [&](OpOperand &use) {
      return op->isProperAncestor(use.getOwner()) &&
             !code.ops.contains(use.getOwner());
    });
  }
}

/// Returns whether input `operand` of `op` is a scalar that its body may take
/// from outside instead: each but what a fill spreads, unless it is made of
/// elements.
static bool isScalarOperand(LinalgOp op, OpOperand *operand) {
  if (isa<ShapedType>(operand->get().getType())) {
    return false;
  }
  return getElementCode(operand->get()).isUsable() || !isa<linalg::FillOp>(op);
}

/// Says why a fill takes its scalar from outside, where that is more than code
/// of the host. Other ops are told of when they capture it.
static void reportOpaqueFill(LinalgOp op) {
  auto fill = dyn_cast<linalg::FillOp>(op.getOperation());
  if (fill && !getElementCode(fill.value()).fits) {
    reportKept("AdoptLinalg", op, kOpaqueScalar);
  }
}

/// Returns what `scalar` is in the body where `builder` is: computed there if
/// it is made of elements.
static Value makeInside(OpBuilder &builder, Value scalar) {
  ElementCode code = getElementCode(scalar);
  return code.isUsable() ? cloneCode(builder, code.ops, scalar) : scalar;
}

/// Lets the body of `op` compute its scalar operands, or take them from
/// outside; without them it is built anew.
static LinalgOp sinkOperands(IRRewriter &rewriter, LinalgOp op) {
  auto inputs = op.getDpsInputOperands();
  if (llvm::none_of(inputs,
                    [&](OpOperand *o) { return isScalarOperand(op, o); })) {
    reportOpaqueFill(op);
    return op;
  }
  FailureOr<linalg::GenericOp> made = toGeneric(rewriter, op);
  if (failed(made)) {
    return op;
  }
  linalg::GenericOp generic = *made;
  SmallVector<Value> kept;
  SmallVector<AffineMap> maps;
  Block *body = generic.getBlock();
  llvm::BitVector dropped(body->getNumArguments());
  for (OpOperand *input :
       cast<LinalgOp>(generic.getOperation()).getDpsInputOperands()) {
    if (isScalarOperand(generic, input)) {
      rewriter.setInsertionPointToStart(body);
      unsigned number = input->getOperandNumber();
      body->getArgument(number).replaceAllUsesWith(
          makeInside(rewriter, input->get()));
      dropped.set(number);
      continue;
    }
    kept.push_back(input->get());
    maps.push_back(generic.getMatchingIndexingMap(input));
  }
  for (OpOperand &init : generic.getOutputsMutable()) {
    maps.push_back(generic.getMatchingIndexingMap(&init));
  }
  body->eraseArguments(dropped);
  rewriter.setInsertionPoint(generic);
  auto renewed = linalg::GenericOp::create(
      rewriter, generic.getLoc(), generic.getResultTypes(), kept,
      generic.getOutputs(), maps, generic.getIteratorTypesArray());
  renewed->setDiscardableAttrs(generic->getDiscardableAttrDictionary());
  renewed.getRegion().takeBody(generic.getRegion());
  rewriter.replaceOp(generic, renewed);
  return renewed;
}

void fusion::sinkScalars(func::FuncOp func) {
  SmallVector<LinalgOp> ops;
  SmallVector<Operation *> scalars;
  func.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto linalgOp = dyn_cast<LinalgOp>(op)) {
      if (linalgOp.hasPureTensorSemantics()) {
        ops.push_back(linalgOp);
      }
      return WalkResult::skip();
    }
    if (op->getNumResults() != 0 &&
        llvm::none_of(op->getResultTypes(), llvm::IsaPred<ShapedType>)) {
      scalars.push_back(op);
    }
    return WalkResult::advance();
  });
  IRRewriter rewriter(func.getContext());
  for (LinalgOp op : ops) {
    sinkCaptured(sinkOperands(rewriter, op));
  }
  for (Operation *op : llvm::reverse(scalars)) {
    if (isOpTriviallyDead(op)) {
      op->erase();
    }
  }
}
