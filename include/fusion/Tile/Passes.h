//===- Passes.h - passes on tile programs -----------------------*- C++ -*-===//

#ifndef FUSION_TILE_PASSES_H
#define FUSION_TILE_PASSES_H

#include "fusion/Tile/IR/Tile.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::fusion {

#define GEN_PASS_DECL
#include "fusion/Tile/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "fusion/Tile/Passes.h.inc"

} // namespace mlir::fusion

#endif // FUSION_TILE_PASSES_H
