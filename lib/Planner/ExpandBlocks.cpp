//===- ExpandBlocks.cpp - blocks of k get a dim of their own --------------===//

#include "fusion/Analysis/IterationSpace.h"
#include "fusion/Planner/Decisions.h"
#include "fusion/Planner/FormGroups.h"
#include "fusion/Planner/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace mlir::fusion;
using linalg::LinalgOp;

namespace mlir::fusion {
#define GEN_PASS_DEF_EXPANDBLOCKS
#include "fusion/Planner/Passes.h.inc"
} // namespace mlir::fusion

static LinalgOp getElementwise(Operation *op) {
  auto linalgOp = dyn_cast_or_null<LinalgOp>(op);
  bool elementwise = linalgOp && isa<linalg::GenericOp>(op) &&
                     getIterationSpace(linalgOp).role == OpRole::Elementwise;
  return elementwise ? linalgOp : LinalgOp();
}

/// Follows dim `dim` of a value to that of the result of `collapse`.
static int64_t followDim(tensor::CollapseShapeOp collapse, int64_t dim) {
  for (auto [to, from] : llvm::enumerate(collapse.getReassociationIndices())) {
    if (llvm::is_contained(from, dim)) {
      return to;
    }
  }
  llvm_unreachable("each dim is one of a collapsed one");
}

/// Checks that all that reads `value`, through elementwise ops and reshapes
/// with one reader each, is a contraction that sums over dim `dim` of it.
static FusionDecision checkSummed(Value value, int64_t dim) {
  while (value.hasOneUse()) {
    OpOperand &use = *value.use_begin();
    Operation *reader = use.getOwner();
    if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(reader)) {
      // The dims of blocks and within them follow each other.
      value = collapse.getResult();
      dim = followDim(collapse, dim);
      continue;
    }
    auto op = dyn_cast<LinalgOp>(reader);
    if (op && op->getNumResults() != 1) {
      return FusionDecision::forbid("what reads blocks has several results");
    }
    if (!op || !op.isDpsInput(&use)) {
      return FusionDecision::forbid("blocks are read by what is neither "
                                    "elementwise nor a contraction");
    }
    AffineMap map = op.getMatchingIndexingMap(&use);
    auto loop = dyn_cast<AffineDimExpr>(map.getResult(dim));
    if (!loop || !map.isProjectedPermutation()) {
      return FusionDecision::forbid("blocks are read at computed positions");
    }
    if (getIterationSpace(op).role == OpRole::Contraction) {
      bool sums = op.getIteratorTypesArray()[loop.getPosition()] ==
                  utils::IteratorType::reduction;
      return sums ? FusionDecision::allow()
                  : FusionDecision::forbid(
                        "the contraction does not sum over the blocks");
    }
    AffineMap result = op.getIndexingMapsArray().back();
    std::optional<unsigned> at = result.getResultPosition(loop);
    if (!getElementwise(op) || !at) {
      return FusionDecision::forbid("blocks are read by what is neither "
                                    "elementwise nor a contraction");
    }
    dim = *at;
    value = op->getResult(0);
  }
  return FusionDecision::forbid(
      "what is computed by blocks has several readers");
}

/// Checks that `collapse` makes one piece of what is computed by blocks, all of
/// known sizes, which a contraction sums over.
static FusionDecision checkBlocks(tensor::CollapseShapeOp collapse) {
  std::optional<int64_t> found;
  ArrayRef<int64_t> sizes = collapse.getSrcType().getShape();
  for (auto [dim, from] : llvm::enumerate(collapse.getReassociationIndices())) {
    if (from.size() == 1) {
      continue;
    }
    if (found) {
      return FusionDecision::forbid("several dims have blocks");
    }
    for (int64_t one : from) {
      if (ShapedType::isDynamic(sizes[one])) {
        return FusionDecision::forbid("the sizes or the number of blocks are "
                                      "known only at run time");
      }
      if (sizes[one] <= 1) {
        return FusionDecision::forbid("blocks of one element, or one block, "
                                      "are no blocks");
      }
    }
    found = dim;
  }
  if (!found || !getElementwise(collapse.getSrc().getDefiningOp())) {
    return FusionDecision::forbid("nothing elementwise is computed by blocks");
  }
  return checkSummed(collapse.getResult(), *found);
}

