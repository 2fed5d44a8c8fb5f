//===- RefineShapes.cpp - ops on both sides of a reshape, on one shape ----===//
//
// A norm over groups of channels makes 16x324, its reader scales 2x32x9x9: no
// shape of the two fits both. Both can run on 2x8x4x9x9, which each of them
// consists of; then no reshape is left between them. What they read and write
// is reshaped instead, and so are the loops of the ops beside them.
//
//===----------------------------------------------------------------------===//

#include "RefineShapes.h"

#include "CutLoops.h"

#include "fusion/Analysis/IterationSpace.h"
#include "fusion/Analysis/Movement.h"
#include "fusion/Analysis/Renaming.h"
#include "fusion/Analysis/ShapeRefinement.h"
#include "fusion/Planner/FormGroups.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::fusion;
using linalg::GenericOp;
using linalg::LinalgOp;

/// More ops than these around one reshape are not rewritten for it.
static constexpr size_t kMaxOps = 256;
static constexpr StringLiteral kCutDifferently =
    "the reshapes around an operation cut its dims in different ways";
namespace {
/// The ops whose loops are cut so that one reshape disappears.
class Refinement {
public:
  explicit Refinement(OpOperand &use)
      : use(use), reader(dyn_cast<LinalgOp>(use.getOwner())),
        source(getRenamedSource(use.get())),
        producer(source.getDefiningOp<LinalgOp>()) {}

  /// Finds the ops to rewrite, or says why the reshape stays.
  FusionDecision find();
  /// Rewrites them.
  void apply();

private:
  FusionDecision start();
  FusionDecision cut(LinalgOp op, unsigned loop, ArrayRef<int64_t> parts);
  FusionDecision cutDims(LinalgOp op, AffineMap map, ArrayRef<int64_t> counts,
                         ArrayRef<int64_t> sizes);
  FusionDecision spreadFrom(LinalgOp op);
  FusionDecision spreadAcross(LinalgOp op, OpOperand &operand);
  FusionDecision spreadUp(LinalgOp op, OpOperand &operand);
  FusionDecision spreadDown(LinalgOp op, OpResult result);
  FusionDecision spreadTo(LinalgOp op, AffineMap map, LinalgOp neighbour,
                          AffineMap neighbourMap);
  /// Returns the parts of each dim that `map` of `op` indexes.
  SmallVector<Parts> getParts(LinalgOp op, AffineMap map) const;
  bool isCut(LinalgOp op, AffineMap map) const;
  /// Returns the shape of `value`, which `map` of `op` indexes, once it is cut.
  SmallVector<int64_t> getCutShape(LinalgOp op, AffineMap map,
                                   Value value) const;

  GenericOp rebuild(GenericOp op, OpBuilder &builder);
  Value getCutOperand(OpOperand &operand, OpBuilder &builder);

  OpOperand &use;
  LinalgOp reader;
  Value source;
  LinalgOp producer;
  /// For each op, the parts of its loops.
  llvm::MapVector<Operation *, SmallVector<Parts>> cuts;
  SmallVector<LinalgOp> worklist;
  /// Results of the old ops to those of the new ones.
  IRMapping results;
  /// Values from elsewhere that were cut, and how.
  DenseMap<Value, SmallVector<std::pair<SmallVector<Parts>, Value>, 1>>
      expanded;
};
} // namespace

FusionDecision Refinement::find() {
  if (FusionDecision decision = start(); !decision) {
    return decision;
  }
  while (!worklist.empty()) {
    if (cuts.size() > kMaxOps) {
      return FusionDecision::forbid("more than " + Twine(kMaxOps) +
                                    " operations would run on another shape");
    }
    if (FusionDecision decision = spreadFrom(worklist.pop_back_val());
        !decision) {
      return decision;
    }
  }
  // Ops around the two may have cut dims that the reshape leaves as they are.
  auto made = producer.getIndexingMapMatchingResult(cast<OpResult>(source));
  if (getCutShape(producer, made, source) !=
      getCutShape(reader, reader.getMatchingIndexingMap(&use), use.get())) {
    return FusionDecision::forbid(kCutDifferently);
  }
  return FusionDecision::allow();
}

