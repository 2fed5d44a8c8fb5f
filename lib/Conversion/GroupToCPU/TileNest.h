//===- TileNest.h - which ops of a group share a parallel loop --*- C++ -*-===//

#ifndef LIB_CONVERSION_GROUPTOCPU_TILENEST_H
#define LIB_CONVERSION_GROUPTOCPU_TILENEST_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::fusion {

/// The loops of one op that the loops of a nest tile: entry i is the loop that
/// is tiled together with root loop `NestPlan::rootLoops[i]`.
using TiledLoops = SmallVector<unsigned>;

/// One parallel loop over tiles of a root op, and the ops computed in it.
struct NestPlan {
  linalg::LinalgOp root;
  /// The loops of the root that are tiled, and by how much.
  SmallVector<unsigned> rootLoops;
  SmallVector<int64_t> tileSizes;
  /// The ops of the nest, the root included, last first.
  llvm::MapVector<Operation *, TiledLoops> ops;

  bool contains(Operation *op) const { return op && ops.count(op); }
};

/// Plans the nest of `root`: which of its loops are tiled, and which producers
/// in its block, outside of `taken`, are computed in it. No loops are tiled
/// where that would gain nothing.
NestPlan planNest(linalg::LinalgOp root,
                  const llvm::DenseSet<Operation *> &taken);

} // namespace mlir::fusion

#endif // LIB_CONVERSION_GROUPTOCPU_TILENEST_H
