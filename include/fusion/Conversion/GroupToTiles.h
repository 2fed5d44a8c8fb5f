//===- GroupToTiles.h - from a group to a tile program ----------*- C++ -*-===//

#ifndef FUSION_CONVERSION_GROUPTOTILES_H
#define FUSION_CONVERSION_GROUPTOTILES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::fusion {

/// Turns the body of an outlined group function (docs/Architecture.md, stage
/// 3b) into host code that launches a kernel in `gpu.module @kernels`, and
/// makes that kernel. `chip` is a name such as "sm_90a". With `strict` every
/// graph value is rounded to its type. Fails with a diagnostic where the group
/// holds what tiles cannot express or its pinned schedule doesn't fit.
LogicalResult convertGroupToTiles(func::FuncOp function, StringRef chip,
                                  bool strict);

} // namespace mlir::fusion

#endif // FUSION_CONVERSION_GROUPTOTILES_H
