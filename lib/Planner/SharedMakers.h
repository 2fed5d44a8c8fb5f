//===- SharedMakers.h - what attention and others read ----------*- C++ -*-===//

#ifndef FUSION_LIB_PLANNER_SHAREDMAKERS_H
#define FUSION_LIB_PLANNER_SHAREDMAKERS_H

#include "fusion/Cost/DeviceModel.h"
#include "fusion/Planner/Units.h"

namespace mlir::fusion {

/// Copies elementwise ops that attentions read and other kernels too (a mask
/// that is broadcast for all layers) into the kernels of `softmaxes`, and adds
/// the copies to their `ops`, where that is estimated to be no slower and to
/// move fewer bytes in all kernels concerned. Ops that nothing reads any more
/// are erased. Says in `refusals`, by the op and the second contraction, why
/// others are not.
void copySharedMakers(MutableArrayRef<OnlineSoftmax> softmaxes,
                      const DeviceModel &device, ChainRefusals &refusals);

} // namespace mlir::fusion

#endif // FUSION_LIB_PLANNER_SHAREDMAKERS_H
