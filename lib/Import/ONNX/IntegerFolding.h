//===- IntegerFolding.h - shape arithmetic while importing ------*- C++ -*-===//
//
// Exporters compute shapes in the graph: Shape, Gather, Concat, Mul and so on
// over small tensors of integers. Such nodes are computed on known integers
// and on sizes, so that Reshape and its like see what they need.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_IMPORT_ONNX_INTEGERFOLDING_H
#define FUSION_LIB_IMPORT_ONNX_INTEGERFOLDING_H

#include "OpRegistry.h"

namespace mlir::fusion::onnx {

/// Results of more elements are left to the graph.
constexpr int64_t kMaxFoldedElements = 1024;

/// A small tensor of known integers, in row-major order.
struct Integers {
  SmallVector<int64_t, 2> shape;
  SmallVector<Dim, 4> elements;

  int64_t getRank() const { return static_cast<int64_t>(shape.size()); }
  int64_t getSize() const { return static_cast<int64_t>(elements.size()); }
};

/// Computes a whole node; none where the result is not known.
using FoldFn = std::optional<Integers> (*)(NodeImporter &node,
                                           ArrayRef<Integers> operands);

/// The function for an op that moves integers (Concat, Slice), or null.
FoldFn getMovingFold(StringRef opType);

/// Computes a node that works element by element (Add, Where) on its broadcast
/// operands; none if it is no such op or the result is not known.
std::optional<Integers> foldElementwise(NodeImporter &node,
                                        ArrayRef<Integers> operands);
/// Whether `opType` is such an op.
bool foldsElementwise(StringRef opType);

/// numpy's common shape; none if there is none or it is too large.
std::optional<SmallVector<int64_t, 2>>
getCommonShape(ArrayRef<Integers> operands);

/// The element of `operand` at the place `index` of a tensor of shape `shape`
/// that it broadcasts to.
const Dim &getElement(const Integers &operand, ArrayRef<int64_t> shape,
                      int64_t index);

} // namespace mlir::fusion::onnx

#endif // FUSION_LIB_IMPORT_ONNX_INTEGERFOLDING_H
