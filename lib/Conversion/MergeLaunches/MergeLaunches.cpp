//===- MergeLaunches.cpp - the launches of a composite become one ---------===//

#include "EachBlock.h"

#include "fusion/Conversion/Passes.h"
#include "fusion/Schedule/Limits.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/CSE.h"

using namespace mlir;
using namespace mlir::fusion;

namespace mlir::fusion {
#define GEN_PASS_DEF_MERGELAUNCHES
#include "fusion/Conversion/Passes.h.inc"
} // namespace mlir::fusion

static constexpr StringLiteral kComposite = "fusion.composite";
static constexpr StringLiteral kRound = "fusion.round";
static constexpr StringLiteral kEachBlock = "fusion.each_block";
static constexpr StringLiteral kPartNumber = "fusion.part_number";
static constexpr int64_t kTensorMapBytes = 128;
/// Before tensor maps: the address of a table, and what aligns the maps.
static constexpr int64_t kTableBytes = 64;

namespace {
/// Makes the launches of one composite one.
class CompositeMerger {
public:
  CompositeMerger(func::FuncOp composite, SymbolTableCollection &symbols)
      : composite(composite), symbols(symbols),
        limits(getKernelLimits(composite, "")) {}

  LogicalResult run();

private:
  LogicalResult inlineCalls();
  void inlineCall(func::CallOp call, func::FuncOp callee, int64_t part);
  void collectLaunches();
  void collectConditions(MergedLaunch &member);
  LogicalResult settleEachBlock();
  LogicalResult launch(ArrayRef<MergedLaunch> pack);
  LogicalResult launchRound(ArrayRef<MergedLaunch> round, bool isFirst);
  void recordApart(ArrayRef<MergedLaunch> pack, StringRef reason);
  void erase();

  func::FuncOp composite;
  SymbolTableCollection &symbols;
  KernelLimits limits;
  OpBuilder builder{composite.getContext()};
  int64_t number = 0; // of kernels
  /// Launches whose results other launches read, with the buffers of these;
  /// none where the code takes several launches.
  DenseMap<Operation *, SmallVector<Value>> passedOn;
  SmallVector<EachBlockLaunch, 0> ofEachBlock;
  SmallVector<SmallVector<MergedLaunch, 0>> rounds;
  SmallVector<Attribute> apart; // see kApartAttr
};
} // namespace

void CompositeMerger::inlineCall(func::CallOp call, func::FuncOp callee,
                                 int64_t part) {
  OpBuilder at(call);
  IRMapping mapping;
  mapping.map(callee.getArguments(), call.getOperands());
  SmallVector<Operation *> launches;
  for (Operation &op : callee.getBody().front().without_terminator()) {
    Operation *clone = at.clone(op, mapping);
    if (isa<tile::LaunchOp>(clone)) {
      clone->setAttr(kRound, at.getI64IntegerAttr(launches.size()));
      clone->setAttr(kPartNumber, at.getI64IntegerAttr(part));
      launches.push_back(clone);
    }
  }
  if (auto results = call->getAttrOfType<IntegerAttr>(kEachBlock)) {
    SmallVector<Value> buffers;
    if (launches.size() == 1) {
      llvm::append_range(buffers,
                         call.getOperands().take_back(results.getInt()));
    }
    for (Operation *launch : launches) {
      passedOn[launch] = buffers;
    }
  }
  call.erase();
}

/// Replaces the calls in the composite by the code of the functions. The n-th
/// launch of each function gets the number n: those of one function follow one
/// another, those of different ones are independent.
LogicalResult CompositeMerger::inlineCalls() {
  SmallVector<func::CallOp> calls;
  composite.walk([&](func::CallOp call) { calls.push_back(call); });
  for (auto [part, call] : llvm::enumerate(calls)) {
    auto callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(
        call, call.getCalleeAttr());
    if (!callee || callee.isExternal() || !callee.getBody().hasOneBlock()) {
      return call.emitOpError("expected a call of a function of one block");
    }
    inlineCall(call, callee, part);
  }
  return success();
}

