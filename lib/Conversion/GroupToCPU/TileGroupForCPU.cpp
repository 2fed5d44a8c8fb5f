//===- TileGroupForCPU.cpp - groups to parallel loops over tiles ----------===//

#include "fusion/Conversion/GroupToCPU/GroupToCPU.h"
#include "fusion/Conversion/Passes.h"

#include "TileNest.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/TilingInterface.h"

using namespace mlir;
using namespace mlir::fusion;

namespace mlir::fusion {
#define GEN_PASS_DEF_TILEGROUPFORCPU
#include "fusion/Conversion/Passes.h.inc"
} // namespace mlir::fusion

namespace {

/// Offset and size of a tile in each loop of an op.
struct Tile {
  SmallVector<OpFoldResult> offsets, sizes;
};

/// Builds the loop of one nest and the tiled ops in it.
class NestBuilder {
public:
  NestBuilder(RewriterBase &rewriter, NestPlan &plan)
      : rewriter(rewriter), plan(plan), loc(plan.root.getLoc()) {}
  LogicalResult build();

private:
  void findResults();
  scf::ForallOp createLoop();
  Tile getTile(linalg::LinalgOp op, const TiledLoops &loops);
  LogicalResult tileOp(linalg::LinalgOp op, const TiledLoops &loops);
  OpResult getFirstWrite(OpResult result);
  Value getDestination(OpResult result);
  void redirectSlices(ArrayRef<Operation *> slices);
  void redirectInits(linalg::LinalgOp op, linalg::LinalgOp tiledOp);
  LogicalResult insertResult(OpResult result, BlockArgument destination);

  RewriterBase &rewriter;
  NestPlan &plan;
  Location loc;
  scf::ForallOp forall;
  SmallVector<OpFoldResult> offsets, sizes; // of the root's tiled loops
  SmallVector<OpResult> results;            // that someone outside needs
  llvm::DenseMap<Value, Value> tiles;       // of values computed in the nest
  llvm::DenseMap<Operation *, Tile> opTiles;
};

} // namespace

/// Makes queries of the shape of a result of `op` read its init instead, which
/// has the same: shapes keep no op alive.
static void forwardDims(RewriterBase &rewriter, linalg::LinalgOp op) {
  for (OpResult result : op->getResults()) {
    Value init = op.getTiedOpOperand(result)->get();
    rewriter.replaceUsesWithIf(result, init, [](OpOperand &use) {
      return isa<tensor::DimOp>(use.getOwner());
    });
  }
}

/// The values of the nest that are used outside of it, in the order of the ops.
void NestBuilder::findResults() {
  for (auto &[op, loops] : llvm::reverse(plan.ops)) {
    for (OpResult result : op->getResults()) {
      if (llvm::any_of(result.getUsers(),
                       [&](Operation *user) { return !plan.contains(user); })) {
        results.push_back(result);
      }
    }
  }
}

/// Follows the inits of `result` to the first op of the nest that writes there;
/// its result.
OpResult NestBuilder::getFirstWrite(OpResult result) {
  while (true) {
    auto op = cast<linalg::LinalgOp>(result.getOwner());
    Value init = op.getTiedOpOperand(result)->get();
    if (!plan.contains(init.getDefiningOp())) {
      return result;
    }
    result = cast<OpResult>(init);
  }
}

/// The tensor that `result` overwrites, before any op of the nest did.
Value NestBuilder::getDestination(OpResult result) {
  OpResult first = getFirstWrite(result);
  return cast<linalg::LinalgOp>(first.getOwner())
      .getTiedOpOperand(first)
      ->get();
}

