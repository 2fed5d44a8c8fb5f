//===- FitGroups.cpp - every group becomes a kernel -----------------------===//
//
// What a kernel can hold is known for sure where it is built. So each distinct
// group of several ops is compiled once, alone, before the plan is settled.
//
//===----------------------------------------------------------------------===//

#include "fusion/Conversion/FitGroups/FitGroups.h"

#include "Trials.h"
#include "UnpackLaunch.h"
#include "fusion/Conversion/OutlineGroups/OutlineGroups.h"
#include "fusion/Conversion/Passes.h"
#include "fusion/Dialect/Fusion/Transforms/Passes.h"
#include "fusion/Planner/Passes.h"
#include "fusion/Planner/SplitGroup.h"
#include "fusion/Schedule/Limits.h"
#include "fusion/Schedule/Smaller.h"
#include "fusion/Tile/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::fusion;

namespace mlir::fusion {
#define GEN_PASS_DEF_FITGROUPS
#include "fusion/Conversion/Passes.h.inc"
} // namespace mlir::fusion

void fusion::buildTrialPipeline(OpPassManager &pm, StringRef target,
                                bool strict, bool merge) {
  if (!strict) {
    pm.addNestedPass<func::FuncOp>(createElideRoundings());
  }
  pm.addPass(createOutlineGroups());
  pm.addPass(createCanonicalize());
  GroupToTilesOptions tiles;
  tiles.target = target.str();
  tiles.strict = strict;
  pm.addPass(createGroupToTiles(tiles));
  pm.addPass(createCSEPass());
  pm.addNestedPass<gpu::GPUModuleOp>(createTileAssignLayouts());
  pm.addPass(createTilePipelineCopies());
  auto &kernels = pm.nest<gpu::GPUModuleOp>();
  kernels.addPass(createTilesToGPU({target.str()}));
  if (merge) {
    kernels.addPass(createCanonicalize());
    kernels.addPass(createCSEPass());
    pm.addPass(createMergeLaunches());
  }
}

namespace {
/// Fits the groups of one function.
class GroupFitter {
public:
  GroupFitter(func::FuncOp func, const PlannerOptions &options, Trials &trials)
      : func(func), options(options), trials(trials) {}

  void run(FitScope scope);

private:
  SmallVector<GroupOp> fitGroup(GroupOp group);
  bool giveSmallerSchedule(GroupOp group, TrialLimits limits);
  void fitWhole(GroupOp group);
  SmallVector<GroupOp> fitComposite(GroupOp launch);
  SmallVector<GroupOp> separate(GroupOp launch, ArrayRef<LaunchPart> parts,
                                const Trial &trial);
  SmallVector<GroupOp> unpack(GroupOp launch, ArrayRef<LaunchPart> parts,
                              const LaunchPlan &plan);
  void recordApart(ArrayRef<RecordedDecision> apart, StringRef reason);
  void recordApart(ArrayRef<LaunchPart> parts, ArrayRef<unsigned> numbers,
                   StringRef reason);

  func::FuncOp func;
  const PlannerOptions &options;
  Trials &trials;
};
} // namespace

static remark::RemarkOpts getRemark(func::FuncOp func) {
  return remark::RemarkOpts::name("FitGroups")
      .category("fusion")
      .function(func.getName());
}

/// Whether a function can have `group` alone.
static bool canBeTried(GroupOp group) {
  return llvm::all_of(group.getOperandTypes(), [](Type type) {
    return isa<RankedTensorType>(type) || type.isIndex();
  });
}

/// Whether there is something to split.
static bool hasSeveralOps(GroupOp group) {
  auto ops = group.getBodyBlock()->getOps<linalg::LinalgOp>();
  size_t count = llvm::count_if(
      ops, [](linalg::LinalgOp op) { return !isa<linalg::FillOp>(op); });
  return count > 1;
}

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

