//===- OnlineSoftmax.cpp - contraction, softmax, contraction --------------===//

#include "fusion/Analysis/OnlineSoftmax.h"

#include "SoftmaxMatcher.h"
#include "fusion/Analysis/IndexingMaps.h"
#include "fusion/Analysis/IterationSpace.h"
#include "fusion/Analysis/Movement.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fusion;
using linalg::LinalgOp;

/// Bounds the search; attention has some thirty ops.
static constexpr size_t kMaxOps = 96;

static OpRole getRole(LinalgOp op) { return getIterationSpace(op).role; }

//===----------------------------------------------------------------------===//
// The ops
//===----------------------------------------------------------------------===//

/// Collects what depends on the scores up to the one contraction that reads it;
/// false where there is none, or another op needs something on the way.
bool SoftmaxMatcher::collectForward() {
  SmallVector<Operation *> worklist = {found.scores};
  ops.insert(found.scores);
  while (!worklist.empty()) {
    for (Operation *user : worklist.pop_back_val()->getUsers()) {
      auto op = dyn_cast<LinalgOp>(user);
      if (ops.contains(user) || isa<tensor::DimOp>(user)) {
        continue;
      }
      if (!op || op->getBlock() != found.scores->getBlock() ||
          ops.size() >= kMaxOps) {
        return false;
      }
      OpRole role = getRole(op);
      if (role == OpRole::Contraction) {
        if (found.values && found.values != op) {
          return false;
        }
        found.values = op;
        continue;
      }
      if (role != OpRole::Elementwise && role != OpRole::Reduction) {
        return false;
      }
      ops.insert(op);
      worklist.push_back(op);
    }
  }
  return bool(found.values);
}

bool SoftmaxMatcher::findReductions() {
  for (Operation *op : ops) {
    auto linalgOp = cast<LinalgOp>(op);
    if (linalgOp == found.scores || getRole(linalgOp) != OpRole::Reduction) {
      continue;
    }
    Operation *combiner = getCombiner(linalgOp);
    LinalgOp *slot =
        isa_and_nonnull<arith::MaximumFOp, arith::MaxNumFOp>(combiner)
            ? &found.rowMax
        : isa_and_nonnull<arith::AddFOp>(combiner) ? &found.rowSum
                                                   : nullptr;
    if (!slot || *slot) {
      return false;
    }
    *slot = linalgOp;
  }
  return found.rowMax && found.rowSum;
}

/// Adds elementwise producers that nothing outside of the pattern reads, in
/// reverse, so that users come before producers.
void SoftmaxMatcher::addSideOps() {
  SmallVector<Operation *> worklist(ops.begin(), ops.end());
  while (!worklist.empty()) {
    auto op = cast<LinalgOp>(worklist.pop_back_val());
    if (op == found.scores) {
      continue;
    }
    for (Value input : op.getDpsInputs()) {
      auto producer = input.getDefiningOp<LinalgOp>();
      if (!producer || ops.contains(producer) ||
          producer->getBlock() != op->getBlock() ||
          getRole(producer) != OpRole::Elementwise || ops.size() >= kMaxOps) {
        continue;
      }
      bool inside = llvm::all_of(producer->getUsers(), [&](Operation *user) {
        return ops.contains(user) || isa<tensor::DimOp>(user);
      });
      if (inside && ops.insert(producer)) {
        worklist.push_back(producer);
      }
    }
  }
}

