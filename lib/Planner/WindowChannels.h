//===- WindowChannels.h - which dims of a convolution are channels -*- C++ -*-//
//
// Internal to fusion-lay-out-windows: of the operands and the result of a
// product that reads windows, the dims that should lie side by side in memory.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_PLANNER_WINDOWCHANNELS_H
#define FUSION_LIB_PLANNER_WINDOWCHANNELS_H

#include "fusion/Analysis/FusionDecision.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::fusion {

/// Returns the dim of `value` that is last but for dims of size one.
int64_t getLastDim(Value value);

/// Returns whether `op` sums up along `loop`.
bool isReduced(linalg::LinalgOp op, unsigned loop);

/// Finds in `channels` the dim of operand `number` of `op`, a product, that a
/// loop over k indexes alone, where 16 bytes of it would lie side by side. Says
/// why there is none where it could lie last and does not.
FusionDecision findChannels(linalg::LinalgOp op, unsigned number,
                            std::optional<int64_t> &channels);

/// Returns the result dim of the one loop of several iterations that operand
/// `image` of `op`, a product, doesn't have and the other one has.
std::optional<int64_t> findFilters(linalg::LinalgOp op, unsigned image);

/// Returns the dim of operand `number` of `op` that `loop` indexes and that
/// should lie last but doesn't; nothing where it does.
std::optional<int64_t> findAcross(linalg::LinalgOp op, unsigned number,
                                  unsigned loop);

} // namespace mlir::fusion

#endif // FUSION_LIB_PLANNER_WINDOWCHANNELS_H
