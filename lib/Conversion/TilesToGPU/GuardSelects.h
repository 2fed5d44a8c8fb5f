//===- GuardSelects.h - branches around what no element needs ---*- C++ -*-===//

#ifndef FUSION_LIB_CONVERSION_TILESTOGPU_GUARDSELECTS_H
#define FUSION_LIB_CONVERSION_TILESTOGPU_GUARDSELECTS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::fusion {

/// On the first select that a select of tiles becomes: how many follow one
/// another, one for each register. All lanes of a warp run them.
constexpr llvm::StringLiteral kTileSelects = "fusion.tile_selects";

/// Moves expensive sides of the marked selects of `kernel` into branches that a
/// warp takes where one of its lanes wants them; the marks go away.
void guardSelects(LLVM::LLVMFuncOp kernel);

} // namespace mlir::fusion

#endif // FUSION_LIB_CONVERSION_TILESTOGPU_GUARDSELECTS_H
