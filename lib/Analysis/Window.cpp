//===- Window.cpp - reads of windows and of padded tensors ----------------===//

#include "fusion/Analysis/Window.h"

#include "fusion/Analysis/IndexingMaps.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::fusion;
using linalg::LinalgOp;

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// Adds `step` of `loop` to `position`.
static void addTerm(WindowPosition &position, unsigned loop, int64_t step) {
  auto it = llvm::find_if(position.terms,
                          [&](WindowTerm &term) { return term.loop == loop; });
  if (it == position.terms.end()) {
    position.terms.push_back({loop, step});
  } else {
    it->step += step;
  }
}

static std::optional<WindowPosition> matchPosition(AffineExpr expr) {
  WindowPosition position;
  SmallVector<std::pair<AffineExpr, int64_t>> worklist = {{expr, 1}};
  while (!worklist.empty()) {
    auto [part, step] = worklist.pop_back_val();
    if (auto dim = dyn_cast<AffineDimExpr>(part)) {
      addTerm(position, dim.getPosition(), step);
      continue;
    }
    if (auto constant = dyn_cast<AffineConstantExpr>(part)) {
      position.start += step * constant.getValue();
      continue;
    }
    auto binary = dyn_cast<AffineBinaryOpExpr>(part);
    if (!binary) {
      return std::nullopt;
    }
    auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
    if (binary.getKind() == AffineExprKind::Add) {
      worklist.push_back({binary.getRHS(), step});
      worklist.push_back({binary.getLHS(), step});
    } else if (binary.getKind() == AffineExprKind::Mul && factor) {
      worklist.push_back({binary.getLHS(), step * factor.getValue()});
    } else {
      return std::nullopt;
    }
  }
  llvm::erase_if(position.terms,
                 [](WindowTerm &term) { return term.step == 0; });
  return position;
}

std::optional<SmallVector<WindowPosition>> fusion::matchWindow(AffineMap map) {
  SmallVector<WindowPosition> positions;
  for (AffineExpr expr : map.getResults()) {
    std::optional<WindowPosition> position = matchPosition(expr);
    if (!position) {
      return std::nullopt;
    }
    positions.push_back(std::move(*position));
  }
  return positions;
}

bool fusion::isPlainRead(AffineMap map) {
  return isProjectedPermutationWithZeros(map);
}

bool fusion::isWindowReduction(LinalgOp op) {
  if (op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0) {
    return false;
  }
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  AffineMap result = maps.back();
  bool windows = false;
  for (AffineMap map : ArrayRef(maps).drop_back()) {
    if (!matchWindow(map)) {
      return false;
    }
    windows |= !isPlainRead(map);
  }
  SmallVector<Operation *> combiners;
  return (windows || isMatrixProduct(op)) && result.isProjectedPermutation() &&
         result.getNumResults() ==
             op.getNumLoops() - op.getNumReductionLoops() &&
         matchReduction(op.getRegionOutputArgs(), 0, combiners) &&
         combiners.size() == 1;
}

/// The number of the body's argument that `value` is, through casts; none if it
/// is something else.
static std::optional<unsigned> getFactor(LinalgOp op, Value value) {
  while (Operation *def = value.getDefiningOp()) {
    if (!isa<CastOpInterface>(def) || def->getNumOperands() != 1) {
      return std::nullopt;
    }
    value = def->getOperand(0);
  }
  auto arg = cast<BlockArgument>(value);
  bool input = arg.getOwner() == op.getBlock() &&
               int64_t(arg.getArgNumber()) < op.getNumDpsInputs();
  return input ? std::optional(arg.getArgNumber()) : std::nullopt;
}

bool fusion::isMatrixProduct(LinalgOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1) {
    return false;
  }
  SmallVector<Operation *> combiners;
  Value term = matchReduction(op.getRegionOutputArgs(), 0, combiners);
  Operation *product = term ? term.getDefiningOp() : nullptr;
  if (combiners.size() != 1 ||
      !isa<arith::AddFOp, arith::AddIOp>(combiners.front()) ||
      !isa_and_nonnull<arith::MulFOp, arith::MulIOp>(product)) {
    return false;
  }
  std::optional<unsigned> lhs = getFactor(op, product->getOperand(0));
  std::optional<unsigned> rhs = getFactor(op, product->getOperand(1));
  if (!lhs || !rhs || lhs == rhs) {
    return false;
  }
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  bool own[2] = {false, false};
  for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray())) {
    if (type == utils::IteratorType::parallel) {
      bool first = maps[0].isFunctionOfDim(loop);
      bool second = maps[1].isFunctionOfDim(loop);
      own[0] |= first && !second;
      own[1] |= second && !first;
    }
  }
  return own[0] && own[1];
}

