//===- VerifyGroups.h - a plan beside the unfused program -------*- C++ -*-===//

#ifndef LIB_DRIVER_VERIFYGROUPS_H
#define LIB_DRIVER_VERIFYGROUPS_H

#include "fusion/Driver/Compile.h"
#include "fusion/Driver/Session.h"

namespace mlir::fusion {

/// Runs `plan` (stage 3) on `device`, and its groups taken apart on the CPU, on
/// the same inputs; prints one line per result of a group. Fails, naming the
/// first, where one exceeds its tolerance.
LogicalResult verifyGroups(OwningOpRef<ModuleOp> plan,
                           const PipelineOptions &options, DeviceHandle &device,
                           std::vector<HostArray> &inputs, raw_ostream &os);

} // namespace mlir::fusion

#endif // LIB_DRIVER_VERIFYGROUPS_H