SmallVector<int64_t> Refinement::getCutShape(LinalgOp op, AffineMap map,
                                             Value value) const {
  SmallVector<int64_t> shape;
  auto type = cast<RankedTensorType>(value.getType());
  for (auto [dim, parts] : llvm::enumerate(getParts(op, map))) {
    if (parts.empty()) {
      shape.push_back(type.getDimSize(dim));
    }
    llvm::append_range(shape, parts);
  }
  return shape;
}

FusionDecision Refinement::start() {
  if (!producer || !reader || !reader.isDpsInput(&use) ||
      reader->getBlock() != producer->getBlock()) {
    return FusionDecision::forbid("it does not stand between two operations");
  }
  if (endsContraction(source) || isEpilogue(producer) || isEpilogue(reader)) {
    return FusionDecision::forbid(
        "the loops of a contraction or of windows stay as they are");
  }
  if (isReadThrough(producer) || isReadThrough(reader)) {
    return FusionDecision::forbid(
        "what only moves a tensor is read through, where it lies");
  }
  if (!joinsKernels(producer) || !joinsKernels(reader)) {
    return FusionDecision::forbid(
        "only elementwise ops and reductions run on another shape");
  }
  if (!canCutLoops(producer) || !canCutLoops(reader)) {
    return FusionDecision::forbid(kDimsNotTogether);
  }
  auto made = cast<RankedTensorType>(source.getType());
  auto read = cast<RankedTensorType>(use.get().getType());
  std::optional<ShapeRefinement> refinement =
      getCommonRefinement(made.getShape(), read.getShape());
  if (!refinement) {
    return FusionDecision::forbid(
        "no shape is made of the dims of both sides of a reshape");
  }
  FusionDecision decision = cutDims(
      producer, producer.getIndexingMapMatchingResult(cast<OpResult>(source)),
      refinement->first, refinement->sizes);
  return decision ? cutDims(reader, reader.getMatchingIndexingMap(&use),
                            refinement->second, refinement->sizes)
                  : std::move(decision);
}

/// Cuts the loops of `op` that index the dims of a tensor by `map`: dim i into
/// the next counts[i] of `sizes`.
FusionDecision Refinement::cutDims(LinalgOp op, AffineMap map,
                                   ArrayRef<int64_t> counts,
                                   ArrayRef<int64_t> sizes) {
  cuts.insert({op, SmallVector<Parts>(op.getNumLoops())});
  for (auto [dim, count] : llvm::enumerate(counts)) {
    if (count > 1) {
      FusionDecision decision =
          cut(op, map.getDimPosition(dim), sizes.take_front(count));
      if (!decision) {
        return decision;
      }
    }
    sizes = sizes.drop_front(count);
  }
  return FusionDecision::allow();
}

FusionDecision Refinement::cut(LinalgOp op, unsigned loop,
                               ArrayRef<int64_t> parts) {
  SmallVector<Parts> &loops =
      cuts.insert({op, SmallVector<Parts>(op.getNumLoops())}).first->second;
  if (loops[loop].empty()) {
    loops[loop] = llvm::to_vector(parts);
    worklist.push_back(op);
  } else if (ArrayRef<int64_t>(loops[loop]) != parts) {
    return FusionDecision::forbid(kCutDifferently);
  }
  return FusionDecision::allow();
}

SmallVector<Parts> Refinement::getParts(LinalgOp op, AffineMap map) const {
  const SmallVector<Parts> &loops = cuts.find(op)->second;
  SmallVector<Parts> parts;
  for (unsigned dim = 0; dim < map.getNumResults(); ++dim) {
    parts.push_back(loops[map.getDimPosition(dim)]);
  }
  return parts;
}

