//===- Rows.cpp - kernels of reductions -----------------------------------===//
//
// Dims that nothing reduces are spread over blocks; one of them, the rows, may
// have several elements in a block. Of the reduced dims one, the columns, lies
// along the tile: all of it when it fits, else a loop walks over chunks. Other
// reduced dims are loops.
//
// With loops the group becomes passes: pass p computes the reductions that
// depend on p others, one after the other, and what is elementwise is computed
// again in each pass that needs it. Without loops there is one pass, and every
// value stays in registers.
//
// Reductions in parts have one more dim, that of the parts, and loop over one
// of them only.
//
// Where a body combines elements in some way that is not known to be
// associative (several results that depend on each other, such as an extreme
// and its place), each thread walks along a row, one element after the other.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"
#include "RowsPlan.h"
#include "TileEmitter.h"
#include "fusion/Analysis/IterationSpace.h"
#include "fusion/Tile/IR/Tile.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::fusion;

/// Whether op `number` reduces in a way that only a walk can follow.
static bool mustWalk(const Group &group, int64_t number) {
  return group.isReduction(group.ops[number]) &&
         !isCombined(group.ops[number].op);
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

namespace {
class RowsEmitter {
public:
  RowsEmitter(Group &group, const RowsPlan &plan, const Schedule &schedule,
              bool strict);
  LogicalResult run();

private:
  SmallVector<int64_t> getLoopDims(int64_t number) const;
  bool isLooped(int64_t number) const;
  LogicalResult orderWalks();
  LogicalResult checkLoops() const;
  LogicalResult checkParts() const;
  void assignLevels();
  SmallVector<GridDim> makeGrid();
  LogicalResult emitTile(ArrayRef<GridDim> grid, ValueRange offsets);
  void setPart();
  std::pair<Value, Value> getBounds(int64_t dim);
  LogicalResult emitHere(int64_t number);
  LogicalResult emitPass(int64_t level);
  LogicalResult emitNest(ArrayRef<int64_t> loops, ArrayRef<int64_t> members);
  FailureOr<SmallVector<Value>> emitNestBody(ArrayRef<int64_t> members,
                                             ValueRange accumulators);
  SmallVector<int64_t> collectNeeded(ArrayRef<int64_t> members) const;

  Group &group;
  const RowsPlan &plan;
  const Schedule &schedule;
  KernelBuilder builder;
  TileEmitter emitter;
  OpBuilder &b;
  Location loc;
  SmallVector<int64_t> loopDims; ///< outermost first
  SmallVector<int64_t> levels;   ///< of each op: how many passes come before
  Value partStart;               ///< where the block's part begins
};
} // namespace

RowsEmitter::RowsEmitter(Group &group, const RowsPlan &plan,
                         const Schedule &schedule, bool strict)
    : group(group), plan(plan), schedule(schedule), builder(group, schedule),
      emitter(builder,
              plan.walks ? SmallVector<int64_t>{plan.rows}
                         : SmallVector<int64_t>{plan.rows, plan.columns},
              strict),
      b(builder.getBuilder()), loc(builder.getLoc()), loopDims(plan.outer) {
  int64_t size = group.dims[plan.columns].size;
  bool inParts = group.parts && group.parts->dim == plan.columns;
  if (plan.walks || inParts || ShapedType::isDynamic(size) ||
      size > schedule.columns) {
    loopDims.push_back(plan.columns);
  }
  emitter.setTile(plan.rows, schedule.rows);
  emitter.setTile(plan.columns, schedule.columns);
  emitter.dims[plan.columns].inBounds &=
      !inParts || group.parts->size % schedule.columns == 0;
  assignLevels();
}

/// The loops around op `number`.
SmallVector<int64_t> RowsEmitter::getLoopDims(int64_t number) const {
  SmallVector<int64_t> dims = group.getDims(group.ops[number]);
  return llvm::filter_to_vector(
      loopDims, [&](int64_t dim) { return llvm::is_contained(dims, dim); });
}

/// Whether op `number` is a reduction that a loop accumulates.
bool RowsEmitter::isLooped(int64_t number) const {
  SmallVector<int64_t> reduced = group.getReducedDims(group.ops[number]);
  return llvm::any_of(
      loopDims, [&](int64_t dim) { return llvm::is_contained(reduced, dim); });
}

/// Puts the loops in the order of the ops that walk.
LogicalResult RowsEmitter::orderWalks() {
  SmallVector<int64_t> ordered;
  for (int64_t number = 0, e = group.ops.size(); number < e; ++number) {
    if (!mustWalk(group, number)) {
      continue;
    }
    SmallVector<int64_t> own;
    for (int64_t dim : group.ops[number].loops) {
      if (llvm::is_contained(loopDims, dim) && !llvm::is_contained(own, dim)) {
        own.push_back(dim);
      }
    }
    if (!ordered.empty() && ordered != own) {
      return emitError(group.ops[number].loc,
                       "reductions of one group walk along different dims");
    }
    ordered = own;
  }
  for (int64_t dim : loopDims) {
    if (!llvm::is_contained(ordered, dim)) {
      ordered.push_back(dim);
    }
  }
  loopDims = ordered;
  return success();
}

/// A reduction inside the loop of another's dim has no place here.
LogicalResult RowsEmitter::checkLoops() const {
  for (int64_t number = 0, e = group.ops.size(); number < e; ++number) {
    SmallVector<int64_t> reduced = group.getReducedDims(group.ops[number]);
    bool all = llvm::all_of(getLoopDims(number), [&](int64_t dim) {
      return llvm::is_contained(reduced, dim);
    });
    if (isLooped(number) && !all) {
      return emitError(group.ops[number].loc,
                       "reductions of one group reduce different dims that "
                       "don't fit in registers");
    }
  }
  return success();
}

/// Where one reduction is done in parts, all others along that dim must be, and
/// none may need the elements in order.
LogicalResult RowsEmitter::checkParts() const {
  for (int64_t number = 0, e = group.ops.size(); number < e; ++number) {
    const GroupMember &op = group.ops[number];
    if (!group.parts || !group.isReduction(op) ||
        !llvm::is_contained(group.getReducedDims(op), group.parts->dim)) {
      continue;
    }
    if (mustWalk(group, number) || !matchReductionParts(op.op)) {
      return emitError(op.loc,
                       "the reductions of a group have different parts");
    }
  }
  return success();
}

void RowsEmitter::assignLevels() {
  for (const GroupMember &op : group.ops) {
    int64_t level = 0;
    for (auto *operands : {&op.inputs, &op.inits}) {
      for (const GroupOperand &operand : *operands) {
        if (operand.producer >= 0) {
          level = std::max(level, levels[operand.producer] +
                                      isLooped(operand.producer));
        }
      }
    }
    levels.push_back(level);
  }
}

SmallVector<GridDim> RowsEmitter::makeGrid() {
  SmallVector<GridDim> grid;
  for (auto [number, dim] : llvm::enumerate(group.dims)) {
    if (!dim.reduced) {
      bool rows = int64_t(number) == plan.rows;
      grid.push_back({int64_t(number), rows ? schedule.rows : 1});
    }
  }
  return grid;
}

/// Emits an op that no loop accumulates.
LogicalResult RowsEmitter::emitHere(int64_t number) {
  if (!group.isReduction(group.ops[number])) {
    return emitter.emit(number);
  }
  FailureOr<SmallVector<Value>> tiles = emitter.emitReduced(number);
  return failed(tiles) ? failure() : emitter.finishReduction(number, *tiles);
}

/// The ops in loops that `members` need to be computed with them, and
/// `members`, in order.
SmallVector<int64_t>
RowsEmitter::collectNeeded(ArrayRef<int64_t> members) const {
  return group.collectNeeded(members, [&](int64_t number) {
    return !isLooped(number) && !getLoopDims(number).empty();
  });
}

/// The body of the innermost loop; returns the new accumulators.
FailureOr<SmallVector<Value>>
RowsEmitter::emitNestBody(ArrayRef<int64_t> members, ValueRange accumulators) {
  SmallVector<Value> results;
  for (int64_t number : collectNeeded(members)) {
    if (!isLooped(number)) {
      if (failed(emitHere(number))) {
        return failure();
      }
      continue;
    }
    if (mustWalk(group, number)) {
      size_t count = group.ops[number].op->getNumResults();
      FailureOr<SmallVector<Value>> step =
          emitter.emitStep(number, accumulators.slice(results.size(), count));
      if (failed(step)) {
        return failure();
      }
      llvm::append_range(results, *step);
      continue;
    }
    FailureOr<SmallVector<Value>> tiles = emitter.emitReduced(number);
    auto reductions = matchReductions(group.ops[number].op);
    if (failed(tiles) || failed(reductions)) {
      return failure();
    }
    for (auto [reduction, tile] : llvm::zip_equal(*reductions, *tiles)) {
      Value acc = accumulators[results.size()];
      results.push_back(emitter.combine(reduction, acc, tile));
    }
  }
  return results;
}

/// Loops over `loops`; reductions among `members` accumulate elementwise, and
/// combine across the tile after the loops.
LogicalResult RowsEmitter::emitNest(ArrayRef<int64_t> loops,
                                    ArrayRef<int64_t> members) {
  SmallVector<Value> accumulators;
  for (int64_t number : members) {
    if (!isLooped(number)) {
      continue;
    }
    if (mustWalk(group, number)) {
      llvm::append_range(accumulators, emitter.getInits(number));
      continue;
    }
    auto reductions = matchReductions(group.ops[number].op);
    if (failed(reductions)) {
      return failure();
    }
    for (const Reduction &reduction : *reductions) {
      accumulators.push_back(
          emitter.splat(reduction.neutral, emitter.getOpDims(number)));
    }
  }
  SmallVector<scf::ForOp> nest;
  for (int64_t dim : loops) {
    auto [first, end] = getBounds(dim);
    auto loop =
        scf::ForOp::create(b, loc, first, end,
                           builder.index(emitter.dims[dim].tile), accumulators);
    emitter.dims[dim].offset = loop.getInductionVar();
    accumulators = llvm::to_vector_of<Value>(loop.getRegionIterArgs());
    b.setInsertionPointToStart(loop.getBody());
    nest.push_back(loop);
  }
  FailureOr<SmallVector<Value>> results = emitNestBody(members, accumulators);
  if (failed(results)) {
    return failure();
  }
  for (scf::ForOp loop : llvm::reverse(nest)) {
    if (!results->empty()) {
      scf::YieldOp::create(b, loc, *results);
    }
    results = llvm::to_vector_of<Value>(loop.getResults());
    b.setInsertionPointAfter(loop);
  }
  emitter.forget(loops);
  ArrayRef<Value> rest = *results;
  for (int64_t number : members) {
    if (isLooped(number)) {
      size_t count = group.ops[number].op->getNumResults();
      if (mustWalk(group, number)) {
        for (auto [result, tile] : llvm::enumerate(rest.take_front(count))) {
          emitter.setResult(number, result, tile);
        }
      } else if (failed(
                     emitter.finishReduction(number, rest.take_front(count)))) {
        return failure();
      }
      rest = rest.drop_front(count);
    }
  }
  return success();
}

LogicalResult RowsEmitter::emitPass(int64_t level) {
  SmallVector<std::pair<SmallVector<int64_t>, SmallVector<int64_t>>> nests;
  for (int64_t number = 0, e = group.ops.size(); number < e; ++number) {
    if (levels[number] != level) {
      continue;
    }
    SmallVector<int64_t> loops = getLoopDims(number);
    if (loops.empty()) {
      if (failed(emitHere(number))) {
        return failure();
      }
      continue;
    }
    if (!isLooped(number) && !group.ops[number].isStore()) {
      continue;
    }
    auto nest = llvm::find_if(nests, [&](auto &n) { return n.first == loops; });
    if (nest == nests.end()) {
      nests.push_back({loops, {}});
      nest = std::prev(nests.end());
    }
    nest->second.push_back(number);
  }
  for (auto &[loops, members] : nests) {
    if (failed(emitNest(loops, members))) {
      return failure();
    }
  }
  return success();
}

/// Finds the elements of the part that the block works on.
void RowsEmitter::setPart() {
  Value size = builder.index(group.parts->size);
  Value part = emitter.dims[group.parts->part].offset;
  partStart = arith::MulIOp::create(b, loc, part, size);
  Value end = arith::AddIOp::create(b, loc, partStart, size);
  emitter.dims[group.parts->dim].end =
      arith::MinUIOp::create(b, loc, end, builder.getSize(group.parts->dim));
}

/// The first element of a loop along `dim`, and where it ends.
std::pair<Value, Value> RowsEmitter::getBounds(int64_t dim) {
  if (group.parts && group.parts->dim == dim) {
    return {partStart, emitter.dims[dim].end};
  }
  return {builder.index(0), builder.getSize(dim)};
}

LogicalResult RowsEmitter::emitTile(ArrayRef<GridDim> grid,
                                    ValueRange offsets) {
  for (TileDim &dim : emitter.dims) {
    dim.offset = builder.index(0);
  }
  for (auto [dim, offset] : llvm::zip_equal(grid, offsets)) {
    emitter.dims[dim.dim].offset = offset;
  }
  if (group.parts) {
    setPart();
  }
  int64_t last = *llvm::max_element(levels);
  for (int64_t level = 0; level <= last; ++level) {
    if (failed(emitPass(level))) {
      return failure();
    }
  }
  return success();
}

LogicalResult RowsEmitter::run() {
  if (failed(orderWalks()) || failed(checkLoops()) || failed(checkParts())) {
    return failure();
  }
  SmallVector<GridDim> grid = makeGrid();
  LogicalResult result = success();
  builder.forEachTile(
      grid, Blocks::PerTile, /*raster=*/{},
      [&](ValueRange offsets) { result = emitTile(grid, offsets); });
  if (succeeded(result)) {
    builder.finish();
  }
  return result;
}

LogicalResult mlir::fusion::emitRows(Group &group,
                                     const KernelContext &context) {
  RowsPlan plan = makeRowsPlan(group);
  plan.walks =
      llvm::any_of(llvm::seq<int64_t>(group.ops.size()),
                   [&](int64_t number) { return mustWalk(group, number); });
  FailureOr<Schedule> schedule =
      pickSchedule(group, context, {Schedule::Kind::Rows}, [&] {
        return chooseRowsSchedule(group, plan, context.target);
      });
  if (failed(schedule)) {
    return failure();
  }
  if (plan.walks && schedule->columns != 1) {
    return emitError(group.func.getLoc(),
                     "expected a schedule with one column, since a reduction "
                     "goes from element to element, but got ")
           << schedule->columns;
  }
  return RowsEmitter(group, plan, *schedule, context.strict).run();
}
