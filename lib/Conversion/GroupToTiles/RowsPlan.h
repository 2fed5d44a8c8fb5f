//===- RowsPlan.h - which dims of a kernel of reductions do what -*- C++
//-*-===//

#ifndef FUSION_CONVERSION_GROUPTOTILES_ROWSPLAN_H
#define FUSION_CONVERSION_GROUPTOTILES_ROWSPLAN_H

#include "Kernels.h"
#include "TileEmitter.h"

namespace mlir::fusion {

struct RowsPlan {
  int64_t rows, columns;
  SmallVector<int64_t> outer; ///< the other reduced dims
  bool contiguousColumns = true;
  /// Other arrays are contiguous along the other of rows and columns.
  bool transposed = false;
  int64_t elementBytes = 8;
  /// Each thread walks along a row.
  bool walks = false;
};

/// Plans a kernel of a group that reduces some dim; adds a unit dim for the
/// rows where there are none.
RowsPlan makeRowsPlan(Group &group);

/// Chooses the schedule of that kernel.
Schedule chooseRowsSchedule(const Group &group, const RowsPlan &plan,
                            const ScheduleTarget &target);

} // namespace mlir::fusion

#endif // FUSION_CONVERSION_GROUPTOTILES_ROWSPLAN_H