bool Refinement::isCut(LinalgOp op, AffineMap map) const {
  return llvm::any_of(getParts(op, map),
                      [](const Parts &parts) { return !parts.empty(); });
}

FusionDecision Refinement::spreadFrom(LinalgOp op) {
  for (OpOperand &operand : op->getOpOperands()) {
    if (&operand == &use || !isCut(op, op.getMatchingIndexingMap(&operand))) {
      continue;
    }
    if (FusionDecision decision = spreadUp(op, operand); !decision) {
      return decision;
    }
    if (!op.isDpsInput(&operand)) {
      continue;
    }
    if (FusionDecision decision = spreadAcross(op, operand); !decision) {
      return decision;
    }
  }
  for (OpResult result : op->getResults()) {
    if (!isCut(op, op.getIndexingMapMatchingResult(result))) {
      continue;
    }
    if (FusionDecision decision = spreadDown(op, result); !decision) {
      return decision;
    }
  }
  return FusionDecision::allow();
}

/// Cuts `op` as the ops that are rewritten with it and read `operand` too, and
/// these as `op`: they stay side by side.
FusionDecision Refinement::spreadAcross(LinalgOp op, OpOperand &operand) {
  for (OpOperand &other : operand.get().getUses()) {
    auto sibling = dyn_cast<LinalgOp>(other.getOwner());
    if (&other == &operand || !cuts.contains(other.getOwner()) ||
        !sibling.isDpsInput(&other)) {
      continue;
    }
    AffineMap maps[] = {op.getMatchingIndexingMap(&operand),
                        sibling.getMatchingIndexingMap(&other)};
    FusionDecision decision = spreadTo(op, maps[0], sibling, maps[1]);
    if (!decision) {
      return decision;
    }
    decision = spreadTo(sibling, maps[1], op, maps[0]);
    if (!decision) {
      return decision;
    }
  }
  return FusionDecision::allow();
}

/// Cuts the op that makes `operand`, where the two could share a kernel.
FusionDecision Refinement::spreadUp(LinalgOp op, OpOperand &operand) {
  Value value = operand.get();
  auto made = value.getDefiningOp<LinalgOp>();
  if (!made || made->getBlock() != op->getBlock() ||
      isa<linalg::FillOp>(made)) {
    return FusionDecision::allow();
  }
  if (endsContraction(value) || isEpilogue(made)) {
    // Others read it too, or a reduction does: it lies in memory anyway.
    bool inKernel =
        value.hasOneUse() && getIterationSpace(op).role == OpRole::Elementwise;
    return inKernel ? FusionDecision::forbid("the loops of a contraction or of "
                                             "windows stay as they are")
                    : FusionDecision::allow();
  }
  if (!joinsKernels(made) || isReadThrough(made)) {
    return FusionDecision::allow();
  }
  return spreadTo(op, op.getMatchingIndexingMap(&operand), made,
                  made.getIndexingMapMatchingResult(cast<OpResult>(value)));
}

/// Cuts the ops that read `result`, where they could share a kernel.
FusionDecision Refinement::spreadDown(LinalgOp op, OpResult result) {
  for (OpOperand &user : result.getUses()) {
    auto reading = dyn_cast<LinalgOp>(user.getOwner());
    if (!reading || reading->getBlock() != op->getBlock() ||
        !joinsKernels(reading) || isReadThrough(reading) ||
        isEpilogue(reading)) {
      continue;
    }
    FusionDecision decision =
        spreadTo(op, op.getIndexingMapMatchingResult(result), reading,
                 reading.getMatchingIndexingMap(&user));
    if (!decision) {
      return decision;
    }
  }
  return FusionDecision::allow();
}

