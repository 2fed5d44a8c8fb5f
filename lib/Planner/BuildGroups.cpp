//===- BuildGroups.cpp - clusters of units become fusion.group ops --------===//

#include "fusion/Analysis/IndexingMaps.h"
#include "fusion/Dialect/Fusion/IR/Directives.h"
#include "fusion/Dialect/Fusion/IR/Fusion.h"
#include "fusion/Dialect/Fusion/Transforms/DeadOps.h"
#include "fusion/Planner/Choice.h"
#include "fusion/Planner/FormGroups.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::fusion;
using linalg::LinalgOp;

namespace {
/// Makes the group of one cluster.
class GroupBuilder {
public:
  GroupBuilder(UnitGraph &graph, const Partition &partition, unsigned leader,
               OpBuilder &builder)
      : graph(graph), cluster(partition.getCluster(leader)), builder(builder) {}

  /// Builds the group before the builder's insertion point and replaces the
  /// uses of its results.
  void build();

private:
  void collectResults();
  void collectInputs();
  void addInput(Value value);
  Value makeDestination(Value result);
  void erasePads(LinalgOp op);
  void cloneOp(LinalgOp op, OpBuilder &inner, IRMapping &mapping);
  void keepForCopies(LinalgOp op);
  void replaceOps();
  void cloneLeaves(Operation *op, OpBuilder &inner, IRMapping &mapping);
  Value makeInit(LinalgOp op, unsigned index, OpBuilder &inner,
                 IRMapping &mapping);
  Value makeEmpty(LinalgOp op, unsigned index, OpBuilder &inner,
                  IRMapping &mapping);
  Value getSizeInside(LinalgOp op, unsigned index, int64_t dim,
                      OpBuilder &inner, IRMapping &mapping);
  std::string getName() const;

  UnitGraph &graph;
  const Cluster &cluster;
  OpBuilder &builder;

  SmallVector<LinalgOp> ops; // in order
  DenseSet<Value> made;      // by `ops`
  llvm::SetVector<Value> inputs;
  SmallVector<Value> results;
  GroupOp group;
};
} // namespace

/// Results are the values that another group, an op outside or the terminator
/// reads; a group that nothing reads keeps its last value. What pads a value
/// for ops of the group is in it.
void GroupBuilder::collectResults() {
  DenseSet<Operation *> inside(ops.begin(), ops.end());
  auto onlyPads = [&](Operation *user) {
    return graph.cloneable.contains(user) && isa<LinalgOp>(user) &&
           llvm::all_of(user->getUsers(), [&](Operation *reader) {
             return inside.contains(reader);
           });
  };
  for (LinalgOp op : ops) {
    for (Value value : op->getResults()) {
      bool leaves = llvm::any_of(value.getUsers(), [&](Operation *user) {
        Operation *top = op->getBlock()->findAncestorOpInBlock(*user);
        return !inside.contains(top) && !onlyPads(top);
      });
      if (leaves) {
        results.push_back(value);
      }
    }
  }
  if (results.empty()) {
    results.push_back(ops.back()->getResult(0));
  }
}

void GroupBuilder::addInput(Value value) {
  Operation *def = value.getDefiningOp();
  bool cloned = def && graph.cloneable.contains(def);
  if (!made.contains(value) && !cloned) {
    inputs.insert(value);
  }
  if (arith::SelectOp choice = getChoice(value)) {
    for (Value leaf : getChoiceLeaves(choice)) {
      addInput(leaf);
    }
  }
  // What pads a tensor is cloned; the tensor is not.
  if (cloned && isa<LinalgOp>(def)) {
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(def->getRegions(), captured);
    llvm::for_each(captured, [&](Value inner) { addInput(inner); });
  }
}

void GroupBuilder::collectInputs() {
  for (LinalgOp op : ops) {
    for (OpOperand &operand : op->getOpOperands()) {
      if (!op.isDpsInit(&operand) || op.payloadUsesValueFromOperand(&operand)) {
        addInput(operand.get());
      }
    }
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(op->getRegions(), captured);
    llvm::for_each(captured, [&](Value value) { addInput(value); });
  }
}

