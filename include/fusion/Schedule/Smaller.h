//===- Smaller.h - schedules that take less -----------------------*- C++
//-*-===//

#ifndef FUSION_SCHEDULE_SMALLER_H
#define FUSION_SCHEDULE_SMALLER_H

#include "fusion/Schedule/Schedule.h"
#include <optional>

namespace mlir::fusion {

/// Returns schedules for a group whose `start` takes too much, in the order in
/// which to try them: smaller tiles, then fewer warps, at last one warp whose
/// threads have an element each. A contraction may also be a sum of products
/// like any other reduction, or a loop for each element. Where `start` is not
/// known, schedules of all kinds; a group refuses those that are not for it.
SmallVector<Schedule> getSmallerSchedules(std::optional<Schedule> start);

} // namespace mlir::fusion

#endif // FUSION_SCHEDULE_SMALLER_H
