//===- TurnedTensors.h - tensors with another dim last ----------*- C++ -*-===//
//
// Internal to fusion-lay-out-windows: what the tensors of a block are in an
// order in which one of their dims lies side by side in memory, and copies in
// that order where none is computed so.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_PLANNER_TURNEDTENSORS_H
#define FUSION_LIB_PLANNER_TURNEDTENSORS_H

#include "fusion/Analysis/Window.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::fusion {

/// Returns the dims of a tensor of `rank` in order, with `dim` last.
SmallVector<int64_t> getTurnedOrder(int64_t rank, int64_t dim);

/// Returns `map`, from loops to the dims of a tensor, with `dim` last.
AffineMap turnMap(AffineMap map, int64_t dim);

/// Returns a tensor.empty of the sizes and elements of `like`, with `dim` last.
Value makeTurnedEmpty(OpBuilder &builder, Location loc, Value like,
                      int64_t dim);

/// The tensors of one block, visited in order.
class TurnedTensors {
public:
  explicit TurnedTensors(OpBuilder &builder) : builder(builder) {}

  /// Returns the dim that is last where `value`, or what it pads, is computed
  /// in another order; nothing where it isn't.
  std::optional<int64_t> getComputedDim(Value value) const;
  /// Returns `value` with `dim` last: what is computed so, or padded from that,
  /// or a copy, made at the builder's position.
  Value get(Location loc, Value value, int64_t dim);
  /// Notes that `turned` is `value` with `dim` last, and comes from no copy.
  void setComputed(Value value, Value turned, int64_t dim) {
    computed[value] = dim;
    known[{value, dim}] = turned;
  }

private:
  Value turnPadding(Location loc, linalg::GenericOp op,
                    const PaddedRead &padded, int64_t dim);

  OpBuilder &builder;
  DenseMap<Value, int64_t> computed;
  DenseMap<std::pair<Value, int64_t>, Value> known;
};

} // namespace mlir::fusion

#endif // FUSION_LIB_PLANNER_TURNEDTENSORS_H
