//===- PrepareConditionals.cpp - branches in the form that groups need ----===//

#include "ArmMatch.h"
#include "BranchResults.h"
#include "RowsOfMemory.h"
#include "SizeOrigin.h"

#include "fusion/Analysis/IterationSpace.h"
#include "fusion/Analysis/Renaming.h"
#include "fusion/Dialect/Fusion/IR/Composite.h"
#include "fusion/Dialect/Fusion/IR/Fusion.h"
#include "fusion/Planner/FormGroups.h"
#include "fusion/Planner/PackLaunches.h"
#include "fusion/Planner/Passes.h"
#include "fusion/Planner/ReportKept.h"
#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/RegionUtils.h"
#include <set>

using namespace mlir;
using namespace mlir::fusion;

namespace mlir::fusion {
#define GEN_PASS_DEF_PREPARECONDITIONALS
#include "fusion/Planner/Passes.h.inc"
} // namespace mlir::fusion

//===----------------------------------------------------------------------===//
// Code of both regions, and of one
//===----------------------------------------------------------------------===//

/// Returns whether all that `op` reads is defined outside of `branch`.
static bool isInvariant(Operation &op, IfOp branch) {
  llvm::SetVector<Value> values(op.operand_begin(), op.operand_end());
  getUsedValuesDefinedAbove(op.getRegions(), values);
  return llvm::all_of(values, [&](Value value) {
    return !branch->isAncestor(value.getParentBlock()->getParentOp());
  });
}

/// Moves what both regions compute alike before `branch`.
static void hoistCommonCode(IfOp branch) {
  auto [first, second] = getArms(branch);
  llvm::DenseMap<unsigned, SmallVector<Operation *, 1>> known;
  auto getHash = [](Operation &op) {
    return static_cast<unsigned>(
        static_cast<size_t>(OperationEquivalence::computeHash(
            &op, OperationEquivalence::directHashValue,
            OperationEquivalence::ignoreHashValue,
            OperationEquivalence::IgnoreLocations)));
  };
  // What is moved makes its users invariant: both regions are read in order,
  // again until nothing is found.
  bool changed = true;
  while (changed) {
    changed = false;
    known.clear();
    for (Operation &op : first->without_terminator()) {
      if (isPure(&op) && isInvariant(op, branch)) {
        known[getHash(op)].push_back(&op);
      }
    }
    for (Operation &op :
         llvm::make_early_inc_range(second->without_terminator())) {
      if (!isPure(&op) || !isInvariant(op, branch)) {
        continue;
      }
      for (Operation *&other : known[getHash(op)]) {
        if (!other || !OperationEquivalence::isEquivalentTo(
                          &op, other, OperationEquivalence::IgnoreLocations)) {
          continue;
        }
        other->moveBefore(branch);
        op.replaceAllUsesWith(other);
        op.erase();
        other = nullptr;
        changed = true;
        break;
      }
    }
  }
}

/// Returns the region of `branch` (0 or 1) that `user` stands in, or nothing.
static std::optional<unsigned> findArm(IfOp branch, Operation *user) {
  for (unsigned arm : {0, 1}) {
    if (branch->getRegion(arm).isAncestor(user->getParentRegion())) {
      return arm;
    }
  }
  return std::nullopt;
}

/// Returns whether the condition of `branch` is all that `op` is for, outside
/// of the regions.
static bool servesCondition(Operation &op, IfOp branch) {
  constexpr size_t kMost = 32;
  llvm::SetVector<Operation *> ops;
  ops.insert(&op);
  for (size_t i = 0; i < ops.size(); ++i) {
    for (OpOperand &use : ops[i]->getUses()) {
      Operation *user = use.getOwner();
      bool isCondition = user == branch;
      if (isCondition || findArm(branch, user)) {
        continue;
      }
      bool isCode = isa<linalg::LinalgOp>(user) || isRenaming(user);
      if (!isCode || user->getBlock() != op.getBlock() || i >= kMost) {
        return false;
      }
      ops.insert(user);
    }
  }
  return true;
}

