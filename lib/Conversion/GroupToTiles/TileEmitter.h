//===- TileEmitter.h - bodies of linalg ops on tiles ------------*- C++ -*-===//

#ifndef FUSION_CONVERSION_GROUPTOTILES_TILEEMITTER_H
#define FUSION_CONVERSION_GROUPTOTILES_TILEEMITTER_H

#include "KernelBuilder.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include <set>

namespace mlir::fusion {

/// Where the block works along one group dim.
struct TileDim {
  int64_t tile = 1;     ///< elements at once; 1 may still be a dim of tiles
  Value offset;         ///< the first of them
  bool inBounds = true; ///< offset + tile never passes the end
  Value end;            ///< of what is reduced; null: the size
};

/// `out = combiner(out, value)` for one result of a reduction.
struct Reduction {
  Operation *combiner;
  Value value; ///< in the body
  TypedAttr neutral;
};

/// The reductions that the body of `op` does, one for each result; says why not
/// when a result isn't combined by one op with a neutral element.
FailureOr<SmallVector<Reduction>> matchReductions(linalg::GenericOp op);

/// Whether matchReductions gives the reductions of `op`. What any other body
/// does must be done one element after the other.
bool isCombined(linalg::GenericOp op);

/// Whether `scalar` is known to be zero, not -0.
bool isZero(Value scalar);

/// Writes the ops of a group as tile code. A value's tile has a dim for each
/// tiled group dim that the value depends on, in the order of `order`.
class TileEmitter {
public:
  /// `order` has the group dims that tiles have, outermost first; `strict`
  /// keeps every rounding.
  TileEmitter(KernelBuilder &builder, ArrayRef<int64_t> order, bool strict);

  /// One entry for each group dim.
  SmallVector<TileDim> dims;
  /// Sets the elements at once along `dim`, and whether they are in bounds.
  void setTile(int64_t dim, int64_t tile);

  /// Emits an op that reduces nothing, or a store.
  LogicalResult emit(int64_t number);
  /// The first result of op `number` computed along the dims `along` instead of
  /// its own, with the tiles `given` as those of its inputs, whose casts are
  /// left out.
  FailureOr<Value> emitAlong(int64_t number, ArrayRef<int64_t> along,
                             const DenseMap<unsigned, Value> &given);
  /// The tile of `operand` along `along`, where ops of the group make it: they
  /// are emitted for this tile alone, and what is the same for all elements
  /// lies along `uniform`, one of `along`. Other tiles stay known.
  FailureOr<Value> emitApart(const GroupOperand &operand,
                             ArrayRef<int64_t> along, int64_t uniform);
  /// `tile`, which lies along `along`, with zeros past the end of `dim`.
  Value endAt(int64_t dim, Value tile, ArrayRef<int64_t> along);
  /// Emits what op `number` reduces: a tile for each result, masked lanes hold
  /// the neutral element.
  FailureOr<SmallVector<Value>> emitReduced(int64_t number);
  /// Combines the tiles of emitReduced, or accumulations of them, along the
  /// reduced dims and with the initial values: the op's results.
  LogicalResult finishReduction(int64_t number, ValueRange tiles);
  /// The initial values of a reduction, along the dims of its results.
  SmallVector<Value> getInits(int64_t number);
  /// Does what the body of op `number` does to `carried`, its results so far,
  /// with one element of each reduced dim: none of these is a dim of tiles.
  FailureOr<SmallVector<Value>> emitStep(int64_t number, ValueRange carried);
  /// `combiner(a, b)` on tiles.
  Value combine(const Reduction &reduction, Value a, Value b);

  /// The tile of an operand along exactly the tiled dims `wanted`.
  Value getTile(const GroupOperand &operand, ArrayRef<int64_t> wanted);
  Value splat(TypedAttr constant, ArrayRef<int64_t> along);
  RankedTensorType getTileType(Type element, ArrayRef<int64_t> along);

