//===- Choose.h - the schedule of a group -----------------------*- C++ -*-===//
//
// Pure functions from what a group is and what a GPU has to a schedule.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_SCHEDULE_CHOOSE_H
#define FUSION_SCHEDULE_CHOOSE_H

#include "fusion/Schedule/Schedule.h"
#include <string>

namespace mlir::fusion {

/// What schedules depend on in a GPU.
struct ScheduleTarget {
  int64_t multiprocessors = 108;
  /// Shared memory of one block, in bytes.
  int64_t sharedBytes = 48 * 1024;
  bool hasMMA = false;   ///< mma.sync on f16/bf16 and cp.async (sm_80 and up)
  bool hasWGMMA = false; ///< warpgroup multiplies and bulk copies (sm_90a)

  /// The facts of a chip such as "sm_90a". An unknown name counts as the
  /// largest known one below it.
  static ScheduleTarget get(StringRef chip);
};

/// The warps that multiply in a block of wgmma beside blocks of other groups.
constexpr int64_t kSharedBlockWarps = 8;

/// How an operand's tiles are fetched.
enum class FetchKind {
  Lines,  ///< rows of a multiple of 16 bytes
  Stray,  ///< other rows: element by element
  Window, ///< at sums of loops: element by element, each position computed
  /// The same, 16 bytes at a time: channels lie side by side.
  WindowLines,
};

/// Contractions of one group that share their output space. A size that is not
/// known is ShapedType::kDynamic.
struct ContractionShape {
  int64_t batch = 1, m = 1, n = 1, k = 1;
  /// How many products are accumulated at once.
  int64_t count = 1;
  /// How many different operand tiles one step loads along m and n.
  int64_t operandsM = 1, operandsN = 1;
  int64_t elementBytes = 4;
  bool halfFloats = false; ///< f16 or bf16 operands, f32 accumulator
  bool bulkCopies = false; ///< strides allow TMA on every operand
  /// How the operands along m and n are fetched, and whether threads compute
  /// them from what they fetch.
  FetchKind fetchM = FetchKind::Lines, fetchN = FetchKind::Lines;
  bool computesM = false, computesN = false;
  /// The warps that multiply in a warp-specialised block, where it shares its
  /// launch with others; 0: any number.
  int64_t blockWarps = 0;
  /// k is a whole number of blocks of this size, which no step may cross; 0: it
  /// is one.
  int64_t blockK = 0;
  /// A tile has all of m, or of n: ops after the products reduce it.
  bool wholeM = false, wholeN = false;
  /// The elements of some operand lie side by side along k, or n. wgmma reads
  /// them in panels of 128 bytes.
  bool panelsAlongK = true, panelsAlongN = true;
};

/// Why `schedule` cannot run on `target`; empty if it can.
std::string refuseContraction(const Schedule &schedule,
                              const ContractionShape &shape,
                              const ScheduleTarget &target);

/// The fitting schedule with the least estimated time.
Schedule chooseContraction(const ContractionShape &shape,
                           const ScheduleTarget &target);

/// A contraction, a softmax of its rows, and a contraction over its columns
/// (Analysis/OnlineSoftmax.h): m rows, n columns, k and d the widths of the
/// first and the second contraction's operands.
struct OnlineSoftmaxShape {
  int64_t batch = 1, m = 1, n = 1, k = 1, d = 1;
  int64_t elementBytes = 4;
  bool halfFloats = false; ///< f16 or bf16 operands
};

/// The fitting schedule with the least estimated time: of kind wgmma, mma or
/// fma, `rows` of m, `columns` of n at a time, `depth` k rounded up. None if
/// a block cannot hold it; `reason` then says why.
std::optional<Schedule> chooseOnlineSoftmax(const OnlineSoftmaxShape &shape,
                                            const ScheduleTarget &target,
                                            std::string &reason);

/// Why `schedule` cannot run the group on `target`; empty if it can.
std::string refuseOnlineSoftmax(const Schedule &schedule,
                                const OnlineSoftmaxShape &shape,
                                const ScheduleTarget &target);

/// The side of tiles along `size` elements of k or d: whole multiplies.
int64_t getOperandWidth(int64_t size, Schedule::Kind kind);

/// Two contractions, the second of what follows from the first
/// (Analysis/ChainedProducts.h): m rows, k that the first sums over, r the
/// width of what lies between, n the columns of the result. A size that is not
/// known is ShapedType::kDynamic.
struct ChainedShape {
  int64_t batch = 1, m = 1, k = 1, r = 1, n = 1;
  int64_t elementBytes = 4;
  bool halfFloats = false; ///< f16 or bf16 operands
  /// The columns are several dims, which no tile spans.
  bool severalColumns = false;
};

/// How a block of `schedule.rows` rows does both. Either it makes all of its
/// part of the middle, in steps of `depth` along k, and multiplies it with
/// `columns` columns at a time; or, `streamed`, it makes `depth` columns of the
/// middle at a time and adds their products to `columns` columns of the result.
struct ChainedSchedule {
  Schedule schedule;
  bool streamed = false;
};

/// The fitting schedule with the least estimated time, of kind mma or fma. None
/// if a block cannot hold what it needs; `reason` then says why.
std::optional<ChainedSchedule> chooseChained(const ChainedShape &shape,
                                             const ScheduleTarget &target,
                                             std::string &reason);

/// Why `chained` cannot run the group on `target`; empty if it can.
std::string refuseChained(const ChainedSchedule &chained,
                          const ChainedShape &shape,
                          const ScheduleTarget &target);

/// How many blocks share the columns of one tile of rows; each makes the middle
/// anew. More than one only where multiprocessors would idle, or where the
/// result is wider than a streamed tile.
int64_t getColumnBlocks(const ChainedSchedule &chained,
                        const ChainedShape &shape,
                        const ScheduleTarget &target);

/// A group without contraction or reduction. `columns` is the contiguous dim,
/// `rows` the next one, or with `transposed` the one along which another
/// operand is contiguous.
struct ElementwiseShape {
  int64_t rows = 1, columns = 1;
  bool transposed = false;
  int64_t total = 1;        ///< elements of the whole space
  int64_t elementBytes = 4; ///< the smallest in memory
};

/// The tile and the warps of an elementwise kernel: as wide as lines of memory,
/// small enough that there are blocks for all multiprocessors.
Schedule chooseElementwise(const ElementwiseShape &shape,
                           const ScheduleTarget &target);

/// A group with reductions along `columns` for each of `rows`.
struct RowsShape {
  int64_t rows = 1, columns = 1;
  int64_t outerRows = 1; ///< product of the dims that are neither nor reduced
  /// Whether columns (else rows) are contiguous in memory.
  bool contiguousColumns = true;
  /// Other arrays are contiguous along the other of the two.
  bool transposed = false;
  int64_t elementBytes = 4;
};

/// Where arrays are contiguous along rows and along columns, the most columns
/// that a block holds of so many rows as make a line of memory.
constexpr int64_t kMostTurnedColumns = 1024;

/// The rows and columns that a block of a kernel of reductions holds, and its
/// warps.
Schedule chooseRows(const RowsShape &shape, const ScheduleTarget &target);

} // namespace mlir::fusion

#endif // FUSION_SCHEDULE_CHOOSE_H
