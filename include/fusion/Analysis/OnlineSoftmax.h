//===- OnlineSoftmax.h - contraction, softmax, contraction ------*- C++ -*-===//
//
// Attention, told by its dataflow:
//
//   scores  = contraction(q, k)          over loops (batch, m, n), sum over k
//   x       = elementwise(scores, ...)   scale, mask, bias, cap: anything
//   rowMax  = max over n of x
//   e       = exp(x - r), r a function of rows (of rowMax and the like)
//   rowSum  = sum over n of e
//   weights = e times or divided by functions of rows; or zero where e divided
//             by rowSum is NaN, which it is in whole rows
//   values  = contraction(weights, v)    over loops (batch, m, d), sum over n
//
// One kernel can do this in one walk over n: it keeps a running maximum and
// sum, and rescales what it has added up by exp(r before - r now).
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_ANALYSIS_ONLINESOFTMAX_H
#define FUSION_ANALYSIS_ONLINESOFTMAX_H

#include "fusion/Analysis/FusionDecision.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::fusion {

/// The ops of the pattern above; all in one block.
struct OnlineSoftmax {
  linalg::LinalgOp scores, rowMax, rowSum, values;
  /// The op that makes e, and the `math.exp` or `math.exp2` in its body.
  linalg::LinalgOp exponential;
  Operation *exp = nullptr;
  /// What rowMax reduces, and r, as operands: of rowMax, and of the op that
  /// subtracts.
  OpOperand *reduced = nullptr, *shift = nullptr;
  /// The ops from e, exclusive, to the weights, in order; each multiplies or
  /// divides the operand `chainOperands` says by functions of rows, or casts.
  SmallVector<linalg::LinalgOp> chain;
  SmallVector<unsigned> chainOperands;
  /// The ops that ask whether e, divided by rowSum, is NaN, in order, and their
  /// inputs that are it: those of `chain` that read their results put zero
  /// there.
  SmallVector<linalg::LinalgOp> guards;
  SmallVector<unsigned> guardOperands;
  /// Which input of `values` the weights are.
  unsigned weights = 0;
  /// Where x is -inf in all columns past a row's number plus `beyond` (a causal
  /// mask): loop `rowLoop` of `bounded` counts the rows; else `bounded` is
  /// null.
  linalg::LinalgOp bounded;
  unsigned rowLoop = 0;
  int64_t beyond = 0;
  /// All ops, in order: those above, the others between `scores` and `values`,
  /// elementwise ops that feed only these, and slices that the contractions
  /// read.
  SmallVector<linalg::LinalgOp> ops;
};

/// Returns the pattern that starts at the contraction `scores`; nothing where
/// there is none. Where something comes close, `refusal` says what is in the
/// way.
std::optional<OnlineSoftmax> matchOnlineSoftmax(linalg::LinalgOp scores,
                                                FusionDecision &refusal);

} // namespace mlir::fusion

#endif // FUSION_ANALYSIS_ONLINESOFTMAX_H
