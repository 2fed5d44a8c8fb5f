//===- FitGroups.cpp - every group becomes a kernel -----------------------===//
//
// What a kernel can hold is known for sure where it is built. So each distinct
// group of several ops is compiled once, alone, before the plan is settled.
//
//===----------------------------------------------------------------------===//

#include "fusion/Conversion/FitGroups/FitGroups.h"

#include "fusion/Conversion/Passes.h"
#include "fusion/Dialect/Fusion/IR/Composite.h"
#include "fusion/Planner/Passes.h"
#include "fusion/Planner/SplitGroup.h"
#include "fusion/Tile/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::fusion;

namespace mlir::fusion {
#define GEN_PASS_DEF_FITGROUPS
#include "fusion/Conversion/Passes.h.inc"
} // namespace mlir::fusion

void fusion::buildTrialPipeline(OpPassManager &pm, StringRef target,
                                bool strict) {
  if (!strict) {
    pm.addNestedPass<func::FuncOp>(createElideRoundings());
  }
  pm.addPass(createOutlineGroups());
  pm.addPass(createCanonicalizerPass());
  GroupToTilesOptions tiles;
  tiles.target = target.str();
  tiles.strict = strict;
  pm.addPass(createGroupToTiles(tiles));
  pm.addPass(createCSEPass());
  pm.addNestedPass<gpu::GPUModuleOp>(createTileAssignLayouts());
  pm.addPass(createTilePipelineCopies());
  pm.addNestedPass<gpu::GPUModuleOp>(createTilesToGPU({target.str()}));
}

namespace {
/// Compiles groups, each distinct one once.
class Trials {
public:
  Trials(ModuleOp module, llvm::function_ref<LogicalResult(ModuleOp)> run)
      : module(module), run(run) {}

  /// Why no kernel can hold `group`; empty if one can.
  StringRef findRefusal(GroupOp group);

private:
  std::string compile(GroupOp group);

  ModuleOp module;
  llvm::function_ref<LogicalResult(ModuleOp)> run;
  llvm::StringMap<std::string> known; // by what the group is
};
} // namespace

/// What `group` is, but for its name and where it comes from.
static std::string getText(GroupOp group) {
  OwningOpRef<GroupOp> copy = group.clone();
  copy->setName("");
  std::string text;
  llvm::raw_string_ostream os(text);
  copy->print(os, OpPrintingFlags().useLocalScope().enableDebugInfo(false));
  return text;
}

/// Makes a function @main in `trial` that has `group` alone: its tensors are
/// arguments, its sizes those of further ones.
static void createMain(ModuleOp trial, GroupOp group) {
  Location loc = group.getLoc();
  OpBuilder builder = OpBuilder::atBlockEnd(trial.getBody());
  auto main = func::FuncOp::create(builder, loc, "main",
                                   builder.getFunctionType({}, {}));
  builder.setInsertionPointToStart(main.addEntryBlock());
  auto addArgument = [&](Type type) -> Value {
    unsigned last = main.getNumArguments();
    (void)main.insertArgument(last, type, {}, loc);
    return main.getArgument(last);
  };
  auto addSize = [&]() -> Value {
    auto line =
        RankedTensorType::get({ShapedType::kDynamic}, builder.getI8Type());
    return tensor::DimOp::create(builder, loc, addArgument(line), 0);
  };
  IRMapping mapping;
  for (Value input : group.getInputs()) {
    if (!mapping.contains(input)) {
      mapping.map(input, input.getType().isIndex()
                             ? addSize()
                             : addArgument(input.getType()));
    }
  }
  SmallVector<Value> inits;
  for (Value init : group.getInits()) {
    auto type = cast<RankedTensorType>(init.getType());
    SmallVector<Value> sizes;
    for (size_t i = type.getNumDynamicDims(); i > 0; --i) {
      sizes.push_back(addSize());
    }
    inits.push_back(tensor::EmptyOp::create(builder, loc, type, sizes));
  }
  auto clone = cast<GroupOp>(builder.clone(*group, mapping));
  clone.getInitsMutable().assign(inits);
  func::ReturnOp::create(builder, loc, clone->getResults());
  main.setFunctionType(builder.getFunctionType(main.getArgumentTypes(),
                                               clone->getResultTypes()));
}

