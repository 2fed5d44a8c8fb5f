//===- CudaDevice.h - a GPU as a device -------------------------*- C++ -*-===//

#ifndef FUSION_LIB_RUNTIME_CUDADEVICE_H
#define FUSION_LIB_RUNTIME_CUDADEVICE_H

#include "CudaDriver.h"
#include "Device.h"
#include "TensorMap.h"

namespace mlir::fusion::runtime {

/// A GPU, used through its primary context, so that it shares memory and
/// streams with whatever else in the process uses the CUDA runtime.
class CudaDevice : public Device {
public:
  explicit CudaDevice(const CudaDriver &driver) : driver(driver) {}
  ~CudaDevice() override;

  /// Opens the GPU; to be called once, before anything else.
  Outcome open(int32_t ordinal);

  const CudaDriver &getDriver() const { return driver; }

  /// Calls an entry point while this device is current.
  template <typename... Parameters, typename... Arguments>
  Outcome call(const EntryPoint<Parameters...> &entry, Arguments... arguments) {
    DeviceScope scope(*this);
    if (scope.getOutcome().failed()) {
      return scope.getOutcome();
    }
    return driver.call(entry, arguments...);
  }

  FusionDevice getKind() const override { return FUSION_CUDA; }
  Outcome enter() override;
  void leave() override;

  Outcome allocate(int64_t bytes, void **pointer) override;
  void release(void *pointer) override;
  Outcome copyToDevice(void *dst, const void *src, int64_t bytes) override;
  Outcome copyToHost(void *dst, const void *src, int64_t bytes) override;
  Outcome copy(void *dst, const void *src, int64_t bytes,
               void *stream) override;
  Outcome fill(void *dst, int32_t value, int64_t bytes, void *stream) override;

  Outcome createStream(void **stream) override;
  void destroyStream(void *stream) override;
  Outcome synchronize(void *stream) override;

  Outcome createEvent(void **event) override;
  void destroyEvent(void *event) override;
  Outcome recordEvent(void *event, void *stream) override;
  Outcome getElapsed(void *start, void *end, float *milliseconds) override;

  Outcome beginGraph(void *stream) override;
  Outcome endGraph(void *stream, void **graph) override;
  Outcome launchGraph(void *graph, void *stream) override;
  Outcome countGraphNodes(void *graph, int64_t *count) override;
  void destroyGraph(void *graph) override;

  Outcome loadModule(const FusionProgram &program,
                     std::unique_ptr<Module> &module) override;
  Outcome encodeTensorMap(const TensorMapKey &key, void *out) override;

private:
  Outcome readInfo();

  const CudaDriver &driver;
  cuda::Device handle = 0;
  cuda::Context context = nullptr;
  TensorMapCache tensorMaps;
};

} // namespace mlir::fusion::runtime

#endif // FUSION_LIB_RUNTIME_CUDADEVICE_H