/// Returns a tensor.empty for `result`: the one that the op had, or a new one
/// where the op accumulates into a value.
Value GroupBuilder::makeDestination(Value result) {
  auto op = cast<LinalgOp>(result.getDefiningOp());
  Value init = op.getDpsInits()[cast<OpResult>(result).getResultNumber()];
  if (auto fill = init.getDefiningOp<linalg::FillOp>()) {
    init = fill.getOutputs()[0];
  }
  if (init.getDefiningOp<tensor::EmptyOp>()) {
    return init;
  }
  auto type = cast<RankedTensorType>(init.getType());
  return tensor::EmptyOp::create(
      builder, op.getLoc(), tensor::getMixedSizes(builder, op.getLoc(), init),
      type.getElementType(), type.getEncoding());
}

/// Returns the op that `unit` is named after: of attention the first
/// contraction, whatever makes its operands or its mask.
static Operation *getNamedOp(const Unit &unit) {
  for (Operation *op : unit.ops) {
    if (unit.isSoftmax && getIterationSpace(cast<linalg::LinalgOp>(op)).role ==
                              OpRole::Contraction) {
      return op;
    }
  }
  return unit.ops.front();
}

/// Joins the names of the source nodes, each once.
std::string GroupBuilder::getName() const {
  constexpr size_t kMaxNames = 6;
  SmallVector<std::string> names;
  for (unsigned index : cluster.units) {
    std::string name = getDisplayName(getNamedOp(graph.units[index]));
    if (!llvm::is_contained(names, name)) {
      names.push_back(std::move(name));
    }
  }
  size_t kept = std::min(names.size(), kMaxNames);
  std::string joined = llvm::join(ArrayRef(names).take_front(kept), "+");
  if (kept < names.size()) {
    joined += "+" + std::to_string(names.size() - kept) + " more";
  }
  return joined;
}

/// Clones the scalars and constants that `op` needs from outside.
void GroupBuilder::cloneLeaves(Operation *op, OpBuilder &inner,
                               IRMapping &mapping) {
  SmallVector<Operation *> worklist, leaves;
  llvm::SmallPtrSet<Operation *, 8> seen;
  auto add = [&](Value value) {
    Operation *def = value.getDefiningOp();
    if (def && graph.cloneable.contains(def) && !mapping.contains(value) &&
        seen.insert(def).second) {
      worklist.push_back(def);
      leaves.push_back(def);
    }
  };
  auto addOperands = [&](Operation *user) {
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(user->getRegions(), captured);
    llvm::for_each(captured, add);
    for (OpOperand &operand : user->getOpOperands()) {
      auto linalgOp = dyn_cast<LinalgOp>(user);
      // Destinations, fills of them included, are made by makeInit.
      if (!linalgOp || !linalgOp.isDpsInit(&operand)) {
        add(operand.get());
      }
    }
  };
  addOperands(op);
  while (!worklist.empty()) {
    addOperands(worklist.pop_back_val());
  }
  llvm::sort(leaves,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  for (Operation *leaf : leaves) {
    if (auto linalgOp = dyn_cast<LinalgOp>(leaf)) {
      mapping.map(linalgOp.getDpsInits()[0],
                  makeEmpty(linalgOp, 0, inner, mapping));
    }
    inner.clone(*leaf, mapping);
  }
}

/// Returns the size of `dim` of a tensor inside of a group, where possible as
/// that of an argument of the group.
static Value getDim(OpBuilder &builder, Location loc, Value value,
                    int64_t dim) {
  while (auto op = value.getDefiningOp<LinalgOp>()) {
    value = op.getDpsInits()[cast<OpResult>(value).getResultNumber()];
  }
  auto empty = value.getDefiningOp<tensor::EmptyOp>();
  if (empty && empty.getType().isDynamicDim(dim)) {
    return empty.getDynamicSize(dim);
  }
  return tensor::DimOp::create(builder, loc, value, dim);
}

/// Returns the size of `dim` of the destination `index` of `op`, from tensors
/// inside of the group where possible, else from a further input.
Value GroupBuilder::getSizeInside(LinalgOp op, unsigned index, int64_t dim,
                                  OpBuilder &inner, IRMapping &mapping) {
  Location loc = op.getLoc();
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(index));
  std::optional<unsigned> loop = getLoopAt(map, dim);
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap inputMap = op.getMatchingIndexingMap(input);
    Value inside = mapping.lookupOrNull(input->get());
    if (!loop || !inside || !isa<RankedTensorType>(inside.getType())) {
      continue;
    }
    for (unsigned position = 0; position < inputMap.getNumResults();
         ++position) {
      if (getLoopAt(inputMap, position) == loop) {
        return getDim(inner, loc, inside, position);
      }
    }
  }
  Value init = op.getDpsInits()[index];
  if (auto fill = init.getDefiningOp<linalg::FillOp>()) {
    init = fill.getOutputs()[0];
  }
  auto empty = init.getDefiningOp<tensor::EmptyOp>();
  Value outside = empty ? empty.getDynamicSize(dim)
                        : tensor::DimOp::create(builder, loc, init, dim);
  unsigned position = group.getInputs().size();
  group.getInputsMutable().append(outside);
  return group.getBodyBlock()->insertArgument(position, outside.getType(), loc);
}

