//===- TileValues.cpp - splat, broadcast, index and mask ------------------===//

#include "KernelLowering.h"
#include "RegisterMap.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::fusion;

static LogicalResult lowerSplat(Operation *op, KernelLowering &lk) {
  auto splat = cast<tile::SplatOp>(op);
  FailureOr<SmallVector<Type>> types = lk.getLoweredTypes(splat.getType());
  if (failed(types)) {
    return failure();
  }
  lk.set(splat, SmallVector<Value>(types->size(), lk.getOne(splat.getValue())));
  return success();
}

static LogicalResult lowerBroadcast(Operation *op, KernelLowering &lk) {
  auto broadcast = cast<tile::BroadcastOp>(op);
  if (failed(lk.getLoweredTypes(broadcast.getType()))) {
    return failure();
  }
  auto map =
      getRegisterMap(tile::getLayout(broadcast.getSource()),
                     tile::getLayout(broadcast.getType()), broadcast.getDims());
  if (!map) {
    return op->emitError("expected the layout of the source to be a slice of "
                         "the result's");
  }
  ArrayRef<Value> source = lk.get(broadcast.getSource());
  SmallVector<Value> results;
  for (int64_t reg : *map) {
    results.push_back(source[reg]);
  }
  lk.set(broadcast, results);
  return success();
}

/// The coordinates of the thread's registers along `dim`, plus `offset`.
static SmallVector<Value> emitCoordinates(KernelLowering &lk,
                                          const tile::TileLayout &layout,
                                          int64_t dim, Value offset) {
  OpBuilder &b = lk.builder;
  if (Value thread = lk.threadCoordinate(layout, dim)) {
    offset = arith::AddIOp::create(b, lk.loc(), offset, thread);
  }
  llvm::DenseMap<int64_t, Value> known;
  SmallVector<Value> results;
  for (int64_t reg = 0, e = layout.getRegisters(); reg < e; ++reg) {
    int64_t part = layout.atRegister(reg)[dim];
    Value &value = known[part];
    if (!value) {
      value = part == 0 ? offset
                        : arith::AddIOp::create(b, lk.loc(), offset,
                                                lk.constantI64(part))
                              .getResult();
    }
    results.push_back(value);
  }
  return results;
}

static LogicalResult lowerIndex(Operation *op, KernelLowering &lk) {
  auto index = cast<tile::IndexOp>(op);
  if (failed(lk.getLoweredTypes(index.getType()))) {
    return failure();
  }
  lk.set(index, emitCoordinates(lk, tile::getLayout(index.getType()),
                                index.getDim(), lk.getOne(index.getOffset())));
  return success();
}

static LogicalResult lowerMask(Operation *op, KernelLowering &lk) {
  auto mask = cast<tile::MaskOp>(op);
  auto type = cast<RankedTensorType>(mask.getType());
  if (failed(lk.getLoweredTypes(type))) {
    return failure();
  }
  OpBuilder &b = lk.builder;
  tile::TileLayout layout = tile::getLayout(type);
  SmallVector<Value> results = lk.get(mask.getSource());
  Value padding = lk.getOne(mask.getPadding());
  for (auto [dim, offset, size] :
       llvm::enumerate(mask.getOffsets(), mask.getSizes())) {
    llvm::DenseMap<Value, Value> inside;
    SmallVector<Value> coordinates =
        emitCoordinates(lk, layout, dim, lk.getOne(offset));
    for (auto [result, coordinate] : llvm::zip(results, coordinates)) {
      Value &holds = inside[coordinate];
      if (!holds) {
        holds =
            arith::CmpIOp::create(b, op->getLoc(), arith::CmpIPredicate::slt,
                                  coordinate, lk.getOne(size));
      }
      result = arith::SelectOp::create(b, op->getLoc(), holds, result, padding);
    }
  }
  lk.set(mask, results);
  return success();
}

void fusion::addTileValueLowerings(OpLoweringTable &table) {
  table.add<tile::SplatOp>(lowerSplat);
  table.add<tile::BroadcastOp>(lowerBroadcast);
  table.add<tile::IndexOp>(lowerIndex);
  table.add<tile::MaskOp>(lowerMask);
  addReduceLowering(table);
  addConvertLayoutLowering(table);
}
