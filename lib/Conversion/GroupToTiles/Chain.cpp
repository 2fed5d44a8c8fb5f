//===- Chain.cpp - a contraction of a contraction -------------------------===//
//
// A block owns some rows m. Where it can hold its part of what lies between the
// contractions, it makes all of that first and then walks over the columns n:
//
//   for k { s += a[k] b[k] }                 s: m x r
//   p = ... s ...
//   for n { y = p c[n] ; ... y ... ; store }
//
// Blocks that would idle take some of the columns; each of them makes p anew.
// Where what lies between is too wide, but a and the result are not, the block
// walks over r and adds up the result, as attention does:
//
//   for r { p = ... a b[r] ... ; y += p c[r] }
//   ... y ... ; store
//
// Past the end of r the operands are zero, but what is computed from them need
// not be: p is masked.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"
#include "TileEmitter.h"
#include "fusion/Analysis/HalfFloats.h"
#include "fusion/Tile/IR/Tile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {
class ChainEmitter {
public:
  ChainEmitter(Group &group, const ChainMembers &chain,
               const ChainedSchedule &chained, bool strict);
  LogicalResult run();

private:
  /// When an op is computed.
  enum class Phase {
    Before,  ///< both contractions
    Between, ///< them
    After    ///< the second one
  };
  static SmallVector<int64_t> getOrder(const ChainMembers &chain);
  void assignPhases();
  SmallVector<GridDim> makeGrid();
  LogicalResult emitPhase(Phase phase);
  void moveTo(int64_t dim, int64_t tile, Value offset);
  Value addInit(int64_t number, Value sum);
  Value multiply(Value x, Value y, Value acc);
  Value zeros(ArrayRef<int64_t> along) {
    return emitter.splat(b.getF32FloatAttr(0.0f), along);
  }
  Value getOther() {
    return emitter.getTile(group.ops[chain.second].inputs[1 - chain.middle],
                           {chain.r, chain.n});
  }
  Value emitMiddle();
  void emitFirst();
  LogicalResult emitHeld(ValueRange offsets, Value part, Value parts);
  LogicalResult emitColumns(Value part, Value parts);
  LogicalResult emitStreamed();
  void setOffsets(ArrayRef<GridDim> grid, ValueRange offsets);

  Group &group;
  const ChainMembers &chain;
  const ChainedSchedule &chained;
  const Schedule &schedule;
  KernelBuilder builder;
  TileEmitter emitter;
  OpBuilder &b;
  Location loc;
  SmallVector<Phase> phases;
  /// Sides of the tiles along k and r.
  int64_t kTile, rTile;
};
} // namespace

/// The columns may be k too (y = ... x ... + x).
SmallVector<int64_t> ChainEmitter::getOrder(const ChainMembers &chain) {
  SmallVector<int64_t> order = {chain.m, chain.k, chain.r};
  if (chain.n != chain.k) {
    order.push_back(chain.n);
  }
  return order;
}

ChainEmitter::ChainEmitter(Group &group, const ChainMembers &chain,
                           const ChainedSchedule &chained, bool strict)
    : group(group), chain(chain), chained(chained), schedule(chained.schedule),
      builder(group, schedule), emitter(builder, getOrder(chain), strict),
      b(builder.getBuilder()), loc(builder.getLoc()) {
  auto width = [&](int64_t dim) {
    return getOperandWidth(group.dims[dim].size, schedule.kind);
  };
  kTile = chained.streamed ? width(chain.k) : schedule.depth;
  rTile = chained.streamed ? schedule.depth : width(chain.r);
  assignPhases();
}

/// What the middle is made from comes between where it depends on the first
/// contraction or lies along r, else before; all the rest comes after.
void ChainEmitter::assignPhases() {
  int64_t count = group.ops.size();
  SmallVector<bool> needed(count, false), follows(count, false);
  auto forEachProducer = [&](int64_t number, auto visit) {
    for (auto *operands :
         {&group.ops[number].inputs, &group.ops[number].inits}) {
      for (const GroupOperand &operand : *operands) {
        if (operand.producer >= 0) {
          visit(operand.producer);
        }
      }
    }
  };
  needed[group.ops[chain.second].inputs[chain.middle].producer] = true;
  for (int64_t number = count; number-- > 0;) {
    if (needed[number]) {
      forEachProducer(number, [&](int64_t from) { needed[from] = true; });
    }
  }
  for (int64_t number = 0; number < count; ++number) {
    follows[number] =
        number == chain.first ||
        llvm::is_contained(group.getDims(group.ops[number]), chain.r);
    forEachProducer(number, [&](int64_t from) {
      follows[number] = follows[number] || follows[from];
    });
    phases.push_back(!needed[number]   ? Phase::After
                     : follows[number] ? Phase::Between
                                       : Phase::Before);
  }
}