/// Returns whether the regions should compute again what the condition of their
/// branch needs as well: small elementwise code that kernels there begin with.
/// Then nothing but the condition is computed before the branch.
static bool shouldRepeat(Operation &op, IfOp branch) {
  constexpr int64_t kMostElements = 1 << 14, kUnknownSize = 512;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || op.getNumResults() != 1 ||
      linalgOp.getNumReductionLoops() != 0) {
    return false;
  }
  int64_t elements = 1;
  for (int64_t size : linalgOp.getStaticLoopRanges()) {
    elements *= ShapedType::isDynamic(size) ? kUnknownSize : size;
    if (elements > kMostElements) {
      return false;
    }
  }
  bool areKernels = llvm::all_of(op.getUsers(), [&](Operation *user) {
    auto reader = dyn_cast<linalg::LinalgOp>(user);
    return !findArm(branch, user) ||
           (reader && getIterationSpace(reader).role != OpRole::Contraction);
  });
  return areKernels && servesCondition(op, branch);
}

/// Moves `op` into the regions that alone read it, a copy into each where it is
/// elementwise. One region runs: nothing is computed twice, but for what the
/// condition needs too.
static bool sink(Operation &op, IfOp branch) {
  SmallVector<SmallVector<OpOperand *>, 2> uses(2);
  bool usedOutside = false;
  for (OpOperand &use : op.getUses()) {
    std::optional<unsigned> arm = findArm(branch, use.getOwner());
    usedOutside |= !arm;
    if (arm) {
      uses[*arm].push_back(&use);
    }
  }
  if (usedOutside && !shouldRepeat(op, branch)) {
    if (!uses[0].empty() || !uses[1].empty()) {
      reportKept("PrepareConditionals", &op,
                 "what is outside of the branch reads the value too");
    }
    return false;
  }
  // Elementwise code joins its readers, as do statistics of rows that nothing
  // before the branch makes; else sums are computed before the branch rather
  // than twice in its code.
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  bool isSmall = op.getNumRegions() == 0 ||
                 (linalgOp && (linalgOp.getNumReductionLoops() == 0 ||
                               reducesRowsOfMemory(linalgOp, branch)));
  if (!isSmall && !uses[0].empty() && !uses[1].empty()) {
    reportKept("PrepareConditionals", &op,
               "both regions read it, and it is not elementwise");
    return false;
  }
  for (unsigned arm : {0, 1}) {
    if (uses[arm].empty()) {
      continue;
    }
    OpBuilder builder = OpBuilder::atBlockBegin(getArms(branch)[arm]);
    Operation *copy = builder.clone(op);
    for (OpOperand *use : uses[arm]) {
      use->set(copy->getResult(cast<OpResult>(use->get()).getResultNumber()));
    }
  }
  if (!usedOutside) {
    op.erase();
  }
  return true;
}

/// Returns whether `op` may run in a branch instead of before it.
static bool isMovable(Operation *op) {
  return isPure(op) && !op->use_empty() &&
         (isa<linalg::LinalgOp, IfOp>(op) || isRenaming(op));
}

/// Sinks what `branch` alone reads, from the ops before it.
static void sinkProducers(IfOp branch) {
  auto isBefore = [](Operation *x, Operation *y) {
    return x->isBeforeInBlock(y);
  };
  std::set<Operation *, decltype(isBefore)> makers(isBefore);
  auto addMaker = [&](Value value) {
    Operation *def = value.getDefiningOp();
    if (def && def->getBlock() == branch->getBlock() && isMovable(def)) {
      makers.insert(def);
    }
  };
  llvm::SetVector<Value> values;
  getUsedValuesDefinedAbove(branch->getRegions(), values);
  llvm::for_each(values, addMaker);
  // The last one first: what sinks leaves what it reads to the branch.
  while (!makers.empty()) {
    Operation *op = *makers.rbegin();
    makers.erase(op);
    values.clear();
    values.insert(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), values);
    if (sink(*op, branch)) {
      llvm::for_each(values, addMaker);
    }
  }
}

void fusion::copyLeaves(IfOp branch) {
  for (Block *arm : getArms(branch)) {
    llvm::SetVector<Value> values;
    getUsedValuesDefinedAbove(*arm->getParent(), values);
    IRMapping copies;
    SmallVector<Operation *> copied;
    for (size_t i = 0; i < values.size(); ++i) {
      Operation *def = values[i].getDefiningOp();
      bool isLeaf = def && (def->hasTrait<OpTrait::ConstantLike>() ||
                            isa<tensor::EmptyOp, linalg::FillOp>(def));
      if (isLeaf && !llvm::is_contained(copied, def)) {
        copied.push_back(def);
        values.insert(def->operand_begin(), def->operand_end());
      }
    }
    OpBuilder builder = OpBuilder::atBlockBegin(arm);
    for (Operation *op : copied) {
      builder.clone(*op, copies);
    }
    for (Operation *op : copied) {
      for (auto [from, to] :
           llvm::zip(op->getResults(), copies.lookup(op)->getResults())) {
        Value original = from;
        original.replaceUsesWithIf(to, [&](OpOperand &use) {
          return arm->getParent()->isAncestor(
              use.getOwner()->getParentRegion());
        });
      }
    }
    sortTopologically(arm);
  }
}

