//===- Gather.cpp - tile.gather -------------------------------------------===//

#include "TileAccess.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {
/// Emits one `tile.gather`, element by element.
class GatherEmitter {
public:
  GatherEmitter(tile::GatherOp op, KernelLowering &lk)
      : op(op), lk(lk), b(lk.builder), loc(op.getLoc()),
        registerType(lk.getRegisterType(op.getType())),
        memoryType(getMemoryType(registerType)) {
    collectSizes();
  }

  SmallVector<Value> emit(size_t registers);

private:
  void collectSizes();
  Value emitAddress(size_t reg);
  Value emitLoad(size_t reg);
  Value emitMasked(size_t reg);

  tile::GatherOp op;
  KernelLowering &lk;
  OpBuilder &b;
  Location loc;
  Type registerType, memoryType;
  Value pointer;
  SmallVector<Value> sizes; ///< of the memref
};
} // namespace

void GatherEmitter::collectSizes() {
  auto type = cast<MemRefType>(op.getMemref().getType());
  ArrayRef<Value> parts = lk.get(op.getMemref());
  pointer = parts.front();
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    sizes.push_back(type.isDynamicDim(dim)
                        ? parts[1 + type.getDynamicDimIndex(dim)]
                        : lk.constantI64(type.getDimSize(dim)));
  }
}

/// Row-major: ((i0 * n1) + i1) * n2 + ...
Value GatherEmitter::emitAddress(size_t reg) {
  Value position;
  for (auto [dim, tile] : llvm::enumerate(op.getIndices())) {
    Value index = lk.get(tile)[reg];
    if (position) {
      position = arith::MulIOp::create(b, loc, position, sizes[dim]);
      index = arith::AddIOp::create(b, loc, position, index);
    }
    position = index;
  }
  if (!position) {
    return pointer;
  }
  return LLVM::GEPOp::create(b, loc, pointer.getType(), memoryType, pointer,
                             ValueRange{position});
}

Value GatherEmitter::emitLoad(size_t reg) {
  Value address = emitAddress(reg);
  int64_t bytes = memoryType.getIntOrFloatBitWidth() / 8;
  return LLVM::LoadOp::create(b, loc, memoryType, address, bytes);
}

Value GatherEmitter::emitMasked(size_t reg) {
  Value other = toMemory(b, loc, lk.get(op.getOther())[reg]);
  auto branch = scf::IfOp::create(b, loc, TypeRange(memoryType),
                                  lk.get(op.getMask())[reg],
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(branch.thenBlock());
  scf::YieldOp::create(b, loc, emitLoad(reg));
  b.setInsertionPointToEnd(branch.elseBlock());
  scf::YieldOp::create(b, loc, other);
  return branch.getResult(0);
}

SmallVector<Value> GatherEmitter::emit(size_t registers) {
  SmallVector<Value> results;
  for (size_t reg = 0; reg < registers; ++reg) {
    Value element = op.getMask() ? emitMasked(reg) : emitLoad(reg);
    results.push_back(fromMemory(b, loc, element, registerType));
  }
  return results;
}

static LogicalResult lowerGather(Operation *op, KernelLowering &lk) {
  auto gather = cast<tile::GatherOp>(op);
  FailureOr<SmallVector<Type>> types = lk.getLoweredTypes(gather.getType());
  if (failed(types)) {
    return failure();
  }
  lk.set(gather, GatherEmitter(gather, lk).emit(types->size()));
  return success();
}

void fusion::addGatherLowering(OpLoweringTable &table) {
  table.add<tile::GatherOp>(lowerGather);
}
