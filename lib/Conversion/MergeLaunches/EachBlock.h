//===- EachBlock.h - may each block compute it for itself? ------*- C++ -*-===//

#ifndef LIB_CONVERSION_MERGELAUNCHES_EACHBLOCK_H
#define LIB_CONVERSION_MERGELAUNCHES_EACHBLOCK_H

#include "fusion/Analysis/FusionDecision.h"
#include "fusion/Conversion/MergeLaunches/MergeLaunches.h"

namespace mlir::fusion {

/// Returns whether the blocks of `readers`, which read results of `candidate`,
/// can do what its one block does; then its `types` are set. Code for one block
/// has to be, without roles for its warps; its results are single elements in
/// device memory that nothing but loads and stores of one type touch.
FusionDecision canBeOfEachBlock(EachBlockLaunch &candidate,
                                ArrayRef<MergedLaunch> readers);

/// Returns those of `launches`, in order, that `readers` depend on, through
/// arguments and conditions, one another's too.
SmallVector<EachBlockLaunch, 0> selectNeeded(ArrayRef<EachBlockLaunch> launches,
                                             ArrayRef<MergedLaunch> readers);

/// Returns whether partitions of `kernel` hand registers to one another.
bool movesRegisters(LLVM::LLVMFuncOp kernel);

} // namespace mlir::fusion

#endif // LIB_CONVERSION_MERGELAUNCHES_EACHBLOCK_H