/// Compiles `group` alone; returns what is said against it.
std::string Trials::compile(GroupOp group) {
  std::string refusal;
  ScopedDiagnosticHandler handler(
      group.getContext(), [&](Diagnostic &diagnostic) {
        bool isError = diagnostic.getSeverity() == DiagnosticSeverity::Error;
        if (isError && refusal.empty()) {
          refusal = diagnostic.str();
        }
        return success();
      });
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  auto trial = ModuleOp::create(builder, group.getLoc());
  createMain(trial, group);
  bool failed = mlir::failed(run(trial));
  trial.erase();
  return !failed ? "" : refusal.empty() ? "code generation failed" : refusal;
}

StringRef Trials::findRefusal(GroupOp group) {
  auto [entry, isNew] = known.try_emplace(getText(group));
  if (isNew) {
    entry->second = compile(group);
  }
  return entry->second;
}

/// Whether there is something to split: a pinned schedule is the user's.
static bool mayBeSplit(GroupOp group) {
  auto isTensorOrSize = [](Type type) {
    return isa<RankedTensorType>(type) || type.isIndex();
  };
  auto ops = group.getBodyBlock()->getOps<linalg::LinalgOp>();
  size_t count = llvm::count_if(
      ops, [](linalg::LinalgOp op) { return !isa<linalg::FillOp>(op); });
  return count > 1 && !group.getScheduleAttr() &&
         llvm::all_of(group.getOperandTypes(), isTensorOrSize);
}

/// Keeps in `func` that the ops of `split` are apart, and why.
static void recordSplit(func::FuncOp func, SplitGroup &split,
                        StringRef reason) {
  SmallVector<RecordedDecision, 0> decisions = readDecisions(func);
  for (RecordedDecision &apart : split.apart) {
    llvm::erase_if(decisions, [&](const RecordedDecision &decision) {
      return decision.producer == apart.producer &&
             decision.consumer == apart.consumer;
    });
    apart.reason = reason.str();
    decisions.push_back(apart);
  }
  recordDecisions(func, decisions);
}

void fusion::fitGroups(ModuleOp module, const PlannerOptions &options,
                       llvm::function_ref<LogicalResult(ModuleOp)> run) {
  Trials trials(module, run);
  for (auto func : llvm::to_vector(module.getOps<func::FuncOp>())) {
    SmallVector<GroupOp> work;
    func.walk([&](GroupOp group) { work.push_back(group); });
    std::reverse(work.begin(), work.end());
    while (!work.empty()) {
      GroupOp group = work.pop_back_val();
      if (isComposite(group) || !mayBeSplit(group)) {
        continue;
      }
      std::string refusal = trials.findRefusal(group).str();
      if (refusal.empty()) {
        continue;
      }
      Location loc = group.getLoc();
      std::string name = group.getName().str();
      FailureOr<SplitGroup> split = splitGroup(group, options);
      if (failed(split)) {
        continue; // converting it says what is wrong
      }
      std::string reason = "no kernel holds both: " + refusal;
      remark::missed(loc, remark::RemarkOpts::name("FitGroups")
                              .category("fusion")
                              .function(func.getName()))
          << remark::reason("{0}", reason) << remark::metric("Group", name);
      recordSplit(func, *split, reason);
      work.append(split->groups.rbegin(), split->groups.rend());
    }
  }
}

namespace {
struct FitGroups : fusion::impl::FitGroupsBase<FitGroups> {
  using FitGroupsBase::FitGroupsBase;

  void runOnOperation() override {
    PlannerOptions options;
    std::optional<DeviceModel> device = getDeviceModel(target);
    if (!device || device->isCPU()) {
      getOperation().emitError("expected a GPU as target, but got '")
          << target << "'";
      return signalPassFailure();
    }
    options.device = *device;
    options.strict = strict;
    OpPassManager trial(ModuleOp::getOperationName());
    buildTrialPipeline(trial, target, strict);
    fitGroups(getOperation(), options,
              [&](ModuleOp module) { return runPipeline(trial, module); });
  }
};
} // namespace