/// Returns whether `ops` could stand before `branch`, the branch's results
/// aside, once `needed` were moved there in order: what they read that is after
/// the branch now, and does not depend on it.
static bool canPrecede(ArrayRef<Operation *> ops, IfOp branch,
                       SmallVectorImpl<Operation *> &needed) {
  constexpr size_t kMost = 16;
  llvm::SetVector<Operation *> all(ops.begin(), ops.end());
  for (size_t i = 0; i < all.size(); ++i) {
    llvm::SetVector<Value> values(all[i]->operand_begin(),
                                  all[i]->operand_end());
    getUsedValuesDefinedAbove(all[i]->getRegions(), values);
    for (Value value : values) {
      Operation *def = value.getDefiningOp();
      bool depends = def == branch || llvm::is_contained(ops, def);
      bool isOwn = depends && i < ops.size();
      if (!def || def->getBlock() != branch->getBlock() || isOwn ||
          def->isBeforeInBlock(branch)) {
        continue;
      }
      if (depends || !isPure(def) || all.size() >= ops.size() + kMost) {
        return false;
      }
      all.insert(def);
    }
  }
  needed.assign(std::next(all.begin(), ops.size()), all.end());
  llvm::sort(needed,
             [](Operation *x, Operation *y) { return x->isBeforeInBlock(y); });
  return true;
}

static bool isElementwise(Operation *op) {
  return op->getNumResults() == 1 &&
         cast<linalg::LinalgOp>(op).getNumReductionLoops() == 0;
}

/// Adds the linalg ops of `block` that read `value` to `ops`; returns whether
/// nothing else does.
static bool addReaders(Value value, Block *block,
                       llvm::SetVector<Operation *> &ops) {
  bool areAll = true;
  for (OpOperand &use : value.getUses()) {
    auto op = dyn_cast<linalg::LinalgOp>(use.getOwner());
    bool reads =
        op && op->getBlock() == block && op.isDpsInput(&use) && isPure(op);
    areAll &= reads;
    if (reads) {
      ops.insert(op);
    }
  }
  return areAll;
}

static Operation *getFirst(ArrayRef<Operation *> ops) {
  return *llvm::min_element(
      ops, [](Operation *x, Operation *y) { return x->isBeforeInBlock(y); });
}

/// Adds to `ops` what reads their results, until one op alone gives what others
/// read: an activation that reads its argument twice, say. Returns whether it
/// got there with elementwise ops.
static bool closeReaders(llvm::SetVector<Operation *> &ops) {
  constexpr size_t kMost = 16;
  while (ops.size() <= kMost && llvm::all_of(ops, isElementwise)) {
    SmallVector<Operation *> ends;
    llvm::copy_if(ops, std::back_inserter(ends), [&](Operation *op) {
      return llvm::any_of(op->getUsers(),
                          [&](Operation *user) { return !ops.contains(user); });
    });
    if (ends.size() <= 1) {
      return ends.size() == 1;
    }
    Operation *first = getFirst(ends);
    if (!addReaders(first->getResult(0), first->getBlock(), ops)) {
      return false;
    }
  }
  return false;
}

/// Returns the elementwise ops that alone read `result` and could run at the
/// end of each region of its branch, in order, the last of which alone gives
/// what others read; none if there are none such.
static SmallVector<Operation *>
findConsumers(OpResult result, SmallVectorImpl<Operation *> &needed) {
  auto branch = cast<IfOp>(result.getOwner());
  llvm::SetVector<Operation *> found;
  bool areAll = addReaders(result, branch->getBlock(), found);
  if (found.empty()) {
    return {};
  }
  Operation *first = getFirst(found.getArrayRef());
  bool isOther = areAll && found.size() == 1 && !isElementwise(first);
  bool closes = areAll && closeReaders(found);
  SmallVector<Operation *> ops = found.takeVector();
  llvm::sort(ops,
             [](Operation *x, Operation *y) { return x->isBeforeInBlock(y); });
  StringRef why;
  if (isOther) {
    why = "what reads the branch's result is not elementwise";
  } else if (!closes) {
    why = "the branch's result has other readers";
  } else if (!canPrecede(ops, branch, needed)) {
    why = "what reads the branch's result needs more that depends on it";
  }
  if (!why.empty()) {
    reportKept("PrepareConditionals", first, why);
    return {};
  }
  return ops;
}

