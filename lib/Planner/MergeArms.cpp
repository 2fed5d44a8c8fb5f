//===- MergeArms.cpp - what both arms compute, once -----------------------===//

#include "ArmMatch.h"
#include "fusion/Analysis/Renaming.h"
#include "fusion/Dialect/Fusion/IR/Composite.h"

#include "fusion/Planner/Choice.h"
#include "fusion/Planner/FormGroups.h"
#include "fusion/Planner/PackLaunches.h"
#include "fusion/Planner/Passes.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::fusion;
using linalg::LinalgOp;

namespace mlir::fusion {
#define GEN_PASS_DEF_MERGEARMS
#include "fusion/Planner/Passes.h.inc"
} // namespace mlir::fusion

//===----------------------------------------------------------------------===//
// What need not be in an arm
//===----------------------------------------------------------------------===//

/// Lets sizes of what an arm computes be those of its destinations.
static void resolveSizes(Block &arm) {
  for (auto dimOp : llvm::make_early_inc_range(arm.getOps<tensor::DimOp>())) {
    std::optional<int64_t> dim = dimOp.getConstantIndex();
    Value source = dimOp.getSource();
    while (auto op = source.getDefiningOp<LinalgOp>()) {
      source = op.getDpsInits()[cast<OpResult>(source).getResultNumber()];
    }
    auto empty = source.getDefiningOp<tensor::EmptyOp>();
    if (dim && empty && empty.getType().isDynamicDim(*dim)) {
      dimOp.replaceAllUsesWith(empty.getDynamicSize(*dim));
      dimOp.erase();
    }
  }
}

/// Returns whether `op` computes the predicate of a branch or of a choice from
/// a few scalars in memory.
static bool isScalarPredicate(Operation &op) {
  auto linalgOp = dyn_cast<LinalgOp>(op);
  return linalgOp && linalgOp.getNumLoops() == 0 && mayComputeInVain(&op) &&
         !isa<linalg::FillOp>(op) &&
         llvm::any_of(op.getUsers(), [](Operation *user) {
           auto branch = dyn_cast<IfOp>(user);
           return isChoiceOp(user) ||
                  (branch && branch.getCondition() == user->getOperand(0));
         });
}

/// Returns whether `op`, of an arm, costs nothing where it is not needed:
/// sizes, reshapes, choices, constants in memory and scalar predicates.
static bool isFree(Operation &op) {
  if (!isPure(&op)) {
    return false;
  }
  if (op.hasTrait<OpTrait::ConstantLike>()) {
    DenseElementsAttr elements;
    return matchPattern(&op, m_Constant(&elements)) && !elements.isSplat();
  }
  bool isIndex = op.getNumRegions() == 0 && op.getNumResults() == 1 &&
                 op.getResult(0).getType().isIndex();
  return isIndex || isChoiceOp(&op) || isScalarPredicate(op) || isRenaming(&op);
}

/// Moves what costs nothing out of an arm of `branch`; constants and
/// destinations that it needs are copied.
static void hoistFreeOps(IfOp branch, Block &arm) {
  resolveSizes(arm);
  OpBuilder builder(branch);
  for (Operation &op : llvm::make_early_inc_range(arm.without_terminator())) {
    llvm::SetVector<Value> values(op.operand_begin(), op.operand_end());
    getUsedValuesDefinedAbove(op.getRegions(), values);
    SmallVector<Operation *> leaves;
    bool isReady = isFree(op);
    for (Value value : values) {
      Operation *def = value.getDefiningOp();
      if (!def || !branch->isAncestor(def)) {
        continue;
      }
      isReady &= def->hasTrait<OpTrait::ConstantLike>() ||
                 (isa<tensor::EmptyOp>(def) && def->getNumOperands() == 0);
      leaves.push_back(def);
    }
    if (!isReady) {
      continue;
    }
    IRMapping copies;
    for (Operation *leaf : leaves) {
      builder.clone(*leaf, copies);
    }
    Operation *moved = builder.clone(op, copies);
    op.replaceAllUsesWith(moved);
    op.erase();
  }
}

