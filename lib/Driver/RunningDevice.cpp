//===- RunningDevice.cpp - the model of the GPU that is there -------------===//

#include "fusion/Driver/RunningDevice.h"

#include <cctype>

using namespace mlir::fusion;

/// Returns whether `name` has the word `device` in it, whatever the case and
/// the blanks inside: "GeForce RTX 4090" has rtx4090, "L40S" has no l4.
static bool names(llvm::StringRef name, llvm::StringRef device) {
  std::string text = name.lower();
  for (size_t start = 0; start < text.size(); ++start) {
    size_t at = start, matched = 0;
    while (at < text.size() && matched < device.size() &&
           (text[at] == device[matched] || (matched > 0 && text[at] == ' '))) {
      matched += text[at++] != ' ';
    }
    bool ends = at == text.size() || !std::isdigit(text[at]);
    if (matched == device.size() && ends) {
      return true;
    }
  }
  return false;
}

std::optional<DeviceModel>
mlir::fusion::findRunningDevice(const FusionDeviceInfo &info,
                                llvm::StringRef target) {
  for (const DeviceModel &device : getDeviceModels()) {
    if (device.chip == target && names(info.name, device.name)) {
      return device;
    }
  }
  return getDeviceModel(target);
}

DeviceModel mlir::fusion::fitToDevice(DeviceModel model,
                                      const FusionDeviceInfo &info) {
  auto take = [](unsigned &figure, int64_t reported) {
    figure = reported > 0 ? reported : figure;
  };
  double before = model.multiprocessors * model.clockGHz;
  bool isKnown = names(info.name, model.name);
  take(model.multiprocessors, info.multiprocessors);
  take(model.maxThreadsPerSM, info.threads_per_multiprocessor);
  take(model.registersPerSM, info.registers_per_multiprocessor);
  take(model.sharedPerSM, info.shared_bytes_per_multiprocessor);
  take(model.sharedPerBlock, info.shared_bytes_per_block);
  model.l2MB = info.l2_bytes > 0 ? info.l2_bytes / 1e6 : model.l2MB;
  if (isKnown) {
    return model; // data sheets know the clocks that last
  }
  if (info.clock_khz > 0) {
    model.clockGHz = info.clock_khz * 1e-6;
  }
  double rates = model.multiprocessors * model.clockGHz / before;
  model.tensorTFlops *= rates;
  model.vectorTFlops *= rates;
  if (info.memory_clock_khz > 0 && info.memory_bus_bits > 0) {
    // Two transfers a cycle.
    model.memoryGBs = 2e-6 * info.memory_clock_khz * info.memory_bus_bits / 8;
  }
  return model;
}
