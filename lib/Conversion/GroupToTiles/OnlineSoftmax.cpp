//===- OnlineSoftmax.cpp - contraction, softmax, contraction --------------===//
//
// A block owns some rows m. It walks over the columns n once and keeps, for
// each row, the largest value so far, what was subtracted before the
// exponential, the sum of exponentials, and the sum of rows of v weighted by
// them:
//
//   for n {
//     s = q k[n] ; x = ... s ...
//     most' = max(most, max of x) ; r' = r(most')
//     alpha = exp(r - r')
//     e = exp(x - r')
//     sum' = alpha sum + sum of e
//     acc' = alpha acc + e v[n]
//   }
//
// The factors by which the group multiplies or divides e are functions of rows:
// they are applied to acc at the end.
//
// While a row has seen nothing but -inf, its maximum is taken as zero, so that
// exp(-inf - 0) adds nothing; a row without anything else ends with a sum of
// zero where the group computes exp(-inf + inf), and NaN comes out of both.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"
#include "TileEmitter.h"
#include "fusion/Tile/IR/Tile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::fusion;

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

namespace {
/// When an op is computed.
enum class Phase {
  Before,  ///< the walk over n
  Scores,  ///< in it, before the row's maximum is known
  Shifted, ///< in it, from there to the exponential
  After,   ///< it, or nowhere by itself
  Operand  ///< with the operand of a contraction that it makes, for it alone
};

class SoftmaxEmitter {
public:
  SoftmaxEmitter(Group &group, const SoftmaxProducts &products,
                 const Schedule &schedule, bool strict);
  LogicalResult run();

private:
  void assignPhases();
  FailureOr<Value> emitFactor(const GroupOperand &operand,
                              ArrayRef<int64_t> along, int64_t summed);
  SmallVector<GridDim> makeGrid();
  LogicalResult emitTile(ArrayRef<GridDim> grid, ValueRange offsets);
  LogicalResult emitPhase(Phase phase);
  FailureOr<Value> emitScores(Value q);
  FailureOr<SmallVector<Value>> emitStep(Value q, ValueRange carried);
  FailureOr<Value> emitMaximum(Value before);
  Value emitShift(Value most);
  Value emitExp(Value argument);
  LogicalResult emitLink(std::pair<int64_t, unsigned> link,
                         const DenseMap<int64_t, Value> &guards, Value &tile,
                         ArrayRef<int64_t> along);
  LogicalResult emitAfter(ValueRange carried);
  bool isAfter(int64_t number) const;
  Value emitNoColumns(Value acc);
  Value emitEnd();
  Value addInit(int64_t number, Value sum);
  Value isNothing(Value most);
  Value splatRows(float value) {
    return emitter.splat(b.getF32FloatAttr(value), {products.m});
  }

  Group &group;
  const SoftmaxProducts &products;
  const Schedule &schedule;
  KernelBuilder builder;
  TileEmitter emitter;
  OpBuilder &b;
  Location loc;
  SmallVector<bool> operandOps; ///< those that only make operands
  SmallVector<Phase> phases;
};
} // namespace

SoftmaxEmitter::SoftmaxEmitter(Group &group, const SoftmaxProducts &products,
                               const Schedule &schedule, bool strict)
    : group(group), products(products), schedule(schedule),
      builder(group, schedule),
      emitter(builder,
              products.k == products.d
                  ? SmallVector<int64_t>{products.m, products.k, products.n}
                  : SmallVector<int64_t>{products.m, products.k, products.n,
                                         products.d},
              strict),
      b(builder.getBuilder()), loc(builder.getLoc()) {
  operandOps = findOperandOps(group, products);
  for (const GroupOperand *factor : products.getFactors(group)) {
    if (factor->producer >= 0) {
      emitter.keepRounded(factor->producer, factor->producerResult);
    }
  }
  assignPhases();
}

