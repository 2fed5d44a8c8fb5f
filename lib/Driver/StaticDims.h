//===- StaticDims.h - dynamic dims that become static -----------*- C++ -*-===//

#ifndef LIB_DRIVER_STATICDIMS_H
#define LIB_DRIVER_STATICDIMS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <map>
#include <string>

namespace mlir::fusion {

/// Makes the dynamic dims of `entry`'s arguments that `sizes` names static.
/// Casts lead back to the old types; in linalg, canonicalization moves them
/// down to the results. Fails on a name that no dynamic dim has.
LogicalResult fixDims(func::FuncOp entry,
                      const std::map<std::string, int64_t> &sizes);

/// Gives results that are casts of more static tensors those tensors' types.
void refineResults(func::FuncOp entry);

} // namespace mlir::fusion

#endif // LIB_DRIVER_STATICDIMS_H
