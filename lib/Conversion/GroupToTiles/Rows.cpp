//===- Rows.cpp - kernels of reductions -----------------------------------===//

#include "Kernels.h"
#include "TileEmitter.h"

using namespace mlir;
using namespace mlir::fusion;

LogicalResult mlir::fusion::emitRows(Group &group,
                                     const KernelContext &context) {
  return group.func.emitOpError("reductions are not done yet");
}
