//===- MockCudaCode.cpp - modules, launches and tensor maps of the mock ---===//

#include "MockCudaState.h"

#include <cstdio>
#include <cstring>

using namespace mock_cuda;

extern "C" {
int cuModuleLoadDataEx(void **module, const void *image, unsigned count,
                       const int *options, void **values) {
  MOCK_CALL("cuModuleLoadDataEx");
  MOCK_CHECK(!mock().numCapturing, CaptureUnsupported);
  auto *text = static_cast<const char *>(image);
  if (const char *wrong = strstr(text, "nonsense")) {
    for (unsigned i = 0; i + 1 < count; ++i) {
      if (options[i] == 5 && options[i + 1] == 6) {
        snprintf(static_cast<char *>(values[i]),
                 reinterpret_cast<size_t>(values[i + 1]),
                 "line 3; fatal: parsing error near '%s'", wrong);
      }
    }
    return InvalidPtx;
  }
  auto *loaded = new Module();
  loaded->text = text;
  mock().live.insert(loaded);
  *module = loaded;
  return Success;
}

int cuModuleUnload(void *module) {
  MOCK_CALL("cuModuleUnload");
  MOCK_CHECK(mock().live.erase(module), InvalidHandle);
  delete static_cast<Module *>(module);
  return Success;
}

int cuModuleGetFunction(void **function, void *module, const char *name) {
  MOCK_CALL("cuModuleGetFunction");
  MOCK_CHECK(mock().live.count(module), InvalidHandle);
  auto *loaded = static_cast<Module *>(module);
  if (loaded->text.find(std::string(".entry ") + name + "(") ==
      std::string::npos) {
    return NotFound;
  }
  Kernel &kernel = loaded->kernels[name];
  kernel.name = name;
  *function = &kernel;
  return Success;
}

int cuFuncSetAttribute(void *function, int attribute, int value) {
  MOCK_CALL("cuFuncSetAttribute");
  MOCK_CHECK(attribute == 8 && value <= 232448, InvalidValue);
  static_cast<Kernel *>(function)->dynamicShared = value;
  note("cuFuncSetAttribute %d", value);
  return Success;
}

/// The one kernel that the mock knows: y[i] = x[i] + w[i % 4].
static void add(void **params) {
  auto *x = *static_cast<float **>(params[0]);
  auto *w = *static_cast<float **>(params[1]);
  auto *y = *static_cast<float **>(params[2]);
  int64_t n = *static_cast<int64_t *>(params[3]);
  for (int64_t i = 0; i < n; ++i) {
    y[i] = x[i] + w[i % 4];
  }
}

int cuLaunchKernel(void *function, unsigned gridX, unsigned gridY,
                   unsigned gridZ, unsigned blockX, unsigned blockY,
                   unsigned blockZ, unsigned shared, void *stream,
                   void **params, void **extra) {
  MOCK_CALL("cuLaunchKernel");
  auto &kernel = *static_cast<Kernel *>(function);
  MOCK_CHECK(gridX && gridY && gridZ && !extra, InvalidValue);
  MOCK_CHECK(blockX * blockY * blockZ <= 1024, InvalidValue);
  MOCK_CHECK(static_cast<int>(shared) <= kernel.dynamicShared, InvalidValue);
  note("cuLaunchKernel %s grid %u %u %u block %u %u %u shared %u",
       kernel.name.c_str(), gridX, gridY, gridZ, blockX, blockY, blockZ,
       shared);
  MOCK_CHECK(kernel.name == "add", InvalidValue);
  // The parameters are copied, as the driver does.
  auto *x = *static_cast<void **>(params[0]);
  auto *w = *static_cast<void **>(params[1]);
  auto *y = *static_cast<void **>(params[2]);
  int64_t n = *static_cast<int64_t *>(params[3]);
  return enqueue(stream, [x, w, y, n]() mutable {
    void *copies[] = {&x, &w, &y, &n};
    add(copies);
  });
}

int cuTensorMapEncodeTiled(void *map, int dtype, uint32_t rank, void *base,
                           const uint64_t *dims, const uint64_t *strides,
                           const uint32_t *box, const uint32_t *steps,
                           int interleave, int swizzle, int promotion,
                           int fill) {
  MOCK_CALL("cuTensorMapEncodeTiled");
  MOCK_CHECK(reinterpret_cast<uintptr_t>(map) % 64 == 0, InvalidValue);
  MOCK_CHECK(reinterpret_cast<uintptr_t>(base) % 16 == 0, InvalidValue);
  MOCK_CHECK(rank >= 1 && rank <= 5 && interleave == 0, InvalidValue);
  std::string line;
  for (uint32_t i = 0; i < rank; ++i) {
    MOCK_CHECK(dims[i] >= 1 && dims[i] <= (uint64_t(1) << 32), InvalidValue);
    MOCK_CHECK(box[i] >= 1 && box[i] <= 256 && steps[i] == 1, InvalidValue);
    MOCK_CHECK(i == 0 || strides[i - 1] % 16 == 0, InvalidValue);
    line += " " + std::to_string(dims[i]) + ":" + std::to_string(box[i]);
    line += i > 0 ? ":" + std::to_string(strides[i - 1]) : "";
  }
  note("cuTensorMapEncodeTiled type %d swizzle %d promotion %d fill %d%s",
       dtype, swizzle, promotion, fill, line.c_str());
  memset(map, 0, 128);
  memcpy(map, &base, sizeof(base));
  memcpy(static_cast<char *>(map) + 8, dims, rank * sizeof(uint64_t));
  return Success;
}
}
