//===- CutParts.cpp - parts of tensors, and of what makes them ------------===//

#include "CutParts.h"

#include "SizeOrigin.h"

#include "fusion/Analysis/IndexingMaps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::fusion;
using linalg::LinalgOp;

bool fusion::hasCut(const Cuts &cuts) {
  return llvm::any_of(cuts, [](const auto &cut) { return cut.has_value(); });
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

namespace {
/// Where an op reads along a dim: at one of its loops, perhaps, plus `start`.
struct Position {
  std::optional<unsigned> loop;
  int64_t start = 0;
};
} // namespace

static std::optional<Position> matchPosition(Value index) {
  Position position;
  APInt start(64, 0);
  if (matchPattern(index, m_ConstantInt(&start))) {
    position.start = start.getSExtValue();
    return position;
  }
  if (auto sum = index.getDefiningOp<arith::AddIOp>()) {
    bool first = matchPattern(sum.getLhs(), m_ConstantInt(&start));
    if (!first && !matchPattern(sum.getRhs(), m_ConstantInt(&start))) {
      return std::nullopt;
    }
    position.start = start.getSExtValue();
    index = first ? sum.getRhs() : sum.getLhs();
  }
  auto at = index.getDefiningOp<linalg::IndexOp>();
  if (!at) {
    return std::nullopt;
  }
  position.loop = at.getDim();
  return position;
}

/// Finds what `op` reads along dim `dim` of `source` at `position`; nothing
/// where that is no part of it.
static bool matchCut(LinalgOp op, Value source, int64_t dim,
                     const Position &position, std::optional<Cut> &cut) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  int64_t all = cast<RankedTensorType>(source.getType()).getDimSize(dim);
  int64_t size = position.loop ? type.getDimSize(*position.loop) : 1;
  if (ShapedType::isDynamic(all) || ShapedType::isDynamic(size)) {
    return position.loop && position.start == 0 && all == size &&
           getSizeOrigin(source, dim) ==
               getSizeOrigin(op->getResult(0), *position.loop);
  }
  if (position.start < 0 || position.start + size > all) {
    return false;
  }
  if (size != all) {
    cut = Cut{position.start, size};
  }
  return true;
}

/// Returns the read that is all that `op` does; null where there is none.
static tensor::ExtractOp getOnlyRead(LinalgOp op) {
  if (!isa<linalg::GenericOp>(op) || !op.hasPureTensorSemantics() ||
      !op.isAllParallelLoops() || op.getNumDpsInputs() != 0 ||
      op->getNumResults() != 1 ||
      !op.getIndexingMapMatchingResult(op->getResult(0)).isIdentity()) {
    return nullptr;
  }
  auto read = op.getBlock()
                  ->getTerminator()
                  ->getOperand(0)
                  .getDefiningOp<tensor::ExtractOp>();
  return read && read->getBlock() == op.getBlock() ? read : nullptr;
}

