//===- TileEmitter.cpp - bodies of linalg ops on tiles --------------------===//

#include "TileEmitter.h"

#include "fusion/Tile/IR/Tile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::fusion;

/// A rounding that is only there because a graph value has that type.
static constexpr StringLiteral kRounding = "fusion.rounding";

/// The reduction by which `yielded` follows from `arg`, if one op does it.
static std::optional<Reduction> matchReduction(BlockArgument arg,
                                               Value yielded) {
  Operation *combiner = yielded.getDefiningOp();
  bool pair = combiner && combiner->getBlock() == arg.getOwner() &&
              combiner->getNumOperands() == 2 && combiner->hasOneUse() &&
              arg.hasOneUse() && *arg.user_begin() == combiner;
  std::optional<TypedAttr> neutral;
  if (pair) {
    neutral = arith::getNeutralElement(combiner);
  }
  if (!neutral) {
    return std::nullopt;
  }
  bool first = combiner->getOperand(0) == arg;
  return Reduction{combiner, combiner->getOperand(first ? 1 : 0), *neutral};
}

bool mlir::fusion::isCombined(linalg::GenericOp op) {
  return llvm::all_of(
      llvm::zip_equal(op.getRegionOutputArgs(),
                      op.getBody()->getTerminator()->getOperands()),
      [](auto pair) {
        auto [arg, yielded] = pair;
        return matchReduction(arg, yielded).has_value();
      });
}

FailureOr<SmallVector<Reduction>>
mlir::fusion::matchReductions(linalg::GenericOp op) {
  SmallVector<Reduction> reductions;
  for (auto [arg, yielded] :
       llvm::zip_equal(op.getRegionOutputArgs(),
                       op.getBody()->getTerminator()->getOperands())) {
    std::optional<Reduction> reduction = matchReduction(arg, yielded);
    if (!reduction) {
      return op.emitOpError("expected a reduction by one op that has a neutral "
                            "element");
    }
    reductions.push_back(*reduction);
  }
  return reductions;
}

//===----------------------------------------------------------------------===//
// Dims
//===----------------------------------------------------------------------===//

TileEmitter::TileEmitter(KernelBuilder &builder, ArrayRef<int64_t> order,
                         bool strict)
    : dims(builder.getGroup().dims.size()), builder(builder),
      group(builder.getGroup()), b(builder.getBuilder()), loc(builder.getLoc()),
      order(order), strict(strict) {
  assignDims(order.front());
}

/// A tile without dims doesn't exist: a value that depends on none has equal
/// elements, and so has what is computed from it.
void TileEmitter::assignDims(int64_t uniform) {
  opDims.clear();
  resultDims.clear();
  for (const GroupMember &op : group.ops) {
    SmallVector<int64_t> used = group.getDims(op);
    for (auto *operands : {&op.inputs, &op.inits}) {
      for (const GroupOperand &operand : *operands) {
        if (operand.producer >= 0) {
          llvm::append_range(used, resultDims[operand.producer]);
        }
      }
    }
    SmallVector<int64_t> reduced = group.getReducedDims(op);
    auto in = [](ArrayRef<int64_t> set) {
      return [=](int64_t dim) { return llvm::is_contained(set, dim); };
    };
    bool nothingLeft = llvm::none_of(
        order, [&](int64_t dim) { return in(used)(dim) && !in(reduced)(dim); });
    if (nothingLeft) {
      used.push_back(uniform);
    }
    opDims.push_back(llvm::filter_to_vector(order, in(used)));
    resultDims.push_back(llvm::filter_to_vector(
        opDims.back(), [&](int64_t dim) { return !in(reduced)(dim); }));
  }
}

RankedTensorType TileEmitter::getTileType(Type element,
                                          ArrayRef<int64_t> along) {
  SmallVector<int64_t> shape;
  for (int64_t dim : along) {
    shape.push_back(dims[dim].tile);
  }
  return RankedTensorType::get(shape, element);
}

void TileEmitter::setTile(int64_t dim, int64_t tile) {
  // Loops and grids end at the size: one element at a time never passes it. But
  // a tile stands for the whole of an empty dim without a loop.
  int64_t size = group.dims[dim].size;
  bool covers = tile == 1 ? size != 0 : size > 0 && size % tile == 0;
  dims[dim].tile = tile;
  dims[dim].inBounds = covers;
}

Value TileEmitter::getOffset(int64_t dim) {
  return dim >= 0 ? dims[dim].offset : builder.index(0);
}

