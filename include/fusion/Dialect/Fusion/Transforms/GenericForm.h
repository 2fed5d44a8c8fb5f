//===- GenericForm.h - linalg ops as generic ones ---------------*- C++ -*-===//

#ifndef FUSION_DIALECT_FUSION_TRANSFORMS_GENERICFORM_H
#define FUSION_DIALECT_FUSION_TRANSFORMS_GENERICFORM_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::fusion {

/// Returns `op` as a `linalg.generic`: itself, or what `rewriter` replaces it
/// by; `rewriter` inserts before it afterwards. Fails where linalg has no such
/// form of it: `op` is then as it was.
FailureOr<linalg::GenericOp> toGeneric(RewriterBase &rewriter,
                                       linalg::LinalgOp op);

} // namespace mlir::fusion

#endif // FUSION_DIALECT_FUSION_TRANSFORMS_GENERICFORM_H
