//===- MergeLaunches.h - the launches of a composite become one -*- C++ -*-===//

#ifndef FUSION_CONVERSION_MERGELAUNCHES_MERGELAUNCHES_H
#define FUSION_CONVERSION_MERGELAUNCHES_MERGELAUNCHES_H

#include "fusion/Tile/IR/Tile.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::fusion {

/// On a composite function that became several launches: for each, in order, a
/// dictionary with the numbers of its `parts`, as the function called them, and
/// the `reason` why they are apart from those before.
constexpr StringLiteral kApartAttr = "fusion.apart";
constexpr StringLiteral kApartPartsEntry = "parts";
constexpr StringLiteral kApartReasonEntry = "reason";

/// Turns each composite function of `module`, which is in stage 5, into one
/// launch; see the description of the pass.
LogicalResult mergeLaunches(ModuleOp module);

/// A launch that is to share a kernel with others.
struct MergedLaunch {
  tile::LaunchOp launch;
  /// Its kernel: to look a symbol up takes as long as the module has symbols.
  LLVM::LLVMFuncOp kernel;
  /// On the host, outermost first: i1 values computed from loads of rank-0
  /// memrefs, and what each must be.
  SmallVector<std::pair<Value, bool>> conditions;
  /// Which call of the composite it was.
  int64_t part = 0;
};

/// A launch of one block whose results other launches read: with these merged,
/// each block computes it for itself.
struct EachBlockLaunch {
  MergedLaunch launch;
  /// Arguments of the launch: memrefs of rank 0, written by it.
  SmallVector<Value> results;
  /// What the kernel stores there, one for each result.
  SmallVector<Type> types;
};

/// The kernel of `launch`, in stage 5.
LLVM::LLVMFuncOp getKernel(tile::LaunchOp launch);

/// The threads of a block of `kernel`.
int64_t getBlockThreads(LLVM::LLVMFuncOp kernel);

/// Makes one kernel `name` of those of `launches`, beside them, and its launch
/// at the builder's place. Blocks are given out in order: each launch gets as
/// many as its own grid has; the two sides of a condition get the same ones.
/// Every grid is one-dimensional, every kernel has one block of code. Each
/// block first does what those of `ofEachBlock` do, in order; later ones,
/// `launches` and conditions may read the results, which go nowhere else.
LogicalResult createMergedLaunch(OpBuilder &host, StringRef name,
                                 ArrayRef<MergedLaunch> launches,
                                 ArrayRef<EachBlockLaunch> ofEachBlock = {});

} // namespace mlir::fusion

#endif // FUSION_CONVERSION_MERGELAUNCHES_MERGELAUNCHES_H
