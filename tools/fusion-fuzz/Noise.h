//===- Noise.h - small numbers that a graph makes up ------------*- C++ -*-===//

#ifndef FUSION_TOOLS_FUSION_FUZZ_NOISE_H
#define FUSION_TOOLS_FUSION_FUZZ_NOISE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::fusion::fuzz {

/// Makes numbers in a graph that look random and follow from elements, their
/// positions and a phase.
class Noise {
public:
  /// `phase` is a tensor<f32> that is an argument of `entry`. What all noise
  /// shares is made at the beginning of `entry`.
  Noise(func::FuncOp entry, Value phase);

  /// Between -kLargest and kLargest, for each element of `result`, of f32 or
  /// f64; in the mean as large as a sine. It differs for different elements,
  /// phases and `number`s: that of two ops, or of two elements, neither always
  /// adds up nor always cancels, zeros included. In phases up to kCoherent
  /// equal elements have equal noise, as the same code on the same number has
  /// one error; in others their positions tell them apart, as errors differ of
  /// what is only equal after it was rounded.
  Value get(OpBuilder &builder, Location loc, Value result, int64_t number);

  /// NaN in some phases and numbers of both signs and infinities in others, so
  /// that whatever is made of it differs from the result without noise: a
  /// tensor<f32>.
  Value getAnything() const { return anything; }

  /// Phases in which the above is NaN, and 1.
  static constexpr double kNothing = 0.3, kOne = 3.3;
  static constexpr double kCoherent = 3;
  static constexpr double kLargest = 1.25;

private:
  Value makePositions(OpBuilder &builder, Location loc, Value like);
  Value getPositions(OpBuilder &builder, Location loc, Value like);

  func::FuncOp entry;
  Value phase, anything, spread;
  /// By static type.
  llvm::DenseMap<Type, Value> positions;
};

/// `number` as a tensor of the type and sizes of `like`.
Value makeSplat(OpBuilder &builder, Location loc, double number, Value like);

/// A scalar tensor as one of the sizes of `like`.
Value makeBroadcast(OpBuilder &builder, Location loc, Value scalar, Value like);

} // namespace mlir::fusion::fuzz

#endif // FUSION_TOOLS_FUSION_FUZZ_NOISE_H
