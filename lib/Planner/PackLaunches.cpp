//===- PackLaunches.cpp - several groups in one launch --------------------===//

#include "LaunchPack.h"
#include "ResolveSizes.h"

#include "fusion/Cost/Concurrent.h"
#include "fusion/Dialect/Fusion/IR/Composite.h"
#include "fusion/Planner/FormGroups.h"
#include "fusion/Planner/Passes.h"
#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::fusion;

namespace mlir::fusion {
#define GEN_PASS_DEF_PACKLAUNCHES
#include "fusion/Planner/Passes.h.inc"
} // namespace mlir::fusion

namespace {
/// Merges groups of one block.
class LaunchPacker {
public:
  LaunchPacker(func::FuncOp func, const PlannerOptions &options);

  void run();
  void build();

private:
  void placeGroups();
  SmallVector<SmallVector<unsigned>> collectLevels();
  SmallVector<SmallVector<unsigned>> collectReaders();
  bool needsDirectly(unsigned a, unsigned b) const;
  void tryNearest(ArrayRef<unsigned> siblings, int64_t place);
  void tryUndecided(ArrayRef<unsigned> siblings);
  unsigned findLevel(unsigned node, bool countsInits) const;
  SmallVector<unsigned> findCandidates(GroupOp group, unsigned node);
  void tryCandidates(GroupOp group, unsigned node);
  void remember(GroupOp group, unsigned node);
  FusionDecision canShare(unsigned a, unsigned b);
  void merge(unsigned a, unsigned b);
  void tell(GroupOp group, GroupOp other, const FusionDecision &decision);
  void buildLaunch(LaunchPack &pack);

  /// How many packs that read the same value, or are of the same level, a group
  /// is tried with: bounds compile time.
  static constexpr size_t kMaxCandidates = 4;
  /// How many packs are looked at for these.
  static constexpr int64_t kMaxSteps = 64;

  func::FuncOp func;
  const PlannerOptions &options;
  Block &block;
  DenseMap<Operation *, unsigned> numbers;
  SmallVector<Operation *> ops;
  SmallVector<unsigned> levels; // of ops that are no groups
  ClusterGraph order;
  SmallVector<LaunchPack, 0> packs; // by leader
  /// The packs that read a value, in whatever shape, and those of a level,
  /// latest last.
  DenseMap<Value, SmallVector<unsigned, 4>> readers;
  DenseMap<unsigned, SmallVector<unsigned, 4>> ofLevel;
  SmallVector<RecordedDecision, 0> records;
};
} // namespace

LaunchPacker::LaunchPacker(func::FuncOp func, const PlannerOptions &options)
    : func(func), options(options), block(func.getBody().front()),
      order(block.getOperations().size()) {
  for (Operation &op : block) {
    unsigned number = ops.size();
    numbers[&op] = number;
    ops.push_back(&op);
    llvm::SetVector<Value> values(op.operand_begin(), op.operand_end());
    if (!isa<GroupOp>(op)) {
      getUsedValuesDefinedAbove(op.getRegions(), values);
    }
    llvm::SmallSetVector<unsigned, 4> before;
    for (Value value : values) {
      if (Operation *def = value.getDefiningOp()) {
        before.insert(numbers.lookup(def));
      }
    }
    for (unsigned other : before) {
      order.addEdge(other, number);
    }
  }
  levels.assign(ops.size(), 0);
  packs.resize(ops.size());
}

/// The number of launches that must come before what `node` does: those that it
/// reads from, and with `countsInits` as many as come before those that wrote
/// its destination in turn.
unsigned LaunchPacker::findLevel(unsigned node, bool countsInits) const {
  unsigned level = 0;
  Operation *op = ops[node];
  auto group = dyn_cast<GroupOp>(op);
  for (OpOperand &operand : op->getOpOperands()) {
    Operation *def = operand.get().getDefiningOp();
    if (!def) {
      continue;
    }
    // A destination is written further, not read.
    bool isInit = group && group.isDpsInit(&operand);
    if (isInit && !countsInits) {
      continue;
    }
    unsigned other = numbers.lookup(def);
    if (auto source = dyn_cast<GroupOp>(def)) {
      // A predicate that its readers compute is no launch before them.
      bool isLaunch = !source->hasAttr(kEachBlockAttr);
      level = std::max(level,
                       packs[order.find(other)].level + (isLaunch && !isInit));
    } else {
      level = std::max(level, levels[other]);
    }
  }
  return level;
}

