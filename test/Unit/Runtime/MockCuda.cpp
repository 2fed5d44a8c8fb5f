//===- MockCuda.cpp - a CUDA driver without a GPU -------------------------===//

#include "MockCudaState.h"

#include <cstdarg>
#include <cstdio>

using namespace mock_cuda;

static int primaryContext;

Mock &mock_cuda::mock() {
  static Mock *state = new Mock();
  return *state;
}

std::vector<void *> &mock_cuda::getContexts() {
  static thread_local std::vector<void *> contexts;
  return contexts;
}

void mock_cuda::note(const char *pattern, ...) {
  char line[512];
  va_list arguments;
  va_start(arguments, pattern);
  vsnprintf(line, sizeof(line), pattern, arguments);
  va_end(arguments);
  mock().log += line;
  mock().log += '\n';
}

int mock_cuda::planned(const char *call) {
  auto found = mock().failures.find(call);
  if (found == mock().failures.end()) {
    return Success;
  }
  int code = found->second;
  mock().failures.erase(found);
  return code;
}

bool mock_cuda::isCapturing(void *stream) {
  return stream && static_cast<Stream *>(stream)->isCapturing;
}

int mock_cuda::enqueue(void *stream, std::function<void()> work) {
  MOCK_CHECK(!stream || mock().live.count(stream), InvalidHandle);
  if (isCapturing(stream)) {
    static_cast<Stream *>(stream)->captured.push_back(std::move(work));
  } else {
    work();
  }
  return Success;
}

extern "C" {
//===----------------------------------------------------------------------===//
// For the tests
//===----------------------------------------------------------------------===//

void mockReset() {
  mock().log.clear();
  mock().failures.clear();
}

const char *mockLog() {
  mock().logCopy = mock().log;
  return mock().logCopy.c_str();
}

void mockFail(const char *call, int code) { mock().failures[call] = code; }
int mockLive() { return static_cast<int>(mock().live.size()); }
int mockDepth() { return static_cast<int>(getContexts().size()); }

//===----------------------------------------------------------------------===//
// Driver, device, context
//===----------------------------------------------------------------------===//

int cuInit(unsigned flags) {
  mock().isInitialised = flags == 0;
  return planned("cuInit");
}

int cuDriverGetVersion(int *version) {
  *version = 12040;
  return Success;
}

int cuGetErrorName(int code, const char **name) {
  *name = code == OutOfMemory      ? "CUDA_ERROR_OUT_OF_MEMORY"
          : code == IllegalAddress ? "CUDA_ERROR_ILLEGAL_ADDRESS"
          : code == InvalidPtx     ? "CUDA_ERROR_INVALID_PTX"
          : code == NotFound       ? "CUDA_ERROR_NOT_FOUND"
                                   : nullptr;
  return *name ? Success : InvalidValue;
}

int cuGetErrorString(int code, const char **meaning) {
  *meaning = code == OutOfMemory      ? "out of memory"
             : code == IllegalAddress ? "an illegal memory access"
             : code == InvalidPtx     ? "a PTX JIT compilation failed"
             : code == NotFound       ? "named symbol not found"
                                      : nullptr;
  return *meaning ? Success : InvalidValue;
}

int cuDeviceGetCount(int *count) {
  *count = 1;
  return mock().isInitialised ? Success : InvalidContext;
}

int cuDeviceGet(int *device, int ordinal) {
  *device = 0;
  return ordinal == 0 ? Success : InvalidValue;
}

int cuDeviceGetName(char *name, int size, int) {
  snprintf(name, static_cast<size_t>(size), "Mock GPU");
  return Success;
}

int cuDeviceGetAttribute(int *value, int attribute, int) {
  static const std::map<int, int> values = {
      {1, 1024},  {13, 1980000},  {16, 132},   {36, 3201000},
      {37, 6144}, {38, 62914560}, {39, 2048},  {75, 9},
      {76, 0},    {81, 233472},   {82, 65536}, {97, 232448}};
  auto found = values.find(attribute);
  if (found == values.end()) {
    return InvalidValue;
  }
  *value = found->second;
  return Success;
}

int cuDeviceTotalMem_v2(size_t *bytes, int) {
  *bytes = size_t(139) << 30;
  return Success;
}

int cuDevicePrimaryCtxRetain(void **context, int) {
  *context = &primaryContext;
  ++mock().retained;
  mock().live.insert(&primaryContext);
  return Success;
}

int cuDevicePrimaryCtxRelease_v2(int) {
  MOCK_CHECK(mock().retained > 0, InvalidContext);
  if (--mock().retained == 0) {
    mock().live.erase(&primaryContext);
  }
  return Success;
}

int cuCtxPushCurrent_v2(void *context) {
  MOCK_CHECK(context == &primaryContext && mock().retained, InvalidContext);
  getContexts().push_back(context);
  return Success;
}

int cuCtxPopCurrent_v2(void **context) {
  MOCK_CHECK(!getContexts().empty(), InvalidContext);
  *context = getContexts().back();
  getContexts().pop_back();
  return Success;
}
}
