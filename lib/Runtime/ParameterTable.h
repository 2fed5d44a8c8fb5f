//===- ParameterTable.h - kernel parameters in memory -----------*- C++ -*-===//

#ifndef FUSION_LIB_RUNTIME_PARAMETERTABLE_H
#define FUSION_LIB_RUNTIME_PARAMETERTABLE_H

#include "Device.h"

#include <mutex>
#include <vector>

namespace mlir::fusion::runtime {

class CudaDevice;

/// The parameter tables of a program's launches. The first ones are kept as
/// long as the program, so that one that runs again on the same buffers copies
/// nothing; those of runs that are recorded are kept always, since a graph is
/// launched after the run is over. Thread-safe.
class ParameterTables {
public:
  explicit ParameterTables(CudaDevice &device) : device(device) {}
  ~ParameterTables();
  ParameterTables(const ParameterTables &) = delete;
  ParameterTables &operator=(const ParameterTables &) = delete;

  /// Points `table` at the `count` entries on the device: at a table that is
  /// kept, or at `memory`, where a copy is enqueued on `stream`. The device is
  /// current. See fusionRtParameterTable.
  Outcome get(const int64_t *entries, int64_t count, void *memory, void *stream,
              void **table);

private:
  struct Table {
    uint64_t hash = 0;
    std::vector<int64_t> entries;
    Buffer memory;
  };

  Outcome keep(Table table, void **kept);

  /// Tables that are kept for runs that no graph records: enough for a program
  /// of several launches whose caller alternates between a few sets of buffers.
  static constexpr size_t mostKept = 64;

  CudaDevice &device;
  std::mutex mutex;
  std::vector<Table> tables;
  void *copies = nullptr; /// the stream that fills tables that are kept
};

} // namespace mlir::fusion::runtime

#endif // FUSION_LIB_RUNTIME_PARAMETERTABLE_H
