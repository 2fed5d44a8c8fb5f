//===- TargetDevice.h - the device that a pass plans for --------*- C++ -*-===//
//
// Internal to the planner: what each pass with a `target` option begins with.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_PLANNER_TARGETDEVICE_H
#define FUSION_LIB_PLANNER_TARGETDEVICE_H

#include "fusion/Cost/DeviceModel.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::fusion {

/// Returns the device that `target` names; an error at `func` where there is
/// none.
FailureOr<DeviceModel> findDevice(func::FuncOp func, StringRef target);

} // namespace mlir::fusion

#endif // FUSION_LIB_PLANNER_TARGETDEVICE_H
