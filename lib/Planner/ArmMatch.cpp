//===- ArmMatch.cpp - what both arms of a branch have in common -----------===//

#include "ArmMatch.h"

#include "SizeOrigin.h"
#include "fusion/Analysis/IterationSpace.h"
#include "fusion/Analysis/Renaming.h"
#include "fusion/Planner/Choice.h"
#include "fusion/Planner/Units.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::fusion;
using linalg::LinalgOp;

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// Returns whether two tensors of one type have equal sizes at run time.
static bool haveEqualSizes(Value first, Value second) {
  auto type = cast<RankedTensorType>(first.getType());
  return llvm::all_of(llvm::seq<int64_t>(type.getRank()), [&](int64_t dim) {
    return !type.isDynamicDim(dim) ||
           getSizeOrigin(first, dim) == getSizeOrigin(second, dim);
  });
}

FusionDecision fusion::mayChoose(Value first, Value second) {
  assert(first.getType() == second.getType() && "expected one type");
  for (Value value : {first, second}) {
    DenseElementsAttr elements;
    bool isSplat =
        matchPattern(value, m_Constant(&elements)) && elements.isSplat();
    Operation *def = value.getDefiningOp();
    if (isSplat || isa_and_nonnull<tensor::EmptyOp, linalg::FillOp>(def)) {
      return FusionDecision::forbid("the arms differ in a constant");
    }
  }
  return haveEqualSizes(first, second)
             ? FusionDecision::allow()
             : FusionDecision::forbid(
                   "the arms have sizes that are not known to be equal");
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

bool fusion::mayComputeInVain(Operation *op) {
  if (!isPure(op)) {
    return false;
  }
  auto linalgOp = dyn_cast<LinalgOp>(op);
  if (!linalgOp) {
    return op->getNumRegions() == 0 &&
           (isRenaming(op) || isa<tensor::EmptyOp, tensor::DimOp>(op) ||
            op->hasTrait<OpTrait::ConstantLike>() ||
            llvm::none_of(op->getResultTypes(), llvm::IsaPred<ShapedType>));
  }
  // Positions that a body computes may be outside where the arm is not taken.
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  if (llvm::any_of(captured, [](Value value) {
        return isa<ShapedType>(value.getType());
      })) {
    return false;
  }
  OpRole role = getIterationSpace(linalgOp).role;
  return op->getNumResults() == 1 &&
         (role == OpRole::Elementwise || role == OpRole::Fill);
}

/// Returns whether `op` has loops that run in parallel only.
static bool isElementwise(Operation *op) {
  auto linalgOp = dyn_cast<LinalgOp>(op);
  return linalgOp && linalgOp.isAllParallelLoops();
}

/// Returns whether the ops do the same, whatever their operands are; says what
/// their bodies read from outside.
static bool areAlike(Operation *a, Operation *b,
                     SmallVectorImpl<std::pair<Value, Value>> &captured) {
  if (a->getName() != b->getName() ||
      a->getAttrDictionary() != b->getAttrDictionary() ||
      a->getOperandTypes() != b->getOperandTypes() ||
      a->getResultTypes() != b->getResultTypes() ||
      a->getNumRegions() != b->getNumRegions() || !isPure(a) || !isPure(b)) {
    return false;
  }
  if (a->getNumRegions() != 0 && !isa<LinalgOp>(a)) {
    return false;
  }
  DenseMap<Value, Value> inside, outside;
  auto markEqual = [&](Value x, Value y) { inside[x] = y; };
  auto checkEqual = [&](Value x, Value y) {
    auto known = inside.find(x);
    if (known != inside.end()) {
      return success(known->second == y);
    }
    auto [it, isNew] = outside.try_emplace(x, y);
    if (isNew) {
      captured.emplace_back(x, y);
    }
    return success(it->second == y && x.getType() == y.getType());
  };
  return llvm::all_of(llvm::zip_equal(a->getRegions(), b->getRegions()),
                      [&](auto regions) {
                        auto &[x, y] = regions;
                        return OperationEquivalence::isRegionEquivalentTo(
                            &x, &y, checkEqual, markEqual,
                            OperationEquivalence::IgnoreLocations);
                      });
}

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

bool ArmMatch::isInside(Value value) const {
  return IfOp(branch)->isAncestor(value.getParentBlock()->getParentOp());
}

unsigned ArmMatch::add(Value first, Value second) {
  auto [it, isNew] = numbers.try_emplace({first, second}, pairs.size());
  if (isNew) {
    pairs.emplace_back();
    pairs.back().first = first;
    pairs.back().second = second;
  }
  return it->second;
}

void ArmMatch::run() {
  // A bound on what hostile code costs: pairs may be as many as the product.
  constexpr size_t kMostPairs = 4096;
  for (Region &region : branch->getRegions()) {
    unsigned place = 0;
    for (Operation &op : region.front()) {
      places[&op] = ++place;
    }
  }
  for (auto [first, second] :
       llvm::zip_equal(branch.getThenYield().getValues(),
                       branch.getElseYield().getValues())) {
    roots.push_back(add(first, second));
  }
  for (size_t i = 0; i < pairs.size(); ++i) {
    if (i >= kMostPairs) {
      pairs[i].decision = FusionDecision::forbid("the arms are too large");
      continue;
    }
    decide(i);
  }
}

void ArmMatch::decide(unsigned number) {
  ArmPair &pair = pairs[number];
  auto [first, second] = std::make_pair(pair.first, pair.second);
  if (first == second) {
    pair.kind = ArmPair::Same;
    return;
  }
  assert(first.getType() == second.getType() &&
         "results of ops that are alike");
  if (!isInside(first) && !isInside(second)) {
    pair.decision = matchOutside(first, second, pair.kind);
    return;
  }
  if (isInside(first) && isInside(second) && matchOps(pair)) {
    return;
  }
  pair.decision = matchTrees(pair);
}

FusionDecision ArmMatch::matchOutside(Value first, Value second,
                                      ArmPair::Kind &kind) const {
  auto type = dyn_cast<RankedTensorType>(first.getType());
  if (!type) {
    bool equal = first.getType().isIndex() &&
                 getSizeOrigin(first) == getSizeOrigin(second);
    kind = ArmPair::Same;
    return equal ? FusionDecision::allow()
                 : FusionDecision::forbid(
                       "the arms have sizes that are not known to be equal");
  }
  kind = ArmPair::Chosen;
  return mayChoose(first, second);
}

/// Returns whether the operands of two elementwise ops, and what their bodies
/// read from outside, could be pairs themselves. Else the ops are better
/// selected.
bool ArmMatch::fitTogether(Operation *a, Operation *b,
                           ArrayRef<std::pair<Value, Value>> captured) const {
  auto isEqualScalar = [](Value x, Value y) {
    Attribute first, second;
    return x == y || (matchPattern(x, m_Constant(&first)) &&
                      matchPattern(y, m_Constant(&second)) && first == second);
  };
  auto fits = [&](Value x, Value y) {
    return isa<ShapedType>(x.getType()) ? isInside(x) == isInside(y)
                                        : isEqualScalar(x, y);
  };
  auto areFit = [&](const auto &values) { return std::apply(fits, values); };
  return llvm::all_of(llvm::zip_equal(a->getOperands(), b->getOperands()),
                      areFit) &&
         llvm::all_of(captured, areFit);
}

/// Where the ops that make the values differ in their operands only, says what
/// these are.
bool ArmMatch::matchOps(ArmPair &pair) {
  auto first = cast<OpResult>(pair.first), second = cast<OpResult>(pair.second);
  Operation *a = first.getOwner(), *b = second.getOwner();
  SmallVector<std::pair<Value, Value>> captured;
  if (first.getResultNumber() != second.getResultNumber() || a == b ||
      !areAlike(a, b, captured)) {
    return false;
  }
  if (isElementwise(a) && !fitTogether(a, b, captured)) {
    return false;
  }
  pair.kind = ArmPair::Merged;
  SmallVector<unsigned> parts;
  for (auto [x, y] : llvm::zip_equal(a->getOperands(), b->getOperands())) {
    parts.push_back(add(x, y));
  }
  for (auto [x, y] : captured) {
    pair.captured.push_back(x);
    parts.push_back(add(x, y));
  }
  pair.parts = std::move(parts);
  return true;
}

FusionDecision ArmMatch::collectTree(Value value, ArmTree &tree) const {
  llvm::SetVector<Value> values;
  llvm::SetVector<Operation *> ops;
  values.insert(value);
  for (size_t i = 0; i < values.size(); ++i) {
    Value at = values[i];
    Operation *def = at.getDefiningOp();
    if (!isInside(at)) {
      if (isa<RankedTensorType>(at.getType())) {
        tree.leaves.push_back(at);
      }
      continue;
    }
    if (!def || !mayComputeInVain(def)) {
      if (!isa_and_nonnull<LinalgOp>(def)) {
        return FusionDecision::forbid("an arm holds an op that stays in it");
      }
      tree.anchors.push_back(at);
      continue;
    }
    ops.insert(def);
    values.insert(def->operand_begin(), def->operand_end());
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(def->getRegions(), captured);
    values.insert(captured.begin(), captured.end());
  }
  tree.ops = ops.takeVector();
  llvm::sort(tree.ops,
             [](Operation *x, Operation *y) { return x->isBeforeInBlock(y); });
  return FusionDecision::allow();
}

bool ArmMatch::followsWork(const ArmPair &pair) const {
  const auto &[ours, theirs] = pair.trees;
  return llvm::any_of(ours.leaves, [&, &others = theirs.leaves](Value leaf) {
    auto def = leaf.getDefiningOp<LinalgOp>();
    return def && def->getBlock() == IfOp(branch)->getBlock() &&
           !isElementwise(def) && !isa<linalg::FillOp>(def) &&
           llvm::is_contained(others, leaf);
  });
}

/// Returns whether the values are results of one number of their ops.
static bool areSameResults(Value first, Value second) {
  return cast<OpResult>(first).getResultNumber() ==
         cast<OpResult>(second).getResultNumber();
}

FusionDecision ArmMatch::matchTrees(ArmPair &pair) {
  if (!isa<RankedTensorType>(pair.first.getType())) {
    return FusionDecision::forbid("the arms differ in a scalar");
  }
  // Named: a reference to a list in the range would dangle.
  std::array<Value, 2> roots{pair.first, pair.second};
  for (auto [value, tree] : llvm::zip(roots, pair.trees)) {
    if (FusionDecision decision = collectTree(value, tree); !decision) {
      return decision;
    }
  }
  auto &[ours, theirs] = pair.trees;
  auto refuse = [](Value anchor) {
    return FusionDecision::forbid("'" + getDisplayName(anchor.getDefiningOp()) +
                                  "' of one arm has no counterpart in the "
                                  "other");
  };
  SmallVector<Value> rest(theirs.anchors);
  SmallVector<unsigned> parts;
  for (Value anchor : ours.anchors) {
    auto found = llvm::find_if(rest, [&](Value other) {
      // What is nothing but an anchor in both arms was tried as one op for two.
      bool isTried = anchor == pair.first && other == pair.second;
      SmallVector<std::pair<Value, Value>> captured;
      return !isTried && areSameResults(anchor, other) &&
             areAlike(anchor.getDefiningOp(), other.getDefiningOp(), captured);
    });
    if (found == rest.end()) {
      return refuse(anchor);
    }
    parts.push_back(add(anchor, *found));
    rest.erase(found);
  }
  if (!rest.empty()) {
    return refuse(rest.front());
  }
  bool passes = !isInside(pair.first) || !isInside(pair.second);
  if (passes && !followsWork(pair)) {
    return FusionDecision::forbid("one arm passes a value through that the "
                                  "other computes");
  }
  if (!haveEqualSizes(pair.first, pair.second)) {
    return FusionDecision::forbid(
        "the arms have sizes that are not known to be equal");
  }
  pair.parts = std::move(parts);
  pair.kind = ArmPair::Selected;
  return FusionDecision::allow();
}

//===----------------------------------------------------------------------===//
// What a result is made from
//===----------------------------------------------------------------------===//

/// Places in the arms: what a pair is made from stands before it in one arm at
/// least, and not after it in the other.
std::pair<unsigned, unsigned> ArmMatch::getPosition(unsigned number) const {
  auto getPlace = [&](Value value) -> unsigned {
    Operation *def = value.getDefiningOp();
    return def ? places.lookup(def) : 0;
  };
  return {getPlace(pairs[number].first), getPlace(pairs[number].second)};
}

SmallVector<unsigned> ArmMatch::getClosure(unsigned result) const {
  llvm::SetVector<unsigned> closure;
  closure.insert(roots[result]);
  for (size_t i = 0; i < closure.size(); ++i) {
    ArrayRef<unsigned> parts = pairs[closure[i]].parts;
    closure.insert(parts.begin(), parts.end());
  }
  SmallVector<std::pair<std::pair<unsigned, unsigned>, unsigned>> order;
  for (unsigned number : closure) {
    order.push_back({getPosition(number), number});
  }
  llvm::sort(order);
  return llvm::map_to_vector(order, [](auto &entry) { return entry.second; });
}

FusionDecision ArmMatch::check(unsigned result) const {
  bool selects = false, merges = false, mergesWork = false, follows = false;
  for (unsigned number : getClosure(result)) {
    const ArmPair &pair = pairs[number];
    if (!pair.decision) {
      return pair.decision;
    }
    selects |= pair.kind == ArmPair::Selected;
    follows |= pair.kind == ArmPair::Selected && followsWork(pair);
    Operation *def = pair.first.getDefiningOp();
    bool isLinalg = isa_and_nonnull<LinalgOp>(def);
    merges |= pair.kind == ArmPair::Merged && isLinalg;
    mergesWork |= pair.kind == ArmPair::Merged && isLinalg &&
                  !isElementwise(def) && !isa<linalg::FillOp>(def);
  }
  if (selects && !mergesWork && !follows) {
    return FusionDecision::forbid("the arms have nothing but elementwise code, "
                                  "which differs: each is a body of its own");
  }
  ArmPair::Kind root = pairs[roots[result]].kind;
  if (!merges && !follows && root != ArmPair::Chosen && root != ArmPair::Same) {
    return FusionDecision::forbid("the arms have no kernel in common");
  }
  return FusionDecision::allow();
}
