//===- MockCuda.cpp - a CUDA driver without a GPU -------------------------===//

#include "MockCuda.h"

#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace {
enum Code {
  Success = 0,
  InvalidValue = 1,
  OutOfMemory = 2,
  InvalidContext = 201,
  InvalidPtx = 218,
  InvalidHandle = 400,
  NotFound = 500,
  IllegalAddress = 700,
  CaptureUnsupported = 900
};

struct Kernel {
  std::string name;
  int dynamicShared = 48 * 1024;
};

struct Module {
  std::map<std::string, Kernel> kernels;
  std::string text;
};

struct Stream {
  bool isCapturing = false;
  std::vector<std::function<void()>> captured;
};

struct Graph {
  std::vector<std::function<void()>> nodes;
};

/// All state; calls are made one at a time.
struct Mock {
  std::recursive_mutex mutex;
  std::string log, logCopy;
  std::map<std::string, int> failures;
  std::set<void *> live;
  bool isInitialised = false;
  int retained = 0;
};
} // namespace

static Mock &mock() {
  static Mock *state = new Mock();
  return *state;
}

static thread_local std::vector<void *> contexts;
static int primaryContext;

static void note(const char *pattern, ...) {
  char line[512];
  va_list arguments;
  va_start(arguments, pattern);
  vsnprintf(line, sizeof(line), pattern, arguments);
  va_end(arguments);
  mock().log += line;
  mock().log += '\n';
}

/// Takes the planned failure of a call.
static int planned(const char *call) {
  auto found = mock().failures.find(call);
  if (found == mock().failures.end()) {
    return Success;
  }
  int code = found->second;
  mock().failures.erase(found);
  return code;
}

/// Whether any stream is captured: what then may not be called, checks it.
static bool isCapturing(void *stream) {
  return stream && static_cast<Stream *>(stream)->isCapturing;
}

static int capturing = 0;

/// Begins a call that needs a current context.
#define MOCK_CALL(name)                                                        \
  std::lock_guard<std::recursive_mutex> lock(mock().mutex);                    \
  if (int code = planned(name)) {                                              \
    note("%s -> %d", name, code);                                              \
    return code;                                                               \
  }                                                                            \
  if (!mock().isInitialised || contexts.empty()) {                             \
    note("%s without a context", name);                                        \
    return InvalidContext;                                                     \
  }

