//===- TileOps.cpp - verifiers of the tile ops ----------------------------===//

#include "fusion/Tile/IR/Tile.h"

using namespace mlir;
using namespace mlir::fusion::tile;

#define GET_OP_CLASSES
#include "fusion/Tile/IR/TileOps.cpp.inc"

/// Checks what tile.load, tile.store and tile.copy_async have in common:
/// (C1) one entry for each memref dim, (C2) dims name tile dims once.
static LogicalResult verifyAccess(Operation *op, Type memref, size_t indices,
                                  ArrayRef<int64_t> dims,
                                  ArrayRef<bool> inBounds, int64_t tileRank) {
  size_t rank = cast<MemRefType>(memref).getRank();
  if (indices != rank || dims.size() != rank || inBounds.size() != rank) {
    return op->emitOpError("(C1) expected ")
           << rank << " indices, dims and in_bounds, but got " << indices
           << ", " << dims.size() << " and " << inBounds.size();
  }
  SmallVector<bool> seen(tileRank, false);
  for (int64_t dim : dims) {
    if (dim == -1) {
      continue;
    }
    if (dim < 0 || dim >= tileRank || seen[dim]) {
      return op->emitOpError("(C2) expected dims to name each tile dim at most "
                             "once, but got ")
             << dim;
    }
    seen[dim] = true;
  }
  return success();
}

/// (C3) The memref's element type is the tile's.
static LogicalResult verifyElements(Operation *op, Type memref, Type tile) {
  Type stored = cast<MemRefType>(memref).getElementType();
  Type held = cast<RankedTensorType>(tile).getElementType();
  if (stored != held) {
    return op->emitOpError("(C3) expected element type ")
           << stored << ", but got " << held;
  }
  return success();
}

LogicalResult LoadOp::verify() {
  auto type = cast<RankedTensorType>(getResult().getType());
  if (failed(verifyAccess(*this, getMemref().getType(), getIndices().size(),
                          getDims(), getInBounds(), type.getRank()))) {
    return failure();
  }
  if (getOther() && getOther().getType() != type.getElementType()) {
    return emitOpError("(C3) expected 'other' of type ")
           << type.getElementType() << ", but got " << getOther().getType();
  }
  return verifyElements(*this, getMemref().getType(), type);
}

/// (C4) Limits are places in the memref.
static LogicalResult verifyLimits(StoreOp store) {
  std::optional<ArrayRef<int64_t>> limits = store.getLimits();
  if (!limits) {
    return success();
  }
  auto memref = cast<MemRefType>(store.getMemref().getType());
  if (int64_t(limits->size()) != memref.getRank()) {
    return store.emitOpError("(C4) expected ")
           << memref.getRank() << " limits, but got " << limits->size();
  }
  for (auto [limit, size] : llvm::zip_equal(*limits, memref.getShape())) {
    bool inside = ShapedType::isDynamic(size) || limit <= size;
    if (limit < -1 || !inside) {
      return store.emitOpError("(C4) expected limits of -1 or inside of the "
                               "memref, but got ")
             << limit;
    }
  }
  return success();
}

LogicalResult StoreOp::verify() {
  auto type = cast<RankedTensorType>(getValue().getType());
  if (failed(verifyAccess(*this, getMemref().getType(), getIndices().size(),
                          getDims(), getInBounds(), type.getRank())) ||
      failed(verifyLimits(*this))) {
    return failure();
  }
  return verifyElements(*this, getMemref().getType(), type);
}

LogicalResult GatherOp::verify() {
  auto type = cast<RankedTensorType>(getResult().getType());
  int64_t rank = cast<MemRefType>(getMemref().getType()).getRank();
  if (int64_t(getIndices().size()) != rank) {
    return emitOpError("(C1) expected ")
           << rank << " indices, but got " << getIndices().size();
  }
  SmallVector<Value> tiles(getIndices());
  if (static_cast<bool>(getMask()) != static_cast<bool>(getOther())) {
    return emitOpError("(C4) expected mask and other together");
  }
  if (getMask()) {
    tiles.append({getMask(), getOther()});
  }
  for (Value tile : tiles) {
    auto other = cast<RankedTensorType>(tile.getType());
    if (other.getShape() != type.getShape()) {
      return emitOpError("(C2) expected tiles of shape ")
             << type << ", but got " << other;
    }
  }
  if (getOther() && getElementTypeOrSelf(getOther()) != type.getElementType()) {
    return emitOpError("(C3) expected 'other' of element type ")
           << type.getElementType() << ", but got "
           << getElementTypeOrSelf(getOther());
  }
  return verifyElements(*this, getMemref().getType(), type);
}