/// The packs that `group` may share a launch with, the most promising first.
SmallVector<unsigned> LaunchPacker::findCandidates(GroupOp group,
                                                   unsigned node) {
  SmallVector<unsigned> found;
  auto add = [&](unsigned other) {
    unsigned leader = order.find(other);
    if (leader != order.find(node) && !llvm::is_contained(found, leader)) {
      found.push_back(leader);
    }
  };
  // The other side of a condition writes the same destination.
  for (Value init : group.getInits()) {
    if (auto other = init.getDefiningOp<GroupOp>()) {
      add(numbers.lookup(other));
    }
  }
  size_t partners = found.size();
  for (Value input : group.getInputs()) {
    auto known = readers.find(getRenamedSource(input));
    if (known != readers.end()) {
      llvm::for_each(llvm::reverse(known->second), add);
    }
  }
  auto level = ofLevel.find(packs[order.find(node)].level);
  if (level != ofLevel.end()) {
    llvm::for_each(llvm::reverse(level->second), add);
  }
  // Those that could run at the same time hold nothing up.
  unsigned ours = packs[order.find(node)].level;
  SmallVector<unsigned> ordered(ArrayRef(found).take_front(partners));
  for (bool level : {true, false}) {
    for (unsigned other : ArrayRef(found).drop_front(partners)) {
      if ((packs[other].level == ours) == level) {
        ordered.push_back(other);
      }
    }
  }
  return ordered;
}

void LaunchPacker::remember(GroupOp group, unsigned node) {
  unsigned leader = order.find(node);
  auto add = [&](SmallVector<unsigned, 4> &list) {
    llvm::erase_if(list,
                   [&](unsigned other) { return order.find(other) == leader; });
    if (list.size() == kMaxCandidates) {
      list.erase(list.begin());
    }
    list.push_back(leader);
  };
  for (Value input : group.getInputs()) {
    add(readers[getRenamedSource(input)]);
  }
  add(ofLevel[packs[leader].level]);
}

FusionDecision LaunchPacker::canShare(unsigned a, unsigned b) {
  FusionDecision decision = checkLaunch(packs[a], packs[b], options);
  if (decision) {
    decision = order.canMerge(a, b);
  }
  if (decision && options.device.isCPU()) {
    decision =
        FusionDecision::forbid("on a CPU each group has all cores already");
  }
  if (decision) {
    SmallVector<KernelWork, 0> works(packs[a].works.begin(),
                                     packs[a].works.end());
    llvm::append_range(works, packs[b].works);
    bool exclusive = areExclusive(packs[a], packs[b]);
    decision = worthMerging(works, options.device, exclusive);
  }
  return decision;
}

void LaunchPacker::merge(unsigned a, unsigned b) {
  unsigned leader = order.merge(a, b);
  unsigned other = leader == a ? b : a;
  LaunchPack &kept = packs[leader], &moved = packs[other];
  kept.level = std::max(kept.level, moved.level);
  llvm::append_range(kept.groups, moved.groups);
  llvm::append_range(kept.parts, moved.parts);
  llvm::append_range(kept.works, moved.works);
  llvm::append_range(kept.tried, moved.tried);
  moved = LaunchPack();
}

void LaunchPacker::tell(GroupOp group, GroupOp other,
                        const FusionDecision &decision) {
  RecordedDecision record = {other.getName().str(), group.getName().str(),
                             decision.getReason().str(), decision.getTimes()};
  auto opts = remark::RemarkOpts::name("PackLaunches")
                  .category("fusion")
                  .function(func.getName());
  if (decision) {
    remark::passed(group.getLoc(), opts)
        << remark::add("shares a launch with {0}", record.producer);
  } else {
    remark::missed(group.getLoc(), opts)
        << remark::reason("{0}", record.reason)
        << remark::metric("Other", record.producer);
  }
  records.push_back(std::move(record));
  unsigned a = numbers.lookup(group), b = numbers.lookup(other);
  packs[order.find(a)].tried.push_back(b);
  packs[order.find(b)].tried.push_back(a);
}

/// Puts `group` into the first launch that may have it, and says why not into
/// those before.
void LaunchPacker::tryCandidates(GroupOp group, unsigned node) {
  std::optional<FusionDecision> merged;
  const LaunchPack own = packs[node]; // what it joins may hold many groups
  for (unsigned candidate : findCandidates(group, node)) {
    // Where it needs what the other makes there is no choice. The groups of a
    // pack come before it: they need nothing of it.
    if (readsFrom(own, packs[candidate])) {
      continue;
    }
    GroupOp other = packs[candidate].groups.front();
    if (merged) {
      tell(group, other, *merged);
      continue;
    }
    FusionDecision decision = canShare(candidate, node);
    tell(group, other, decision);
    if (decision) {
      merge(candidate, node);
      merged =
          FusionDecision::forbid("it shares a launch with " + other.getName() +
                                 ", which was tried first");
    }
  }
}

