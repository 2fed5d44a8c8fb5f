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

FailureOr<Value> TileEmitter::emitAlong(int64_t number, ArrayRef<int64_t> along,
                                        unsigned input, Value tile) {
  linalg::GenericOp op = group.ops[number].op;
  SmallVector<int64_t> own(along);
  std::swap(opDims[number], own);
  llvm::scope_exit restore([&] { std::swap(opDims[number], own); });
  IRMapping mapping;
  llvm::SmallDenseSet<Value> dependent;
  for (auto [position, arg] : llvm::enumerate(op.getRegionInputArgs())) {
    if (position == input) {
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
    } else if (failed(emitBodyOp(number, inner, mapping))) {
      return failure();
    }
    if (depends) {
      dependent.insert(inner.getResult(0));
    }
  }
  return mapping.lookup(op.getBody()->getTerminator()->getOperand(0));
}
