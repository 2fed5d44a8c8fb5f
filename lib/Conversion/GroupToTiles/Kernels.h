//===- Kernels.h - the kinds of kernels a group may become ------*- C++ -*-===//

#ifndef FUSION_CONVERSION_GROUPTOTILES_KERNELS_H
#define FUSION_CONVERSION_GROUPTOTILES_KERNELS_H

#include "Group.h"
#include "fusion/Conversion/GroupToTiles.h"
#include "fusion/Schedule/Choose.h"

namespace mlir::fusion {

/// What every kind needs to know beside the group.
struct KernelContext {
  ScheduleTarget target;
  bool strict = false;
  /// The schedule that the user pinned, if any.
  std::optional<Schedule> pinned;
};

/// Makes the body of `op` read what it reads through maps other than distinct
/// loops and zeros, where that is an argument of the group.
LogicalResult readAtComputedPositions(linalg::GenericOp op);

/// A group in which nothing is reduced.
LogicalResult emitElementwise(Group &group, const KernelContext &context);

/// Reductions with elementwise code around them.
LogicalResult emitRows(Group &group, const KernelContext &context);

/// The matrix products of a group: all along the same m, n and k.
struct MatrixProducts {
  int64_t m, n, k;
  struct Product {
    int64_t number;        ///< of the op
    unsigned a = 0, b = 1; ///< which inputs run along m and n
  };
  SmallVector<Product> products;
};

/// The group's matrix products, if matrix products are all that it reduces and
/// they fit together.
std::optional<MatrixProducts> matchContraction(const Group &group);

/// Matrix products and elementwise code after them.
LogicalResult emitContraction(Group &group, const MatrixProducts &contraction,
                              const KernelContext &context);

/// The schedule for a group of kind `kinds`: the pinned one if it is of such a
/// kind (else an error), or `choose()`.
FailureOr<Schedule> pickSchedule(Group &group, const KernelContext &context,
                                 ArrayRef<Schedule::Kind> kinds,
                                 llvm::function_ref<Schedule()> choose);

/// Appends a dim of size one that no op has, for tiles of groups without dims;
/// returns its number.
int64_t addUnitDim(Group &group);

} // namespace mlir::fusion

#endif // FUSION_CONVERSION_GROUPTOTILES_KERNELS_H
