//===- ElementBody.h - elementwise ops that read where they like *- C++ -*-===//

#ifndef FUSION_LIB_PLANNER_ELEMENTBODY_H
#define FUSION_LIB_PLANNER_ELEMENTBODY_H

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::fusion {

/// Index arithmetic in the body of a linalg op, and reads of tensors from
/// outside of it.
class ElementBody {
public:
  explicit ElementBody(ImplicitLocOpBuilder &builder) : b(builder) {}

  Value position(int64_t dim) { return linalg::IndexOp::create(b, dim); }
  SmallVector<Value> positions(int64_t rank);
  Value value(OpFoldResult size) {
    return getValueOrCreateConstantIndexOp(b, b.getLoc(), size);
  }
  Value add(Value x, OpFoldResult y) {
    return isZeroInteger(y) ? x : arith::AddIOp::create(b, x, value(y));
  }
  Value sub(Value x, OpFoldResult y) {
    return isZeroInteger(y) ? x : arith::SubIOp::create(b, x, value(y));
  }
  Value mul(Value x, OpFoldResult y) {
    return isOneInteger(y) ? x : arith::MulIOp::create(b, x, value(y));
  }
  Value read(Value tensor, ValueRange indices);
  /// An element where `inside` holds (null: everywhere), else `outside`.
  Value readIf(Value inside, Value tensor, ValueRange indices, Value outside);
  /// `x` and `y`; null stands for true.
  Value both(Value x, Value y) {
    return x && y ? arith::AndIOp::create(b, x, y) : x ? x : y;
  }
  /// 0 <= `index` < `size`: as unsigned numbers, negative ones are large.
  Value isInside(Value index, OpFoldResult size) {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, index,
                                 value(size));
  }

  ImplicitLocOpBuilder &b;
};

/// Makes an elementwise op of the sizes `shape` whose elements, of `type`,
/// `make` computes.
Value makeElements(ImplicitLocOpBuilder &b, Type type,
                   ArrayRef<OpFoldResult> shape,
                   function_ref<Value(ElementBody &)> make);

/// Replaces `op`, of one tensor of the sizes `shape`, by an elementwise op
/// whose elements `make` computes. Discardable attributes stay.
void replaceByElements(Operation *op, ArrayRef<OpFoldResult> shape,
                       function_ref<Value(ElementBody &)> make);

} // namespace mlir::fusion

#endif // FUSION_LIB_PLANNER_ELEMENTBODY_H
