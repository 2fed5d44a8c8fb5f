//===- ComputedReads.cpp - elements at positions that a body computes -----===//

#include "Kernels.h"
#include "TileEmitter.h"
#include "fusion/Tile/IR/Tile.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

using namespace mlir;
using namespace mlir::fusion;

GroupOperand mlir::fusion::getReadTensor(Value tensor) {
  GroupOperand operand;
  operand.value = tensor;
  while (auto cast = tensor.getDefiningOp<tensor::CastOp>()) {
    tensor = cast.getSource();
  }
  auto argument = tensor.getDefiningOp<bufferization::ToTensorOp>();
  if (argument && isa<MemRefType>(argument.getBuffer().getType())) {
    operand.memory = argument.getBuffer();
    operand.dims.assign(cast<RankedTensorType>(tensor.getType()).getRank(),
                        kFirstElement);
  }
  return operand;
}

//===----------------------------------------------------------------------===//
// Reads in bodies
//===----------------------------------------------------------------------===//

/// The tile of a value that a body uses: computed in it, or a scalar from
/// outside, which then becomes one.
Value TileEmitter::getBodyValue(Value value, ArrayRef<int64_t> along,
                                IRMapping &mapping) {
  if (!mapping.contains(value)) {
    GroupOperand captured;
    captured.scalar = value;
    matchPattern(value, m_Constant(&captured.constant));
    mapping.map(value, getTile(captured, along));
  }
  return mapping.lookup(value);
}

/// Which elements of a tile along `along` exist; null where all do.
Value TileEmitter::emitInBounds(ArrayRef<int64_t> along) {
  auto type = getTileType(b.getIndexType(), along);
  Value all;
  for (auto [position, dim] : llvm::enumerate(along)) {
    if (dims[dim].inBounds) {
      continue;
    }
    Value index = tile::IndexOp::create(b, loc, type, getOffset(dim), position);
    Value size = tile::SplatOp::create(b, loc, type, builder.getSize(dim));
    Value inside =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, index, size);
    all = all ? arith::AndIOp::create(b, loc, all, inside).getResult() : inside;
  }
  return all;
}

/// Emits `op` for `result`: only where `condition` holds (null: everywhere) and
/// the element of the tile exists, else `otherwise` (null: anything).
LogicalResult TileEmitter::emitRead(int64_t number, tensor::ExtractOp op,
                                    Value result, Value condition,
                                    Value otherwise, IRMapping &mapping) {
  ArrayRef<int64_t> along = opDims[number];
  RankedTensorType read = op.getTensor().getType();
  if (llvm::is_contained(read.getShape(), 0)) {
    // Of no elements none is read.
    TypedAttr zero = b.getZeroAttr(read.getElementType());
    mapping.map(result, otherwise ? otherwise : splat(zero, along));
    return success();
  }
  GroupOperand source = getReadTensor(op.getTensor());
  if (!source.memory) {
    return op.emitOpError("expected to read an argument of the group");
  }
  SmallVector<Value> indices;
  for (Value index : op.getIndices()) {
    indices.push_back(getBodyValue(index, along, mapping));
  }
  Value mask = emitInBounds(along);
  if (condition) {
    mask = mask ? arith::AndIOp::create(b, loc, mask, condition).getResult()
                : condition;
  }
  auto type = getTileType(source.getElementType(), along);
  if (mask && !otherwise) {
    otherwise = splat(b.getZeroAttr(type.getElementType()), along);
  }
  Value tile =
      tile::GatherOp::create(b, loc, type, builder.getMemory(source), indices,
                             mask, mask ? otherwise : Value());
  mapping.map(result, tile);
  return success();
}

/// Whether `block` only reads elements, and yields.
static bool onlyReads(Block *block) {
  return llvm::all_of(block->without_terminator(),
                      llvm::IsaPred<tensor::ExtractOp>);
}