  /// The tiled dims of an op, and of its results.
  ArrayRef<int64_t> getOpDims(int64_t number) const { return opDims[number]; }
  ArrayRef<int64_t> getResultDims(int64_t number) const {
    return resultDims[number];
  }
  void setResult(int64_t number, unsigned result, Value tile) {
    values[{number, result}] = tile;
  }
  /// The tile of a result that was emitted.
  Value getResult(int64_t number, unsigned result) const {
    return values.at({number, result});
  }
  /// Finds the dims of tiles; a value that is the same for all elements lies
  /// along `uniform`. Forget all tiles before.
  void assignDims(int64_t uniform);
  /// Whoever reads a result sees it rounded to its type.
  void keepRounded(int64_t number, unsigned result) {
    rounded.insert({number, result});
  }
  /// Forgets all loads and tiles.
  void forgetAll() {
    loads.clear();
    values.clear();
  }
  /// Forgets loads and the tiles that lie along any of `gone`: a loop over
  /// those dims ends, or they move on.
  void forget(ArrayRef<int64_t> gone);

  /// Repeats a tile that lies along `from` along `to`.
  Value broadcast(Value tile, ArrayRef<int64_t> from, ArrayRef<int64_t> to);

private:
  Value load(const GroupOperand &operand, ArrayRef<int64_t> along);
  Value loadWindow(const GroupOperand &operand, ArrayRef<int64_t> along);
  /// `tile`, along `along`, with what `bounds` says outside of them.
  Value maskWindow(const GroupOperand &bounds, Value tile,
                   ArrayRef<int64_t> along);
  /// Writes `tile`, which lies along `along`, where `operand`, a window, is.
  void storeWindow(const GroupOperand &operand, Value tile,
                   ArrayRef<int64_t> along);
  Value getPlace(const GroupPosition &position, ArrayRef<int64_t> along);
  struct WindowOperands;
  WindowOperands getWindow(const GroupOperand &operand,
                           ArrayRef<int64_t> along);
  AffineMap getWindowMap(const GroupOperand &operand, ArrayRef<int64_t> along);
  Value getOffset(int64_t dim);
  LogicalResult emitBody(int64_t number, IRMapping &mapping,
                         ArrayRef<Operation *> skipped);
  LogicalResult emitBodyOp(int64_t number, Operation &op, IRMapping &mapping);
  Value emitIndex(int64_t number, linalg::IndexOp op);
  Value getBodyValue(Value value, ArrayRef<int64_t> along, IRMapping &mapping);
  Value emitInBounds(ArrayRef<int64_t> along);
  LogicalResult emitRead(int64_t number, tensor::ExtractOp op, Value result,
                         Value condition, Value otherwise, IRMapping &mapping);
  LogicalResult emitGuardedReads(int64_t number, scf::IfOp op,
                                 IRMapping &mapping);
  Value elideRounding(Operation &op, IRMapping &mapping);
  Value emitWideSelect(Operation &op, ArrayRef<int64_t> along,
                       IRMapping &mapping);
  LogicalResult emitStore(int64_t number);
  Value isFirstWriter(const GroupMember &store);

  /// What `tile.load` and `tile.store` say of an array, one entry for each dim.
  struct Access {
    SmallVector<Value> indices;
    SmallVector<int64_t> tileDims;
    SmallVector<bool> inBounds;
  };
  /// The access of a tile whose dims lie along the loops `along`.
  Access getAccess(const MemoryView &view, ArrayRef<int64_t> along);
  bool isSeenRounded(int64_t number, unsigned result) const;

  KernelBuilder &builder;
  Group &group;
  OpBuilder &b;
  Location loc;
  SmallVector<int64_t> order;
  bool strict;
  SmallVector<SmallVector<int64_t>> opDims, resultDims;
  std::map<std::pair<int64_t, unsigned>, Value> values;
  std::set<std::pair<int64_t, unsigned>> rounded;
  struct Loaded {
    Value memory;
    SmallVector<int64_t> dims, starts, along;
    Value tile;
  };
  SmallVector<Loaded> loads;
};

} // namespace mlir::fusion

#endif // FUSION_CONVERSION_GROUPTOTILES_TILEEMITTER_H