/// Keeps that the pairs of `apart` are apart, and why, in place of what was
/// said of them.
void GroupFitter::recordApart(ArrayRef<RecordedDecision> apart,
                              StringRef reason) {
  SmallVector<RecordedDecision, 0> decisions = readDecisions(func);
  for (RecordedDecision pair : apart) {
    auto isPair = [&](const RecordedDecision &known) {
      return (known.producer == pair.producer &&
              known.consumer == pair.consumer) ||
             (known.producer == pair.consumer &&
              known.consumer == pair.producer);
    };
    auto known = llvm::find_if(decisions, isPair);
    RecordedDecision kept = known == decisions.end() ? pair : *known;
    llvm::erase_if(decisions, isPair);
    kept.reason = reason.str();
    decisions.push_back(std::move(kept));
  }
  recordDecisions(func, decisions);
}

/// Keeps that `numbers` of `parts` are not in one launch with the others.
void GroupFitter::recordApart(ArrayRef<LaunchPart> parts,
                              ArrayRef<unsigned> numbers, StringRef reason) {
  auto getName = [&](unsigned number) {
    GroupOp group = parts[number].group;
    return group.getName().str();
  };
  SmallVector<RecordedDecision> apart;
  for (unsigned number : numbers) {
    for (unsigned other = 0; other < parts.size(); ++other) {
      if (!llvm::is_contained(numbers, other)) {
        unsigned first = std::min(number, other);
        apart.push_back({getName(first), getName(number + other - first), "",
                         std::nullopt});
      }
    }
  }
  // Launches may have hundreds of parts.
  constexpr size_t kMostPairs = 16;
  apart.truncate(std::min(apart.size(), kMostPairs));
  recordApart(apart, reason);
}

//===----------------------------------------------------------------------===//
// Groups of ops
//===----------------------------------------------------------------------===//

/// Gives `group` a schedule that takes less; returns whether there is one that
/// keeps to `limits`. Of those that keep to the module's the largest is taken,
/// else the simplest.
bool GroupFitter::giveSmallerSchedule(GroupOp group, TrialLimits limits) {
  const Trial &refused = trials.compile(group);
  SmallVector<Schedule> space = getSmallerSchedules(refused.schedule);
  bool keeps = limits == TrialLimits::OfModule;
  if (!keeps) {
    std::reverse(space.begin(), space.end());
  }
  for (const Schedule &schedule : space) {
    DictionaryAttr attr = toAttribute(schedule, group.getContext());
    group.setScheduleAttr(attr);
    if (!trials.compile(group, limits).refusal.empty()) {
      continue;
    }
    std::string text;
    llvm::raw_string_ostream(text) << attr;
    remark::missed(group.getLoc(), getRemark(func))
        << remark::reason("{0}: {1}",
                          keeps ? "a smaller schedule was taken"
                                : "no schedule keeps to the limits, the "
                                  "simplest was taken",
                          refused.refusal)
        << remark::metric("Group", group.getName().str())
        << remark::metric("Schedule", text);
    return true;
  }
  group.removeScheduleAttr();
  return false;
}

/// Makes of `group`, which cannot be split, one that fits, or nearly. Where
/// nothing helps, converting it says what is wrong.
void GroupFitter::fitWhole(GroupOp group) {
  if (!giveSmallerSchedule(group, TrialLimits::OfModule)) {
    (void)giveSmallerSchedule(group, TrialLimits::OfDevice);
  }
}

/// Whether `trial`, of several ops, should rather have smaller tiles than be
/// split: they move no more bytes. Small tiles of contractions would.
static bool prefersSmallerTiles(const Trial &trial) {
  return trial.isOverLimits && trial.schedule &&
         !trial.schedule->isContraction();
}