//===----------------------------------------------------------------------===//
// One op for two
//===----------------------------------------------------------------------===//

namespace {
/// Computes results of a branch before it.
class ArmMerger {
public:
  ArmMerger(IfOp branch, const ArmMatch &match)
      : branch(branch), match(match), builder(branch) {}

  /// Returns what replaces the result.
  Value merge(unsigned result);

private:
  Value choose(Value first, Value second);
  Operation *cloneOp(const ArmPair &pair);
  Operation *keepOne(Operation *made);
  Value select(const ArmPair &pair);
  void pairLeaves(const ArmPair &pair);

  IfOp branch;
  const ArmMatch &match;
  OpBuilder builder;
  DenseMap<unsigned, Value> values; // of pairs
  DenseMap<std::pair<Value, Value>, Value> choices;
  DenseMap<std::pair<Operation *, Operation *>, Operation *> merged;
  /// What was made, by hash.
  DenseMap<unsigned, SmallVector<Operation *, 1>> known;
  /// What values of each arm are outside, where that arm is taken.
  std::array<IRMapping, 2> images;
};
} // namespace

Value ArmMerger::choose(Value first, Value second) {
  Value &choice = choices[{first, second}];
  if (!choice) {
    choice = createChoice(builder, branch.getLoc(), branch.getCondition(),
                          first, second);
  }
  return choice;
}

/// Returns an op made before that is equal to `made`, which is erased then, or
/// `made`: code of both arms may be the same once its operands are.
Operation *ArmMerger::keepOne(Operation *made) {
  auto hash = static_cast<unsigned>(
      static_cast<size_t>(OperationEquivalence::computeHash(
          made, OperationEquivalence::directHashValue,
          OperationEquivalence::ignoreHashValue,
          OperationEquivalence::IgnoreLocations)));
  for (Operation *other : known[hash]) {
    if (OperationEquivalence::isEquivalentTo(
            made, other, OperationEquivalence::IgnoreLocations)) {
      made->erase();
      return other;
    }
  }
  known[hash].push_back(made);
  return made;
}

Operation *ArmMerger::cloneOp(const ArmPair &pair) {
  Operation *op = pair.first.getDefiningOp();
  Operation *&clone = merged[{op, pair.second.getDefiningOp()}];
  if (clone) {
    return clone;
  }
  IRMapping mapping;
  unsigned operands = op->getNumOperands();
  for (auto [value, part] : llvm::zip_equal(
           pair.captured, ArrayRef(pair.parts).drop_front(operands))) {
    mapping.map(value, values.lookup(part));
  }
  clone = builder.clone(*op, mapping);
  // By position: an op may read one value twice and its counterpart two.
  for (unsigned i = 0; i < operands; ++i) {
    clone->setOperand(i, values.lookup(pair.parts[i]));
  }
  clone = keepOne(clone);
  return clone;
}

/// Where each arm reads a tensor of one type that the other does not, both read
/// a choice of the two.
void ArmMerger::pairLeaves(const ArmPair &pair) {
  auto isFree = [&](Value value, unsigned arm) {
    auto type = cast<RankedTensorType>(value.getType());
    return type.getRank() != 0 && !images[arm].contains(value) &&
           !llvm::is_contained(pair.trees[1 - arm].leaves, value);
  };
  SmallVector<Value> rest = llvm::filter_to_vector(
      pair.trees[1].leaves, [&](Value value) { return isFree(value, 1); });
  for (Value leaf : pair.trees[0].leaves) {
    if (!isFree(leaf, 0)) {
      continue;
    }
    auto found = llvm::find_if(rest, [&](Value other) {
      return leaf.getType() == other.getType() && mayChoose(leaf, other);
    });
    if (found != rest.end()) {
      Value choice = choose(leaf, *found);
      images[0].map(leaf, choice);
      images[1].map(*found, choice);
      rest.erase(found);
    }
  }
}

