//===- ReportKept.h - why a pass leaves an op as it is ----------*- C++ -*-===//

#ifndef FUSION_PLANNER_REPORTKEPT_H
#define FUSION_PLANNER_REPORTKEPT_H

#include "mlir/IR/Operation.h"

namespace mlir::fusion {

/// Says in a missed remark of category `fusion` why the pass called `pass`
/// leaves `op` as it is; `why` is a clause in lower case without a period.
void reportKept(StringRef pass, Operation *op, const Twine &why);

} // namespace mlir::fusion

#endif // FUSION_PLANNER_REPORTKEPT_H