/// What the walk needs is computed in it where it depends on the scores or on
/// n, else before it.
void SoftmaxEmitter::assignPhases() {
  int64_t count = group.ops.size();
  SmallVector<bool> needed(count, false), onScores(count, false),
      onMaximum(count, false);
  for (int64_t root :
       {products.exponential, products.rowMax, products.shiftOp}) {
    needed[root] = true;
  }
  auto forEachProducer = [&](int64_t number, auto visit) {
    for (auto *operands :
         {&group.ops[number].inputs, &group.ops[number].inits}) {
      for (const GroupOperand &operand : *operands) {
        if (operand.producer >= 0 && !operandOps[operand.producer]) {
          visit(operand.producer);
        }
      }
    }
  };
  for (int64_t number = count; number-- > 0;) {
    if (needed[number]) {
      forEachProducer(number, [&](int64_t from) { needed[from] = true; });
    }
  }
  for (int64_t number = 0; number < count; ++number) {
    onScores[number] = number == products.scores;
    onMaximum[number] = number == products.rowMax;
    forEachProducer(number, [&](int64_t from) {
      onScores[number] = onScores[number] || onScores[from];
      onMaximum[number] = onMaximum[number] || onMaximum[from];
    });
    bool walks =
        onScores[number] ||
        llvm::is_contained(group.getDims(group.ops[number]), products.n);
    phases.push_back(operandOps[number]  ? Phase::Operand
                     : !needed[number]   ? Phase::After
                     : !walks            ? Phase::Before
                     : onMaximum[number] ? Phase::Shifted
                                         : Phase::Scores);
  }
}

SmallVector<GridDim> SoftmaxEmitter::makeGrid() {
  const auto &p = products;
  SmallVector<GridDim> grid;
  for (int64_t dim = 0, e = group.dims.size(); dim < e; ++dim) {
    if (!llvm::is_contained({p.m, p.n, p.k, p.d}, dim)) {
      grid.push_back({dim, 1});
    }
  }
  grid.push_back({p.m, schedule.rows});
  emitter.setTile(p.m, schedule.rows);
  emitter.setTile(p.n, schedule.columns);
  emitter.setTile(p.k, getOperandWidth(group.dims[p.k].size, schedule.kind));
  emitter.setTile(p.d, getOperandWidth(group.dims[p.d].size, schedule.kind));
  return grid;
}

/// Emits the ops of a phase but those that the walk itself is made of.
LogicalResult SoftmaxEmitter::emitPhase(Phase phase) {
  for (int64_t number = 0, e = group.ops.size(); number < e; ++number) {
    bool special = number == products.scores || number == products.rowMax;
    if (phases[number] == phase && !special && failed(emitter.emit(number))) {
      return failure();
    }
  }
  return success();
}

/// Adds the initial value of a contraction, unless it is a plain zero.
Value SoftmaxEmitter::addInit(int64_t number, Value sum) {
  const GroupOperand &init = group.ops[number].inits[0];
  auto constant = dyn_cast_or_null<FloatAttr>(init.constant);
  if (constant && constant.getValue().isPosZero()) {
    return sum;
  }
  Value start = emitter.getTile(init, emitter.getResultDims(number));
  return arith::AddFOp::create(b, loc, start, sum);
}

/// The tile of what a contraction that sums over `summed` multiplies, zero past
/// the end of that: what code makes of elements there need not be.
FailureOr<Value> SoftmaxEmitter::emitFactor(const GroupOperand &operand,
                                            ArrayRef<int64_t> along,
                                            int64_t summed) {
  if (operand.producer < 0) {
    return emitter.getTile(operand, along);
  }
  FailureOr<Value> tile = emitter.emitApart(operand, along, summed);
  return failed(tile) ? tile : emitter.endAt(summed, *tile, along);
}