#define MOCK_CHECK(condition, code)                                            \
  if (!(condition)) {                                                          \
    note("refused: %s", #condition);                                           \
    return code;                                                               \
  }

/// Runs the work, or keeps it for the graph that the stream is captured to.
static int enqueue(void *stream, std::function<void()> work) {
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
int mockDepth() { return static_cast<int>(contexts.size()); }

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
  contexts.push_back(context);
  return Success;
}

int cuCtxPopCurrent_v2(void **context) {
  MOCK_CHECK(!contexts.empty(), InvalidContext);
  *context = contexts.back();
  contexts.pop_back();
  return Success;
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

int cuModuleLoadDataEx(void **module, const void *image, unsigned count,
                       const int *options, void **values) {
  MOCK_CALL("cuModuleLoadDataEx");
  MOCK_CHECK(!capturing, CaptureUnsupported);
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

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

int cuMemAlloc_v2(uint64_t *pointer, size_t bytes) {
  MOCK_CALL("cuMemAlloc_v2");
  MOCK_CHECK(!capturing, CaptureUnsupported);
  MOCK_CHECK(bytes > 0, InvalidValue);
  void *allocated = bytes > (size_t(1) << 40)
                        ? nullptr
                        : aligned_alloc(256, (bytes + 255) / 256 * 256);
  if (!allocated) {
    return OutOfMemory;
  }
  mock().live.insert(allocated);
  *pointer = reinterpret_cast<uint64_t>(allocated);
  return Success;
}

int cuMemFree_v2(uint64_t pointer) {
  MOCK_CALL("cuMemFree_v2");
  auto *allocated = reinterpret_cast<void *>(pointer);
  MOCK_CHECK(mock().live.erase(allocated), InvalidValue);
  free(allocated);
  return Success;
}

static int copy(const char *call, void *dst, const void *src, size_t bytes,
                void *stream) {
  MOCK_CALL(call);
  // The null stream waits for the others, which a capture forbids.
  MOCK_CHECK(stream || !capturing, CaptureUnsupported);
  note("%s %zu", call, bytes);
  return enqueue(stream, [=] { memcpy(dst, src, bytes); });
}

int cuMemcpyHtoDAsync_v2(uint64_t dst, const void *src, size_t bytes,
                         void *stream) {
  return copy("cuMemcpyHtoDAsync_v2", reinterpret_cast<void *>(dst), src, bytes,
              stream);
}

int cuMemcpyDtoHAsync_v2(void *dst, uint64_t src, size_t bytes, void *stream) {
  return copy("cuMemcpyDtoHAsync_v2", dst, reinterpret_cast<void *>(src), bytes,
              stream);
}

int cuMemcpyDtoDAsync_v2(uint64_t dst, uint64_t src, size_t bytes,
                         void *stream) {
  return copy("cuMemcpyDtoDAsync_v2", reinterpret_cast<void *>(dst),
              reinterpret_cast<void *>(src), bytes, stream);
}

int cuMemsetD8Async(uint64_t dst, unsigned char value, size_t bytes,
                    void *stream) {
  MOCK_CALL("cuMemsetD8Async");
  note("cuMemsetD8Async %d %zu", value, bytes);
  auto *target = reinterpret_cast<void *>(dst);
  return enqueue(stream, [=] { memset(target, value, bytes); });
}

//===----------------------------------------------------------------------===//
// Streams, events, graphs
//===----------------------------------------------------------------------===//

int cuStreamCreate(void **stream, unsigned flags) {
  MOCK_CALL("cuStreamCreate");
  note("cuStreamCreate %u", flags);
  *stream = new Stream();
  mock().live.insert(*stream);
  return Success;
}

int cuStreamDestroy_v2(void *stream) {
  MOCK_CALL("cuStreamDestroy_v2");
  MOCK_CHECK(mock().live.erase(stream), InvalidHandle);
  delete static_cast<Stream *>(stream);
  return Success;
}

int cuStreamSynchronize(void *stream) {
  MOCK_CALL("cuStreamSynchronize");
  MOCK_CHECK(!capturing, CaptureUnsupported);
  note("cuStreamSynchronize");
  return Success;
}

int cuStreamBeginCapture_v2(void *stream, int mode) {
  MOCK_CALL("cuStreamBeginCapture_v2");
  MOCK_CHECK(stream && mode == 1 && !isCapturing(stream), InvalidValue);
  static_cast<Stream *>(stream)->isCapturing = true;
  ++capturing;
  return Success;
}

int cuStreamEndCapture(void *stream, void **graph) {
  MOCK_CALL("cuStreamEndCapture");
  MOCK_CHECK(isCapturing(stream), InvalidValue);
  auto *source = static_cast<Stream *>(stream);
  auto *recorded = new Graph();
  recorded->nodes.swap(source->captured);
  source->isCapturing = false;
  --capturing;
  mock().live.insert(recorded);
  *graph = recorded;
  return Success;
}

int cuGraphInstantiateWithFlags(void **executable, void *graph,
                                unsigned long long flags) {
  MOCK_CALL("cuGraphInstantiateWithFlags");
  MOCK_CHECK(mock().live.count(graph) && flags == 0, InvalidHandle);
  *executable = new Graph(*static_cast<Graph *>(graph));
  mock().live.insert(*executable);
  return Success;
}

int cuGraphLaunch(void *executable, void *stream) {
  MOCK_CALL("cuGraphLaunch");
  MOCK_CHECK(mock().live.count(executable), InvalidHandle);
  for (const std::function<void()> &node :
       static_cast<Graph *>(executable)->nodes) {
    node();
  }
  return Success;
}

static int destroyGraph(const char *call, void *graph) {
  MOCK_CALL(call);
  MOCK_CHECK(mock().live.erase(graph), InvalidHandle);
  delete static_cast<Graph *>(graph);
  return Success;
}

int cuGraphDestroy(void *graph) {
  return destroyGraph("cuGraphDestroy", graph);
}

int cuGraphExecDestroy(void *graph) {
  return destroyGraph("cuGraphExecDestroy", graph);
}

int cuEventCreate(void **event, unsigned flags) {
  MOCK_CALL("cuEventCreate");
  MOCK_CHECK(flags == 0, InvalidValue);
  *event = new int64_t(0);
  mock().live.insert(*event);
  return Success;
}

int cuEventDestroy_v2(void *event) {
  MOCK_CALL("cuEventDestroy_v2");
  MOCK_CHECK(mock().live.erase(event), InvalidHandle);
  delete static_cast<int64_t *>(event);
  return Success;
}

int cuEventRecord(void *event, void *stream) {
  MOCK_CALL("cuEventRecord");
  MOCK_CHECK(mock().live.count(event), InvalidHandle);
  static int64_t time = 0;
  *static_cast<int64_t *>(event) = ++time;
  return Success;
}

int cuEventSynchronize(void *event) {
  MOCK_CALL("cuEventSynchronize");
  MOCK_CHECK(*static_cast<int64_t *>(event) > 0, InvalidHandle);
  return Success;
}

int cuEventElapsedTime(float *milliseconds, void *start, void *end) {
  MOCK_CALL("cuEventElapsedTime");
  *milliseconds = static_cast<float>(*static_cast<int64_t *>(end) -
                                     *static_cast<int64_t *>(start));
  return Success;
}

// cuFuncLoad and cuGraphGetNodes are missing, as from an old driver.
}
