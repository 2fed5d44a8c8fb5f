//===- FormGroups.cpp - gather linalg ops into groups ---------------------===//

#include "fusion/Planner/FormGroups.h"

#include "ReshapedReads.h"
#include "SoftmaxOperands.h"
#include "TargetDevice.h"
#include "fusion/Dialect/Fusion/IR/Composite.h"
#include "fusion/Dialect/Fusion/IR/Directives.h"
#include "fusion/Dialect/Fusion/IR/Fusion.h"
#include "fusion/Planner/Choice.h"
#include "fusion/Planner/PackLaunches.h"
#include "fusion/Planner/Passes.h"
#include "fusion/Planner/Recompute.h"
#include "fusion/Planner/SearchFusions.h"
#include "fusion/Planner/SplitReductions.h"

using namespace mlir;
using namespace mlir::fusion;

namespace mlir::fusion {
#define GEN_PASS_DEF_FORMGROUPS
#include "fusion/Planner/Passes.h.inc"
} // namespace mlir::fusion

LogicalResult fusion::setPlannerOptions(func::FuncOp func, StringRef target,
                                        StringRef fuse,
                                        PlannerOptions &options) {
  FailureOr<DeviceModel> device = findDevice(func, target);
  if (failed(device)) {
    return failure();
  }
  options.device = *device;
  std::optional<std::string> error = parseFuseKinds(fuse, options);
  return error ? LogicalResult(func.emitError(*error)) : success();
}

LogicalResult fusion::planBlock(
    func::FuncOp func, StringRef target, StringRef fuse,
    llvm::function_ref<void(func::FuncOp, const PlannerOptions &)> plan) {
  if (func.isExternal() || !func.getBody().hasOneBlock()) {
    return success();
  }
  PlannerOptions options;
  if (failed(setPlannerOptions(func, target, fuse, options))) {
    return failure();
  }
  plan(func, options);
  return success();
}

/// Puts the linalg ops of `block`, of `func`, into groups.
static void formGroupsIn(Block &block, func::FuncOp func,
                         const PlannerOptions &options) {
  // On a CPU a padded copy is cheap, and lets inner loops run without bounds.
  bool onGPU = options.vertical && !options.device.isCPU();
  // A sum that is rescaled on its way has other roundings than strict ones.
  SmallVector<OnlineSoftmax, 0> softmaxes;
  ChainRefusals refusals;
  if (onGPU && !options.strict) {
    softmaxes = findOnlineSoftmaxes(block, options.device, &refusals);
  }
  if (options.prologue) {
    for (OnlineSoftmax &softmax : softmaxes) {
      addOperandOps(softmax, options.device, refusals);
    }
  }
  FoundChains found;
  if (options.vertical) {
    found = findChainedProducts(block, options, softmaxes);
  }
  UnitGraph graph = collectUnits(block, onGPU, softmaxes, found.chains);
  // What is told of a softmax says more than that there is a reduction.
  for (auto &[pair, why] : refusals) {
    found.refusals.insert_or_assign(pair, std::move(why));
  }
  graph.chainRefusals = std::move(found.refusals);
  FusionPlan plan = searchFusions(graph, options);
  recomputeValues(graph, plan, options);
  reportPlan(plan, graph, func);
  buildGroups(block, graph, plan.partition);
}

/// Returns the body of `func`, and before it the blocks of its branches.
static SmallVector<Block *> getBlocks(func::FuncOp func) {
  SmallVector<Block *> blocks;
  for (IfOp branch : getBranches(func)) {
    blocks.push_back(&branch.getThenRegion().front());
    blocks.push_back(&branch.getElseRegion().front());
  }
  blocks.push_back(&func.getBody().front());
  return blocks;
}

void fusion::formGroups(func::FuncOp func, const PlannerOptions &options) {
  {
    DirectiveKeeper keeper(func);
    lowerPads(func);
    if (options.vertical) {
      if (!options.device.isCPU()) {
        sliceProducts(func);
      }
      readScalars(func);
      sinkTransposes(func);
      sinkReshapes(func);
      placeParts(func);
      if (!options.device.isCPU()) {
        inlineReads(func);
        expandRepeats(func);
      }
      foldTransposes(func);
      if (!options.device.isCPU()) {
        splitProducts(func);
      }
      layOutWindows(func, options.device);
      if (options.prologue) {
        expandBlocks(func, options.device.isCPU());
      }
    }
    splitReductions(func, options.device);
    settleChoices(func);
    settleBranchResults(func);
    for (Block *block : getBlocks(func)) {
      prepareForGrouping(*block);
    }
  }
  // Asked again: branches that nothing needs are gone.
  for (Block *block : getBlocks(func)) {
    formGroupsIn(*block, func, options);
  }
  copySharedResults(func);
  recordReshapedReads(func);
}

namespace {
struct FormGroupsPass : mlir::fusion::impl::FormGroupsBase<FormGroupsPass> {
  using FormGroupsBase::FormGroupsBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isExternal()) {
      return;
    }
    if (!func.getBody().hasOneBlock()) {
      func.emitError("expected one block, but got ")
          << func.getBody().getBlocks().size();
      return signalPassFailure();
    }
    PlannerOptions options;
    options.strict = strict;
    if (failed(setPlannerOptions(func, target, fuse, options))) {
      return signalPassFailure();
    }
    formGroups(func, options);
  }
};
} // namespace