std::optional<CutPart> fusion::matchCutPart(LinalgOp op) {
  tensor::ExtractOp read = getOnlyRead(op);
  if (!read) {
    return std::nullopt;
  }
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  CutPart part{op, read.getTensor(), {}};
  SmallVector<int64_t> sizes; // of the result, without dims that no loop has
  int64_t last = -1;
  for (auto [dim, index] : llvm::enumerate(read.getIndices())) {
    std::optional<Position> position = matchPosition(index);
    std::optional<Cut> cut;
    if (!position || !matchCut(op, part.source, dim, *position, cut) ||
        (position->loop && int64_t(*position->loop) <= last)) {
      return std::nullopt;
    }
    part.cuts.push_back(cut);
    if (position->loop) {
      // Loops that are passed over repeat nothing.
      for (int64_t loop = last + 1; loop < int64_t(*position->loop); ++loop) {
        if (type.getDimSize(loop) != 1) {
          return std::nullopt;
        }
      }
      last = *position->loop;
    }
  }
  for (int64_t loop = last + 1; loop < type.getRank(); ++loop) {
    if (type.getDimSize(loop) != 1) {
      return std::nullopt;
    }
  }
  RankedTensorType own = getCutType(part.source, part.cuts);
  bool same = own == type || (own.getRank() != type.getRank() &&
                              own.hasStaticShape() && type.hasStaticShape() &&
                              getReassociationIndicesForReshape(own, type));
  return same && hasCut(part.cuts) ? std::optional(std::move(part))
                                   : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Cuts through ops
//===----------------------------------------------------------------------===//

/// Returns the cut of what `dims` of `type` become when they are joined, of
/// which `cuts` cuts at most the first one that is not of size one.
static bool joinCut(RankedTensorType type, ArrayRef<int64_t> dims,
                    const Cuts &cuts, std::optional<Cut> &joined) {
  int64_t inner = 1;
  for (int64_t dim : llvm::reverse(dims)) {
    int64_t size = type.getDimSize(dim);
    if (joined) {
      // What lies outside of a cut has one place.
      if (size != 1) {
        return false;
      }
      continue;
    }
    if (cuts[dim]) {
      joined = Cut{cuts[dim]->start * inner, cuts[dim]->size * inner};
      continue;
    }
    if (ShapedType::isDynamic(size)) {
      // Nothing outside of it may be cut.
      inner = ShapedType::kDynamic;
    } else if (!ShapedType::isDynamic(inner)) {
      inner *= size;
    }
  }
  return !joined || !ShapedType::isDynamic(inner);
}

/// Finds the cuts of `dims` of `type` for `cut` of the dim that they are joined
/// to.
static bool splitCut(RankedTensorType type, ArrayRef<int64_t> dims,
                     const Cut &cut, Cuts &cuts) {
  while (dims.size() > 1 && type.getDimSize(dims.front()) == 1) {
    dims = dims.drop_front();
  }
  int64_t inner = 1;
  for (int64_t dim : dims.drop_front()) {
    if (type.isDynamicDim(dim)) {
      return false;
    }
    inner *= type.getDimSize(dim);
  }
  if (inner == 0 || cut.start % inner != 0 || cut.size % inner != 0) {
    return false;
  }
  cuts[dims.front()] = Cut{cut.start / inner, cut.size / inner};
  return true;
}

std::optional<Cuts> fusion::getCutsBefore(Operation *reshape,
                                          const Cuts &cuts) {
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(reshape)) {
    Cuts before(expand.getSrcType().getRank());
    for (auto [dim, group] :
         llvm::enumerate(expand.getReassociationIndices())) {
      if (!joinCut(expand.getResultType(), group, cuts, before[dim])) {
        return std::nullopt;
      }
    }
    // A scalar has no dims to cut.
    bool lost = before.empty() && hasCut(cuts);
    return lost ? std::nullopt : std::optional(std::move(before));
  }
  auto collapse = cast<tensor::CollapseShapeOp>(reshape);
  Cuts before(collapse.getSrcType().getRank());
  for (auto [dim, group] :
       llvm::enumerate(collapse.getReassociationIndices())) {
    if (cuts[dim] &&
        !splitCut(collapse.getSrcType(), group, *cuts[dim], before)) {
      return std::nullopt;
    }
  }
  return before;
}

std::optional<Cuts> fusion::getOperandCuts(LinalgOp op, const Cuts &cuts,
                                           OpOperand &input) {
  AffineMap result = op.getIndexingMapMatchingResult(op->getResult(0));
  SmallVector<std::optional<Cut>> loops(op.getNumLoops());
  for (auto [dim, cut] : llvm::enumerate(cuts)) {
    if (std::optional<unsigned> loop = getLoopAt(result, dim)) {
      loops[*loop] = cut;
    } else if (cut) {
      return std::nullopt;
    }
  }
  Cuts wanted;
  AffineMap map = op.getMatchingIndexingMap(&input);
  for (unsigned dim = 0; dim < map.getNumResults(); ++dim) {
    std::optional<Cut> &own = wanted.emplace_back();
    if (std::optional<unsigned> loop = getLoopAt(map, dim)) {
      own = loops[*loop];
      continue;
    }
    for (auto [loop, cut] : llvm::enumerate(loops)) {
      bool moves = cut && map.getResult(dim).isFunctionOfDim(loop);
      if (moves && cut->start != 0) {
        return std::nullopt;
      }
    }
  }
  return wanted;
}

RankedTensorType fusion::getCutType(Value value, const Cuts &cuts) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  for (auto [size, cut] : llvm::zip_equal(shape, cuts)) {
    size = cut ? cut->size : size;
  }
  return RankedTensorType::get(shape, type.getElementType());
}

//===----------------------------------------------------------------------===//
// Making parts
//===----------------------------------------------------------------------===//

/// Returns the sizes of the part of `value` that `cuts` says.
static SmallVector<OpFoldResult> getSizes(OpBuilder &builder, Location loc,
                                          Value value, const Cuts &cuts) {
  SmallVector<OpFoldResult> sizes;
  for (auto [dim, cut] : llvm::enumerate(cuts)) {
    sizes.push_back(cut ? builder.getIndexAttr(cut->size)
                        : tensor::getMixedSize(builder, loc, value, dim));
  }
  return sizes;
}

Value fusion::makeEmpty(OpBuilder &builder, Value init, const Cuts &cuts) {
  return tensor::EmptyOp::create(builder, init.getLoc(),
                                 getSizes(builder, init.getLoc(), init, cuts),
                                 getElementTypeOrSelf(init.getType()));
}

