//===- Report.h - what was fused, and why the rest was not ------*- C++ -*-===//

#ifndef FUSION_REPORT_REPORT_H
#define FUSION_REPORT_REPORT_H

#include "fusion/Cost/DeviceModel.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include <optional>
#include <string>

namespace mlir::fusion {

/// One group: one launch.
struct GroupReport {
  std::string name;
  std::vector<std::string> kinds; ///< vertical, horizontal, conditional
  std::vector<std::string> ops;   ///< names of the source nodes
  int64_t launchesBefore = 0;     ///< of its ops one by one
  double bytesBefore = 0;         ///< read and written by its ops one by one
  double bytesRead = 0;
  double bytesWritten = 0;
  double flops = 0; ///< 2 for each multiply-accumulate
  double estimateUs = 0;
  std::string bound; ///< what limits it, as the estimate sees it
  /// The function that the group was outlined to; see attachFunctions.
  std::string function;
  // What later stages know; absent until they fill it in.
  std::string schedule;
  std::optional<int64_t> registers;
  std::optional<int64_t> spillBytes;
  std::optional<int64_t> sharedBytes;
};

/// A pair of ops that stayed apart.
struct NotFusedReport {
  std::string producer;
  std::string consumer;
  std::string reason;
};

/// The report of one compilation. Renaming reshapes cost nothing and are not
/// in it; `prepare` is not counted.
struct CompilationReport {
  std::string model;
  std::string target;
  int64_t launchesBefore = 0; ///< one per graph op
  int64_t launchesAfter = 0;
  double bytesBefore = 0;
  double bytesAfter = 0;
  /// Sizes known only at run time count as 1 in all bytes and flops.
  bool hasDynamicSizes = false;
  std::vector<GroupReport> groups; ///< in the order of their launches
  std::vector<NotFusedReport> notFused;
};

/// Reports on `main`, which is in stage 3 as fusion-form-groups left it (not
/// yet through fusion-elide-roundings, which changes types inside of groups).
CompilationReport collectReport(func::FuncOp main, StringRef model,
                                const DeviceModel &device);

/// Names the function of each group of `report`, once `module` was outlined:
/// the n-th call of @main is the n-th group.
void attachFunctions(CompilationReport &report, ModuleOp module);

/// Returns `report` as JSON with the keys model, target, launches_before,
/// launches_after, bytes_before, bytes_after, note (where sizes are dynamic),
/// groups [name, kinds, ops, launches_before, launches, bytes_before,
/// bytes_read, bytes_written, flops, schedule, registers, spill_bytes,
/// shared_bytes, estimate_us, bound] and not_fused [producer, consumer,
/// reason]. What is not known is null.
std::string toJson(const CompilationReport &report);

/// Prints `report` as a table for a terminal: each group with its kinds, ops
/// and bytes, then each pair that was not fused with the reason.
void printTable(const CompilationReport &report, raw_ostream &os);

} // namespace mlir::fusion

#endif // FUSION_REPORT_REPORT_H
