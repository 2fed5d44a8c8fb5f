//===- OperandTiles.cpp - tiles of what contractions read and make --------===//

#include "TileEmitter.h"
#include "fusion/Tile/IR/Tile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace mlir::fusion;

Value TileEmitter::endAt(int64_t dim, Value tile, ArrayRef<int64_t> along) {
  if (dims[dim].inBounds) {
    return tile;
  }
  SmallVector<Value> offsets, sizes;
  for (int64_t other : along) {
    bool cut = other == dim;
    offsets.push_back(cut ? dims[dim].offset : builder.index(0));
    sizes.push_back(cut ? builder.getSize(dim)
                        : builder.index(dims[other].tile));
  }
  Value zero = arith::ConstantOp::create(
      b, loc, b.getZeroAttr(getElementTypeOrSelf(tile)));
  return tile::MaskOp::create(b, loc, tile.getType(), tile, zero, offsets,
                              sizes);
}

FailureOr<Value> TileEmitter::emitApart(const GroupOperand &operand,
                                        ArrayRef<int64_t> along,
                                        int64_t uniform) {
  auto outerValues = std::move(values);
  auto outerOps = std::move(opDims), outerResults = std::move(resultDims);
  llvm::scope_exit restore([&] {
    values = std::move(outerValues);
    opDims = std::move(outerOps);
    resultDims = std::move(outerResults);
  });
  values.clear();
  assignDims(uniform);
  SmallVector<int64_t> needed =
      group.collectNeeded({operand.producer}, [](int64_t) { return true; });
  for (int64_t number : needed) {
    if (!group.isReduction(group.ops[number])) {
      if (failed(emit(number))) {
        return failure();
      }
      continue;
    }
    FailureOr<SmallVector<Value>> tiles = emitReduced(number);
    if (failed(tiles) || failed(finishReduction(number, *tiles))) {
      return failure();
    }
  }
  return getTile(operand, along);
}

/// The choice `op` between two values of which one is wider than the body says:
/// so is the other.
Value TileEmitter::emitWideSelect(Operation &op, ArrayRef<int64_t> along,
                                  IRMapping &mapping) {
  SmallVector<Value> sides;
  for (Value operand : op.getOperands()) {
    sides.push_back(getBodyValue(operand, along, mapping));
  }
  auto type = cast<RankedTensorType>(sides[1].getType());
  auto other = cast<RankedTensorType>(sides[2].getType());
  if (type.getElementTypeBitWidth() < other.getElementTypeBitWidth()) {
    sides[1] = arith::ExtFOp::create(b, loc, other, sides[1]);
  } else if (type != other) {
    sides[2] = arith::ExtFOp::create(b, loc, type, sides[2]);
  }
  return arith::SelectOp::create(b, loc, sides[0], sides[1], sides[2]);
}

FailureOr<Value>
TileEmitter::emitAlong(int64_t number, ArrayRef<int64_t> along,
                       const DenseMap<unsigned, Value> &given) {
  linalg::GenericOp op = group.ops[number].op;
  SmallVector<int64_t> own(along);
  std::swap(opDims[number], own);
  llvm::scope_exit restore([&] { std::swap(opDims[number], own); });
  IRMapping mapping;
  llvm::SmallDenseSet<Value> dependent;
  for (auto [position, arg] : llvm::enumerate(op.getRegionInputArgs())) {
    if (Value tile = given.lookup(position)) {
      mapping.map(arg, tile);
      dependent.insert(arg);
    } else if (!arg.use_empty()) {
      mapping.map(arg, getTile(group.ops[number].inputs[position], along));
    }
  }
  for (Operation &inner : op.getBody()->without_terminator()) {
    bool depends = llvm::any_of(inner.getOperands(), [&](Value operand) {
      return dependent.contains(operand);
    });
    if (depends && isa<arith::ExtFOp, arith::TruncFOp>(inner)) {
      mapping.map(inner.getResult(0), mapping.lookup(inner.getOperand(0)));
    } else if (depends && isa<arith::SelectOp>(inner)) {
      mapping.map(inner.getResult(0), emitWideSelect(inner, along, mapping));
    } else if (failed(emitBodyOp(number, inner, mapping))) {
      return failure();
    }
    if (depends) {
      dependent.insert(inner.getResult(0));
    }
  }
  return mapping.lookup(op.getBody()->getTerminator()->getOperand(0));
}