void TileEmitter::forget(ArrayRef<int64_t> gone) {
  loads.clear();
  for (auto it = values.begin(); it != values.end();) {
    const GroupMember &op = group.ops[it->first.first];
    SmallVector<int64_t> reduced = group.getReducedDims(op);
    bool local = llvm::any_of(group.getDims(op), [&](int64_t dim) {
      return llvm::is_contained(gone, dim) && !llvm::is_contained(reduced, dim);
    });
    it = local ? values.erase(it) : std::next(it);
  }
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

Value TileEmitter::splat(TypedAttr constant, ArrayRef<int64_t> along) {
  auto type = getTileType(constant.getType(), along);
  return arith::ConstantOp::create(
      b, loc, DenseElementsAttr::get(type, Attribute(constant)));
}

Value TileEmitter::broadcast(Value tile, ArrayRef<int64_t> from,
                             ArrayRef<int64_t> to) {
  if (from == to) {
    return tile;
  }
  SmallVector<int64_t> positions;
  for (int64_t dim : from) {
    positions.push_back(llvm::find(to, dim) - to.begin());
  }
  auto type = getTileType(getElementTypeOrSelf(tile), to);
  return tile::BroadcastOp::create(b, loc, type, tile, positions);
}

Value TileEmitter::load(const GroupOperand &operand, ArrayRef<int64_t> along) {
  Value memory = builder.getMemory(operand);
  MemoryView view = getView(operand);
  for (const Loaded &known : loads) {
    if (known.memory == memory && known.dims == view.dims &&
        known.starts == view.starts && known.along == along) {
      return known.tile;
    }
  }
  Access access = getAccess(view, along);
  auto type = getTileType(view.type.getElementType(), along);
  Value tile = tile::LoadOp::create(b, loc, type, memory, access.indices,
                                    Value(), access.tileDims, access.inBounds);
  loads.push_back(
      {memory, view.dims, view.starts, SmallVector<int64_t>(along), tile});
  return tile;
}

Value TileEmitter::getTile(const GroupOperand &operand,
                           ArrayRef<int64_t> wanted) {
  if (operand.producer >= 0) {
    Value tile = values.at({operand.producer, operand.producerResult});
    return broadcast(tile, resultDims[operand.producer], wanted);
  }
  if (operand.memory) {
    SmallVector<int64_t> used = operand.getUsedDims();
    SmallVector<int64_t> own = llvm::filter_to_vector(
        wanted, [&](int64_t dim) { return llvm::is_contained(used, dim); });
    // A scalar in memory goes everywhere at once.
    bool everywhere = own.empty();
    ArrayRef<int64_t> along = everywhere ? wanted : ArrayRef(own);
    Value tile =
        operand.isWindow() ? loadWindow(operand, along) : load(operand, along);
    return everywhere ? tile : broadcast(tile, own, wanted);
  }
  if (operand.constant) {
    return splat(operand.constant, wanted);
  }
  if (operand.scalar) {
    Value scalar = builder.getScalar(operand.scalar);
    return tile::SplatOp::create(b, loc, getTileType(scalar.getType(), wanted),
                                 scalar);
  }
  // Nobody may depend on the content.
  return splat(b.getZeroAttr(operand.getElementType()), wanted);
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

/// Whether a result leaves the kernel or is a factor of products.
bool TileEmitter::isSeenRounded(int64_t number, unsigned result) const {
  return rounded.count({number, result}) != 0 ||
         llvm::any_of(group.ops, [&](const GroupMember &op) {
           return op.isStore() && op.inputs[0].producer == number &&
                  op.inputs[0].producerResult == result;
         });
}

Value TileEmitter::emitIndex(int64_t number, linalg::IndexOp op) {
  ArrayRef<int64_t> along = opDims[number];
  int64_t dim = group.ops[number].loops[op.getDim()];
  auto type = getTileType(b.getIndexType(), along);
  auto at = llvm::find(along, dim);
  if (at != along.end()) {
    return tile::IndexOp::create(b, loc, type, getOffset(dim),
                                 at - along.begin());
  }
  return tile::SplatOp::create(b, loc, type, getOffset(dim));
}

/// The f32 tile behind a rounding that needn't be made, if `op` widens it
/// again.
Value TileEmitter::elideRounding(Operation &op, IRMapping &mapping) {
  auto widen = dyn_cast<arith::ExtFOp>(op);
  if (!widen) {
    return Value();
  }
  Value tile = mapping.lookup(widen.getIn());
  auto spread = tile.getDefiningOp<tile::BroadcastOp>();
  auto round =
      (spread ? spread.getSource() : tile).getDefiningOp<arith::TruncFOp>();
  if (!round || !round->hasAttr(kRounding) ||
      getElementTypeOrSelf(round.getIn()) != widen.getType()) {
    return Value();
  }
  if (!spread) {
    return round.getIn();
  }
  auto type = cast<RankedTensorType>(tile.getType()).clone(widen.getType());
  return tile::BroadcastOp::create(b, loc, type, round.getIn(),
                                   spread.getDims());
}

LogicalResult TileEmitter::emitBodyOp(int64_t number, Operation &op,
                                      IRMapping &mapping) {
  ArrayRef<int64_t> along = opDims[number];
  if (auto index = dyn_cast<linalg::IndexOp>(op)) {
    mapping.map(index.getResult(), emitIndex(number, index));
    return success();
  }
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    mapping.map(constant.getResult(), splat(constant.getValue(), along));
    return success();
  }
  if (auto read = dyn_cast<tensor::ExtractOp>(op)) {
    return emitRead(number, read, read.getResult(), Value(), Value(), mapping);
  }
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    return emitGuardedReads(number, branch, mapping);
  }
  if (!OpTrait::hasElementwiseMappableTraits(&op)) {
    return op.emitOpError("cannot be applied to tiles");
  }
  for (Value operand : op.getOperands()) {
    getBodyValue(operand, along, mapping);
  }
  if (Value wide = elideRounding(op, mapping)) {
    mapping.map(op.getResult(0), wide);
    return success();
  }
  Operation *clone = b.clone(op, mapping);
  for (Value result : clone->getResults()) {
    result.setType(getTileType(result.getType(), along));
  }
  // Elision in place: whoever reads a value that leaves the kernel, or is
  // multiplied, sees it rounded.
  if (op.hasAttr(kRounding) && (strict || isSeenRounded(number, 0))) {
    clone->removeAttr(kRounding);
  }
  return success();
}

