//===- ResultDims.cpp - the sizes of results as a function ----------------===//

#include "fusion/Conversion/OutlineGroups/OutlineGroups.h"
#include "fusion/Dialect/Fusion/Transforms/DeadOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {
/// Rebuilds the index arithmetic of @main on dims alone.
class ResultDimsBuilder {
public:
  ResultDimsBuilder(func::FuncOp main, ArrayRef<Value> constants)
      : main(main), builder(main.getContext()) {
    tensors.append(main.args_begin(), main.args_end());
    llvm::append_range(tensors, constants);
  }
  void build();

private:
  void addArguments(func::FuncOp function);
  void visit(Operation &op);
  Value getIndex(OpFoldResult size);
  void setSizes(Value tensor, ArrayRef<OpFoldResult> sizes);
  SmallVector<Value> &getDims(Value tensor);

  func::FuncOp main;
  OpBuilder builder;
  SmallVector<Value> tensors;
  IRMapping mapping;                        // of index values
  DenseMap<Value, SmallVector<Value>> dims; // of tensors, in the new function
};
} // namespace

Value ResultDimsBuilder::getIndex(OpFoldResult size) {
  if (auto value = dyn_cast<Value>(size)) {
    return mapping.lookup(value);
  }
  return arith::ConstantIndexOp::create(builder, main.getLoc(),
                                        *getConstantIntValue(size));
}

void ResultDimsBuilder::setSizes(Value tensor, ArrayRef<OpFoldResult> sizes) {
  SmallVector<Value> values;
  for (OpFoldResult size : sizes) {
    values.push_back(getIndex(size));
  }
  dims[tensor] = std::move(values);
}

SmallVector<Value> &ResultDimsBuilder::getDims(Value tensor) {
  auto it = dims.find(tensor);
  assert(it != dims.end() && "the sizes of all tensors of @main are known");
  return it->second;
}

/// One index for each dim; the static ones are known and their arguments
/// unused.
void ResultDimsBuilder::addArguments(func::FuncOp function) {
  unsigned position = 0;
  for (Value tensor : tensors) {
    auto type = cast<RankedTensorType>(tensor.getType());
    SmallVector<Value> sizes;
    for (int64_t size : type.getShape()) {
      Value argument = function.getArgument(position++);
      sizes.push_back(ShapedType::isDynamic(size)
                          ? argument
                          : getIndex(builder.getIndexAttr(size)));
    }
    dims[tensor] = std::move(sizes);
  }
}

void ResultDimsBuilder::visit(Operation &op) {
  if (auto group = dyn_cast<GroupOp>(op)) {
    for (auto [result, init] :
         llvm::zip_equal(group.getResults(), group.getInits())) {
      dims[result] = SmallVector<Value>(getDims(init));
    }
  } else if (auto empty = dyn_cast<tensor::EmptyOp>(op)) {
    setSizes(empty, empty.getMixedSizes());
  } else if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    setSizes(expand, expand.getMixedOutputShape());
  } else if (auto cast = dyn_cast<tensor::CastOp>(op)) {
    dims[cast] = SmallVector<Value>(getDims(cast.getSource()));
  } else if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    SmallVector<Value> sizes;
    for (ArrayRef<int64_t> group : collapse.getReassociationIndices()) {
      Value product;
      for (int64_t dim : group) {
        Value factor = getDims(collapse.getSrc())[dim];
        product = product ? arith::MulIOp::create(builder, op.getLoc(), product,
                                                  factor)
                          : factor;
      }
      sizes.push_back(product);
    }
    dims[collapse] = std::move(sizes);
  } else if (auto concat = dyn_cast<tensor::ConcatOp>(op)) {
    // The size along the joined dim is known.
    dims[concat] = SmallVector<Value>(getDims(concat.getInputs().front()));
    dims[concat][concat.getDim()] = getIndex(
        builder.getIndexAttr(concat.getType().getDimSize(concat.getDim())));
  } else if (auto dimOp = dyn_cast<tensor::DimOp>(op)) {
    mapping.map(dimOp.getResult(),
                getDims(dimOp.getSource())[*dimOp.getConstantIndex()]);
  } else if (auto type = dyn_cast<RankedTensorType>(
                 op.getNumResults() ? op.getResult(0).getType() : Type())) {
    setSizes(op.getResult(0),
             getAsIndexOpFoldResult(op.getContext(), type.getShape()));
  } else if (op.getNumResults() != 0) {
    builder.clone(op, mapping);
  }
}

void ResultDimsBuilder::build() {
  auto countDims = [](TypeRange types) {
    unsigned count = 0;
    for (Type type : types) {
      count += cast<RankedTensorType>(type).getRank();
    }
    return count;
  };
  Type index = builder.getIndexType();
  unsigned numDims = countDims(ValueRange(tensors).getTypes());
  FunctionType type = builder.getFunctionType(
      SmallVector<Type>(numDims, index),
      SmallVector<Type>(countDims(main.getResultTypes()), index));
  builder.setInsertionPointAfter(main);
  auto function = func::FuncOp::create(
      builder, main.getLoc(), main.getName().str() + "_result_dims", type);
  Block *body = function.addEntryBlock();
  builder.setInsertionPointToStart(body);
  addArguments(function);
  for (Operation &op : main.getBody().front().without_terminator()) {
    visit(op);
  }
  SmallVector<Value> results;
  for (Value result : main.getBody().front().getTerminator()->getOperands()) {
    llvm::append_range(results, getDims(result));
  }
  func::ReturnOp::create(builder, main.getLoc(), results);
  eraseDeadOps(*body);
}

void fusion::addResultDims(func::FuncOp main, ArrayRef<Value> constants) {
  ResultDimsBuilder(main, constants).build();
}
