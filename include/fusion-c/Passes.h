//===- Passes.h - our passes, for users of MLIR's C API ---------*- C -*-===//

#ifndef FUSION_C_PASSES_H
#define FUSION_C_PASSES_H

#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Registers our passes and pipelines, and MLIR's, so that
/// mlirParsePassPipeline knows them. May be called more than once and from
/// several threads.
MLIR_CAPI_EXPORTED void mlirRegisterFusionPasses(void);

#ifdef __cplusplus
}
#endif

#endif /* FUSION_C_PASSES_H */
