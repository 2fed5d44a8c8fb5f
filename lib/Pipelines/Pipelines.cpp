//===- Pipelines.cpp - the stages as pipelines ------------------*- C++ -*-===//

#include "fusion/Pipelines/Pipelines.h"
#include "fusion/Conversion/GroupToCPU/GroupToCPU.h"
#include "fusion/Conversion/HostToLLVM/LowerHost.h"
#include "fusion/Conversion/Passes.h"
#include "fusion/Dialect/Fusion/Transforms/Passes.h"
#include "fusion/Planner/Passes.h"
#include "fusion/Tile/Passes.h"

using namespace mlir;
using namespace mlir::fusion;

static void addCleanUp(OpPassManager &pm) {
  pm.addPass(createCanonicalize());
  pm.addPass(createCSE());
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

/// Splits groups that no kernel can hold.
static void addFitGroups(OpPassManager &pm, const PipelineOptions &options,
                         bool compositesOnly) {
  if (options.isCPU()) {
    return;
  }
  FitGroupsOptions fit;
  fit.target = options.target;
  fit.strict = options.numerics == Numerics::Strict;
  fit.compositesOnly = compositesOnly;
  pm.addPass(createFitGroups(fit));
}

void mlir::fusion::buildLinalgToGroups(OpPassManager &pm,
                                       const PipelineOptions &options) {
  // What other compilers write between linalg ops.
  pm.addNestedPass<func::FuncOp>(createAdoptLinalg());
  // The plan: legality, then profit on the target.
  FormGroupsOptions plan;
  plan.target = options.getDevice().str();
  plan.fuse = getText(options.fuse);
  plan.strict = options.numerics == Numerics::Strict;
  MergeArmsOptions arms;
  arms.target = plan.target;
  arms.fuse = plan.fuse;
  pm.addNestedPass<func::FuncOp>(createPrepareConditionals());
  pm.addNestedPass<func::FuncOp>(createMergeArms(arms));
  pm.addNestedPass<func::FuncOp>(createFormGroups(plan));
  addFitGroups(pm, options, /*compositesOnly=*/false);
  // Groups that share a launch; those of a branch run under its condition.
  PackLaunchesOptions launches;
  launches.target = plan.target;
  launches.fuse = plan.fuse;
  PlacePredicatesOptions predicates;
  predicates.target = plan.target;
  predicates.fuse = plan.fuse;
  pm.addNestedPass<func::FuncOp>(createFlattenConditionals());
  pm.addNestedPass<func::FuncOp>(createPlacePredicates(predicates));
  pm.addNestedPass<func::FuncOp>(createPackLaunches(launches));
  pm.addNestedPass<func::FuncOp>(createInlinePredicates());
  pm.addPass(createCSE());
  addFitGroups(pm, options, /*compositesOnly=*/true);
  // What no pass was asked about has a reason too.
  pm.addNestedPass<func::FuncOp>(createExplainEdges());
}

void mlir::fusion::buildGroupsToTiles(OpPassManager &pm,
                                      const PipelineOptions &options) {
  // 1. Inside a kernel, values stay in the type of their computation.
  if (options.numerics != Numerics::Strict) {
    pm.addNestedPass<func::FuncOp>(createElideRoundings());
  }
  // 2. The host program, and one function for each distinct group.
  pm.addPass(createOutlineGroups());
  pm.addPass(createCanonicalize());
  if (options.isCPU()) {
    return;
  }
  // 3. Group functions become launches of tile programs.
  GroupToTilesOptions tiles;
  tiles.target = options.target;
  tiles.strict = options.numerics == Numerics::Strict;
  pm.addPass(createGroupToTiles(tiles));
  // No canonicalizer: it would inline a loop over k that has one step, and
  // tile-pipeline-copies looks for loops.
  pm.addPass(createCSE());
  // 4. Who holds which element, and when it is copied.
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
  // The code of one thread. Math functions are expanded, and what PTX cannot
  // say refused, on the way to PTX (Target/PTX).
  kernels.addPass(createTilesToGPU({options.target}));
  addCleanUp(kernels);
  // Parts of one launch share a kernel.
  pm.addPass(createMergeLaunches());
  // What a kernel cannot take as parameters stands in memory.
  pm.addPass(createTabulateParameters());
}

void mlir::fusion::buildGPUToLLVM(OpPassManager &pm,
                                  const PipelineOptions &options) {
  // One workspace for all intermediates, then launches and the C contract. The
  // kernels go with it: their PTX is made before.
  buildLowerHostPipeline(pm, options.target);
}

void mlir::fusion::addLimits(OpPassManager &pm,
                             const PipelineOptions &options) {
  if (!options.limits.empty()) {
    pm.addPass(createSetLimits({options.limits}));
  }
}

void mlir::fusion::buildStages(OpPassManager &pm, Stage from, Stage to,
                               const PipelineOptions &options) {
  using Build = void (*)(OpPassManager &, const PipelineOptions &);
  constexpr Build stages[] = {buildGraphPipeline,  buildGraphToLinalg,
                              buildLinalgToGroups, buildGroupsToTiles,
                              buildTilesToGPU,     buildGPUToLLVM};
  addLimits(pm, options);
  for (int stage = int(from); stage < int(to); ++stage) {
    stages[stage](pm, options);
  }
}