/// Computes the code of both arms, and selects.
Value ArmMerger::select(const ArmPair &pair) {
  pairLeaves(pair);
  SmallVector<Value> sides;
  // Named: a reference to a list in the range would dangle.
  std::array<Value, 2> roots{pair.first, pair.second};
  for (auto [arm, value] : llvm::enumerate(roots)) {
    IRMapping &image = images[arm];
    for (Operation *op : pair.trees[arm].ops) {
      if (!image.contains(op->getResult(0))) {
        Operation *made = keepOne(builder.clone(*op, image));
        image.map(op->getResults(), made->getResults());
      }
    }
    sides.push_back(image.lookupOrDefault(value)); // may be passed through
  }
  Location loc = branch.getLoc();
  auto type = cast<RankedTensorType>(pair.first.getType());
  Value empty = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, sides[0]),
      type.getElementType(), type.getEncoding());
  MLIRContext *context = builder.getContext();
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  AffineMap scalar = AffineMap::get(type.getRank(), 0, context);
  SmallVector<utils::IteratorType> parallel(type.getRank(),
                                            utils::IteratorType::parallel);
  auto op = linalg::GenericOp::create(
      builder, loc, type, ValueRange{branch.getCondition(), sides[0], sides[1]},
      empty, ArrayRef<AffineMap>{scalar, identity, identity, identity},
      parallel, [](OpBuilder &body, Location loc, ValueRange arguments) {
        Value picked = arith::SelectOp::create(body, loc, arguments[0],
                                               arguments[1], arguments[2]);
        linalg::YieldOp::create(body, loc, picked);
      });
  return op->getResult(0);
}