Value GroupBuilder::makeEmpty(LinalgOp op, unsigned index, OpBuilder &inner,
                              IRMapping &mapping) {
  auto type = cast<RankedTensorType>(op.getDpsInits()[index].getType());
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (type.isDynamicDim(dim)) {
      sizes.push_back(getSizeInside(op, index, dim, inner, mapping));
    }
  }
  return tensor::EmptyOp::create(inner, op.getLoc(), type, sizes);
}

/// Returns the destination `index` of `op` inside of the group: that of the
/// group where the result leaves it, filled where the op accumulates.
Value GroupBuilder::makeInit(LinalgOp op, unsigned index, OpBuilder &inner,
                             IRMapping &mapping) {
  OpOperand &init = *op.getDpsInitOperand(index);
  auto fill = init.get().getDefiningOp<linalg::FillOp>();
  bool cloned = fill && graph.cloneable.contains(fill);
  if (op.payloadUsesValueFromOperand(&init) && !cloned) {
    return mapping.lookup(init.get());
  }
  auto it = llvm::find(results, op->getResult(index));
  Value destination =
      it != results.end()
          ? Value(group.getInitArguments()[std::distance(results.begin(), it)])
          : makeEmpty(op, index, inner, mapping);
  if (!cloned) {
    return destination;
  }
  cloneLeaves(fill, inner, mapping);
  return linalg::FillOp::create(inner, fill.getLoc(),
                                mapping.lookup(fill.getInputs()[0]),
                                destination)
      ->getResult(0);
}

void GroupBuilder::cloneOp(LinalgOp op, OpBuilder &inner, IRMapping &mapping) {
  cloneLeaves(op, inner, mapping);
  SmallVector<Value> operands;
  for (OpOperand *input : op.getDpsInputOperands()) {
    operands.push_back(mapping.lookup(input->get()));
  }
  for (unsigned index = 0, e = op.getNumDpsInits(); index < e; ++index) {
    operands.push_back(makeInit(op, index, inner, mapping));
  }
  Operation *clone = inner.clone(*op, mapping);
  clone->setOperands(operands);
  // They are obeyed: groups that differ in nothing else share one kernel.
  for (StringRef name : {kNoFuseAttr, kFuseWithAttr, kPinnedScheduleAttr}) {
    clone->removeAttr(name);
  }
}

