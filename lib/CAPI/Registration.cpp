//===- Registration.cpp - dialects and passes for MLIR's C API ------------===//

#include "mlir/CAPI/Registration.h"
#include "fusion-c/Dialects.h"
#include "fusion-c/Passes.h"
#include "fusion/Dialect/Fusion/IR/Fusion.h"
#include "fusion/InitAllDialects.h"
#include "fusion/InitAllPasses.h"
#include "fusion/Tile/IR/Tile.h"
#include <mutex>

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Fusion, fusion,
                                      mlir::fusion::FusionDialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Tile, tile,
                                      mlir::fusion::tile::TileDialect)

void mlirRegisterFusionDialects(MlirDialectRegistry registry) {
  mlir::fusion::registerAllDialects(*unwrap(registry));
}

void mlirRegisterFusionPasses(void) {
  static std::once_flag once;
  std::call_once(once, mlir::fusion::registerAllPasses);
}