/// `if (condition) elements else scalars`: upstream makes one of neighbours
/// with the same condition, or with the opposite one.
LogicalResult TileEmitter::emitGuardedReads(int64_t number, scf::IfOp op,
                                            IRMapping &mapping) {
  if (!op.elseBlock() || !onlyReads(op.thenBlock()) ||
      !onlyReads(op.elseBlock())) {
    return op.emitOpError("cannot be applied to tiles");
  }
  ArrayRef<int64_t> along = opDims[number];
  Value condition = getBodyValue(op.getCondition(), along, mapping);
  auto getRead = [](Value value, Block *block) {
    auto read = value.getDefiningOp<tensor::ExtractOp>();
    return read && read->getBlock() == block ? read : tensor::ExtractOp();
  };
  for (OpResult result : op->getResults()) {
    Value value = op.thenYield().getOperand(result.getResultNumber());
    Value other = op.elseYield().getOperand(result.getResultNumber());
    if (tensor::ExtractOp read = getRead(other, op.elseBlock())) {
      Value opposite = arith::XOrIOp::create(b, loc, condition,
                                             splat(b.getBoolAttr(true), along));
      if (failed(emitRead(number, read, read.getResult(), opposite, Value(),
                          mapping))) {
        return failure();
      }
    }
    Value otherwise = getBodyValue(other, along, mapping);
    tensor::ExtractOp read = getRead(value, op.thenBlock());
    if (!read) {
      Value chosen = getBodyValue(value, along, mapping);
      mapping.map(result, arith::SelectOp::create(b, loc, condition, chosen,
                                                  otherwise));
    } else if (failed(emitRead(number, read, result, condition, otherwise,
                               mapping))) {
      return failure();
    }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Operands at computed positions
//===----------------------------------------------------------------------===//

/// Whether `map` indexes by distinct loops and zeros.
static bool isPlain(AffineMap map) {
  llvm::SmallBitVector seen(map.getNumDims());
  return llvm::all_of(map.getResults(), [&](AffineExpr expr) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      bool isNew = !seen.test(dim.getPosition());
      seen.set(dim.getPosition());
      return isNew;
    }
    auto constant = dyn_cast<AffineConstantExpr>(expr);
    return constant && constant.getValue() == 0;
  });
}

/// Replaces the use of the body's argument `argument` by a read of `source` at
/// the positions that `map` gives.
static void readInBody(linalg::GenericOp op, BlockArgument argument,
                       Value source, AffineMap map) {
  OpBuilder b = OpBuilder::atBlockBegin(op.getBody());
  Location loc = op.getLoc();
  SmallVector<Value> loops, indices;
  for (unsigned dim = 0; dim < map.getNumDims(); ++dim) {
    loops.push_back(linalg::IndexOp::create(b, loc, dim));
  }
  for (AffineExpr expr : map.getResults()) {
    indices.push_back(affine::expandAffineExpr(b, loc, expr, loops, {}));
  }
  argument.replaceAllUsesWith(
      tensor::ExtractOp::create(b, loc, source, indices));
}

/// The value of all elements of `tensor`, which `op` reads, where that is
/// known; else null.
static Value getCommonValue(linalg::GenericOp op, Value tensor) {
  while (auto cast = tensor.getDefiningOp<tensor::CastOp>()) {
    tensor = cast.getSource();
  }
  SplatElementsAttr splat;
  if (matchPattern(tensor, m_Constant(&splat))) {
    OpBuilder b(op);
    return arith::ConstantOp::create(b, op.getLoc(),
                                     splat.getSplatValue<TypedAttr>());
  }
  auto fill = tensor.getDefiningOp<linalg::FillOp>();
  Value value = fill ? fill.getInputs().front() : Value();
  return value && value.getType() == getElementTypeOrSelf(tensor.getType())
             ? value
             : Value();
}

LogicalResult mlir::fusion::readAtComputedPositions(linalg::GenericOp op) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<Value> inputs, common;
  SmallVector<AffineMap> kept;
  llvm::BitVector moved(op.getBody()->getNumArguments());
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    if (!isPlain(map)) {
      Value value = getCommonValue(op, input->get());
      if (value || getReadTensor(input->get()).memory) {
        moved.set(input->getOperandNumber());
        common.push_back(value);
        continue;
      }
    }
    inputs.push_back(input->get());
    kept.push_back(map);
  }
  if (moved.none()) {
    return success();
  }
  llvm::append_range(kept, ArrayRef(maps).take_back(op.getNumDpsInits()));
  if (!inversePermutation(concatAffineMaps(kept, op.getContext()))) {
    return op.emitOpError("expected each loop to index a result or an operand "
                          "by itself");
  }
  for (auto [number, value] : llvm::zip_equal(moved.set_bits(), common)) {
    BlockArgument argument = op.getBody()->getArgument(number);
    if (value) {
      argument.replaceAllUsesWith(value); // The same wherever it is read.
    } else {
      readInBody(op, argument, op->getOperand(number), maps[number]);
    }
  }
  op.getBody()->eraseArguments(moved);
  op.getInputsMutable().assign(inputs);
  op.setIndexingMapsAttr(Builder(op.getContext()).getAffineMapArrayAttr(kept));
  return success();
}
