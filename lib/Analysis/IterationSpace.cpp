//===- IterationSpace.cpp - the role and loops of a linalg op -------------===//

#include "fusion/Analysis/IterationSpace.h"

#include "fusion/Analysis/FusionDecision.h"
#include "fusion/Analysis/IndexingMaps.h"
#include "fusion/Analysis/Window.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::fusion;
using linalg::LinalgOp;

StringRef fusion::stringifyOpRole(OpRole role) {
  switch (role) {
  case OpRole::Elementwise:
    return "elementwise";
  case OpRole::Reduction:
    return "reduction";
  case OpRole::Contraction:
    return "contraction";
  case OpRole::Window:
    return "window";
  case OpRole::Fill:
    return "fill";
  case OpRole::Other:
    return "other";
  }
  llvm_unreachable("unknown role");
}

SmallVector<int64_t> fusion::getLoopSizes(LinalgOp op) {
  SmallVector<int64_t> sizes(op.getNumLoops(), ShapedType::kDynamic);
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<ShapedType>(operand.get().getType());
    if (!type) {
      continue;
    }
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [dim, size] : llvm::enumerate(type.getShape())) {
      std::optional<unsigned> loop = getLoopAt(map, dim);
      if (loop && !ShapedType::isDynamic(size)) {
        sizes[*loop] = size;
      }
    }
  }
  return sizes;
}

/// Returns whether the elements that lie side by side in an operand read
/// through `map` belong to the last of `loops` too, unless the operand does not
/// have it: another order of outer loops costs nothing.
static bool readsRows(AffineMap map, ArrayRef<unsigned> loops,
                      ArrayRef<int64_t> sizes) {
  auto isUnit = [&](unsigned loop) { return sizes[loop] == 1; };
  while (!loops.empty() && isUnit(loops.back())) {
    loops = loops.drop_back();
  }
  std::optional<unsigned> innermost;
  bool hasLast = false;
  for (unsigned dim = 0, e = map.getNumResults(); dim < e; ++dim) {
    std::optional<unsigned> loop = getLoopAt(map, dim);
    if (loop && !isUnit(*loop)) {
      innermost = loop;
      hasLast |= loop == loops.back();
    }
  }
  return !hasLast || innermost == loops.back();
}

/// Checks that every operand is read by loops; notes in `space` whether one is
/// read across the rows of `loops` (all loops of the op, outermost first).
static FusionDecision checkOrder(LinalgOp op, ArrayRef<unsigned> loops,
                                 IterationSpace &space, bool withInits = true) {
  for (OpOperand &operand : op->getOpOperands()) {
    if (!withInits && op.isDpsInit(&operand)) {
      continue;
    }
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (!isProjectedPermutationWithZeros(map) ||
        !readsWholeDims(map, op.getShape(&operand))) { // a scalar's is empty
      return FusionDecision::forbid("an operand is read at computed positions");
    }
    space.transposed |= !readsRows(map, loops, space.sizes);
  }
  return FusionDecision::allow();
}

/// Returns all loops as the dims of `map` come, or nothing where `map` is not
/// a permutation of them.
static std::optional<SmallVector<unsigned>> getLoopOrder(AffineMap map) {
  if (!map.isPermutation()) {
    return std::nullopt;
  }
  SmallVector<unsigned> loops;
  for (unsigned dim = 0, e = map.getNumResults(); dim < e; ++dim) {
    loops.push_back(*getLoopAt(map, dim));
  }
  return loops;
}

/// Keeps the loops of `loops` that have `type`; parallel ones of size one are
/// dropped.
static SmallVector<unsigned> selectLoops(LinalgOp op, ArrayRef<unsigned> loops,
                                         utils::IteratorType type,
                                         ArrayRef<int64_t> sizes) {
  SmallVector<utils::IteratorType> types = op.getIteratorTypesArray();
  SmallVector<unsigned> selected;
  for (unsigned loop : loops) {
    bool unit = type == utils::IteratorType::parallel && sizes[loop] == 1;
    if (types[loop] == type && !unit) {
      selected.push_back(loop);
    }
  }
  return selected;
}

