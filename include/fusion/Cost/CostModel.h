//===- CostModel.h - is a fusion worth it? ----------------------*- C++ -*-===//

#ifndef FUSION_COST_COSTMODEL_H
#define FUSION_COST_COSTMODEL_H

#include "fusion/Analysis/FusionDecision.h"
#include "fusion/Cost/Roofline.h"
#include "llvm/ADT/ArrayRef.h"

namespace mlir::fusion {

/// Returns whether one kernel doing `fused` is estimated to take no longer
/// than the kernels `separate` one after another; a refusal names both times.
FusionDecision worthFusing(const KernelWork &fused,
                           llvm::ArrayRef<KernelWork> separate,
                           const DeviceModel &device);

} // namespace mlir::fusion

#endif // FUSION_COST_COSTMODEL_H
