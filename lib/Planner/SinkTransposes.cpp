//===- SinkTransposes.cpp - transposes move down to contractions ----------===//

#include "fusion/Analysis/FusionDecision.h"
#include "fusion/Analysis/IterationSpace.h"
#include "fusion/Analysis/Movement.h"
#include "fusion/Dialect/Fusion/IR/Directives.h"
#include "fusion/Dialect/Fusion/Transforms/GenericForm.h"
#include "fusion/Planner/FormGroups.h"
#include "fusion/Planner/Passes.h"
#include "fusion/Planner/ReportKept.h"
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

/// Returns whether a transpose makes what `input` reads.
static bool isTransposed(OpOperand *input) {
  auto producer = input->get().getDefiningOp<LinalgOp>();
  std::optional<Movement> movement =
      producer ? getMovement(producer) : std::nullopt;
  return movement && movement->map.isPermutation() &&
         !movement->map.isIdentity();
}

/// Returns whether a contraction reads `op`'s results, at once or through ops
/// that have one reader each.
static bool reachesContraction(LinalgOp op) {
  Operation *at = op;
  for (unsigned steps = 0; steps < 16; ++steps) {
    Operation *next = nullptr;
    for (Operation *user : at->getUsers()) {
      auto reader = dyn_cast<LinalgOp>(user);
      if (reader && getIterationSpace(reader).role == OpRole::Contraction) {
        return true;
      }
      next = reader ? user : next;
    }
    if (!next || !at->hasOneUse()) {
      return false;
    }
    at = next;
  }
  return false;
}

/// Returns whether `op` can run in the order of what `input` transposes.
static FusionDecision canSink(LinalgOp op, OpOperand *input,
                              const DenseSet<Operation *> &feeders) {
  Operation *producer = input->get().getDefiningOp();
  if (op->hasAttr(kNoFuseAttr) || producer->hasAttr(kNoFuseAttr)) {
    return FusionDecision::forbid("the op or the transpose is marked with " +
                                  kNoFuseAttr);
  }
  if (op->hasAttr(kFuseWithAttr)) {
    return FusionDecision::forbid("the op is marked with " + kFuseWithAttr);
  }
  if (!isComputation(op)) {
    return FusionDecision::forbid("the op is not elementwise");
  }
  if (!feeders.contains(op)) {
    return FusionDecision::forbid("more than contractions read the result");
  }
  if (!input->get().hasOneUse()) {
    return FusionDecision::forbid("the transposed tensor has other readers");
  }
  if (!op.getMatchingIndexingMap(input).isPermutation()) {
    return FusionDecision::forbid("the op repeats the transposed tensor");
  }
  return FusionDecision::allow();
}

/// Returns an input of `op` that is a transpose which can follow it; null where
/// there is none. Says in remarks why a transpose before a contraction stays.
static OpOperand *findTransposed(LinalgOp op,
                                 const DenseSet<Operation *> &feeders) {
  FusionDecision refusal = FusionDecision::allow();
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (!isTransposed(input)) {
      continue;
    }
    FusionDecision decision = canSink(op, input, feeders);
    if (decision) {
      return input;
    }
    refusal = std::move(decision);
  }
  if (!refusal && reachesContraction(op)) {
    reportKept("SinkTransposes", op, refusal.getReason());
  }
  return nullptr;
}

/// Lets `op` run on the dims of what `input` transposes, with a transpose of
/// its result behind it.
static void sink(IRRewriter &rewriter, LinalgOp op, OpOperand *input) {
  unsigned number = input->getOperandNumber();
  auto producer = cast<LinalgOp>(input->get().getDefiningOp());
  Movement movement = *getMovement(producer);
  linalg::GenericOp generic = *toGeneric(rewriter, op);
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
  DenseSet<Operation *> transposes;
  for (LinalgOp op : ops) {
    if (getMovement(op)) {
      transposes.insert(op);
    }
  }
  for (LinalgOp op : ops) {
    // Transposes are erased on the way; contractions read through them.
    if (transposes.contains(op) || !op.isAllParallelLoops()) {
      continue;
    }
    if (OpOperand *input = findTransposed(op, feeders)) {
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
