//===- BulkCopy.cpp - bulk tensor copies ----------------------------------===//

#include "SharedAddress.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::fusion;

/// Named barriers 1.. are the partitions', from here on the warpgroups'.
static constexpr int64_t firstWarpgroupBarrier = 8;
static constexpr int64_t stagesPerWarpgroup = 2;

/// The coordinates of a copy, innermost first.
static SmallVector<Value> coordinates(KernelLowering &lk, ValueRange indices) {
  SmallVector<Value> result;
  for (Value index : llvm::reverse(indices)) {
    result.push_back(toI32(lk, lk.getOne(index)));
  }
  return result;
}

static Value addConstant(KernelLowering &lk, Value value, int64_t more) {
  if (more == 0) {
    return value;
  }
  return arith::AddIOp::create(lk.builder, lk.loc(), value,
                               lk.constantI32(more));
}

static LogicalResult lowerCopyTMA(tile::CopyTMAOp op, KernelLowering &lk) {
  if (!lk.partition().singleThread) {
    return op.emitOpError("expected a single-thread partition");
  }
  tile::BufferType buffer = op.getBuffer().getType();
  Value stage = stagePointer(lk, op.getBuffer(), lk.getOne(op.getStage()));
  Value barrier =
      barrierPointer(lk, op.getBarriers(), lk.getOne(op.getBarrier()));
  SmallVector<Value> coords = coordinates(lk, op.getIndices());
  Value inner = coords.front();
  auto clusterPointer = LLVM::LLVMPointerType::get(
      lk.builder.getContext(),
      static_cast<unsigned>(NVVM::NVVMMemorySpace::SharedCluster));
  int64_t columns = op.getColumns() ? op.getColumns() : buffer.getColumns();
  int64_t panels = columns / buffer.getPanelColumns();
  int64_t rowBytes = buffer.getPanelBytes() / buffer.getRows();
  int64_t first =
      op.getColumn() / buffer.getPanelColumns() * buffer.getPanelBytes() +
      op.getRow() * rowBytes;
  for (int64_t p = 0; p < panels; ++p) {
    Value to = offsetPointer(lk, stage, first + p * buffer.getPanelBytes());
    to =
        LLVM::AddrSpaceCastOp::create(lk.builder, lk.loc(), clusterPointer, to);
    coords.front() = addConstant(lk, inner, p * buffer.getPanelColumns());
    NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp::create(
        lk.builder, lk.loc(), to, lk.getOne(op.getMap()), coords, barrier,
        ValueRange(), Value(), Value(), NVVM::TMALoadMode::TILE,
        /*isCTAOnly=*/false, NVVM::CTAGroupKindAttr(), Value());
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

namespace {
/// Stores the rows of one warpgroup, panel by panel.
class BulkStore {
public:
  BulkStore(tile::StoreTMAOp op, KernelLowering &lk);
  void emit();

private:
  void syncWarpgroup() {
    NVVM::BarrierOp::create(lk.builder, lk.loc(), TypeRange(), barrierId,
                            lk.constantI32(warpgroupThreads),
                            NVVM::BarrierReductionAttr(), Value());
  }
  void fillPanel(int64_t panel, Value to);
  void emitPanel(int64_t panel, int64_t pending);

  tile::StoreTMAOp op;
  KernelLowering &lk;
  tile::BufferType buffer;
  Value barrierId, leader, stages;
  SmallVector<Value> coords;
  /// Where this lane's row of the four 8x8 matrices of a 16x16 block starts in
  /// the staged panel, one for each 16 columns.
  SmallVector<Value> offsets;
};
} // namespace

BulkStore::BulkStore(tile::StoreTMAOp op, KernelLowering &lk)
    : op(op), lk(lk), buffer(op.getBuffer().getType()) {
  OpBuilder &b = lk.builder;
  Location loc = lk.loc();
  Value warpgroup = warpgroupInPartition(lk);
  int64_t first = firstWarpgroupBarrier + lk.partition().firstWarp / 4;
  barrierId = arith::AddIOp::create(b, loc, warpgroup, lk.constantI32(first));
  leader = isFirstOf(lk, warpgroupThreads);
  Value bytes = lk.constantI32(stagesPerWarpgroup * buffer.getStageBytes());
  stages = offsetPointer(lk, lk.getOne(op.getBuffer()),
                         arith::MulIOp::create(b, loc, warpgroup, bytes));
  coords = coordinates(lk, op.getIndices());
  // The dim of the box with 64 rows is the one that the warpgroups split.
  ArrayRef<int64_t> box = op.getMap().getType().getBox();
  for (auto [i, size] : llvm::enumerate(llvm::reverse(box))) {
    if (i > 0 && size == buffer.getRows()) {
      Value rows = arith::MulIOp::create(b, loc, warpgroup,
                                         lk.constantI32(buffer.getRows()));
      coords[i] = arith::AddIOp::create(b, loc, coords[i], rows);
      break;
    }
  }
  // stmatrix: lanes 0-15 name the rows of the left 8 columns, 16-31 of the
  // right.
  Value lane = lk.laneId();
  Value warp =
      arith::AndIOp::create(b, loc, lk.warpInPartition(), lk.constantI32(3));
  Value row = arith::AddIOp::create(
      b, loc, arith::MulIOp::create(b, loc, warp, lk.constantI32(16)),
      arith::AndIOp::create(b, loc, lane, lk.constantI32(15)));
  Value rowOffset = arith::MulIOp::create(b, loc, row, lk.constantI32(128));
  Value half = arith::ShRUIOp::create(b, loc, lane, lk.constantI32(4));
  Value turn = arith::AndIOp::create(b, loc, lane, lk.constantI32(7));
  for (int64_t block = 0; block < buffer.getColumns() / 16; ++block) {
    Value chunk = addConstant(lk, half, 2 * block);
    chunk = arith::XOrIOp::create(b, loc, chunk, turn);
    chunk = arith::MulIOp::create(b, loc, chunk, lk.constantI32(16));
    offsets.push_back(arith::AddIOp::create(b, loc, rowOffset, chunk));
  }
}

void BulkStore::fillPanel(int64_t panel, Value to) {
  MLIRContext *context = lk.builder.getContext();
  SmallVector<Value> &registers = lk.get(op.getValue());
  // A thread holds 4 registers for each 8 columns: two of its row, two of the
  // row eight below.
  int64_t next = panel * buffer.getColumns() / 8 * 4;
  for (Value offset : offsets) {
    SmallVector<Value> words;
    for (int64_t i = 0; i < 4; ++i, next += 2) {
      words.push_back(packPair(lk, registers[next], registers[next + 1]));
    }
    NVVM::StMatrixOp::create(
        lk.builder, lk.loc(), offsetPointer(lk, to, offset), words,
        NVVM::MMALayout::row, NVVM::LdStMatrixShapeAttr::get(context, 8, 8),
        NVVM::LdStMatrixEltType::B16);
  }
}

void BulkStore::emit() {
  int64_t panels =
      cast<RankedTensorType>(op.getValue().getType()).getDimSize(1) /
      buffer.getColumns();
  // A stage is free once the copy before the last has read it; with an odd
  // number of panels the next tile begins with the stage used last.
  int64_t pending =
      panels % stagesPerWarpgroup == 0 ? stagesPerWarpgroup - 1 : 0;
  for (int64_t p = 0; p < panels; ++p) {
    emitPanel(p, pending);
  }
}

void BulkStore::emitPanel(int64_t panel, int64_t pending) {
  OpBuilder &b = lk.builder;
  Location loc = lk.loc();
  emitIf(lk, leader, [&] {
    NVVM::CpAsyncBulkWaitGroupOp::create(b, loc, pending, b.getUnitAttr());
  });
  syncWarpgroup();
  Value to = offsetPointer(lk, stages,
                           panel % stagesPerWarpgroup * buffer.getStageBytes());
  fillPanel(panel, to);
  NVVM::FenceProxyOp::create(
      b, loc, NVVM::ProxyKind::async_shared,
      NVVM::SharedSpaceAttr::get(b.getContext(),
                                 NVVM::SharedSpace::shared_cta));
  syncWarpgroup();
  SmallVector<Value> at = coords;
  at.front() = addConstant(lk, at.front(), panel * buffer.getColumns());
  emitIf(lk, leader, [&] {
    NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp::create(
        b, loc, lk.getOne(op.getMap()), to, at, Value(),
        NVVM::TMAStoreMode::TILE, Value());
    NVVM::CpAsyncBulkCommitGroupOp::create(b, loc);
  });
}

static LogicalResult lowerStoreTMA(tile::StoreTMAOp op, KernelLowering &lk) {
  auto type = cast<RankedTensorType>(op.getValue().getType());
  tile::BufferType buffer = op.getBuffer().getType();
  auto expected = tile::TileLayout::wgmmaAccumulator(
      64 * lk.partition().warps / 4, type.getDimSize(1), lk.partition().warps);
  if (!(tile::getLayout(type) == expected) ||
      type.getElementTypeBitWidth() != 16 || buffer.getRows() != 64 ||
      buffer.getColumns() != 64 || buffer.getSwizzle() != 128) {
    return op.emitOpError("expected 16-bit elements in the layout of a wgmma "
                          "accumulator, 64 rows a warpgroup, and stages of "
                          "64x64 with a 128-byte swizzle");
  }
  BulkStore(op, lk).emit();
  return success();
}

static LogicalResult lowerStoreWait(tile::StoreWaitOp, KernelLowering &lk) {
  emitIf(lk, isFirstOf(lk, warpgroupThreads), [&] {
    NVVM::CpAsyncBulkWaitGroupOp::create(lk.builder, lk.loc(), 0, UnitAttr());
  });
  return success();
}

void mlir::fusion::addBulkCopyLowerings(OpLoweringTable &table) {
  table.add<tile::CopyTMAOp>([](Operation *op, KernelLowering &lk) {
    return lowerCopyTMA(cast<tile::CopyTMAOp>(op), lk);
  });
  table.add<tile::StoreTMAOp>([](Operation *op, KernelLowering &lk) {
    return lowerStoreTMA(cast<tile::StoreTMAOp>(op), lk);
  });
  table.add<tile::StoreWaitOp>([](Operation *op, KernelLowering &lk) {
    return lowerStoreWait(cast<tile::StoreWaitOp>(op), lk);
  });
}
