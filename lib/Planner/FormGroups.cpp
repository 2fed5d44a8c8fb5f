//===- FormGroups.cpp - gather linalg ops into groups ---------------------===//

#include "fusion/Planner/FormGroups.h"

#include "ReshapedReads.h"
#include "SharedMakers.h"
#include "SoftmaxOperands.h"
#include "TargetDevice.h"
#include "fusion/Dialect/Fusion/IR/Composite.h"
#include "fusion/Dialect/Fusion/IR/Directives.h"
#include "fusion/Dialect/Fusion/IR/Fusion.h"
#include "fusion/Planner/CheckDirectives.h"
#include "fusion/Planner/Choice.h"
#include "fusion/Planner/PackLaunches.h"
#include "fusion/Planner/Passes.h"
#include "fusion/Planner/Recompute.h"
#include "fusion/Planner/SearchFusions.h"
#include "fusion/Planner/SplitReductions.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"

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

namespace {
/// A plan, and the graph that it is of.
struct BlockPlan {
  UnitGraph graph;
  std::optional<FusionPlan> plan;
};
} // namespace

/// Plans `block` with `softmaxes` in a kernel each; `refusals` says why others
/// are not.
static std::unique_ptr<BlockPlan> planWith(Block &block,
                                           const PlannerOptions &options,
                                           ArrayRef<OnlineSoftmax> softmaxes,
                                           const ChainRefusals &refusals) {
  // On a CPU a padded copy is cheap, and lets inner loops run without bounds.
  bool onGPU = options.vertical && !options.device.isCPU();
  FoundChains found;
  if (options.vertical) {
    found = findChainedProducts(block, options, softmaxes);
  }
  auto result = std::make_unique<BlockPlan>();
  result->graph = collectUnits(block, onGPU, softmaxes, found.chains);
  // What is told of a softmax says more than that there is a reduction.
  for (const auto &[pair, why] : refusals) {
    found.refusals.insert_or_assign(pair, why);
  }
  result->graph.chainRefusals = std::move(found.refusals);
  result->plan.emplace(searchFusions(result->graph, options));
  return result;
}

/// Plans `block` anew without those of `softmaxes` that have few rows: a block
/// walks over all keys for them, where kernels apart spread the keys. Returns
/// the plan if it is estimated to be faster than `plan`, else null.
static std::unique_ptr<BlockPlan>
planWithoutFewRows(Block &block, const PlannerOptions &options,
                   ArrayRef<OnlineSoftmax> softmaxes,
                   const ChainRefusals &refusals, const BlockPlan &plan) {
  constexpr int64_t kFewRows = 16;
  SmallVector<OnlineSoftmax, 0> others;
  SmallVector<OnlineSoftmax, 0> few;
  for (const OnlineSoftmax &softmax : softmaxes) {
    OnlineSoftmaxShape shape;
    bool isFew = getOnlineSoftmaxShape(softmax, shape) &&
                 !ShapedType::isDynamic(shape.m) && shape.m <= kFewRows;
    (isFew ? few : others).push_back(softmax);
  }
  if (few.empty()) {
    return nullptr;
  }
  FusionTimes times;
  times.fusedUs = plan.plan->partition.getTotalUs();
  std::unique_ptr<BlockPlan> apart = planWith(block, options, others, refusals);
  times.apartUs = apart->plan->partition.getTotalUs();
  if (times.apartUs >= times.fusedUs) {
    return nullptr;
  }
  std::string why = llvm::formatv(
      "with few rows a block walks over all columns: estimated slower so "
      "({0:F1} us for the whole) than with kernels apart ({1:F1} us)",
      times.fusedUs, times.apartUs);
  for (const OnlineSoftmax &softmax : few) {
    remark::missed(softmax.scores->getLoc(),
                   remark::RemarkOpts::name("OnlineSoftmax").category("fusion"))
        << remark::reason("{0}", why);
    std::pair<Operation *, Operation *> key = {softmax.scores, softmax.values};
    apart->graph.chainRefusals.insert_or_assign(
        key, FusionDecision::forbid(why).withTimes(times));
  }
  return apart;
}

/// Puts the linalg ops of `block`, of `func`, into groups; adds what was
/// decided to `records`.
static void formGroupsIn(Block &block, func::FuncOp func,
                         const PlannerOptions &options,
                         SmallVectorImpl<RecordedDecision> &records) {
  // A sum that is rescaled on its way has other roundings than strict ones.
  SmallVector<OnlineSoftmax, 0> softmaxes;
  ChainRefusals refusals;
  if (options.vertical && !options.device.isCPU() && !options.strict) {
    softmaxes = findOnlineSoftmaxes(block, options.device, &refusals);
  }
  if (options.prologue) {
    for (OnlineSoftmax &softmax : softmaxes) {
      addOperandOps(softmax, options.device, refusals);
    }
    if (options.recompute) {
      copySharedMakers(softmaxes, options.device, refusals);
    }
  }
  std::unique_ptr<BlockPlan> best =
      planWith(block, options, softmaxes, refusals);
  if (auto apart =
          planWithoutFewRows(block, options, softmaxes, refusals, *best)) {
    best = std::move(apart);
  }
  recomputeValues(best->graph, *best->plan, options);
  reportPlan(*best->plan, best->graph, func, records);
  buildGroups(block, best->graph, best->plan->partition);
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
  reportNamesApart(func);
  // Asked again: branches that nothing needs are gone.
  SmallVector<RecordedDecision, 0> records;
  for (Block *block : getBlocks(func)) {
    formGroupsIn(*block, func, options, records);
  }
  appendDecisions(func, records);
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
    if (failed(checkDirectives(func)) ||
        failed(setPlannerOptions(func, target, fuse, options))) {
      return signalPassFailure();
    }
    formGroups(func, options);
  }
};
} // namespace
