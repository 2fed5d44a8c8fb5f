//===- IterationSpace.h - the role and loops of a linalg op -----*- C++ -*-===//
//
// What kind of work a linalg op is for a fused kernel, told from its maps,
// iterators and body; never from its name.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_ANALYSIS_ITERATIONSPACE_H
#define FUSION_ANALYSIS_ITERATIONSPACE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <string>

namespace mlir::fusion {

/// What a linalg op is to a kernel.
enum class OpRole {
  Elementwise, ///< all loops parallel, everything read by them or broadcast
  Reduction,   ///< combines some loops of its full-rank input
  Contraction, ///< multiply-accumulate over K; operands may be windows
  Window,      ///< another reduction over windows: pooling, depthwise products
  Fill,        ///< linalg.fill: belongs to the ops that use it
  Other        ///< anything else: a kernel of its own
};

/// Returns the name of `role` as remarks and reports spell it.
llvm::StringRef stringifyOpRole(OpRole role);

/// The loops of an op in canonical order: the parallel ones as the result's
/// dims come, then the reduced ones. Parallel loops of static size one are
/// left out: they constrain nothing.
struct IterationSpace {
  OpRole role = OpRole::Other;
  SmallVector<unsigned> parallel;
  SmallVector<unsigned> reduced;
  /// Static range of every loop of the op (not only the ones above), or
  /// ShapedType::kDynamic.
  SmallVector<int64_t> sizes;
  /// A reduction in parts (Planner/SplitReductions.cpp) writes one result for
  /// each `partSize` iterations of the loop `split`, a reduced one; 0: it
  /// combines all of them.
  int64_t partSize = 0;
  unsigned split = 0;
  /// Elementwise, Reduction: an operand's elements lie side by side along
  /// another loop than the last: it is read transposed.
  bool transposed = false;
  /// For Other: why the op is grouped alone, a clause for remarks.
  std::string reason;

  /// Returns how many parts there are, 1 where the reduction is in one piece;
  /// ShapedType::kDynamic where that is not known.
  int64_t getParts() const;
};

/// Analyses `op`, which must be on tensors or memrefs with static rank.
IterationSpace getIterationSpace(linalg::LinalgOp op);

/// How a reduction in parts writes its results.
struct ReductionParts {
  unsigned loop; ///< the reduced loop that is cut
  int64_t size;  ///< iterations of it for each result
};

/// Matches a reduction whose results have the number of a part as their first
/// dim, `loop floordiv size`, and distinct loops as the others.
std::optional<ReductionParts> matchReductionParts(linalg::LinalgOp op);

/// Returns the static range of each loop of `op`, from all operands.
SmallVector<int64_t> getLoopSizes(linalg::LinalgOp op);

/// Returns whether `op` only rounds its operand because the graph value has
/// that type: an elementwise op, identity maps, whose body is one
/// `arith.truncf {fusion.rounding}`.
bool isMarkedRounding(linalg::LinalgOp op);

} // namespace mlir::fusion

#endif // FUSION_ANALYSIS_ITERATIONSPACE_H
