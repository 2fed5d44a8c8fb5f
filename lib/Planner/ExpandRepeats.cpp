//===- ExpandRepeats.cpp - heads that share keys become dims of their own -===//

#include "RepeatAfter.h"
#include "fusion/Analysis/Movement.h"
#include "fusion/Analysis/OnlineSoftmax.h"
#include "fusion/Dialect/Fusion/IR/Directives.h"
#include "fusion/Dialect/Fusion/Transforms/GenericForm.h"
#include "fusion/Dialect/Fusion/Transforms/UnfoldedFunctions.h"
#include "fusion/Planner/FormGroups.h"
#include "fusion/Planner/Passes.h"
#include "fusion/Planner/ReportKept.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::fusion;
using linalg::LinalgOp;

namespace mlir::fusion {
#define GEN_PASS_DEF_EXPANDREPEATS
#include "fusion/Planner/Passes.h.inc"
} // namespace mlir::fusion

/// Returns whether `value` merges dims along which an op repeats a tensor.
static bool mergesRepeats(Value value) {
  auto collapse = value.getDefiningOp<tensor::CollapseShapeOp>();
  if (!collapse) {
    return false;
  }
  Movement movement = traceMovement(collapse.getSrc());
  for (ArrayRef<int64_t> dims : collapse.getReassociationIndices()) {
    for (int64_t dim : dims) {
      bool repeats = movement.source != collapse.getSrc() &&
                     !movement.map.isFunctionOfDim(dim) &&
                     collapse.getSrcType().getDimSize(dim) != 1;
      if (repeats && dims.size() > 1) {
        return true;
      }
    }
  }
  return false;
}

/// Returns the elementwise ops that follow `value`, one after the other.
static SmallVector<Operation *> getTail(Value value) {
  SmallVector<Operation *> tail;
  while (value.hasOneUse()) {
    auto op = dyn_cast<LinalgOp>(*value.user_begin());
    if (!op || !op.isAllParallelLoops() || op->getNumResults() != 1 ||
        tail.size() == 8) {
      break;
    }
    tail.push_back(op);
    value = op->getResult(0);
  }
  return tail;
}

/// Lets the contraction `op` read the merged dims behind transposes where they
/// lie.
static void readBehindTransposes(linalg::GenericOp op) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (OpOperand *input : op.getDpsInputOperands()) {
    Movement movement = traceMovement(input->get());
    if (movement.source != input->get() && movement.map.isPermutation() &&
        movement.source.getDefiningOp<tensor::CollapseShapeOp>()) {
      unsigned number = input->getOperandNumber();
      maps[number] = movement.map.compose(maps[number]);
      input->set(movement.source);
    }
  }
  op.setIndexingMapsAttr(Builder(op.getContext()).getAffineMapArrayAttr(maps));
}

/// Returns the elementwise ops that make operands of `contraction` and nothing
/// else.
static SmallVector<Operation *> getMakers(LinalgOp contraction) {
  constexpr size_t kMostOps = 32;
  SmallVector<Operation *> makers;
  auto add = [&](LinalgOp reader) {
    for (Value input : reader.getDpsInputs()) {
      auto op = input.getDefiningOp<LinalgOp>();
      if (op && input.hasOneUse() && op.isAllParallelLoops() &&
          op->getNumResults() == 1 && op.getNumDpsInputs() != 0 &&
          makers.size() < kMostOps) {
        makers.push_back(op);
      }
    }
  };
  add(contraction);
  for (size_t i = 0; i < makers.size(); ++i) {
    add(cast<LinalgOp>(makers[i]));
  }
  return makers;
}

/// Returns the ops of `softmax`, what makes its operands, and what follows.
static SmallVector<Operation *> collectOps(const OnlineSoftmax &softmax) {
  SmallVector<Operation *> ops;
  for (LinalgOp op : softmax.ops) {
    ops.push_back(op);
  }
  llvm::append_range(ops, getTail(softmax.values->getResult(0)));
  for (LinalgOp contraction : {softmax.scores, softmax.values}) {
    for (Operation *op : getMakers(contraction)) {
      if (!llvm::is_contained(ops, op)) {
        ops.push_back(op);
      }
    }
  }
  return ops;
}