/// Gives each group its pack, or puts it into one of those before.
void LaunchPacker::placeGroups() {
  for (unsigned node = 0, e = ops.size(); node < e; ++node) {
    auto group = dyn_cast<GroupOp>(ops[node]);
    if (!group) {
      levels[node] = findLevel(node, /*countsInits=*/true);
      continue;
    }
    FailureOr<SmallVector<LaunchPart, 0>> parts = getLaunchParts(group);
    if (failed(parts)) {
      continue; // outlining says what is wrong with it
    }
    LaunchPack pack;
    pack.groups.push_back(group);
    for (LaunchPart &part : *parts) {
      pack.works.push_back(getGroupWork(part.group, options.device));
      pack.parts.push_back(std::move(part));
    }
    pack.level = findLevel(node, /*countsInits=*/true);
    packs[node] = std::move(pack);
    if (group->hasAttr(kEachBlockAttr)) {
      continue;
    }
    tryCandidates(group, node);
    remember(group, node);
  }
}

/// Finds the levels of the packs as they are by now, by what they read: that is
/// later where a later group joined it. Returns the packs of each level.
SmallVector<SmallVector<unsigned>> LaunchPacker::collectLevels() {
  SmallVector<SmallVector<unsigned>> found;
  for (unsigned node : order.getTopologicalOrder()) {
    LaunchPack &pack = packs[node];
    if (pack.groups.empty()) {
      levels[node] = findLevel(node, /*countsInits=*/false);
      continue;
    }
    pack.level = 0;
    for (GroupOp group : pack.groups) {
      pack.level = std::max(
          pack.level, findLevel(numbers.lookup(group), /*countsInits=*/false));
    }
    if (!pack.groups.front()->hasAttr(kEachBlockAttr)) {
      found.resize(std::max<size_t>(found.size(), pack.level + 1));
      found[pack.level].push_back(node);
    }
  }
  return found;
}

/// Returns for each value that several packs read, in whatever shape, those.
SmallVector<SmallVector<unsigned>> LaunchPacker::collectReaders() {
  llvm::MapVector<Value, llvm::SmallSetVector<unsigned, 2>> found;
  for (unsigned node = 0, e = ops.size(); node < e; ++node) {
    auto group = dyn_cast<GroupOp>(ops[node]);
    unsigned leader = order.find(node);
    if (!group || packs[leader].groups.empty() ||
        group->hasAttr(kEachBlockAttr)) {
      continue;
    }
    llvm::SetVector<Value> inputs(group.getInputs().begin(),
                                  group.getInputs().end());
    for (size_t i = 0; i < inputs.size(); ++i) {
      // What each block computes for itself reads there.
      auto maker = inputs[i].getDefiningOp<GroupOp>();
      if (maker && maker->hasAttr(kEachBlockAttr)) {
        inputs.insert(maker.getInputs().begin(), maker.getInputs().end());
      }
      found[getRenamedSource(inputs[i])].insert(leader);
    }
  }
  SmallVector<SmallVector<unsigned>> several;
  for (auto &[value, leaders] : found) {
    if (leaders.size() > 1) {
      several.emplace_back(leaders.begin(), leaders.end());
    }
  }
  return several;
}

/// Returns whether one of two packs reads what the other one makes, or writes
/// further what that wrote.
bool LaunchPacker::needsDirectly(unsigned a, unsigned b) const {
  return readsFrom(packs[a], packs[b]) || readsFrom(packs[b], packs[a]);
}

/// Tries the pack at `place` of `siblings` with those nearest to it.
void LaunchPacker::tryNearest(ArrayRef<unsigned> siblings, int64_t place) {
  int64_t count = siblings.size();
  size_t refused = 0;
  // Those before it and those behind it in turn.
  for (int64_t step = 0; step < std::min<int64_t>(2 * count, kMaxSteps) &&
                         refused < kMaxCandidates;
       ++step) {
    int64_t away = step / 2 + 1;
    int64_t at = step % 2 ? place + away : place - away;
    if (at < 0 || at >= count) {
      continue;
    }
    unsigned pack = order.find(siblings[place]);
    unsigned other = order.find(siblings[at]);
    if (other == pack || needsDirectly(pack, other)) {
      continue;
    }
    // What lies between two that were tried was told.
    bool wasTried = llvm::any_of(packs[pack].tried, [&](unsigned group) {
      return order.find(group) == other;
    });
    if (wasTried && !order.canMerge(pack, other)) {
      continue;
    }
    FusionDecision decision = canShare(pack, other);
    GroupOp first = packs[pack].groups.front();
    GroupOp second = packs[other].groups.front();
    if (numbers.lookup(second) < numbers.lookup(first)) {
      std::swap(first, second);
    }
    tell(second, first, decision);
    refused += !decision && order.canMerge(pack, other);
    if (decision) {
      merge(pack, other);
    }
  }
}

