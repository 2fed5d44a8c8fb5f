//===- StoreShared.cpp - tile.store_shared --------------------------------===//

#include "Multiply.h"
#include "SharedAddress.h"
#include "TileAccess.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::fusion;

static constexpr int64_t kMaxBytes = 16;

namespace {
/// Writes the registers of one thread to a stage.
class SharedWriter {
public:
  SharedWriter(tile::StoreSharedOp op, KernelLowering &lk)
      : lk(lk), b(lk.builder), loc(op.getLoc()),
        layout(tile::getLayout(op.getValue())),
        buffer(op.getBuffer().getType()), rowDim(op.getTransposed() ? 1 : 0),
        columnDim(1 - rowDim),
        stage(stagePointer(lk, op.getBuffer(), lk.getOne(op.getStage()))),
        row(getThreadPart(rowDim)), column(getThreadPart(columnDim)) {}

  void write(ArrayRef<Value> registers);

private:
  Value getThreadPart(int64_t dim) {
    Value part = lk.threadCoordinate(layout, dim);
    return part ? toI32(lk, part) : lk.constantI32(0);
  }
  template <typename Op> Value binary(Value lhs, int64_t rhs) {
    return Op::create(b, loc, lhs, lk.constantI32(rhs));
  }
  Value emitAddress(const tile::Coords &at);

  KernelLowering &lk;
  OpBuilder &b;
  Location loc;
  tile::TileLayout layout;
  tile::BufferType buffer;
  int64_t rowDim, columnDim;
  Value stage, row, column;
};
} // namespace

/// `tile::sharedOffset` of the thread's element at `at`, from the stage on.
Value SharedWriter::emitAddress(const tile::Coords &at) {
  int64_t bytes = buffer.getElementBytes();
  int64_t rowBytes = buffer.getPanelBytes() / buffer.getRows();
  SharedPlace place = splitPlace(buffer, at[rowDim], at[columnDim]);
  Value r = binary<arith::AddIOp>(row, place.row);
  Value c = binary<arith::AddIOp>(column, place.column);
  Value panel = binary<arith::DivUIOp>(c, buffer.getPanelColumns());
  Value inPanel = binary<arith::RemUIOp>(c, buffer.getPanelColumns());
  Value offset = binary<arith::MulIOp>(panel, buffer.getPanelBytes());
  offset =
      arith::AddIOp::create(b, loc, offset, binary<arith::MulIOp>(r, rowBytes));
  offset = arith::AddIOp::create(b, loc, offset,
                                 binary<arith::MulIOp>(inPanel, bytes));
  if (buffer.getSwizzle() != 0) {
    Value turn = binary<arith::ShRUIOp>(offset, 7);
    turn = binary<arith::AndIOp>(turn, buffer.getSwizzle() / 16 - 1);
    offset =
        arith::XOrIOp::create(b, loc, offset, binary<arith::ShLIOp>(turn, 4));
  }
  return offsetPointer(lk, offsetPointer(lk, stage, offset), place.bytes);
}

void SharedWriter::write(ArrayRef<Value> registers) {
  int64_t bytes = buffer.getElementBytes();
  int64_t width = std::min(layout.getVectorWidth(columnDim), kMaxBytes / bytes);
  Type memoryType = getMemoryType(registers.front().getType());
  OpBuilder::InsertionGuard guard(b);
  if (Value first = emitIsFirstCopy(lk, layout, {0, 1})) {
    auto branch = scf::IfOp::create(b, loc, first, /*withElseRegion=*/false);
    b.setInsertionPointToStart(branch.thenBlock());
  }
  for (int64_t reg = 0, e = registers.size(); reg < e; reg += width) {
    SmallVector<Value> elements;
    for (Value element : registers.slice(reg, width)) {
      elements.push_back(toMemory(b, loc, element));
    }
    Value stored = elements.front();
    if (width > 1) {
      stored = vector::FromElementsOp::create(
          b, loc, VectorType::get(width, memoryType), elements);
    }
    LLVM::StoreOp::create(b, loc, stored, emitAddress(layout.atRegister(reg)),
                          bytes * width);
  }
}

LogicalResult mlir::fusion::lowerStoreShared(tile::StoreSharedOp op,
                                             KernelLowering &lk) {
  SmallVector<Value> registers(lk.get(op.getValue()));
  SharedWriter(op, lk).write(registers);
  return success();
}