/// Moves elementwise ops that read what `branch` gives to the ends of its
/// regions, where they join what makes the value. Returns the branch then.
static IfOp sinkConsumers(IfOp branch) {
  for (unsigned number = 0; number < branch.getNumResults();) {
    SmallVector<Operation *> needed;
    auto result = cast<OpResult>(branch.getResult(number));
    SmallVector<Operation *> ops = findConsumers(result, needed);
    if (ops.empty()) {
      ++number;
      continue;
    }
    for (Operation *other : needed) {
      other->moveBefore(branch);
    }
    for (YieldOp yield : {branch.getThenYield(), branch.getElseYield()}) {
      IRMapping mapping;
      mapping.map(branch.getResults(), yield.getValues());
      OpBuilder builder(yield);
      for (Operation *op : ops) {
        builder.clone(*op, mapping);
      }
      yield->setOperand(number, mapping.lookup(ops.back()->getResult(0)));
    }
    SmallVector<Type> types(branch.getResultTypes());
    types[number] = ops.back()->getResult(0).getType();
    IfOp renewed = renewBranch(branch, types);
    ops.back()->getResult(0).replaceAllUsesWith(renewed.getResult(number));
    for (Operation *op : llvm::reverse(ops)) {
      op->erase();
    }
    for (auto [old, replacement] :
         llvm::zip_equal(branch.getResults(), renewed.getResults())) {
      if (!old.use_empty()) {
        old.replaceAllUsesWith(replacement);
      }
    }
    branch.erase();
    branch = renewed;
  }
  return branch;
}

LogicalResult fusion::checkBranchSizes(func::FuncOp func) {
  // Names of several words are expressions, which may well be equal.
  auto isNamed = [](const SizeOrigin &origin) {
    auto name = dyn_cast_or_null<StringAttr>(origin.name);
    return origin.constant || (name && !name.getValue().contains(' '));
  };
  auto getText = [](const SizeOrigin &origin) {
    return origin.constant ? std::to_string(*origin.constant)
                           : cast<StringAttr>(origin.name).str();
  };
  for (IfOp branch : getBranches(func)) {
    for (auto [number, type] : llvm::enumerate(branch.getResultTypes())) {
      Value first = branch.getThenYield().getValues()[number];
      Value second = branch.getElseYield().getValues()[number];
      int64_t rank = cast<RankedTensorType>(type).getRank();
      for (int64_t dim = 0; dim < rank; ++dim) {
        SizeOrigin ours = getSizeOrigin(first, dim);
        SizeOrigin theirs = getSizeOrigin(second, dim);
        if (!isNamed(ours) || !isNamed(theirs) || ours == theirs) {
          continue;
        }
        return branch.emitOpError(
                   "expected both regions to give results of one size, which "
                   "the host must know, but got '")
               << getText(ours) << "' and '" << getText(theirs) << "' for dim "
               << dim << " of result " << number;
      }
    }
  }
  return success();
}

void fusion::prepareConditionals(func::FuncOp func) {
  SmallVector<IfOp> branches = getBranches(func, WalkOrder::PreOrder);
  for (IfOp &branch : llvm::reverse(branches)) {
    hoistCommonCode(branch);
  }
  for (IfOp &branch : branches) {
    branch = dropUnusedResults(sinkConsumers(branch));
    sinkProducers(branch);
  }
  // Sinking clones branches into others.
  for (IfOp branch : getBranches(func, WalkOrder::PreOrder)) {
    copyLeaves(branch);
  }
}

namespace {
struct PrepareConditionalsPass
    : mlir::fusion::impl::PrepareConditionalsBase<PrepareConditionalsPass> {
  void runOnOperation() override {
    if (failed(checkBranchSizes(getOperation()))) {
      return signalPassFailure();
    }
    prepareConditionals(getOperation());
  }
};
} // namespace