Value ArmMerger::merge(unsigned result) {
  for (unsigned number : match.getClosure(result)) {
    Value &value = values[number];
    if (value) {
      continue;
    }
    const ArmPair &pair = match.getPair(number);
    Value made;
    switch (pair.kind) {
    case ArmPair::Same:
      made = pair.first;
      break;
    case ArmPair::Chosen:
      made = choose(pair.first, pair.second);
      break;
    case ArmPair::Merged:
      made = cloneOp(pair)->getResult(
          cast<OpResult>(pair.first).getResultNumber());
      break;
    case ArmPair::Selected:
      made = select(pair);
      break;
    case ArmPair::Undecided:
      llvm_unreachable("a result with an undecided pair is refused");
    }
    values[number] = made;
    // Arms that compute it further, in vain or not, take it from there.
    std::array<Value, 2> sides{pair.first, pair.second};
    for (auto [arm, value] : llvm::enumerate(sides)) {
      if (pair.kind != ArmPair::Selected || match.isInside(value)) {
        images[arm].map(value, made);
      }
    }
  }
  return values.lookup(match.getResultPair(result));
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

/// Returns whether readers of `result` could read a choice in its place: linalg
/// ops, perhaps through reshapes.
static bool canReadChoice(Value result) {
  llvm::SetVector<Value> values;
  values.insert(result);
  for (size_t i = 0; i < values.size(); ++i) {
    for (OpOperand &use : values[i].getUses()) {
      Operation *user = use.getOwner();
      auto linalgOp = dyn_cast<LinalgOp>(user);
      if (isRenaming(user)) {
        values.insert(user->getResult(0));
      } else if (!isa<tensor::DimOp>(user) &&
                 (!linalgOp || !linalgOp.isDpsInput(&use))) {
        return false;
      }
    }
  }
  return true;
}

/// The linalg ops in the arms of `branch` that the result is made from.
static void collectOps(IfOp branch, unsigned result,
                       llvm::SetVector<Operation *> &ops) {
  llvm::SetVector<Value> values;
  for (YieldOp yield : {branch.getThenYield(), branch.getElseYield()}) {
    values.insert(yield.getValues()[result]);
  }
  for (size_t i = 0; i < values.size(); ++i) {
    Operation *def = values[i].getDefiningOp();
    if (!def || !branch->isProperAncestor(def)) {
      continue;
    }
    if (isa<LinalgOp>(def) && !isa<linalg::FillOp>(def)) {
      ops.insert(def);
    }
    values.insert(def->operand_begin(), def->operand_end());
    getUsedValuesDefinedAbove(def->getRegions(), values);
  }
}

/// Decides for each result whether it is made without the branch. What one
/// result shares with another that stays is not computed twice: both stay.
static SmallVector<FusionDecision> decide(IfOp branch, const ArmMatch &match,
                                          const PlannerOptions &options) {
  SmallVector<FusionDecision> decisions;
  llvm::SetVector<Operation *> stay;
  for (OpResult result : branch->getResults()) {
    unsigned number = result.getResultNumber();
    FusionDecision decision = match.check(number);
    const ArmPair &root = match.getPair(match.getResultPair(number));
    if (decision && root.kind == ArmPair::Chosen && !canReadChoice(result)) {
      decision = FusionDecision::forbid("the arms only pass values through");
    }
    bool selects = llvm::any_of(match.getClosure(number), [&](unsigned part) {
      return match.getPair(part).kind == ArmPair::Selected;
    });
    if (decision && selects && options.device.isCPU()) {
      decision = FusionDecision::forbid("on a CPU the code of both arms would "
                                        "be computed");
    }
    if (!decision) {
      collectOps(branch, number, stay);
    }
    decisions.push_back(std::move(decision));
  }
  bool changed = !stay.empty();
  while (changed) {
    changed = false;
    for (auto [number, decision] : llvm::enumerate(decisions)) {
      llvm::SetVector<Operation *> ops;
      collectOps(branch, number, ops);
      if (decision &&
          llvm::any_of(ops, [&](Operation *op) { return stay.contains(op); })) {
        decision = FusionDecision::forbid(
            "a result that stays in the branch needs the same values");
        stay.insert(ops.begin(), ops.end());
        changed = true;
      }
    }
  }
  return decisions;
}

static void tell(IfOp branch, const FusionDecision &decision) {
  auto opts = remark::RemarkOpts::name("MergeArms")
                  .category("fusion")
                  .function(branch->getParentOfType<func::FuncOp>().getName());
  if (decision) {
    remark::passed(branch.getLoc(), opts)
        << remark::add("both arms are one computation on chosen operands");
  } else {
    remark::missed(branch.getLoc(), opts)
        << remark::reason("{0}", decision.getReason().str());
  }
}

static void mergeBranch(IfOp branch, const PlannerOptions &options) {
  for (Region &region : branch->getRegions()) {
    hoistFreeOps(branch, region.front());
  }
  ArmMatch match(branch);
  match.run();
  SmallVector<FusionDecision> decisions = decide(branch, match, options);
  ArmMerger merger(branch, match);
  SmallVector<std::pair<Value, Value>> replaced;
  for (auto [number, decision] : llvm::enumerate(decisions)) {
    tell(branch, decision);
    if (decision) {
      replaced.push_back({branch.getResult(number), merger.merge(number)});
    }
  }
  for (auto [result, value] : replaced) {
    result.replaceAllUsesWith(value);
  }
  if (replaced.size() == branch.getNumResults()) {
    branch.erase();
    return;
  }
  copyLeaves(replaced.empty() ? branch : dropUnusedResults(branch));
}

void fusion::mergeArms(func::FuncOp func, const PlannerOptions &options) {
  if (!options.conditional) {
    return;
  }
  // Inner ones first: what is left of them may have a counterpart outside.
  for (IfOp branch : getBranches(func)) {
    mergeBranch(branch, options);
  }
}

namespace {
struct MergeArmsPass : mlir::fusion::impl::MergeArmsBase<MergeArmsPass> {
  using MergeArmsBase::MergeArmsBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    PlannerOptions options;
    if (failed(setPlannerOptions(func, target, fuse, options))) {
      return signalPassFailure();
    }
    mergeArms(func, options);
  }
};
} // namespace
