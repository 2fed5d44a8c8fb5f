//===- TensorBuilder.h - fusion ops on tensors of known dims ----*- C++ -*-===//
//
// What converters build fusion ops with: tensors that know their sizes, and
// the shape-changing steps (broadcast, reshape, transpose, reduce) that ONNX
// ops leave implicit.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_IMPORT_ONNX_TENSORBUILDER_H
#define FUSION_LIB_IMPORT_ONNX_TENSORBUILDER_H

#include "SymbolicDims.h"
#include "fusion/Dialect/Fusion/IR/Fusion.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"

namespace mlir::fusion::onnx {

/// A tensor value and its sizes. A dim of the type is static exactly if its
/// size is.
struct Tensor {
  Value value;
  SmallVector<Dim, 4> dims;

  RankedTensorType getType() const {
    return cast<RankedTensorType>(value.getType());
  }
  Type getElementType() const { return getType().getElementType(); }
  int64_t getRank() const { return static_cast<int64_t>(dims.size()); }
};

/// Emits fusion ops at one location. Steps that may be impossible for the given
/// sizes return failure after an error through `emitError`.
class TensorBuilder {
public:
  TensorBuilder(OpBuilder &builder, DimTable &dimTable, Location loc)
      : builder(builder), dimTable(dimTable), loc(loc) {}
  virtual ~TensorBuilder() = default;

  virtual InFlightDiagnostic emitError() const = 0;

  OpBuilder &getBuilder() const { return builder; }
  DimTable &getDimTable() const { return dimTable; }
  Location getLoc() const { return loc; }

  /// The tensor type of `dims`; refuses ranks and sizes that cannot be.
  FailureOr<RankedTensorType> typeFor(ArrayRef<Dim> dims, Type elementType);

  /// `dims` as text: "[2, batch]".
  std::string toString(ArrayRef<Dim> dims) const;

  //===--------------------------------------------------------------------===//
  // Elementwise
  //===--------------------------------------------------------------------===//

  /// Applies an op whose result has the type of its first operand.
  template <typename OpTy, typename... Operands>
  Tensor apply(const Tensor &first, const Operands &...rest) {
    auto op =
        OpTy::create(builder, loc, first.getType(), first.value, rest.value...);
    return {op.getResult(), first.dims};
  }

  Tensor compare(ComparePredicate predicate, const Tensor &lhs,
                 const Tensor &rhs);
  Tensor select(const Tensor &condition, const Tensor &ifTrue,
                const Tensor &ifFalse);

  /// Converts the elements; nothing if they have the type already.
  Tensor cast(const Tensor &input, Type elementType);

  /// f16 and bf16 as f32, others as they are: what one ONNX op computes in
  /// several steps is rounded once, by `narrow`, at its end.
  Tensor widen(const Tensor &input);
  Tensor narrow(const Tensor &input, Type elementType);

  /// Applies an op of two operands to both, broadcast to their common dims.
  template <typename OpTy>
  FailureOr<Tensor> applyBroadcast(const Tensor &lhs, const Tensor &rhs) {
    Tensor both[] = {lhs, rhs};
    if (failed(broadcastTogether(both))) {
      return failure();
    }
    return apply<OpTy>(both[0], both[1]);
  }

  /// `input` plus, or times, a number (rounded to its type).
  Tensor plus(const Tensor &input, double value) {
    return apply<AddOp>(input, splat(value, input));
  }
  Tensor times(const Tensor &input, double factor) {
    return apply<MulOp>(input, splat(factor, input));
  }
  /// Compares with a number (rounded to the type of `input`).
  Tensor compareTo(ComparePredicate predicate, const Tensor &input,
                   double value) {
    return compare(predicate, input, splat(value, input));
  }
  /// `input` limited to [`low`, `high`].
  Tensor limit(const Tensor &input, double low, double high) {
    return apply<ClampOp>(input, splat(low, input), splat(high, input));
  }

  /// A constant of static shape, row-major; numbers are rounded to
  /// `elementType`.
  Tensor constantTensor(ArrayRef<double> values, ArrayRef<int64_t> shape,
                        Type elementType);
  /// The same of i64.
  Tensor constantIndices(ArrayRef<int64_t> values, ArrayRef<int64_t> shape);

