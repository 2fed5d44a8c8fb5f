//===- TileNest.cpp - which ops of a group share a parallel loop ----------===//

#include "TileNest.h"

#include "ContractionMatch.h"

using namespace mlir;
using namespace mlir::fusion;

/// Tiles of an elementwise nest have about this many elements, those of a
/// contraction this many rows and columns (multiples of its packed blocks).
static constexpr int64_t kTileElements = 16384;
static constexpr int64_t kContractionRows = 128;
static constexpr int64_t kContractionColumns = 256;

/// The least columns of a tile, so that its lines are whole vectors, and the
/// most where some input is read along another loop: such tiles are square.
static constexpr int64_t kLeastColumns = 256;
static constexpr int64_t kTransposedColumns = 128;

/// Whether `expr` grows by whole steps along each loop, so that a tile of the
/// loops reads one slice that begins where the tile does.
static bool isSteady(AffineExpr expr) {
  WalkResult result = expr.walk([](AffineExpr part) {
    bool isStep = isa<AffineDimExpr>(part) ||
                  part.getKind() == AffineExprKind::Add ||
                  part.getKind() == AffineExprKind::Mul;
    auto constant = dyn_cast<AffineConstantExpr>(part);
    return isStep || (constant && constant.getValue() >= 0)
               ? WalkResult::advance()
               : WalkResult::interrupt();
  });
  return !result.wasInterrupted();
}

/// Whether `op` can be cut into tiles. One that goes through nothing cannot: a
/// tile's size of 0 means that a loop is not tiled.
static bool canTile(linalg::LinalgOp op) {
  return !llvm::is_contained(op.getStaticLoopRanges(), 0) &&
         llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) {
           return llvm::all_of(map.getResults(), isSteady);
         });
}

/// The loops of `producer` that make the tile which `use` reads when `loops` of
/// the user are tiled; failure if a loop has no such counterpart: then several
/// tiles of the user need the same elements of the producer.
static FailureOr<TiledLoops> mapLoops(OpOperand &use, const TiledLoops &loops) {
  auto user = cast<linalg::LinalgOp>(use.getOwner());
  auto producer = cast<linalg::LinalgOp>(use.get().getDefiningOp());
  AffineMap read = user.getMatchingIndexingMap(&use);
  AffineMap written =
      producer.getIndexingMapMatchingResult(cast<OpResult>(use.get()));
  // Also the loops that are not tiled must agree: each dimension of the value
  // is one loop on both sides.
  if (!read.isProjectedPermutation() || !written.isProjectedPermutation()) {
    return failure();
  }
  TiledLoops result;
  for (unsigned loop : loops) {
    std::optional<unsigned> position =
        read.getResultPosition(getAffineDimExpr(loop, read.getContext()));
    if (!position) {
      return failure();
    }
    result.push_back(written.getDimPosition(*position));
  }
  return result;
}

/// The tiled loops of `producer` as all its users in `plan` agree on them.
static FailureOr<TiledLoops> mapLoops(linalg::LinalgOp producer,
                                      const NestPlan &plan) {
  std::optional<TiledLoops> result;
  for (OpOperand &use : producer->getUses()) {
    auto it = plan.ops.find(use.getOwner());
    if (it == plan.ops.end()) {
      continue;
    }
    FailureOr<TiledLoops> loops = mapLoops(use, it->second);
    if (failed(loops) || (result && *result != *loops)) {
      return failure();
    }
    result = *loops;
  }
  if (!result) {
    return failure();
  }
  return *result;
}

/// Whether all users of `op` come after `root` or are in the nest: then its
/// whole value may be yielded by the nest where someone else needs it.
static bool usersFollow(Operation *op, const NestPlan &plan) {
  return llvm::all_of(op->getUsers(), [&](Operation *user) {
    Operation *ancestor = op->getBlock()->findAncestorOpInBlock(*user);
    return plan.contains(user) ||
           (ancestor && plan.root->isBeforeInBlock(ancestor));
  });
}

/// Collects the ops of the nest whose root loops are `plan.rootLoops`. `missed`
/// gets the producers that were left out because their loops do not match.
static void collectOps(NestPlan &plan, const llvm::DenseSet<Operation *> &taken,
                       SmallVectorImpl<linalg::LinalgOp> &missed) {
  plan.ops.clear();
  missed.clear();
  plan.ops.insert({plan.root, plan.rootLoops});
  for (Operation *op = plan.root->getPrevNode(); op; op = op->getPrevNode()) {
    auto producer = dyn_cast<linalg::LinalgOp>(op);
    bool feeds = llvm::any_of(
        op->getUsers(), [&](Operation *user) { return plan.contains(user); });
    if (!producer || !feeds || taken.contains(op) || !usersFollow(op, plan) ||
        !canTile(producer)) {
      continue;
    }
    FailureOr<TiledLoops> loops = mapLoops(producer, plan);
    if (succeeded(loops)) {
      plan.ops.insert({op, *loops});
    } else {
      missed.push_back(producer);
    }
  }
}

