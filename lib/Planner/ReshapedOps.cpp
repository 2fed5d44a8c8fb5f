//===- ReshapedOps.cpp - which ops run on another shape -------------------===//

#include "RefineShapes.h"

#include "fusion/Analysis/IndexingMaps.h"
#include "fusion/Analysis/IterationSpace.h"
#include "fusion/Analysis/Movement.h"
#include "fusion/Analysis/Renaming.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fusion;
using linalg::GenericOp;
using linalg::LinalgOp;

/// How far an epilogue is followed up to its contraction.
static constexpr unsigned kMaxEpilogue = 64;

/// Returns whether a contraction reads `op`, at once or reshaped.
static bool feedsContraction(Operation *op) {
  SmallVector<Operation *> worklist = {op};
  while (!worklist.empty()) {
    for (Operation *user : worklist.pop_back_val()->getUsers()) {
      auto reader = dyn_cast<LinalgOp>(user);
      if (reader && getIterationSpace(reader).role == OpRole::Contraction) {
        return true;
      }
      if (isReshape(user)) {
        worklist.push_back(user);
      }
    }
  }
  return false;
}

bool fusion::joinsKernels(Operation *op) {
  auto linalgOp = dyn_cast_or_null<LinalgOp>(op);
  if (!linalgOp) {
    return false;
  }
  IterationSpace space = getIterationSpace(linalgOp);
  // A contraction reads through a transpose, on loops of its own.
  if (space.transposed && getMovement(linalgOp) && feedsContraction(op)) {
    return false;
  }
  return space.role == OpRole::Elementwise || space.role == OpRole::Reduction;
}

bool fusion::endsContraction(Value value) {
  auto op = value.getDefiningOp<LinalgOp>();
  if (op && isMarkedRounding(op)) {
    op = op.getDpsInputs()[0].getDefiningOp<LinalgOp>();
  }
  OpRole role = op ? getIterationSpace(op).role : OpRole::Other;
  return role == OpRole::Contraction || role == OpRole::Window;
}

bool fusion::isEpilogue(LinalgOp op) {
  SmallVector<LinalgOp> worklist = {op};
  // What several of these ops read is followed once all of them are seen.
  llvm::SmallPtrSet<Operation *, 8> seen;
  for (unsigned steps = 0; !worklist.empty() && steps < kMaxEpilogue; ++steps) {
    LinalgOp at = worklist.pop_back_val();
    if (getIterationSpace(at).role != OpRole::Elementwise ||
        !seen.insert(at).second) {
      continue;
    }
    for (Value input : at.getDpsInputs()) {
      auto producer = input.getDefiningOp<LinalgOp>();
      if (!producer ||
          !llvm::all_of(producer->getUsers(),
                        [&](Operation *user) { return seen.contains(user); })) {
        continue;
      }
      if (endsContraction(input)) {
        return true;
      }
      worklist.push_back(producer);
    }
  }
  return false;
}

/// Returns whether `map` takes positions in another order.
static bool isPermuting(AffineMap map) {
  MapRelation relation = classifyMap(map);
  return relation != MapRelation::Identity &&
         relation != MapRelation::Broadcast;
}

bool fusion::isReadThrough(LinalgOp op) {
  std::optional<Movement> movement = getMovement(op);
  return getSlice(op) || (movement && isPermuting(movement->map));
}

bool fusion::canCutLoops(LinalgOp op) {
  return isa<GenericOp>(op) && joinsKernels(op) &&
         op.hasPureTensorSemantics() &&
         llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) {
           return map.isProjectedPermutation();
         });
}
