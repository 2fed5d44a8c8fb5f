//===- ParameterTable.cpp - kernel parameters in memory -------------------===//

#include "ParameterTable.h"
#include "Context.h"
#include "CudaDevice.h"
#include "Module.h"

#include <algorithm>

using namespace mlir::fusion::runtime;

/// What one copy from memory of the host may be so that the call returns when
/// its source is read, and waits for nothing (CUDA programming guide,
/// "Concurrent Execution between Host and Device").
static constexpr int64_t mostCopied = 64 * 1024;

/// FNV-1a over the entries.
static uint64_t hash(const int64_t *entries, int64_t count) {
  uint64_t value = 14695981039346656037ull;
  for (int64_t i = 0; i < count; ++i) {
    value = (value ^ static_cast<uint64_t>(entries[i])) * 1099511628211ull;
    value ^= value >> 32;
  }
  return value;
}

static Outcome copyEntries(const CudaDriver &driver, void *target,
                           const int64_t *entries, int64_t count,
                           void *stream) {
  int64_t bytes = count * static_cast<int64_t>(sizeof(int64_t));
  for (int64_t begin = 0; begin < bytes; begin += mostCopied) {
    Outcome outcome = driver.call(
        driver.copyHostToDevice,
        reinterpret_cast<cuda::Pointer>(static_cast<char *>(target) + begin),
        static_cast<const void *>(reinterpret_cast<const char *>(entries) +
                                  begin),
        static_cast<size_t>(std::min(mostCopied, bytes - begin)),
        static_cast<cuda::Stream>(stream));
    if (outcome.failed()) {
      return outcome;
    }
  }
  return Outcome::success();
}

namespace {
/// Lets this thread allocate while it, or another, records a graph: nothing of
/// what it does meanwhile is on a stream that is recorded.
class RelaxedCapture {
public:
  explicit RelaxedCapture(const CudaDriver &driver) : driver(driver) {
    exchange();
  }
  ~RelaxedCapture() { exchange(); }
  RelaxedCapture(const RelaxedCapture &) = delete;
  RelaxedCapture &operator=(const RelaxedCapture &) = delete;

private:
  void exchange() {
    if (driver.exchangeCaptureMode.function) {
      (void)driver.call(driver.exchangeCaptureMode, &mode);
    }
  }

  const CudaDriver &driver;
  int mode = cuda::CaptureRelaxed;
};
} // namespace

/// Whether what is enqueued on `stream` is recorded. A driver that cannot tell
/// records nothing.
static Outcome findWhetherRecorded(const CudaDriver &driver, void *stream,
                                   bool &recorded) {
  int status = 0;
  recorded = false;
  if (!stream || !driver.streamIsCapturing.function) {
    return Outcome::success();
  }
  Outcome outcome = driver.call(driver.streamIsCapturing,
                                static_cast<cuda::Stream>(stream), &status);
  recorded = status != 0;
  return outcome;
}

ParameterTables::~ParameterTables() { device.destroyStream(copies); }

/// Keeps `table`: allocates its memory and fills it at once, past the stream of
/// the run.
Outcome ParameterTables::keep(Table table, void **kept) {
  const CudaDriver &driver = device.getDriver();
  RelaxedCapture relaxed(driver);
  auto count = static_cast<int64_t>(table.entries.size());
  Outcome outcome = copies ? Outcome::success() : device.createStream(&copies);
  if (!outcome.failed()) {
    outcome = Buffer::create(
        device, count * static_cast<int64_t>(sizeof(int64_t)), table.memory);
  }
  if (!outcome.failed()) {
    outcome = copyEntries(driver, table.memory.get(), table.entries.data(),
                          count, copies);
  }
  if (!outcome.failed()) {
    outcome = device.synchronize(copies);
  }
  if (!outcome.failed()) {
    *kept = table.memory.get();
    tables.push_back(std::move(table));
  }
  return outcome;
}

Outcome ParameterTables::get(const int64_t *entries, int64_t count,
                             void *memory, void *stream, void **table) {
  uint64_t wanted = hash(entries, count);
  const int64_t *end = entries + count;
  std::lock_guard<std::mutex> lock(mutex);
  for (const Table &known : tables) {
    if (known.hash == wanted &&
        std::equal(entries, end, known.entries.begin(), known.entries.end())) {
      *table = known.memory.get();
      return Outcome::success();
    }
  }
  bool recorded = false;
  Outcome outcome = findWhetherRecorded(device.getDriver(), stream, recorded);
  if (outcome.failed()) {
    return outcome;
  }
  if (recorded || tables.size() < mostKept) {
    return keep({wanted, {entries, end}, {}}, table);
  }
  *table = memory;
  return copyEntries(device.getDriver(), memory, entries, count, stream);
}

int32_t fusionRtParameterTable(FusionContext *context, const int64_t *entries,
                               int64_t count, void *memory, void *stream,
                               void **table) {
  if (!context->module) {
    return context->report(Outcome::failure(
        "expected the context that a program's run was given, but this one has "
        "no kernels"));
  }
  return context->report(
      context->module->getTable(entries, count, memory, stream, table)
          .within("parameter table"));
}
