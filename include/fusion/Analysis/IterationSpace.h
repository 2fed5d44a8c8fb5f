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
  Elementwise, ///< all loops parallel, everything read in order or broadcast
  Reduction,   ///< combines the trailing loops of its full-rank input
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
  /// For Other: why the op is grouped alone, a clause for remarks.
  std::string reason;
};

/// Analyses `op`, which must be on tensors or memrefs with static rank.
IterationSpace getIterationSpace(linalg::LinalgOp op);

/// Returns the static range of each loop of `op`, from all operands.
SmallVector<int64_t> getLoopSizes(linalg::LinalgOp op);

/// Returns whether `op` only rounds its operand because the graph value has
/// that type: an elementwise op, identity maps, whose body is one
/// `arith.truncf {fusion.rounding}`.
bool isMarkedRounding(linalg::LinalgOp op);

} // namespace mlir::fusion

#endif // FUSION_ANALYSIS_ITERATIONSPACE_H