/// Returns whether the loops next to the reshape at `use` should be expanded.
static bool shouldExpand(OpOperand *use) {
  // What is computed by blocks, read in one piece by what leads to a
  // contraction that sums over them.
  if (auto collapse = use->get().getDefiningOp<tensor::CollapseShapeOp>()) {
    return bool(checkBlocks(collapse));
  }
  // What that then reads by blocks, computed in one piece.
  if (!isa<tensor::ExpandShapeOp>(use->getOwner())) {
    return false;
  }
  Value expanded = use->getOwner()->getResult(0);
  return getElementwise(use->get().getDefiningOp()) && use->get().hasOneUse() &&
         expanded.hasOneUse() && getElementwise(*expanded.user_begin());
}

/// Returns those of `dims` of the result of `op` that its operand with `map`
/// follows, by the operand's dims; `whole` says whether these are all.
static SmallVector<int64_t> followBack(LinalgOp op, AffineMap map,
                                       ArrayRef<int64_t> dims, bool &whole) {
  AffineMap result = op.getIndexingMapsArray().back();
  SmallVector<int64_t> followed;
  whole = true;
  for (int64_t dim : dims) {
    std::optional<unsigned> at = map.getResultPosition(result.getResult(dim));
    whole &= at.has_value();
    if (at) {
      followed.push_back(*at);
    }
  }
  return followed;
}

/// Returns whether elementwise ops compute `value` with a factor, or the like,
/// for each block of its neighbouring dims `dims`: one that some of these are
/// read for, but not all.
static bool hasFactors(Value value, SmallVector<int64_t> dims) {
  SmallVector<std::pair<Value, SmallVector<int64_t>>> pending;
  llvm::SmallDenseSet<Value> seen;
  pending.emplace_back(value, std::move(dims));
  while (!pending.empty()) {
    auto [made, along] = pending.pop_back_val();
    LinalgOp op = getElementwise(made.getDefiningOp());
    if (!op || !seen.insert(made).second) {
      continue;
    }
    for (OpOperand *input : op.getDpsInputOperands()) {
      bool whole = false;
      SmallVector<int64_t> followed =
          followBack(op, op.getMatchingIndexingMap(input), along, whole);
      if (!whole && !followed.empty()) {
        return true;
      }
      if (whole) {
        pending.emplace_back(input->get(), std::move(followed));
      }
    }
  }
  return false;
}

/// Returns the dims of the result of `collapse` that have blocks. A dim of size
/// one is none that a factor could be read for.
static SmallVector<int64_t> findBlocks(tensor::CollapseShapeOp collapse) {
  ArrayRef<int64_t> sizes = collapse.getSrcType().getShape();
  SmallVector<int64_t> blocks;
  for (auto [to, from] : llvm::enumerate(collapse.getReassociationIndices())) {
    SmallVector<int64_t> dims = llvm::filter_to_vector(
        from, [&](int64_t dim) { return sizes[dim] != 1; });
    if (dims.size() > 1 && hasFactors(collapse.getSrc(), dims)) {
      blocks.push_back(to);
    }
  }
  return blocks;
}

