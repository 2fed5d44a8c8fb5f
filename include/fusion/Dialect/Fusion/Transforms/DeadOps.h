//===- DeadOps.h - ops that nothing needs -----------------------*- C++ -*-===//

#ifndef FUSION_DIALECT_FUSION_TRANSFORMS_DEADOPS_H
#define FUSION_DIALECT_FUSION_TRANSFORMS_DEADOPS_H

#include "mlir/IR/Block.h"

namespace mlir::fusion {

/// Erases the ops of `block` that have no effects and whose results nothing
/// reads but such ops. Regions of ops that stay are left as they are.
void eraseDeadOps(Block &block);

} // namespace mlir::fusion

#endif // FUSION_DIALECT_FUSION_TRANSFORMS_DEADOPS_H
