//===- TileAccess.h - how a tile lies in global memory ----------*- C++ -*-===//
//
// Addresses, bounds and vectors of one `tile.load` or `tile.store`.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_CONVERSION_TILESTOGPU_TILEACCESS_H
#define FUSION_LIB_CONVERSION_TILESTOGPU_TILEACCESS_H

#include "KernelLowering.h"
#include <map>

namespace mlir::fusion {

/// Elements that one thread accesses together: consecutive in memory, aligned.
struct AccessVector {
  /// The thread-independent part of the first element's position along each
  /// dim of the memref.
  SmallVector<int64_t, 4> start;
  /// For each element the registers that hold it (copies after the first).
  SmallVector<SmallVector<int64_t, 2>> registers;
};

/// One access of a tile in global memory.
class TileAccess {
public:
  TileAccess(KernelLowering &lk, Value memref, ValueRange indices,
             ArrayRef<int64_t> dims, ArrayRef<bool> inBounds,
             RankedTensorType tile);
  /// Lets what may be accessed end at `limits` along the memref's dims, where
  /// they are not -1.
  void setLimits(ArrayRef<int64_t> limits);

  /// The widest vectors, in elements, that are aligned wherever the access
  /// happens; with `assumePitch` wherever the rows' pitch is a multiple.
  int64_t getWidth(bool assumePitch) const;
  /// The thread's elements in vectors of `width`, in order of position.
  SmallVector<AccessVector> getVectors(int64_t width) const;

  bool needsMask() const { return llvm::is_contained(inBounds, false); }
  /// Whether every vector of `width` is wholly inside or wholly outside.
  bool isAllOrNothing(int64_t width) const;

  /// An i1, the same for all threads: the whole tile is in bounds and the
  /// pitch of its rows is a multiple of `width`.
  Value emitInterior(int64_t width);
  /// An i1: element `element` of `vector` is in bounds; null if always.
  Value emitInBounds(const AccessVector &vector, int64_t element);
  /// The address of the vector's element `element`.
  Value emitAddress(const AccessVector &vector, int64_t element);

  /// The type of an element in memory, and its bytes.
  Type memoryType;
  int64_t bytes;

private:
  /// A number that may be known now.
  struct Size {
    std::optional<int64_t> known;
    Value value;
  };

  Value get(const Size &size);
  Value emitPosition(unsigned dim);
  Value emitBase();
  /// The dim along which neighbours lie side by side; -1 if there is none.
  int getContiguousDim() const;
  /// Whether the address moves along a dim before `dim`.
  bool hasOuterDims(int dim) const;
  bool splitsInto(int64_t width) const;

  KernelLowering &lk;
  Location loc;
  SmallVector<Value> indices;
  SmallVector<Value> sourceIndices;
  ArrayRef<int64_t> dims;
  ArrayRef<bool> inBounds;
  tile::TileLayout layout;
  MemRefType type;
  Value pointer;
  /// `ends` are the sizes, or limits before them.
  SmallVector<Size> sizes, ends, strides;
  int contiguous;
  /// The registers at each position that the thread accesses.
  std::map<SmallVector<int64_t, 4>, SmallVector<int64_t, 2>> elements;

  /// Made once, before any branch: the thread's first address and positions.
  Value base;
  SmallVector<Value> positions;
};

/// The type in memory of a register of type `type`.
Type getMemoryType(Type type);
/// Converts between a register and what memory holds.
Value fromMemory(OpBuilder &b, Location loc, Value value, Type registerType);
Value toMemory(OpBuilder &b, Location loc, Value value);

/// An i1: the thread is the first of those that hold the same elements of a
/// tile of `layout`, looking at `dims` only; null if there is one each.
Value emitIsFirstCopy(KernelLowering &lk, const tile::TileLayout &layout,
                      ArrayRef<int64_t> dims);

/// `a` and `b`, either of which may be null.
Value emitAnd(OpBuilder &b, Location loc, Value lhs, Value rhs);

} // namespace mlir::fusion

#endif // FUSION_LIB_CONVERSION_TILESTOGPU_TILEACCESS_H
