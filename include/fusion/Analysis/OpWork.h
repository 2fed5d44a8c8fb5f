//===- OpWork.h - arithmetic and bytes of a linalg op -----------*- C++ -*-===//
//
// Counts for cost estimates. They describe the op as written: fusing changes
// which bytes cross memory, not the arithmetic.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_ANALYSIS_OPWORK_H
#define FUSION_ANALYSIS_OPWORK_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::fusion {

/// The size that estimates take for a dimension known only at run time.
constexpr int64_t kNominalDynamicSize = 512;

/// Returns `size`, or what estimates take for it where it is not known.
inline int64_t getNominalSize(int64_t size) {
  return ShapedType::isDynamic(size) ? kNominalDynamicSize : size;
}

/// Arithmetic of one linalg op.
struct OpWork {
  /// Iterations of all loops.
  double iterations = 1;
  /// Floating-point or integer operations outside multiply-accumulates; a
  /// transcendental function counts as `kTranscendentalFlops`.
  double flops = 0;
  /// Operations of a contraction: 2 for each iteration.
  double contractionFlops = 0;
};

/// What a call such as exp costs, in multiplies (as we expand it for GPUs).
constexpr double kTranscendentalFlops = 16;

/// Counts the work of `op`, with `dynamicSize` for unknown loop ranges.
OpWork getOpWork(linalg::LinalgOp op,
                 int64_t dynamicSize = kNominalDynamicSize);

/// Returns the bytes that a dense value of `type` takes in memory (i1 is one
/// byte), with `dynamicSize` for unknown dims; 0 for types without a size.
double getTensorBytes(Type type, int64_t dynamicSize = kNominalDynamicSize);

} // namespace mlir::fusion

#endif // FUSION_ANALYSIS_OPWORK_H