/// Splits `group`, no composite, as far as is needed; returns what it became.
SmallVector<GroupOp> GroupFitter::fitGroup(GroupOp whole) {
  SmallVector<GroupOp> fitted, work{whole};
  while (!work.empty()) {
    GroupOp group = work.pop_back_val();
    // A pinned schedule is the user's.
    bool isFree = !group.getScheduleAttr() && canBeTried(group);
    Trial trial = isFree ? trials.compile(group) : Trial();
    const std::string &refusal = trial.refusal;
    if (refusal.empty() ||
        (prefersSmallerTiles(trial) &&
         giveSmallerSchedule(group, TrialLimits::OfModule))) {
      fitted.push_back(group);
      continue;
    }
    Location loc = group.getLoc();
    std::string name = group.getName().str();
    FailureOr<SplitGroup> split = failure();
    if (hasSeveralOps(group)) {
      split = splitGroup(group, options);
    }
    if (failed(split)) {
      fitWhole(group);
      fitted.push_back(group);
      continue;
    }
    std::string reason = "no kernel holds both: " + refusal;
    remark::missed(loc, getRemark(func))
        << remark::reason("{0}", reason) << remark::metric("Group", name);
    recordApart(split->apart, reason);
    work.append(split->groups.rbegin(), split->groups.rend());
  }
  return fitted;
}

//===----------------------------------------------------------------------===//
// Composites
//===----------------------------------------------------------------------===//

/// Replaces `launch` as `plan` says, and splits what is to be split; returns
/// the composites of several parts that are left.
SmallVector<GroupOp> GroupFitter::unpack(GroupOp launch,
                                         ArrayRef<LaunchPart> parts,
                                         const LaunchPlan &plan) {
  UnpackedLaunch unpacked = unpackLaunch(launch, parts, plan);
  for (auto &[group, conditions] : unpacked.toSplit) {
    for (GroupOp piece : fitGroup(group)) {
      guardGroup(piece, conditions);
    }
  }
  llvm::erase_if(unpacked.launches,
                 [](GroupOp group) { return !isComposite(group); });
  return unpacked.launches;
}

/// The launches of `parts` that a trial came to.
static LaunchPlan getPlanOf(const Trial &trial, ArrayRef<LaunchPart> parts) {
  LaunchPlan plan;
  llvm::SmallDenseSet<unsigned> seen;
  for (const Trial::Apart &apart : trial.apart) {
    SmallVector<unsigned> numbers;
    for (int64_t number : apart.parts) {
      if (size_t(number) < parts.size() && seen.insert(number).second) {
        numbers.push_back(number);
      }
    }
    bool isRead = numbers.size() == 1 && isReadByParts(parts[numbers[0]].group);
    (isRead ? plan.before : plan.packs.emplace_back()).append(numbers);
  }
  plan.packs.emplace_back();
  for (auto [number, part] : llvm::enumerate(parts)) {
    if (!seen.contains(number) && !isReadByParts(part.group)) {
      plan.packs.back().push_back(number);
    }
  }
  return plan;
}

/// A launch for each of `parts`, and for those that they read.
static LaunchPlan getPlanOfSingles(ArrayRef<LaunchPart> parts) {
  LaunchPlan plan;
  for (auto [number, part] : llvm::enumerate(parts)) {
    if (isReadByParts(part.group)) {
      plan.before.push_back(number);
    } else {
      plan.packs.push_back({unsigned(number)});
    }
  }
  return plan;
}

/// Replaces `launch`, whose parts fit alone, by several.
SmallVector<GroupOp> GroupFitter::separate(GroupOp launch,
                                           ArrayRef<LaunchPart> parts,
                                           const Trial &trial) {
  if (parts.size() < 2) {
    return {};
  }
  auto tell = [&](ArrayRef<unsigned> numbers, StringRef reason) {
    recordApart(parts, numbers, reason);
    remark::missed(launch.getLoc(), getRemark(func))
        << remark::reason("{0}", reason.str())
        << remark::metric("Group", launch.getName().str());
  };
  if (!trial.refusal.empty()) {
    std::string reason = "no launch holds both: " + trial.refusal;
    for (unsigned number = 1; number < parts.size(); ++number) {
      recordApart(parts, number, reason);
    }
    tell(0u, reason);
    return unpack(launch, parts, getPlanOfSingles(parts));
  }
  for (const Trial::Apart &apart : trial.apart) {
    if (!apart.reason.empty()) {
      SmallVector<unsigned> numbers(apart.parts.begin(), apart.parts.end());
      tell(numbers, "no launch holds both: " + apart.reason);
    }
  }
  return unpack(launch, parts, getPlanOf(trial, parts));
}