//===----------------------------------------------------------------------===//
// Padding
//===----------------------------------------------------------------------===//

/// The dim whose index less a constant `value` is.
static std::optional<std::pair<unsigned, int64_t>> matchIndex(Value value) {
  int64_t low = 0;
  if (auto sub = value.getDefiningOp<arith::SubIOp>()) {
    APInt constant;
    if (!matchPattern(sub.getRhs(), m_ConstantInt(&constant))) {
      return std::nullopt;
    }
    low = constant.getSExtValue();
    value = sub.getLhs();
  }
  auto index = value.getDefiningOp<linalg::IndexOp>();
  return index ? std::optional(std::pair(unsigned(index.getDim()), low))
               : std::nullopt;
}

/// What `value` is less than the index along `dim` of `op`; none if it is
/// anything else. Along a dim of size one the index is a constant.
static std::optional<int64_t> matchLow(LinalgOp op, Value value, unsigned dim) {
  std::optional<std::pair<unsigned, int64_t>> index = matchIndex(value);
  if (index) {
    return index->first == dim ? std::optional(index->second) : std::nullopt;
  }
  APInt constant;
  auto type = cast<ShapedType>(op.getDpsInits().front().getType());
  if (type.getDimSize(dim) != 1 ||
      !matchPattern(value, m_ConstantInt(&constant))) {
    return std::nullopt;
  }
  return -constant.getSExtValue();
}

/// Reads the conditions that `guard` is the conjunction of: `index < extent` as
/// unsigned numbers, for indices that `padded` reads at.
static bool matchGuard(Value guard, PaddedRead &padded) {
  SmallVector<Value> worklist = {guard};
  while (!worklist.empty()) {
    Value part = worklist.pop_back_val();
    if (auto both = part.getDefiningOp<arith::AndIOp>()) {
      worklist.push_back(both.getLhs());
      worklist.push_back(both.getRhs());
      continue;
    }
    auto compare = part.getDefiningOp<arith::CmpIOp>();
    if (!compare || compare.getPredicate() != arith::CmpIPredicate::ult) {
      return false;
    }
    auto index = matchIndex(compare.getLhs());
    if (!index || padded.low[index->first] != index->second ||
        padded.extents[index->first]) {
      return false;
    }
    padded.extents[index->first] = compare.getRhs();
  }
  return true;
}

/// Whether `value` is a constant or comes from outside of `op`.
static bool isFromOutside(LinalgOp op, Value value) {
  return matchPattern(value, m_Constant()) ||
         !op->isAncestor(value.getParentRegion()->getParentOp());
}

std::optional<PaddedRead> fusion::matchPaddedRead(LinalgOp op) {
  if (!isa<linalg::GenericOp>(op) || op.getNumDpsInputs() != 0 ||
      op.getNumDpsInits() != 1 || !op.isAllParallelLoops() ||
      !op.getIndexingMapsArray().front().isIdentity()) {
    return std::nullopt;
  }
  auto branch =
      op.getBlock()->getTerminator()->getOperand(0).getDefiningOp<scf::IfOp>();
  bool guards = branch && branch->getNumResults() == 1 && branch.elseBlock() &&
                branch.thenBlock()->getOperations().size() == 2 &&
                branch.elseBlock()->getOperations().size() == 1;
  auto read = guards ? dyn_cast<tensor::ExtractOp>(branch.thenBlock()->front())
                     : tensor::ExtractOp();
  if (!read || branch.thenYield().getOperand(0) != read.getResult() ||
      read.getIndices().size() != op.getNumLoops()) {
    return std::nullopt;
  }
  PaddedRead padded;
  padded.source = read.getTensor();
  padded.outside = branch.elseYield().getOperand(0);
  matchPattern(padded.outside, m_Constant(&padded.constant));
  for (auto [dim, value] : llvm::enumerate(read.getIndices())) {
    std::optional<int64_t> low = matchLow(op, value, dim);
    if (!low) {
      return std::nullopt;
    }
    padded.low.push_back(*low);
  }
  padded.extents.resize(padded.low.size());
  bool matches = isFromOutside(op, padded.source) &&
                 isFromOutside(op, padded.outside) &&
                 matchGuard(branch.getCondition(), padded);
  for (Value extent : padded.extents) {
    matches = matches && (!extent || isFromOutside(op, extent));
  }
  return matches ? std::optional(std::move(padded)) : std::nullopt;
}
