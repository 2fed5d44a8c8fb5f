//===- ExpandMath.h - math functions into arithmetic ------------*- C++ -*-===//

#ifndef FUSION_CONVERSION_EXPANDMATH_EXPANDMATH_H
#define FUSION_CONVERSION_EXPANDMATH_EXPANDMATH_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::fusion {

/// Adds patterns that rewrite the functions of the math dialect on f32, f16 and
/// bf16, scalars and vectors, into arith and math.fma. They need no second look
/// at what they make. `hardwareExp`, `expandF64`: see the pass.
void populateExpandMathPatterns(RewritePatternSet &patterns,
                                bool hardwareExp = false,
                                bool expandF64 = false);

} // namespace mlir::fusion

#endif // FUSION_CONVERSION_EXPANDMATH_EXPANDMATH_H
