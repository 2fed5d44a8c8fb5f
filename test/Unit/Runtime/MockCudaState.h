//===- MockCudaState.h - what the mock driver remembers ---------*- C++ -*-===//

#ifndef FUSION_TEST_UNIT_RUNTIME_MOCKCUDASTATE_H
#define FUSION_TEST_UNIT_RUNTIME_MOCKCUDASTATE_H

#include "MockCuda.h"

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace mock_cuda {

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
  int numCapturing = 0; // streams that are captured
};

/// The state of the process.
Mock &mock();

/// The contexts that are current on this thread.
std::vector<void *> &getContexts();

/// Adds a line to the log, formatted as by printf.
void note(const char *pattern, ...) __attribute__((format(printf, 1, 2)));

/// Takes the planned failure of a call.
int planned(const char *call);

/// Whether `stream` is captured.
bool isCapturing(void *stream);

/// Runs the work, or keeps it for the graph that the stream is captured to.
int enqueue(void *stream, std::function<void()> work);

/// Begins a call that needs a current context.
#define MOCK_CALL(name)                                                        \
  std::lock_guard<std::recursive_mutex> lock(mock().mutex);                    \
  if (int code = planned(name)) {                                              \
    note("%s -> %d", name, code);                                              \
    return code;                                                               \
  }                                                                            \
  if (!mock().isInitialised || getContexts().empty()) {                        \
    note("%s without a context", name);                                        \
    return InvalidContext;                                                     \
  }

#define MOCK_CHECK(condition, code)                                            \
  if (!(condition)) {                                                          \
    note("refused: %s", #condition);                                           \
    return code;                                                               \
  }

} // namespace mock_cuda

#endif // FUSION_TEST_UNIT_RUNTIME_MOCKCUDASTATE_H