FusionDecision Refinement::spreadTo(LinalgOp op, AffineMap map,
                                    LinalgOp neighbour,
                                    AffineMap neighbourMap) {
  if (!canCutLoops(neighbour)) {
    return FusionDecision::forbid(kDimsNotTogether);
  }
  for (auto [dim, parts] : llvm::enumerate(getParts(op, map))) {
    if (parts.empty()) {
      continue;
    }
    FusionDecision decision =
        cut(neighbour, neighbourMap.getDimPosition(dim), parts);
    if (!decision) {
      return decision;
    }
  }
  return FusionDecision::allow();
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

Value Refinement::getCutOperand(OpOperand &operand, OpBuilder &builder) {
  if (&operand == &use) {
    return results.lookupOrDefault(source);
  }
  if (Value made = results.lookupOrNull(operand.get())) {
    return made;
  }
  auto op = cast<LinalgOp>(operand.getOwner());
  AffineMap map = op.getMatchingIndexingMap(&operand);
  if (!isCut(op, map)) {
    return operand.get();
  }
  // Ops that read the same read the same afterwards.
  SmallVector<Parts> parts = getParts(op, map);
  auto &known = expanded[operand.get()];
  for (auto &[ofParts, value] : known) {
    if (ofParts == parts) {
      return value;
    }
  }
  Value value = cutTensor(operand.get(), parts, builder);
  known.push_back({parts, value});
  return value;
}

GenericOp Refinement::rebuild(GenericOp op, OpBuilder &builder) {
  return rebuildCut(
      cast<LinalgOp>(op.getOperation()), cuts.find(op)->second, builder, cutMap,
      [&](OpOperand &operand) { return getCutOperand(operand, builder); });
}

void Refinement::apply() {
  SmallVector<Operation *> ops;
  for (auto &[op, loops] : cuts) {
    // The reader may already run on the common shape: it reads it now.
    if (op == reader || llvm::any_of(loops, [](const Parts &parts) {
          return !parts.empty();
        })) {
      ops.push_back(op);
    }
  }
  llvm::sort(ops,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  for (Operation *op : ops) {
    OpBuilder builder(op);
    GenericOp rebuilt = rebuild(cast<GenericOp>(op), builder);
    results.map(op->getResults(), rebuilt->getResults());
  }
  for (Operation *op : ops) {
    for (OpResult result : op->getResults()) {
      Value made = results.lookup(Value(result));
      if (made.getType() != result.getType()) {
        OpBuilder builder(op);
        builder.setInsertionPointAfterValue(made);
        auto old = cast<LinalgOp>(op);
        made = tensor::CollapseShapeOp::create(
            builder, op->getLoc(), result.getType(), made,
            getGroups(getParts(old, old.getIndexingMapMatchingResult(result))));
      }
      result.replaceAllUsesWith(made);
    }
  }
  for (Operation *op : llvm::reverse(ops)) {
    op->erase();
  }
}

/// Removes chains of reshapes that end in the shape that they begin with.
static void removeRoundTrips(func::FuncOp func) {
  func.walk([](Operation *op) {
    if (!isReshape(op)) {
      return;
    }
    Value result = op->getResult(0);
    Value source = getRenamedSource(result);
    auto type = cast<RankedTensorType>(result.getType());
    if (source.getType() == type && type.getNumDynamicDims() <= 1) {
      result.replaceAllUsesWith(source);
    }
  });
}

/// Refines around the first reader of `reshape` where that is possible.
static bool refineOnce(Operation *reshape) {
  for (OpOperand &use : reshape->getUses()) {
    Refinement refinement(use);
    if (refinement.find()) {
      refinement.apply();
      return true;
    }
  }
  return false;
}

FusionDecision fusion::canRefine(OpOperand &use) {
  return Refinement(use).find();
}

void fusion::refineShapes(func::FuncOp func) {
  SmallVector<Operation *> reshapes;
  func.walk([&](Operation *op) {
    if (isReshape(op)) {
      reshapes.push_back(op);
    }
  });
  bool changed = false;
  for (Operation *reshape : reshapes) {
    // Each time, one reader less.
    while (refineOnce(reshape)) {
      changed = true;
    }
  }
  if (changed) {
    removeRoundTrips(func);
    moveReshapes(func, RewritePatternSet(func.getContext()));
  }
}
