//===- WindowLoads.cpp - tiles of what windows read or write --------------===//

#include "TileEmitter.h"

#include "fusion/Tile/IR/Tile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::fusion;

bool mlir::fusion::isZero(Value scalar) {
  return matchPattern(scalar, m_PosZeroFloat()) ||
         matchPattern(scalar, m_Zero());
}

/// How many elements of `dim` there are for one of its part `part`.
static int64_t getInnerSize(const GroupDim &dim, int64_t part) {
  int64_t size = 1;
  for (int64_t inner : ArrayRef(dim.partSizes).drop_front(part + 1)) {
    size *= inner;
  }
  return size;
}

/// The part of a place that all elements of a tile along `along` share.
Value TileEmitter::getPlace(const GroupPosition &position,
                            ArrayRef<int64_t> along) {
  auto make = [&](auto op, Value x, int64_t y) -> Value {
    return b.createOrFold<decltype(op)>(loc, x, builder.index(y));
  };
  Value place = builder.index(position.start);
  for (const GroupTerm &term : position.terms) {
    if (llvm::is_contained(along, term.dim)) {
      continue;
    }
    const GroupDim &dim = group.dims[term.dim];
    Value index = make(arith::DivUIOp(), getOffset(term.dim),
                       getInnerSize(dim, term.part));
    if (term.part > 0) {
      index = make(arith::RemUIOp(), index, dim.partSizes[term.part]);
    }
    Value step = make(arith::MulIOp(), index, term.step);
    place = b.createOrFold<arith::AddIOp>(loc, place, step);
  }
  return place;
}

/// The map from the parts of `along`, in order, to the dims of memory.
AffineMap TileEmitter::getWindowMap(const GroupOperand &operand,
                                    ArrayRef<int64_t> along) {
  SmallVector<int64_t> firsts;
  int64_t count = 0;
  for (int64_t dim : along) {
    firsts.push_back(count);
    count += std::max<int64_t>(group.dims[dim].parts.size(), 1);
  }
  SmallVector<AffineExpr> exprs;
  for (const GroupPosition &position : operand.window) {
    AffineExpr sum = b.getAffineConstantExpr(0);
    for (const GroupTerm &term : position.terms) {
      auto at = llvm::find(along, term.dim);
      if (at != along.end()) {
        int64_t coordinate = firsts[at - along.begin()] + term.part;
        sum = sum + b.getAffineDimExpr(coordinate) * term.step;
      }
    }
    exprs.push_back(sum);
  }
  return AffineMap::get(count, 0, exprs, b.getContext());
}

/// The operands and attributes that ops on windows have.
struct TileEmitter::WindowOperands {
  /// Where the tile lies along the dims of memory, and the bounds there.
  SmallVector<Value> indices, extents;
  SmallVector<bool> checked;
  /// Along the dims of the tile, and their parts.
  SmallVector<Value> offsets, limits;
  SmallVector<int64_t> parts, sizes;
};

TileEmitter::WindowOperands TileEmitter::getWindow(const GroupOperand &operand,
                                                   ArrayRef<int64_t> along) {
  WindowOperands window;
  for (const GroupPosition &position : operand.window) {
    window.indices.push_back(getPlace(position, along));
    window.checked.push_back(bool(position.extent));
    window.extents.push_back(position.extent
                                 ? builder.getScalar(position.extent)
                                 : builder.index(0));
  }
  for (int64_t dim : along) {
    const GroupDim &info = group.dims[dim];
    window.offsets.push_back(getOffset(dim));
    window.limits.push_back(builder.getSize(dim));
    // A dim that was added for the tile's sake has no parts.
    window.parts.push_back(std::max<int64_t>(info.parts.size(), 1));
    llvm::append_range(window.sizes, info.partSizes);
    if (info.parts.empty()) {
      window.sizes.push_back(info.size);
    }
  }
  return window;
}

Value TileEmitter::loadWindow(const GroupOperand &operand,
                              ArrayRef<int64_t> along) {
  WindowOperands window = getWindow(operand, along);
  SmallVector<bool> inBounds = llvm::map_to_vector(
      along, [&](int64_t dim) { return dims[dim].inBounds; });
  Value memory = builder.getMemory(operand);
  Value outside;
  if (operand.outside && !isZero(operand.outside)) {
    outside = builder.getScalar(operand.outside);
  }
  auto type = getTileType(operand.getElementType(), along);
  return tile::LoadWindowOp::create(
      b, loc, type, memory, window.indices, window.extents, window.offsets,
      window.limits, outside, window.checked, inBounds, window.parts,
      window.sizes, getWindowMap(operand, along));
}

void TileEmitter::storeWindow(const GroupOperand &operand, Value tile,
                              ArrayRef<int64_t> along) {
  WindowOperands window = getWindow(operand, along);
  SmallVector<bool> inBounds = llvm::map_to_vector(
      along, [&](int64_t dim) { return dims[dim].inBounds; });
  tile::StoreWindowOp::create(
      b, loc, tile, builder.getMemory(operand), window.indices, window.extents,
      window.offsets, window.limits, window.checked, inBounds, window.parts,
      window.sizes, getWindowMap(operand, along));
}

Value TileEmitter::maskWindow(const GroupOperand &bounds, Value tile,
                              ArrayRef<int64_t> along) {
  WindowOperands window = getWindow(bounds, along);
  // Whoever cares for the ends of dims masks these too.
  SmallVector<bool> inBounds(along.size(), true);
  Value outside = bounds.outside
                      ? builder.getScalar(bounds.outside)
                      : arith::ConstantOp::create(
                            b, loc, b.getZeroAttr(bounds.getElementType()));
  return tile::MaskWindowOp::create(
      b, loc, tile.getType(), tile, window.indices, window.extents,
      window.offsets, window.limits, outside, window.checked, inBounds,
      window.parts, window.sizes, getWindowMap(bounds, along));
}
