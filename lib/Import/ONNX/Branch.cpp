//===- Branch.cpp - the op If ---------------------------------------------===//
//
// Both branches are imported in place, one after the other; then their ops move
// into the regions. Constants and index arithmetic stay outside: later nodes
// may use them too.
//
//===----------------------------------------------------------------------===//

#include "GraphImporter.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::onnx;
using fusion_onnx::GraphProto;

FailureOr<GraphImporter::Branch>
GraphImporter::importBranch(const GraphProto &graph, const NameScope &scope,
                            NodeImporter &node,
                            ArrayRef<NamedValue> arguments) {
  if (scope.depth == kMaxCallDepth) {
    return node.emitError()
           << "calls are nested more than " << kMaxCallDepth << " deep";
  }
  NameScope inner = scope;
  ++inner.depth;
  // Copies: a branch of a function is imported with each call.
  GraphProto own;
  *own.mutable_initializer() = graph.initializer();
  *own.mutable_sparse_initializer() = graph.sparse_initializer();
  importInitializers(own, inner);
  for (auto [input, argument] : llvm::zip(graph.input(), arguments)) {
    inner.values[input.name()] = addValue(argument);
  }
  for (const auto &output : graph.output()) {
    inner.used.insert(output.name());
  }
  Block &block = main.getBody().front();
  Operation *last = block.empty() ? nullptr : &block.back();
  importNodes(graph.node(), inner);
  Branch branch;
  for (const auto &output : graph.output()) {
    NamedValue *value = inner.values.lookup(output.name());
    if (!value) {
      return node.emitError()
             << "its branch does not define output '" << output.name() << "'";
    }
    if (value->refused) {
      return failure();
    }
    branch.results.push_back(*value);
  }
  auto begin = last ? std::next(last->getIterator()) : block.begin();
  for (Operation &op : llvm::make_range(begin, block.end())) {
    if (isa<FusionDialect>(op.getDialect()) && !isa<ConstantOp>(op)) {
      branch.ops.push_back(&op);
    }
  }
  return branch;
}

/// Makes the results of both branches tensors of one type.
LogicalResult GraphImporter::alignBranches(Branch &first, Branch &second,
                                           NodeImporter &node) {
  if (first.results.size() != second.results.size()) {
    return node.emitError() << "expected branches with equally many outputs";
  }
  for (auto [a, b] : llvm::zip(first.results, second.results)) {
    if (a.sequence || b.sequence || a.absent || b.absent) {
      return node.emitError() << "expected a condition that is known when the "
                                 "model is compiled, since its branches give "
                                 "sequences or optional values";
    }
    if (a.elementType != b.elementType || a.dims != b.dims) {
      return node.emitError()
             << "expected both branches to give the same shape and type, but "
                "got "
             << node.toString(a.dims) << " of " << a.elementType << " and "
             << node.toString(b.dims) << " of " << b.elementType;
    }
    for (NamedValue *value : {&a, &b}) {
      if (failed(materialize(*value, builder, node.getLoc()))) {
        return node.emitError() << "a branch gives sizes that only a run knows";
      }
    }
  }
  return success();
}

FailureOr<std::vector<NamedValue>>
GraphImporter::importIf(const fusion_onnx::NodeProto &proto,
                        ArrayRef<NamedValue *> inputs, const NameScope &scope,
                        NodeImporter &node) {
  const GraphProto *thenGraph = node.getGraph("then_branch");
  const GraphProto *elseGraph = node.getGraph("else_branch");
  if (inputs.size() != 1 || !inputs[0] || !thenGraph || !elseGraph) {
    return node.emitError() << "expected a condition and two branches";
  }
  node.setInputs(inputs);
  if (node.hasIntegers(0)) {
    auto known = node.staticIntegers(0, "condition");
    if (failed(known) || known->size() != 1) {
      return failure();
    }
    auto taken = importBranch(known->front() != 0 ? *thenGraph : *elseGraph,
                              scope, node);
    return failed(taken) ? FailureOr<std::vector<NamedValue>>(failure())
                         : std::move(taken->results);
  }
  auto given = node.tensor(0);
  if (failed(given)) {
    return failure();
  }
  auto condition = node.reshape(*given, {});
  auto first = importBranch(*thenGraph, scope, node);
  auto second = importBranch(*elseGraph, scope, node);
  if (failed(condition) || failed(first) || failed(second) ||
      failed(alignBranches(*first, *second, node))) {
    return failure();
  }
  SmallVector<Type> types;
  for (const NamedValue &value : first->results) {
    types.push_back(value.value.getType());
  }
  auto op = IfOp::create(builder, node.getLoc(), types, condition->value);
  for (auto [branch, region] : {std::make_pair(&*first, &op.getThenRegion()),
                                {&*second, &op.getElseRegion()}}) {
    OpBuilder::InsertionGuard guard(builder);
    Block *block = builder.createBlock(region);
    for (Operation *moved : branch->ops) {
      moved->moveBefore(block, block->end());
    }
    auto values = llvm::map_to_vector(
        branch->results, [](const NamedValue &value) { return value.value; });
    YieldOp::create(builder, node.getLoc(), values);
  }
  std::vector<NamedValue> results;
  for (auto [value, result] : llvm::zip(first->results, op.getResults())) {
    NamedValue made;
    made.elementType = value.elementType;
    made.dims = value.dims;
    made.value = result;
    results.push_back(std::move(made));
  }
  return results;
}