/// Whether `op` or one of the linalg ops that it is computed from is a
/// reduction other than a contraction.
static bool dependsOnReduction(linalg::LinalgOp op) {
  llvm::SetVector<Operation *> worklist;
  worklist.insert(op);
  for (size_t i = 0; i < worklist.size(); ++i) {
    auto current = dyn_cast<linalg::LinalgOp>(worklist[i]);
    if (!current) {
      continue;
    }
    if (current.getNumReductionLoops() != 0 &&
        failed(matchContraction(current))) {
      return true;
    }
    for (Value operand : current->getOperands()) {
      if (Operation *producer = operand.getDefiningOp()) {
        worklist.insert(producer);
      }
    }
  }
  return false;
}

/// The loops of the root in `plan` that some loop of `missed` corresponds to:
/// tiling only these would let it join the nest.
static SmallVector<unsigned> matchingLoops(linalg::LinalgOp missed,
                                           const NestPlan &plan) {
  SmallVector<unsigned> result;
  for (size_t i = 0; i < plan.rootLoops.size(); ++i) {
    bool matches = llvm::all_of(missed->getUses(), [&](OpOperand &use) {
      auto it = plan.ops.find(use.getOwner());
      return it == plan.ops.end() ||
             succeeded(mapLoops(use, TiledLoops{it->second[i]}));
    });
    if (matches) {
      result.push_back(plan.rootLoops[i]);
    }
  }
  return result;
}

/// The loop along the last dimension of the results of `op`.
static std::optional<unsigned> getInnermostLoop(linalg::LinalgOp op) {
  AffineMap map = op.getIndexingMapsArray().back();
  if (map.getNumResults() == 0) {
    return std::nullopt;
  }
  auto dim = dyn_cast<AffineDimExpr>(map.getResults().back());
  return dim ? std::optional<unsigned>(dim.getPosition()) : std::nullopt;
}

/// Whether the root reads an input whose innermost dimension is not that of the
/// results.
static bool readsTransposed(linalg::LinalgOp op) {
  std::optional<unsigned> innermost = getInnermostLoop(op);
  return llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *input) {
    AffineMap map = op.getMatchingIndexingMap(input);
    return innermost && map.getNumResults() != 0 &&
           map.isFunctionOfDim(*innermost) &&
           !map.getResults().back().isFunctionOfDim(*innermost);
  });
}

/// Fills the tile sizes from the innermost loop out, up to a budget.
static void chooseTileSizes(NestPlan &plan) {
  bool contraction = llvm::any_of(plan.ops, [](auto &entry) {
    return succeeded(matchContraction(cast<linalg::LinalgOp>(entry.first)));
  });
  SmallVector<int64_t> extents = plan.root.getStaticLoopRanges();
  int64_t budget = contraction ? kContractionRows : kTileElements;
  // Loops that are not tiled are in every tile. A dynamic one counts as small:
  // too large a tile costs parallelism only.
  for (auto [loop, extent] : llvm::enumerate(extents)) {
    if (!contraction && !llvm::is_contained(plan.rootLoops, loop)) {
      int64_t size = ShapedType::isDynamic(extent) ? 1024 : extent;
      budget = std::max<int64_t>(1, budget / std::max<int64_t>(1, size));
    }
  }
  plan.tileSizes.assign(plan.rootLoops.size(), 1);
  std::optional<unsigned> last = getInnermostLoop(plan.root);
  bool transposed = readsTransposed(plan.root);
  for (int64_t i = plan.rootLoops.size() - 1; i >= 0; --i) {
    int64_t extent = extents[plan.rootLoops[i]];
    bool columns = contraction && plan.rootLoops[i] == last;
    int64_t limit = columns ? kContractionColumns : budget;
    if (!contraction && plan.rootLoops[i] == last) {
      limit = transposed ? kTransposedColumns : std::max(budget, kLeastColumns);
    }
    int64_t size = ShapedType::isDynamic(extent)
                       ? limit
                       : std::min(limit, std::max<int64_t>(extent, 1));
    plan.tileSizes[i] = size;
    budget = columns ? budget : std::max<int64_t>(1, budget / size);
  }
}

/// The fewer root loops with which a reduction that `missed` depends on would
/// join the nest, if there are such.
static std::optional<SmallVector<unsigned>>
findFewerLoops(const NestPlan &plan, ArrayRef<linalg::LinalgOp> missed) {
  for (linalg::LinalgOp op : missed) {
    SmallVector<unsigned> loops = matchingLoops(op, plan);
    if (dependsOnReduction(op) && !loops.empty() &&
        loops.size() < plan.rootLoops.size()) {
      return loops;
    }
  }
  return std::nullopt;
}

NestPlan fusion::planNest(linalg::LinalgOp root,
                          const llvm::DenseSet<Operation *> &taken) {
  NestPlan plan;
  plan.root = root;
  for (auto [loop, iterator] : llvm::enumerate(root.getIteratorTypesArray())) {
    if (iterator == utils::IteratorType::parallel && canTile(root)) {
      plan.rootLoops.push_back(loop);
    }
  }
  if (plan.rootLoops.empty()) {
    plan.ops.insert({root, TiledLoops()});
    return plan;
  }
  SmallVector<linalg::LinalgOp> missed;
  collectOps(plan, taken, missed);
  while (auto loops = findFewerLoops(plan, missed)) {
    plan.rootLoops = *loops;
    collectOps(plan, taken, missed);
  }
  chooseTileSizes(plan);
  return plan;
}
