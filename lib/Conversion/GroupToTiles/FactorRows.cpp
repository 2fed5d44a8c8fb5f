//===- FactorRows.cpp - statistics of a factor's rows ---------------------===//

#include "FactorRows.h"

#include "fusion/Schedule/KernelLoop.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::fusion;

bool mlir::fusion::isRowOfFactor(const Group &group,
                                 const MatrixProducts &contraction,
                                 int64_t number) {
  const GroupMember &op = group.ops[number];
  SmallVector<int64_t> dims = group.getDims(op);
  bool alongM = llvm::is_contained(dims, contraction.m);
  bool alongN = llvm::is_contained(dims, contraction.n);
  return contraction.outerK.empty() && alongM != alongN &&
         group.getReducedDims(op) == ArrayRef(contraction.k) &&
         isCombined(op.op);
}

/// Whether op `number` is the same in each step of k: a reduction, or what
/// follows from rows alone.
bool FactorRows::isRow(int64_t number) const {
  return factorOps[number] &&
         !llvm::is_contained(emitter.getResultDims(number), contraction.k);
}

/// Tells what is a row from what each step computes.
void FactorRows::sortOps() {
  factorOps = findFactorOps(group, contraction);
  inLoop.assign(group.ops.size(), false);
  emitted.assign(group.ops.size(), false);
  bool reduces = false;
  for (auto [number, op] : llvm::enumerate(group.ops)) {
    int64_t level = 0;
    for (auto *operands : {&op.inputs, &op.inits}) {
      for (const GroupOperand &operand : *operands) {
        if (operand.producer >= 0) {
          bool reduction = group.isReduction(group.ops[operand.producer]);
          level = std::max(level, levels[operand.producer] + reduction);
        }
      }
    }
    levels.push_back(level);
    reduces |= factorOps[number] && group.isReduction(op);
  }
  if (!reduces) {
    inLoop = factorOps;
    return;
  }
  auto mark = [&](ArrayRef<GroupOperand> operands) {
    for (const GroupOperand &operand : operands) {
      if (operand.producer >= 0 && !isRow(operand.producer)) {
        inLoop[operand.producer] = true;
      }
    }
  };
  for (const MatrixProducts::Product &product : contraction.products) {
    mark(group.ops[product.number].inputs);
  }
  for (int64_t number = group.ops.size(); number-- > 0;) {
    if (inLoop[number]) {
      mark(group.ops[number].inputs);
      mark(group.ops[number].inits);
    }
  }
}

/// What `reductions` are computed from, rows aside, and themselves, in order.
SmallVector<int64_t>
FactorRows::collectNeeded(ArrayRef<int64_t> reductions) const {
  return group.collectNeeded(reductions,
                             [&](int64_t number) { return !isRow(number); });
}

FailureOr<SmallVector<Value>>
FactorRows::makeNeutral(ArrayRef<int64_t> reductions) {
  SmallVector<Value> tiles;
  for (int64_t number : reductions) {
    auto parts = matchReductions(group.ops[number].op);
    if (failed(parts)) {
      return failure();
    }
    for (const Reduction &part : *parts) {
      tiles.push_back(emitter.splat(part.neutral, emitter.getOpDims(number)));
    }
  }
  return tiles;
}

/// Emits one piece of rows: adds to `sums`, a tile for each result, unless
/// there are none yet. Returns the new ones.
FailureOr<SmallVector<Value>>
FactorRows::emitPiece(ArrayRef<int64_t> reductions, ValueRange sums) {
  SmallVector<Value> results;
  for (int64_t number : collectNeeded(reductions)) {
    if (!group.isReduction(group.ops[number])) {
      if (!emitted[number] && failed(emitter.emit(number))) {
        return failure();
      }
      emitted[number] = true;
      continue;
    }
    auto parts = matchReductions(group.ops[number].op);
    FailureOr<SmallVector<Value>> tiles = emitter.emitReduced(number);
    if (failed(parts) || failed(tiles)) {
      return failure();
    }
    for (auto [part, tile] : llvm::zip_equal(*parts, *tiles)) {
      Value sum = sums.empty()
                      ? tile
                      : emitter.combine(part, sums[results.size()], tile);
      results.push_back(sum);
    }
  }
  return results;
}