static FusionDecision analyseElementwise(LinalgOp op, IterationSpace &space) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  AffineMap result = maps.back();
  std::optional<SmallVector<unsigned>> loops = getLoopOrder(result);
  if (!loops) {
    return FusionDecision::forbid(
        "its result is not indexed by each loop once");
  }
  for (AffineMap map : ArrayRef(maps).take_back(op.getNumDpsInits())) {
    if (map != result) {
      return FusionDecision::forbid("its results have different maps");
    }
  }
  if (FusionDecision decision = checkOrder(op, *loops, space); !decision) {
    return decision;
  }
  space.role = OpRole::Elementwise;
  space.parallel =
      selectLoops(op, *loops, utils::IteratorType::parallel, space.sizes);
  return FusionDecision::allow();
}

int64_t IterationSpace::getParts() const {
  if (partSize == 0) {
    return 1;
  }
  return ShapedType::isDynamic(sizes[split])
             ? ShapedType::kDynamic
             : int64_t(llvm::divideCeil(sizes[split], partSize));
}

std::optional<ReductionParts> fusion::matchReductionParts(LinalgOp op) {
  std::optional<ReductionParts> parts;
  SmallVector<utils::IteratorType> types = op.getIteratorTypesArray();
  for (OpOperand &init : op.getDpsInitsMutable()) {
    AffineMap map = op.getMatchingIndexingMap(&init);
    if (map.getNumResults() == 0) {
      return std::nullopt;
    }
    auto expr = dyn_cast<AffineBinaryOpExpr>(map.getResult(0));
    if (!expr || expr.getKind() != AffineExprKind::FloorDiv ||
        map != op.getIndexingMapsArray().back() ||
        !map.dropResult(0).isProjectedPermutation()) {
      return std::nullopt;
    }
    auto loop = dyn_cast<AffineDimExpr>(expr.getLHS());
    auto size = dyn_cast<AffineConstantExpr>(expr.getRHS());
    if (!loop || !size || size.getValue() < 1 ||
        types[loop.getPosition()] != utils::IteratorType::reduction) {
      return std::nullopt;
    }
    parts = ReductionParts{loop.getPosition(), size.getValue()};
  }
  return parts;
}

/// A reduction has one result and one combiner, and an input that every loop
/// indexes.
static FusionDecision analyseReduction(LinalgOp op, IterationSpace &space) {
  if (op.getNumDpsInits() != 1) {
    return FusionDecision::forbid("it reduces to several results");
  }
  SmallVector<Operation *> combiners;
  if (!matchReduction(op.getRegionOutputArgs(), 0, combiners) ||
      combiners.size() != 1) {
    return FusionDecision::forbid("its body has no single combiner");
  }
  std::optional<SmallVector<unsigned>> loops;
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (!loops) {
      loops = getLoopOrder(op.getMatchingIndexingMap(input));
    }
  }
  if (!loops) {
    return FusionDecision::forbid("no operand is indexed by all loops");
  }
  std::optional<ReductionParts> parts = matchReductionParts(op);
  if (FusionDecision decision =
          checkOrder(op, *loops, space, /*withInits=*/!parts);
      !decision) {
    return decision;
  }
  space.role = OpRole::Reduction;
  space.parallel =
      selectLoops(op, *loops, utils::IteratorType::parallel, space.sizes);
  space.reduced =
      selectLoops(op, *loops, utils::IteratorType::reduction, space.sizes);
  if (parts) {
    space.partSize = parts->size;
    space.split = parts->loop;
  }
  return FusionDecision::allow();
}

static FusionDecision analyseContraction(LinalgOp op, IterationSpace &space) {
  AffineMap result = op.getIndexingMapsArray().back();
  SmallVector<unsigned> loops;
  for (unsigned dim = 0, e = result.getNumResults(); dim < e; ++dim) {
    if (std::optional<unsigned> loop = getLoopAt(result, dim)) {
      loops.push_back(*loop);
    }
  }
  SmallVector<unsigned> reduced;
  op.getReductionDims(reduced);
  space.role = OpRole::Contraction;
  space.parallel =
      selectLoops(op, loops, utils::IteratorType::parallel, space.sizes);
  space.reduced = reduced;
  return FusionDecision::allow();
}