namespace {
/// Ops that attentions read, by the first of these.
struct SharedOps {
  /// What is expanded, and by which attention.
  llvm::MapVector<Operation *, size_t> readers;
  SmallVector<SmallVector<Operation *>, 0> added;

  bool tryAdd(Value value, Operation *reader);
  void dropPartedOps();
};
} // namespace

/// Adds the elementwise op that makes `value` for `reader`, and that no others
/// than `readers` read; returns whether it does.
bool SharedOps::tryAdd(Value value, Operation *reader) {
  auto op = value.getDefiningOp<LinalgOp>();
  if (!op || readers.contains(op) || op->getBlock() != reader->getBlock() ||
      !op.isAllParallelLoops() || op->getNumResults() != 1 ||
      isa<linalg::FillOp>(op) || isDirected(op) ||
      !llvm::all_of(op->getUsers(),
                    [&](Operation *user) { return readers.contains(user); })) {
    return false;
  }
  size_t number = readers.lookup(reader);
  readers.insert({op, number});
  added[number].push_back(op);
  return true;
}

/// Drops ops that read what is not expanded: a reshape would part them from the
/// kernel that makes it.
void SharedOps::dropPartedOps() {
  auto readsOther = [&](Operation *op) {
    return llvm::any_of(cast<LinalgOp>(op).getDpsInputs(), [&](Value input) {
      auto from = input.getDefiningOp<LinalgOp>();
      return from && !isa<linalg::FillOp>(from) && !readers.contains(from);
    });
  };
  bool changed = true;
  while (changed) {
    changed = false;
    for (SmallVector<Operation *> &ops : added) {
      Operation **other = llvm::find_if(ops, readsOther);
      if (other != ops.end()) {
        readers.erase(*other);
        ops.erase(other);
        changed = true;
      }
    }
  }
}

/// Returns the elementwise ops that several of `found`, or what makes their
/// operands, and nothing else read (a mask for all layers), by the first that
/// does.
static SmallVector<SmallVector<Operation *>, 0>
findShared(ArrayRef<OnlineSoftmax> found) {
  SharedOps shared;
  shared.added.resize(found.size());
  DenseSet<Operation *> contractions;
  for (auto [number, softmax] : llvm::enumerate(found)) {
    for (Operation *op : collectOps(softmax)) {
      shared.readers.insert({op, number});
    }
    contractions.insert_range(
        ArrayRef<Operation *>{softmax.scores, softmax.values});
  }
  bool changed = true;
  while (changed) {
    changed = false;
    for (size_t i = 0; i < shared.readers.size(); ++i) {
      Operation *reader = (shared.readers.begin() + i)->first;
      if (contractions.contains(reader)) {
        continue;
      }
      for (Value input : cast<LinalgOp>(reader).getDpsInputs()) {
        changed |= shared.tryAdd(input, reader);
      }
    }
  }
  shared.dropPartedOps();
  return std::move(shared.added);
}

/// Expands the loops of `ops`, those of an attention, by the dims that its
/// contractions' operands merge. Others stand for them then.
static void expand(SmallVector<Operation *> ops) {
  Operation *parent = ops.front()->getParentOp();
  IRRewriter rewriter(parent->getContext());
  DenseSet<Operation *> others;
  for (Operation *&op : ops) {
    if (!isa<linalg::FillOp>(op)) {
      op = *toGeneric(rewriter, cast<LinalgOp>(op));
    }
    auto generic = dyn_cast<linalg::GenericOp>(op);
    if (generic && generic.getNumReductionLoops() != 0) {
      readBehindTransposes(generic);
    }
    for (Value operand : op->getOperands()) {
      auto collapse = operand.getDefiningOp<tensor::CollapseShapeOp>();
      if (collapse && !mergesRepeats(operand)) {
        others.insert(collapse);
      }
    }
  }
  // Of reshapes only those that this makes, and the ones that it is for.
  DenseSet<Operation *> inside(ops.begin(), ops.end());
  auto control = [&](OpOperand *operand) {
    Operation *producer = operand->get().getDefiningOp();
    return isa<LinalgOp>(operand->getOwner()) ? !others.contains(producer)
                                              : inside.contains(producer);
  };
  RewritePatternSet patterns(rewriter.getContext());
  linalg::populateFoldReshapeOpsByExpansionPatterns(patterns, control);
  linalg::FillOp::getCanonicalizationPatterns(patterns, rewriter.getContext());
  tensor::populateFoldTensorEmptyPatterns(patterns);
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns,
                                                       rewriter.getContext());
  // A reshape whose sizes are those of what it reads cannot move before that.
  tensor::DimOp::getCanonicalizationPatterns(patterns, rewriter.getContext());
  tensor::EmptyOp::getCanonicalizationPatterns(patterns, rewriter.getContext());
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps)
      .setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled)
      .enableConstantCSE(false);
  UnfoldedFunctions unfolded(parent);
  (void)applyOpPatternsGreedily(ops, std::move(patterns), config);
}

