//===- LoopEmitter.h - indices, masks and loops on vectors ------*- C++ -*-===//
//
// What the lowerings of linalg ops to loops on vectors share: affine accesses
// of memrefs, and a builder of loops, masks and vectorized bodies.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_CONVERSION_GROUPTOCPU_LOOPEMITTER_H
#define LIB_CONVERSION_GROUPTOCPU_LOOPEMITTER_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::fusion {

/// One operand of a linalg op: the element that iteration (d0, d1, ...) reads
/// or writes is `memref[map(d0, d1, ...)]`. A scalar operand has an empty map.
struct Access {
  Value source;
  AffineMap map;

  Type getElementType() const { return getElementTypeOrSelf(source.getType()); }
  bool isScalar() const { return !isa<MemRefType>(source.getType()); }
  /// Whether consecutive values of loop `dim` touch consecutive addresses.
  bool isContiguousIn(unsigned dim) const;
  /// Whether loop `dim` does not change the element.
  bool isInvariantIn(unsigned dim) const { return !map.isFunctionOfDim(dim); }
};

/// Whether vectors of `type` are laid out in memory as arrays of it: i1 and
/// other types without whole bytes are not.
bool hasVectorMemory(Type type);

/// Builds loops and vector code at one location. `lanes` is the length of all
/// vectors.
class LoopEmitter {
public:
  LoopEmitter(OpBuilder &builder, Location loc, int64_t lanes)
      : b(loc, builder), lanes(lanes) {}

  Value index(int64_t value);
  Value add(Value lhs, Value rhs);
  Value sub(Value lhs, Value rhs);
  Value min(Value lhs, Value rhs);
  /// The least multiple of `factor` that is at least `value`.
  Value roundUp(Value value, int64_t factor);
  /// The indices that `access` has at the loop values `ivs`.
  SmallVector<Value> indices(const Access &access, ValueRange ivs);

  /// for (i = lb; i < ub; i += step) body(i)
  void loop(Value lb, Value ub, int64_t step,
            llvm::function_ref<void(Value)> body);
  /// The same with values carried around the loop; returns the last ones.
  SmallVector<Value>
  loop(Value lb, Value ub, int64_t step, ValueRange inits,
       llvm::function_ref<SmallVector<Value>(Value, ValueRange)> body);

  VectorType vectorType(Type element) {
    return VectorType::get({lanes}, element);
  }
  Value splat(Value scalar);
  Value zeros(Type element);
  /// A mask whose first `count` lanes are set (all where `count` >= lanes, none
  /// where it is negative).
  Value mask(Value count);
  /// Loads `lanes` elements from `access` at `ivs`, contiguous in some loop; a
  /// null mask loads all, lanes that are not set are zero.
  Value load(const Access &access, ValueRange ivs, Value mask);
  void store(Value vector, const Access &access, ValueRange ivs, Value mask);
  /// The columns of the square matrix whose rows are `rows`, `lanes` of them.
  SmallVector<Value> transpose(SmallVector<Value> rows);
  /// Loads one element.
  Value loadScalar(const Access &access, ValueRange ivs);

  /// Clones `op`, elementwise on scalars, on the mapped operands: on vectors of
  /// `length` lanes, or on scalars where `length` is 0. Operands of the vector
  /// form that are scalars are broadcast.
  Operation *cloneElementwise(Operation &op, IRMapping &mapping,
                              int64_t length);

  ImplicitLocOpBuilder b;
  const int64_t lanes;
};

} // namespace mlir::fusion

#endif // LIB_CONVERSION_GROUPTOCPU_LOOPEMITTER_H
