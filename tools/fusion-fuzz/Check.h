//===- Check.h - one graph, fused and unfused -------------------*- C++ -*-===//

#ifndef FUSION_TOOLS_FUSION_FUZZ_CHECK_H
#define FUSION_TOOLS_FUSION_FUZZ_CHECK_H

#include "Faults.h"
#include "fusion/Driver/Session.h"
#include "fusion/Pipelines/Pipelines.h"
#include "mlir/IR/BuiltinOps.h"
#include <string>

namespace mlir::fusion::fuzz {

struct CheckOptions {
  /// How the fused program is compiled.
  PipelineOptions pipeline;
  uint64_t inputSeed = 0;
};

/// What came of a graph.
struct CheckResult {
  enum Kind {
    /// All results agree.
    Agrees,
    /// The GPU has no kernel for it, says a diagnostic.
    Refused,
    /// Results differ, or the graph does not compile or run.
    Fails,
    /// The device cannot be opened, so that no graph can be checked.
    NoDevice
  };
  Kind kind = Agrees;
  /// The reason, one line.
  std::string message;
};

/// Compiles `graph` fused for the device, and unfused and strict for the CPU,
/// and compares the results on the same inputs: bit for bit where they are
/// exact (Exactness.h), else within what perturb() shows.
CheckResult check(ModuleOp graph, const CheckOptions &options,
                  DeviceHandle &cpu, DeviceHandle &device);

/// How many faults to put into a graph's program, and of which kinds (all whose
/// names contain `only`).
struct FaultOptions {
  int64_t count = 0;
  std::string only;
  /// Chooses them.
  uint64_t seed = 0;
};

/// As check(), for a graph that agrees: `count` times with a fault in the fused
/// program. The message has a line for each: what became of it (`noticed`;
/// `missed`: some results changed, but the comparison allows it; `same`: no
/// result changed; `refused`: what is wrong does not compile), the kind, and
/// more for people to read, with tabs between.
CheckResult checkFaults(ModuleOp graph, const CheckOptions &options,
                        const FaultOptions &faults, DeviceHandle &cpu,
                        DeviceHandle &device);

} // namespace mlir::fusion::fuzz

#endif // FUSION_TOOLS_FUSION_FUZZ_CHECK_H
