//===- Reduce.cpp - tile.reduce: registers, lanes, warps ------------------===//

#include "RegisterMap.h"
#include "Shuffle.h"
#include "TileAccess.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {
/// Emits one `tile.reduce`.
class ReduceEmitter {
public:
  ReduceEmitter(tile::ReduceOp op, KernelLowering &lk)
      : op(op), lk(lk), b(lk.builder), loc(op.getLoc()), dim(op.getDim()),
        source(tile::getLayout(op.getSource())),
        result(tile::getLayout(op.getType())) {
    for (int64_t d = 0; d < source.getRank(); ++d) {
      if (d != dim) {
        kept.push_back(d);
      }
    }
  }

  LogicalResult emit();

private:
  FailureOr<Value> combine(Value lhs, Value rhs);
  FailureOr<Value> combineTree(SmallVector<Value> values);
  FailureOr<SmallVector<Value>> reduceRegisters();
  LogicalResult reduceLanes(MutableArrayRef<Value> values);
  LogicalResult reduceWarps(MutableArrayRef<Value> values);
  bool isCommutative();
  Value emitSlot(Value scratch, int64_t group, Value thread, Value warp,
                 int64_t warpNumber);
  Value emitThreadSlot();
  void emitPartials(ArrayRef<Value> values, Value scratch, Value thread,
                    Value row);
  std::pair<Value, int64_t> emitWarpRow();

  tile::ReduceOp op;
  KernelLowering &lk;
  OpBuilder &b;
  Location loc;
  int64_t dim;
  tile::TileLayout source, result;
  SmallVector<int64_t> kept;
  /// Coordinates along the kept dims of what the thread combines; one value
  /// each in the arrays above.
  SmallVector<tile::Coords> groups;
};
} // namespace

/// Whether swapping the arguments changes nothing: the region is one
/// commutative op.
bool ReduceEmitter::isCommutative() {
  Block &block = op.getCombiner().front();
  return llvm::hasSingleElement(block.without_terminator()) &&
         block.front().hasTrait<OpTrait::IsCommutative>();
}

FailureOr<Value> ReduceEmitter::combine(Value lhs, Value rhs) {
  Block &block = op.getCombiner().front();
  lk.set(block.getArgument(0), lhs);
  lk.set(block.getArgument(1), rhs);
  if (failed(lk.lowerBlock(block))) {
    return failure();
  }
  return lk.getOne(block.getTerminator()->getOperand(0));
}

/// Combines neighbours until one value is left.
FailureOr<Value> ReduceEmitter::combineTree(SmallVector<Value> values) {
  while (values.size() > 1) {
    SmallVector<Value> next;
    for (size_t i = 0; i + 1 < values.size(); i += 2) {
      FailureOr<Value> both = combine(values[i], values[i + 1]);
      if (failed(both)) {
        return failure();
      }
      next.push_back(*both);
    }
    if (values.size() % 2 == 1) {
      next.push_back(values.back());
    }
    values = std::move(next);
  }
  return values.front();
}

/// One value for each group of registers, combined along `dim`.
FailureOr<SmallVector<Value>> ReduceEmitter::reduceRegisters() {
  // Coordinates kept first, then that along `dim`: registers that hold copies
  // count once, the others come in increasing coordinate.
  SmallVector<int64_t> order(kept);
  order.push_back(dim);
  ArrayRef<Value> registers = lk.get(op.getSource());
  std::map<tile::Coords, SmallVector<Value>> lists;
  for (auto &[coords, reg] : getFirstRegisters(source, order)) {
    tile::Coords group(coords);
    group.pop_back();
    lists[group].push_back(registers[reg]);
  }
  SmallVector<Value> values;
  for (auto &[group, list] : lists) {
    FailureOr<Value> value = combineTree(list);
    if (failed(value)) {
      return failure();
    }
    groups.push_back(group);
    values.push_back(*value);
  }
  return values;
}

