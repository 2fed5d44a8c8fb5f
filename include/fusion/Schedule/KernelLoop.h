//===- KernelLoop.h - the loop that a schedule makes ------------*- C++ -*-===//
//
// From what a group is and the schedule that was chosen for it to what a block
// does in one step, for estimates. Sizes known only at run time count as the
// caller says: pass them filled in.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_SCHEDULE_KERNELLOOP_H
#define FUSION_SCHEDULE_KERNELLOOP_H

#include "fusion/Cost/TileLoop.h"
#include "fusion/Schedule/Choose.h"

namespace mlir::fusion {

/// Describes contractions of `shape`, without the arithmetic of operands that
/// are computed.
TileLoop describeLoop(const ContractionShape &shape, const Schedule &schedule);

/// Describes a softmax between contractions that does `vectorOps` operations
/// beside them, all in all.
TileLoop describeLoop(const OnlineSoftmaxShape &shape, const Schedule &schedule,
                      double vectorOps);

/// Describes a contraction of a contraction, where `shares` blocks share the
/// columns of one tile of rows, with `vectorOps` operations on what lies
/// between, all in all, were it made once.
TileLoop describeLoop(const ChainedShape &shape, const ChainedSchedule &chained,
                      int64_t shares, double vectorOps);

/// Returns how many elements of each of `rows` rows of `size` elements a block
/// of a contraction of schedule `schedule` loads at once where it reduces them
/// before it multiplies: a power of two. No tile of that shape is multiplied.
int64_t getRowPiece(const Schedule &schedule, int64_t rows, int64_t size);

/// Returns how many pieces of its rows a block loads, one after another.
double countPieces(const RowsShape &shape, const Schedule &schedule);

/// Returns how many blocks have rows.
double countBlocks(const RowsShape &shape, const Schedule &schedule);

} // namespace mlir::fusion

#endif // FUSION_SCHEDULE_KERNELLOOP_H
