//===- WindowAccess.h - where a window lies in global memory ----*- C++ -*-===//
//
// Addresses and bounds of one `tile.load_window` or `tile.copy_window`. The map
// is linear: what one tile dim contributes is computed once for each of the
// thread's coordinates along it, and is the same for all others.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_CONVERSION_TILESTOGPU_WINDOWACCESS_H
#define FUSION_LIB_CONVERSION_TILESTOGPU_WINDOWACCESS_H

#include "KernelLowering.h"
#include <map>

namespace mlir::fusion {

/// The operands and attributes that ops on windows have.
struct WindowRead {
  Value memref; ///< null where only the bounds matter
  SmallVector<Value> indices, extents, offsets, limits;
  SmallVector<bool> checked, inBounds;
  SmallVector<int64_t> parts, sizes;
  AffineMap map;

  template <typename Op> static WindowRead get(Op op) {
    return get(op, op.getMemref());
  }
  template <typename Op> static WindowRead get(Op op, Value memref) {
    return {memref,
            llvm::to_vector_of<Value>(op.getIndices()),
            llvm::to_vector_of<Value>(op.getExtents()),
            llvm::to_vector_of<Value>(op.getOffsets()),
            llvm::to_vector_of<Value>(op.getLimits()),
            SmallVector<bool>(op.getChecked()),
            SmallVector<bool>(op.getInBounds()),
            SmallVector<int64_t>(op.getParts()),
            SmallVector<int64_t>(op.getSizes()),
            op.getMap()};
  }

  MemRefType getType() const { return cast<MemRefType>(memref.getType()); }
  /// The first coordinate of tile dim `dim`.
  int64_t getFirst(int64_t dim) const;
  /// How many elements of tile dim `dim` share its first coordinate.
  int64_t getInnerSize(int64_t dim) const;
  /// The widest vectors, in elements, along tile dim `dim` whose elements lie
  /// side by side, aligned, all inside or all outside.
  int64_t getWidth(int64_t dim) const;
};

/// The elements of a tile of `layout` in memory. A read without memory has no
/// addresses.
class WindowAccess {
public:
  WindowAccess(KernelLowering &lk, WindowRead read, tile::TileLayout layout);

  /// An i1: the element at `at` (coordinates of a register) exists; null if it
  /// always does.
  Value emitInside(ArrayRef<int64_t> at);
  Value emitAddress(ArrayRef<int64_t> at);
  /// The address where `inside` (may be null) holds, else some address that may
  /// be read; null where none is known.
  Value emitSafeAddress(ArrayRef<int64_t> at, Value inside);

  Type memoryType;
  int64_t bytes = 0;

private:
  /// What one coordinate along a tile dim adds.
  struct Part {
    SmallVector<Value> places; ///< by memref dim: null if nothing is added
    Value offset;              ///< in elements; null for zero
    Value valid;               ///< null where `places` say it
  };
  struct Stride {
    std::optional<int64_t> known;
    Value value; ///< an i64
  };

  void collectStrides();
  void chooseTypes();
  void emitStarts();
  void split(int64_t dim);
  const Part &getPart(int64_t dim, int64_t at);
  SmallVector<Value> emitCoordinates(int64_t dim, Value position);
  Value emitPosition(int64_t dim, int64_t at);
  void addOffset(Part &part, Value coordinate, unsigned number);
  Value emitStride(const Stride &stride);
  std::optional<int64_t> getKnownStep(unsigned coordinate);

  Value add(Value x, Value y);
  Value mul(Value x, int64_t factor);
  Value convert(Value value, Type type);

  KernelLowering &lk;
  OpBuilder &b;
  Location loc;
  WindowRead read;
  tile::TileLayout layout;
  SmallVector<Stride> strides; ///< of memref dims
  Type coordinateType, offsetType;
  Value pointer, base;
  SmallVector<Value> starts; ///< of checked dims, in coordinateType
  SmallVector<Value> rests;  ///< of tile dims: offset modulo the inner size
  SmallVector<Value> lefts;  ///< of tile dims that may end: limit - offset
  std::map<std::pair<int64_t, int64_t>, Part> parts;
};

} // namespace mlir::fusion

#endif // FUSION_LIB_CONVERSION_TILESTOGPU_WINDOWACCESS_H
