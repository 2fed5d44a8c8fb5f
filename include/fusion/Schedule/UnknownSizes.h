//===- UnknownSizes.h - sizes that schedules assume -------------*- C++ -*-===//

#ifndef FUSION_SCHEDULE_UNKNOWNSIZES_H
#define FUSION_SCHEDULE_UNKNOWNSIZES_H

#include <cstdint>

namespace mlir::fusion {

/// Returns `size`, or 4096 for one known only at run time: schedules are made
/// for large arrays. Estimates take less for it (Analysis/OpWork.h), so that
/// what fuses does not count on much work.
int64_t orLarge(int64_t size);

} // namespace mlir::fusion

#endif // FUSION_SCHEDULE_UNKNOWNSIZES_H