/// Gives the ops that hold a copy of `op`, a fill that is a unit too, one that
/// stays: they need not wait for the group.
void GroupBuilder::keepForCopies(LinalgOp op) {
  if (!isa<linalg::FillOp>(op) || !graph.cloneable.contains(op)) {
    return;
  }
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : op->getUses()) {
    if (isCopiedInto(use, *op->getBlock())) {
      uses.push_back(&use);
    }
  }
  if (uses.empty()) {
    return;
  }
  OpBuilder after(op->getContext());
  after.setInsertionPointAfter(op);
  Operation *copy = after.clone(*op);
  graph.cloneable.insert(copy);
  for (OpOperand *use : uses) {
    use->set(copy->getResult(0));
  }
}

void GroupBuilder::build() {
  for (unsigned index : cluster.units) {
    for (Operation *op : graph.units[index].ops) {
      ops.push_back(cast<LinalgOp>(op));
      made.insert(op->result_begin(), op->result_end());
    }
  }
  collectResults();
  collectInputs();
  SmallVector<Value> destinations;
  for (Value result : results) {
    destinations.push_back(makeDestination(result));
  }
  SmallVector<StringRef> kinds;
  if (cluster.vertical) {
    kinds.push_back("vertical");
  }
  if (cluster.horizontal) {
    kinds.push_back("horizontal");
  }
  group = GroupOp::create(builder, ops.front().getLoc(), getName(), kinds,
                          inputs.getArrayRef(), destinations);
  for (LinalgOp op : ops) {
    if (op->hasAttr(kNoFuseAttr)) {
      group->setAttr(kNoFuseAttr, builder.getUnitAttr());
    }
  }
  if (DictionaryAttr schedule = getPinnedSchedule(graph, cluster)) {
    group.setScheduleAttr(schedule);
  }
  OpBuilder inner = OpBuilder::atBlockEnd(group.getBodyBlock());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(group);
  IRMapping mapping;
  mapping.map(inputs.getArrayRef(), group.getInputArguments());
  for (LinalgOp op : ops) {
    cloneOp(op, inner, mapping);
  }
  if (!group.getBodyBlock()->getOps<arith::SelectOp>().empty()) {
    kinds.push_back("conditional");
    group.setKindsAttr(builder.getStrArrayAttr(kinds));
  }
  SmallVector<Value> yielded;
  for (Value result : results) {
    yielded.push_back(mapping.lookup(result));
  }
  YieldOp::create(inner, group.getLoc(), yielded);
  replaceOps();
}

/// Lets what reads the ops read the group, and erases them.
void GroupBuilder::replaceOps() {
  llvm::for_each(ops, [&](LinalgOp op) { keepForCopies(op); });
  for (auto [result, replacement] :
       llvm::zip_equal(results, group.getResults())) {
    result.replaceUsesWithIf(replacement, [&](OpOperand &use) {
      return !group->isAncestor(use.getOwner());
    });
  }
  for (LinalgOp op : llvm::reverse(ops)) {
    erasePads(op);
    // A fill may be a unit too; another op may get its address.
    graph.cloneable.erase(op);
    op->erase();
  }
}

/// Erases what padded results of `op`, which is in the group, where nothing
/// reads it any more.
void GroupBuilder::erasePads(LinalgOp op) {
  llvm::SetVector<Operation *> pads;
  for (Operation *user : op->getUsers()) {
    Operation *top = op->getBlock()->findAncestorOpInBlock(*user);
    if (top && graph.cloneable.contains(top) && top->use_empty()) {
      pads.insert(top);
    }
  }
  for (Operation *pad : pads) {
    graph.cloneable.erase(pad);
    pad->erase();
  }
}

void fusion::buildGroups(Block &block, UnitGraph &graph,
                         const Partition &partition) {
  OpBuilder builder(block.getTerminator());
  for (unsigned leader : partition.getOrder()) {
    const Unit &unit = graph.units[leader];
    if (!unit.isOpaque()) {
      // Others may compute all that it had to (Recompute.h).
      if (partition.getCluster(leader).units.empty()) {
        continue;
      }
      GroupBuilder(graph, partition, leader, builder).build();
    } else if (unit.ops.front() != block.getTerminator()) {
      unit.ops.front()->moveBefore(block.getTerminator());
    }
  }
  eraseDeadOps(block);
}
