//===- SinkReshapes.cpp - move renaming reshapes out of chains ------------===//

#include "fusion/Analysis/IterationSpace.h"
#include "fusion/Analysis/Movement.h"
#include "fusion/Planner/AdoptLinalg.h"
#include "fusion/Planner/FormGroups.h"
#include "fusion/Planner/Passes.h"
#include "fusion/Planner/ReportKept.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::fusion;

namespace mlir::fusion {
#define GEN_PASS_DEF_SINKRESHAPES
#include "fusion/Planner/Passes.h.inc"
} // namespace mlir::fusion

/// Returns whether `op` can join the kernel of another op.
static bool joinsKernels(Operation *op) {
  auto linalgOp = dyn_cast_or_null<linalg::LinalgOp>(op);
  if (!linalgOp) {
    return false;
  }
  OpRole role = getIterationSpace(linalgOp).role;
  return role == OpRole::Elementwise || role == OpRole::Reduction;
}

/// Returns whether `value` is the result of a contraction or of a reduction
/// over windows, perhaps rounded: its loops stay as they are.
static bool endsContraction(Value value) {
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  if (op && isMarkedRounding(op)) {
    op = op.getDpsInputs()[0].getDefiningOp<linalg::LinalgOp>();
  }
  OpRole role = op ? getIterationSpace(op).role : OpRole::Other;
  return role == OpRole::Contraction || role == OpRole::Window;
}

/// Returns whether expanding loops lets an elementwise op run on what a
/// contraction gives before that is collapsed (the groups of a convolution).
static bool shouldExpand(OpOperand *use) {
  // What such an op reads beside, expanded for it.
  if (isa<tensor::ExpandShapeOp>(use->getOwner())) {
    auto producer = use->get().getDefiningOp<linalg::LinalgOp>();
    return producer && producer->hasOneUse() &&
           getIterationSpace(producer).role == OpRole::Elementwise &&
           llvm::all_of(use->getOwner()->getUsers(), [](Operation *user) {
             // What only moves it is read through, where it lies.
             return joinsKernels(user) &&
                    !getMovement(cast<linalg::LinalgOp>(user));
           });
  }
  auto collapse = use->get().getDefiningOp<tensor::CollapseShapeOp>();
  auto reader = dyn_cast<linalg::LinalgOp>(use->getOwner());
  if (!collapse || !reader || !reader.isDpsInput(use) ||
      getIterationSpace(reader).role != OpRole::Elementwise) {
    return false;
  }
  Value source = collapse.getSrc();
  while (auto op = source.getDefiningOp<linalg::LinalgOp>()) {
    if (endsContraction(source)) {
      return true;
    }
    // An op that was expanded before: follow what it reads in full.
    if (getIterationSpace(op).role != OpRole::Elementwise) {
      return false;
    }
    source = op.getDpsInputs().empty() ? Value() : op.getDpsInputs()[0];
    if (!source) {
      return false;
    }
  }
  return false;
}

/// Returns whether collapsing loops moves the reshape next to `use` out from
/// between two ops that one kernel could hold.
static bool shouldSink(OpOperand *use) {
  Operation *owner = use->getOwner();
  // The result of a linalg op, collapsed for its users.
  if (isa<tensor::CollapseShapeOp>(owner)) {
    return joinsKernels(use->get().getDefiningOp()) &&
           !endsContraction(use->get()) &&
           llvm::any_of(owner->getUsers(), joinsKernels);
  }
  // The result of a linalg op, expanded for `owner`.
  auto expand = use->get().getDefiningOp<tensor::ExpandShapeOp>();
  return expand && expand.getSrc().getDefiningOp<linalg::LinalgOp>() &&
         joinsKernels(owner);
}

/// Says why `reshape` stays between the op that makes its source and `reader`.
static void reportReshape(Operation *reshape, Operation *reader) {
  Value source = reshape->getOperand(0);
  bool collapses = isa<tensor::CollapseShapeOp>(reshape);
  StringRef why = "an index map does not keep the reshaped dims together";
  if (endsContraction(source) && collapses) {
    why = "the loops of a contraction or of windows stay as they are";
  } else if (!joinsKernels(collapses ? source.getDefiningOp() : reader) ||
             !joinsKernels(reader)) {
    why = "only elementwise ops and reductions run on another shape";
  }
  reportKept("SinkReshapes", reshape, why);
}

/// Says of each reshape that still stands between two linalg ops why.
static void reportReshapes(func::FuncOp func) {
  func.walk([](Operation *op) {
    if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op) ||
        !op->getOperand(0).getDefiningOp<linalg::LinalgOp>()) {
      return;
    }
    for (Operation *user : op->getUsers()) {
      if (isa<linalg::LinalgOp>(user)) {
        reportReshape(op, user);
        return;
      }
    }
  });
}

void fusion::moveReshapes(func::FuncOp func, RewritePatternSet &&patterns) {
  // Destinations are reshaped by making them in the new shape.
  linalg::FillOp::getCanonicalizationPatterns(patterns, func.getContext());
  tensor::populateFoldTensorEmptyPatterns(patterns);
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns,
                                                     func.getContext());
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns,
                                                       func.getContext());
  // Without region simplification or constant sharing: only reshapes move.
  GreedyRewriteConfig config;
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled)
      .enableConstantCSE(false);
  (void)applyPatternsGreedily(func, std::move(patterns), config);
  // Positions of reshaped loops.
  lowerIndexMaps(func);
}

void fusion::sinkReshapes(func::FuncOp func) {
  RewritePatternSet patterns(func.getContext());
  linalg::populateFoldReshapeOpsByCollapsingPatterns(patterns, shouldSink);
  populateDropUnitDimsPatterns(patterns);
  moveReshapes(func, std::move(patterns));

  // The other way round, and after the above, which would undo it.
  RewritePatternSet expansions(func.getContext());
  linalg::populateFoldReshapeOpsByExpansionPatterns(expansions, shouldExpand);
  moveReshapes(func, std::move(expansions));
  reportReshapes(func);
}

namespace {
struct SinkReshapesPass
    : mlir::fusion::impl::SinkReshapesBase<SinkReshapesPass> {
  void runOnOperation() override { sinkReshapes(getOperation()); }
};
} // namespace