/// Moves everything but launches out of the branches of `composite`: on the
/// host nothing depends on a predicate.
static LogicalResult hoistHostCode(func::FuncOp composite) {
  Block &entry = composite.getBody().front();
  WalkResult walk = composite.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == composite || op->getBlock() == &entry ||
        isa<scf::IfOp, scf::YieldOp, tile::LaunchOp>(op)) {
      return WalkResult::advance();
    }
    if (!isMemoryEffectFree(op) && !isa<memref::LoadOp>(op)) {
      op->emitOpError("expected only launches and sizes in the branches of a "
                      "composite");
      return WalkResult::interrupt();
    }
    op->moveBefore(entry.findAncestorOpInBlock(*op));
    return WalkResult::skip();
  });
  if (walk.wasInterrupted()) {
    return failure();
  }
  IRRewriter rewriter(composite.getContext());
  DominanceInfo dominance(composite);
  eliminateCommonSubExpressions(rewriter, dominance, composite);
  return success();
}

void CompositeMerger::collectConditions(MergedLaunch &member) {
  for (Operation *inner = member.launch;
       auto branch = dyn_cast<scf::IfOp>(inner->getParentOp());
       inner = branch) {
    bool holds = branch.getThenRegion().isAncestor(inner->getParentRegion());
    member.conditions.push_back({branch.getCondition(), holds});
  }
  std::reverse(member.conditions.begin(), member.conditions.end());
}

/// Collects the launches by their round, with their conditions, and those that
/// others read in order.
void CompositeMerger::collectLaunches() {
  composite.walk([&](tile::LaunchOp launch) {
    auto kernel = symbols.lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(
        launch, launch.getKernelAttr());
    MergedLaunch member{launch, kernel, {}, 0};
    if (auto part = launch->getAttrOfType<IntegerAttr>(kPartNumber)) {
      member.part = part.getInt();
      launch->removeAttr(kPartNumber);
    }
    collectConditions(member);
    auto results = passedOn.find(launch);
    if (results != passedOn.end()) {
      ofEachBlock.push_back({std::move(member), results->second, {}});
      return;
    }
    auto attr = launch->getAttrOfType<IntegerAttr>(kRound);
    size_t round = attr ? attr.getInt() : 0;
    rounds.resize(std::max(rounds.size(), round + 1));
    rounds[round].push_back(std::move(member));
  });
}

namespace {
/// Whether more launches fit into one kernel.
class LaunchPack {
public:
  explicit LaunchPack(const KernelLimits &limits) : limits(limits) {}

  /// Returns why `member` cannot join, or nothing where it did.
  std::optional<StringRef> add(const MergedLaunch &member);

private:
  KernelLimits limits;
  int64_t mapBytes = 0, threads = 0, movingThreads = 0, blocks = 0;
  llvm::SmallDenseSet<Value> counted;
};
} // namespace

std::optional<StringRef> LaunchPack::add(const MergedLaunch &member) {
  tile::LaunchOp launch = member.launch;
  LLVM::LLVMFuncOp kernel = member.kernel;
  // All but tensor maps may go to a table.
  int64_t more = 0;
  SmallVector<Value> fresh;
  for (Value argument : launch.getArgs()) {
    if (isa<tile::TensorMapType>(argument.getType()) &&
        !counted.contains(argument)) {
      more += kTensorMapBytes;
      fresh.push_back(argument);
    }
  }
  int64_t own = getBlockThreads(kernel);
  int64_t moving = movesRegisters(kernel) ? own : 0;
  int64_t most = std::max(threads, own);
  APInt grid;
  // Where it is not known a loop walks over the tiles: a block would do.
  int64_t ownBlocks = matchPattern(launch.getGridX(), m_ConstantInt(&grid))
                          ? grid.getSExtValue()
                          : 1;
  bool isFirst = threads == 0;
  int64_t maps = mapBytes + more;
  if (!isFirst && maps > 0 && kTableBytes + maps > limits.parameterBytes) {
    return StringRef("the kernel would take more tensor maps than its "
                     "parameters hold");
  }
  // The registers of all warps of a block are shared out: idle warps would
  // hold what the others wait for.
  if ((moving && moving != most) || (movingThreads && movingThreads != most)) {
    return StringRef("warp-specialised kernels need blocks of equal size");
  }
  if (!isFirst && blocks + ownBlocks > limits.gridBlocks) {
    return StringRef("the grid would be too large");
  }
  mapBytes += more;
  threads = most;
  movingThreads = std::max(movingThreads, moving);
  blocks += ownBlocks;
  counted.insert(fresh.begin(), fresh.end());
  return std::nullopt;
}

