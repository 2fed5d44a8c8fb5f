//===- ReadScalars.cpp - elementwise ops read scalars as they are ---------===//
//
// A scalar that was broadcast has the order of dims of the tensor that it was
// broadcast to. Read as the one element that it is it has none, so that what it
// scales may be transposed and reshaped.
//
//===----------------------------------------------------------------------===//

#include "fusion/Analysis/Movement.h"
#include "fusion/Planner/FormGroups.h"

using namespace mlir;
using namespace mlir::fusion;

void fusion::readScalars(func::FuncOp func) {
  func.walk([](linalg::GenericOp op) {
    if (!op.isAllParallelLoops() || !op.hasPureTensorSemantics()) {
      return;
    }
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    bool changed = false;
    for (OpOperand *input : op.getDpsInputOperands()) {
      // Foreign linalg may read a scalar that is no tensor: it has no order.
      if (!isa<RankedTensorType>(input->get().getType())) {
        continue;
      }
      Movement movement = traceMovement(input->get());
      auto type = cast<ShapedType>(movement.source.getType());
      if (movement.source == input->get() || !type.hasStaticShape() ||
          type.getNumElements() != 1) {
        continue;
      }
      input->set(movement.source);
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
}
