//===- FuseResultRows.cpp - reductions in the kernels of contractions -----===//
//
// What a contraction makes may be reduced in its kernel where a tile has all of
// the elements that are combined: whole rows (a softmax over few classes, a
// norm of each head) or whole columns (the mean over the places of an image).
// Then nothing but the loops over tiles changes: the sums stay in registers.
//
//===----------------------------------------------------------------------===//

#include "Reasons.h"
#include "fusion/Analysis/IndexingMaps.h"
#include "fusion/Planner/KernelWork.h"
#include "fusion/Planner/Partition.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::fusion;
using linalg::LinalgOp;

namespace {
/// Follows loops of products to the ops that read what they make.
class LoopFollower {
public:
  explicit LoopFollower(ArrayRef<const Unit *> products) {
    for (const Unit *product : products) {
      for (unsigned loop : product->space.parallel) {
        images[{product, loop}] = loop;
      }
      add(product);
    }
  }
  /// Maps the loops of `unit` along which it reads what follows from a product.
  void follow(const Unit *unit);
  /// Returns the loop of products that `loop` of `unit` follows, if any.
  std::optional<unsigned> getImage(const Unit *unit, unsigned loop) const {
    auto it = images.find({unit, loop});
    return it == images.end() ? std::nullopt : std::optional(it->second);
  }

private:
  void add(const Unit *unit) {
    for (const UnitValue &made : unit->values) {
      makers[made.value] = unit;
    }
  }

  DenseMap<std::pair<const Unit *, unsigned>, unsigned> images;
  DenseMap<Value, const Unit *> makers;
};
} // namespace

void LoopFollower::follow(const Unit *unit) {
  bool follows = false;
  for (const UnitRead &read : unit->reads) {
    const Unit *maker = makers.lookup(read.value);
    if (!maker || maker == unit || !read.map) {
      continue;
    }
    AffineMap written = maker->getMapOf(read.value);
    for (unsigned dim = 0, e = read.map.getNumResults(); dim < e; ++dim) {
      std::optional<unsigned> from = getLoopAt(read.map, dim);
      std::optional<unsigned> to = getLoopAt(written, dim);
      std::optional<unsigned> image = to ? getImage(maker, *to) : to;
      if (from && image) {
        images.try_emplace({unit, *from}, *image);
      }
    }
    follows = true;
  }
  if (follows) {
    add(unit);
  }
}

SmallVector<unsigned> fusion::findHeldLoops(ArrayRef<const Unit *> units,
                                            ArrayRef<const Unit *> products) {
  SmallVector<unsigned> held;
  bool reduces = llvm::any_of(units, [](const Unit *unit) {
    return unit->space.role == OpRole::Reduction;
  });
  if (!reduces || products.empty()) {
    return held;
  }
  LoopFollower follower(products);
  DenseSet<unsigned> found;
  for (const Unit *unit : units) {
    if (llvm::is_contained(products, unit)) {
      continue;
    }
    follower.follow(unit);
    for (unsigned loop : unit->space.reduced) {
      if (std::optional<unsigned> image = follower.getImage(unit, loop)) {
        found.insert(*image);
      }
    }
  }
  llvm::copy_if(products.front()->space.parallel, std::back_inserter(held),
                [&](unsigned loop) { return found.contains(loop); });
  return held;
}

/// Checks that `held` are loops of one operand of `product` alone, side by side
/// in its result.
static FusionDecision checkSide(const Unit &product, ArrayRef<unsigned> held) {
  LinalgOp op = product.anchor;
  AffineMap maps[] = {op.getMatchingIndexingMap(op.getDpsInputOperand(0)),
                      op.getMatchingIndexingMap(op.getDpsInputOperand(1))};
  bool ofFirst = maps[0].isFunctionOfDim(held.front());
  bool ofOne = llvm::all_of(held, [&](unsigned loop) {
    return maps[0].isFunctionOfDim(loop) == ofFirst &&
           maps[1].isFunctionOfDim(loop) != ofFirst;
  });
  if (!ofOne) {
    return FusionDecision::forbid(
        kTilesHoldNoRows +
        ": it is over dims that are not those of one operand");
  }
  auto *at = llvm::find(product.space.parallel, held.front());
  for (unsigned loop : held) {
    if (at == product.space.parallel.end() || *at != loop) {
      return FusionDecision::forbid(kTilesHoldNoRows +
                                    ": it is over dims that do not follow each "
                                    "other in the contraction's result");
    }
    ++at;
  }
  return FusionDecision::allow();
}

/// Checks what `unit`, of a kernel that reduces the results of contractions, is
/// by itself.
static FusionDecision checkUnit(const Unit &unit) {
  if (unit.space.role == OpRole::Window) {
    return FusionDecision::forbid(kTilesHoldNoRows +
                                  ": they are of windows, not of products");
  }
  if (unit.space.role == OpRole::Contraction) {
    if (unit.hasTwoContractions()) {
      return FusionDecision::forbid(
          kTilesHoldNoRows +
          ": they are of two contractions, one after the other");
    }
    return multipliesTiles(unit.anchor)
               ? FusionDecision::allow()
               : FusionDecision::forbid(
                     kTilesHoldNoRows +
                     ": only products of f16, bf16 or f32 have tiles");
  }
  if (unit.space.role != OpRole::Reduction) {
    return FusionDecision::allow();
  }
  LinalgOp op = unit.anchor;
  SmallVector<BlockArgument> carried(op.getRegionOutputArgs());
  bool combines =
      llvm::all_of(llvm::seq<unsigned>(0, carried.size()), [&](unsigned i) {
        SmallVector<Operation *> combiners;
        return matchReduction(carried, i, combiners) && combiners.size() == 1 &&
               arith::getNeutralElement(combiners.front());
      });
  if (!combines || unit.space.partSize != 0) {
    return FusionDecision::forbid(
        kTilesHoldNoRows +
        (combines ? ": it is in parts" : ": it goes from element to element"));
  }
  return FusionDecision::allow();
}

FusionDecision Partition::checkResultRows(const Cluster &merged) const {
  SmallVector<const Unit *> units, products;
  for (unsigned index : merged.units) {
    const Unit &unit = graph.units[index];
    if (FusionDecision decision = checkUnit(unit); !decision) {
      return decision;
    }
    units.push_back(&unit);
    if (unit.space.role == OpRole::Contraction) {
      products.push_back(&unit);
    }
  }
  SmallVector<unsigned> held = findHeldLoops(units, products);
  if (held.size() != merged.held.size()) {
    return FusionDecision::forbid(
        kTilesHoldNoRows + ": it is not over dims of the contraction's result");
  }
  if (FusionDecision decision = checkSide(*products.front(), held); !decision) {
    return decision;
  }
  std::optional<ProductsShape> shape = getProductsShape(products, held);
  if (!shape) {
    return FusionDecision::forbid(kTilesHoldNoRows +
                                  ": a matrix times a vector has no tiles");
  }
  std::string reason =
      refuseHeldRows(*shape, getPinnedSchedule(graph, merged), options.device);
  return reason.empty()
             ? FusionDecision::allow()
             : FusionDecision::forbid(kTilesHoldNoRows + ": " + reason);
}
