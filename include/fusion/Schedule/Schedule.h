//===- Schedule.h - how a group becomes a kernel ----------------*- C++ -*-===//

#ifndef FUSION_SCHEDULE_SCHEDULE_H
#define FUSION_SCHEDULE_SCHEDULE_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"

namespace mlir::fusion {

/// What may be chosen for a kernel. As an attribute, a dictionary:
/// `{kind = "wgmma", bm = 128, bn = 256, bk = 64, stages = 4, warps = 8}` for
/// contractions (kinds wgmma, mma, fma), `{kind = "rows", rows = 4,
/// columns = 1024, warps = 4}` for the others (kinds elementwise, rows). A
/// contraction of kind wgmma may add `pipeline = "multistage"`.
struct Schedule {
  enum class Kind {
    Elementwise, ///< every output element for itself
    Rows,        ///< reductions: a block owns some rows
    WGMMA,       ///< contraction by sm_90a warpgroup multiplies
    MMA,         ///< contraction by mma.sync
    FMA          ///< contraction by scalar multiply-adds
  };

  Kind kind = Kind::Elementwise;
  /// Sides of a block's output tile. For rows, `columns` is how many elements
  /// of a row are in registers at once.
  int64_t rows = 1, columns = 1;
  /// The step along the contracted dim, and the stages of shared memory.
  int64_t depth = 0, stages = 0;
  /// Warps that hold tiles (a producer warp comes on top).
  int64_t warps = 4;
  /// For wgmma: all warps fetch and multiply, as those of the other kinds do;
  /// else some fetch by bulk copies what the others multiply.
  bool multistage = false;

  bool isContraction() const {
    return kind != Kind::Elementwise && kind != Kind::Rows;
  }
  /// Whether warps of their own fetch, for as long as the block lives.
  bool isWarpSpecialized() const { return kind == Kind::WGMMA && !multistage; }
  bool operator==(const Schedule &other) const;
};

/// The value of `pipeline` that says `multistage`.
constexpr StringLiteral kMultistagePipeline = "multistage";

/// The keyword of a kind, as in the dictionary.
StringRef stringifyKind(Schedule::Kind kind);

/// The dictionary that parseSchedule reads back.
DictionaryAttr toAttribute(const Schedule &schedule, MLIRContext *context);

/// Reads a dictionary; on a missing, unknown or nonsensical entry says so
/// through `emitError` and fails.
FailureOr<Schedule>
parseSchedule(DictionaryAttr attr,
              llvm::function_ref<InFlightDiagnostic()> emitError);

} // namespace mlir::fusion

#endif // FUSION_SCHEDULE_SCHEDULE_H
