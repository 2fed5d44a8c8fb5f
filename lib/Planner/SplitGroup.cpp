//===- SplitGroup.cpp - one group becomes several -------------------------===//
//
// The ops of the group are grouped anew, in a function of their own, with an
// order of the units cut in two.
//
//===----------------------------------------------------------------------===//

#include "fusion/Planner/SplitGroup.h"

#include "fusion/Dialect/Fusion/IR/Directives.h"
#include "fusion/Planner/FormGroups.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {
/// The body of a group as that of a function.
class Flattened {
public:
  explicit Flattened(GroupOp group);

  Block &getBlock() { return func->getBody().front(); }
  /// Puts the function's body in place of the group; returns its groups.
  SmallVector<GroupOp> putBack();

private:
  GroupOp group;
  OwningOpRef<func::FuncOp> func;
  SmallVector<Value> operands; ///< what its arguments stand for
};
} // namespace

Flattened::Flattened(GroupOp group) : group(group) {
  OpBuilder builder(group.getContext());
  Location loc = group.getLoc();
  llvm::append_range(operands, group.getInputs());
  for (Value init : group.getInits()) {
    if (auto empty = init.getDefiningOp<tensor::EmptyOp>()) {
      llvm::append_range(operands, empty.getDynamicSizes());
    } else {
      operands.push_back(init);
    }
  }
  func = func::FuncOp::create(
      loc, "split",
      builder.getFunctionType(ValueRange(operands).getTypes(),
                              group.getResultTypes()));
  Block *entry = func->addEntryBlock();
  builder.setInsertionPointToEnd(entry);
  IRMapping mapping;
  ValueRange arguments = entry->getArguments();
  for (BlockArgument input : group.getInputArguments()) {
    mapping.map(input, arguments.front());
    arguments = arguments.drop_front();
  }
  for (auto [init, inside] :
       llvm::zip_equal(group.getInits(), group.getInitArguments())) {
    auto empty = init.getDefiningOp<tensor::EmptyOp>();
    size_t count = empty ? empty.getDynamicSizes().size() : 1;
    ValueRange own = arguments.take_front(count);
    mapping.map(inside, empty ? Value(tensor::EmptyOp::create(
                                    builder, loc, empty.getType(), own))
                              : own.front());
    arguments = arguments.drop_front(count);
  }
  Block *body = group.getBodyBlock();
  for (Operation &op : body->without_terminator()) {
    builder.clone(op, mapping);
  }
  SmallVector<Value> results;
  for (Value value : body->getTerminator()->getOperands()) {
    results.push_back(mapping.lookup(value));
  }
  func::ReturnOp::create(builder, loc, results);
}

SmallVector<GroupOp> Flattened::putBack() {
  OpBuilder builder(group);
  IRMapping mapping;
  Block &block = getBlock();
  mapping.map(block.getArguments(), operands);
  SmallVector<GroupOp> groups;
  for (Operation &op : block.without_terminator()) {
    Operation *clone = builder.clone(op, mapping);
    if (auto part = dyn_cast<GroupOp>(clone)) {
      groups.push_back(part);
      if (group->hasAttr(kNoFuseAttr)) {
        part->setAttr(kNoFuseAttr, builder.getUnitAttr());
      }
    }
  }
  for (auto [result, value] : llvm::zip_equal(
           group->getResults(), block.getTerminator()->getOperands())) {
    result.replaceAllUsesWith(mapping.lookup(value));
  }
  group.erase();
  return groups;
}

/// The units of `block` that are not opaque, in order.
static SmallVector<unsigned> getWork(const UnitGraph &graph) {
  SmallVector<unsigned> work;
  for (auto [index, unit] : llvm::enumerate(graph.units)) {
    if (!unit.isOpaque()) {
      work.push_back(index);
    }
  }
  return work;
}

/// Collects the units of `block` as the planner does, but where that is one
/// alone, several ops in one kernel, op by op.
static UnitGraph collect(Block &block, const PlannerOptions &options) {
  bool onGPU = !options.device.isCPU();
  SmallVector<OnlineSoftmax, 0> softmaxes;
  if (onGPU && !options.strict) {
    softmaxes = findOnlineSoftmaxes(block, options.device);
  }
  FoundChains found = findChainedProducts(block, options, softmaxes);
  UnitGraph graph = collectUnits(block, onGPU, softmaxes, found.chains);
  return getWork(graph).size() > 1 ? std::move(graph) : collectUnits(block);
}

/// The bytes of what the first `cut` of `work` make and the rest reads.
static double getCrossingBytes(const UnitGraph &graph, ArrayRef<unsigned> work,
                               size_t cut) {
  DenseSet<Value> crossing;
  double bytes = 0;
  for (unsigned index : work.drop_front(cut)) {
    for (const UnitRead &read : graph.units[index].reads) {
      bool crosses = read.producer && *read.producer < work[cut];
      if (crosses && crossing.insert(read.value).second) {
        bytes += getTensorBytes(read.value.getType());
      }
    }
  }
  return bytes;
}

/// How many of `work` come first: the least bytes cross, of equal ones nearest
/// to the middle.
static size_t findCut(const UnitGraph &graph, ArrayRef<unsigned> work) {
  size_t best = 0;
  std::pair<double, size_t> least;
  for (size_t cut = 1; cut < work.size(); ++cut) {
    size_t off =
        std::max(2 * cut, work.size()) - std::min(2 * cut, work.size());
    std::pair<double, size_t> cost{getCrossingBytes(graph, work, cut), off};
    if (best == 0 || cost < least) {
      best = cut;
      least = cost;
    }
  }
  return best;
}

FailureOr<SplitGroup> fusion::splitGroup(GroupOp group,
                                         const PlannerOptions &options) {
  Flattened flat(group);
  Block &block = flat.getBlock();
  prepareForGrouping(block);
  UnitGraph graph = collect(block, options);
  SmallVector<unsigned> work = getWork(graph);
  if (work.size() < 2) {
    return failure();
  }
  unsigned first = work[findCut(graph, work)];
  Partition partition(graph, options);
  SplitGroup split;
  for (unsigned consumer : work) {
    for (const UnitRead &read : graph.units[consumer].reads) {
      if (!read.producer || graph.units[*read.producer].isOpaque()) {
        continue;
      }
      unsigned producer = *read.producer;
      bool together =
          partition.getClusterOf(producer) == partition.getClusterOf(consumer);
      if (!together && (producer < first) == (consumer < first)) {
        together = bool(partition.fuse(producer, consumer, /*force=*/true));
      }
      if (!together) {
        split.apart.push_back(
            {getDisplayName(graph.units[producer].ops.front()),
             getDisplayName(graph.units[consumer].ops.front()), "",
             std::nullopt});
      }
    }
  }
  buildGroups(block, graph, partition);
  split.groups = flat.putBack();
  return split;
}
