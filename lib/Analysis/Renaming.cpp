//===- Renaming.cpp - ops that give a tensor other dims -------------------===//

#include "fusion/Analysis/Renaming.h"

using namespace mlir;
using namespace mlir::fusion;

bool fusion::isReshape(Operation *op) {
  return isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op);
}

bool fusion::isRenaming(Operation *op) {
  return isReshape(op) || isa_and_nonnull<tensor::CastOp>(op);
}
