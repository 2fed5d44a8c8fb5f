//===- Emulator.h - GPU programs executed without a GPU ---------*- C++ -*-===//
//
// Executes kernels of stage 5 (docs/Emulator.md): threads in warps, shared
// memory as bytes, barriers, asynchronous copies and multiplies, with checkers
// that are always on.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_EMULATOR_EMULATOR_H
#define FUSION_EMULATOR_EMULATOR_H

#include "mlir/IR/Location.h"
#include "mlir/Support/LLVM.h"
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace mlir {
class Operation;
} // namespace mlir

namespace mlir::fusion::emulator {

/// One finding about a kernel.
struct Fault {
  /// What went wrong: "data race", "deadlock"...
  std::string kind;
  /// The finding with op, block, thread and address; no location.
  std::string message;
  Location location;
  /// How often the same op had the same kind of fault.
  int64_t count = 1;
};

/// What one launch did.
struct Counters {
  enum Class { Integer, Float, Control, Memory, Async, Matrix, Sync };
  static constexpr int numClasses = 7;

  int64_t threadInstructions = 0;
  int64_t warpInstructions[numClasses] = {};
  /// Bytes that threads and asynchronous copies moved.
  int64_t globalReadBytes = 0, globalWrittenBytes = 0;
  int64_t sharedReadBytes = 0, sharedWrittenBytes = 0;
  /// Accesses of a warp to global memory, and the 32-byte sectors they touch.
  int64_t globalRequests = 0, globalSectors = 0;
  /// Passes over the banks of shared memory, and those beyond the least number
  /// that the accesses' sizes need.
  int64_t sharedPasses = 0, bankConflicts = 0;

  void add(const Counters &other);
  void print(raw_ostream &os) const;
};

/// How to run.
struct Options {
  /// 0: blocks in order, warps in turn, asynchronous work as late as the
  /// program allows. Else random choices among what is permitted.
  uint64_t seed = 0;
  /// Ends a launch whose threads execute more instructions than this.
  int64_t maxThreadInstructions = int64_t(1) << 35;
};

/// The launch's dimensions.
struct LaunchShape {
  std::array<int64_t, 3> grid = {1, 1, 1};
  int64_t block = 32;
  int64_t sharedBytes = 0;
};

/// Global memory of the emulated GPU: ordinary memory of this process that
/// knows its arrays and which of their bytes were written.
class GlobalMemory {
public:
  GlobalMemory();
  ~GlobalMemory();

  /// An array of `bytes`, aligned to 256 bytes, that nothing has written.
  void *allocate(size_t bytes);
  /// Returns false where `pointer` is no array.
  bool release(void *pointer);
  /// Says that the host (or a copy) wrote these bytes. False outside arrays.
  bool markWritten(const void *pointer, size_t bytes);
  /// Whether all of these bytes were written.
  bool isWritten(const void *pointer, size_t bytes) const;
  /// Copies which bytes of `source` were written, with the bytes.
  bool copy(void *target, const void *source, size_t bytes);

  struct State;
  State &getState() { return *state; }

private:
  std::unique_ptr<State> state;
};

/// The kernels of a module, decoded. Keeps pointers to its operations for
/// reports: the module must outlive it.
class Image {
public:
  /// Decodes every `llvm.func` with `nvvm.kernel` under `root`. Null, with
  /// diagnostics, where an op is not known.
  static std::unique_ptr<Image> load(Operation *root);
  ~Image();

  struct Kernel;
  /// Null if there is no kernel of that name.
  const Kernel *find(StringRef name) const;
  /// Threads and bytes of shared memory that the kernel states, or 0.
  static int64_t getBlockSize(const Kernel &kernel);
  static int64_t getSharedBytes(const Kernel &kernel);
  static int64_t getNumParameters(const Kernel &kernel);

private:
  Image() = default;
  std::vector<std::unique_ptr<Kernel>> kernels;
};

/// What came of a launch: no faults, or some.
struct LaunchResult {
  std::vector<Fault> faults;
  Counters counters;

  /// All faults, a line each, with their locations.
  std::string describe() const;
};

/// Runs `kernel`. `parameters` points to one value for each parameter, as
/// cuLaunchKernel takes them: 128 bytes for a tensor map, else a scalar.
LaunchResult launch(const Image::Kernel &kernel, const LaunchShape &shape,
                    void *const *parameters, GlobalMemory &memory,
                    const Options &options = {});

/// What a bulk tensor copy knows about an array: the fields of
/// cuTensorMapEncodeTiled, innermost dim first.
struct TensorMapFields {
  uint64_t base = 0;
  uint32_t elementBytes = 0, rank = 0;
  /// 0, 32, 64 or 128.
  uint32_t swizzle = 0;
  uint64_t dims[5] = {};
  /// Bytes; of dims 1 and on.
  uint64_t strides[4] = {};
  uint32_t box[5] = {};
};

/// Writes the emulated form of a tensor map to the 128 bytes at `out`.
void encodeTensorMap(const TensorMapFields &fields, void *out);
/// Reads it back; false where the bytes are no such map.
bool decodeTensorMap(const void *map, TensorMapFields &fields);

} // namespace mlir::fusion::emulator

#endif // FUSION_EMULATOR_EMULATOR_H
