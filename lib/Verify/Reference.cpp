//===- Reference.cpp - the unfused program behind a plan --------*- C++ -*-===//

#include "fusion/Verify/Reference.h"
#include "fusion/Dialect/Fusion/IR/Fusion.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::fusion;

/// The terms that one result element of `op` adds up; kDynamic if unknown.
static int64_t getReductionLength(linalg::LinalgOp op) {
  int64_t length = 1;
  for (auto [range, kind] :
       llvm::zip(op.getStaticLoopRanges(), op.getIteratorTypesArray())) {
    if (kind != utils::IteratorType::reduction) {
      continue;
    }
    if (ShapedType::isDynamic(range)) {
      return ShapedType::kDynamic;
    }
    length *= range;
  }
  return length;
}

static int64_t getLonger(int64_t a, int64_t b) {
  bool isDynamic = ShapedType::isDynamic(a) || ShapedType::isDynamic(b);
  return isDynamic ? ShapedType::kDynamic : std::max(a, b);
}

SmallVector<GroupOutput> mlir::fusion::exposeGroupResults(ModuleOp module) {
  auto entry = module.lookupSymbol<func::FuncOp>("main");
  Operation *end = entry.getBody().front().getTerminator();
  Builder builder(module.getContext());
  SmallVector<Value> returned(end->getOperands());
  SmallVector<GroupOutput> outputs;
  int64_t number = 0, length = 1;
  for (auto group : entry.getOps<GroupOp>()) {
    group->walk([&](linalg::LinalgOp op) {
      length = getLonger(length, getReductionLength(op));
    });
    for (OpResult value : group->getResults()) {
      auto *found = llvm::find(returned, Value(value));
      outputs.push_back(
          {number, group.getName().str(), found - returned.begin(), length});
      if (found != returned.end()) {
        continue;
      }
      returned.push_back(value);
      std::string name = ("group " + Twine(number) + " result " +
                          Twine(value.getResultNumber()))
                             .str();
      (void)entry.insertResult(
          returned.size() - 1, value.getType(),
          builder.getDictionaryAttr(builder.getNamedAttr(
              "fusion.name", builder.getStringAttr(name))));
    }
    ++number;
  }
  end->setOperands(returned);
  return outputs;
}

static void dissolve(GroupOp group) {
  IRMapping mapping;
  mapping.map(group.getInputArguments(), group.getInputs());
  mapping.map(group.getInitArguments(), group.getInits());
  OpBuilder builder(group);
  for (Operation &op : group.getBodyBlock()->without_terminator()) {
    builder.clone(op, mapping);
  }
  for (auto [result, value] :
       llvm::zip(group->getResults(), group.getYield().getValues())) {
    result.replaceAllUsesWith(mapping.lookupOrDefault(value));
  }
  group.erase();
}

void mlir::fusion::dissolveGroups(ModuleOp module) {
  SmallVector<GroupOp> groups;
  module.walk([&](GroupOp group) { groups.push_back(group); });
  for (GroupOp group : groups) {
    dissolve(group);
  }
}
