//===- ElementReader.cpp - elements at computed positions -----------------===//

#include "ElementReader.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fusion;

Value ElementReader::constant(int64_t value) {
  return arith::ConstantIndexOp::create(b, value);
}

Value ElementReader::add(Value lhs, Value rhs) {
  return b.createOrFold<arith::AddIOp>(lhs, rhs);
}

Value ElementReader::sub(Value lhs, Value rhs) {
  return b.createOrFold<arith::SubIOp>(lhs, rhs);
}

Value ElementReader::mul(Value lhs, Value rhs) {
  return b.createOrFold<arith::MulIOp>(lhs, rhs);
}

Value ElementReader::position(int64_t dim) {
  return linalg::IndexOp::create(b, dim);
}

Value ElementReader::isInside(Value index, Value size) {
  // As unsigned numbers, negative ones are large.
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, index, size);
}

Value ElementReader::clamp(Value index, Value size) {
  Value last = sub(size, constant(1));
  Value low = arith::MaxSIOp::create(b, index, constant(0));
  return arith::MinSIOp::create(b, low, last);
}

Value ElementReader::fromEnd(Value element, bool isUnsigned, Value size) {
  if (isUnsigned) {
    return arith::IndexCastUIOp::create(b, b.getIndexType(), element);
  }
  Value index = arith::IndexCastOp::create(b, b.getIndexType(), element);
  Value isNegative =
      arith::CmpIOp::create(b, arith::CmpIPredicate::slt, index, constant(0));
  return arith::SelectOp::create(b, isNegative, add(index, size), index);
}

Value ElementReader::wrap(Value index, Value size) {
  Value remainder = arith::RemSIOp::create(b, index, size);
  Value isNegative = arith::CmpIOp::create(b, arith::CmpIPredicate::slt,
                                           remainder, constant(0));
  return arith::SelectOp::create(b, isNegative, add(remainder, size),
                                 remainder);
}

Value ElementReader::read(Value source, ValueRange indices) {
  return tensor::ExtractOp::create(b, source, indices);
}

Value ElementReader::readIf(Value inside, Value source, ValueRange indices,
                            Value outside) {
  auto branch = scf::IfOp::create(
      b, inside,
      [&](OpBuilder &nested, Location loc) {
        Value element = tensor::ExtractOp::create(nested, loc, source, indices);
        scf::YieldOp::create(nested, loc, element);
      },
      [&](OpBuilder &nested, Location loc) {
        scf::YieldOp::create(nested, loc, outside);
      });
  return branch.getResult(0);
}

SmallVector<Value> fusion::getSizeValues(ImplicitLocOpBuilder &b,
                                         ArrayRef<OpFoldResult> sizes) {
  return llvm::map_to_vector(sizes, [&](OpFoldResult size) {
    return getValueOrCreateConstantIndexOp(b, b.getLoc(), size);
  });
}

Value fusion::makePadded(ImplicitLocOpBuilder &b, Value input,
                         ArrayRef<OpFoldResult> sizes, ArrayRef<int64_t> low,
                         ArrayRef<int64_t> high, Value value) {
  auto isZero = [](int64_t entry) { return entry == 0; };
  if (llvm::all_of(low, isZero) && llvm::all_of(high, isZero)) {
    return input;
  }
  SmallVector<Value> extents = getSizeValues(b, sizes);
  SmallVector<OpFoldResult> shape;
  for (auto [size, extent, before, after] :
       llvm::zip(sizes, extents, low, high)) {
    Value added = arith::ConstantIndexOp::create(b, before + after);
    shape.push_back(
        before + after == 0
            ? size
            : getAsOpFoldResult(b.createOrFold<arith::AddIOp>(extent, added)));
  }
  auto body = [&](ImplicitLocOpBuilder &inner, ValueRange) -> Value {
    ElementReader reader(inner);
    SmallVector<Value> indices;
    Value inside;
    for (auto [dim, extent] : llvm::enumerate(extents)) {
      Value index = reader.position(dim);
      indices.push_back(index);
      if (low[dim] == 0 && high[dim] == 0) {
        continue;
      }
      indices.back() = reader.sub(index, reader.constant(low[dim]));
      Value fits = reader.isInside(indices.back(), extent);
      inside = inside ? arith::AndIOp::create(inner, inside, fits).getResult()
                      : fits;
    }
    bool isTensor = isa<RankedTensorType>(value.getType());
    Value outside = isTensor ? reader.read(value, {}) : value;
    return reader.readIf(inside, input, indices, outside);
  };
  return makeParallel(b, {}, {}, shape, getElementTypeOrSelf(input), body);
}
