//===- Encodings.h - tensors are dense ---------------------------*- C++
//-*-===//

#ifndef FUSION_DIALECT_FUSION_IR_ENCODINGS_H
#define FUSION_DIALECT_FUSION_IR_ENCODINGS_H

#include "mlir/IR/Operation.h"

namespace mlir::fusion {

/// Fails, with an error at the op, where a tensor in `root` has an encoding (a
/// sparse layout, say): tensors are stored dense, row by row, and what the
/// encoding says would be dropped.
LogicalResult checkEncodings(Operation *root);

} // namespace mlir::fusion

#endif // FUSION_DIALECT_FUSION_IR_ENCODINGS_H
