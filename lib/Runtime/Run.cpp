//===- Run.cpp - running a program ----------------------------------------===//

#include "Model.h"

#include <cstdint>

using namespace mlir::fusion::runtime;

/// What the pointers that a program is given are aligned to.
static constexpr uintptr_t arrayAlignment = 16;
static constexpr uintptr_t workspaceAlignment = 256;

static bool isAligned(const void *pointer, uintptr_t alignment) {
  return reinterpret_cast<uintptr_t>(pointer) % alignment == 0;
}

namespace {
/// The bytes that an argument of a run covers.
struct Range {
  int32_t argument; /// its number, -1 for the workspace
  bool isWritten;
  const char *begin;
  int64_t bytes;

  bool overlaps(const Range &other) const {
    return bytes > 0 && other.bytes > 0 && begin < other.begin + other.bytes &&
           other.begin < begin + bytes;
  }
};

/// What a run fills in; kept per thread, so that later runs allocate nothing.
struct Frame {
  Binding binding;
  std::vector<void *> pointers;
  std::vector<Range> ranges;

  static Frame &get() {
    static thread_local Frame frame;
    return frame;
  }
};
} // namespace

Outcome FusionModel::bind(const FusionArray *inputs, int32_t count,
                          Binding &binding) const {
  if (!isPrepared) {
    return Outcome::failure("expected the weights of fusionModelPrepare first");
  }
  binding.dims.assign(prepared.dims.begin(), prepared.dims.end());
  binding.symbols.assign(prepared.symbols.begin(), prepared.symbols.end());
  binding.resultDims.assign(prepared.resultDims.begin(),
                            prepared.resultDims.end());
  Outcome outcome = signature.bind(FUSION_INPUT, inputs, count, binding);
  return outcome.failed() ? outcome : signature.inferResults(binding);
}

Outcome FusionModel::getWorkspaceSize(const Binding &binding,
                                      int64_t &bytes) const {
  bytes = program->workspace_size(binding.dims.data());
  if (bytes < 0) {
    return Outcome::failure("expected the program to tell the size of its "
                            "workspace, but got %lld",
                            static_cast<long long>(bytes));
  }
  return Outcome::success();
}

/// Checks the pointers of the arrays of a role, and adds them to the frame.
static Outcome placeArrays(const Signature &signature, FusionRole role,
                           const FusionArray *arrays, Frame &frame) {
  const std::vector<int32_t> &numbers = signature.getArguments(role);
  for (size_t i = 0; i < numbers.size(); ++i) {
    int64_t bytes = 0;
    Outcome outcome = checkData(arrays[i], bytes);
    if (!outcome.failed() && bytes > 0 &&
        !isAligned(arrays[i].data, arrayAlignment)) {
      outcome =
          Outcome::failure("expected data aligned to %d bytes, but got "
                           "%p",
                           static_cast<int>(arrayAlignment), arrays[i].data);
    }
    if (outcome.failed()) {
      return std::move(outcome).within(signature.describe(numbers[i]));
    }
    frame.pointers[numbers[i]] = arrays[i].data;
    frame.ranges.push_back({numbers[i], role == FUSION_RESULT,
                            static_cast<const char *>(arrays[i].data), bytes});
  }
  return Outcome::success();
}

static Outcome placeWorkspace(void *workspace, int64_t bytes, Frame &frame) {
  if (bytes > 0 && (!workspace || !isAligned(workspace, workspaceAlignment))) {
    return Outcome::failure("expected a workspace of %lld bytes aligned to %d, "
                            "but got %p",
                            static_cast<long long>(bytes),
                            static_cast<int>(workspaceAlignment), workspace);
  }
  frame.ranges.push_back(
      {-1, true, static_cast<const char *>(workspace), bytes});
  return Outcome::success();
}

/// Checks that nothing overlaps what is written.
static Outcome checkOverlaps(const Signature &signature,
                             const std::vector<Range> &ranges) {
  auto describe = [&](const Range &range) {
    return range.argument < 0 ? "the workspace"
                              : signature.describe(range.argument);
  };
  for (size_t i = 0; i < ranges.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      const Range &one = ranges[j], &other = ranges[i];
      if ((one.isWritten || other.isWritten) && one.overlaps(other)) {
        return Outcome::failure("%s: expected memory of its own, but it "
                                "overlaps %s",
                                describe(one).c_str(), describe(other).c_str());
      }
    }
  }
  return Outcome::success();
}

