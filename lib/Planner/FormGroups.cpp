//===- FormGroups.cpp - gather linalg ops into groups ---------------------===//

#include "fusion/Planner/FormGroups.h"

#include "fusion/Dialect/Fusion/IR/Directives.h"
#include "fusion/Dialect/Fusion/IR/Fusion.h"
#include "fusion/Planner/Choice.h"
#include "fusion/Planner/PackLaunches.h"
#include "fusion/Planner/Passes.h"
#include "fusion/Planner/SearchFusions.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::fusion;

namespace mlir::fusion {
#define GEN_PASS_DEF_FORMGROUPS
#include "fusion/Planner/Passes.h.inc"
} // namespace mlir::fusion

/// The flag of `options` that the kind of fusion `kind` is; null if none is.
static bool *findKind(StringRef kind, PlannerOptions &options) {
  return llvm::StringSwitch<bool *>(kind)
      .Case("vertical", &options.vertical)
      .Case("horizontal", &options.horizontal)
      .Case("conditional", &options.conditional)
      .Case("prologue", &options.prologue)
      .Default(nullptr);
}

std::optional<std::string> fusion::parseFuseOption(StringRef fuse,
                                                   PlannerOptions &options) {
  options.vertical = options.horizontal = options.conditional = false;
  options.prologue = true;
  SmallVector<StringRef> kinds;
  llvm::SplitString(fuse, kinds, ",");
  for (StringRef kind : kinds) {
    StringRef named = kind;
    bool wanted = !named.consume_front("-");
    if (bool *flag = findKind(named, options)) {
      *flag = wanted;
    } else if (wanted && (kind == "all" || kind == "none")) {
      options.vertical = options.horizontal = options.conditional =
          kind == "all";
    } else {
      return ("expected 'all', 'none' or some of 'vertical', 'horizontal', "
              "'conditional' and 'prologue' to fuse, '-' before what is left "
              "out, but got '" +
              kind + "'")
          .str();
    }
  }
  return std::nullopt;
}

LogicalResult fusion::setPlannerOptions(func::FuncOp func, StringRef target,
                                        StringRef fuse,
                                        PlannerOptions &options) {
  std::optional<DeviceModel> device = getDeviceModel(target);
  if (!device) {
    return func.emitError("expected a known target, but got '")
           << target << "'";
  }
  options.device = *device;
  std::optional<std::string> error = parseFuseOption(fuse, options);
  return error ? LogicalResult(func.emitError(*error)) : success();
}

/// Puts the linalg ops of `block`, of `func`, into groups.
static void formGroupsIn(Block &block, func::FuncOp func,
                         const PlannerOptions &options) {
  // On a CPU a padded copy is cheap, and lets inner loops run without bounds.
  bool onGPU = options.vertical && !options.device.isCPU();
  // A sum that is rescaled on its way has other roundings than strict ones.
  SmallVector<OnlineSoftmax, 0> softmaxes;
  if (onGPU && !options.strict) {
    softmaxes = findOnlineSoftmaxes(block, options.device);
  }
  FoundChains found;
  if (options.vertical) {
    found = findChainedProducts(block, options, softmaxes);
  }
  UnitGraph graph = collectUnits(block, onGPU, softmaxes, found.chains);
  graph.chainRefusals = std::move(found.refusals);
  FusionPlan plan = searchFusions(graph, options);
  reportPlan(plan, graph, func);
  buildGroups(block, graph, plan.partition);
}

void fusion::formGroups(func::FuncOp func, const PlannerOptions &options) {
  // The body, and before it the regions of its branches.
  SmallVector<Block *> blocks;
  {
    DirectiveKeeper keeper(func);
    lowerPads(func);
    if (options.vertical) {
      sinkTransposes(func);
      sinkReshapes(func);
      if (!options.device.isCPU()) {
        inlineReads(func);
        expandRepeats(func);
      }
      foldTransposes(func);
      if (options.prologue && !options.device.isCPU()) {
        expandBlocks(func);
      }
    }
    settleChoices(func);
    settleBranchResults(func);
    func.walk([&](IfOp branch) {
      blocks.push_back(&branch.getThenRegion().front());
      blocks.push_back(&branch.getElseRegion().front());
    });
    blocks.push_back(&func.getBody().front());
    for (Block *block : blocks) {
      prepareForGrouping(*block);
    }
  }
  for (Block *block : blocks) {
    formGroupsIn(*block, func, options);
  }
  copySharedResults(func);
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
