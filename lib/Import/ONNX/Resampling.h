//===- Resampling.h - tensors resampled along dims --------------*- C++ -*-===//

#ifndef FUSION_LIB_IMPORT_ONNX_RESAMPLING_H
#define FUSION_LIB_IMPORT_ONNX_RESAMPLING_H

#include "NodeImporter.h"

namespace mlir::fusion::onnx {

/// What the attributes of a node ask for.
struct Sampling {
  std::string mode = "nearest";
  std::string coordinates = "half_pixel";
  std::string nearest = "round_prefer_floor";
  double cubicA = -0.75;
  double outside = 0;
  bool excludeOutside = false;
  bool antialias = false;
};

/// One dim that is resampled.
struct ResampledAxis {
  int64_t axis;
  Dim from, to;
  double scale;
  /// The size that the scale gives, before it is rounded.
  double exactTo;
  /// Of tf_crop_and_resize, in parts of the dim.
  double cropStart = 0, cropEnd = 1;
};

/// Sets the result of a node to its first input, resampled along `axes`. Other
/// types than floats are interpolated as f32.
LogicalResult resample(NodeImporter &node, const Sampling &how,
                       ArrayRef<ResampledAxis> axes);

} // namespace mlir::fusion::onnx

#endif // FUSION_LIB_IMPORT_ONNX_RESAMPLING_H