/// A contraction with neither M nor N is a reduction of a product (a dot
/// product per row).
static bool isRowDotProduct(LinalgOp op) {
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(op);
  return succeeded(dims) && dims->m.empty() && dims->n.empty();
}

/// Returns whether `op` reads one element of a tensor from outside of the body,
/// or, where a condition does not hold, is another scalar.
static bool isGuardedRead(Operation &op) {
  auto branch = dyn_cast<scf::IfOp>(op);
  auto holds = [](Block &block, size_t ops) {
    return block.getOperations().size() == ops;
  };
  return branch && branch.getNumResults() == 1 && branch.elseBlock() &&
         holds(*branch.thenBlock(), 2) && holds(*branch.elseBlock(), 1) &&
         isa<tensor::ExtractOp>(branch.thenBlock()->front());
}

/// Whether the body reads a tensor of outside, otherwise than element by
/// element where all loops are parallel. Looks at the body, not at the tensors'
/// users, of which a constant has as many as the graph has ops.
static bool readsWholeTensors(LinalgOp op) {
  bool mayExtract = op.isAllParallelLoops();
  Region *body = op.getBlock()->getParent();
  WalkResult result = body->walk([&](Operation *inner) {
    bool extracts = mayExtract && isa<tensor::ExtractOp>(inner);
    bool reads = !extracts && llvm::any_of(inner->getOperands(), [&](Value v) {
      return isa<ShapedType>(v.getType()) &&
             !body->isAncestor(v.getParentRegion());
    });
    return reads ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted();
}

/// Facts that keep an op alone whatever its loops are.
static FusionDecision checkBody(LinalgOp op) {
  if (!op.hasPureTensorSemantics()) {
    return FusionDecision::forbid("it is not on tensors");
  }
  if (readsWholeTensors(op)) {
    return FusionDecision::forbid(
        "its body reads a tensor at computed positions");
  }
  for (Operation &inner : *op.getBlock()) {
    bool isStraight = inner.getNumRegions() == 0 || isGuardedRead(inner);
    if (!isStraight || !isMemoryEffectFree(&inner)) {
      return FusionDecision::forbid("its body is not straight-line code");
    }
  }
  return FusionDecision::allow();
}

static FusionDecision analyse(LinalgOp op, IterationSpace &space) {
  if (FusionDecision decision = checkBody(op); !decision) {
    return decision;
  }
  if (op->getNumResults() == 0) {
    return FusionDecision::forbid("it has no result");
  }
  if (op.isAllParallelLoops()) {
    return analyseElementwise(op, space);
  }
  bool contraction = linalg::isaContractionOpInterface(op);
  if (contraction && !isRowDotProduct(op)) {
    return analyseContraction(op, space);
  }
  FusionDecision decision = analyseReduction(op, space);
  if (!decision && (contraction || isWindowReduction(op))) {
    decision = analyseContraction(op, space);
    bool multiplies = contraction || isMatrixProduct(op);
    space.role = multiplies ? OpRole::Contraction : OpRole::Window;
  }
  return decision;
}

IterationSpace fusion::getIterationSpace(LinalgOp op) {
  IterationSpace space;
  space.sizes = getLoopSizes(op);
  if (isa<linalg::FillOp>(op)) {
    space.role = OpRole::Fill;
    space.reason =
        "a fill whose users have no copy of it is a kernel by itself";
    return space;
  }
  FusionDecision decision = analyse(op, space);
  space.reason = decision.getReason().str();
  return space;
}

bool fusion::isMarkedRounding(LinalgOp op) {
  if (!op.isAllParallelLoops() || op->getNumResults() != 1 ||
      op.getNumDpsInputs() != 1 || op.getBlock()->getOperations().size() != 2 ||
      !llvm::all_of(op.getIndexingMapsArray(),
                    [](AffineMap map) { return map.isIdentity(); })) {
    return false;
  }
  auto round = dyn_cast<arith::TruncFOp>(op.getBlock()->front());
  return round && round->hasAttr("fusion.rounding") &&
         round.getIn() == op.getBlock()->getArgument(0) &&
         op.getBlock()->getTerminator()->getOperand(0) == round.getOut();
}
