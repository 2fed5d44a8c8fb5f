//===- ElementBody.cpp - elementwise ops that read where they like --------===//

#include "ElementBody.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fusion;

SmallVector<Value> ElementBody::positions(int64_t rank) {
  SmallVector<Value> all;
  for (int64_t dim = 0; dim < rank; ++dim) {
    all.push_back(position(dim));
  }
  return all;
}

Value ElementBody::read(Value tensor, ValueRange indices) {
  return tensor::ExtractOp::create(b, tensor, indices);
}

Value ElementBody::readIf(Value inside, Value tensor, ValueRange indices,
                          Value outside) {
  if (!inside) {
    return read(tensor, indices);
  }
  auto branch = scf::IfOp::create(
      b, inside,
      [&](OpBuilder &nested, Location loc) {
        Value element = tensor::ExtractOp::create(nested, loc, tensor, indices);
        scf::YieldOp::create(nested, loc, element);
      },
      [&](OpBuilder &nested, Location loc) {
        scf::YieldOp::create(nested, loc, outside);
      });
  return branch.getResult(0);
}

Value fusion::makeElements(ImplicitLocOpBuilder &b, Type type,
                           ArrayRef<OpFoldResult> shape,
                           function_ref<Value(ElementBody &)> make) {
  Value empty = tensor::EmptyOp::create(b, shape, type);
  SmallVector<AffineMap> maps = {b.getMultiDimIdentityMap(shape.size())};
  SmallVector<utils::IteratorType> iterators(shape.size(),
                                             utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      b, empty.getType(), ValueRange(), empty, maps, iterators,
      [&](OpBuilder &nested, Location loc, ValueRange) {
        ImplicitLocOpBuilder inner(loc, nested);
        ElementBody body(inner);
        Value element = make(body);
        linalg::YieldOp::create(inner, element);
      });
  return generic.getResult(0);
}

void fusion::replaceByElements(Operation *op, ArrayRef<OpFoldResult> shape,
                               function_ref<Value(ElementBody &)> make) {
  ImplicitLocOpBuilder b(op->getLoc(), op);
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Value result = makeElements(b, type.getElementType(), shape, make);
  result.getDefiningOp()->setDiscardableAttrs(
      op->getDiscardableAttrDictionary());
  if (result.getType() != type) {
    result = tensor::CastOp::create(b, type, result);
  }
  op->getResult(0).replaceAllUsesWith(result);
  op->erase();
}
