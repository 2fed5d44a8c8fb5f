//===- GroupToCPU.h - group functions to loops on vectors -------*- C++ -*-===//
//
// The CPU back end of a group: its linalg ops on tensors are tiled into one
// parallel loop per nest, fused, bufferized, and turned into loops on vectors.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_CONVERSION_GROUPTOCPU_H
#define FUSION_CONVERSION_GROUPTOCPU_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace mlir::fusion {

/// Width in bits of the widest vectors of this machine that are worth using:
/// 512, 256 or 128.
int64_t getHostVectorBits();

/// What the CPU lowering may assume about the machine.
struct CPUVectorOptions {
  /// Width of a vector register in bits; a power of two of at least 128. Wider
  /// vectors than the machine's are legal but spill.
  int64_t vectorBits = getHostVectorBits();

  /// Lanes of one vector of 32-bit elements; loops step by this many elements
  /// whatever their type.
  int64_t getLanes() const { return vectorBits / 32; }
};

/// Merges elementwise linalg ops of `group` (on tensors) into their elementwise
/// consumers where no element is computed twice; ops that only repeat or move
/// elements always. Values keep every bit: types and roundings stay.
LogicalResult mergeElementwise(func::FuncOp group);

/// Merges elementwise ops of `group` (on tensors) that only make one operand of
/// a contraction into that: they are computed while the operand is packed, each
/// element once for each block of columns (rows) of the result that needs it.
/// Values keep every bit. Left out where no loop reads all inputs line by line.
void mergePrologues(func::FuncOp group);

/// Tiles the linalg ops of `group` (on tensors) into `scf.forall` nests: from
/// the last op to the first, each op that no later nest has taken becomes the
/// root of a nest, and the producers whose tiles are determined by the root's
/// are computed in the same nest. No value is computed twice: a producer that
/// would be stays a nest of its own. Reduction loops are never tiled, so sums
/// have the same order at every tile size.
LogicalResult tileGroupForCPU(func::FuncOp group);

/// Bufferizes `group`, whose boundary is already on memrefs; results are
/// computed in their destination where that is legal; other copies are
/// `memref.copy`.
LogicalResult bufferizeGroup(func::FuncOp group);

/// Rewrites the contraction `op` (on memrefs; two inputs multiplied and added
/// into one init) as packed, register-blocked loops on vectors. The terms of an
/// element are added one by one in the order of the reduction loops, each by
/// one fused multiply-add in floating point: the value depends on neither the
/// blocking nor the vector width. Inputs may be read through any affine map
/// (convolutions are contractions here). Fails, leaving the IR alone, where
/// `op` is none or its result has no contiguous dimension that just one input
/// reads.
LogicalResult contractionToVector(RewriterBase &rewriter, linalg::LinalgOp op,
                                  const CPUVectorOptions &options);

/// Rewrites the linalg op `op` (on memrefs) as loops on vectors along the
/// innermost dimension of its results or, for a reduction of contiguous
/// elements, along the reduced dimension. In the second case lane `i` of
/// `getLanes()` combines the elements i, i + lanes, ... in that order, 64 of
/// them at a time, and what these give; then the upper half of the lanes is
/// combined into the lower half until one is left, then that with the initial
/// value. Inputs that are contiguous along another
/// parallel loop are transposed in registers. Fails, leaving the IR alone,
/// where an operand is contiguous in neither or the body has an op without
/// vector form.
LogicalResult linalgToVector(RewriterBase &rewriter, linalg::LinalgOp op,
                             const CPUVectorOptions &options);

/// Turns every linalg op and `memref.copy` of `group` (on memrefs) into loops:
/// `contractionToVector`, else `linalgToVector`, else scalar loops.
LogicalResult lowerGroupToVectorLoops(func::FuncOp group,
                                      const CPUVectorOptions &options);

/// Gives the `memref.alloc`s of the private function `group` a place: inside a
/// loop, those with a small bound become `memref.alloca`, the others are freed
/// at the end of their block; those at the function's top level become extra
/// arguments, which every caller allocates.
LogicalResult placeGroupBuffers(func::FuncOp group);

/// Outlines each `scf.forall` of `group` (on memrefs, no results) into a
/// private function `(begin, end, captured values...)` that runs iterations
/// [begin, end) of the linearized loop, and calls it for all of them with the
/// unit attribute `fusion.parallel`: the call may be split over threads.
LogicalResult outlineParallelLoops(func::FuncOp group);

/// Adds the passes from outlined groups on tensors (stage 3b) to host functions
/// on memrefs, vectors and scf.
void buildGroupToCPUPipeline(OpPassManager &pm,
                             const CPUVectorOptions &options = {});

/// Registers it as `fusion-group-to-cpu`.
void registerGroupToCPUPipeline();

} // namespace mlir::fusion

#endif // FUSION_CONVERSION_GROUPTOCPU_H
