//===- CopyResults.cpp - one group behind each returned value -------------===//

#include "fusion/Analysis/Renaming.h"
#include "fusion/Dialect/Fusion/IR/Fusion.h"
#include "fusion/Planner/FormGroups.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::fusion;

Value fusion::getRenamedSource(Value value) {
  while (isRenaming(value.getDefiningOp())) {
    value = value.getDefiningOp()->getOperand(0);
  }
  return value;
}

/// Returns whether every reshape between `value` and its source can be undone
/// on buffers: no group of dims has more than one size to be found.
static bool canUndoReshapes(Value value) {
  while (Operation *def = value.getDefiningOp()) {
    auto collapse = dyn_cast<tensor::CollapseShapeOp>(def);
    if (collapse) {
      RankedTensorType type = collapse.getSrcType();
      for (ArrayRef<int64_t> dims : collapse.getReassociationIndices()) {
        if (llvm::count_if(dims, [&](int64_t dim) {
              return type.isDynamicDim(dim);
            }) > 1) {
          return false;
        }
      }
    } else if (!isa<tensor::ExpandShapeOp, tensor::CastOp>(def)) {
      return true;
    }
    value = def->getOperand(0);
  }
  return true;
}

Value fusion::copyByGroup(OpBuilder &builder, Location loc, Value value,
                          StringRef name) {
  auto type = cast<RankedTensorType>(value.getType());
  Value destination = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, value),
      type.getElementType(), type.getEncoding());
  SplatElementsAttr splat;
  bool isSplat = matchPattern(value, m_Constant(&splat)) && splat;
  SmallVector<Value> inputs;
  if (!isSplat) {
    inputs.push_back(value);
  }
  auto group = GroupOp::create(builder, loc, name, {}, inputs, destination);
  OpBuilder inner = OpBuilder::atBlockEnd(group.getBodyBlock());
  Value scalar;
  if (isSplat) {
    scalar =
        arith::ConstantOp::create(inner, loc, splat.getSplatValue<TypedAttr>());
  }
  AffineMap identity = inner.getMultiDimIdentityMap(type.getRank());
  SmallVector<AffineMap> maps(inputs.size() + 1, identity);
  SmallVector<utils::IteratorType> parallel(type.getRank(),
                                            utils::IteratorType::parallel);
  Value result =
      linalg::GenericOp::create(
          inner, loc, type, group.getInputArguments(),
          group.getInitArguments()[0], maps, parallel,
          [&](OpBuilder &body, Location loc, ValueRange arguments) {
            linalg::YieldOp::create(body, loc, isSplat ? scalar : arguments[0]);
          })
          ->getResult(0);
  YieldOp::create(inner, loc, result);
  return group->getResult(0);
}

void fusion::copySharedResults(func::FuncOp func) {
  Operation *terminator = func.getBody().front().getTerminator();
  OpBuilder builder(terminator);
  llvm::SmallDenseSet<Value> taken;
  llvm::SmallDenseMap<Value, unsigned> copies;
  for (OpOperand &operand : terminator->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType())) {
      continue;
    }
    Value source = getRenamedSource(operand.get());
    // Groups write the parts of what is joined in its place.
    bool made =
        isa_and_nonnull<GroupOp, tensor::ConcatOp>(source.getDefiningOp());
    if (made && canUndoReshapes(operand.get()) && taken.insert(source).second) {
      continue;
    }
    // What an op of another dialect makes is not ours to place.
    Operation *def = source.getDefiningOp();
    if (!made && def && !matchPattern(def, m_Constant()) &&
        !isa<tensor::EmptyOp>(def)) {
      continue;
    }
    // Copies of one value stay apart under their names.
    unsigned number = ++copies[operand.get()];
    std::string name = number == 1 ? "copy" : "copy " + std::to_string(number);
    operand.set(
        copyByGroup(builder, terminator->getLoc(), operand.get(), name));
  }
}