/// Combines over the lanes whose bits move along `dim`; all get the result.
LogicalResult ReduceEmitter::reduceLanes(MutableArrayRef<Value> values) {
  bool commutative = isCommutative();
  for (auto [bit, base] : llvm::enumerate(source.lane)) {
    if (base[dim] == 0) {
      continue;
    }
    int64_t mask = int64_t(1) << bit;
    Value isUpper;
    if (!commutative) {
      Value bits =
          arith::AndIOp::create(b, loc, lk.laneId(), lk.constantI32(mask));
      isUpper = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, bits,
                                      lk.constantI32(0));
    }
    for (Value &value : values) {
      Value lhs = value, rhs = emitShuffleXor(lk, value, mask);
      if (isUpper) {
        Value lower = arith::SelectOp::create(b, loc, isUpper, rhs, lhs);
        rhs = arith::SelectOp::create(b, loc, isUpper, lhs, rhs);
        lhs = lower;
      }
      FailureOr<Value> both = combine(lhs, rhs);
      if (failed(both)) {
        return failure();
      }
      value = *both;
    }
  }
  return success();
}

/// The number of the result's element that the thread's parts of the
/// coordinates make, an i32.
Value ReduceEmitter::emitThreadSlot() {
  Value slot;
  int64_t stride = 1;
  tile::Coords shape = source.getShape();
  for (int64_t d : llvm::reverse(kept)) {
    if (Value part = lk.threadCoordinate(source, d)) {
      part = arith::MulIOp::create(b, loc, part, lk.constantI64(stride));
      slot = slot ? arith::AddIOp::create(b, loc, slot, part) : part;
    }
    stride *= shape[d];
  }
  return slot ? slot : lk.constantI64(0);
}

/// The address of group number `group` in the row of a warp: `warp`, or
/// `warpNumber` if it is null.
Value ReduceEmitter::emitSlot(Value scratch, int64_t group, Value thread,
                              Value warp, int64_t warpNumber) {
  int64_t row = 1, element = 0;
  tile::Coords shape = source.getShape();
  for (auto [coord, d] : llvm::zip(groups[group], kept)) {
    element = element * shape[d] + coord;
    row *= shape[d];
  }
  if (warp) {
    Value start = arith::MulIOp::create(b, loc, warp, lk.constantI64(row));
    thread = arith::AddIOp::create(b, loc, thread, start);
  } else {
    element += warpNumber * row;
  }
  Type memory = getMemoryType(lk.getRegisterType(op.getType()));
  Value address = LLVM::GEPOp::create(b, loc, scratch.getType(), memory,
                                      scratch, LLVM::GEPArg(thread));
  if (element == 0) {
    return address;
  }
  return LLVM::GEPOp::create(b, loc, scratch.getType(), memory, address,
                             LLVM::GEPArg(static_cast<int32_t>(element)));
}

/// Writes the thread's values to row `row` of the scratch.
void ReduceEmitter::emitPartials(ArrayRef<Value> values, Value scratch,
                                 Value thread, Value row) {
  // The lanes that `dim` moves hold the same by now: one of them writes.
  tile::TileLayout reduced = source;
  for (tile::Coords &base : reduced.lane) {
    base[dim] = 0;
  }
  Value first = emitIsFirstCopy(
      lk, reduced, llvm::to_vector(llvm::seq<int64_t>(0, source.getRank())));
  OpBuilder::InsertionGuard guard(b);
  if (first) {
    auto branch = scf::IfOp::create(b, loc, first, /*withElseRegion=*/false);
    b.setInsertionPointToStart(branch.thenBlock());
  }
  for (auto [number, value] : llvm::enumerate(values)) {
    Value stored = toMemory(b, loc, value);
    LLVM::StoreOp::create(b, loc, stored,
                          emitSlot(scratch, number, thread, row, 0));
  }
}

