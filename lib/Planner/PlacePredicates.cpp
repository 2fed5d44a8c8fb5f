//===- PlacePredicates.cpp - where predicates are computed ----------------===//

#include "fusion/Cost/Occupancy.h"
#include "fusion/Dialect/Fusion/IR/Composite.h"
#include "fusion/Dialect/Fusion/IR/Directives.h"
#include "fusion/Planner/Choice.h"
#include "fusion/Planner/FormGroups.h"
#include "fusion/Planner/PackLaunches.h"
#include "fusion/Planner/Passes.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"
#include <numeric>

using namespace mlir;
using namespace mlir::fusion;

namespace mlir::fusion {
#define GEN_PASS_DEF_PLACEPREDICATES
#include "fusion/Planner/Passes.h.inc"
} // namespace mlir::fusion

/// What a block waits for beside the work itself, in microseconds: a load from
/// device memory, two barriers, and the way through shared memory.
static constexpr double kHandOverUs = 0.6;
/// How much faster than device memory the L2 cache delivers what every block
/// reads (docs/CostModel.md).
static constexpr double kCacheSpeed = 2.5;

//===----------------------------------------------------------------------===//
// Who reads predicates
//===----------------------------------------------------------------------===//

static bool isSingle(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() == 0;
}

/// Returns whether `use` is that of a single truth value by a linalg op, or in
/// its body: arms that are computed both, and selected, read their predicate
/// so.
static bool isTruthValueOfOp(OpOperand &use) {
  Type type = use.get().getType();
  if (!isSingle(type) || !getElementTypeOrSelf(type).isInteger(1)) {
    return false;
  }
  auto op = dyn_cast<linalg::LinalgOp>(use.getOwner());
  return op ? op.isDpsInput(&use) : isa<tensor::ExtractOp>(use.getOwner());
}

/// Returns whether `argument`, of the body of a group, decides which code of it
/// runs, which tensors it reads, or which values it selects.
static bool decides(BlockArgument argument) {
  llvm::SetVector<Value> values;
  values.insert(argument);
  for (size_t i = 0; i < values.size(); ++i) {
    for (OpOperand &use : values[i].getUses()) {
      Operation *user = use.getOwner();
      if (isa<IfOp>(user) || isChoiceOp(user) || isTruthValueOfOp(use)) {
        return true;
      }
      if (auto part = dyn_cast<GroupOp>(user)) {
        values.insert(part.getBodyBlock()->getArgument(use.getOperandNumber()));
      }
      // The last steps of a predicate may be there.
      if (isa<linalg::LinalgOp>(user) && isSingle(use.get().getType())) {
        auto single =
            llvm::make_filter_range(user->getResults(), [](Value result) {
              return isSingle(result.getType());
            });
        values.insert(single.begin(), single.end());
      }
    }
  }
  return false;
}

/// Returns the group that `use` is an input of where it decides there, or where
/// those that read this group compute it.
static GroupOp getReader(OpOperand &use) {
  auto reader = dyn_cast<GroupOp>(use.getOwner());
  if (!reader || reader.isDpsInit(&use)) {
    return nullptr;
  }
  BlockArgument argument =
      reader.getBodyBlock()->getArgument(use.getOperandNumber());
  bool isReader = reader->hasAttr(kEachBlockAttr) || decides(argument);
  return isReader ? reader : nullptr;
}

static llvm::SetVector<GroupOp> collectReaders(GroupOp group) {
  llvm::SetVector<GroupOp> readers;
  for (OpOperand &use : group->getUses()) {
    if (GroupOp reader = getReader(use)) {
      readers.insert(reader);
    }
  }
  return readers;
}

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

/// Returns whether `outer` is how `inner` begins.
static bool isPrefix(ArrayRef<PartCondition> outer,
                     ArrayRef<PartCondition> inner) {
  return outer.size() <= inner.size() &&
         llvm::equal(outer, inner.take_front(outer.size()));
}

/// Returns whether `reader` reads `value` only where `conditions` hold.
static bool readsUnder(const LaunchPart &reader, Value value,
                       ArrayRef<PartCondition> conditions) {
  ArrayRef<PartCondition> all = reader.conditions;
  for (auto [number, condition] : llvm::enumerate(all)) {
    if (condition.value == value &&
        !isPrefix(conditions, all.take_front(number))) {
      return false;
    }
  }
  return !llvm::is_contained(reader.inputs, value) || isPrefix(conditions, all);
}

/// Checks what `group` makes, whoever reads it.
static FusionDecision checkMaker(GroupOp group) {
  for (OpResult result : group->getResults()) {
    if (cast<RankedTensorType>(result.getType()).getRank() != 0) {
      return FusionDecision::forbid(
          "what makes the predicate makes tensors of other ranks too");
    }
    Value init = group.getInits()[result.getResultNumber()];
    if (!init.getDefiningOp<tensor::EmptyOp>()) {
      return FusionDecision::forbid(
          "both sides of a branch make the predicate in turn");
    }
  }
  if (group->hasAttr(kNoFuseAttr)) {
    return FusionDecision::forbid(Twine("it is marked with ") + kNoFuseAttr);
  }
  return FusionDecision::allow();
}

