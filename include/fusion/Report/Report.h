//===- Report.h - what was fused, and why the rest was not ------*- C++ -*-===//

#ifndef FUSION_REPORT_REPORT_H
#define FUSION_REPORT_REPORT_H

#include "fusion/Analysis/FusionDecision.h"
#include "fusion/Cost/DeviceModel.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"
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
  double estimateBeforeUs = 0;    ///< of its ops one by one
  double bytesRead = 0;
  double bytesWritten = 0;
  double flops = 0; ///< 2 for each multiply-accumulate
  double estimateUs = 0;
  std::string bound; ///< what limits it, as the estimate sees it
  size_t kernel = 0; ///< equal for groups of equal code
  /// The function that the group was outlined to; see attachFunctions.
  std::string function;
  // What later stages know; absent until they fill it in.
  std::string schedule;
  std::optional<int64_t> registers;
  std::optional<int64_t> spillBytes;
  std::optional<int64_t> sharedBytes;
};

/// A pair of ops that the planner was asked about.
struct DecisionReport {
  std::string producer;
  std::string consumer;
  std::string reason; ///< why they stayed apart; empty where they did not
  /// What the cost model compared, where it decided.
  std::optional<FusionTimes> times;
};

/// An op of the graph, or an input or result of it.
struct NodeReport {
  std::string name;
  std::vector<std::string> otherNames; ///< tensors that the source node makes
  /// Where it is in MLIR that has no names: FILE:LINE, without folders.
  std::vector<std::string> places;
  /// matmul, conv, pool, reduction, elementwise, movement or other; input or
  /// result.
  std::string kind;
  int64_t group = -1; ///< position in `groups`; -1 for inputs and results
  /// What the kernel that it is in was called before it shared a launch.
  std::string kernel;
  std::string type; ///< of what it makes: 2x64xf32
  double flops = 0;
  double bytes = 0;      ///< read and written as a kernel of its own
  double estimateUs = 0; ///< as a kernel of its own
};

/// A tensor that flows from one node to another.
struct EdgeReport {
  size_t producer; ///< position in `nodes`
  size_t consumer;
  std::string type;
  double bytes;
  /// Why the two are in different groups, where the planner was asked; the
  /// times that it compared where it was, also for two in one group.
  std::string reason;
  std::optional<FusionTimes> times;
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
  double estimateBeforeUs = 0;
  double estimateAfterUs = 0;
  /// Sizes known only at run time count as 1 in all bytes and flops.
  bool hasDynamicSizes = false;
  std::vector<GroupReport> groups; ///< in the order of their launches
  std::vector<DecisionReport> notFused;
  std::vector<DecisionReport> fused;
  /// Inputs (weights are left out), ops in the order of their groups, results.
  std::vector<NodeReport> nodes;
  std::vector<EdgeReport> edges; ///< by consumer
};

/// Reports on `main`, which is in stage 3 as fusion-form-groups left it (not
/// yet through fusion-elide-roundings, which changes types inside of groups).
CompilationReport collectReport(func::FuncOp main, StringRef model,
                                const DeviceModel &device);

/// Names the function of each group of `report`, once `module` was outlined:
/// the n-th call of @main is the n-th group.
void attachFunctions(CompilationReport &report, ModuleOp module);

/// Returns a sentence for each thing that `report` has no reason for: a tensor
/// that one launch writes and another reads, launches that read one tensor or
/// could run at the same time and are apart, and launches without operations.
/// Empty for what collectReport() makes.
std::vector<std::string> findUnexplained(const CompilationReport &report);

/// Returns `report` as JSON with the keys model, target, launches_before,
/// launches_after, bytes_before, bytes_after, estimate_us_before,
/// estimate_us_after, note (where sizes are dynamic),
/// groups [name, kinds, ops, launches_before, launches, bytes_before,
/// bytes_read, bytes_written, flops, schedule, registers, spill_bytes,
/// shared_bytes, estimate_us_before, estimate_us, bound], fused and not_fused
/// [producer, consumer, reason (where not fused), fused_us, apart_us (where the
/// cost model was asked)]. What is not known is null.
std::string toJson(const CompilationReport &report);

/// Returns `report` as a page for a browser: one file that loads nothing. It
/// draws the groups as boxes with their ops and what flows between them.
std::string toHtml(const CompilationReport &report);

/// Says in a sentence or two why the ops that `producer` and `consumer` name
/// are or are not in one group, with the estimates where these decided. A name
/// is that of a source node, of a tensor that it makes or of a result of the
/// model, FILE:LINE where MLIR has no names, or a part of a name that no other
/// op has; what else it may mean is in the error.
llvm::Expected<std::string> explain(const CompilationReport &report,
                                    StringRef producer, StringRef consumer);

/// Prints `report` as a table for a terminal: each group with its kinds, ops
/// and bytes, then each pair that was not fused with the reason, and each that
/// was; with both estimates where the cost model was asked.
void printTable(const CompilationReport &report, raw_ostream &os);

} // namespace mlir::fusion

#endif // FUSION_REPORT_REPORT_H
