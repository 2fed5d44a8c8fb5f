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
#include "llvm/ADT/BitVector.h"

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
  llvm::BitVector findDecided() const;
  void tryNearest(ArrayRef<unsigned> level, size_t place,
                  llvm::BitVector &decided);
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
  /// Pairs of groups that were decided.
  SmallVector<std::pair<unsigned, unsigned>, 0> tried;
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
  tried.push_back({numbers.lookup(group), numbers.lookup(other)});
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

/// Finds the packs that were decided with another one of their level.
llvm::BitVector LaunchPacker::findDecided() const {
  llvm::BitVector decided(ops.size());
  for (auto [group, other] : tried) {
    unsigned a = order.find(group), b = order.find(other);
    if (a != b && packs[a].level == packs[b].level) {
      decided.set(a).set(b);
    }
  }
  return decided;
}

/// Tries one of the packs of a level, which none decided about yet, with those
/// nearest to it.
void LaunchPacker::tryNearest(ArrayRef<unsigned> level, size_t place,
                              llvm::BitVector &decided) {
  SmallVector<unsigned> nearest;
  for (size_t away = 1; away < level.size() && nearest.size() < kMaxCandidates;
       ++away) {
    if (place >= away) {
      nearest.push_back(order.find(level[place - away]));
    }
    if (place + away < level.size()) {
      nearest.push_back(order.find(level[place + away]));
    }
  }
  unsigned pack = order.find(level[place]);
  for (unsigned other : nearest) {
    // One of them may write where the other one wrote before.
    if (other == pack || readsFrom(packs[pack], packs[other]) ||
        readsFrom(packs[other], packs[pack])) {
      continue;
    }
    FusionDecision decision = canShare(pack, other);
    GroupOp first = packs[pack].groups.front();
    GroupOp second = packs[other].groups.front();
    if (numbers.lookup(second) < numbers.lookup(first)) {
      std::swap(first, second);
    }
    tell(second, first, decision);
    decided.set(pack).set(other);
    if (decision) {
      merge(pack, other);
      decided.set(order.find(pack));
      return;
    }
  }
}

void LaunchPacker::run() {
  placeGroups();
  SmallVector<SmallVector<unsigned>> all = collectLevels();
  llvm::BitVector decided = findDecided();
  for (ArrayRef<unsigned> level : all) {
    for (size_t place = 0; place < level.size(); ++place) {
      if (!decided.test(order.find(level[place]))) {
        tryNearest(level, place, decided);
      }
    }
  }
}

/// Joins the names of the parts.
static std::string joinNames(ArrayRef<GroupOp> groups) {
  constexpr size_t kMaxNames = 4;
  std::string joined;
  for (GroupOp group : groups.take_front(kMaxNames)) {
    joined += (joined.empty() ? "" : " | ") + group.getName().str();
  }
  if (groups.size() > kMaxNames) {
    joined += " | " + std::to_string(groups.size() - kMaxNames) + " more";
  }
  return joined;
}

/// Puts parts that take longer first: blocks start in order, and short ones
/// fill the last wave.
static void sortByTime(SmallVector<LaunchPart, 0> &parts,
                       const DeviceModel &device) {
  SmallVector<std::pair<double, size_t>> order;
  for (auto [index, part] : llvm::enumerate(parts)) {
    order.push_back(
        {-estimateKernel(getGroupWork(part.group, device), device).us, index});
  }
  llvm::sort(order);
  SmallVector<LaunchPart, 0> sorted;
  for (auto [time, index] : order) {
    sorted.push_back(std::move(parts[index]));
  }
  parts = std::move(sorted);
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
