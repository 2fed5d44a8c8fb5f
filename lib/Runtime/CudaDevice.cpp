//===- CudaDevice.cpp - a GPU as a device ---------------------------------===//

#include "CudaDevice.h"
#include "Module.h"

#include <algorithm>

using namespace mlir::fusion::runtime;

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

Outcome mlir::fusion::runtime::openCuda(int32_t ordinal,
                                        std::shared_ptr<Device> &device) {
  const CudaDriver *driver = nullptr;
  Outcome outcome = CudaDriver::open(driver);
  if (outcome.failed()) {
    return outcome;
  }
  auto opened = std::make_shared<CudaDevice>(*driver);
  outcome = opened->open(ordinal);
  if (!outcome.failed()) {
    device = std::move(opened);
  }
  return outcome;
}

Outcome CudaDevice::open(int32_t ordinal) {
  int count = 0;
  Outcome outcome = driver.call(driver.deviceGetCount, &count);
  if (outcome.failed()) {
    return outcome;
  }
  if (ordinal < 0 || ordinal >= count) {
    return Outcome::failure("expected the number of one of %d GPUs, but got %d",
                            count, ordinal);
  }
  outcome = driver.call(driver.deviceGet, &handle, ordinal);
  if (outcome.failed()) {
    return outcome;
  }
  outcome = readInfo();
  if (outcome.failed()) {
    return outcome;
  }
  return driver.call(driver.primaryContextRetain, &context, handle);
}

Outcome CudaDevice::readInfo() {
  struct Field {
    cuda::DeviceAttribute attribute;
    int32_t FusionDeviceInfo::*field;
  };
  static constexpr Field fields[] = {
      {cuda::ComputeCapabilityMajor, &FusionDeviceInfo::compute_major},
      {cuda::ComputeCapabilityMinor, &FusionDeviceInfo::compute_minor},
      {cuda::MultiprocessorCount, &FusionDeviceInfo::multiprocessors},
      {cuda::ClockRate, &FusionDeviceInfo::clock_khz},
      {cuda::MemoryClockRate, &FusionDeviceInfo::memory_clock_khz},
      {cuda::MemoryBusWidth, &FusionDeviceInfo::memory_bus_bits},
      {cuda::MaxThreadsPerBlock, &FusionDeviceInfo::threads_per_block},
      {cuda::MaxThreadsPerMultiprocessor,
       &FusionDeviceInfo::threads_per_multiprocessor},
      {cuda::MaxRegistersPerMultiprocessor,
       &FusionDeviceInfo::registers_per_multiprocessor},
      {cuda::MaxSharedMemoryPerBlockOptin,
       &FusionDeviceInfo::shared_bytes_per_block},
      {cuda::MaxSharedMemoryPerMultiprocessor,
       &FusionDeviceInfo::shared_bytes_per_multiprocessor}};
  for (const Field &field : fields) {
    Outcome outcome =
        driver.call(driver.deviceGetAttribute, &(info.*field.field),
                    static_cast<int>(field.attribute), handle);
    if (outcome.failed()) {
      return outcome;
    }
  }
  int l2 = 0;
  size_t memory = 0;
  Outcome outcomes[] = {
      driver.call(driver.deviceGetAttribute, &l2,
                  static_cast<int>(cuda::L2CacheSize), handle),
      driver.call(driver.deviceTotalMem, &memory, handle),
      driver.call(driver.deviceGetName, info.name,
                  static_cast<int>(sizeof(info.name)), handle),
      driver.call(driver.driverGetVersion, &info.driver_version)};
  info.l2_bytes = l2;
  info.memory_bytes = static_cast<int64_t>(memory);
  for (Outcome &outcome : outcomes) {
    if (outcome.failed()) {
      return outcome;
    }
  }
  return Outcome::success();
}

CudaDevice::~CudaDevice() {
  if (context) {
    (void)driver.call(driver.primaryContextRelease, handle);
  }
}

Outcome CudaDevice::enter() { return driver.call(driver.contextPush, context); }