LogicalResult CopyAsyncOp::verify() {
  return verifyAccess(*this, getMemref().getType(), getIndices().size(),
                      getDims(), getInBounds(), /*tileRank=*/2);
}

SmallVector<int64_t> mlir::fusion::tile::getSteps(AffineMap map,
                                                  unsigned coordinate) {
  SmallVector<int64_t> unit(map.getNumDims(), 0);
  unit[coordinate] = 1;
  return map.compose(unit);
}

/// Whether `expr` is a sum of multiples of dims.
static bool isLinear(AffineExpr expr) {
  if (isa<AffineDimExpr>(expr)) {
    return true;
  }
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    return constant.getValue() == 0;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary) {
    return false;
  }
  if (binary.getKind() == AffineExprKind::Mul) {
    return isa<AffineDimExpr>(binary.getLHS()) &&
           isa<AffineConstantExpr>(binary.getRHS());
  }
  return binary.getKind() == AffineExprKind::Add && isLinear(binary.getLHS()) &&
         isLinear(binary.getRHS());
}

/// Checks what ops on windows of arrays of rank `rank` have in common.
template <typename Op>
static LogicalResult verifyWindow(Op op, size_t rank, size_t tileRank) {
  if (op.getIndices().size() != rank || op.getExtents().size() != rank ||
      op.getChecked().size() != rank) {
    return op.emitOpError("(C1) expected ")
           << rank << " indices, extents and checked, but got "
           << op.getIndices().size() << ", " << op.getExtents().size()
           << " and " << op.getChecked().size();
  }
  ArrayRef<int64_t> parts = op.getParts(), sizes = op.getSizes();
  bool positive = llvm::all_of(parts, [](int64_t part) { return part > 0; });
  if (op.getOffsets().size() != tileRank || op.getLimits().size() != tileRank ||
      op.getInBounds().size() != tileRank || parts.size() != tileRank ||
      !positive) {
    return op.emitOpError("(C2) expected ")
           << tileRank << " offsets, limits, in_bounds and positive parts";
  }
  AffineMap map = op.getMap();
  size_t coordinates = llvm::sum_of(parts, int64_t(0));
  if (sizes.size() != coordinates || map.getNumDims() != coordinates ||
      map.getNumSymbols() != 0 || map.getNumResults() != rank ||
      !llvm::all_of(map.getResults(), isLinear)) {
    return op.emitOpError("(C3) expected a linear map from ")
           << coordinates << " coordinates to " << rank
           << " dims, and their sizes";
  }
  for (int64_t part : parts) {
    if (llvm::any_of(sizes.take_front(part).drop_front(),
                     [](int64_t size) { return size <= 0; })) {
      return op.emitOpError("(C3) expected positive sizes but for the first "
                            "of a tile dim");
    }
    sizes = sizes.drop_front(part);
  }
  return success();
}

LogicalResult LoadWindowOp::verify() {
  auto type = cast<RankedTensorType>(getResult().getType());
  auto memref = cast<MemRefType>(getMemref().getType());
  if (failed(verifyWindow(*this, memref.getRank(), type.getRank()))) {
    return failure();
  }
  Type stored = memref.getElementType();
  if (stored != type.getElementType() ||
      (getOther() && getOther().getType() != stored)) {
    return emitOpError("(C4) expected element type ") << stored;
  }
  return success();
}

LogicalResult StoreWindowOp::verify() {
  auto type = cast<RankedTensorType>(getValue().getType());
  auto memref = cast<MemRefType>(getMemref().getType());
  if (failed(verifyWindow(*this, memref.getRank(), type.getRank()))) {
    return failure();
  }
  if (memref.getElementType() != type.getElementType()) {
    return emitOpError("(C4) expected element type ")
           << memref.getElementType();
  }
  return success();
}

LogicalResult CopyWindowOp::verify() {
  auto memref = cast<MemRefType>(getMemref().getType());
  if (failed(verifyWindow(*this, memref.getRank(), /*tileRank=*/2))) {
    return failure();
  }
  Type stored = memref.getElementType();
  if (stored != getBuffer().getType().getElementType()) {
    return emitOpError("(C4) expected element type ") << stored;
  }
  return success();
}