/// Tries those of `siblings`, which could run at the same time or read one
/// value, that were decided with none of the others that they could run with.
void LaunchPacker::tryUndecided(ArrayRef<unsigned> siblings) {
  llvm::DenseSet<unsigned> all;
  for (unsigned node : siblings) {
    all.insert(order.find(node));
  }
  for (auto [place, node] : llvm::enumerate(siblings)) {
    unsigned pack = order.find(node);
    bool isDecided = llvm::any_of(packs[pack].tried, [&](unsigned group) {
      unsigned other = order.find(group);
      return other != pack && all.contains(other) &&
             !needsDirectly(pack, other) && order.canMerge(pack, other);
    });
    if (!isDecided) {
      tryNearest(siblings, place);
      all.insert(order.find(node));
    }
  }
}

void LaunchPacker::run() {
  placeGroups();
  for (ArrayRef<unsigned> siblings : collectReaders()) {
    tryUndecided(siblings);
  }
  for (ArrayRef<unsigned> siblings : collectLevels()) {
    tryUndecided(siblings);
  }
}

/// Replaces the groups of `pack` by one composite.
void LaunchPacker::buildLaunch(LaunchPack &pack) {
  llvm::sort(pack.groups, [&](GroupOp a, GroupOp b) {
    return numbers.lookup(a) < numbers.lookup(b);
  });
  SmallVector<Value> inits;
  SmallVector<LaunchPart, 0> parts;
  DenseMap<Value, unsigned> slotOf; // by result
  for (GroupOp group : pack.groups) {
    for (OpResult result : group->getResults()) {
      Value init = group.getInits()[result.getResultNumber()];
      auto known = slotOf.find(init);
      bool continues = known != slotOf.end() && mayKeepDestination(result);
      unsigned slot = continues ? known->second : inits.size();
      if (!continues) {
        inits.push_back(init);
      }
      slotOf[result] = slot;
    }
    FailureOr<SmallVector<LaunchPart, 0>> read = getLaunchParts(group);
    for (LaunchPart &part : *read) {
      for (unsigned &slot : part.slots) {
        slot = slotOf.lookup(group->getResult(slot));
      }
      parts.push_back(std::move(part));
    }
  }
  SmallVector<StringRef> kinds = getLaunchKinds(parts);
  sortByTime(parts, options.device);
  OpBuilder builder(pack.groups.back());
  GroupOp launch = createComposite(builder, pack.groups.front().getLoc(),
                                   joinNames(pack.groups), kinds, parts, inits);
  for (GroupOp group : pack.groups) {
    for (Value result : group->getResults()) {
      result.replaceAllUsesWith(launch->getResult(slotOf.lookup(result)));
    }
  }
  for (GroupOp group : llvm::reverse(pack.groups)) {
    group.erase();
  }
}

void LaunchPacker::build() {
  bool changed = false;
  for (LaunchPack &pack : packs) {
    if (pack.groups.size() > 1) {
      buildLaunch(pack);
      changed = true;
    }
  }
  if (changed) {
    sortTopologically(&block);
  }
  if (!records.empty()) {
    appendDecisions(func, records);
  }
}

void fusion::packLaunches(func::FuncOp func, const PlannerOptions &options) {
  if (!options.horizontal && !options.conditional) {
    return;
  }
  // Flattened branches have sizes of their own, and may have made one value for
  // several results.
  resolveSizes(func.getBody().front());
  copySharedResults(func);
  LaunchPacker packer(func, options);
  packer.run();
  packer.build();
}

namespace {
struct PackLaunchesPass
    : mlir::fusion::impl::PackLaunchesBase<PackLaunchesPass> {
  using PackLaunchesBase::PackLaunchesBase;

  void runOnOperation() override {
    if (failed(planBlock(getOperation(), target, fuse, packLaunches))) {
      signalPassFailure();
    }
  }
};
} // namespace
