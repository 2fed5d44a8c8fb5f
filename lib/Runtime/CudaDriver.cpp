//===- CudaDriver.cpp - the CUDA driver, opened at run time ---------------===//

#include "CudaDriver.h"
#include "fusion-c/Runtime.h"

#include <cstdlib>
#include <dlfcn.h>
#include <mutex>

using namespace mlir::fusion::runtime;

Outcome CudaDriver::open(const CudaDriver *&driver) {
  // Never destroyed: the driver may be called until the process ends.
  static CudaDriver *opened = nullptr;
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  if (!opened) {
    auto *candidate = new CudaDriver();
    Outcome outcome = candidate->load();
    if (outcome.failed()) {
      delete candidate;
      return outcome;
    }
    opened = candidate;
  }
  driver = opened;
  return Outcome::success();
}

using Lookup = void *(*)(const char *);

/// What the process gave to find entry points with; null: the library's.
static Lookup &getLookup() {
  static Lookup lookup = nullptr;
  return lookup;
}

void fusionUseCudaDriver(Lookup lookup) { getLookup() = lookup; }

template <typename LookupFn> void CudaDriver::resolve(LookupFn lookup) {
#define FUSION_CUDA_RESOLVE(name, symbol, ...)                                 \
  name.function =                                                              \
      reinterpret_cast<cuda::Result (*)(__VA_ARGS__)>(lookup(symbol));
  FUSION_CUDA_ENTRY_POINTS(FUSION_CUDA_RESOLVE)
#undef FUSION_CUDA_RESOLVE
}

Outcome CudaDriver::load() {
  if (Lookup lookup = getLookup()) {
    resolve(lookup);
    return call(init, 0u).within("cannot use the CUDA driver");
  }
  const char *path = secure_getenv("FUSION_CUDA_DRIVER");
  if (!path || !*path) {
    path = "libcuda.so.1";
  }
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    return Outcome::failure("cannot open the CUDA driver (is an NVIDIA driver "
                            "installed?): %s",
                            dlerror());
  }
  resolve([library](const char *symbol) { return dlsym(library, symbol); });
  // The library stays open where this fails: a driver may have made threads.
  return call(init, 0u).within("cannot use the CUDA driver");
}

Outcome CudaDriver::missing(const char *symbol) const {
  return Outcome::failure("expected a CUDA driver with %s, but this one is too "
                          "old for it",
                          symbol);
}

Outcome CudaDriver::failed(const char *symbol, cuda::Result result) const {
  const char *name = nullptr;
  const char *meaning = nullptr;
  if (getErrorName.function) {
    getErrorName.function(result, &name);
  }
  if (getErrorString.function) {
    getErrorString.function(result, &meaning);
  }
  return Outcome::failure("%s failed with %s (%d): %s", symbol,
                          name ? name : "an error", result,
                          meaning ? meaning : "no description");
}