/// Emits the ops of a phase but the contractions.
LogicalResult ChainEmitter::emitPhase(Phase phase) {
  for (int64_t number = 0, e = group.ops.size(); number < e; ++number) {
    bool product = number == chain.first || number == chain.second;
    if (phases[number] == phase && !product && failed(emitter.emit(number))) {
      return failure();
    }
  }
  return success();
}

/// Every dim but k, r and columns outside of the innermost ones.
SmallVector<GridDim> ChainEmitter::makeGrid() {
  SmallVector<GridDim> grid;
  for (int64_t dim = 0, e = group.dims.size(); dim < e; ++dim) {
    if (!llvm::is_contained({chain.m, chain.k, chain.r, chain.n}, dim) &&
        !llvm::is_contained(chain.outerColumns, dim)) {
      grid.push_back({dim, 1});
    }
  }
  grid.push_back({chain.m, schedule.rows});
  emitter.setTile(chain.m, schedule.rows);
  return grid;
}

void ChainEmitter::setOffsets(ArrayRef<GridDim> grid, ValueRange offsets) {
  for (TileDim &dim : emitter.dims) {
    dim.offset = builder.index(0);
  }
  for (auto [dim, offset] : llvm::zip(grid, offsets)) {
    emitter.dims[dim.dim].offset = offset;
  }
}

void ChainEmitter::moveTo(int64_t dim, int64_t tile, Value offset) {
  emitter.setTile(dim, tile);
  emitter.dims[dim].offset = offset;
}

/// Adds the initial value of a contraction, unless it is a plain zero.
Value ChainEmitter::addInit(int64_t number, Value sum) {
  const GroupOperand &init = group.ops[number].inits[0];
  auto constant = dyn_cast_or_null<FloatAttr>(init.constant);
  if (constant && constant.getValue().isPosZero()) {
    return sum;
  }
  Value start = emitter.getTile(init, emitter.getResultDims(number));
  return arith::AddFOp::create(b, loc, start, sum);
}

Value ChainEmitter::multiply(Value x, Value y, Value acc) {
  return tile::DotOp::create(b, loc, acc.getType(), x, y, acc);
}

/// The middle as an operand: in the type of the other one, zero past the end of
/// r.
Value ChainEmitter::emitMiddle() {
  const GroupMember &second = group.ops[chain.second];
  Value middle =
      emitter.getTile(second.inputs[chain.middle], {chain.m, chain.r});
  Type element = second.inputs[1 - chain.middle].getElementType();
  if (getElementTypeOrSelf(middle) != element) {
    middle = arith::TruncFOp::create(
        b, loc, emitter.getTileType(element, {chain.m, chain.r}), middle);
  }
  const TileDim &r = emitter.dims[chain.r];
  if (r.inBounds) {
    return middle;
  }
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(element));
  SmallVector<Value> offsets = {builder.index(0), r.offset};
  SmallVector<Value> sizes = {builder.index(schedule.rows),
                              builder.getSize(chain.r)};
  return tile::MaskOp::create(b, loc, middle.getType(), middle, zero, offsets,
                              sizes);
}

//===----------------------------------------------------------------------===//
// All of the middle at once
//===----------------------------------------------------------------------===//

/// The loop over k of the first contraction.
void ChainEmitter::emitFirst() {
  const GroupMember &op = group.ops[chain.first];
  auto loop =
      scf::ForOp::create(b, loc, builder.index(0), builder.getSize(chain.k),
                         builder.index(kTile), zeros({chain.m, chain.r}));
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    moveTo(chain.k, kTile, loop.getInductionVar());
    Value x = emitter.getTile(op.inputs[chain.left], {chain.m, chain.k});
    Value y = emitter.getTile(op.inputs[1 - chain.left], {chain.k, chain.r});
    scf::YieldOp::create(b, loc, multiply(x, y, loop.getRegionIterArg(0)));
  }
  emitter.forget({chain.k});
  emitter.setResult(chain.first, 0, addInit(chain.first, loop.getResult(0)));
}

/// The walk over the columns: those of outer dims one by one, of the innermost
/// dim every `parts`th tile from `part` on.
LogicalResult ChainEmitter::emitColumns(Value part, Value parts) {
  Value middle = emitMiddle();
  OpBuilder::InsertionGuard guard(b);
  for (int64_t dim : chain.outerColumns) {
    auto loop = scf::ForOp::create(b, loc, builder.index(0),
                                   builder.getSize(dim), builder.index(1));
    b.setInsertionPointToStart(loop.getBody());
    emitter.dims[dim].offset = loop.getInductionVar();
  }
  Value columns = builder.index(schedule.columns);
  Value from = b.createOrFold<arith::MulIOp>(loc, part, columns);
  Value step = b.createOrFold<arith::MulIOp>(loc, parts, columns);
  auto loop = scf::ForOp::create(b, loc, from, builder.getSize(chain.n), step);
  b.setInsertionPointToStart(loop.getBody());
  moveTo(chain.n, schedule.columns, loop.getInductionVar());
  Value sum = multiply(middle, getOther(), zeros({chain.m, chain.n}));
  emitter.setResult(chain.second, 0, addInit(chain.second, sum));
  return emitPhase(Phase::After);
}

