//===- SinkTransposes.cpp - transposes move down to contractions ----------===//

#include "fusion/Analysis/IndexingMaps.h"
#include "fusion/Analysis/IterationSpace.h"
#include "fusion/Analysis/Movement.h"
#include "fusion/Dialect/Fusion/IR/Directives.h"
#include "fusion/Planner/FormGroups.h"
#include "fusion/Planner/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"

using namespace mlir;
using namespace mlir::fusion;
using linalg::LinalgOp;

namespace mlir::fusion {
#define GEN_PASS_DEF_SINKTRANSPOSES
#include "fusion/Planner/Passes.h.inc"
} // namespace mlir::fusion

/// Returns whether `op` computes each element of its one result from its
/// operands, and does not just move them.
static bool isComputation(LinalgOp op) {
  if (!op.hasPureTensorSemantics() || !op.isAllParallelLoops() ||
      op->getNumResults() != 1 || op->hasAttr(kNoFuseAttr) ||
      op->hasAttr(kFuseWithAttr) || isa<linalg::FillOp>(op) ||
      op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)) ||
      !op.getIndexingMapMatchingResult(op->getResult(0)).isPermutation()) {
    return false;
  }
  return !getMovement(op);
}

/// Collects the ops whose results nothing but contractions read in the end.
static DenseSet<Operation *> findFeeders(ArrayRef<LinalgOp> ops) {
  DenseSet<Operation *> feeders;
  for (LinalgOp op : llvm::reverse(ops)) {
    bool feeds =
        isComputation(op) && !op->use_empty() &&
        llvm::all_of(op->getUses(), [&](OpOperand &use) {
          auto reader = dyn_cast<LinalgOp>(use.getOwner());
          return reader && reader.isDpsInput(&use) &&
                 reader->getBlock() == op->getBlock() &&
                 (feeders.contains(reader) ||
                  getIterationSpace(reader).role == OpRole::Contraction);
        });
    if (feeds) {
      feeders.insert(op);
    }
  }
  return feeders;
}

/// Returns an input of `op` that is a transpose which nothing else reads, of as
/// many dims as `op` has loops; null where there is none.
static OpOperand *findTransposed(LinalgOp op) {
  for (OpOperand *input : op.getDpsInputOperands()) {
    auto producer = input->get().getDefiningOp<LinalgOp>();
    if (!producer || !input->get().hasOneUse() ||
        producer->hasAttr(kNoFuseAttr) ||
        !op.getMatchingIndexingMap(input).isPermutation()) {
      continue;
    }
    std::optional<Movement> movement = getMovement(producer);
    if (movement && movement->map.isPermutation() &&
        !movement->map.isIdentity()) {
      return input;
    }
  }
  return nullptr;
}

/// Lets `op` run on the dims of what `input` transposes, with a transpose of
/// its result behind it.
static void sink(IRRewriter &rewriter, LinalgOp op, OpOperand *input) {
  unsigned number = input->getOperandNumber();
  auto producer = cast<LinalgOp>(input->get().getDefiningOp());
  Movement movement = *getMovement(producer);
  rewriter.setInsertionPoint(op);
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!generic) {
    generic = *linalg::generalizeNamedOp(rewriter, op);
  }
  Location loc = generic.getLoc();
  SmallVector<AffineMap> maps = generic.getIndexingMapsArray();
  AffineMap written = maps.back();
  AffineMap composed = movement.map.compose(maps[number]);
  // The destination, in the order of the source.
  Value init = generic.getDpsInits()[0];
  auto type = cast<RankedTensorType>(init.getType());
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(rewriter, loc, init);
  SmallVector<OpFoldResult> turned;
  SmallVector<unsigned> loops;
  SmallVector<int64_t> back(type.getRank());
  for (unsigned dim = 0, e = composed.getNumResults(); dim < e; ++dim) {
    unsigned loop = composed.getDimPosition(dim);
    unsigned old = *written.getResultPosition(composed.getResult(dim));
    turned.push_back(sizes[old]);
    loops.push_back(loop);
    back[old] = dim;
  }
  Value empty =
      tensor::EmptyOp::create(rewriter, loc, turned, type.getElementType());
  maps[number] = composed;
  maps.back() = composed;
  SmallVector<Value> inputs(generic.getInputs());
  inputs[number] = movement.source;
  auto moved =
      linalg::GenericOp::create(rewriter, loc, empty.getType(), inputs, empty,
                                maps, generic.getIteratorTypesArray());
  moved->setDiscardableAttrs(generic->getDiscardableAttrDictionary());
  rewriter.inlineRegionBefore(generic.getRegion(), moved.getRegion(),
                              moved.getRegion().begin());
  FailureOr<linalg::GenericOp> ordered =
      linalg::interchangeGenericOp(rewriter, moved, loops);
  moved = succeeded(ordered) ? *ordered : moved;
  rewriter.setInsertionPointAfter(moved);
  Value home =
      tensor::EmptyOp::create(rewriter, loc, sizes, type.getElementType());
  auto transpose = linalg::TransposeOp::create(rewriter, loc,
                                               moved->getResult(0), home, back);
  rewriter.replaceOp(generic, transpose->getResults());
  if (producer->use_empty()) {
    rewriter.eraseOp(producer);
  }
}

void fusion::sinkTransposes(func::FuncOp func) {
  SmallVector<LinalgOp> ops;
  func.walk([&](LinalgOp op) { ops.push_back(op); });
  DenseSet<Operation *> feeders = findFeeders(ops);
  IRRewriter rewriter(func.getContext());
  for (LinalgOp op : ops) {
    // Transposes that are erased on the way are no feeders.
    if (!feeders.contains(op)) {
      continue;
    }
    if (OpOperand *input = findTransposed(op)) {
      sink(rewriter, op, input);
    }
  }
}

namespace {
struct SinkTransposesPass
    : mlir::fusion::impl::SinkTransposesBase<SinkTransposesPass> {
  void runOnOperation() override { sinkTransposes(getOperation()); }
};
} // namespace