/// Forgets all values but rows.
void FactorRows::keepRows() {
  SmallVector<std::tuple<int64_t, unsigned, Value>> kept;
  for (int64_t number = 0, e = group.ops.size(); number < e; ++number) {
    if (!emitted[number]) {
      continue;
    }
    if (!isRow(number)) {
      emitted[number] = false;
      continue;
    }
    for (unsigned r = 0, n = group.ops[number].op->getNumResults(); r < n;
         ++r) {
      kept.emplace_back(number, r, emitter.getResult(number, r));
    }
  }
  emitter.forgetAll();
  for (auto [number, result, tile] : kept) {
    emitter.setResult(number, result, tile);
  }
}

/// Emits `reductions`, which need none of each other: rows that fit in
/// registers at once, others in a loop over pieces.
LogicalResult FactorRows::emitReductions(ArrayRef<int64_t> reductions) {
  OpBuilder &b = builder.getBuilder();
  Location loc = builder.getLoc();
  int64_t k = contraction.k, size = group.dims[k].size;
  FailureOr<SmallVector<Value>> sums = SmallVector<Value>();
  if (!ShapedType::isDynamic(size) && size <= piece) {
    sums = emitPiece(reductions, {});
  } else {
    FailureOr<SmallVector<Value>> neutral = makeNeutral(reductions);
    if (failed(neutral)) {
      return failure();
    }
    auto loop = scf::ForOp::create(b, loc, builder.index(0), builder.getSize(k),
                                   builder.index(piece), *neutral);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    emitter.dims[k].offset = loop.getInductionVar();
    FailureOr<SmallVector<Value>> next =
        emitPiece(reductions, loop.getRegionIterArgs());
    if (failed(next)) {
      return failure();
    }
    scf::YieldOp::create(b, loc, *next);
    sums = llvm::to_vector_of<Value>(loop.getResults());
    keepRows();
  }
  if (failed(sums)) {
    return failure();
  }
  ArrayRef<Value> rest = *sums;
  for (int64_t number : reductions) {
    size_t count = group.ops[number].op->getNumResults();
    if (failed(emitter.finishReduction(number, rest.take_front(count)))) {
      return failure();
    }
    emitted[number] = true;
    rest = rest.drop_front(count);
  }
  return success();
}

/// Emits the rows that `level` reductions come before.
LogicalResult FactorRows::emitLevel(int64_t level) {
  SmallVector<int64_t> reductions;
  for (int64_t number = 0, e = group.ops.size(); number < e; ++number) {
    if (levels[number] != level || !isRow(number)) {
      continue;
    }
    if (group.isReduction(group.ops[number])) {
      reductions.push_back(number);
      continue;
    }
    if (failed(emitter.emit(number))) {
      return failure();
    }
    emitted[number] = true;
  }
  return reductions.empty() ? success() : emitReductions(reductions);
}

/// How many rows of a factor the block reduces at most.
int64_t FactorRows::getMostRows() const {
  int64_t rows = 1;
  for (auto [number, op] : llvm::enumerate(group.ops)) {
    if (factorOps[number] && group.isReduction(op)) {
      bool alongN = llvm::is_contained(group.getDims(op), contraction.n);
      rows = std::max(rows, alongN ? schedule.columns : schedule.rows);
    }
  }
  return rows;
}

LogicalResult FactorRows::emit() {
  // What is the same for all elements lies along k, as for the factors.
  emitter.assignDims(/*uniform=*/contraction.k);
  sortOps();
  if (inLoop == factorOps) {
    return success();
  }
  piece = getRowPiece(schedule, getMostRows(), group.dims[contraction.k].size);
  emitter.setTile(contraction.k, piece);
  emitter.dims[contraction.k].offset = builder.index(0);
  int64_t last = *llvm::max_element(levels);
  for (int64_t level = 0; level <= last; ++level) {
    if (failed(emitLevel(level))) {
      return failure();
    }
  }
  keepRows();
  emitter.setTile(contraction.k, schedule.depth);
  return success();
}
