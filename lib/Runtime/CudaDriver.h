//===- CudaDriver.h - the CUDA driver, opened at run time -------*- C++ -*-===//
//
// The entry points of libcuda.so.1 that we call, with the signatures that
// NVIDIA publishes, declared here so that no toolkit is needed to build.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_CUDADRIVER_H
#define FUSION_LIB_RUNTIME_CUDADRIVER_H

#include "Outcome.h"

#include <cstddef>
#include <cstdint>

namespace mlir::fusion::runtime {

namespace cuda {
using Result = int;
using Device = int;
using Pointer = unsigned long long;
using Context = struct ContextHandle *;
using Module = struct ModuleHandle *;
using Function = struct FunctionHandle *;
using Stream = struct StreamHandle *;
using Event = struct EventHandle *;
using Graph = struct GraphHandle *;
using GraphExec = struct GraphExecHandle *;
using GraphNode = struct GraphNodeHandle *;

/// Values of the published enumerations.
enum DeviceAttribute : int {
  MaxThreadsPerBlock = 1,
  ClockRate = 13,
  MultiprocessorCount = 16,
  MemoryClockRate = 36,
  MemoryBusWidth = 37,
  L2CacheSize = 38,
  MaxThreadsPerMultiprocessor = 39,
  ComputeCapabilityMajor = 75,
  ComputeCapabilityMinor = 76,
  MaxSharedMemoryPerMultiprocessor = 81,
  MaxRegistersPerMultiprocessor = 82,
  MaxSharedMemoryPerBlockOptin = 97
};
enum FunctionAttribute : int { MaxDynamicSharedSizeBytes = 8 };
enum JitOption : int { ErrorLogBuffer = 5, ErrorLogBufferSizeBytes = 6 };
enum StreamFlag : unsigned { StreamNonBlocking = 1 };
enum CaptureMode : int { CaptureThreadLocal = 1, CaptureRelaxed = 2 };
} // namespace cuda

/// An entry point: null where the driver lacks it, which only fails when used.
template <typename... Parameters> struct EntryPoint {
  const char *symbol;
  cuda::Result (*function)(Parameters...) = nullptr;
};

/// X(name, symbol, parameters...): each entry point, as EntryPoint `name`.
#define FUSION_CUDA_ENTRY_POINTS(X)                                            \
  X(init, "cuInit", unsigned)                                                  \
  X(driverGetVersion, "cuDriverGetVersion", int *)                             \
  X(getErrorName, "cuGetErrorName", cuda::Result, const char **)               \
  X(getErrorString, "cuGetErrorString", cuda::Result, const char **)           \
  X(deviceGetCount, "cuDeviceGetCount", int *)                                 \
  X(deviceGet, "cuDeviceGet", cuda::Device *, int)                             \
  X(deviceGetName, "cuDeviceGetName", char *, int, cuda::Device)               \
  X(deviceGetAttribute, "cuDeviceGetAttribute", int *, int, cuda::Device)      \
  X(deviceTotalMem, "cuDeviceTotalMem_v2", size_t *, cuda::Device)             \
  X(primaryContextRetain, "cuDevicePrimaryCtxRetain", cuda::Context *,         \
    cuda::Device)                                                              \
  X(primaryContextRelease, "cuDevicePrimaryCtxRelease_v2", cuda::Device)       \
  X(contextPush, "cuCtxPushCurrent_v2", cuda::Context)                         \
  X(contextPop, "cuCtxPopCurrent_v2", cuda::Context *)                         \
  X(moduleLoadData, "cuModuleLoadDataEx", cuda::Module *, const void *,        \
    unsigned, int *, void **)                                                  \
  X(moduleUnload, "cuModuleUnload", cuda::Module)                              \
  X(moduleGetFunction, "cuModuleGetFunction", cuda::Function *, cuda::Module,  \
    const char *)                                                              \
  X(functionSetAttribute, "cuFuncSetAttribute", cuda::Function, int, int)      \
  X(functionLoad, "cuFuncLoad", cuda::Function)                                \
  X(launchKernel, "cuLaunchKernel", cuda::Function, unsigned, unsigned,        \
    unsigned, unsigned, unsigned, unsigned, unsigned, cuda::Stream, void **,   \
    void **)                                                                   \
  X(tensorMapEncodeTiled, "cuTensorMapEncodeTiled", void *, int, uint32_t,     \
    void *, const uint64_t *, const uint64_t *, const uint32_t *,              \
    const uint32_t *, int, int, int, int)                                      \
  X(memAlloc, "cuMemAlloc_v2", cuda::Pointer *, size_t)                        \
  X(memFree, "cuMemFree_v2", cuda::Pointer)                                    \
  X(copyHostToDevice, "cuMemcpyHtoDAsync_v2", cuda::Pointer, const void *,     \
    size_t, cuda::Stream)                                                      \
  X(copyDeviceToHost, "cuMemcpyDtoHAsync_v2", void *, cuda::Pointer, size_t,   \
    cuda::Stream)                                                              \
  X(copyDeviceToDevice, "cuMemcpyDtoDAsync_v2", cuda::Pointer, cuda::Pointer,  \
    size_t, cuda::Stream)                                                      \
  X(memset8, "cuMemsetD8Async", cuda::Pointer, unsigned char, size_t,          \
    cuda::Stream)                                                              \
  X(streamCreate, "cuStreamCreate", cuda::Stream *, unsigned)                  \
  X(streamDestroy, "cuStreamDestroy_v2", cuda::Stream)                         \
  X(streamSynchronize, "cuStreamSynchronize", cuda::Stream)                    \
  X(streamBeginCapture, "cuStreamBeginCapture_v2", cuda::Stream, int)          \
  X(streamEndCapture, "cuStreamEndCapture", cuda::Stream, cuda::Graph *)       \
  X(streamIsCapturing, "cuStreamIsCapturing", cuda::Stream, int *)             \
  X(exchangeCaptureMode, "cuThreadExchangeStreamCaptureMode", int *)           \
  X(eventCreate, "cuEventCreate", cuda::Event *, unsigned)                     \
  X(eventDestroy, "cuEventDestroy_v2", cuda::Event)                            \
  X(eventRecord, "cuEventRecord", cuda::Event, cuda::Stream)                   \
  X(eventSynchronize, "cuEventSynchronize", cuda::Event)                       \
  X(eventElapsedTime, "cuEventElapsedTime", float *, cuda::Event, cuda::Event) \
  X(graphInstantiate, "cuGraphInstantiateWithFlags", cuda::GraphExec *,        \
    cuda::Graph, unsigned long long)                                           \
  X(graphGetNodes, "cuGraphGetNodes", cuda::Graph, cuda::GraphNode *,          \
    size_t *)                                                                  \
  X(graphLaunch, "cuGraphLaunch", cuda::GraphExec, cuda::Stream)               \
  X(graphExecDestroy, "cuGraphExecDestroy", cuda::GraphExec)                   \
  X(graphDestroy, "cuGraphDestroy", cuda::Graph)

/// The driver's entry points. There is one driver per process.
class CudaDriver {
public:
  /// Opens and initialises the driver where that has not succeeded yet.
  static Outcome open(const CudaDriver *&driver);

  /// Calls an entry point; a failure names the call, the code and its meaning.
  template <typename... Parameters, typename... Arguments>
  Outcome call(const EntryPoint<Parameters...> &entry,
               Arguments... arguments) const {
    if (!entry.function) {
      return missing(entry.symbol);
    }
    cuda::Result result = entry.function(arguments...);
    return result == 0 ? Outcome::success() : failed(entry.symbol, result);
  }

#define FUSION_CUDA_DECLARE(name, symbol, ...)                                 \
  EntryPoint<__VA_ARGS__> name{symbol};
  FUSION_CUDA_ENTRY_POINTS(FUSION_CUDA_DECLARE)
#undef FUSION_CUDA_DECLARE

private:
  Outcome load();
  template <typename LookupFn> void resolve(LookupFn lookup);
  Outcome missing(const char *symbol) const;
  Outcome failed(const char *symbol, cuda::Result result) const;
};

} // namespace mlir::fusion::runtime

#endif // FUSION_LIB_RUNTIME_CUDADRIVER_H
