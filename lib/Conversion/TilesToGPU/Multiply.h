//===- Multiply.h - tile.mma by kind ----------------------------*- C++ -*-===//

#ifndef FUSION_LIB_CONVERSION_TILESTOGPU_MULTIPLY_H
#define FUSION_LIB_CONVERSION_TILESTOGPU_MULTIPLY_H

#include "KernelLowering.h"

namespace mlir::fusion {

/// One lowering for each kind; each sets the op's result.
LogicalResult lowerWgmma(tile::MMAOp op, KernelLowering &lk);
LogicalResult lowerMmaSync(tile::MMAOp op, KernelLowering &lk);
LogicalResult lowerFma(tile::MMAOp op, KernelLowering &lk);
/// A multiply with a in registers: `mma.sync`, or `wgmma` (asynchronous) where
/// the accumulator lies as it does for that.
LogicalResult lowerMmaRegisters(tile::MMARegistersOp op, KernelLowering &lk);
LogicalResult lowerWgmmaRegisters(tile::MMARegistersOp op, KernelLowering &lk);
/// Whether `tile` lies in the layout of wgmma's accumulators of this partition.
bool isWgmmaLayout(KernelLowering &lk, RankedTensorType tile);
/// The words of a that an instruction wants, 4 for each 16 columns, from the
/// registers of a tile of 16-bit floats in an accumulator's layout.
SmallVector<Value> packOperand(KernelLowering &lk, Value tile);
/// Registers to a stage of shared memory.
LogicalResult lowerStoreShared(tile::StoreSharedOp op, KernelLowering &lk);

/// The registers of an accumulator's struct, and the struct of registers.
SmallVector<Value> unpackAcc(KernelLowering &lk, Value acc);
Value packAcc(KernelLowering &lk, Type type, ArrayRef<Value> registers);

} // namespace mlir::fusion

#endif // FUSION_LIB_CONVERSION_TILESTOGPU_MULTIPLY_H
