//===- InitAllPasses.cpp - the passes of Fusion ---------------------------===//

#include "fusion/InitAllPasses.h"

#include "fusion/Planner/Passes.h"
#include "fusion/Conversion/FusionToLinalg.h"
#include "fusion/Dialect/Fusion/Transforms/Passes.h"

#include "mlir/InitAllPasses.h"

void mlir::fusion::registerAllPasses() {
  mlir::registerAllPasses();
  registerFusionDialectPasses();
  registerFusionPlannerPasses();
}