FusionDecision fusion::checkCuttable(Value value, const Cuts &cuts) {
  // Code generation reads products' operands in place where it knows all sizes.
  bool known = cast<RankedTensorType>(value.getType()).hasStaticShape();
  return known || !hasCut(cuts)
             ? FusionDecision::allow()
             : FusionDecision::forbid(
                   "an operand of which some sizes are known "
                   "only at run time would be copied in "
                   "part");
}

/// Returns the part of `whole` that `cuts` says, byte by byte.
static DenseElementsAttr cutConstant(DenseElementsAttr whole,
                                     RankedTensorType type, const Cuts &cuts) {
  ArrayRef<int64_t> shape = whole.getType().getShape();
  int64_t width = whole.getElementType().getIntOrFloatBitWidth() / 8;
  std::vector<char> bytes;
  bytes.reserve(type.getNumElements() * width);
  SmallVector<int64_t> at(shape.size(), 0);
  for (int64_t i = 0; i < type.getNumElements(); ++i) {
    int64_t rest = i, place = 0, stride = 1;
    for (size_t dim = shape.size(); dim-- > 0;) {
      int64_t position = rest % type.getDimSize(dim);
      rest /= type.getDimSize(dim);
      place += (position + (cuts[dim] ? cuts[dim]->start : 0)) * stride;
      stride *= shape[dim];
    }
    const char *element = whole.getRawData().data() + place * width;
    bytes.insert(bytes.end(), element, element + width);
  }
  return DenseElementsAttr::getFromRawBuffer(type, bytes);
}

/// Returns the part of the constant `value` that `cuts` says, where it is small
/// or one number; null otherwise.
static DenseElementsAttr foldCut(Value value, const Cuts &cuts) {
  constexpr int64_t kMostBytes = 1 << 18;
  DenseElementsAttr whole;
  if (!matchPattern(value, m_Constant(&whole))) {
    return nullptr;
  }
  RankedTensorType type = getCutType(value, cuts);
  if (whole.isSplat()) {
    return whole.resizeSplat(type);
  }
  Type element = type.getElementType();
  bool whole8 =
      element.isIntOrFloat() && element.getIntOrFloatBitWidth() % 8 == 0;
  return whole8 && int64_t(whole.getRawData().size()) <= kMostBytes
             ? cutConstant(whole, type, cuts)
             : nullptr;
}

Value fusion::cutOut(OpBuilder &builder, Value value, const Cuts &cuts) {
  Location loc = value.getLoc();
  if (DenseElementsAttr part = foldCut(value, cuts)) {
    return arith::ConstantOp::create(builder, loc, part);
  }
  Value empty = makeEmpty(builder, value, cuts);
  auto type = cast<RankedTensorType>(empty.getType());
  SmallVector<utils::IteratorType> parallel(type.getRank(),
                                            utils::IteratorType::parallel);
  auto read = [&](OpBuilder &body, Location loc, ValueRange) {
    SmallVector<Value> indices;
    for (auto [dim, cut] : llvm::enumerate(cuts)) {
      Value index = linalg::IndexOp::create(body, loc, dim);
      if (cut && cut->start != 0) {
        Value start = arith::ConstantIndexOp::create(body, loc, cut->start);
        index = arith::AddIOp::create(body, loc, index, start);
      }
      indices.push_back(index);
    }
    Value element = tensor::ExtractOp::create(body, loc, value, indices);
    linalg::YieldOp::create(body, loc, element);
  };
  SmallVector<AffineMap> maps = {
      builder.getMultiDimIdentityMap(type.getRank())};
  return linalg::GenericOp::create(builder, loc, type, ValueRange(), empty,
                                   maps, parallel, read)
      ->getResult(0);
}

Value fusion::makeReshape(OpBuilder &builder, Operation *reshape, Value operand,
                          RankedTensorType type, const Cuts &cuts) {
  Location loc = reshape->getLoc();
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(reshape)) {
    return tensor::CollapseShapeOp::create(builder, loc, type, operand,
                                           collapse.getReassociationIndices());
  }
  auto expand = cast<tensor::ExpandShapeOp>(reshape);
  SmallVector<OpFoldResult> sizes = expand.getMixedOutputShape();
  for (auto [size, cut] : llvm::zip_equal(sizes, cuts)) {
    size = cut ? builder.getIndexAttr(cut->size) : size;
  }
  return tensor::ExpandShapeOp::create(builder, loc, type, operand,
                                       expand.getReassociationIndices(), sizes);
}

Value fusion::reshapeUnits(OpBuilder &builder, Location loc, Value value,
                           RankedTensorType type) {
  auto own = cast<RankedTensorType>(value.getType());
  SmallVector<ReassociationIndices> groups =
      *getReassociationIndicesForReshape(own, type);
  if (type.getRank() < own.getRank()) {
    return tensor::CollapseShapeOp::create(builder, loc, type, value, groups);
  }
  return tensor::ExpandShapeOp::create(builder, loc, type, value, groups);
}