scf::ForallOp NestBuilder::createLoop() {
  SmallVector<Range> ranges = plan.root.createLoopRanges(rewriter, loc);
  SmallVector<OpFoldResult> lbs, ubs, steps;
  for (auto [loop, size] : llvm::zip_equal(plan.rootLoops, plan.tileSizes)) {
    lbs.push_back(rewriter.getIndexAttr(0));
    ubs.push_back(ranges[loop].size);
    steps.push_back(rewriter.getIndexAttr(size));
  }
  SmallVector<Value> destinations = llvm::map_to_vector(
      results, [&](OpResult result) { return getDestination(result); });
  auto forall = scf::ForallOp::create(rewriter, loc, lbs, ubs, steps,
                                      destinations, /*mapping=*/std::nullopt);
  rewriter.setInsertionPoint(forall.getTerminator());
  AffineExpr iv, extent;
  bindDims(rewriter.getContext(), iv, extent);
  for (auto [i, size] : llvm::enumerate(plan.tileSizes)) {
    Value offset = forall.getInductionVar(i);
    auto map = AffineMap::get(
        2, 0, {rewriter.getAffineConstantExpr(size), extent - iv},
        rewriter.getContext());
    offsets.push_back(offset);
    std::optional<int64_t> whole = getConstantIntValue(ubs[i]);
    if (whole && *whole % size == 0) {
      sizes.push_back(rewriter.getIndexAttr(size));
      continue;
    }
    sizes.push_back(affine::makeComposedFoldedAffineMin(
        rewriter, loc, map, {OpFoldResult(offset), ubs[i]}));
  }
  return forall;
}

Tile NestBuilder::getTile(linalg::LinalgOp op, const TiledLoops &loops) {
  Tile tile;
  for (Range range : op.createLoopRanges(rewriter, op.getLoc())) {
    tile.offsets.push_back(rewriter.getIndexAttr(0));
    tile.sizes.push_back(range.size);
  }
  for (auto [i, loop] : llvm::enumerate(loops)) {
    tile.offsets[loop] = offsets[i];
    tile.sizes[loop] = sizes[i];
  }
  return tile;
}

/// Makes the tiled op, whose operands are `slices`, read the tiles computed
/// before it.
void NestBuilder::redirectSlices(ArrayRef<Operation *> slices) {
  for (Operation *generated : slices) {
    auto slice = dyn_cast<tensor::ExtractSliceOp>(generated);
    if (!slice) {
      continue;
    }
    if (Value tile = tiles.lookup(slice.getSource())) {
      rewriter.setInsertionPointAfter(slice);
      Value value =
          tile.getType() == slice.getType()
              ? tile
              : tensor::CastOp::create(rewriter, loc, slice.getType(), tile);
      rewriter.replaceOp(slice, value);
    }
  }
}

/// Makes `tiledOp`, if its original `op` is the first of the nest to write a
/// result of the loop, write to the destination of the loop.
void NestBuilder::redirectInits(linalg::LinalgOp op, linalg::LinalgOp tiledOp) {
  for (size_t number = 0; number < results.size(); ++number) {
    OpResult value = getFirstWrite(results[number]);
    if (value.getOwner() != op) {
      continue;
    }
    OpOperand *init = op.getTiedOpOperand(value);
    Value tiledInit = tiledOp->getOperand(init->getOperandNumber());
    if (auto slice = tiledInit.getDefiningOp<tensor::ExtractSliceOp>()) {
      rewriter.modifyOpInPlace(slice, [&] {
        slice.getSourceMutable().assign(forall.getRegionIterArgs()[number]);
      });
    }
  }
}

LogicalResult NestBuilder::tileOp(linalg::LinalgOp op,
                                  const TiledLoops &loops) {
  rewriter.setInsertionPoint(forall.getTerminator());
  Tile tile = getTile(op, loops);
  auto tilable = dyn_cast<TilingInterface>(op.getOperation());
  FailureOr<TilingResult> tiled =
      tilable
          ? tilable.getTiledImplementation(rewriter, tile.offsets, tile.sizes)
          : FailureOr<TilingResult>(failure());
  if (failed(tiled) || tiled->tiledOps.size() != 1) {
    return op.emitOpError("expected an op that can be tiled");
  }
  redirectInits(op, cast<linalg::LinalgOp>(tiled->tiledOps.front()));
  redirectSlices(tiled->generatedSlices);
  for (auto [value, tileValue] :
       llvm::zip_equal(op->getResults(), tiled->tiledValues)) {
    tiles[value] = tileValue;
  }
  opTiles[op] = std::move(tile);
  return success();
}

