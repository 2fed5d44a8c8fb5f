//===- CutParts.h - parts of tensors, and of what makes them ----*- C++ -*-===//
//
// Internal to the planner: what is cut out of a tensor, and how cuts go through
// ops to what these read.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_PLANNER_CUTPARTS_H
#define FUSION_LIB_PLANNER_CUTPARTS_H

#include "fusion/Analysis/FusionDecision.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::fusion {

/// The positions of a dim from `start` on, `size` of them.
struct Cut {
  int64_t start, size;

  bool operator==(const Cut &other) const {
    return start == other.start && size == other.size;
  }
};

/// For each dim what is cut out of it; nothing where it stays whole.
using Cuts = SmallVector<std::optional<Cut>>;

/// Returns whether any dim is cut.
bool hasCut(const Cuts &cuts);

/// An op that only cuts a part out of `source`; its result has the dims of
/// `source`, perhaps less or more dims of size one.
struct CutPart {
  linalg::LinalgOp op;
  Value source;
  Cuts cuts; ///< at least one dim is cut; the sizes of those dims are known
};

/// Recognises an elementwise op that does nothing but cut out a part, by steps
/// of one from known starts, along dims of known sizes.
std::optional<CutPart> matchCutPart(linalg::LinalgOp op);

/// Returns what a reshape reads of its operand for `cuts` of its result;
/// nothing where that is no part of it.
std::optional<Cuts> getCutsBefore(Operation *reshape, const Cuts &cuts);

/// Returns what `op` reads of `input` for `cuts` of its result; nothing where
/// that is no part of it: sums of loops, from another start than 0.
std::optional<Cuts> getOperandCuts(linalg::LinalgOp op, const Cuts &cuts,
                                   OpOperand &input);

/// Checks that `cutOut` can cut `value`.
FusionDecision checkCuttable(Value value, const Cuts &cuts);

/// Returns the part of `value` that `cuts` says: a smaller constant, or an op
/// that reads it where it lies.
Value cutOut(OpBuilder &builder, Value value, const Cuts &cuts);

/// Returns the type of the part of `value` that `cuts` says.
RankedTensorType getCutType(Value value, const Cuts &cuts);

/// Returns a destination for the part of `init` that `cuts` says.
Value makeEmpty(OpBuilder &builder, Value init, const Cuts &cuts);

/// Returns what `reshape` makes of `operand`, part of its own, of which `cuts`
/// of the result, of `type`, are the part.
Value makeReshape(OpBuilder &builder, Operation *reshape, Value operand,
                  RankedTensorType type, const Cuts &cuts);

/// Adds dims of size one to `value`, or drops some, so that it has `type`.
Value reshapeUnits(OpBuilder &builder, Location loc, Value value,
                   RankedTensorType type);

} // namespace mlir::fusion

#endif // FUSION_LIB_PLANNER_CUTPARTS_H
