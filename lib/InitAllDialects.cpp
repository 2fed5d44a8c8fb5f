//===- InitAllDialects.cpp - the dialects of Fusion's pipelines -----------===//

#include "fusion/InitAllDialects.h"

#include "fusion/Dialect/Fusion/IR/Fusion.h"
#include "fusion/Tile/IR/Tile.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"

void mlir::fusion::registerAllDialects(DialectRegistry &registry) {
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  registerFusionDialects(registry);
}

void mlir::fusion::registerFusionDialects(DialectRegistry &registry) {
  registry.insert<FusionDialect, tile::TileDialect>();
}
