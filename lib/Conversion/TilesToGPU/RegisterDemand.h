//===- RegisterDemand.h - registers that the tiles of a kernel take -------===//

#ifndef LIB_CONVERSION_TILESTOGPU_REGISTERDEMAND_H
#define LIB_CONVERSION_TILESTOGPU_REGISTERDEMAND_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::fusion {

/// Returns how many registers of 32 bits a thread of `func`, in stage 4 with
/// layouts, needs for the tiles that are alive at one op: an estimate, since
/// what follows orders the elements of tiles otherwise.
int64_t countTileRegisters(gpu::GPUFuncOp func);

} // namespace mlir::fusion

#endif // LIB_CONVERSION_TILESTOGPU_REGISTERDEMAND_H