static FusionDecision checkReader(GroupOp group, ArrayRef<LaunchPart> makers,
                                  GroupOp reader) {
  if (reader->hasAttr(kNoFuseAttr)) {
    return FusionDecision::forbid(Twine("what reads it is marked with ") +
                                  kNoFuseAttr);
  }
  FailureOr<SmallVector<LaunchPart, 0>> parts = getLaunchParts(reader);
  if (failed(parts)) {
    return FusionDecision::forbid("what reads it is no launch");
  }
  for (const LaunchPart &maker : makers) {
    for (unsigned slot : maker.slots) {
      for (const LaunchPart &part : *parts) {
        if (!readsUnder(part, group->getResult(slot), maker.conditions)) {
          return FusionDecision::forbid(
              "a branch makes the predicate, and what reads it is not in that "
              "branch");
        }
      }
    }
  }
  return FusionDecision::allow();
}

//===----------------------------------------------------------------------===//
// Profit
//===----------------------------------------------------------------------===//

namespace {
/// How many blocks a launch has, and in how many waves.
struct BlockCount {
  double blocks = 0;
  double waves = 0;
};
} // namespace

static BlockCount countBlocks(GroupOp launch, const DeviceModel &device) {
  FailureOr<SmallVector<LaunchPart, 0>> parts = getLaunchParts(launch);
  double always = 0, most = 0;
  unsigned perSM = device.maxBlocksPerSM;
  for (const LaunchPart &part : *parts) {
    KernelWork work = getGroupWork(part.group, device);
    double &blocks = part.conditions.empty() ? always : most;
    blocks = part.conditions.empty() ? blocks + work.blocks
                                     : std::max(blocks, work.blocks);
    BlockResources resources;
    resources.threads = std::max(work.threads, resources.threads);
    unsigned own = work.matmulFlops > 0 ? 1 : getBlocksPerSM(resources, device);
    perSM = std::max(1u, std::min(perSM, own));
  }
  double blocks = always + most;
  return {blocks, getWaves(blocks, perSM, device)};
}

/// Estimates what it takes when each block of `launch` does `work`.
static double estimateInEachBlock(KernelWork work, GroupOp launch,
                                  const DeviceModel &device) {
  work.blocks = 1;
  KernelTimes times = getKernelTimes(work, device);
  double alone = std::max(
      {times.memory, times.arithmetic, times.tensor, times.loop, times.rounds});
  BlockCount count = countBlocks(launch, device);
  double fromCache =
      count.blocks * work.bytesRead / (kCacheSpeed * device.memoryGBs * 1e3);
  return std::max(count.waves * (alone + kHandOverUs), fromCache);
}

/// The launches that compute what `readers` read: those of `readers`, and where
/// these are computed by their own readers, those.
static llvm::SetVector<GroupOp>
collectLaunches(const llvm::SetVector<GroupOp> &readers) {
  llvm::SetVector<GroupOp> launches, seen(readers.begin(), readers.end());
  for (size_t i = 0; i < seen.size(); ++i) {
    GroupOp reader = seen[i];
    if (reader->hasAttr(kEachBlockAttr)) {
      llvm::SetVector<GroupOp> further = collectReaders(reader);
      seen.insert(further.begin(), further.end());
    } else {
      launches.insert(reader);
    }
  }
  return launches;
}

/// Returns for each of `launches` how many others of them it has to wait for,
/// one after another.
static DenseMap<Operation *, unsigned>
findLevels(const llvm::SetVector<GroupOp> &launches) {
  auto isBefore = [](GroupOp a, GroupOp b) { return a->isBeforeInBlock(b); };
  Operation *first = *llvm::min_element(launches, isBefore);
  Operation *last = *llvm::max_element(launches, isBefore);
  DenseMap<Operation *, unsigned> levels;
  for (Operation *op = first; op != last->getNextNode();
       op = op->getNextNode()) {
    auto group = dyn_cast<GroupOp>(op);
    unsigned level = 0;
    for (OpOperand &operand : op->getOpOperands()) {
      // A destination is written in turn.
      Operation *def = operand.get().getDefiningOp();
      bool isRead = !group || !group.isDpsInit(&operand);
      auto known = levels.find(def);
      if (isRead && known != levels.end()) {
        auto maker = dyn_cast<GroupOp>(def);
        bool waits = maker && launches.contains(maker);
        level = std::max(level, known->second + waits);
      }
    }
    levels[op] = level;
  }
  return levels;
}

