//===- CudaDriver.cpp - a CUDA driver whose GPU is emulated ---------------===//

#include "fusion/Emulator/CudaDriver.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>

using namespace mlir;
using namespace mlir::fusion::emulator;

//===----------------------------------------------------------------------===//
// The process's one GPU
//===----------------------------------------------------------------------===//

namespace {
using Result = int;
using Pointer = unsigned long long;
using Stream = void *;

/// Values of the published enumeration CUresult.
enum : Result {
  Success = 0,
  InvalidValue = 1,
  InvalidImage = 200,
  NotFound = 500,
  LaunchFailed = 719,
  NotSupported = 801
};

struct LoadedModule {
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::unique_ptr<Image> image;
};

struct State {
  EmulatedGPU gpu;
  GlobalMemory memory;
  std::string message;
};
} // namespace

static State &getState() {
  static State state;
  return state;
}

static Result fail(Result result, const Twine &message) {
  getState().message = message.str();
  return result;
}

bool mlir::fusion::emulator::parseTarget(StringRef target, EmulatedGPU &gpu) {
  int number = 0;
  if (!target.consume_front("sm_")) {
    return false;
  }
  (void)target.consume_back("a");
  if (target.getAsInteger(10, number)) {
    return false;
  }
  gpu.major = number / 10;
  gpu.minor = number % 10;
  return true;
}

void mlir::fusion::emulator::setEmulatedGPU(const EmulatedGPU &gpu) {
  getState().gpu = gpu;
}

//===----------------------------------------------------------------------===//
// Devices and errors
//===----------------------------------------------------------------------===//

static Result init(unsigned) { return Success; }

static Result driverGetVersion(int *version) {
  *version = 13000;
  return Success;
}

static Result getErrorName(Result result, const char **name) {
  *name = result == LaunchFailed   ? "CUDA_ERROR_LAUNCH_FAILED"
          : result == NotSupported ? "CUDA_ERROR_NOT_SUPPORTED"
          : result == InvalidImage ? "CUDA_ERROR_INVALID_IMAGE"
          : result == NotFound     ? "CUDA_ERROR_NOT_FOUND"
                                   : "CUDA_ERROR_INVALID_VALUE";
  return Success;
}

static Result getErrorString(Result, const char **text) {
  *text = getState().message.c_str();
  return Success;
}

static Result deviceGetCount(int *count) {
  *count = 1;
  return Success;
}

static Result deviceGet(int *device, int) {
  *device = 0;
  return Success;
}

static Result deviceGetName(char *name, int size, int) {
  std::string text = "emulated GPU";
  std::strncpy(name, text.c_str(), static_cast<size_t>(size));
  return Success;
}

static Result deviceGetAttribute(int *value, int attribute, int) {
  const EmulatedGPU &gpu = getState().gpu;
  bool isHopper = gpu.major >= 9;
  // The published numbers of CUdevice_attribute.
  switch (attribute) {
  case 1: // threads of a block
    *value = 1024;
    break;
  case 16:
    *value = gpu.multiprocessors;
    break;
  case 39: // threads of a multiprocessor
    *value = 2048;
    break;
  case 75:
    *value = gpu.major;
    break;
  case 76:
    *value = gpu.minor;
    break;
  case 81: // shared memory of a multiprocessor
    *value = (isHopper ? 228 : 164) * 1024;
    break;
  case 82: // registers of a multiprocessor
    *value = 65536;
    break;
  case 97: // shared memory of a block
    *value = (isHopper ? 227 : 163) * 1024;
    break;
  default:
    *value = 1;
    break;
  }
  return Success;
}

static Result deviceTotalMem(size_t *bytes, int) {
  *bytes = size_t(16) << 30;
  return Success;
}

static Result primaryContextRetain(void **context, int) {
  *context = &getState();
  return Success;
}

static Result primaryContextRelease(int) { return Success; }
static Result contextPush(void *) { return Success; }
static Result contextPop(void **) { return Success; }

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static Result memAlloc(Pointer *pointer, size_t bytes) {
  *pointer = reinterpret_cast<Pointer>(getState().memory.allocate(bytes));
  return Success;
}

static Result memFree(Pointer pointer) {
  return getState().memory.release(reinterpret_cast<void *>(pointer))
             ? Success
             : fail(InvalidValue, "expected an array of cuMemAlloc");
}

