//===- ReadScalars.cpp - elementwise ops read scalars as they are ---------===//
//
// A scalar that was broadcast has the order of dims of the tensor that it was
// broadcast to. Read as the one element that it is it has none, so that what it
// scales may be transposed and reshaped.
//
//===----------------------------------------------------------------------===//

#include "fusion/Analysis/Movement.h"
#include "fusion/Dialect/Fusion/IR/Directives.h"
#include "fusion/Planner/FormGroups.h"
#include "fusion/Planner/ReportKept.h"

using namespace mlir;
using namespace mlir::fusion;
using linalg::LinalgOp;

static bool hasOneElement(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() && tensor.getNumElements() == 1;
}

/// Returns whether a tensor of this type may turn out to have one element.
static bool mayHaveOneElement(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && llvm::all_of(tensor.getShape(), [](int64_t size) {
           return size == 1 || ShapedType::isDynamic(size);
         });
}

/// Returns whether `op` makes a larger tensor of what has one element, or may.
static bool repeatsScalars(LinalgOp op) {
  return op.isAllParallelLoops() && op.getNumDpsInputs() != 0 &&
         op->getNumResults() == 1 &&
         !mayHaveOneElement(op->getResult(0).getType()) &&
         llvm::all_of(op.getDpsInputs(), [](Value input) {
           return isa<RankedTensorType>(input.getType()) &&
                  mayHaveOneElement(traceMovement(input).source.getType());
         });
}

/// Returns whether `reader` may read a scalar in place of what `maker` makes of
/// it.
static FusionDecision canReadScalar(LinalgOp maker, LinalgOp reader) {
  for (LinalgOp op : {maker, reader}) {
    if (op->hasAttr(kNoFuseAttr)) {
      return FusionDecision::forbid(
          Twine(op == maker ? "the broadcast" : "what reads the scalar") +
          " is marked with " + kNoFuseAttr);
    }
  }
  if (!getMovement(maker)) {
    return FusionDecision::forbid(
        "the scalar is computed where it is broadcast");
  }
  Value source = traceMovement(maker->getResult(0)).source;
  if (!hasOneElement(source.getType())) {
    return FusionDecision::forbid(
        "only at run time is it known whether there is one element");
  }
  if (!reader.isAllParallelLoops()) {
    return FusionDecision::forbid("what reads the scalar is not elementwise");
  }
  if (!isa<linalg::GenericOp>(reader)) {
    return FusionDecision::forbid(
        "the name of the op that reads the scalar says what shape it has");
  }
  return FusionDecision::allow();
}

/// Says of each scalar that is still read as a larger tensor why.
static void reportScalars(func::FuncOp func) {
  func.walk([](LinalgOp maker) {
    if (!repeatsScalars(maker)) {
      return;
    }
    for (OpOperand &use : maker->getUses()) {
      auto reader = dyn_cast<LinalgOp>(use.getOwner());
      // What only moves the tensor is read through.
      bool movesOn =
          reader && getMovement(reader) && !maker->hasAttr(kNoFuseAttr);
      if (!reader || movesOn || !reader.isDpsInput(&use)) {
        continue;
      }
      FusionDecision decision = canReadScalar(maker, reader);
      if (!decision) {
        reportKept("ReadScalars", maker, decision.getReason());
      }
    }
  });
}

void fusion::readScalars(func::FuncOp func) {
  func.walk([](linalg::GenericOp op) {
    if (!op.isAllParallelLoops() || !op.hasPureTensorSemantics() ||
        op->hasAttr(kNoFuseAttr)) {
      return;
    }
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    bool changed = false;
    for (OpOperand *input : op.getDpsInputOperands()) {
      // Foreign linalg may read a scalar that is no tensor: it has no order.
      if (!isa<RankedTensorType>(input->get().getType())) {
        continue;
      }
      Value source = traceMovement(input->get()).source;
      auto type = cast<RankedTensorType>(source.getType());
      if (source == input->get() || !hasOneElement(type)) {
        continue;
      }
      input->set(source);
      SmallVector<AffineExpr> zeros(type.getRank(),
                                    getAffineConstantExpr(0, op.getContext()));
      maps[input->getOperandNumber()] =
          AffineMap::get(op.getNumLoops(), 0, zeros, op.getContext());
      changed = true;
    }
    // A broadcast itself stays as it is.
    if (changed) {
      op.setIndexingMapsAttr(
          Builder(op.getContext()).getAffineMapArrayAttr(maps));
    }
  });
  reportScalars(func);
}