/// The number of the warp among those that `dim` moves, an i32, and how many
/// there are; no number if `dim` moves no warp.
std::pair<Value, int64_t> ReduceEmitter::emitWarpRow() {
  int64_t rows = 1;
  Value row;
  for (auto [bit, base] : llvm::enumerate(source.warp)) {
    if (base[dim] == 0) {
      continue;
    }
    // The row's number: the warp's bits along `dim`, packed.
    Value part = arith::ShRUIOp::create(b, loc, lk.warpInPartition(),
                                        lk.constantI32(bit));
    part = arith::AndIOp::create(b, loc, part, lk.constantI32(1));
    part = arith::MulIOp::create(b, loc, part, lk.constantI32(rows));
    row = row ? arith::AddIOp::create(b, loc, row, part).getResult() : part;
    rows *= 2;
  }
  return {row, rows};
}

/// Combines over the warps whose bits move along `dim`, through shared memory:
/// one row of the result's elements for each of them.
LogicalResult ReduceEmitter::reduceWarps(MutableArrayRef<Value> values) {
  Value row;
  int64_t rows;
  std::tie(row, rows) = emitWarpRow();
  if (!row) {
    return success();
  }
  row = arith::ExtUIOp::create(b, loc, b.getI64Type(), row);
  Type type = lk.getRegisterType(op.getType());
  int64_t bytes = getMemoryType(type).getIntOrFloatBitWidth() / 8;
  int64_t elements = 1;
  for (int64_t d : kept) {
    elements *= source.getShape()[d];
  }
  Value scratch = lk.allocScratch(elements * rows * bytes);
  Value thread = emitThreadSlot();
  lk.syncPartition();
  emitPartials(values, scratch, thread, row);
  lk.syncPartition();
  for (auto [number, value] : llvm::enumerate(values)) {
    SmallVector<Value> partial;
    for (int64_t r = 0; r < rows; ++r) {
      Value loaded =
          LLVM::LoadOp::create(b, loc, getMemoryType(type),
                               emitSlot(scratch, number, thread, {}, r));
      partial.push_back(fromMemory(b, loc, loaded, type));
    }
    FailureOr<Value> both = combineTree(partial);
    if (failed(both)) {
      return failure();
    }
    value = *both;
  }
  return success();
}

LogicalResult ReduceEmitter::emit() {
  // Backwards: the result must be what lies in the same threads of the source.
  if (!getRegisterMap(result, source, kept)) {
    return op.emitError("expected the layout of the result to be the slice of "
                        "the source's");
  }
  for (ArrayRef<tile::Coords> bases : {ArrayRef<tile::Coords>(source.lane),
                                       ArrayRef<tile::Coords>(source.warp)}) {
    for (const tile::Coords &base : bases) {
      bool moves = llvm::any_of(kept, [&](int64_t d) { return base[d] != 0; });
      if (base[dim] != 0 && moves) {
        return op.emitError("expected lanes and warps that move along one dim");
      }
    }
  }
  FailureOr<SmallVector<Value>> values = reduceRegisters();
  if (failed(values) || failed(reduceLanes(*values)) ||
      failed(reduceWarps(*values))) {
    return failure();
  }
  SmallVector<Value> results;
  for (int64_t reg = 0, e = result.getRegisters(); reg < e; ++reg) {
    auto it = llvm::find(groups, result.atRegister(reg));
    assert(it != groups.end() && "expected registers like the source's");
    results.push_back((*values)[it - groups.begin()]);
  }
  lk.set(op, results);
  return success();
}

static LogicalResult lowerReduce(Operation *op, KernelLowering &lk) {
  auto reduce = cast<tile::ReduceOp>(op);
  if (failed(lk.getLoweredTypes(reduce.getSource().getType())) ||
      failed(lk.getLoweredTypes(reduce.getType()))) {
    return failure();
  }
  return ReduceEmitter(reduce, lk).emit();
}

void fusion::addReduceLowering(OpLoweringTable &table) {
  table.add<tile::ReduceOp>(lowerReduce);
}
