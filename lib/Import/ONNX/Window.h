//===- Window.h - windows that move over spatial dims -----------*- C++ -*-===//

#ifndef FUSION_LIB_IMPORT_ONNX_WINDOW_H
#define FUSION_LIB_IMPORT_ONNX_WINDOW_H

#include "NodeImporter.h"

namespace mlir::fusion::onnx {

/// How a window moves; one entry per spatial dim.
struct Window {
  SmallVector<int64_t> size, strides, dilations, low, high;
  /// What ceil_mode adds to `high`; part of no window's count.
  SmallVector<int64_t> beyond;

  /// The elements from the first to the last of the window.
  int64_t getExtent(size_t dim) const {
    return dilations[dim] * (size[dim] - 1) + 1;
  }
  /// `high` with what ceil_mode adds.
  SmallVector<int64_t> getWholeHigh() const;
};

/// An attribute with one entry per spatial dim; `byDefault` where it is not
/// given.
FailureOr<SmallVector<int64_t>> readEntries(NodeImporter &node, StringRef name,
                                            size_t count, int64_t byDefault);

/// Reads strides, dilations and paddings of a window of this size.
FailureOr<Window> readWindow(NodeImporter &node, ArrayRef<Dim> spatial,
                             ArrayRef<int64_t> size);

/// The number of places along each dim.
SmallVector<Dim, 4> getPlaces(NodeImporter &node, ArrayRef<Dim> spatial,
                              const Window &window);

/// The window of the weights of a convolution (filters and channels first),
/// which must be static and as kernel_shape says.
FailureOr<SmallVector<int64_t>>
readKernel(NodeImporter &node, const Tensor &input, const Tensor &weights);

/// A convolution without bias, as the attributes of the node say.
FailureOr<Tensor> convolve(NodeImporter &node, const Tensor &input,
                           const Tensor &weights);

/// Pools `input`; the places that windows miss are padded.
FailureOr<Tensor> pool(NodeImporter &node, ReduceKind kind, const Tensor &input,
                       const Window &window);

} // namespace mlir::fusion::onnx

#endif // FUSION_LIB_IMPORT_ONNX_WINDOW_H
