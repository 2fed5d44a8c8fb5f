//===- Launch.cpp - launching kernels -------------------------------------===//

#include "Context.h"
#include "CudaDevice.h"
#include "Module.h"

using namespace mlir::fusion::runtime;

Outcome Module::launch(int32_t kernel, const int64_t (&grid)[3], void **params,
                       void *stream) const {
  if (kernel < 0 || static_cast<size_t>(kernel) >= kernels.size()) {
    return Outcome::failure("expected the number of one of %zu kernels, but "
                            "got %d",
                            kernels.size(), kernel);
  }
  const FusionKernel &properties = *kernels[kernel].properties;
  // The limits of every GPU since compute capability 3.0.
  constexpr int64_t most[3] = {2147483647, 65535, 65535};
  for (int i = 0; i < 3; ++i) {
    if (grid[i] < 0 || grid[i] > most[i]) {
      return Outcome::failure("kernel '%s': expected 0 to %lld blocks in "
                              "dimension %c of the grid, but got %lld",
                              properties.name, static_cast<long long>(most[i]),
                              "xyz"[i], static_cast<long long>(grid[i]));
    }
  }
  if (grid[0] == 0 || grid[1] == 0 || grid[2] == 0) {
    return Outcome::success();
  }
  const CudaDriver &driver = device.getDriver();
  Outcome outcome = driver.call(
      driver.launchKernel, kernels[kernel].function,
      static_cast<unsigned>(grid[0]), static_cast<unsigned>(grid[1]),
      static_cast<unsigned>(grid[2]),
      static_cast<unsigned>(properties.block_size), 1u, 1u,
      static_cast<unsigned>(properties.shared_bytes),
      static_cast<cuda::Stream>(stream), params, nullptr);
  if (!outcome.failed()) {
    return outcome;
  }
  return std::move(outcome).within(
      format("kernel '%s' (grid %lldx%lldx%lld, %d threads, %d bytes of shared "
             "memory)",
             properties.name, static_cast<long long>(grid[0]),
             static_cast<long long>(grid[1]), static_cast<long long>(grid[2]),
             properties.block_size, properties.shared_bytes));
}

int32_t fusionRtLaunch(FusionContext *context, int32_t kernel, int64_t grid_x,
                       int64_t grid_y, int64_t grid_z, void **params,
                       void *stream) {
  if (!context->module) {
    return context->report(Outcome::failure(
        "expected the context that a program's run was given, but this one has "
        "no kernels"));
  }
  return context->report(context->module->launch(
      kernel, {grid_x, grid_y, grid_z}, params, stream));
}

int64_t fusionRtMultiprocessors(FusionContext *context) {
  const Device &device = *context->device;
  return device.getKind() == FUSION_CUDA ? device.getInfo().multiprocessors : 1;
}