namespace {
/// Launches of one kernel, and why they are apart from those before.
struct PackedLaunches {
  SmallVector<MergedLaunch, 0> launches;
  StringRef reason;
};
} // namespace

/// Splits `launches` so that each piece fits one kernel.
static SmallVector<PackedLaunches, 0>
packLaunches(ArrayRef<MergedLaunch> launches, const KernelLimits &limits) {
  SmallVector<PackedLaunches, 0> packs;
  SmallVector<LaunchPack, 0> states;
  for (const MergedLaunch &member : launches) {
    std::optional<StringRef> reason = StringRef();
    for (size_t i = 0; i < packs.size() && reason; ++i) {
      reason = states[i].add(member);
      if (!reason) {
        packs[i].launches.push_back(member);
      }
    }
    if (!reason) {
      continue;
    }
    if (!packs.empty()) {
      tile::LaunchOp launch = member.launch;
      remark::missed(
          launch.getLoc(),
          remark::RemarkOpts::name("MergeLaunches").category("fusion"))
          << remark::reason("{0}", *reason);
    }
    states.emplace_back(limits);
    (void)states.back().add(member);
    packs.push_back({{member}, *reason});
  }
  return packs;
}

/// Erases what is left of the branches and predicates.
void CompositeMerger::erase() {
  for (EachBlockLaunch &member : ofEachBlock) {
    tile::LaunchOp launch = member.launch.launch;
    launch.erase();
  }
  SmallVector<scf::IfOp> branches(composite.getOps<scf::IfOp>());
  for (scf::IfOp branch : branches) {
    branch.erase();
  }
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(composite.getBody().front()))) {
    bool isDead =
        isOpTriviallyDead(&op) || (isa<memref::LoadOp>(op) && op.use_empty());
    if (isDead) {
      op.erase();
    }
  }
}

/// Makes one launch of those of `pack` at the end of the composite.
LogicalResult CompositeMerger::launch(ArrayRef<MergedLaunch> pack) {
  builder.setInsertionPoint(composite.getBody().front().getTerminator());
  SmallVector<EachBlockLaunch, 0> needed = selectNeeded(ofEachBlock, pack);
  tile::LaunchOp first = pack.front().launch;
  if (pack.size() == 1 && pack.front().conditions.empty() && needed.empty()) {
    first->removeAttr(kRound);
    first->moveBefore(builder.getBlock()->getTerminator());
    return success();
  }
  std::string name = composite.getName().str();
  name += number ? "_" + std::to_string(number) : "";
  ++number;
  if (failed(createMergedLaunch(builder, name, pack, needed))) {
    return failure();
  }
  for (const MergedLaunch &member : pack) {
    tile::LaunchOp launch = member.launch;
    launch.erase();
  }
  return success();
}

/// Finds out which of the launches that others read each block can do. The
/// others come first, one by one.
LogicalResult CompositeMerger::settleEachBlock() {
  SmallVector<EachBlockLaunch, 0> candidates = std::move(ofEachBlock);
  ofEachBlock.clear();
  SmallVector<MergedLaunch> readers;
  for (const EachBlockLaunch &candidate : candidates) {
    readers.push_back(candidate.launch);
  }
  for (ArrayRef<MergedLaunch> round : rounds) {
    llvm::append_range(readers, round);
  }
  for (auto [index, candidate] : llvm::enumerate(candidates)) {
    FusionDecision decision =
        candidate.results.empty()
            ? FusionDecision::forbid("it takes several launches")
            : canBeOfEachBlock(candidate,
                               ArrayRef(readers).drop_front(index + 1));
    if (decision) {
      ofEachBlock.push_back(std::move(candidate));
      continue;
    }
    tile::LaunchOp own = candidate.launch.launch;
    remark::missed(own.getLoc(),
                   remark::RemarkOpts::name("MergeLaunches").category("fusion"))
        << remark::reason("each block cannot compute it for itself: {0}",
                          decision.getReason().str());
    recordApart(candidate.launch, decision.getReason());
    if (failed(launch(candidate.launch))) {
      return failure();
    }
  }
  return success();
}