/// Expands the ops of each of `found` but of those that share ops with one
/// before: these are not there any more.
static void expandAll(ArrayRef<OnlineSoftmax> found) {
  DenseMap<Operation *, SmallVector<size_t, 1>> softmaxesOf;
  for (auto [number, softmax] : llvm::enumerate(found)) {
    for (LinalgOp op : softmax.ops) {
      softmaxesOf[op].push_back(number);
    }
  }
  SmallVector<SmallVector<Operation *>, 0> shared = findShared(found);
  llvm::BitVector gone(found.size());
  for (auto [number, softmax] : llvm::enumerate(found)) {
    if (gone.test(number)) {
      continue;
    }
    gone.set(number);
    SmallVector<Operation *> ops = collectOps(softmax);
    llvm::append_range(ops, shared[number]);
    for (Operation *op : ops) {
      for (size_t other : softmaxesOf.lookup(op)) {
        if (!gone.test(other)) {
          gone.set(other);
          reportKept("ExpandRepeats", found[other].scores,
                     "the heads of another attention, which shares operations "
                     "with this one, become a dim of their own");
        }
      }
    }
    expand(std::move(ops));
  }
}

/// Lets what makes operands of attention compute before its results are
/// repeated: rows that share keys are then rows of one tile.
static void shareKeys(func::FuncOp func) {
  IRRewriter rewriter(func.getContext());
  // A reshape that nothing needs any more is no reader.
  func.walk([&](tensor::CollapseShapeOp op) {
    if (op->use_empty()) {
      rewriter.eraseOp(op);
    }
  });
  llvm::SetVector<Operation *> makers;
  func.walk([&](LinalgOp op) {
    if (op.getNumReductionLoops() == 0 || op.getNumDpsInputs() != 2) {
      return;
    }
    FusionDecision refusal = FusionDecision::allow();
    std::optional<OnlineSoftmax> softmax = matchOnlineSoftmax(op, refusal);
    if (softmax) {
      makers.insert_range(getMakers(softmax->scores));
      makers.insert_range(getMakers(softmax->values));
    }
  });
  for (Operation *op : llvm::reverse(makers)) { // what others read comes last
    if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
      repeatAfter(rewriter, generic);
    }
  }
}

void fusion::expandRepeats(func::FuncOp func) {
  SmallVector<OnlineSoftmax, 0> found;
  DenseSet<Operation *> values; // their second contractions
  func.walk([&](LinalgOp op) {
    if (op.getNumReductionLoops() == 0 || op.getNumDpsInputs() != 2) {
      return;
    }
    FusionDecision refusal = FusionDecision::allow();
    std::optional<OnlineSoftmax> softmax = matchOnlineSoftmax(op, refusal);
    bool repeats = llvm::any_of(op.getDpsInputs(), mergesRepeats);
    if (softmax && (repeats || llvm::any_of(softmax->values.getDpsInputs(),
                                            mergesRepeats))) {
      found.push_back(std::move(*softmax));
      values.insert(found.back().values);
    } else if (repeats && !values.contains(op)) {
      reportKept("ExpandRepeats", op,
                 refusal ? StringRef("more than a softmax of its rows and a "
                                     "contraction over its columns follows")
                         : refusal.getReason());
    }
  });
  expandAll(found);
  shareKeys(func);
}

namespace {
struct ExpandRepeatsPass
    : mlir::fusion::impl::ExpandRepeatsBase<ExpandRepeatsPass> {
  void runOnOperation() override { expandRepeats(getOperation()); }
};
} // namespace
