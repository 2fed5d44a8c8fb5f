//===- Run.h - run, verify and time a model or package ----------*- C++ -*-===//

#ifndef FUSION_DRIVER_RUN_H
#define FUSION_DRIVER_RUN_H

#include "fusion/Driver/Compile.h"
#include "fusion/Driver/Inputs.h"
#include <optional>

namespace mlir::fusion {

/// How to run.
struct RunOptions {
  FusionDevice device = FUSION_CPU;
  /// The GPU is emulated.
  bool emulate = false;
  InputOptions inputs;
  /// Results by name that must agree with a .npy or .pb file.
  std::map<std::string, std::string> expected;
  /// What elements may differ by, relatively, beyond what compareArrays()
  /// allows: files may be written with few digits.
  double expectTolerance = 0;
  /// A folder that gets one .npy file for each result, or empty.
  std::string saveOutputs;
  /// Compare every group's results with the unfused reference.
  bool verify = false;
  /// For that, about so many bytes of results are held at once.
  int64_t verifyBytes = INT64_C(256) << 20;
  /// Time this many runs.
  std::optional<int64_t> bench;
};

/// Runs the model or package in `path` once and prints a line for each result
/// to `os`; then verifies and times as `run` says. Fails on bad input, and
/// where results do not agree.
LogicalResult runFile(StringRef path, const CompileOptions &compile,
                      const RunOptions &run, MLIRContext *context,
                      raw_ostream &os);

} // namespace mlir::fusion

#endif // FUSION_DRIVER_RUN_H