/// Returns whether it takes less time when each block of the launches that read
/// what `group` makes computes it than as a launch of its own.
static FusionDecision isWorthwhile(GroupOp group, ArrayRef<LaunchPart> makers,
                                   const llvm::SetVector<GroupOp> &readers,
                                   const DeviceModel &device) {
  KernelWork work;
  double apart = getFixedUs(device);
  for (const LaunchPart &maker : makers) {
    KernelWork own = getGroupWork(maker.group, device);
    if (own.matmulFlops > 0) {
      return FusionDecision::forbid("a matrix product makes the predicate");
    }
    apart = std::max(apart, estimateKernel(own, device).us);
    work.bytesRead += own.bytesRead;
    work.bytesWritten += own.bytesWritten;
    work.bytesBetween += own.bytesBetween;
    work.flops += own.flops;
    work.rounds += own.rounds;
  }
  // Those that need not wait for one another share a launch, mostly.
  llvm::SetVector<GroupOp> launches = collectLaunches(readers);
  DenseMap<Operation *, unsigned> levels = findLevels(launches);
  SmallVector<double> most;
  for (GroupOp launch : launches) {
    unsigned level = levels.lookup(launch);
    most.resize(std::max<size_t>(most.size(), level + 1));
    most[level] =
        std::max(most[level], estimateInEachBlock(work, launch, device));
  }
  double together = std::accumulate(most.begin(), most.end(), 0.0);
  if (together <= apart) {
    return FusionDecision::allow().withTimes({together, apart});
  }
  return FusionDecision::forbid(
             llvm::formatv("estimated to take longer in each block of what "
                           "reads it ({0:F1} us) than as a launch of its own "
                           "({1:F1} us)",
                           together, apart)
                 .str())
      .withTimes({together, apart});
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

static FusionDecision decide(GroupOp group,
                             const llvm::SetVector<GroupOp> &readers,
                             const DeviceModel &device) {
  FusionDecision decision = checkMaker(group);
  if (!decision) {
    return decision;
  }
  FailureOr<SmallVector<LaunchPart, 0>> makers = getLaunchParts(group);
  if (failed(makers)) {
    return FusionDecision::forbid("what makes it is no launch");
  }
  for (GroupOp reader : readers) {
    if (decision = checkReader(group, *makers, reader); !decision) {
      return decision;
    }
  }
  if (device.isCPU()) {
    return FusionDecision::forbid("on a CPU it is computed once");
  }
  return isWorthwhile(group, *makers, readers, device);
}

/// Lets what is not among `readers` read an equal group instead: it needs the
/// values in memory.
static void splitOtherUses(GroupOp group,
                           const llvm::SetVector<GroupOp> &readers) {
  auto isOther = [&](OpOperand &use) {
    auto reader = dyn_cast<GroupOp>(use.getOwner());
    return !reader || !readers.contains(reader) || reader.isDpsInit(&use);
  };
  if (llvm::none_of(group->getUses(), isOther)) {
    return;
  }
  OpBuilder builder(group);
  Operation *own = builder.clone(*group);
  for (auto [result, replacement] :
       llvm::zip_equal(group->getResults(), own->getResults())) {
    Value original = result;
    original.replaceUsesWithIf(replacement, isOther);
  }
}

static RecordedDecision tell(GroupOp group, GroupOp reader,
                             const FusionDecision &decision) {
  auto opts = remark::RemarkOpts::name("PlacePredicates")
                  .category("fusion")
                  .function(group->getParentOfType<func::FuncOp>().getName());
  if (decision) {
    remark::passed(group.getLoc(), opts)
        << remark::add("each block of {0} computes it", reader.getName().str());
  } else {
    remark::missed(group.getLoc(), opts)
        << remark::reason("{0}", decision.getReason().str())
        << remark::metric("Reader", reader.getName().str());
  }
  return {group.getName().str(), reader.getName().str(),
          decision.getReason().str(), decision.getTimes()};
}

void fusion::placePredicates(func::FuncOp func, const PlannerOptions &options) {
  if (!options.conditional) {
    return;
  }
  SmallVector<GroupOp> groups(func.getBody().front().getOps<GroupOp>());
  SmallVector<RecordedDecision, 0> records;
  // Readers first: what is computed by its readers has none of its own.
  for (GroupOp group : llvm::reverse(groups)) {
    llvm::SetVector<GroupOp> readers = collectReaders(group);
    if (readers.empty()) {
      continue;
    }
    FusionDecision decision = decide(group, readers, options.device);
    for (GroupOp reader : readers) {
      records.push_back(tell(group, reader, decision));
    }
    if (decision) {
      splitOtherUses(group, readers);
      group->setAttr(kEachBlockAttr, UnitAttr::get(group.getContext()));
    }
  }
  if (!records.empty()) {
    appendDecisions(func, records);
  }
}

namespace {
struct PlacePredicatesPass
    : mlir::fusion::impl::PlacePredicatesBase<PlacePredicatesPass> {
  using PlacePredicatesBase::PlacePredicatesBase;

  void runOnOperation() override {
    if (failed(planBlock(getOperation(), target, fuse, placePredicates))) {
      signalPassFailure();
    }
  }
};
} // namespace