/// Adds the slices of other tensors, along batch dims, that only `contraction`
/// reads: its kernel reads those tensors where the slices lie.
void SoftmaxMatcher::addSlices(LinalgOp contraction) {
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(contraction);
  for (OpOperand *input : contraction.getDpsInputOperands()) {
    auto producer = input->get().getDefiningOp<LinalgOp>();
    std::optional<Slice> slice =
        producer && !ops.contains(producer) &&
                producer->getBlock() == contraction->getBlock()
            ? getSlice(producer)
            : std::nullopt;
    if (!slice || failed(dims) || !input->get().hasOneUse()) {
      continue;
    }
    ArrayRef<int64_t> whole =
        cast<ShapedType>(slice->source.getType()).getShape();
    ArrayRef<int64_t> part =
        cast<ShapedType>(input->get().getType()).getShape();
    AffineMap map = contraction.getMatchingIndexingMap(input);
    bool alongBatch = true;
    for (unsigned dim = 0, e = map.getNumResults(); dim < e; ++dim) {
      std::optional<unsigned> loop = getLoopAt(map, dim);
      alongBatch &= whole[dim] == part[dim] ||
                    (loop && llvm::is_contained(dims->batch, *loop));
    }
    if (alongBatch) {
      ops.insert(producer);
    }
  }
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Makes one class of the loops that a value inside ties.
FusionDecision SoftmaxMatcher::numberLoops() {
  unsigned count = 0;
  for (Operation *op : ops) {
    firstLoop[op] = count;
    count += cast<LinalgOp>(op).getNumLoops();
  }
  loops.grow(count);
  for (Operation *op : ops) {
    auto user = cast<LinalgOp>(op);
    for (OpOperand *input : user.getDpsInputOperands()) {
      auto producer = input->get().getDefiningOp<LinalgOp>();
      if (!producer || !ops.contains(producer)) {
        continue;
      }
      AffineMap written =
          producer.getIndexingMapMatchingResult(cast<OpResult>(input->get()));
      AffineMap read = user.getMatchingIndexingMap(input);
      for (unsigned dim = 0, e = read.getNumResults(); dim < e; ++dim) {
        std::optional<unsigned> from = getLoopAt(written, dim);
        std::optional<unsigned> to = getLoopAt(read, dim);
        if (from && to) {
          loops.join(firstLoop[producer] + *from, firstLoop[user] + *to);
        } else if (cast<ShapedType>(input->get().getType()).getDimSize(dim) !=
                   1) {
          return FusionDecision::forbid(
              "a value between the contractions is read at computed positions");
        }
      }
    }
  }
  for (Operation *op : ops) {
    llvm::SmallDenseSet<unsigned> seen;
    for (unsigned loop = 0, e = cast<LinalgOp>(op).getNumLoops(); loop < e;
         ++loop) {
      if (!seen.insert(getLoop(cast<LinalgOp>(op), loop)).second) {
        return FusionDecision::forbid(
            "a value between the contractions is read transposed");
      }
    }
  }
  return FusionDecision::allow();
}

bool SoftmaxMatcher::runsAlongColumns(LinalgOp op, AffineMap map) const {
  for (unsigned dim = 0, e = map.getNumResults(); dim < e; ++dim) {
    std::optional<unsigned> loop = getLoopAt(map, dim);
    if (!loop || getLoop(op, *loop) == columns) {
      return true;
    }
  }
  return false;
}

/// The one loop that `op` reduces, or nothing.
static std::optional<unsigned> getReducedLoop(LinalgOp op) {
  SmallVector<unsigned> reduced;
  op.getReductionDims(reduced);
  return reduced.size() == 1 ? std::optional(reduced.front()) : std::nullopt;
}

/// Returns whether input `number` of `op` has the class `loop` among its dims.
static bool hasLoop(LinalgOp op, unsigned number,
                    llvm::function_ref<bool(unsigned)> isLoop) {
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInputOperand(number));
  for (unsigned dim = 0, e = map.getNumResults(); dim < e; ++dim) {
    std::optional<unsigned> at = getLoopAt(map, dim);
    if (at && isLoop(*at)) {
      return true;
    }
  }
  return false;
}

FusionDecision SoftmaxMatcher::checkContractions() {
  auto reduces = [&](LinalgOp op) {
    std::optional<unsigned> loop = getReducedLoop(op);
    return loop && getLoop(op, *loop) == columns;
  };
  if (!reduces(found.rowMax) || !reduces(found.rowSum) ||
      !reduces(found.values) || !getReducedLoop(found.scores)) {
    return FusionDecision::forbid(
        "the reductions and the contraction run over different dims");
  }
  auto isColumns = [&](unsigned loop) {
    return getLoop(found.scores, loop) == columns;
  };
  if (hasLoop(found.scores, 0, isColumns) ==
      hasLoop(found.scores, 1, isColumns)) {
    return FusionDecision::forbid(
        "the columns are not those of one operand of the scores");
  }
  auto fromInside = [&](Value value) {
    Operation *def = value.getDefiningOp();
    return def && ops.contains(def);
  };
  found.weights = fromInside(found.values.getDpsInputs()[0]) ? 0 : 1;
  if (fromInside(found.values.getDpsInputs()[1 - found.weights])) {
    return FusionDecision::forbid(
        "both operands of the second contraction depend on the first");
  }
  return FusionDecision::allow();
}

FusionDecision SoftmaxMatcher::check() {
  if (FusionDecision decision = numberLoops(); !decision) {
    return decision;
  }
  std::optional<unsigned> reduced = getReducedLoop(found.rowMax);
  if (!reduced) {
    return FusionDecision::forbid("the maximum is over several dims");
  }
  columns = getLoop(found.rowMax, *reduced);
  for (auto step :
       {&SoftmaxMatcher::checkContractions, &SoftmaxMatcher::checkExponential,
        &SoftmaxMatcher::checkChain}) {
    if (FusionDecision decision = (this->*step)(); !decision) {
      return decision;
    }
  }
  return FusionDecision::allow();
}

std::optional<OnlineSoftmax> SoftmaxMatcher::match() {
  if (getRole(found.scores) != OpRole::Contraction || !collectForward() ||
      !findReductions()) {
    return std::nullopt;
  }
  addSideOps();
  ops.insert(found.values);
  refusal = check();
  if (!refusal) {
    return std::nullopt;
  }
  findBound();
  addSlices(found.scores);
  addSlices(found.values);
  for (Operation *op : ops) {
    found.ops.push_back(cast<LinalgOp>(op));
  }
  llvm::sort(found.ops,
             [](LinalgOp a, LinalgOp b) { return a->isBeforeInBlock(b); });
  return found;
}

std::optional<OnlineSoftmax>
fusion::matchOnlineSoftmax(LinalgOp scores, FusionDecision &refusal) {
  refusal = FusionDecision::allow();
  return SoftmaxMatcher(scores, refusal).match();
}
