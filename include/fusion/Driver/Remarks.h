//===- Remarks.h - what passes say about their decisions --------*- C++ -*-===//

#ifndef FUSION_DRIVER_REMARKS_H
#define FUSION_DRIVER_REMARKS_H

#include "mlir/IR/MLIRContext.h"

namespace mlir::fusion {

/// Makes the remarks of `context` whose category matches the regular expression
/// `filter` (empty: those of fusion) diagnostics of severity remark: for each
/// pair of operations that the planner was asked about, `[Passed]` or
/// `[Missed]` with the reason.
LogicalResult enableRemarks(MLIRContext *context, StringRef filter);

} // namespace mlir::fusion

#endif // FUSION_DRIVER_REMARKS_H