/// Keeps that the parts of `pack` have a launch of their own.
void CompositeMerger::recordApart(ArrayRef<MergedLaunch> pack,
                                  StringRef reason) {
  SmallVector<int64_t> parts;
  for (const MergedLaunch &member : pack) {
    parts.push_back(member.part);
  }
  apart.push_back(builder.getDictionaryAttr(
      {builder.getNamedAttr(kApartPartsEntry,
                            builder.getDenseI64ArrayAttr(parts)),
       builder.getNamedAttr(kApartReasonEntry,
                            builder.getStringAttr(reason))}));
}

/// Makes as few launches of those of `round` as may be; which parts of the
/// composite are together is seen at the first round.
LogicalResult CompositeMerger::launchRound(ArrayRef<MergedLaunch> round,
                                           bool isFirst) {
  SmallVector<PackedLaunches, 0> packs = packLaunches(round, limits);
  for (const PackedLaunches &pack : packs) {
    if (isFirst && (packs.size() > 1 || !apart.empty())) {
      recordApart(pack.launches, pack.reason);
    }
    if (failed(launch(pack.launches))) {
      return failure();
    }
  }
  return success();
}

LogicalResult CompositeMerger::run() {
  if (failed(inlineCalls()) || failed(hoistHostCode(composite))) {
    return failure();
  }
  collectLaunches();
  if (failed(settleEachBlock())) {
    return failure();
  }
  for (auto [number, round] : llvm::enumerate(rounds)) {
    if (failed(launchRound(round, /*isFirst=*/number == 0))) {
      return failure();
    }
  }
  erase();
  if (!apart.empty()) {
    composite->setAttr(kApartAttr, builder.getArrayAttr(apart));
  }
  return success();
}

/// Erases the functions and kernels that only composites used.
static void eraseUnused(ModuleOp module) {
  llvm::DenseSet<StringRef> used;
  module.walk([&](func::CallOp call) { used.insert(call.getCallee()); });
  for (auto function :
       llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
    if (function.isPrivate() && function->hasAttr("fusion.group") &&
        !used.contains(function.getName())) {
      function.erase();
    }
  }
  used.clear();
  module.walk([&](tile::LaunchOp launch) {
    used.insert(launch.getKernel().getLeafReference().getValue());
  });
  for (auto kernels : module.getOps<gpu::GPUModuleOp>()) {
    for (auto kernel : llvm::make_early_inc_range(
             kernels.getBody()->getOps<LLVM::LLVMFuncOp>())) {
      if (kernel->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName()) &&
          !used.contains(kernel.getName())) {
        kernel.erase();
      }
    }
  }
}

/// Checks that the host only launches: it sees no memory of the device, and a
/// program that waited for a predicate could not be captured.
static LogicalResult checkHostReads(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>()) {
    WalkResult walk = function.walk([](Operation *op) {
      if (!isa<memref::LoadOp, memref::StoreOp>(op)) {
        return WalkResult::advance();
      }
      op->emitOpError("expected the host to leave the device's memory alone: "
                      "a program that waits for it cannot be captured");
      return WalkResult::interrupt();
    });
    if (walk.wasInterrupted()) {
      return failure();
    }
  }
  return success();
}

LogicalResult fusion::mergeLaunches(ModuleOp module) {
  bool merged = false;
  SymbolTableCollection symbols;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function->hasAttr(kComposite)) {
      continue;
    }
    merged = true;
    if (failed(CompositeMerger(function, symbols).run())) {
      return failure();
    }
  }
  if (merged) {
    eraseUnused(module);
  }
  return checkHostReads(module);
}

namespace {
struct MergeLaunches : fusion::impl::MergeLaunchesBase<MergeLaunches> {
  void runOnOperation() override {
    if (failed(mergeLaunches(getOperation()))) {
      signalPassFailure();
    }
  }
};
} // namespace
