//===- ConvertLayout.cpp - tile.convert_layout ----------------------------===//

#include "RegisterMap.h"
#include "TileAccess.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::fusion;

static constexpr int64_t kMaxBytes = 16;

/// Larger tiles go through scratch memory in pieces, if their layouts allow.
static constexpr int64_t kMaxScratch = 32 * 1024;

namespace {
/// A part of a tile: `size` elements along `dim` from `start` on, all of the
/// other dims. Atoms of the layouts lie wholly inside or outside, so that the
/// part of an element follows from its register alone.
struct Piece {
  int64_t dim, start, size;

  bool contains(const tile::Coords &coords) const {
    return coords[dim] >= start && coords[dim] < start + size;
  }
};

/// A piece of a tile in scratch memory, the last dim innermost; rows are padded
/// by one 16-byte chunk so that neighbours in a column fall into different
/// banks.
class ScratchTile {
public:
  ScratchTile(KernelLowering &lk, const tile::TileLayout &layout,
              Type registerType, Piece piece)
      : lk(lk), b(lk.builder), loc(lk.loc()), layout(layout),
        registerType(registerType), memoryType(getMemoryType(registerType)),
        bytes(memoryType.getIntOrFloatBitWidth() / 8),
        last(layout.getRank() - 1), piece(piece),
        all(llvm::to_vector(llvm::seq<int64_t>(0, layout.getRank()))) {
    tile::Coords shape = layout.getShape();
    shape[piece.dim] = piece.size;
    int64_t chunk = std::max<int64_t>(kMaxBytes / bytes, 1);
    int64_t pitch = llvm::alignTo(shape[last], chunk) + chunk;
    strides.assign(shape.size(), 1);
    for (int64_t dim = last - 1, stride = pitch; dim >= 0; --dim) {
      strides[dim] = stride;
      stride *= shape[dim];
    }
    size = (last == 0 ? pitch : strides[0] * shape[0]) * bytes;
    for (auto &[coords, reg] : getFirstRegisters(layout, all)) {
      if (piece.contains(coords)) {
        firsts.try_emplace(coords, reg);
      }
    }
  }

  int64_t getBytes() const { return size; }
  void store(ArrayRef<Value> registers, Value scratch);
  /// Fills in the registers that hold elements of the piece.
  void load(Value scratch, MutableArrayRef<Value> registers);

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
  Piece piece;
  SmallVector<int64_t> all, strides;
  /// The first register at each place of the piece.
  std::map<tile::Coords, int64_t> firsts;
};
} // namespace

/// The widest aligned runs along the last dim that each thread's registers fall
/// into.
int64_t ScratchTile::getWidth() {
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
  int64_t offset = -piece.start * strides[piece.dim];
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

void ScratchTile::load(Value scratch, MutableArrayRef<Value> registers) {
  int64_t width = getWidth();
  Value thread = emitThreadAddress(scratch);
  std::map<tile::Coords, Value> loaded;
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
  for (auto [reg, value] : llvm::enumerate(registers)) {
    auto it = loaded.find(layout.atRegister(reg));
    if (it != loaded.end()) {
      value = it->second;
    }
  }
}

/// Cuts a tile into equal pieces that move through scratch one after the other:
/// the largest that are small enough, else the smallest.
static SmallVector<Piece> cut(const tile::TileLayout &from,
                              const tile::TileLayout &to, int64_t bytes) {
  tile::Coords shape = from.getShape();
  int64_t total = bytes;
  for (int64_t size : shape) {
    total *= size;
  }
  Piece best{0, 0, shape[0]};
  int64_t bestBytes = total;
  for (int64_t dim = 0, e = shape.size(); dim < e; ++dim) {
    // Atoms have sides that are powers of two: the larger holds the smaller.
    int64_t atom = std::max(from.getAtomShape()[dim], to.getAtomShape()[dim]);
    for (int64_t size = atom; size <= shape[dim]; size += atom) {
      int64_t needs = total / shape[dim] * size;
      bool better = bestBytes > kMaxScratch
                        ? needs < bestBytes
                        : needs <= kMaxScratch && needs > bestBytes;
      if (shape[dim] % size == 0 && better) {
        best = {dim, 0, size};
        bestBytes = needs;
      }
    }
  }
  SmallVector<Piece> pieces;
  for (int64_t at = 0; at < shape[best.dim]; at += best.size) {
    pieces.push_back({best.dim, at, best.size});
  }
  return pieces;
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
  int64_t bytes = getMemoryType(type).getIntOrFloatBitWidth() / 8;
  SmallVector<Value> results(to.getRegisters());
  for (const Piece &piece : cut(from, to, bytes)) {
    ScratchTile writer(lk, from, type, piece), reader(lk, to, type, piece);
    Value scratch = lk.allocScratch(writer.getBytes());
    lk.syncPartition();
    writer.store(source, scratch);
    lk.syncPartition();
    reader.load(scratch, results);
  }
  lk.set(convert, results);
  return success();
}

void fusion::addConvertLayoutLowering(OpLoweringTable &table) {
  table.add<tile::ConvertLayoutOp>(lowerConvertLayout);
}
