//===- Session.h - a program on a device ------------------------*- C++ -*-===//

#ifndef FUSION_DRIVER_SESSION_H
#define FUSION_DRIVER_SESSION_H

#include "fusion/Verify/HostArray.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <vector>

namespace mlir::fusion {

/// Timings of repeated runs, in milliseconds.
struct BenchResult {
  double median = 0, least = 0;
  int64_t runs = 0;
  /// Kernels, copies and fills of one run; -1 on the CPU.
  int64_t launches = -1;
};

/// An open device.
class DeviceHandle {
public:
  /// Errors say what is missing, e.g. that there is no GPU or no driver.
  static llvm::Expected<DeviceHandle> open(FusionDevice device);

  FusionContext *get() const { return context.get(); }
  FusionDeviceInfo getInfo() const;
  /// The compilation target that fits it: "sm_90a" on compute capability 9.0,
  /// "sm_80" and up likewise, "cpu".
  std::string getTarget() const;

private:
  struct Destroy {
    void operator()(FusionContext *context) const {
      fusionContextDestroy(context);
    }
  };
  FusionDevice device = FUSION_CPU;
  std::unique_ptr<FusionContext, Destroy> context;
};

/// A program on a device. The device and the program outlive it.
class Session {
public:
  static llvm::Expected<Session> create(DeviceHandle &device,
                                        const FusionProgram &program);
  /// Loads a package.
  static llvm::Expected<Session> load(DeviceHandle &device, StringRef path);

  const FusionProgram &getProgram() const {
    return *fusionModelProgram(model.get());
  }

  /// Runs once. `arrays` are the inputs and weights in the program's order;
  /// they are handed over by prepare() the first time. Returns the results.
  llvm::Expected<std::vector<HostArray>> run(std::vector<HostArray> &arrays);

  /// The shapes of the results of such a run.
  llvm::Expected<std::vector<SmallVector<int64_t>>>
  getResultDims(std::vector<HostArray> &arrays);

  /// Times at least `runs` runs with the inputs on the device. On a GPU one run
  /// is captured in a graph, so that the time of launching from the host is out
  /// of it, and the L2 cache is flushed before each.
  llvm::Expected<BenchResult> bench(std::vector<HostArray> &arrays,
                                    int64_t runs);

private:
  struct Destroy {
    void operator()(FusionModel *model) const { fusionModelDestroy(model); }
  };
  llvm::Error check(FusionStatus status) const;
  llvm::Error prepare(std::vector<HostArray> &arrays);
  llvm::Expected<std::vector<HostArray>>
  makeResults(std::vector<HostArray> &arrays);
  std::vector<FusionArray> getViews(std::vector<HostArray> &arrays,
                                    FusionRole role) const;

  DeviceHandle *device = nullptr;
  std::unique_ptr<FusionModel, Destroy> model;
  bool isPrepared = false;
};

} // namespace mlir::fusion

#endif // FUSION_DRIVER_SESSION_H