LogicalResult MaskWindowOp::verify() {
  auto type = cast<RankedTensorType>(getResult().getType());
  if (failed(verifyWindow(*this, getIndices().size(), type.getRank()))) {
    return failure();
  }
  if (getOther().getType() != type.getElementType()) {
    return emitOpError("(C4) expected element type ") << type.getElementType();
  }
  return success();
}

LogicalResult SplatOp::verify() {
  Type element = cast<RankedTensorType>(getResult().getType()).getElementType();
  if (getValue().getType() != element) {
    return emitOpError("expected a value of type ")
           << element << ", but got " << getValue().getType();
  }
  return success();
}

LogicalResult BroadcastOp::verify() {
  auto source = cast<RankedTensorType>(getSource().getType());
  auto result = cast<RankedTensorType>(getResult().getType());
  if (int64_t(getDims().size()) != source.getRank()) {
    return emitOpError("(C1) expected one result dim for each source dim");
  }
  int64_t previous = -1;
  for (auto [i, dim] : llvm::enumerate(getDims())) {
    if (dim <= previous || dim >= result.getRank() ||
        source.getDimSize(i) != result.getDimSize(dim)) {
      return emitOpError("(C1) expected increasing result dims of equal size, "
                         "but got ")
             << dim << " for source dim " << i;
    }
    previous = dim;
  }
  if (source.getElementType() != result.getElementType()) {
    return emitOpError("(C2) expected element type ")
           << source.getElementType() << ", but got "
           << result.getElementType();
  }
  return success();
}

LogicalResult ReduceOp::verify() {
  auto source = cast<RankedTensorType>(getSource().getType());
  auto result = cast<RankedTensorType>(getResult().getType());
  int64_t dim = getDim();
  if (dim < 0 || dim >= source.getRank()) {
    return emitOpError("(C1) expected a dim below ")
           << source.getRank() << ", but got " << dim;
  }
  SmallVector<int64_t> shape(source.getShape());
  shape.erase(shape.begin() + dim);
  if (ArrayRef<int64_t>(shape) != result.getShape() ||
      source.getElementType() != result.getElementType()) {
    return emitOpError("(C1) expected the source's type without dim ")
           << dim << ", but got " << result;
  }
  Block &body = getCombiner().front();
  Type element = source.getElementType();
  auto yield = dyn_cast<YieldOp>(body.getTerminator());
  if (body.getNumArguments() != 2 || body.getArgument(0).getType() != element ||
      body.getArgument(1).getType() != element || !yield ||
      yield.getValues().size() != 1 ||
      yield.getValues()[0].getType() != element) {
    return emitOpError("(C2) expected a combiner of two ")
           << element << " that yields one";
  }
  return success();
}

LogicalResult IndexOp::verify() {
  int64_t rank = cast<RankedTensorType>(getResult().getType()).getRank();
  if (int64_t(getDim()) < 0 || int64_t(getDim()) >= rank) {
    return emitOpError("(C1) expected a dim below ")
           << rank << ", but got " << getDim();
  }
  return success();
}

LogicalResult MaskOp::verify() {
  auto type = cast<RankedTensorType>(getResult().getType());
  if (int64_t(getOffsets().size()) != type.getRank()) {
    return emitOpError("(C1) expected ")
           << type.getRank() << " offsets and sizes, but got "
           << getOffsets().size();
  }
  if (getPadding().getType() != type.getElementType()) {
    return emitOpError("(C2) expected a padding of type ")
           << type.getElementType() << ", but got " << getPadding().getType();
  }
  return success();
}

LogicalResult DotOp::verify() {
  auto a = cast<RankedTensorType>(getA().getType());
  auto b = cast<RankedTensorType>(getB().getType());
  auto acc = cast<RankedTensorType>(getResult().getType());
  if (a.getRank() != 2 || b.getRank() != 2 || acc.getRank() != 2 ||
      a.getDimSize(1) != b.getDimSize(0) ||
      a.getDimSize(0) != acc.getDimSize(0) ||
      b.getDimSize(1) != acc.getDimSize(1)) {
    return emitOpError("(C1) expected MxK, KxN and MxN, but got ")
           << a << ", " << b << " and " << acc;
  }
  if (a.getElementType() != b.getElementType()) {
    return emitOpError("(C2) expected operands of one element type, but got ")
           << a.getElementType() << " and " << b.getElementType();
  }
  return success();
}

LogicalResult ConvertLayoutOp::verify() {
  auto source = cast<RankedTensorType>(getSource().getType());
  auto result = cast<RankedTensorType>(getResult().getType());
  if (source.dropEncoding() != result.dropEncoding()) {
    return emitOpError("(C1) expected types that differ in their layouts only, "
                       "but got ")
           << source << " and " << result;
  }
  return success();
}

