//===- Bench.cpp - timing a program on its device ---------------*- C++ -*-===//

#include "fusion/Driver/Session.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLExtras.h"
#include <chrono>
#include <thread>

using namespace mlir;
using namespace mlir::fusion;

namespace {
/// Device memory, streams, events and graphs of one timing, freed with it. The
/// first failure is kept; later calls do nothing.
class Bench {
public:
  Bench(FusionContext *context, FusionModel *model)
      : context(context), model(model) {}
  ~Bench();

  void place(std::vector<FusionArray> &arrays, bool withData);
  void time(ArrayRef<FusionArray> inputs, ArrayRef<FusionArray> results,
            bool isCuda, int64_t runs, BenchResult &result);
  bool failed() const { return status != 0; }

private:
  bool ok(FusionStatus next) {
    status = status ? status : next;
    return status == 0;
  }
  void runOnce();
  double timeOnce();
  void capture(BenchResult &result);

  FusionContext *context;
  FusionModel *model;
  FusionStatus status = 0;
  ArrayRef<FusionArray> inputs, results;
  std::vector<void *> buffers;
  void *workspace = nullptr, *flushed = nullptr;
  void *stream = nullptr, *graph = nullptr, *start = nullptr, *stop = nullptr;
};
} // namespace

/// More than the L2 cache of any GPU: 50 MiB on Hopper, 126 MiB on Blackwell.
static constexpr int64_t flushBytes = int64_t(256) << 20;

Bench::~Bench() {
  for (void *buffer : buffers) {
    fusionFree(context, buffer);
  }
  if (graph) {
    fusionGraphDestroy(context, graph);
  }
  fusionEventDestroy(context, start);
  fusionEventDestroy(context, stop);
  if (stream) {
    fusionStreamDestroy(context, stream);
  }
}

/// Allocates device memory for `arrays` and points them at it.
void Bench::place(std::vector<FusionArray> &arrays, bool withData) {
  for (FusionArray &array : arrays) {
    int64_t bytes = fusionDTypeSize(array.dtype);
    for (int32_t i = 0; i < array.rank; ++i) {
      bytes *= array.dims[i];
    }
    void *buffer = nullptr;
    if (!ok(fusionAlloc(context, bytes, &buffer))) {
      return;
    }
    buffers.push_back(buffer);
    if (withData &&
        !ok(fusionCopyToDevice(context, buffer, array.data, bytes))) {
      return;
    }
    array.data = buffer;
  }
}

void Bench::runOnce() {
  ok(fusionModelRun(model, inputs.data(), int32_t(inputs.size()),
                    results.data(), int32_t(results.size()), workspace,
                    stream));
}

/// Records one run as a graph, which is then what is timed.
void Bench::capture(BenchResult &result) {
  void *buffer = nullptr;
  if (ok(fusionAlloc(context, flushBytes, &buffer))) {
    buffers.push_back(flushed = buffer);
  }
  if (failed() || !ok(fusionGraphBegin(context, stream))) {
    return;
  }
  runOnce();
  if (ok(fusionGraphEnd(context, stream, &graph))) {
    ok(fusionGraphNodeCount(context, graph, &result.launches));
  }
}

/// The milliseconds of one run, on a GPU with a cold L2 cache.
double Bench::timeOnce() {
  float elapsed = 0;
  if (flushed) {
    ok(fusionFill(context, flushed, 0, flushBytes, stream));
  }
  ok(fusionEventRecord(context, start, stream));
  if (graph) {
    ok(fusionGraphLaunch(context, graph, stream));
  } else {
    runOnce();
  }
  ok(fusionEventRecord(context, stop, stream));
  ok(fusionEventElapsedMs(context, start, stop, &elapsed));
  return elapsed;
}

void Bench::time(ArrayRef<FusionArray> inputs, ArrayRef<FusionArray> results,
                 bool isCuda, int64_t runs, BenchResult &result) {
  this->inputs = inputs;
  this->results = results;
  int64_t bytes = 0;
  if (!ok(fusionModelWorkspaceSize(model, inputs.data(), int32_t(inputs.size()),
                                   &bytes)) ||
      !ok(fusionStreamCreate(context, &stream)) ||
      !ok(fusionEventCreate(context, &start)) ||
      !ok(fusionEventCreate(context, &stop))) {
    return;
  }
  if (bytes && ok(fusionAlloc(context, bytes, &workspace))) {
    buffers.push_back(workspace);
  }
  // Loads modules, encodes tensor maps, starts threads: not to be timed.
  runOnce();
  if (isCuda && !failed()) {
    capture(result);
  }
  std::vector<double> times;
  int64_t warmUp = std::max<int64_t>(2, runs / 10);
  for (int64_t i = -warmUp; i < runs && !failed(); ++i) {
    // A GPU slows down under sustained work: short bursts, each from idle.
    if (isCuda && i >= 0 && i % std::max<int64_t>(runs / 5, 1) == 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    double elapsed = timeOnce();
    if (i >= 0) {
      times.push_back(elapsed);
    }
  }
  llvm::sort(times);
  if (!times.empty()) {
    result.runs = int64_t(times.size());
    result.median = times[times.size() / 2];
    result.least = times.front();
  }
}

llvm::Expected<BenchResult> Session::bench(std::vector<HostArray> &arrays,
                                           int64_t runs) {
  if (llvm::Error error = prepare(arrays)) {
    return error;
  }
  std::vector<FusionArray> inputs = getViews(arrays, FUSION_INPUT), outputs;
  llvm::Expected<std::vector<HostArray>> results = makeResults(arrays);
  if (!results) {
    return results.takeError();
  }
  for (HostArray &result : *results) {
    outputs.push_back(result.getView());
  }
  BenchResult timings;
  Bench bench(device->get(), model.get());
  bench.place(inputs, /*withData=*/true);
  bench.place(outputs, /*withData=*/false);
  if (!bench.failed()) {
    bench.time(inputs, outputs, getProgram().device == FUSION_CUDA, runs,
               timings);
  }
  return bench.failed() ? check(1) : llvm::Expected<BenchResult>(timings);
}