void CudaDevice::leave() {
  cuda::Context popped = nullptr;
  (void)driver.call(driver.contextPop, &popped);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static cuda::Pointer toPointer(const void *pointer) {
  return reinterpret_cast<cuda::Pointer>(pointer);
}

Outcome CudaDevice::allocate(int64_t bytes, void **pointer) {
  // cuMemAlloc aligns to 256 bytes and refuses 0 bytes.
  cuda::Pointer allocated = 0;
  Outcome outcome = call(driver.memAlloc, &allocated,
                         static_cast<size_t>(std::max<int64_t>(bytes, 1)));
  *pointer = reinterpret_cast<void *>(allocated);
  return std::move(outcome).within(
      format("cannot allocate %lld bytes of GPU memory",
             static_cast<long long>(bytes)));
}

void CudaDevice::release(void *pointer) {
  if (pointer) {
    (void)call(driver.memFree, toPointer(pointer));
  }
}

// The copies that wait go through the null stream and wait for it: a plain
// cuMemcpy from pageable memory may return before the data is in place.
Outcome CudaDevice::copyToDevice(void *dst, const void *src, int64_t bytes) {
  if (bytes == 0) {
    return Outcome::success();
  }
  Outcome outcome = call(driver.copyHostToDevice, toPointer(dst), src,
                         static_cast<size_t>(bytes), nullptr);
  return outcome.failed() ? outcome : synchronize(nullptr);
}

Outcome CudaDevice::copyToHost(void *dst, const void *src, int64_t bytes) {
  if (bytes == 0) {
    return Outcome::success();
  }
  Outcome outcome = call(driver.copyDeviceToHost, dst, toPointer(src),
                         static_cast<size_t>(bytes), nullptr);
  return outcome.failed() ? outcome : synchronize(nullptr);
}

Outcome CudaDevice::copy(void *dst, const void *src, int64_t bytes,
                         void *stream) {
  if (bytes == 0) {
    return Outcome::success();
  }
  return call(driver.copyDeviceToDevice, toPointer(dst), toPointer(src),
              static_cast<size_t>(bytes), static_cast<cuda::Stream>(stream));
}

Outcome CudaDevice::fill(void *dst, int32_t value, int64_t bytes,
                         void *stream) {
  if (bytes == 0) {
    return Outcome::success();
  }
  return call(driver.memset8, toPointer(dst), static_cast<unsigned char>(value),
              static_cast<size_t>(bytes), static_cast<cuda::Stream>(stream));
}

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

Outcome CudaDevice::createStream(void **stream) {
  return call(driver.streamCreate, reinterpret_cast<cuda::Stream *>(stream),
              static_cast<unsigned>(cuda::StreamNonBlocking));
}

void CudaDevice::destroyStream(void *stream) {
  if (stream) {
    (void)call(driver.streamDestroy, static_cast<cuda::Stream>(stream));
  }
}

Outcome CudaDevice::synchronize(void *stream) {
  return call(driver.streamSynchronize, static_cast<cuda::Stream>(stream));
}

Outcome CudaDevice::createEvent(void **event) {
  return call(driver.eventCreate, reinterpret_cast<cuda::Event *>(event), 0u);
}

void CudaDevice::destroyEvent(void *event) {
  if (event) {
    (void)call(driver.eventDestroy, static_cast<cuda::Event>(event));
  }
}

Outcome CudaDevice::recordEvent(void *event, void *stream) {
  return call(driver.eventRecord, static_cast<cuda::Event>(event),
              static_cast<cuda::Stream>(stream));
}

Outcome CudaDevice::getElapsed(void *start, void *end, float *milliseconds) {
  Outcome outcome =
      call(driver.eventSynchronize, static_cast<cuda::Event>(end));
  if (outcome.failed()) {
    return outcome;
  }
  return call(driver.eventElapsedTime, milliseconds,
              static_cast<cuda::Event>(start), static_cast<cuda::Event>(end));
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

namespace {
/// What was recorded, and what of it can be launched.
struct CudaGraph {
  cuda::Graph recorded = nullptr;
  cuda::GraphExec executable = nullptr;
};
} // namespace

Outcome CudaDevice::beginGraph(void *stream) {
  if (!stream) {
    return Outcome::failure("expected a stream of fusionStreamCreate to record "
                            "a graph, but got the null stream");
  }
  return call(driver.streamBeginCapture, static_cast<cuda::Stream>(stream),
              static_cast<int>(cuda::CaptureThreadLocal));
}

Outcome CudaDevice::endGraph(void *stream, void **graph) {
  auto created = std::make_unique<CudaGraph>();
  Outcome outcome = call(driver.streamEndCapture,
                         static_cast<cuda::Stream>(stream), &created->recorded);
  if (outcome.failed()) {
    return outcome;
  }
  outcome = call(driver.graphInstantiate, &created->executable,
                 created->recorded, 0ull);
  if (outcome.failed()) {
    destroyGraph(created.release());
    return outcome;
  }
  *graph = created.release();
  return outcome;
}

Outcome CudaDevice::launchGraph(void *graph, void *stream) {
  return call(driver.graphLaunch, static_cast<CudaGraph *>(graph)->executable,
              static_cast<cuda::Stream>(stream));
}

Outcome CudaDevice::countGraphNodes(void *graph, int64_t *count) {
  size_t nodes = 0;
  Outcome outcome =
      call(driver.graphGetNodes, static_cast<CudaGraph *>(graph)->recorded,
           nullptr, &nodes);
  *count = static_cast<int64_t>(nodes);
  return outcome;
}

void CudaDevice::destroyGraph(void *graph) {
  std::unique_ptr<CudaGraph> owned(static_cast<CudaGraph *>(graph));
  if (owned && owned->executable) {
    (void)call(driver.graphExecDestroy, owned->executable);
  }
  if (owned && owned->recorded) {
    (void)call(driver.graphDestroy, owned->recorded);
  }
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

Outcome CudaDevice::loadModule(const FusionProgram &program,
                               std::unique_ptr<Module> &module) {
  return Module::load(*this, program, module);
}

Outcome CudaDevice::encodeTensorMap(const TensorMapKey &key, void *out) {
  return tensorMaps.get(*this, key, out);
}