/// Emits the body's ops but `skipped` and the terminator.
LogicalResult TileEmitter::emitBody(int64_t number, IRMapping &mapping,
                                    ArrayRef<Operation *> skipped) {
  linalg::GenericOp op = group.ops[number].op;
  for (auto [arg, operand] :
       llvm::zip_equal(op.getRegionInputArgs(), group.ops[number].inputs)) {
    if (!arg.use_empty()) {
      mapping.map(arg, getTile(operand, opDims[number]));
    }
  }
  for (Operation &inner : op.getBody()->without_terminator()) {
    if (!llvm::is_contained(skipped, &inner) &&
        failed(emitBodyOp(number, inner, mapping))) {
      return failure();
    }
  }
  return success();
}

TileEmitter::Access TileEmitter::getAccess(const MemoryView &view,
                                           ArrayRef<int64_t> along) {
  Access access;
  for (int64_t dim : view.dims) {
    auto at = llvm::find(along, dim);
    bool tiled = at != along.end();
    Value index = getOffset(dim);
    if (int64_t start = view.starts[access.indices.size()]) {
      index = arith::AddIOp::create(b, loc, index, builder.index(start));
    }
    access.indices.push_back(index);
    access.tileDims.push_back(tiled ? at - along.begin() : -1);
    access.inBounds.push_back(!tiled || dims[dim].inBounds);
  }
  return access;
}

