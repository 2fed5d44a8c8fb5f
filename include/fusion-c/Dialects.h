//===- Dialects.h - our dialects, for users of MLIR's C API -----*- C -*-===//

#ifndef FUSION_C_DIALECTS_H
#define FUSION_C_DIALECTS_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// mlirGetDialectHandle__fusion__() and mlirGetDialectHandle__tile__().
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Fusion, fusion);
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Tile, tile);

/// Registers our dialects, those of MLIR that our pipelines read and write, and
/// what the passes need of interfaces.
MLIR_CAPI_EXPORTED void
mlirRegisterFusionDialects(MlirDialectRegistry registry);

#ifdef __cplusplus
}
#endif

#endif /* FUSION_C_DIALECTS_H */
