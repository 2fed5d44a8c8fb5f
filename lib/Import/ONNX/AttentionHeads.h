//===- AttentionHeads.h - heads of attention --------------------*- C++ -*-===//

#ifndef FUSION_LIB_IMPORT_ONNX_ATTENTIONHEADS_H
#define FUSION_LIB_IMPORT_ONNX_ATTENTIONHEADS_H

#include "NodeImporter.h"

namespace mlir::fusion::onnx {

/// [batch, places, heads * width] as [batch, heads, places, width].
FailureOr<Tensor> splitHeads(NodeImporter &node, const Tensor &x,
                             int64_t heads);

/// The reverse.
FailureOr<Tensor> joinHeads(NodeImporter &node, const Tensor &x);

} // namespace mlir::fusion::onnx

#endif // FUSION_LIB_IMPORT_ONNX_ATTENTIONHEADS_H
