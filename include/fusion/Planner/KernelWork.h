//===- KernelWork.h - how the kernel of some units will work ----*- C++ -*-===//
//
// Estimates need to know how code generation will go about a group: what it
// takes for the rows and columns of a product, which schedule it chooses, how
// operands are fetched. This is asked of the same functions (Schedule/Choose.h)
// before there is a group.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_PLANNER_KERNELWORK_H
#define FUSION_PLANNER_KERNELWORK_H

#include "fusion/Cost/Roofline.h"
#include "fusion/Planner/Units.h"
#include "fusion/Schedule/Choose.h"

namespace mlir::fusion {

/// The matrix products of some units of equal space as one kernel sees them.
struct ProductsShape {
  /// Sizes known only at run time are ShapedType::kDynamic.
  ContractionShape shape;
  /// The operands along m and n are read in windows.
  bool windowM = false, windowN = false;
  /// Their rows in memory are multiples of 16 bytes; of windows: places of k
  /// that lie side by side are.
  bool alignedM = true, alignedN = true;
  /// Operations for each element of the operands along m and n that the kernel
  /// computes: 0 where it only loads them.
  double opsM = 0, opsN = 0;
  /// The bytes of memory that each such element is computed from, factors for
  /// whole rows and columns aside.
  double bytesM = 0, bytesN = 0;
  /// Elements fetched at computed positions for each of these.
  double fetchesM = 0, fetchesN = 0;
  /// How many reductions of their rows, each of which needs the one before, it
  /// does first.
  unsigned rowLevels = 0;
};

/// Returns the position in which neighbours in memory of `operand`, of `op`,
/// differ: that in its last dim of another size than one; null where it has no
/// such dim.
AffineExpr getInnermostPosition(linalg::LinalgOp op, OpOperand *operand);

/// Returns the shape of `units`, contractions; nothing where an operand has no
/// dim of its own, a matrix times a vector, or where the types are none that
/// kernels of tiles multiply: f16, bf16 or f32 with sums in f32.
/// A tile has all of the loops `held` of these, own loops of one operand.
std::optional<ProductsShape> getProductsShape(ArrayRef<const Unit *> units,
                                              ArrayRef<unsigned> held = {});

/// Returns the loops of `products`, some of `units`, that reductions of what
/// follows from them run over, in the order of the products' loops: tiles of
/// their kernel have all of them.
SmallVector<unsigned> findHeldLoops(ArrayRef<const Unit *> units,
                                    ArrayRef<const Unit *> products);

/// Returns whether code generation multiplies tiles of the operands of `op`.
bool multipliesTiles(linalg::LinalgOp op);

/// Returns why no tile has the whole rows or columns that are reduced after
/// `products`, with the schedule `pinned` where that is not null; empty if one
/// does.
std::string refuseHeldRows(const ProductsShape &products, DictionaryAttr pinned,
                           const DeviceModel &device);

/// Returns the microseconds that the loop of the kernel of `products`, of which
/// no operand is computed, takes on `device`.
double estimateProducts(const ProductsShape &products,
                        const DeviceModel &device);

/// Returns the loops of `unit`, a contraction, along which its tiles have their
/// columns and, where there are any, their rows.
SmallVector<unsigned> getTiledLoops(const Unit &unit);

/// Returns pairs of loops of `unit`, a contraction, that its tiles run along as
/// one where they are neighbours in every array: the outer, then the inner one.
SmallVector<std::pair<unsigned, unsigned>> getMergedLoops(const Unit &unit);

/// Returns the rows that `op`, a reduction with the space `space`, has for its
/// kernel; sizes known only at run time are ShapedType::kDynamic.
RowsShape getRowsShape(linalg::LinalgOp op, const IterationSpace &space);

/// Describes in `work` how the kernel of `reductions` reductions over rows of
/// `shape` works with `schedule`.
void addRowsWork(RowsShape shape, const Schedule &schedule, size_t reductions,
                 KernelWork &work);

/// Describes in `work`, which has the arithmetic of `units` already, the loop
/// or the rows of the kernel that they become on `device`, with the schedule
/// `pinned` where that is not null. Leaves `work` alone for elementwise units
/// and for CPUs.
void addSchedule(ArrayRef<const Unit *> units, DictionaryAttr pinned,
                 const DeviceModel &device, KernelWork &work);

} // namespace mlir::fusion

#endif // FUSION_PLANNER_KERNELWORK_H
