//===- InitAllPasses.cpp - the passes of Fusion ---------------------------===//

#include "fusion/InitAllPasses.h"

#include "fusion/Conversion/GroupToCPU/GroupToCPU.h"
#include "fusion/Conversion/HostToLLVM/LowerHost.h"
#include "fusion/Conversion/Passes.h"
#include "fusion/Dialect/Fusion/Transforms/Passes.h"
#include "fusion/Pipelines/Pipelines.h"
#include "fusion/Planner/Passes.h"
#include "fusion/Tile/Passes.h"

#include "mlir/InitAllPasses.h"

void mlir::fusion::registerAllPasses() {
  mlir::registerAllPasses();
  registerFusionPasses();
}

void mlir::fusion::registerFusionPasses() {
  registerFusionDialectPasses();
  registerFusionPlannerPasses();
  registerFusionConversionPasses();
  registerFusionTilePasses();
  registerGroupToCPUPipeline();
  registerLowerHostPipeline();
  registerPipelines();
}
