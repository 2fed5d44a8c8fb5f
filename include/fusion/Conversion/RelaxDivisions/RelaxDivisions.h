//===- RelaxDivisions.h - faster division of inexact values -----*- C++ -*-===//

#ifndef FUSION_CONVERSION_RELAXDIVISIONS_RELAXDIVISIONS_H
#define FUSION_CONVERSION_RELAXDIVISIONS_RELAXDIVISIONS_H

#include "mlir/IR/Operation.h"

namespace mlir::fusion {

/// Whether `value` is known to carry an error already: it comes through
/// arithmetic from a math function that is not correctly rounded. Looks at a
/// bounded number of ops, and not through loops and branches.
bool isApproximate(Value value);

/// Replaces the f32 divisions below `root` that have an approximate side by
/// PTX's `div.full`.
void relaxDivisions(Operation *root);

} // namespace mlir::fusion

#endif // FUSION_CONVERSION_RELAXDIVISIONS_RELAXDIVISIONS_H
