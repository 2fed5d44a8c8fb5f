//===- VerifyGroups.h - a plan beside the unfused program -------*- C++ -*-===//

#ifndef FUSION_DRIVER_VERIFYGROUPS_H
#define FUSION_DRIVER_VERIFYGROUPS_H

#include "fusion/Driver/Compile.h"
#include "fusion/Driver/Session.h"
#include <functional>

namespace mlir::fusion {

/// What a verification is of.
struct VerifyRun {
  const PipelineOptions &options;
  DeviceHandle &device;
  /// The program as it is.
  Session &session;
  /// The arguments of the program, and what it computed from them.
  std::vector<HostArray> &inputs;
  const std::vector<HostArray> &results;
  /// Groups are compared in batches whose results have about so many bytes.
  int64_t batchBytes = INT64_C(256) << 20;
  /// Compiles a plan for the device; compileInProcess() if it is empty.
  std::function<std::unique_ptr<CompiledProgram>(ModuleOp)> compile = {};
};

/// Runs `plan` (stage 3) on the device with the results of its groups kept, and
/// compares each with what the group's ops give, unfused and on the CPU, from
/// the operands that it had there. Prints one line per result of a group, and
/// for information how far the program is from the unfused one. Fails, naming
/// the first, where a group exceeds its tolerance; and where keeping the
/// results changes `results`.
LogicalResult verifyGroups(OwningOpRef<ModuleOp> plan, const VerifyRun &run,
                           raw_ostream &os);

} // namespace mlir::fusion

#endif // FUSION_DRIVER_VERIFYGROUPS_H
