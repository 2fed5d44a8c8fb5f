//===- ResolveSizes.h - sizes of tensors without the tensors ----*- C++ -*-===//

#ifndef FUSION_LIB_PLANNER_RESOLVESIZES_H
#define FUSION_LIB_PLANNER_RESOLVESIZES_H

#include "mlir/IR/Block.h"

namespace mlir::fusion {

/// Computes the sizes that `block` asks tensors for from those that the tensors
/// are made with, as far back as possible, and erases dead ops: no op is kept
/// for its size alone.
void resolveSizes(Block &block);

} // namespace mlir::fusion

#endif // FUSION_LIB_PLANNER_RESOLVESIZES_H