LogicalResult MMAOp::verify() {
  BufferType a = getA().getType(), b = getB().getType();
  RankedTensorType acc = getResult().getType().getTile();
  int64_t m = getAKmajor() ? a.getRows() : a.getColumns();
  int64_t ka = getAKmajor() ? a.getColumns() : a.getRows();
  int64_t n = getBKmajor() ? b.getRows() : b.getColumns();
  int64_t kb = getBKmajor() ? b.getColumns() : b.getRows();
  if (m != acc.getDimSize(0) || n != acc.getDimSize(1) || ka != kb) {
    return emitOpError("(C1) expected buffers of MxK and KxN for ")
           << acc << ", but got " << m << "x" << ka << " and " << kb << "x"
           << n;
  }
  if (!llvm::is_contained({"wgmma", "mma", "fma"}, getKind())) {
    return emitOpError("(C2) expected 'wgmma', 'mma' or 'fma', but got '")
           << getKind() << "'";
  }
  return success();
}

LogicalResult MMARegistersOp::verify() {
  auto a = cast<RankedTensorType>(getA().getType());
  BufferType b = getB().getType();
  RankedTensorType acc = getResult().getType().getTile();
  int64_t n = getBKmajor() ? b.getRows() : b.getColumns();
  int64_t k = getBKmajor() ? b.getColumns() : b.getRows();
  if (a.getRank() != 2 || a.getDimSize(0) != acc.getDimSize(0) ||
      a.getDimSize(1) != k || n != acc.getDimSize(1)) {
    return emitOpError("(C1) expected operands of MxK and KxN for ")
           << acc << ", but got " << a << " and " << k << "x" << n;
  }
  if (a.getElementType() != b.getElementType()) {
    return emitOpError("(C2) expected operands of one element type, but got ")
           << a.getElementType() << " and " << b.getElementType();
  }
  return success();
}

LogicalResult AccInitOp::verify() {
  if (getSource().getType() != getResult().getType().getTile()) {
    return emitOpError("(C1) expected an accumulator of ")
           << getSource().getType() << ", but got " << getResult().getType();
  }
  return success();
}

LogicalResult StoreSharedOp::verify() {
  auto tile = cast<RankedTensorType>(getValue().getType());
  BufferType buffer = getBuffer().getType();
  bool flip = getTransposed();
  if (tile.getRank() != 2 ||
      tile.getDimSize(flip ? 1 : 0) != buffer.getRows() ||
      tile.getDimSize(flip ? 0 : 1) != buffer.getColumns() ||
      tile.getElementType() != buffer.getElementType()) {
    return emitOpError("(C1) expected a tile like one stage of ")
           << buffer << ", but got " << tile;
  }
  return success();
}

LogicalResult AccReadOp::verify() {
  RankedTensorType acc = getAcc().getType().getTile();
  auto result = cast<RankedTensorType>(getResult().getType());
  int64_t column = getColumn();
  if (result.getElementType() != acc.getElementType() ||
      result.getRank() != 2 || result.getDimSize(0) != acc.getDimSize(0) ||
      column < 0 || column + result.getDimSize(1) > acc.getDimSize(1)) {
    return emitOpError("(C1) expected columns of ")
           << acc << ", but got " << result << " from column " << column;
  }
  return success();
}

LogicalResult WarpSpecializeOp::verify() {
  size_t regions = getPartitions().size();
  if (getWarps().size() != regions || getSingleThread().size() != regions ||
      (!getRegisters().empty() && getRegisters().size() != regions)) {
    return emitOpError("(C1) expected one entry of warps, registers and "
                       "single_thread for each of ")
           << regions << " regions";
  }
  for (int64_t warps : getWarps()) {
    if (!getRegisters().empty() && warps % 4 != 0) {
      return emitOpError("(C2) expected multiples of four warps, but got ")
             << warps;
    }
  }
  return success();
}

LogicalResult TensorMapOp::verify() {
  auto memref = cast<MemRefType>(getMemref().getType());
  TensorMapType map = getResult().getType();
  if (int64_t(map.getBox().size()) != memref.getRank() ||
      memref.getRank() > 5 || map.getElementType() != memref.getElementType()) {
    return emitOpError("(C1) expected a box of the memref's rank and element "
                       "type, but got ")
           << map << " for " << memref;
  }
  return success();
}
