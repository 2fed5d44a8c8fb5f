//===- Multiply.h - tile.mma by kind ----------------------------*- C++ -*-===//

#ifndef FUSION_LIB_CONVERSION_TILESTOGPU_MULTIPLY_H
#define FUSION_LIB_CONVERSION_TILESTOGPU_MULTIPLY_H

#include "KernelLowering.h"

namespace mlir::fusion {

/// One lowering for each kind; each sets the op's result.
LogicalResult lowerWgmma(tile::MMAOp op, KernelLowering &lk);
LogicalResult lowerMmaSync(tile::MMAOp op, KernelLowering &lk);
LogicalResult lowerFma(tile::MMAOp op, KernelLowering &lk);
/// `mma.sync` with a in registers.
LogicalResult lowerMmaRegisters(tile::MMARegistersOp op, KernelLowering &lk);
/// Registers to a stage of shared memory.
LogicalResult lowerStoreShared(tile::StoreSharedOp op, KernelLowering &lk);

/// The registers of an accumulator's struct, and the struct of registers.
SmallVector<Value> unpackAcc(KernelLowering &lk, Value acc);
Value packAcc(KernelLowering &lk, Type type, ArrayRef<Value> registers);

} // namespace mlir::fusion

#endif // FUSION_LIB_CONVERSION_TILESTOGPU_MULTIPLY_H