static Result outside() {
  return fail(InvalidValue, "expected bytes of an array of cuMemAlloc");
}

static Result copyHostToDevice(Pointer to, const void *from, size_t bytes,
                               Stream) {
  auto *target = reinterpret_cast<void *>(to);
  if (!getState().memory.markWritten(target, bytes)) {
    return outside();
  }
  std::memcpy(target, from, bytes);
  return Success;
}

static Result copyDeviceToHost(void *to, Pointer from, size_t bytes, Stream) {
  auto *source = reinterpret_cast<const void *>(from);
  if (!getState().memory.isWritten(source, bytes)) {
    return fail(LaunchFailed, "read of unwritten memory: a copy to the host "
                              "of bytes that no kernel has written");
  }
  std::memcpy(to, source, bytes);
  return Success;
}

static Result copyDeviceToDevice(Pointer to, Pointer from, size_t bytes,
                                 Stream) {
  return getState().memory.copy(reinterpret_cast<void *>(to),
                                reinterpret_cast<const void *>(from), bytes)
             ? Success
             : outside();
}

static Result memset8(Pointer to, unsigned char value, size_t bytes, Stream) {
  auto *target = reinterpret_cast<void *>(to);
  if (!getState().memory.markWritten(target, bytes)) {
    return outside();
  }
  std::memset(target, value, bytes);
  return Success;
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

/// Errors of parsing and decoding become the message.
static Result loadImage(LoadedModule &loaded, StringRef text) {
  std::string errors;
  llvm::raw_string_ostream os(errors);
  ScopedDiagnosticHandler handler(&loaded.context, [&](Diagnostic &diagnostic) {
    os << diagnostic.getLocation() << ": " << diagnostic << "\n";
    return success();
  });
  loaded.module = parseSourceString<ModuleOp>(text, &loaded.context);
  if (loaded.module) {
    loaded.image = Image::load(*loaded.module);
  }
  return loaded.image ? Success : fail(InvalidImage, errors);
}

static Result moduleLoadData(void **module, const void *data, unsigned, int *,
                             void **) {
  auto loaded = std::make_unique<LoadedModule>();
  loaded->context
      .loadDialect<arith::ArithDialect, gpu::GPUDialect, LLVM::LLVMDialect,
                   math::MathDialect, NVVM::NVVMDialect, scf::SCFDialect,
                   ub::UBDialect, vector::VectorDialect>();
  loaded->context.allowUnregisteredDialects();
  Result result = loadImage(*loaded, static_cast<const char *>(data));
  if (result == Success) {
    *module = loaded.release();
  }
  return result;
}

static Result moduleUnload(void *module) {
  delete static_cast<LoadedModule *>(module);
  return Success;
}

static Result moduleGetFunction(void **function, void *module,
                                const char *name) {
  const Image::Kernel *kernel =
      static_cast<LoadedModule *>(module)->image->find(name);
  *function = const_cast<Image::Kernel *>(kernel);
  return kernel ? Success
                : fail(NotFound, Twine("expected a kernel of the image, but "
                                       "got '") +
                                     name + "'");
}

static Result functionSetAttribute(void *, int, int) { return Success; }

static Result launchKernel(void *function, unsigned x, unsigned y, unsigned z,
                           unsigned block, unsigned, unsigned, unsigned shared,
                           Stream, void **parameters, void **) {
  State &state = getState();
  const auto &kernel = *static_cast<const Image::Kernel *>(function);
  LaunchShape shape;
  shape.grid = {x, y, z};
  shape.block = block;
  shape.sharedBytes = shared;
  LaunchResult result =
      launch(kernel, shape, parameters, state.memory, state.gpu.options);
  if (state.gpu.counters) {
    result.counters.print(*state.gpu.counters);
  }
  return result.faults.empty() ? Success
                               : fail(LaunchFailed, result.describe());
}

/// Bytes of an element by the published numbers of CUtensorMapDataType.
static uint32_t getElementBytes(int type) {
  static constexpr uint32_t bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2};
  return type >= 0 && type < 10 ? bytes[type] : 0;
}

