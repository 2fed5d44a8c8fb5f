//===- ElementReader.h - elements at computed positions ---------*- C++ -*-===//

#ifndef FUSION_LIB_CONVERSION_FUSIONTOLINALG_ELEMENTREADER_H
#define FUSION_LIB_CONVERSION_FUSIONTOLINALG_ELEMENTREADER_H

#include "LinalgBuilder.h"

namespace mlir::fusion {

/// Emits index arithmetic in the body of a parallel `linalg.generic`, and reads
/// tensors from outside of it. What a body looks like afterwards: straight-line
/// code, `tensor.extract`s, and `scf.if`s that hold one `tensor.extract` or
/// yield a scalar instead.
class ElementReader {
public:
  explicit ElementReader(ImplicitLocOpBuilder &builder) : b(builder) {}

  Value constant(int64_t value);
  Value add(Value lhs, Value rhs);
  Value sub(Value lhs, Value rhs);
  Value mul(Value lhs, Value rhs);
  /// The index of the current element along `dim`.
  Value position(int64_t dim);
  /// 0 <= `index` < `size`.
  Value isInside(Value index, Value size);
  /// `index` moved into [0, `size`), by as little as possible.
  Value clamp(Value index, Value size);
  /// An element of a tensor of indices as an index, negative ones counted from
  /// the end of a dim of `size`; it may still be outside.
  Value fromEnd(Value element, bool isUnsigned, Value size);
  /// The remainder of `index` by `size` that is not negative.
  Value wrap(Value index, Value size);
  /// The element `indices` of `source`.
  Value read(Value source, ValueRange indices);
  /// The same where `inside` holds, else `outside`; memory is not touched then.
  Value readIf(Value inside, Value source, ValueRange indices, Value outside);

private:
  ImplicitLocOpBuilder &b;
};

/// The index values of `sizes`, made outside of bodies.
SmallVector<Value> getSizeValues(ImplicitLocOpBuilder &b,
                                 ArrayRef<OpFoldResult> sizes);

/// Returns `input` (of shape `sizes`) with `low` and `high` elements that hold
/// `value` (a scalar, or a tensor of rank 0) around it; `input` itself where
/// nothing is added.
Value makePadded(ImplicitLocOpBuilder &b, Value input,
                 ArrayRef<OpFoldResult> sizes, ArrayRef<int64_t> low,
                 ArrayRef<int64_t> high, Value value);

} // namespace mlir::fusion

#endif // FUSION_LIB_CONVERSION_FUSIONTOLINALG_ELEMENTREADER_H