LogicalResult TileEmitter::emit(int64_t number) {
  const GroupMember &info = group.ops[number];
  if (info.isStore()) {
    return emitStore(number);
  }
  linalg::GenericOp op = info.op;
  IRMapping mapping;
  for (auto [arg, operand] :
       llvm::zip_equal(op.getRegionOutputArgs(), info.inits)) {
    if (!arg.use_empty()) {
      mapping.map(arg, getTile(operand, opDims[number]));
    }
  }
  if (failed(emitBody(number, mapping, {}))) {
    return failure();
  }
  Operation *yield = op.getBody()->getTerminator();
  for (auto [result, value] : llvm::enumerate(yield->getOperands())) {
    if (!mapping.contains(value)) {
      GroupOperand captured;
      captured.scalar = value;
      mapping.map(value, getTile(captured, opDims[number]));
    }
    Value tile = mapping.lookup(value);
    values[{number, result}] =
        info.bounds.isWindow() ? maskWindow(info.bounds, tile, opDims[number])
                               : tile;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<Value>> TileEmitter::emitReduced(int64_t number) {
  linalg::GenericOp op = group.ops[number].op;
  FailureOr<SmallVector<Reduction>> reductions = matchReductions(op);
  if (failed(reductions)) {
    return failure();
  }
  SmallVector<Operation *> combiners;
  for (const Reduction &reduction : *reductions) {
    combiners.push_back(reduction.combiner);
  }
  IRMapping mapping;
  if (failed(emitBody(number, mapping, combiners))) {
    return failure();
  }
  ArrayRef<int64_t> along = opDims[number];
  SmallVector<int64_t> reduced = group.getReducedDims(group.ops[number]);
  SmallVector<Value> offsets, sizes;
  bool masked = false;
  for (int64_t dim : along) {
    bool cut = llvm::is_contained(reduced, dim) && !dims[dim].inBounds;
    masked |= cut;
    offsets.push_back(cut ? dims[dim].offset : builder.index(0));
    Value size = builder.index(dims[dim].tile);
    if (cut) {
      size = dims[dim].end ? dims[dim].end : builder.getSize(dim);
    }
    sizes.push_back(size);
  }
  SmallVector<Value> tiles;
  for (const Reduction &reduction : *reductions) {
    Value tile = mapping.lookupOrNull(reduction.value);
    if (!tile) {
      GroupOperand captured;
      captured.scalar = reduction.value;
      tile = getTile(captured, along);
    }
    if (masked) {
      Value neutral = arith::ConstantOp::create(b, loc, reduction.neutral);
      tile = tile::MaskOp::create(b, loc, tile.getType(), tile, neutral,
                                  offsets, sizes);
    }
    tiles.push_back(tile);
  }
  return tiles;
}

SmallVector<Value> TileEmitter::getInits(int64_t number) {
  SmallVector<Value> tiles;
  for (auto [init, operand] : llvm::zip_equal(
           group.ops[number].inits, group.ops[number].op.getDpsInits())) {
    // What no iteration reads may be anything.
    Type type = getElementTypeOrSelf(operand.getType());
    tiles.push_back(init.value
                        ? getTile(init, resultDims[number])
                        : splat(b.getZeroAttr(type), resultDims[number]));
  }
  return tiles;
}

FailureOr<SmallVector<Value>> TileEmitter::emitStep(int64_t number,
                                                    ValueRange carried) {
  linalg::GenericOp op = group.ops[number].op;
  IRMapping mapping;
  mapping.map(op.getRegionOutputArgs(), carried);
  if (failed(emitBody(number, mapping, {}))) {
    return failure();
  }
  SmallVector<Value> results;
  for (Value yielded : op.getBody()->getTerminator()->getOperands()) {
    results.push_back(getBodyValue(yielded, opDims[number], mapping));
  }
  return results;
}

Value TileEmitter::combine(const Reduction &reduction, Value x, Value y) {
  Operation *clone = b.clone(*reduction.combiner);
  clone->setOperands({x, y});
  clone->getResult(0).setType(x.getType());
  return clone->getResult(0);
}

/// One `tile.reduce` along position `dim`.
static Value reduceAlong(OpBuilder &b, Location loc, Value tile, int64_t dim,
                         Operation *combiner) {
  auto type = cast<RankedTensorType>(tile.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.erase(shape.begin() + dim);
  auto reduce = tile::ReduceOp::create(
      b, loc, RankedTensorType::get(shape, type.getElementType()), tile, dim);
  OpBuilder::InsertionGuard guard(b);
  Block *block =
      b.createBlock(&reduce.getCombiner(), {},
                    {type.getElementType(), type.getElementType()}, {loc, loc});
  Operation *clone = b.clone(*combiner);
  clone->setOperands(block->getArguments());
  tile::YieldOp::create(b, loc, clone->getResults());
  return reduce.getResult();
}

LogicalResult TileEmitter::finishReduction(int64_t number, ValueRange tiles) {
  const GroupMember &op = group.ops[number];
  FailureOr<SmallVector<Reduction>> reductions = matchReductions(op.op);
  if (failed(reductions)) {
    return failure();
  }
  SmallVector<int64_t> reduced = group.getReducedDims(op);
  ArrayRef<int64_t> along = opDims[number];
  for (auto [result, tile] : llvm::enumerate(tiles)) {
    const Reduction &reduction = (*reductions)[result];
    Value value = tile;
    for (size_t position = along.size(); position-- > 0;) {
      if (llvm::is_contained(reduced, along[position])) {
        value = reduceAlong(b, loc, value, position, reduction.combiner);
      }
    }
    Value init = getTile(op.inits[result], resultDims[number]);
    values[{number, result}] = combine(reduction, init, value);
  }
  return success();
}
