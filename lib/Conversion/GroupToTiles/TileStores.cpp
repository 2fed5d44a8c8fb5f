//===- TileStores.cpp - tiles into memory ---------------------------------===//

#include "TileEmitter.h"

#include "fusion/Tile/IR/Tile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::fusion;

/// Whether the block is at the start of all dims that the destination of
/// `store` lacks: of blocks that compute the same, one writes. Null if one
/// does.
Value TileEmitter::isFirstWriter(const GroupMember &store) {
  Value sum; // Of offsets, none of which is negative.
  SmallVector<int64_t> used = store.destination.getUsedDims();
  for (auto [number, dim] : llvm::enumerate(dims)) {
    // What lies along a dim that is cut into parts differs in each.
    bool inParts =
        group.isPart(number) && llvm::is_contained(used, group.parts->dim);
    if (!group.dims[number].reduced && dim.offset && !inParts &&
        !llvm::is_contained(used, int64_t(number))) {
      sum = sum ? b.createOrFold<arith::AddIOp>(loc, sum, dim.offset)
                : dim.offset;
    }
  }
  return sum && !matchPattern(sum, m_Zero())
             ? b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, sum,
                                             builder.index(0))
             : Value();
}

/// Where along each dim of `view` a store of tiles ends: nothing where arrays
/// end there, or tiles.
static DenseI64ArrayAttr getLimits(OpBuilder &b, ArrayRef<int64_t> ends,
                                   ArrayRef<bool> inBounds) {
  SmallVector<int64_t> limits;
  for (auto [end, inside] : llvm::zip_equal(ends, inBounds)) {
    limits.push_back(inside ? -1 : end);
  }
  bool isCut = llvm::any_of(limits, [](int64_t limit) { return limit >= 0; });
  return isCut ? b.getDenseI64ArrayAttr(limits) : DenseI64ArrayAttr();
}

LogicalResult TileEmitter::emitStore(int64_t number) {
  const GroupMember &op = group.ops[number];
  Value tile = getTile(op.inputs[0], opDims[number]);
  OpBuilder::InsertionGuard guard(b);
  if (Value first = isFirstWriter(op)) {
    auto branch = scf::IfOp::create(b, loc, first);
    b.setInsertionPointToStart(branch.thenBlock());
  }
  if (op.destination.isWindow()) {
    storeWindow(op.destination, tile, opDims[number]);
    return success();
  }
  Value memory = builder.getMemory(op.destination);
  MemoryView view = getView(op.destination);
  Access access = getAccess(view, opDims[number]);
  tile::StoreOp::create(b, loc, tile, memory, access.indices, access.tileDims,
                        access.inBounds,
                        getLimits(b, view.ends, access.inBounds));
  return success();
}