LogicalResult ChainEmitter::emitHeld(ValueRange offsets, Value part,
                                     Value parts) {
  moveTo(chain.r, rTile, builder.index(0));
  if (failed(emitPhase(Phase::Before))) {
    return failure();
  }
  emitFirst();
  if (failed(emitPhase(Phase::Between))) {
    return failure();
  }
  return emitColumns(part, parts);
}

//===----------------------------------------------------------------------===//
// Some of the middle at a time
//===----------------------------------------------------------------------===//

LogicalResult ChainEmitter::emitStreamed() {
  const GroupMember &first = group.ops[chain.first];
  if (failed(emitPhase(Phase::Before))) {
    return failure();
  }
  Value zero = builder.index(0), column = emitter.dims[chain.n].offset;
  moveTo(chain.k, kTile, zero);
  Value x = emitter.getTile(first.inputs[chain.left], {chain.m, chain.k});
  moveTo(chain.n, schedule.columns, column);
  auto loop =
      scf::ForOp::create(b, loc, zero, builder.getSize(chain.r),
                         builder.index(rTile), zeros({chain.m, chain.n}));
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    moveTo(chain.r, rTile, loop.getInductionVar());
    moveTo(chain.k, kTile, zero);
    Value y = emitter.getTile(first.inputs[1 - chain.left], {chain.k, chain.r});
    Value made = multiply(x, y, zeros({chain.m, chain.r}));
    emitter.setResult(chain.first, 0, addInit(chain.first, made));
    if (failed(emitPhase(Phase::Between))) {
      return failure();
    }
    Value middle = emitMiddle();
    moveTo(chain.n, schedule.columns, column);
    Value sum = multiply(middle, getOther(), loop.getRegionIterArg(0));
    scf::YieldOp::create(b, loc, sum);
  }
  emitter.forget({chain.r});
  emitter.setResult(chain.second, 0, addInit(chain.second, loop.getResult(0)));
  return emitPhase(Phase::After);
}

LogicalResult ChainEmitter::run() {
  SmallVector<GridDim> grid = makeGrid();
  LogicalResult result = success();
  if (chained.streamed) {
    grid.push_back({chain.n, schedule.columns});
    builder.forEachTile(grid, Blocks::PerTileInLoop, /*raster=*/{},
                        [&](ValueRange offsets) {
                          setOffsets(grid, offsets);
                          result = emitStreamed();
                        });
  } else {
    builder.forEachSharedTile(grid, {chain.n, schedule.columns},
                              [&](ValueRange offsets, Value part, Value parts) {
                                setOffsets(grid, offsets);
                                result = emitHeld(offsets, part, parts);
                              });
  }
  if (succeeded(result)) {
    builder.finish();
  }
  return result;
}

//===----------------------------------------------------------------------===//
// The schedule
//===----------------------------------------------------------------------===//

static ChainedShape describe(const Group &group, const ChainMembers &chain) {
  ChainedShape shape;
  shape.m = group.dims[chain.m].size;
  shape.k = group.dims[chain.k].size;
  shape.r = group.dims[chain.r].size;
  shape.n = group.dims[chain.n].size;
  shape.batch = group.getBatch({chain.m, chain.k, chain.r, chain.n});
  Type type = group.ops[chain.first].inputs[0].getElementType();
  shape.severalColumns = !chain.outerColumns.empty();
  shape.elementBytes = tile::getElementBytes(type);
  shape.halfFloats = isHalfFloat(type);
  return shape;
}

/// The chosen schedule, or what was pinned: holding the middle where that fits.
static FailureOr<ChainedSchedule> pickChained(Group &group,
                                              const ChainedShape &shape,
                                              const KernelContext &context) {
  using Kind = Schedule::Kind;
  std::string reason;
  std::optional<ChainedSchedule> chosen =
      chooseChained(shape, context.target, reason);
  if (!context.pinned) {
    if (!chosen) {
      return group.func.emitOpError("no schedule fits: ") << reason;
    }
    return *chosen;
  }
  FailureOr<Schedule> pinned = pickSchedule(
      group, context, {Kind::MMA, Kind::FMA}, [&] { return *context.pinned; });
  if (failed(pinned)) {
    return failure();
  }
  for (bool streamed : {false, true}) {
    ChainedSchedule chained{*pinned, streamed};
    std::string refusal = refuseChained(chained, shape, context.target);
    if (refusal.empty()) {
      return chained;
    }
    reason = streamed ? reason : refusal;
  }
  return group.func.emitOpError("the schedule doesn't fit: ") << reason;
}

LogicalResult mlir::fusion::emitChain(Group &group, const ChainMembers &chain,
                                      const KernelContext &context) {
  FailureOr<ChainedSchedule> chained =
      pickChained(group, describe(group, chain), context);
  if (failed(chained)) {
    return failure();
  }
  return ChainEmitter(group, chain, *chained, context.strict).run();
}