static Result tensorMapEncodeTiled(void *out, int type, uint32_t rank,
                                   void *base, const uint64_t *dims,
                                   const uint64_t *strides, const uint32_t *box,
                                   const uint32_t *steps, int interleave,
                                   int swizzle, int, int fill) {
  TensorMapFields fields;
  fields.base = reinterpret_cast<uint64_t>(base);
  fields.elementBytes = getElementBytes(type);
  fields.rank = rank;
  fields.swizzle = swizzle ? 16u << swizzle : 0;
  if (!fields.elementBytes || rank < 1 || rank > 5 || interleave || fill ||
      swizzle > 3) {
    return fail(InvalidValue, "expected a tensor map without interleave that "
                              "fills with zeros");
  }
  for (uint32_t i = 0; i < rank; ++i) {
    fields.dims[i] = dims[i];
    fields.box[i] = box[i];
    if (i > 0) {
      fields.strides[i - 1] = strides[i - 1];
    }
    if (steps[i] != 1) {
      return fail(InvalidValue, "expected element strides of 1");
    }
  }
  encodeTensorMap(fields, out);
  return Success;
}

//===----------------------------------------------------------------------===//
// Streams and events: everything is done when a call returns
//===----------------------------------------------------------------------===//

static Result create(void **handle, unsigned) {
  *handle = &getState();
  return Success;
}

static Result ignore(void *) { return Success; }
static Result record(void *, Stream) { return Success; }

static Result getElapsed(float *milliseconds, void *, void *) {
  *milliseconds = 0;
  return Success;
}

static Result isCapturing(Stream, int *status) {
  *status = 0;
  return Success;
}

static Result refuseGraph(Stream, int) {
  return fail(NotSupported, "the emulated GPU records no graphs");
}

void *mlir::fusion::emulator::getEmulatedEntryPoint(const char *symbol) {
  struct Entry {
    const char *symbol;
    void *function;
  };
#define ENTRY(symbol, function)                                                \
  {                                                                            \
    symbol, reinterpret_cast<void *>(function)                                 \
  }
  static const Entry entries[] = {
      ENTRY("cuInit", init),
      ENTRY("cuDriverGetVersion", driverGetVersion),
      ENTRY("cuGetErrorName", getErrorName),
      ENTRY("cuGetErrorString", getErrorString),
      ENTRY("cuDeviceGetCount", deviceGetCount),
      ENTRY("cuDeviceGet", deviceGet),
      ENTRY("cuDeviceGetName", deviceGetName),
      ENTRY("cuDeviceGetAttribute", deviceGetAttribute),
      ENTRY("cuDeviceTotalMem_v2", deviceTotalMem),
      ENTRY("cuDevicePrimaryCtxRetain", primaryContextRetain),
      ENTRY("cuDevicePrimaryCtxRelease_v2", primaryContextRelease),
      ENTRY("cuCtxPushCurrent_v2", contextPush),
      ENTRY("cuCtxPopCurrent_v2", contextPop),
      ENTRY("cuModuleLoadDataEx", moduleLoadData),
      ENTRY("cuModuleUnload", moduleUnload),
      ENTRY("cuModuleGetFunction", moduleGetFunction),
      ENTRY("cuFuncSetAttribute", functionSetAttribute),
      ENTRY("cuLaunchKernel", launchKernel),
      ENTRY("cuTensorMapEncodeTiled", tensorMapEncodeTiled),
      ENTRY("cuMemAlloc_v2", memAlloc),
      ENTRY("cuMemFree_v2", memFree),
      ENTRY("cuMemcpyHtoDAsync_v2", copyHostToDevice),
      ENTRY("cuMemcpyDtoHAsync_v2", copyDeviceToHost),
      ENTRY("cuMemcpyDtoDAsync_v2", copyDeviceToDevice),
      ENTRY("cuMemsetD8Async", memset8),
      ENTRY("cuStreamCreate", create),
      ENTRY("cuStreamDestroy_v2", ignore),
      ENTRY("cuStreamSynchronize", ignore),
      ENTRY("cuStreamIsCapturing", isCapturing),
      ENTRY("cuStreamBeginCapture_v2", refuseGraph),
      ENTRY("cuEventCreate", create),
      ENTRY("cuEventDestroy_v2", ignore),
      ENTRY("cuEventRecord", record),
      ENTRY("cuEventSynchronize", ignore),
      ENTRY("cuEventElapsedTime", getElapsed)};
#undef ENTRY
  for (const Entry &entry : entries) {
    if (std::strcmp(entry.symbol, symbol) == 0) {
      return entry.function;
    }
  }
  return nullptr;
}
