//===- Pipelines.cpp - the stages as pipelines ------------------*- C++ -*-===//

#include "fusion/Pipelines/Pipelines.h"
#include "fusion/Conversion/GroupToCPU/GroupToCPU.h"
#include "fusion/Conversion/Passes.h"
#include "fusion/Dialect/Fusion/Transforms/Passes.h"
#include "fusion/Planner/Passes.h"
#include "fusion/Tile/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::fusion;

static void addCleanUp(OpPassManager &pm) {
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

void mlir::fusion::buildGraphPipeline(OpPassManager &pm,
                                      const PipelineOptions &options) {
  addCleanUp(pm);
}

void mlir::fusion::buildGraphToLinalg(OpPassManager &pm,
                                      const PipelineOptions &options) {
  // 1. Composite ops become elementwise ops and reductions.
  pm.addPass(createDecompose());
  addCleanUp(pm);
  // 2. One linalg op per graph op.
  pm.addPass(createFusionToLinalg());
  addCleanUp(pm);
}

void mlir::fusion::buildLinalgToGroups(OpPassManager &pm,
                                       const PipelineOptions &options) {
  // 1. The plan: legality, then profit on the target.
  FormGroupsOptions plan;
  plan.target = options.target;
  plan.fuse = getText(options.fuse);
  pm.addNestedPass<func::FuncOp>(createFormGroups(plan));
  // 2. Inside a kernel, values stay in the type of their computation.
  if (options.numerics != Numerics::Strict) {
    pm.addNestedPass<func::FuncOp>(createElideRoundings());
  }
  pm.addPass(createCSEPass());
}

void mlir::fusion::buildGroupsToTiles(OpPassManager &pm,
                                      const PipelineOptions &options) {
  // 1. The host program, and one function for each distinct group.
  pm.addPass(createOutlineGroups());
  pm.addPass(createCanonicalizerPass());
  if (options.isCPU()) {
    return;
  }
  // 2. Group functions become launches of tile programs.
  GroupToTilesOptions tiles;
  tiles.target = options.target;
  tiles.strict = options.numerics == Numerics::Strict;
  pm.addPass(createGroupToTiles(tiles));
  addCleanUp(pm);
  // 3. Who holds which element, and when it is copied.
  pm.addNestedPass<gpu::GPUModuleOp>(createTileAssignLayouts());
  pm.addPass(createTilePipelineCopies());
}

void mlir::fusion::buildTilesToGPU(OpPassManager &pm,
                                   const PipelineOptions &options) {
  if (options.isCPU()) {
    buildGroupToCPUPipeline(pm);
    return;
  }
  auto &kernels = pm.nest<gpu::GPUModuleOp>();
  // 1. The code of one thread.
  kernels.addPass(createTilesToGPU({options.target}));
  // 2. Math functions, and what of them the target cannot select.
  ExpandMathOptions math;
  math.hardwareExp = options.numerics != Numerics::Strict;
  kernels.addPass(createExpandMath(math));
  addCleanUp(kernels);
  kernels.addPass(createVerifyPTXLegal({options.target}));
}

void mlir::fusion::buildGPUToLLVM(OpPassManager &pm,
                                  const PipelineOptions &options) {
  if (options.isCPU()) {
    buildCPUToLLVMPipeline(pm);
    return;
  }
  // 1. One workspace for all intermediates.
  pm.addPass(createPlanWorkspace());
  // 2. Launches and the C contract. Kernels stay MLIR: PTX is made from them.
  pm.addPass(createHostToLLVM({options.target}));
}

void mlir::fusion::buildStages(OpPassManager &pm, Stage from, Stage to,
                               const PipelineOptions &options) {
  using Build = void (*)(OpPassManager &, const PipelineOptions &);
  constexpr Build stages[] = {buildGraphToLinalg, buildLinalgToGroups,
                              buildGroupsToTiles, buildTilesToGPU,
                              buildGPUToLLVM};
  for (int stage = int(from); stage < int(to); ++stage) {
    stages[stage](pm, options);
  }
}
