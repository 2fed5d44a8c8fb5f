//===- SharedAddress.cpp - pointers into buffers and barriers -------------===//

#include "SharedAddress.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::fusion;

Value mlir::fusion::offsetPointer(KernelLowering &lk, Value pointer,
                                  Value bytes) {
  return LLVM::GEPOp::create(lk.builder, lk.loc(), pointer.getType(),
                             lk.builder.getI8Type(), pointer, bytes);
}

Value mlir::fusion::offsetPointer(KernelLowering &lk, Value pointer,
                                  int64_t bytes) {
  if (bytes == 0) {
    return pointer;
  }
  return LLVM::GEPOp::create(lk.builder, lk.loc(), pointer.getType(),
                             lk.builder.getI8Type(), pointer,
                             LLVM::GEPArg(static_cast<int32_t>(bytes)));
}

Value mlir::fusion::toI32(KernelLowering &lk, Value index) {
  return arith::TruncIOp::create(lk.builder, lk.loc(), lk.builder.getI32Type(),
                                 index);
}

/// `pointer + stage * bytes`.
static Value strided(KernelLowering &lk, Value pointer, Value stage,
                     int64_t bytes) {
  Value offset = arith::MulIOp::create(lk.builder, lk.loc(), toI32(lk, stage),
                                       lk.constantI32(bytes));
  return offsetPointer(lk, pointer, offset);
}

Value mlir::fusion::stagePointer(KernelLowering &lk, Value buffer,
                                 Value stage) {
  auto type = cast<tile::BufferType>(buffer.getType());
  return strided(lk, lk.getOne(buffer), stage, type.getStageBytes());
}

SharedPlace mlir::fusion::splitPlace(tile::BufferType buffer, int64_t row,
                                     int64_t column) {
  // The swizzle looks at the bits below, and changes no others.
  constexpr int64_t kPeriodBytes = 1024;
  int64_t panelBytes = buffer.getPanelBytes();
  int64_t rowBytes = panelBytes / buffer.getRows();
  if (buffer.getSwizzle() == 0 || kPeriodBytes % rowBytes != 0) {
    return {row, column, 0};
  }
  int64_t inPeriod = row % (kPeriodBytes / rowBytes), inPanel = column;
  int64_t bytes = (row - inPeriod) * rowBytes;
  if (panelBytes % kPeriodBytes == 0) {
    inPanel = column % buffer.getPanelColumns();
    bytes += column / buffer.getPanelColumns() * panelBytes;
  }
  return {inPeriod, inPanel, bytes};
}

/// tile::sharedOffset at run time.
Value mlir::fusion::elementPointer(KernelLowering &lk, tile::BufferType buffer,
                                   Value stage, const tile::TileLayout &layout,
                                   ArrayRef<int64_t> at) {
  OpBuilder &b = lk.builder;
  Location loc = lk.loc();
  SharedPlace place = splitPlace(buffer, at[0], at[1]);
  auto coordinate = [&](int64_t dim) -> Value {
    Value thread = lk.threadCoordinate(layout, dim);
    Value constant = lk.constantI32(dim == 0 ? place.row : place.column);
    return thread ? arith::AddIOp::create(b, loc, toI32(lk, thread), constant)
                        .getResult()
                  : constant;
  };
  auto binary = [&](auto tag, Value lhs, int64_t rhs) -> Value {
    return decltype(tag)::create(b, loc, lhs, lk.constantI32(rhs));
  };
  int64_t panelColumns = buffer.getPanelColumns();
  int64_t rowBytes = buffer.getPanelBytes() / buffer.getRows();
  Value row = coordinate(0), column = coordinate(1);
  Value panel = binary(arith::DivUIOp(), column, panelColumns);
  Value inPanel = binary(arith::RemUIOp(), column, panelColumns);
  Value offset = arith::AddIOp::create(
      b, loc, binary(arith::MulIOp(), row, rowBytes),
      binary(arith::MulIOp(), inPanel, buffer.getElementBytes()));
  offset = arith::AddIOp::create(
      b, loc, offset, binary(arith::MulIOp(), panel, buffer.getPanelBytes()));
  if (int64_t swizzle = buffer.getSwizzle()) {
    Value turn = binary(arith::ShRUIOp(), offset, 7);
    turn = binary(arith::AndIOp(), turn, swizzle / 16 - 1);
    turn = binary(arith::ShLIOp(), turn, 4);
    offset = arith::XOrIOp::create(b, loc, offset, turn);
  }
  return offsetPointer(lk, offsetPointer(lk, stage, offset), place.bytes);
}

Value mlir::fusion::barrierPointer(KernelLowering &lk, Value barriers,
                                   Value stage) {
  return strided(lk, lk.getOne(barriers), stage, barrierBytes);
}

Value mlir::fusion::warpgroupInPartition(KernelLowering &lk) {
  Value warpgroup =
      arith::DivUIOp::create(lk.builder, lk.loc(), lk.threadInPartition(),
                             lk.constantI32(warpgroupThreads));
  return NVVM::ShflOp::create(lk.builder, lk.loc(), lk.builder.getI32Type(),
                              lk.constantI32(-1), warpgroup, lk.constantI32(0),
                              lk.constantI32(31), NVVM::ShflKind::idx,
                              UnitAttr());
}

void mlir::fusion::emitIf(KernelLowering &lk, Value condition,
                          function_ref<void()> build) {
  auto branch = scf::IfOp::create(lk.builder, lk.loc(), condition);
  OpBuilder::InsertionGuard guard(lk.builder);
  lk.builder.setInsertionPoint(branch.thenYield());
  build();
}

Value mlir::fusion::isFirstOf(KernelLowering &lk, int64_t group) {
  Value within = arith::AndIOp::create(
      lk.builder, lk.loc(), lk.threadInPartition(), lk.constantI32(group - 1));
  return arith::CmpIOp::create(lk.builder, lk.loc(), arith::CmpIPredicate::eq,
                               within, lk.constantI32(0));
}

/// The f32 that `value` rounds, if that is how it came about.
static Value roundedFrom(Value value) {
  auto round = value.getDefiningOp<arith::TruncFOp>();
  return round && round.getIn().getType().isF32() ? round.getIn() : Value();
}

Value mlir::fusion::packPair(KernelLowering &lk, Value low, Value high) {
  auto pairType = VectorType::get({2}, low.getType());
  // One instruction rounds two values: keep the pair together.
  Value wideLow = roundedFrom(low), wideHigh = roundedFrom(high);
  Value pair;
  if (wideLow && wideHigh) {
    pair = vector::FromElementsOp::create(
        lk.builder, lk.loc(), VectorType::get({2}, wideLow.getType()),
        ValueRange{wideLow, wideHigh});
    pair = arith::TruncFOp::create(lk.builder, lk.loc(), pairType, pair);
  } else {
    pair = vector::FromElementsOp::create(lk.builder, lk.loc(), pairType,
                                          ValueRange{low, high});
  }
  return LLVM::BitcastOp::create(lk.builder, lk.loc(), lk.builder.getI32Type(),
                                 pair);
}
