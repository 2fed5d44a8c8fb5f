//===- TilesToGPU.h - tile programs to threads ------------------*- C++ -*-===//

#ifndef FUSION_CONVERSION_TILESTOGPU_TILESTOGPU_H
#define FUSION_CONVERSION_TILESTOGPU_TILESTOGPU_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::fusion {

/// Replaces `func`, a tile program whose tiles have layouts, by an `llvm.func`
/// of the same name: what one thread does. Parameters, attributes and shared
/// memory are as docs/Architecture.md says. On failure (diagnosed) `func`
/// stays.
LogicalResult lowerTileKernel(gpu::GPUFuncOp func, int64_t maxSharedBytes);

} // namespace mlir::fusion

#endif // FUSION_CONVERSION_TILESTOGPU_TILESTOGPU_H