/// Makes of `launch` one that fits, and takes out what does not; returns what
/// has to be looked at again.
SmallVector<GroupOp> GroupFitter::fitComposite(GroupOp launch) {
  FailureOr<SmallVector<LaunchPart, 0>> parts = getLaunchParts(launch);
  if (failed(parts) || !canBeTried(launch)) {
    return {};
  }
  Trial trial = trials.compile(launch);
  if (trial.refusal.empty() && trial.apart.empty()) {
    return {};
  }
  LaunchPlan plan;
  SmallVector<unsigned> kept;
  bool changed = false;
  for (auto [number, part] : llvm::enumerate(*parts)) {
    GroupOp group = part.group;
    bool isFree = !trial.refusal.empty() && !group.getScheduleAttr();
    Trial alone = isFree ? trials.compile(group) : Trial();
    const std::string &refusal = alone.refusal;
    if (!refusal.empty() && prefersSmallerTiles(alone) &&
        giveSmallerSchedule(group, TrialLimits::OfModule)) {
      changed = true;
    } else if (!refusal.empty() && hasSeveralOps(group)) {
      plan.toSplit.push_back(number);
      std::string reason = "a part of the launch is split: " + refusal;
      recordApart(*parts, unsigned(number), reason);
      remark::missed(group.getLoc(), getRemark(func))
          << remark::reason("{0}", reason)
          << remark::metric("Group", group.getName().str());
      continue;
    } else if (!refusal.empty()) {
      fitWhole(group);
      changed |= bool(group.getScheduleAttr());
    }
    kept.push_back(number);
  }
  if (!plan.toSplit.empty()) {
    plan.packs.push_back(kept);
    return unpack(launch, *parts, plan);
  }
  if (changed) {
    return {launch};
  }
  return separate(launch, *parts, trial);
}

void GroupFitter::run(FitScope scope) {
  SmallVector<GroupOp> work;
  func.walk<WalkOrder::PreOrder>([&](GroupOp group) {
    bool isInScope = scope == FitScope::All ||
                     (isComposite(group) && (scope == FitScope::Composites ||
                                             hasPartsThatAreRead(group)));
    if (isInScope) {
      work.push_back(group);
    }
    return WalkResult::skip(); // parts come with their composites
  });
  std::reverse(work.begin(), work.end());
  while (!work.empty()) {
    GroupOp group = work.pop_back_val();
    if (isComposite(group)) {
      llvm::append_range(work, fitComposite(group));
    } else {
      fitGroup(group);
    }
  }
}

LogicalResult fusion::fitGroups(ModuleOp module, StringRef target,
                                const PlannerOptions &options, FitScope scope,
                                RunTrial run) {
  auto functions = llvm::to_vector(module.getOps<func::FuncOp>());
  for (func::FuncOp func : functions) {
    WalkResult walk = func.walk<WalkOrder::PreOrder>([](GroupOp group) {
      return failed(checkLaunch(group)) ? WalkResult::interrupt()
                                        : WalkResult::skip();
    });
    if (walk.wasInterrupted()) {
      return failure();
    }
  }
  Trials trials(module, target, run);
  for (func::FuncOp func : functions) {
    GroupFitter(func, options, trials).run(scope);
  }
  return success();
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
    // The planner packs launches for the device's own limits. What each block
    // can compute for itself is known where its kernel is.
    FitScope scope = FitScope::All;
    if (compositesOnly) {
      bool isOwn = getKernelLimits(getOperation(), target) ==
                   getKernelLimits(nullptr, target);
      scope = isOwn ? FitScope::Predicates : FitScope::Composites;
    }
    options.device = *device;
    options.strict = strict;
    OpPassManager plain(ModuleOp::getOperationName());
    OpPassManager merging(ModuleOp::getOperationName());
    buildTrialPipeline(plain, target, strict, /*merge=*/false);
    buildTrialPipeline(merging, target, strict, /*merge=*/true);
    auto run = [&](ModuleOp module, bool merge) {
      return runPipeline(merge ? merging : plain, module);
    };
    if (failed(fitGroups(getOperation(), target, options, scope, run))) {
      signalPassFailure();
    }
  }
};
} // namespace
