//===- SoftmaxOperands.h - what makes the operands of attention -*- C++ -*-===//

#ifndef FUSION_LIB_PLANNER_SOFTMAXOPERANDS_H
#define FUSION_LIB_PLANNER_SOFTMAXOPERANDS_H

#include "fusion/Cost/Roofline.h"
#include "fusion/Planner/Units.h"

namespace mlir::fusion {

/// Returns the values that both contractions of `softmax` take from outside:
/// those of the first, then that of the second.
SmallVector<Value, 3> getFactors(const OnlineSoftmax &softmax);

/// Whether `op` may move into a kernel that reads its result.
bool canMove(linalg::LinalgOp op);

/// Whether `value` comes from a kernel, in `block`, that elementwise code may
/// end.
bool endsKernel(Value value, Block *block);

/// Returns the elementwise ops that make those of `factors` for `readers`, and
/// nothing else, in program order.
SmallVector<linalg::LinalgOp> findMakers(ArrayRef<linalg::LinalgOp> readers,
                                         ArrayRef<Value> factors);

/// Returns the bytes and the arithmetic of a kernel of `ops`, which hands over
/// `results`.
KernelWork describeKernel(ArrayRef<linalg::LinalgOp> ops,
                          ArrayRef<Value> results);

/// Describes in `work`, which has the bytes and the arithmetic of all ops, the
/// loop of the kernel of `softmax` on `device`, where `makers` make operands of
/// its contractions in each step. Returns whether there is such a kernel.
bool addOnlineSoftmax(const OnlineSoftmax &softmax,
                      ArrayRef<linalg::LinalgOp> makers,
                      const DeviceModel &device, KernelWork &work);

/// Adds to `softmax.ops` the elementwise ops that only make operands of its
/// contractions, where one kernel is estimated to be faster than two: each
/// block computes its rows of q once, and step by step the keys and values. No
/// op that the kernel of a contraction or a reduction may end with. Says in
/// `refusals`, by the op and the second contraction, why others are not.
void addOperandOps(OnlineSoftmax &softmax, const DeviceModel &device,
                   ChainRefusals &refusals);

} // namespace mlir::fusion

#endif // FUSION_LIB_PLANNER_SOFTMAXOPERANDS_H
