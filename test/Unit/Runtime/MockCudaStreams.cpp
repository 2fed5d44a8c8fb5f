//===- MockCudaStreams.cpp - memory, streams and graphs of the mock -------===//

#include "MockCudaState.h"

#include <cstdlib>
#include <cstring>
#include <utility>

using namespace mock_cuda;

/// Of this thread: 2, relaxed, lets it do what a capture forbids.
static thread_local int captureMode = 0;

extern "C" {
//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

int cuMemAlloc_v2(uint64_t *pointer, size_t bytes) {
  MOCK_CALL("cuMemAlloc_v2");
  MOCK_CHECK(!mock().numCapturing || captureMode == 2, CaptureUnsupported);
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
  MOCK_CHECK(stream || !mock().numCapturing, CaptureUnsupported);
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
  MOCK_CHECK(stream ? !isCapturing(stream) : !mock().numCapturing,
             CaptureUnsupported);
  note("cuStreamSynchronize");
  return Success;
}

int cuStreamBeginCapture_v2(void *stream, int mode) {
  MOCK_CALL("cuStreamBeginCapture_v2");
  MOCK_CHECK(stream && mode == 1 && !isCapturing(stream), InvalidValue);
  static_cast<Stream *>(stream)->isCapturing = true;
  ++mock().numCapturing;
  return Success;
}

int cuStreamIsCapturing(void *stream, int *status) {
  MOCK_CALL("cuStreamIsCapturing");
  *status = isCapturing(stream);
  return Success;
}

int cuThreadExchangeStreamCaptureMode(int *mode) {
  std::swap(*mode, captureMode);
  return Success;
}

int cuStreamEndCapture(void *stream, void **graph) {
  MOCK_CALL("cuStreamEndCapture");
  MOCK_CHECK(isCapturing(stream), InvalidValue);
  auto *source = static_cast<Stream *>(stream);
  auto *recorded = new Graph();
  recorded->nodes.swap(source->captured);
  source->isCapturing = false;
  --mock().numCapturing;
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
