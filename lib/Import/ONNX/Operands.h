//===- Operands.h - what several families of ops do with inputs -*- C++ -*-===//

#ifndef FUSION_IMPORT_ONNX_OPERANDS_H
#define FUSION_IMPORT_ONNX_OPERANDS_H

#include "NodeImporter.h"

namespace mlir::fusion::onnx {

/// Returns the one number in float input `index`, which must be a constant;
/// `what` names it in errors.
FailureOr<double> readFloat(NodeImporter &node, unsigned index, StringRef what);

/// Multiplies stacks of matrices, of rank 2 at least, all of whose batch dims
/// broadcast.
FailureOr<Tensor> multiplyBatches(NodeImporter &node, Tensor lhs, Tensor rhs);

} // namespace mlir::fusion::onnx

#endif // FUSION_IMPORT_ONNX_OPERANDS_H
