//===- SeparateParts.cpp - results that lie in a concatenation ------------===//

#include "fusion/Conversion/OutlineGroups/OutlineGroups.h"
#include "fusion/Dialect/Fusion/IR/Composite.h"
#include "fusion/Planner/FormGroups.h"

using namespace mlir;
using namespace mlir::fusion;

/// Returns the destination of `result` where the group makes all of it in an
/// array of its own; null elsewhere.
static tensor::EmptyOp getOwnDestination(OpResult result) {
  auto group = dyn_cast<GroupOp>(result.getOwner());
  bool isWhole = group && !mayKeepDestination(result) && !staysInside(result) &&
                 !hasReshapedDestinations(group);
  return isWhole ? group.getInits()[result.getResultNumber()]
                       .getDefiningOp<tensor::EmptyOp>()
                 : tensor::EmptyOp();
}

/// Returns where operand `number` of `concat` begins along the joined dim.
static int64_t getStart(tensor::ConcatOp concat, unsigned number) {
  int64_t start = 0;
  for (Value part : concat.getInputs().take_front(number)) {
    start += cast<RankedTensorType>(part.getType()).getDimSize(concat.getDim());
  }
  return start;
}

ResultPlace fusion::getPlace(OpResult result) {
  auto concat = result.hasOneUse()
                    ? dyn_cast<tensor::ConcatOp>(*result.user_begin())
                    : tensor::ConcatOp();
  if (!concat || !getOwnDestination(result)) {
    return {};
  }
  RankedTensorType type = concat.getType();
  ResultPlace place;
  place.whole = MemRefType::get(type.getShape(), type.getElementType());
  place.starts.assign(type.getRank(), 0);
  place.starts[concat.getDim()] =
      getStart(concat, result.use_begin()->getOperandNumber());
  return place;
}

/// Returns a group behind `concat` that reads its part `number`, of the sizes
/// of `empty`.
static Value readPart(tensor::ConcatOp concat, unsigned number,
                      tensor::EmptyOp empty) {
  OpBuilder builder(concat->getContext());
  builder.setInsertionPointAfter(concat);
  Location loc = concat.getLoc();
  RankedTensorType type = empty.getType();
  int64_t start = getStart(concat, number);
  auto group =
      GroupOp::create(builder, loc, "part", {}, ValueRange(concat.getResult()),
                      empty->getResults());
  OpBuilder inner = OpBuilder::atBlockEnd(group.getBodyBlock());
  Value whole = group.getInputArguments()[0];
  SmallVector<utils::IteratorType> parallel(type.getRank(),
                                            utils::IteratorType::parallel);
  auto read = [&](OpBuilder &body, Location loc, ValueRange) {
    SmallVector<Value> indices;
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      Value index = linalg::IndexOp::create(body, loc, dim);
      if (dim == int64_t(concat.getDim()) && start != 0) {
        Value plus = arith::ConstantIndexOp::create(body, loc, start);
        index = arith::AddIOp::create(body, loc, index, plus);
      }
      indices.push_back(index);
    }
    Value element = tensor::ExtractOp::create(body, loc, whole, indices);
    linalg::YieldOp::create(body, loc, element);
  };
  auto copy = linalg::GenericOp::create(
      inner, loc, type, ValueRange(), group.getInitArguments()[0],
      ArrayRef<AffineMap>{inner.getMultiDimIdentityMap(type.getRank())},
      parallel, read);
  YieldOp::create(inner, loc, copy->getResults());
  return group->getResult(0);
}

/// Lets what reads the sizes of `value` read those of its destination.
static void detachSizes(Value value, tensor::EmptyOp empty) {
  for (OpOperand &use : llvm::make_early_inc_range(value.getUses())) {
    if (isa<tensor::DimOp>(use.getOwner())) {
      use.set(empty);
    }
  }
}

/// Makes `operand`, of a `tensor.concat`, the only use of a group's result.
static void separatePart(OpOperand &operand) {
  auto concat = cast<tensor::ConcatOp>(operand.getOwner());
  auto result = dyn_cast<OpResult>(operand.get());
  tensor::EmptyOp empty =
      result ? getOwnDestination(result) : tensor::EmptyOp();
  if (empty) {
    detachSizes(result, empty);
  }
  bool comeLater =
      empty && llvm::all_of(result.getUses(), [&](OpOperand &use) {
        Operation *user =
            concat->getBlock()->findAncestorOpInBlock(*use.getOwner());
        return &use == &operand || (user && concat->isBeforeInBlock(user));
      });
  if (comeLater && result.hasOneUse()) {
    return;
  }
  if (comeLater) {
    Value read = readPart(concat, operand.getOperandNumber(), empty);
    result.replaceAllUsesExcept(read, concat);
    return;
  }
  OpBuilder builder(concat);
  operand.set(copyByGroup(builder, concat.getLoc(), operand.get()));
}

void fusion::separateParts(func::FuncOp main) {
  SmallVector<tensor::ConcatOp> concats(
      main.getBody().front().getOps<tensor::ConcatOp>());
  for (tensor::ConcatOp concat : concats) {
    for (OpOperand &operand : concat->getOpOperands()) {
      separatePart(operand);
    }
  }
}
