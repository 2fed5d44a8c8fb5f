//===- ConstantFolding.h - elementwise evaluation at compile time -*- C++
//-*-===//
//
// Folding computes what the compiled program would: IEEE arithmetic in the
// element type, wrapping integers, and the results of docs/Numerics.md for
// division by zero. Functions of the C math library are never folded: their
// last bit depends on who computes them. (That of a square root does not.)
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_DIALECT_FUSION_IR_CONSTANTFOLDING_H
#define FUSION_LIB_DIALECT_FUSION_IR_CONSTANTFOLDING_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::fusion {

/// The largest number of elements that folding computes one by one; splats of
/// any size fold.
constexpr int64_t kMaxFoldedElements = 4096;

using FloatFunction =
    llvm::function_ref<APFloat(const APFloat &, const APFloat &)>;
using IntFunction = llvm::function_ref<APInt(const APInt &, const APInt &)>;

/// Applies the function of the element type to each pair of elements of two
/// constants. Null if one is no constant, or too large, or there is no
/// function for the type.
Attribute foldBinary(Attribute lhs, Attribute rhs, FloatFunction onFloats,
                     IntFunction onInts);

/// The same with one operand: the functions get it twice.
inline Attribute foldUnary(Attribute input, FloatFunction onFloats,
                           IntFunction onInts) {
  return foldBinary(input, input, onFloats, onInts);
}

/// Folds a comparison; `result` is its type. The functions say whether it
/// holds.
Attribute
foldCompare(Attribute lhs, Attribute rhs, ShapedType result,
            llvm::function_ref<bool(const APFloat &, const APFloat &)> onFloats,
            llvm::function_ref<bool(const APInt &, const APInt &)> onInts);

/// Folds the square root of a constant, which the CPU and the GPU round once,
/// as the compiler's own: NaN for what is less than 0, and -0 stays -0.
Attribute foldSqrt(Attribute input);

/// Folds one divided by a constant.
Attribute foldReciprocal(Attribute input);

/// Folds a conversion to the type `result`, as `fusion.cast` defines it.
Attribute foldCast(Attribute input, ShapedType result);

/// Whether `attr` is a splat of a float that has the value and sign of `value`.
bool isFloatSplat(Attribute attr, double value);

/// Whether `attr` is a splat of the integer `value`.
bool isIntSplat(Attribute attr, int64_t value);

} // namespace mlir::fusion

#endif // FUSION_LIB_DIALECT_FUSION_IR_CONSTANTFOLDING_H
