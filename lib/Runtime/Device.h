//===- Device.h - what programs run on --------------------------*- C++ -*-===//

#ifndef FUSION_LIB_RUNTIME_DEVICE_H
#define FUSION_LIB_RUNTIME_DEVICE_H

#include "Outcome.h"

#include "fusion-c/Runtime.h"

#include <memory>

namespace mlir::fusion::runtime {

class Module;
struct TensorMapKey;

/// A CPU or a GPU: memory, streams, events and graphs, and the code that runs
/// on it. All functions may be called from several threads. Streams, events and
/// graphs are the handles of the C API.
class Device {
public:
  virtual ~Device() = default;

  virtual FusionDevice getKind() const = 0;
  const FusionDeviceInfo &getInfo() const { return info; }

  /// Makes the device current on this thread, until leave().
  virtual Outcome enter() { return Outcome::success(); }
  virtual void leave() {}

  virtual Outcome allocate(int64_t bytes, void **pointer) = 0;
  virtual void release(void *pointer) = 0;
  virtual Outcome copyToDevice(void *dst, const void *src, int64_t bytes) = 0;
  virtual Outcome copyToHost(void *dst, const void *src, int64_t bytes) = 0;
  virtual Outcome copy(void *dst, const void *src, int64_t bytes,
                       void *stream) = 0;
  virtual Outcome fill(void *dst, int32_t value, int64_t bytes,
                       void *stream) = 0;

  virtual Outcome createStream(void **stream) = 0;
  virtual void destroyStream(void *stream) = 0;
  virtual Outcome synchronize(void *stream) = 0;

  virtual Outcome createEvent(void **event) = 0;
  virtual void destroyEvent(void *event) = 0;
  virtual Outcome recordEvent(void *event, void *stream) = 0;
  virtual Outcome getElapsed(void *start, void *end, float *milliseconds) = 0;

  virtual Outcome beginGraph(void *stream) { return unsupported("graphs"); }
  virtual Outcome endGraph(void *stream, void **graph) {
    return unsupported("graphs");
  }
  virtual Outcome launchGraph(void *graph, void *stream) {
    return unsupported("graphs");
  }
  virtual Outcome countGraphNodes(void *graph, int64_t *count) {
    return unsupported("graphs");
  }
  virtual void destroyGraph(void *graph) {}

  /// Loads the kernels of `program`; null for a program without an image.
  virtual Outcome loadModule(const FusionProgram &program,
                             std::unique_ptr<Module> &module) = 0;
  /// Writes the 128 bytes of a tensor map.
  virtual Outcome encodeTensorMap(const TensorMapKey &key, void *out) {
    return unsupported("tensor maps");
  }

protected:
  FusionDeviceInfo info = {};

private:
  Outcome unsupported(const char *what) const {
    return Outcome::failure("expected a CUDA device for %s, but got the CPU",
                            what);
  }
};

/// Keeps a device current on this thread while it lives.
class DeviceScope {
public:
  explicit DeviceScope(Device &device)
      : device(device), entered(device.enter()) {}
  ~DeviceScope() {
    if (!entered.failed()) {
      device.leave();
    }
  }
  DeviceScope(const DeviceScope &) = delete;
  DeviceScope &operator=(const DeviceScope &) = delete;

  const Outcome &getOutcome() const { return entered; }

private:
  Device &device;
  Outcome entered;
};

/// An allocation on a device.
class Buffer {
public:
  Buffer() = default;
  Buffer(Buffer &&other) noexcept
      : device(other.device), data(std::exchange(other.data, nullptr)) {}
  Buffer &operator=(Buffer &&other) noexcept {
    std::swap(device, other.device);
    std::swap(data, other.data);
    return *this;
  }
  ~Buffer() {
    if (data) {
      device->release(data);
    }
  }

  static Outcome create(Device &device, int64_t bytes, Buffer &buffer) {
    Buffer created;
    created.device = &device;
    Outcome outcome = device.allocate(bytes, &created.data);
    buffer = std::move(created);
    return outcome;
  }

  char *get() const { return static_cast<char *>(data); }

private:
  Device *device = nullptr;
  void *data = nullptr;
};

/// Opens the CPU.
Outcome openCpu(int32_t ordinal, std::shared_ptr<Device> &device);
/// Opens a GPU by its primary context.
Outcome openCuda(int32_t ordinal, std::shared_ptr<Device> &device);

} // namespace mlir::fusion::runtime

#endif // FUSION_LIB_RUNTIME_DEVICE_H