FailureOr<Value> SoftmaxEmitter::emitScores(Value q) {
  const GroupMember &op = group.ops[products.scores];
  FailureOr<Value> k = emitFactor(op.inputs[1 - products.q],
                                  {products.k, products.n}, products.k);
  if (failed(k)) {
    return failure();
  }
  Value zero = emitter.splat(b.getF32FloatAttr(0.0f), {products.m, products.n});
  Value sum = tile::DotOp::create(b, loc, zero.getType(), q, *k, zero);
  return addInit(products.scores, sum);
}

/// Whether a row has seen nothing but -inf.
Value SoftmaxEmitter::isNothing(Value most) {
  float infinity = std::numeric_limits<float>::infinity();
  return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, most,
                               splatRows(-infinity));
}

/// The maximum of each row with this step, from that `before` it.
FailureOr<Value> SoftmaxEmitter::emitMaximum(Value before) {
  int64_t number = products.rowMax;
  auto reductions = matchReductions(group.ops[number].op);
  FailureOr<SmallVector<Value>> tiles = emitter.emitReduced(number);
  if (failed(reductions) || failed(tiles) ||
      failed(emitter.finishReduction(number, *tiles))) {
    return failure();
  }
  GroupOperand own;
  own.producer = number;
  Value here = emitter.getTile(own, {products.m});
  return emitter.combine(reductions->front(), before, here);
}

/// What is subtracted from each row before the exponential.
Value SoftmaxEmitter::emitShift(Value most) {
  const GroupOperand &operand =
      group.ops[products.shiftOp].inputs[products.shiftInput];
  Value shift = emitter.getTile(operand, {products.m});
  auto type = cast<RankedTensorType>(shift.getType());
  if (!type.getElementType().isF32()) {
    shift = arith::ExtFOp::create(b, loc, type.clone(b.getF32Type()), shift);
  }
  return shift;
}

Value SoftmaxEmitter::emitExp(Value argument) {
  Operation *clone = b.clone(*products.exp);
  clone->setOperands(argument);
  clone->getResult(0).setType(argument.getType());
  return clone->getResult(0);
}

/// One step of the walk. Carried: the maximum, what was subtracted (-inf while
/// there was nothing), the sum of exponentials, the weighted sum.
FailureOr<SmallVector<Value>> SoftmaxEmitter::emitStep(Value q,
                                                       ValueRange carried) {
  int64_t m = products.m, n = products.n, d = products.d;
  FailureOr<Value> scores = emitScores(q);
  if (failed(scores)) {
    return failure();
  }
  emitter.setResult(products.scores, 0, *scores);
  if (failed(emitPhase(Phase::Scores))) {
    return failure();
  }
  FailureOr<Value> most = emitMaximum(carried[0]);
  if (failed(most)) {
    return failure();
  }
  Value nothing = isNothing(*most);
  Value guarded =
      arith::SelectOp::create(b, loc, nothing, splatRows(0.0f), *most);
  emitter.setResult(products.rowMax, 0, guarded);
  if (failed(emitPhase(Phase::Shifted))) {
    return failure();
  }
  Value shift = emitShift(guarded);
  Value alpha = emitExp(arith::SubFOp::create(b, loc, carried[1], shift));
  shift = arith::SelectOp::create(
      b, loc, nothing, splatRows(-std::numeric_limits<float>::infinity()),
      shift);

  FailureOr<SmallVector<Value>> weights = emitter.emitReduced(products.rowSum);
  if (failed(weights) ||
      failed(emitter.finishReduction(products.rowSum, *weights))) {
    return failure();
  }
  GroupOperand own;
  own.producer = products.rowSum;
  Value sum = arith::MulFOp::create(b, loc, carried[2], alpha);
  sum = arith::AddFOp::create(b, loc, sum, emitter.getTile(own, {m}));

  const GroupMember &values = group.ops[products.values];
  FailureOr<Value> v =
      emitFactor(values.inputs[1 - products.weights], {n, d}, n);
  if (failed(v)) {
    return failure();
  }
  Type element = getElementTypeOrSelf(v->getType());
  Value weight = weights->front();
  if (!element.isF32()) {
    weight = arith::TruncFOp::create(
        b, loc, emitter.getTileType(element, {m, n}), weight);
  }
  Value acc = arith::MulFOp::create(b, loc, carried[3],
                                    emitter.broadcast(alpha, {m}, {m, d}));
  acc = tile::DotOp::create(b, loc, acc.getType(), weight, *v, acc);
  return SmallVector<Value>{*most, shift, sum, acc};
}

