//===- AsyncCopy.cpp - tile.copy_async and its groups ---------------------===//
//
// The threads of the partition share the stage in a blocked layout, as if they
// loaded it as a tile; each vector goes straight to shared memory.
//
//===----------------------------------------------------------------------===//

#include "SharedAddress.h"
#include "TileAccess.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::fusion;

static constexpr int64_t smallestAsyncBytes = 4;
static constexpr int64_t largestAsyncBytes = 16;

namespace {
class AsyncCopy {
public:
  AsyncCopy(tile::CopyAsyncOp op, KernelLowering &lk);
  void emit();

private:
  Value sharedPointer(const AccessVector &vector);
  void emitAsync(const AccessVector &vector);
  void emitPlain(const AccessVector &vector);

  KernelLowering &lk;
  tile::BufferType buffer;
  int64_t width;
  tile::TileLayout layout;
  TileAccess access;
  Value stage;
};
} // namespace

/// Elements that one thread copies at once; 1 means through a register.
static int64_t chooseWidth(tile::CopyAsyncOp op) {
  tile::BufferType buffer = op.getBuffer().getType();
  int64_t bytes = std::min<int64_t>(largestAsyncBytes, op.getAlignment());
  while (bytes > buffer.getElementBytes() &&
         buffer.getColumns() * buffer.getElementBytes() % bytes != 0) {
    bytes /= 2;
  }
  return bytes < smallestAsyncBytes
             ? 1
             : std::max<int64_t>(bytes / buffer.getElementBytes(), 1);
}

/// The tile that the stage would be, spread over the partition.
static RankedTensorType makeTile(tile::CopyAsyncOp op, int64_t warps,
                                 int64_t width) {
  tile::BufferType buffer = op.getBuffer().getType();
  SmallVector<int64_t> shape = {buffer.getRows(), buffer.getColumns()};
  auto layout = tile::TileLayout::blocked(shape, warps, width, {1, 0});
  return RankedTensorType::get(shape, buffer.getElementType(),
                               tile::getLayoutAttr(op.getContext(), layout));
}

AsyncCopy::AsyncCopy(tile::CopyAsyncOp op, KernelLowering &lk)
    : lk(lk), buffer(op.getBuffer().getType()), width(chooseWidth(op)),
      layout(tile::getLayout(makeTile(op, lk.partition().warps, width))),
      access(lk, op.getMemref(), op.getIndices(), op.getDims(),
             op.getInBounds(), makeTile(op, lk.partition().warps, width)),
      stage(stagePointer(lk, op.getBuffer(), lk.getOne(op.getStage()))) {}

Value AsyncCopy::sharedPointer(const AccessVector &vector) {
  return elementPointer(lk, buffer, stage, layout,
                        layout.atRegister(vector.registers.front().front()));
}

void AsyncCopy::emitAsync(const AccessVector &vector) {
  OpBuilder &b = lk.builder;
  int64_t bytes = width * buffer.getElementBytes();
  Value filled;
  if (Value inside = access.emitInBounds(vector, 0)) {
    filled = arith::SelectOp::create(b, lk.loc(), inside, lk.constantI32(bytes),
                                     lk.constantI32(0));
  }
  auto modifier = bytes == largestAsyncBytes ? NVVM::LoadCacheModifierKind::CG
                                             : NVVM::LoadCacheModifierKind::CA;
  NVVM::CpAsyncOp::create(b, lk.loc(), sharedPointer(vector),
                          access.emitAddress(vector, 0), bytes, modifier,
                          filled);
}

void AsyncCopy::emitPlain(const AccessVector &vector) {
  OpBuilder &b = lk.builder;
  Location loc = lk.loc();
  auto load = [&]() -> Value {
    return LLVM::LoadOp::create(b, loc, access.memoryType,
                                access.emitAddress(vector, 0), access.bytes);
  };
  Value value;
  if (Value inside = access.emitInBounds(vector, 0)) {
    Value zero = lk.constant(cast<TypedAttr>(b.getZeroAttr(access.memoryType)));
    auto branch = scf::IfOp::create(b, loc, access.memoryType, inside,
                                    /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(branch.thenBlock());
    scf::YieldOp::create(b, loc, load());
    b.setInsertionPointToEnd(branch.elseBlock());
    scf::YieldOp::create(b, loc, zero);
    value = branch.getResult(0);
  } else {
    value = load();
  }
  LLVM::StoreOp::create(b, loc, value, sharedPointer(vector), access.bytes);
}

void AsyncCopy::emit() {
  auto copy = [&] {
    for (const AccessVector &vector : access.getVectors(width)) {
      if (width * buffer.getElementBytes() < smallestAsyncBytes) {
        emitPlain(vector);
      } else {
        emitAsync(vector);
      }
    }
  };
  // A stage smaller than the partition: each piece is copied by one thread.
  if (Value first = emitIsFirstCopy(lk, layout, {0, 1})) {
    emitIf(lk, first, copy);
  } else {
    copy();
  }
}

void mlir::fusion::addCopyLowerings(OpLoweringTable &table) {
  table.add<tile::CopyAsyncOp>([](Operation *op, KernelLowering &lk) {
    AsyncCopy(cast<tile::CopyAsyncOp>(op), lk).emit();
    return success();
  });
  table.add<tile::CopyCommitOp>([](Operation *, KernelLowering &lk) {
    NVVM::CpAsyncCommitGroupOp::create(lk.builder, lk.loc());
    return success();
  });
  table.add<tile::CopyWaitOp>([](Operation *op, KernelLowering &lk) {
    NVVM::CpAsyncWaitGroupOp::create(lk.builder, lk.loc(),
                                     cast<tile::CopyWaitOp>(op).getPending());
    return success();
  });
}