/// Calls the program. The runtime calls that it makes note their failures.
static Outcome enter(const FusionProgram &program, FusionContext &context,
                     const Frame &frame, void *workspace, void *stream) {
  DeviceScope scope(*context.device);
  if (scope.getOutcome().failed()) {
    return scope.getOutcome();
  }
  setThreadError("");
  int32_t status = program.run(&context, frame.pointers.data(),
                               frame.binding.dims.data(), workspace, stream);
  if (status == 0) {
    return Outcome::success();
  }
  const std::string &reason = getThreadError();
  return reason.empty()
             ? Outcome::failure("the program failed with status %d", status)
             : Outcome::failure("%s", reason.c_str());
}

Outcome FusionModel::run(const FusionArray *inputs, int32_t numInputs,
                         const FusionArray *results, int32_t numResults,
                         void *workspace, void *stream) {
  Frame &frame = Frame::get();
  int64_t bytes = 0;
  Outcome outcome = bind(inputs, numInputs, frame.binding);
  if (!outcome.failed()) {
    outcome = signature.checkResults(results, numResults, frame.binding);
  }
  if (!outcome.failed()) {
    outcome = getWorkspaceSize(frame.binding, bytes);
  }
  frame.pointers.assign(pointers.begin(), pointers.end());
  frame.ranges.clear();
  if (!outcome.failed()) {
    outcome = placeArrays(signature, FUSION_INPUT, inputs, frame);
  }
  if (!outcome.failed()) {
    outcome = placeArrays(signature, FUSION_RESULT, results, frame);
  }
  if (!outcome.failed()) {
    outcome = placeWorkspace(workspace, bytes, frame);
  }
  if (!outcome.failed()) {
    outcome = checkOverlaps(signature, frame.ranges);
  }
  return outcome.failed() ? outcome
                          : enter(*program, context, frame, workspace, stream);
}

namespace {
/// Device copies of host arrays.
struct Staging {
  std::vector<Buffer> buffers;
  std::vector<FusionArray> arrays;

  Outcome add(Device &device, const FusionArray &host, bool copies) {
    int64_t bytes = 0;
    Outcome outcome = checkData(host, bytes);
    Buffer buffer;
    if (!outcome.failed()) {
      outcome = Buffer::create(device, bytes, buffer);
    }
    if (!outcome.failed() && copies) {
      outcome = device.copyToDevice(buffer.get(), host.data, bytes);
    }
    arrays.push_back({buffer.get(), host.dtype, host.rank, host.dims});
    buffers.push_back(std::move(buffer));
    return outcome;
  }
};

/// A stream that is destroyed with its scope.
struct ScopedStream {
  explicit ScopedStream(Device &device) : device(device) {}
  ~ScopedStream() { device.destroyStream(handle); }

  Device &device;
  void *handle = nullptr;
};
} // namespace

Outcome FusionModel::runHost(const FusionArray *inputs, int32_t numInputs,
                             const FusionArray *results, int32_t numResults) {
  Device &device = *context.device;
  Binding binding;
  Outcome outcome = bind(inputs, numInputs, binding);
  if (!outcome.failed()) {
    outcome = signature.checkResults(results, numResults, binding);
  }
  Staging in, out;
  for (int32_t i = 0; i < numInputs && !outcome.failed(); ++i) {
    outcome = in.add(device, inputs[i], /*copies=*/true);
  }
  for (int32_t i = 0; i < numResults && !outcome.failed(); ++i) {
    outcome = out.add(device, results[i], /*copies=*/false);
  }
  Buffer workspace;
  if (!outcome.failed()) {
    int64_t bytes = 0;
    outcome = getWorkspaceSize(binding, bytes);
    if (!outcome.failed()) {
      outcome = Buffer::create(device, bytes, workspace);
    }
  }
  ScopedStream stream(device);
  if (!outcome.failed()) {
    outcome = device.createStream(&stream.handle);
  }
  if (!outcome.failed()) {
    outcome = run(in.arrays.data(), numInputs, out.arrays.data(), numResults,
                  workspace.get(), stream.handle);
  }
  if (!outcome.failed()) {
    outcome = device.synchronize(stream.handle);
  }
  for (int32_t i = 0; i < numResults && !outcome.failed(); ++i) {
    int64_t bytes = 0;
    outcome = getByteSize(results[i], bytes);
    if (!outcome.failed()) {
      outcome = device.copyToHost(results[i].data, out.arrays[i].data, bytes);
    }
  }
  return outcome;
}
