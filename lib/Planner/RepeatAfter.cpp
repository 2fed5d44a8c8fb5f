//===- RepeatAfter.cpp - elementwise code before repetitions --------------===//

#include "RepeatAfter.h"

#include "fusion/Analysis/Movement.h"
#include "fusion/Dialect/Fusion/IR/Directives.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {
/// What an op reads behind the ops that only move elements.
struct Reads {
  SmallVector<Value> sources;
  SmallVector<AffineMap> maps;
  llvm::SmallBitVector loops; ///< of the op, that one of them varies with
};
} // namespace

static Reads traceReads(linalg::GenericOp op) {
  Reads reads;
  reads.loops.resize(op.getNumLoops());
  for (OpOperand *input : op.getDpsInputOperands()) {
    Movement movement = traceMovement(input->get());
    AffineMap map = movement.map.compose(op.getMatchingIndexingMap(input));
    for (unsigned loop = 0, e = op.getNumLoops(); loop < e; ++loop) {
      if (map.isFunctionOfDim(loop)) {
        reads.loops.set(loop);
      }
    }
    reads.sources.push_back(movement.source);
    reads.maps.push_back(map);
  }
  op.walk([&](linalg::IndexOp index) { reads.loops.set(index.getDim()); });
  return reads;
}

/// Whether the op's one result lies as its loops do, and depends on nothing
/// else than its inputs.
static bool isPlain(linalg::GenericOp op) {
  return op.isAllParallelLoops() && op.hasPureTensorSemantics() &&
         op->getNumResults() == 1 && op.getNumDpsInputs() != 0 &&
         op.getIndexingMapsArray().back().isIdentity() &&
         !op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)) &&
         !op->hasAttr(kNoFuseAttr) && !getMovement(op);
}

/// Makes `op` over the loops `kept`, reading `reads`.
static Value computeOnce(RewriterBase &rewriter, linalg::GenericOp op,
                         const Reads &reads, ArrayRef<unsigned> kept) {
  Location loc = op.getLoc();
  MLIRContext *context = op.getContext();
  SmallVector<AffineExpr> newLoops(op.getNumLoops(),
                                   getAffineConstantExpr(0, context));
  SmallVector<OpFoldResult> all =
      tensor::getMixedSizes(rewriter, loc, op.getDpsInits()[0]);
  SmallVector<OpFoldResult> sizes;
  for (auto [position, loop] : llvm::enumerate(kept)) {
    newLoops[loop] = getAffineDimExpr(position, context);
    sizes.push_back(all[loop]);
  }
  SmallVector<AffineMap> maps;
  for (AffineMap map : reads.maps) {
    maps.push_back(map.replaceDimsAndSymbols(newLoops, {}, kept.size(), 0));
  }
  maps.push_back(rewriter.getMultiDimIdentityMap(kept.size()));
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Value empty =
      tensor::EmptyOp::create(rewriter, loc, sizes, type.getElementType());
  SmallVector<utils::IteratorType> parallel(kept.size(),
                                            utils::IteratorType::parallel);
  auto once = linalg::GenericOp::create(rewriter, loc, empty.getType(),
                                        reads.sources, empty, maps, parallel);
  rewriter.cloneRegionBefore(op.getRegion(), once.getRegion(),
                             once.getRegion().end());
  once.walk([&](linalg::IndexOp index) {
    index.setDim(cast<AffineDimExpr>(newLoops[index.getDim()]).getPosition());
  });
  return once->getResult(0);
}

bool fusion::repeatAfter(RewriterBase &rewriter, linalg::GenericOp op) {
  if (!isPlain(op)) {
    return false;
  }
  Reads reads = traceReads(op);
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  SmallVector<unsigned> kept;
  bool repeats = false;
  for (unsigned loop = 0, e = op.getNumLoops(); loop < e; ++loop) {
    bool varies = reads.loops.test(loop);
    repeats |= !varies && sizes[loop] != 1;
    if (varies || sizes[loop] == 1) {
      kept.push_back(loop);
    }
  }
  if (!repeats) {
    return false;
  }
  rewriter.setInsertionPoint(op);
  Value once = computeOnce(rewriter, op, reads, kept);
  SmallVector<AffineExpr> dims;
  for (unsigned loop : kept) {
    dims.push_back(rewriter.getAffineDimExpr(loop));
  }
  AffineMap map =
      AffineMap::get(op.getNumLoops(), 0, dims, rewriter.getContext());
  AffineMap whole = rewriter.getMultiDimIdentityMap(op.getNumLoops());
  SmallVector<utils::IteratorType> parallel(op.getNumLoops(),
                                            utils::IteratorType::parallel);
  auto pass = [](OpBuilder &body, Location loc, ValueRange args) {
    linalg::YieldOp::create(body, loc, args.front());
  };
  Value init = op.getDpsInits()[0];
  rewriter.replaceOpWithNewOp<linalg::GenericOp>(
      op, init.getType(), once, init, ArrayRef<AffineMap>{map, whole}, parallel,
      pass);
  return true;
}
