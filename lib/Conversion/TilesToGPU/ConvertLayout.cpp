//===- ConvertLayout.cpp - tile.convert_layout ----------------------------===//

#include "RegisterMap.h"
#include "TileAccess.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::fusion;

static constexpr int64_t kMaxBytes = 16;

namespace {
/// A tile in scratch memory, the last dim innermost; rows are padded by one
/// 16-byte chunk so that neighbours in a column fall into different banks.
class ScratchTile {
public:
  ScratchTile(KernelLowering &lk, const tile::TileLayout &layout,
              Type registerType)
      : lk(lk), b(lk.builder), loc(lk.loc()), layout(layout),
        registerType(registerType), memoryType(getMemoryType(registerType)),
        bytes(memoryType.getIntOrFloatBitWidth() / 8),
        last(layout.getRank() - 1),
        all(llvm::to_vector(llvm::seq<int64_t>(0, layout.getRank()))) {
    tile::Coords shape = layout.getShape();
    int64_t pitch =
        llvm::divideCeil(shape[last] * bytes, kMaxBytes) * kMaxBytes / bytes +
        kMaxBytes / bytes;
    strides.assign(shape.size(), 1);
    for (int64_t dim = last - 1, stride = pitch; dim >= 0; --dim) {
      strides[dim] = stride;
      stride *= shape[dim];
    }
    size = (last == 0 ? pitch : strides[0] * shape[0]) * bytes;
  }

  int64_t getBytes() const { return size; }
  void store(ArrayRef<Value> registers, Value scratch);
  SmallVector<Value> load(Value scratch);

private:
  int64_t getWidth();
  Value emitThreadAddress(Value scratch);
  Value emitAddress(Value thread, const tile::Coords &coords);

  KernelLowering &lk;
  OpBuilder &b;
  Location loc;
  tile::TileLayout layout;
  Type registerType, memoryType;
  int64_t bytes, last, size;
  SmallVector<int64_t> all, strides;
};
} // namespace

/// The widest aligned runs along the last dim that each thread's registers fall
/// into.
int64_t ScratchTile::getWidth() {
  std::map<tile::Coords, int64_t> firsts = getFirstRegisters(layout, all);
  auto fits = [&](int64_t width) {
    for (ArrayRef<tile::Coords> bases : {ArrayRef<tile::Coords>(layout.lane),
                                         ArrayRef<tile::Coords>(layout.warp)}) {
      for (const tile::Coords &base : bases) {
        if (base[last] % width != 0) {
          return false;
        }
      }
    }
    return llvm::all_of(firsts, [&](const auto &entry) {
      tile::Coords other(entry.first);
      int64_t start = other[last] / width * width;
      for (int64_t i = 0; i < width; ++i) {
        other[last] = start + i;
        if (firsts.find(other) == firsts.end()) {
          return false;
        }
      }
      return true;
    });
  };
  int64_t width = std::max<int64_t>(kMaxBytes / bytes, 1);
  while (width > 1 && !fits(width)) {
    width /= 2;
  }
  return width;
}

Value ScratchTile::emitThreadAddress(Value scratch) {
  Value offset;
  for (int64_t dim : all) {
    if (Value part = lk.threadCoordinate(layout, dim)) {
      part = arith::MulIOp::create(b, loc, part, lk.constantI64(strides[dim]));
      offset = offset ? arith::AddIOp::create(b, loc, offset, part).getResult()
                      : part;
    }
  }
  return offset ? LLVM::GEPOp::create(b, loc, scratch.getType(), memoryType,
                                      scratch, LLVM::GEPArg(offset))
                      .getResult()
                : scratch;
}

Value ScratchTile::emitAddress(Value thread, const tile::Coords &coords) {
  int64_t offset = 0;
  for (int64_t dim : all) {
    offset += coords[dim] * strides[dim];
  }
  return offset == 0
             ? thread
             : LLVM::GEPOp::create(b, loc, thread.getType(), memoryType, thread,
                                   LLVM::GEPArg(static_cast<int32_t>(offset)))
                   .getResult();
}

void ScratchTile::store(ArrayRef<Value> registers, Value scratch) {
  int64_t width = getWidth();
  Value thread = emitThreadAddress(scratch);
  OpBuilder::InsertionGuard guard(b);
  if (Value first = emitIsFirstCopy(lk, layout, all)) {
    auto branch = scf::IfOp::create(b, loc, first, /*withElseRegion=*/false);
    b.setInsertionPointToStart(branch.thenBlock());
  }
  std::map<tile::Coords, int64_t> firsts = getFirstRegisters(layout, all);
  for (auto it = firsts.begin(); it != firsts.end();) {
    Value address = emitAddress(thread, it->first);
    SmallVector<Value> elements;
    for (int64_t i = 0; i < width; ++i, ++it) {
      elements.push_back(toMemory(b, loc, registers[it->second]));
    }
    Value stored = elements.front();
    if (width > 1) {
      stored = vector::FromElementsOp::create(
          b, loc, VectorType::get(width, memoryType), elements);
    }
    LLVM::StoreOp::create(b, loc, stored, address, bytes * width);
  }
}

SmallVector<Value> ScratchTile::load(Value scratch) {
  int64_t width = getWidth();
  Value thread = emitThreadAddress(scratch);
  std::map<tile::Coords, Value> loaded;
  std::map<tile::Coords, int64_t> firsts = getFirstRegisters(layout, all);
  for (auto it = firsts.begin(); it != firsts.end();) {
    Type type = width == 1 ? memoryType : VectorType::get(width, memoryType);
    Value value = LLVM::LoadOp::create(
        b, loc, type, emitAddress(thread, it->first), bytes * width);
    for (int64_t i = 0; i < width; ++i, ++it) {
      Value element =
          width == 1 ? value
                     : vector::ExtractOp::create(b, loc, value, i).getResult();
      loaded[it->first] = fromMemory(b, loc, element, registerType);
    }
  }
  SmallVector<Value> registers;
  for (int64_t reg = 0, e = layout.getRegisters(); reg < e; ++reg) {
    registers.push_back(loaded[layout.atRegister(reg)]);
  }
  return registers;
}

static LogicalResult lowerConvertLayout(Operation *op, KernelLowering &lk) {
  auto convert = cast<tile::ConvertLayoutOp>(op);
  if (failed(lk.getLoweredTypes(convert.getSource().getType())) ||
      failed(lk.getLoweredTypes(convert.getType()))) {
    return failure();
  }
  tile::TileLayout from = tile::getLayout(convert.getSource());
  tile::TileLayout to = tile::getLayout(convert.getType());
  auto dims = llvm::to_vector(llvm::seq<int64_t>(0, from.getRank()));
  ArrayRef<Value> source = lk.get(convert.getSource());
  if (auto map = getRegisterMap(from, to, dims)) {
    SmallVector<Value> results;
    for (int64_t reg : *map) {
      results.push_back(source[reg]);
    }
    lk.set(convert, results);
    return success();
  }
  Type type = lk.getRegisterType(convert.getType());
  ScratchTile writer(lk, from, type), reader(lk, to, type);
  Value scratch = lk.allocScratch(writer.getBytes());
  lk.syncPartition();
  writer.store(source, scratch);
  lk.syncPartition();
  lk.set(convert, reader.load(scratch));
  return success();
}

void fusion::addConvertLayoutLowering(OpLoweringTable &table) {
  table.add<tile::ConvertLayoutOp>(lowerConvertLayout);
}
