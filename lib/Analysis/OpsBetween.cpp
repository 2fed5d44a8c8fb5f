//===- OpsBetween.cpp - from a contraction to the next --------------------===//

#include "OpsBetween.h"

#include "fusion/Analysis/IndexingMaps.h"
#include "fusion/Analysis/IterationSpace.h"
#include "fusion/Analysis/Movement.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fusion;
using linalg::LinalgOp;

OpRole fusion::getRoleBetween(LinalgOp op) {
  IterationSpace space = getIterationSpace(op);
  return space.transposed ? OpRole::Other : space.role;
}

/// Whether `op` rounds what a contraction or a reduction makes: it is part of
/// that.
static bool belongsToReduction(LinalgOp op) {
  auto source = isMarkedRounding(op)
                    ? op.getDpsInputs()[0].getDefiningOp<LinalgOp>()
                    : LinalgOp();
  return source && getRoleBetween(source) != OpRole::Elementwise;
}

void OpsBetween::addSideOps() {
  SmallVector<Operation *> worklist(ops.begin(), ops.end());
  while (!worklist.empty()) {
    auto op = cast<LinalgOp>(worklist.pop_back_val());
    if (op == first) {
      continue;
    }
    for (Value input : op.getDpsInputs()) {
      auto producer = input.getDefiningOp<LinalgOp>();
      if (!producer || ops.contains(producer) ||
          producer->getBlock() != op->getBlock() ||
          getRoleBetween(producer) != OpRole::Elementwise ||
          belongsToReduction(producer) || ops.size() >= kMaxOps) {
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

void OpsBetween::addSlices(LinalgOp contraction) {
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

FusionDecision OpsBetween::numberLoops() {
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

SmallVector<LinalgOp> OpsBetween::getSortedOps() const {
  SmallVector<LinalgOp> sorted;
  for (Operation *op : ops) {
    sorted.push_back(cast<LinalgOp>(op));
  }
  llvm::sort(sorted,
             [](LinalgOp a, LinalgOp b) { return a->isBeforeInBlock(b); });
  return sorted;
}