  /// A tensor of rank 0 that holds `value`, rounded to `elementType`.
  Tensor scalar(double value, Type elementType);
  /// A tensor of the type of `like` that holds `value` (rounded to it).
  Tensor splat(double value, const Tensor &like);

  //===--------------------------------------------------------------------===//
  // Shapes
  //===--------------------------------------------------------------------===//

  /// The dims that `a` and `b` broadcast to, aligned at the last dim. Refuses
  /// sizes that differ, and those of which only a run can tell.
  FailureOr<SmallVector<Dim, 4>> broadcastDims(ArrayRef<Dim> a,
                                               ArrayRef<Dim> b);
  /// Broadcasts `input` to `dims`; refuses if that would take larger dims.
  FailureOr<Tensor> broadcast(const Tensor &input, ArrayRef<Dim> dims);
  /// Broadcasts all `tensors` to their common dims.
  LogicalResult broadcastTogether(MutableArrayRef<Tensor> tensors);

  /// Reshapes to `dims`, which must have as many elements for all that is
  /// known.
  FailureOr<Tensor> reshape(const Tensor &input, ArrayRef<Dim> dims);
  /// Dim `i` of the result is dim `perm[i]` of `input`; `perm` is one.
  Tensor transpose(const Tensor &input, ArrayRef<int64_t> perm);
  /// Reduces the ascending `axes`; they stay with size 1 if `keepDims`.
  FailureOr<Tensor> reduce(ReduceKind kind, const Tensor &input,
                           ArrayRef<int64_t> axes, bool keepDims);

  //===--------------------------------------------------------------------===//
  // Movement (TensorMovement.cpp)
  //===--------------------------------------------------------------------===//

  /// `count` elements along `axis` from `start` on, `step` apart. They exist.
  FailureOr<Tensor> slice(const Tensor &input, int64_t axis, const Dim &start,
                          const Dim &count, int64_t step = 1);
  /// The slice at `index` of `axis`, without that dim.
  FailureOr<Tensor> take(const Tensor &input, int64_t axis, const Dim &index);
  /// Joins tensors that agree in the other dims and in their type.
  FailureOr<Tensor> concat(ArrayRef<Tensor> inputs, int64_t axis);
  /// Joins tensors of equal dims along a new dim `axis`.
  FailureOr<Tensor> stack(ArrayRef<Tensor> inputs, int64_t axis);
  /// Adds `low` and `high` elements that hold `value`; takes away where
  /// negative.
  FailureOr<Tensor> pad(const Tensor &input, ArrayRef<int64_t> low,
                        ArrayRef<int64_t> high, double value);
  /// `input` with the dims of `indices` in the place of `axis`.
  FailureOr<Tensor> gather(const Tensor &input, const Tensor &indices,
                           int64_t axis);
  /// The elements of `input` at `indices` along `axis`.
  Tensor gatherElements(const Tensor &input, const Tensor &indices,
                        int64_t axis);
  /// The position along `axis` of each element.
  Tensor positions(ArrayRef<Dim> dims, int64_t axis, Type elementType);
  /// Reshapes with a dim of size 1 before `axis`.
  FailureOr<Tensor> unsqueeze(const Tensor &input, int64_t axis);
  /// Products of matrices; the batch dims agree. The sums are of
  /// `resultType`, or of the operands' type where it is null.
  FailureOr<Tensor> multiply(const Tensor &lhs, const Tensor &rhs,
                             bool transposeA = false, bool transposeB = false,
                             Type resultType = {});

  /// A vector with one element per channel (dim 1), broadcast to `dims`.
  FailureOr<Tensor> broadcastChannels(const Tensor &channels,
                                      ArrayRef<Dim> dims);

  /// `dims` as operands of ops: constants, or index values.
  SmallVector<OpFoldResult> getSizes(ArrayRef<Dim> dims);

private:
  OpBuilder &builder;
  DimTable &dimTable;
  Location loc;
};

} // namespace mlir::fusion::onnx

#endif // FUSION_LIB_IMPORT_ONNX_TENSORBUILDER_H
