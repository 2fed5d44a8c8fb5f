//===- BlockNeeds.h - what a block of two contractions takes ----*- C++ -*-===//

#ifndef FUSION_LIB_SCHEDULE_BLOCKNEEDS_H
#define FUSION_LIB_SCHEDULE_BLOCKNEEDS_H

#include "fusion/Schedule/Choose.h"

namespace mlir::fusion {

/// Why `target` cannot hold a block of a kernel with two contractions whose
/// threads keep tiles in `registers` registers and that takes `sharedBytes` of
/// shared memory; empty if it can.
std::string refuseBlock(int64_t registers, int64_t sharedBytes,
                        const ScheduleTarget &target);

} // namespace mlir::fusion

#endif // FUSION_LIB_SCHEDULE_BLOCKNEEDS_H