/// Whether an op's value, computed in the walk for part of the columns, is
/// computed again from what the walk ends with.
bool SoftmaxEmitter::isAfter(int64_t number) const {
  bool special = llvm::is_contained(
      {products.scores, products.rowMax, products.rowSum, products.values},
      number);
  bool alongColumns =
      llvm::is_contained(group.getDims(group.ops[number]), products.n);
  return !special && !alongColumns && phases[number] != Phase::Before &&
         phases[number] != Phase::Operand;
}

/// `acc`, or where there are no columns the sum of none, zero.
Value SoftmaxEmitter::emitNoColumns(Value acc) {
  int64_t size = group.dims[products.n].size;
  if (!ShapedType::isDynamic(size) && size != 0) {
    return acc;
  }
  SmallVector<int64_t> along = {products.m, products.d};
  Value none =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                            builder.getSize(products.n), builder.index(0));
  none = tile::SplatOp::create(b, loc,
                               emitter.getTileType(b.getI1Type(), along), none);
  return arith::SelectOp::create(
      b, loc, none, emitter.splat(b.getF32FloatAttr(0.0f), along), acc);
}

/// Replaces `tile`, along `along`, by what `link` makes of it, and puts zero
/// where `guards` say so.
LogicalResult SoftmaxEmitter::emitLink(std::pair<int64_t, unsigned> link,
                                       const DenseMap<int64_t, Value> &guards,
                                       Value &tile, ArrayRef<int64_t> along) {
  DenseMap<unsigned, Value> given = {{link.second, tile}};
  for (auto [position, input] : llvm::enumerate(group.ops[link.first].inputs)) {
    if (Value guard = guards.lookup(input.producer)) {
      given[position] = emitter.broadcast(guard, {products.m}, along);
    }
  }
  FailureOr<Value> made = emitter.emitAlong(link.first, along, given);
  if (succeeded(made)) {
    tile = *made;
  }
  return made;
}

LogicalResult SoftmaxEmitter::emitAfter(ValueRange carried) {
  emitter.setResult(products.rowMax, 0, carried[0]);
  emitter.setResult(products.rowSum, 0, carried[2]);
  Value acc = carried[3];
  // What the chain makes of the row's sum is NaN where it makes NaN of the row.
  Value row = carried[2];
  DenseMap<int64_t, Value> guards;
  for (int64_t number = 0, e = group.ops.size(); number < e; ++number) {
    auto link = llvm::find_if(products.chain,
                              [&](auto &link) { return link.first == number; });
    auto guard = llvm::find_if(
        products.guards, [&](auto &guard) { return guard.first == number; });
    if (guard != products.guards.end()) {
      FailureOr<Value> isNaN =
          emitter.emitAlong(number, {products.m}, {{guard->second, row}});
      if (failed(isNaN)) {
        return failure();
      }
      guards[number] = *isNaN;
    } else if (link != products.chain.end()) {
      bool asks = !products.guards.empty();
      if ((asks && failed(emitLink(*link, guards, row, {products.m}))) ||
          failed(emitLink(*link, guards, acc, {products.m, products.d}))) {
        return failure();
      }
    } else if (number == products.values) {
      emitter.setResult(number, 0, addInit(number, emitNoColumns(acc)));
    } else if (isAfter(number) && failed(emitter.emit(number))) {
      return failure();
    }
  }
  return success();
}