/// Adds the contractions that sum over dim `dim` of `value`, or of what
/// elementwise ops make of it.
static void addContractions(Value value, int64_t dim,
                            llvm::SetVector<Operation *> &contractions) {
  SmallVector<std::pair<Value, int64_t>> pending = {{value, dim}};
  llvm::SmallDenseSet<Value> seen;
  while (!pending.empty()) {
    auto [read, along] = pending.pop_back_val();
    if (!seen.insert(read).second) {
      continue;
    }
    for (OpOperand &use : read.getUses()) {
      if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(use.getOwner())) {
        pending.emplace_back(collapse.getResult(), followDim(collapse, along));
        continue;
      }
      auto op = dyn_cast<LinalgOp>(use.getOwner());
      if (!op || !op.isDpsInput(&use)) {
        continue;
      }
      AffineExpr position = op.getMatchingIndexingMap(&use).getResult(along);
      SmallVector<unsigned> summed;
      op.getReductionDims(summed);
      auto isSummed = [&](unsigned loop) {
        return position.isFunctionOfDim(loop);
      };
      std::optional<unsigned> at =
          op.getIndexingMapsArray().back().getResultPosition(position);
      if (getIterationSpace(op).role == OpRole::Contraction &&
          llvm::any_of(summed, isSummed)) {
        contractions.insert(op);
      } else if (getElementwise(op) && at) {
        pending.emplace_back(op->getResult(0), *at);
      }
    }
  }
}

/// Says, of what is computed by blocks of k and leads to a contraction in one
/// piece, why it stays so.
static void explain(func::FuncOp func, tensor::CollapseShapeOp collapse,
                    const FusionDecision &decision) {
  llvm::SetVector<Operation *> contractions;
  for (int64_t dim : findBlocks(collapse)) {
    addContractions(collapse.getResult(), dim, contractions);
  }
  Operation *producer = collapse.getSrc().getDefiningOp();
  for (Operation *reader : contractions) {
    std::string why = decision.getReason().str();
    remark::missed(reader->getLoc(), remark::RemarkOpts::name("ExpandBlocks")
                                         .category("fusion")
                                         .function(func.getName()))
        << remark::reason("{0}", why);
    RecordedDecision record = {getDisplayName(producer), getDisplayName(reader),
                               why, std::nullopt};
    appendDecisions(func, record);
  }
}

/// Makes contractions that read what `func` reshapes or computes generic.
static void generalize(func::FuncOp func) {
  SmallVector<LinalgOp> named;
  func.walk([&](LinalgOp op) {
    bool reads = llvm::any_of(op.getDpsInputs(), [](Value input) {
      Operation *def = input.getDefiningOp();
      return isa_and_nonnull<tensor::CollapseShapeOp>(def) ||
             getElementwise(def);
    });
    if (reads && !isa<linalg::GenericOp>(op.getOperation()) &&
        getIterationSpace(op).role == OpRole::Contraction) {
      named.push_back(op);
    }
  });
  IRRewriter rewriter(func.getContext());
  for (LinalgOp op : named) {
    rewriter.setInsertionPoint(op);
    (void)linalg::generalizeNamedOp(rewriter, op);
  }
}

void fusion::expandBlocks(func::FuncOp func, bool isCPU) {
  bool any = false;
  func.walk([&](tensor::CollapseShapeOp collapse) {
    FusionDecision decision = checkBlocks(collapse);
    if (decision && isCPU) {
      decision = FusionDecision::forbid(
          "on a CPU blocks of k would be packed one by one: what makes them is "
          "computed once");
    }
    any |= bool(decision);
    if (!decision) {
      explain(func, collapse, decision);
    }
  });
  if (!any) {
    return;
  }
  generalize(func);
  RewritePatternSet patterns(func.getContext());
  linalg::populateFoldReshapeOpsByExpansionPatterns(patterns, shouldExpand);
  moveReshapes(func, std::move(patterns));
}

namespace {
struct ExpandBlocksPass
    : mlir::fusion::impl::ExpandBlocksBase<ExpandBlocksPass> {
  void runOnOperation() override {
    if (!getOperation().isExternal()) {
      expandBlocks(getOperation(), /*isCPU=*/false);
    }
  }
};
} // namespace
