//===- Kernels.h - the kinds of kernels a group may become ------*- C++ -*-===//

#ifndef FUSION_CONVERSION_GROUPTOTILES_KERNELS_H
#define FUSION_CONVERSION_GROUPTOTILES_KERNELS_H

#include "Group.h"
#include "fusion/Conversion/GroupToTiles.h"
#include "fusion/Schedule/Choose.h"
#include <array>

namespace mlir::fusion {

class KernelBuilder;
class TileEmitter;

/// What every kind needs to know beside the group.
struct KernelContext {
  ScheduleTarget target;
  bool strict = false;
  /// The schedule that the user pinned, if any.
  std::optional<Schedule> pinned;
};

/// Makes the body of `op` read what it reads through maps other than distinct
/// loops and zeros, where that is an argument of the group, or has the same
/// value everywhere.
LogicalResult readAtComputedPositions(linalg::GenericOp op);

/// A group in which nothing is reduced, or in which every thread reduces for
/// itself what its elements need.
LogicalResult emitElementwise(Group &group, const KernelContext &context);

struct MatrixProducts;

/// Whether an op of the group reads windows.
bool readsWindows(const Group &group);

/// Whether no array that the group stores has a dim that an op reduces.
bool storesUnreduced(const Group &group);

/// Whether `op` is the sum of products of two floats in f32.
bool isSumOfProducts(const GroupMember &op);

/// Whether windows meet so few filters that most of a multiply's tile would lie
/// outside, and nothing needs tiles for rows or columns of the results.
bool hasFewFilters(const Group &group, const MatrixProducts &contraction);

/// Loops over the reduced dims of op `number`, element by element of the tile
/// that `emitter` works on; its results are then known to `emitter`.
LogicalResult emitReductionLoops(KernelBuilder &builder, TileEmitter &emitter,
                                 int64_t number);

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
  /// Dims that are summed over too, outside of k and outermost first: steps
  /// along k don't cross them.
  SmallVector<int64_t, 1> outerK;
  /// The one of m and n that ops after the products reduce: a tile has all of
  /// it. kUnitDim where none does.
  int64_t held = kUnitDim;
};

/// The group's matrix products, if these fit together, and what else the group
/// reduces are rows of their factors, or whole rows or columns of their
/// results.
std::optional<MatrixProducts> matchContraction(const Group &group);

/// For each op of the group, by number: whether a factor of the products is
/// computed from it; whether what is stored is, other than through a factor.
SmallVector<bool> findFactorOps(const Group &group,
                                const MatrixProducts &contraction);
SmallVector<bool> findResultOps(const Group &group,
                                const MatrixProducts &contraction);

/// Matrix products, elementwise code that computes their factors, and
/// elementwise code after them.
LogicalResult emitContraction(Group &group, const MatrixProducts &contraction,
                              const KernelContext &context);

/// A contraction, a softmax of its rows and a contraction over its columns
/// (Analysis/OnlineSoftmax.h): the numbers of the ops, and their dims.
struct SoftmaxProducts {
  int64_t scores, rowMax, rowSum, exponential, values;
  /// The op, and its input, that is subtracted before the exponential.
  int64_t shiftOp;
  unsigned shiftInput;
  Operation *exp; ///< in the body of `exponential`
  /// From the exponential, exclusive, to the weights: op and input.
  SmallVector<std::pair<int64_t, unsigned>> chain;
  /// The ops that ask whether what the chain made so far is NaN, and the input.
  SmallVector<std::pair<int64_t, unsigned>> guards;
  unsigned q, weights; ///< inputs of `scores` and `values`
  int64_t m, n, k, d;
  /// Where a row of this dim sees no column past its number plus `beyond`.
  int64_t boundDim = kUnitDim;
  int64_t beyond = 0;

  /// The operands of both contractions that memory or elementwise code makes:
  /// those of the first, then that of the second.
  std::array<const GroupOperand *, 3> getFactors(const Group &group) const;
  /// What schedules are chosen by.
  OnlineSoftmaxShape getShape(const Group &group) const;
};

/// For each op of the group, by number: whether it is computed for operands of
/// the two contractions alone.
SmallVector<bool> findOperandOps(const Group &group,
                                 const SoftmaxProducts &products);

/// Finds them in a group, if that is what it reduces.
std::optional<SoftmaxProducts> matchSoftmaxProducts(const Group &group);

/// Takes the columns `n` out of the loops of ops that compute the same for each
/// of them, such as a broadcast of a row's sum.
void dropColumnsOfRows(Group &group, int64_t n);

/// These, and elementwise code before, between and after them, in one walk over
/// the columns.
LogicalResult emitSoftmaxProducts(Group &group, const SoftmaxProducts &products,
                                  const KernelContext &context);

/// A contraction of what elementwise code makes of another one
/// (Analysis/ChainedProducts.h): the numbers of the ops, and their dims.
struct ChainMembers {
  int64_t first, second;
  unsigned left;   ///< the input of `first` that has the rows
  unsigned middle; ///< the input of `second` that follows from `first`
  /// Rows, what `first` sums over, what `second` sums over, columns.
  int64_t m, k, r, n;
  /// Dims of the columns outside of n.
  SmallVector<int64_t> outerColumns;
};

/// Finds them in a group, if that is what it reduces.
std::optional<ChainMembers> matchChain(const Group &group);

/// These, and elementwise code before, between and after them.
LogicalResult emitChain(Group &group, const ChainMembers &chain,
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