/// The end of the columns that any row of the tile sees.
Value SoftmaxEmitter::emitEnd() {
  Value size = builder.getSize(products.n);
  if (products.boundDim < 0) {
    return size;
  }
  const TileDim &rows = emitter.dims[products.boundDim];
  Value end = arith::AddIOp::create(b, loc, rows.offset,
                                    builder.index(rows.tile + products.beyond));
  end = arith::MaxSIOp::create(b, loc, end, builder.index(0));
  return arith::MinSIOp::create(b, loc, end, size);
}

LogicalResult SoftmaxEmitter::emitTile(ArrayRef<GridDim> grid,
                                       ValueRange offsets) {
  int64_t m = products.m, n = products.n, d = products.d;
  for (TileDim &dim : emitter.dims) {
    dim.offset = builder.index(0);
  }
  for (auto [dim, offset] : llvm::zip_equal(grid, offsets)) {
    emitter.dims[dim.dim].offset = offset;
  }
  if (failed(emitPhase(Phase::Before))) {
    return failure();
  }
  const GroupMember &scores = group.ops[products.scores];
  FailureOr<Value> q =
      emitFactor(scores.inputs[products.q], {m, products.k}, products.k);
  if (failed(q)) {
    return failure();
  }
  Value nothing = splatRows(-std::numeric_limits<float>::infinity());
  Value end = emitEnd();
  SmallVector<Value> inits = {nothing, nothing, splatRows(0.0f),
                              emitter.splat(b.getF32FloatAttr(0.0f), {m, d})};
  auto loop = scf::ForOp::create(b, loc, builder.index(0), end,
                                 builder.index(schedule.columns), inits);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    emitter.dims[n].offset = loop.getInductionVar();
    FailureOr<SmallVector<Value>> carried =
        emitStep(*q, loop.getRegionIterArgs());
    if (failed(carried)) {
      return failure();
    }
    scf::YieldOp::create(b, loc, *carried);
  }
  emitter.forget({n});
  return emitAfter(loop.getResults());
}

LogicalResult SoftmaxEmitter::run() {
  SmallVector<GridDim> grid = makeGrid();
  LogicalResult result = success();
  builder.forEachTile(
      grid, Blocks::PerTileInLoop, /*raster=*/{},
      [&](ValueRange offsets) { result = emitTile(grid, offsets); });
  if (succeeded(result)) {
    builder.finish();
  }
  return result;
}

//===----------------------------------------------------------------------===//
// The schedule
//===----------------------------------------------------------------------===//

/// Lets the exponential be approximated where weights are rounded to 16 bits:
/// those that count, of arguments above -20 or so, are good to 2^-18.
static void allowApproximation(const SoftmaxProducts &products) {
  if (auto exp = dyn_cast<math::ExpOp>(products.exp)) {
    exp.setFastmath(exp.getFastmath() | arith::FastMathFlags::afn);
  }
}

LogicalResult mlir::fusion::emitSoftmaxProducts(Group &group,
                                                const SoftmaxProducts &products,
                                                const KernelContext &context) {
  using Kind = Schedule::Kind;
  OnlineSoftmaxShape shape = products.getShape(group);
  std::string reason;
  std::optional<Schedule> chosen =
      chooseOnlineSoftmax(shape, context.target, reason);
  if (!chosen && !context.pinned) {
    return group.func.emitOpError("no schedule fits: ") << reason;
  }
  FailureOr<Schedule> picked =
      pickSchedule(group, context, {Kind::MMA, Kind::WGMMA, Kind::FMA},
                   [&] { return *chosen; });
  if (failed(picked)) {
    return failure();
  }
  reason = refuseOnlineSoftmax(*picked, shape, context.target);
  if (!reason.empty()) {
    return group.func.emitOpError("the schedule doesn't fit: ") << reason;
  }
  if (shape.halfFloats && !context.strict) {
    allowApproximation(products);
  }
  dropColumnsOfRows(group, products.n);
  return SoftmaxEmitter(group, products, *picked, context.strict).run();
}