LogicalResult NestBuilder::insertResult(OpResult result,
                                        BlockArgument destination) {
  auto tilable = cast<TilingInterface>(result.getOwner());
  const Tile &tile = opTiles[result.getOwner()];
  SmallVector<OpFoldResult> offsets, sizes;
  rewriter.setInsertionPoint(forall.getTerminator());
  if (failed(tilable.getResultTilePosition(rewriter, result.getResultNumber(),
                                           tile.offsets, tile.sizes, offsets,
                                           sizes))) {
    return result.getOwner()->emitOpError(
        "expected a result that can be tiled");
  }
  SmallVector<OpFoldResult> strides(offsets.size(), rewriter.getIndexAttr(1));
  rewriter.setInsertionPointToEnd(forall.getTerminator().getBody());
  tensor::ParallelInsertSliceOp::create(rewriter, loc, tiles[result],
                                        destination, offsets, sizes, strides);
  return success();
}

LogicalResult NestBuilder::build() {
  findResults();
  rewriter.setInsertionPoint(plan.root);
  forall = createLoop();
  for (auto &[op, loops] : llvm::reverse(plan.ops)) {
    if (failed(tileOp(cast<linalg::LinalgOp>(op), loops))) {
      return failure();
    }
  }
  for (auto [result, destination] :
       llvm::zip_equal(results, forall.getRegionIterArgs())) {
    if (failed(insertResult(result, destination))) {
      return failure();
    }
  }
  // Tiles ask for shapes of results inside of the loop, where its own results
  // are not to be seen.
  for (auto &[op, loops] : plan.ops) {
    forwardDims(rewriter, cast<linalg::LinalgOp>(op));
  }
  for (auto [result, value] : llvm::zip_equal(results, forall.getResults())) {
    rewriter.replaceAllUsesWith(result, value);
  }
  for (auto &[op, loops] : plan.ops) {
    rewriter.eraseOp(op);
  }
  return success();
}

/// Whether a result of `op` has no elements: nothing is computed, and tiles of
/// nothing have no sizes.
static bool hasEmptyResult(linalg::LinalgOp op) {
  return llvm::any_of(op->getResultTypes(), [](Type type) {
    return llvm::is_contained(cast<ShapedType>(type).getShape(), 0);
  });
}

/// Tiles the linalg ops of `block`, from the last to the first.
static LogicalResult tileBlock(RewriterBase &rewriter, Block &block) {
  SmallVector<linalg::LinalgOp> ops(block.getOps<linalg::LinalgOp>());
  for (linalg::LinalgOp op : llvm::reverse(ops)) {
    if (op.hasPureTensorSemantics()) {
      forwardDims(rewriter, op);
    }
  }
  llvm::DenseSet<Operation *> taken;
  for (linalg::LinalgOp op : llvm::reverse(ops)) {
    if (taken.contains(op) || !op.hasPureTensorSemantics() ||
        hasEmptyResult(op)) {
      continue;
    }
    NestPlan plan = planNest(op, taken);
    for (auto &[member, loops] : plan.ops) {
      taken.insert(member);
    }
    if (!plan.rootLoops.empty() &&
        failed(NestBuilder(rewriter, plan).build())) {
      return failure();
    }
  }
  return success();
}

LogicalResult fusion::tileGroupForCPU(func::FuncOp group) {
  SmallVector<Block *> blocks;
  group.walk([&](Block *block) {
    if (!isa<linalg::LinalgOp>(block->getParentOp())) {
      blocks.push_back(block);
    }
  });
  IRRewriter rewriter(group.getContext());
  for (Block *block : blocks) {
    if (failed(tileBlock(rewriter, *block))) {
      return failure();
    }
  }
  return success();
}

namespace {
struct TileGroupForCPU : fusion::impl::TileGroupForCPUBase<TileGroupForCPU> {
  void runOnOperation() override {
    if (!getOperation().isExternal() &&
        failed(tileGroupForCPU(getOperation()))) {
      signalPassFailure();
    }
  }
};
} // namespace
