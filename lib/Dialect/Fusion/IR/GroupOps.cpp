//===- GroupOps.cpp - fused groups ----------------------------------------===//

#include "fusion/Dialect/Fusion/IR/Fusion.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::fusion;

void GroupOp::build(OpBuilder &builder, OperationState &state, StringRef name,
                    ArrayRef<StringRef> kinds, ValueRange inputs,
                    ValueRange inits, DictionaryAttr schedule) {
  auto &properties = state.getOrAddProperties<Properties>();
  properties.setName(builder.getStringAttr(name));
  properties.setKinds(builder.getStrArrayAttr(kinds));
  properties.setSchedule(schedule);
  properties.setOperandSegmentSizes({static_cast<int32_t>(inputs.size()),
                                     static_cast<int32_t>(inits.size())});
  state.addOperands(inputs);
  state.addOperands(inits);
  state.addTypes(inits.getTypes());

  Block &block = state.addRegion()->emplaceBlock();
  for (ValueRange values : {inputs, inits}) {
    for (Value value : values) {
      block.addArgument(value.getType(), value.getLoc());
    }
  }
}

YieldOp GroupOp::getYield() {
  return cast<YieldOp>(getBodyBlock()->getTerminator());
}

LogicalResult GroupOp::verify() {
  // (C1)
  TypeRange arguments = getBodyBlock()->getArgumentTypes();
  if (arguments != getOperandTypes()) {
    return emitOpError("expected body arguments of types ")
           << getOperandTypes() << ", but got " << arguments;
  }
  // (C2)
  if (getResultTypes() != getInits().getTypes()) {
    return emitOpError("expected results of the types of the destinations, ")
           << getInits().getTypes() << ", but got " << getResultTypes();
  }
  // (C3)
  auto yield = dyn_cast<YieldOp>(getBodyBlock()->back());
  if (!yield) {
    return emitOpError("expected the body to end with 'fusion.yield'");
  }
  if (yield.getValues().getTypes() != getResultTypes()) {
    return yield.emitOpError("expected values of types ")
           << getResultTypes() << ", but got " << yield.getValues().getTypes();
  }
  return success();
}

LogicalResult GroupOp::reifyResultShapes(OpBuilder &builder,
                                         ReifiedRankedShapedTypeDims &shapes) {
  for (Value init : getInits()) {
    shapes.push_back(tensor::getMixedSizes(builder, getLoc(), init));
  }
  return success();
}

namespace {
/// Drops inputs that the body does not use, and all but the first of equal
/// ones. Results stay: which of them are needed is settled when groups form.
struct DropRedundantInputs : OpRewritePattern<GroupOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(GroupOp group,
                                PatternRewriter &rewriter) const override {
    Block *body = group.getBodyBlock();
    llvm::BitVector dropped(body->getNumArguments());
    llvm::SmallDenseMap<Value, unsigned> firstUse;
    for (auto [index, input] : llvm::enumerate(group.getInputs())) {
      BlockArgument argument = body->getArgument(index);
      auto [it, inserted] = firstUse.try_emplace(input, index);
      if (!inserted) {
        rewriter.replaceAllUsesWith(argument, body->getArgument(it->second));
        dropped.set(index);
      }
    }
    for (auto index : llvm::seq<unsigned>(0, group.getInputs().size())) {
      if (body->getArgument(index).use_empty()) {
        dropped.set(index);
      }
    }
    if (dropped.none()) {
      return failure();
    }
    rewriter.modifyOpInPlace(group, [&] {
      for (int index = dropped.find_last(); index >= 0;
           index = dropped.find_prev(index)) {
        group.getInputsMutable().erase(index);
      }
      body->eraseArguments(dropped);
    });
    return success();
  }
};
} // namespace

void GroupOp::getCanonicalizationPatterns(RewritePatternSet &results,
                                          MLIRContext *context) {
  results.add<DropRedundantInputs>(context);
}
