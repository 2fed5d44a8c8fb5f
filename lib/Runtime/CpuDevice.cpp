//===- CpuDevice.cpp - the CPU as a device --------------------------------===//

#include "Device.h"
#include "Module.h"
#include "ParallelFor.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <unistd.h>

using namespace mlir::fusion::runtime;

namespace {
/// Calls do their work before they return, so a stream is nothing.
class CpuDevice : public Device {
public:
  CpuDevice();

  FusionDevice getKind() const override { return FUSION_CPU; }

  Outcome allocate(int64_t bytes, void **pointer) override;
  void release(void *pointer) override { std::free(pointer); }
  Outcome copyToDevice(void *dst, const void *src, int64_t bytes) override {
    return copy(dst, src, bytes, nullptr);
  }
  Outcome copyToHost(void *dst, const void *src, int64_t bytes) override {
    return copy(dst, src, bytes, nullptr);
  }
  Outcome copy(void *dst, const void *src, int64_t bytes,
               void *stream) override {
    if (bytes > 0) {
      std::memmove(dst, src, static_cast<size_t>(bytes));
    }
    return Outcome::success();
  }
  Outcome fill(void *dst, int32_t value, int64_t bytes, void *stream) override {
    if (bytes > 0) {
      std::memset(dst, value, static_cast<size_t>(bytes));
    }
    return Outcome::success();
  }

  Outcome createStream(void **stream) override {
    *stream = nullptr;
    return Outcome::success();
  }
  void destroyStream(void *stream) override {}
  Outcome synchronize(void *stream) override { return Outcome::success(); }

  Outcome createEvent(void **event) override {
    *event = new timespec();
    return Outcome::success();
  }
  void destroyEvent(void *event) override {
    delete static_cast<timespec *>(event);
  }
  Outcome recordEvent(void *event, void *stream) override {
    clock_gettime(CLOCK_MONOTONIC, static_cast<timespec *>(event));
    return Outcome::success();
  }
  Outcome getElapsed(void *start, void *end, float *milliseconds) override;

  Outcome loadModule(const FusionProgram &program,
                     std::unique_ptr<Module> &module) override {
    return Outcome::success();
  }
};
} // namespace

/// Writes the processor's name as Linux tells it, "CPU" where it does not.
static void readProcessorName(char *name, size_t size) {
  snprintf(name, size, "CPU");
  FILE *file = fopen("/proc/cpuinfo", "r");
  if (!file) {
    return;
  }
  char line[512];
  while (fgets(line, sizeof(line), file)) {
    const char *value = strchr(line, ':');
    if (value && strncmp(line, "model name", strlen("model name")) == 0) {
      value += strspn(value, ": \t");
      snprintf(name, size, "%.*s", static_cast<int>(strcspn(value, "\n")),
               value);
      break;
    }
  }
  fclose(file);
}

CpuDevice::CpuDevice() {
  readProcessorName(info.name, sizeof(info.name));
  info.multiprocessors = static_cast<int32_t>(getNumThreads());
  info.memory_bytes = static_cast<int64_t>(sysconf(_SC_PHYS_PAGES)) *
                      static_cast<int64_t>(sysconf(_SC_PAGESIZE));
#ifdef _SC_LEVEL2_CACHE_SIZE
  long l2 = sysconf(_SC_LEVEL2_CACHE_SIZE);
  info.l2_bytes = l2 > 0 ? l2 : 0;
#endif
}

Outcome CpuDevice::allocate(int64_t bytes, void **pointer) {
  // The standard asks for a multiple of the alignment; no bytes get a pointer
  // too.
  constexpr size_t alignment = 256;
  size_t rounded = (static_cast<size_t>(bytes) / alignment + 1) * alignment;
  *pointer = std::aligned_alloc(alignment, rounded);
  if (!*pointer) {
    return Outcome::failure("cannot allocate %lld bytes of host memory",
                            static_cast<long long>(bytes));
  }
  return Outcome::success();
}

Outcome CpuDevice::getElapsed(void *start, void *end, float *milliseconds) {
  auto *from = static_cast<timespec *>(start);
  auto *to = static_cast<timespec *>(end);
  double elapsed = static_cast<double>(to->tv_sec - from->tv_sec) * 1e3 +
                   static_cast<double>(to->tv_nsec - from->tv_nsec) * 1e-6;
  *milliseconds = static_cast<float>(elapsed);
  return Outcome::success();
}

Outcome mlir::fusion::runtime::openCpu(int32_t ordinal,
                                       std::shared_ptr<Device> &device) {
  if (ordinal != 0) {
    return Outcome::failure("expected the CPU to be device 0, but got %d",
                            ordinal);
  }
  Outcome outcome = checkThreadSetting();
  if (!outcome.failed()) {
    device = std::make_shared<CpuDevice>();
  }
  return outcome;
}
