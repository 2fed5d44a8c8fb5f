//===- PipelineMultistage.cpp - copies ahead by all threads ---------------===//
//
// for k { a = load; b = load; acc = dot a, b, acc }  becomes
//
//   stages 0 .. S-2 <- copies of steps 0 .. S-2
//   for k {
//     wait for this step's copies; sync      (so stage (i-1) % S is free)
//     stage (i+S-1) % S <- copy of step i+S-1
//     acc = mma on stage i % S
//   }
//   sync                                     (rings may be filled again)
//
// What a and b are computed from goes through registers: it is loaded before
// the multiplies of a step, and computed and written to the stage after them.
//
// Multiplies of wgmma are asynchronous: those of a step run while the next one
// copies, computes and waits, so that only the stage of step i-2 is free:
//
//   for k {
//     wait for this step's copies; fence; sync
//     acc = mma on stage i % S
//     stage (i+S-2) % S <- copy of step i+S-2
//     wait for the multiplies of step i-1
//   }
//
// There, what goes through registers is loaded another step ahead, and carried.
//
//===----------------------------------------------------------------------===//

#include "fusion/Tile/AssignLayouts.h"
#include "fusion/Tile/PipelineCopies.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::fusion::tile;

namespace {
/// A step that is loaded ahead: scalars, and tiles that are in registers.
using Ahead = IRMapping;

class Multistage {
public:
  Multistage(DotLoop &dots, StringRef kind, int64_t stages, int64_t warps,
             ArrayRef<Value> rings, OpBuilder &builder)
      : dots(dots), kind(kind), stages(stages),
        ahead(stages - (kind == "wgmma" ? 2 : 1)), warps(warps), rings(rings),
        builder(builder), loc(dots.loop->getLoc()) {}

  void run();

private:
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  bool usesRegisters(DotOperand &operand) {
    return goesThroughRegisters(operand, kind);
  }
  bool anyUsesRegisters() {
    return llvm::any_of(dots.operands,
                        [&](DotOperand &o) { return usesRegisters(o); });
  }
  /// Whether the step at `k` exists.
  Value emitExists(Value k);
  /// Copies the step at `k` to `stage` if it exists, and closes the group.
  void emitCopies(Value k, Value stage);
  /// Computes the scalars of the step at `k`; where it doesn't exist, the
  /// first.
  void emitScalars(Value k, Ahead &ahead);
  /// Loads the step at `k` of what goes through registers. Where the step
  /// doesn't exist, the first.
  Ahead emitLoads(Value k);
  void emitPlainLoad(DotOperand &operand, Ahead &ahead);
  /// Computes from what emitLoads loaded, and writes it to `stage`.
  void emitStores(Ahead &ahead, Value stage);
  /// The tiles that each step loads to registers.
  SmallVector<Value> listLoads();
  /// Moves loads that are the same in each step before the loop.
  void hoistLoads();
  /// The stage for the step `ahead` of the one on `stage`.
  Value emitFreeStage(Value stage);
  /// The step `distance` steps behind the one at `k`.
  Value emitLater(Value k, int64_t distance);
  /// One iteration; returns what it carries but the stage: accumulators, then
  /// what was loaded.
  SmallVector<Value> emitStep(Value k, Value stage, ValueRange carried);
  SmallVector<Value> emitWait(ArrayRef<Value> accs, int64_t pending);
  bool isAsync() const { return kind == "wgmma"; }

  DotLoop &dots;
  StringRef kind;
  int64_t stages, ahead; ///< `ahead`: how many steps are copied ahead
  int64_t warps;
  ArrayRef<Value> rings;
  OpBuilder &builder;
  Location loc;
};
} // namespace

Value Multistage::emitExists(Value k) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, k,
                               dots.loop.getUpperBound());
}

/// Loads `operand` in a layout in which a thread has few columns, whose part of
/// the addresses stays the same: pairs, which are written together, and 16
/// bytes where rows may turn out to be aligned.
void Multistage::emitPlainLoad(DotOperand &operand, Ahead &ahead) {
  auto type = cast<RankedTensorType>(operand.getTile().getType());
  int64_t row = operand.rowDim, column = operand.columnDim;
  int64_t vector = isAsync() ? 2 : 1;
  if (operand.load) {
    auto memref = cast<MemRefType>(operand.load.getMemref().getType());
    bool known = !ShapedType::isDynamic(memref.getShape().back());
    vector = known ? vector : 16 / getElementBytes(type.getElementType());
  }
  TileLayout layout =
      spread(type.getShape(), warps, vector, {column, row}, {row, column});
  Operation *load = operand.load ? operand.load.getOperation()
                                 : operand.window.getOperation();
  Operation *clone = builder.clone(*load, ahead);
  clone->getResult(0).setType(
      RankedTensorType::get(type.getShape(), type.getElementType(),
                            getLayoutAttr(builder.getContext(), layout)));
}

static bool isLoad(Operation *op) {
  return isa<LoadOp, LoadWindowOp, GatherOp>(op);
}

void Multistage::emitScalars(Value k, Ahead &ahead) {
  ahead.map(dots.loop.getInductionVar(),
            arith::SelectOp::create(builder, loc, emitExists(k), k,
                                    dots.loop.getLowerBound()));
  cloneScalarOps(builder, *dots.loop.getBody(), ahead);
}

Ahead Multistage::emitLoads(Value k) {
  Ahead ahead;
  if (!anyUsesRegisters()) {
    return ahead;
  }
  Block &body = *dots.loop.getBody();
  emitScalars(k, ahead);
  for (DotOperand &operand : dots.operands) {
    if (operand.computed) {
      cloneNew(builder, getLoadsOf(getTileSlice(operand.computed, body)),
               ahead);
    } else if (usesRegisters(operand)) {
      emitPlainLoad(operand, ahead);
    }
  }
  return ahead;
}

void Multistage::emitStores(Ahead &ahead, Value stage) {
  for (auto [operand, ring] : llvm::zip(dots.operands, rings)) {
    if (!usesRegisters(operand)) {
      continue;
    }
    if (operand.computed) {
      cloneNew(builder, getTileSlice(operand.computed, *dots.loop.getBody()),
               ahead);
    }
    StoreSharedOp::create(builder, operand.getLoc(),
                          ahead.lookup(operand.getTile()), ring, stage,
                          /*transposed=*/operand.rowDim == 1);
  }
}

SmallVector<Value> Multistage::listLoads() {
  llvm::SetVector<Value> loads;
  for (DotOperand &operand : dots.operands) {
    if (!operand.computed) {
      if (usesRegisters(operand)) {
        loads.insert(operand.getTile());
      }
      continue;
    }
    for (Operation *op : getTileSlice(operand.computed, *dots.loop.getBody())) {
      if (isLoad(op)) {
        loads.insert(op->getResult(0));
      }
    }
  }
  return loads.takeVector();
}

/// A row or column costs few registers, and would be in flight at the same time
/// as the step's other loads.
void Multistage::hoistLoads() {
  scf::ForOp loop = dots.loop;
  auto isBefore = [&](Value value) {
    Operation *def = value.getDefiningOp();
    if (def && loop->isAncestor(def) &&
        def->hasTrait<OpTrait::ConstantLike>()) {
      def->moveBefore(loop);
    }
    return loop.isDefinedOutsideOfLoop(value);
  };
  for (LoadOp load :
       llvm::make_early_inc_range(loop.getBody()->getOps<LoadOp>())) {
    if (load.getType().getRank() == 1 &&
        llvm::all_of(load->getOperands(), isBefore)) {
      load->moveBefore(loop);
    }
  }
}

void Multistage::emitCopies(Value k, Value stage) {
  Value exists = emitExists(k);
  auto branch = scf::IfOp::create(builder, loc, exists);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(branch.thenYield());
    IRMapping mapping;
    mapping.map(dots.loop.getInductionVar(), k);
    cloneScalarOps(builder, *dots.loop.getBody(), mapping);
    for (auto [operand, ring] : llvm::zip(dots.operands, rings)) {
      if (!usesRegisters(operand)) {
        emitCopy(builder, operand, ring, stage, mapping);
      }
    }
  }
  CopyCommitOp::create(builder, loc);
}

Value Multistage::emitFreeStage(Value stage) {
  // Of a ring of S, stage i + ahead is stage i + ahead - S.
  Value back = constant(stages - ahead);
  Value wraps =
      stages - ahead == 1
          ? arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, stage,
                                  constant(0))
          : arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                  stage, back);
  Value before = arith::SubIOp::create(builder, loc, stage, back);
  Value behind =
      stages - ahead == 1
          ? constant(ahead)
          : arith::AddIOp::create(builder, loc, stage, constant(ahead))
                .getResult();
  return arith::SelectOp::create(builder, loc, wraps, behind, before);
}

Value Multistage::emitLater(Value k, int64_t distance) {
  Value steps = arith::MulIOp::create(builder, loc, dots.loop.getStep(),
                                      constant(distance));
  return arith::AddIOp::create(builder, loc, k, steps);
}

SmallVector<Value> Multistage::emitStep(Value k, Value stage,
                                        ValueRange carried) {
  ValueRange accs = carried.take_front(dots.dots.size());
  CopyWaitOp::create(builder, loc, ahead - 1);
  if (isAsync()) {
    FenceAsyncOp::create(builder, loc);
  }
  SyncOp::create(builder, loc);
  SmallVector<Value> results;
  if (isAsync()) {
    results = emitMultiplies(builder, dots, rings, stage, accs, kind);
  }
  Value kAhead = emitLater(k, ahead);
  Value free = emitFreeStage(stage);
  Ahead loaded = emitLoads(isAsync() ? emitLater(k, ahead + 1) : kAhead);
  emitCopies(kAhead, free);
  if (!isAsync()) {
    results = emitMultiplies(builder, dots, rings, stage, accs, kind);
    emitStores(loaded, free);
    return results;
  }
  // What the step before loaded has arrived meanwhile.
  Ahead arrived;
  SmallVector<Value> loads = listLoads();
  if (anyUsesRegisters()) {
    emitScalars(kAhead, arrived);
  }
  for (auto [load, tile] :
       llvm::zip_equal(loads, carried.drop_front(accs.size()))) {
    arrived.map(load, tile);
  }
  emitStores(arrived, free);
  SmallVector<Value> yielded = emitWait(results, results.size());
  for (Value load : loads) {
    yielded.push_back(loaded.lookup(load));
  }
  return yielded;
}

SmallVector<Value> Multistage::emitWait(ArrayRef<Value> accs, int64_t pending) {
  auto wait = MMAWaitOp::create(builder, loc, ValueRange(accs).getTypes(), accs,
                                pending);
  return llvm::to_vector_of<Value>(wait.getResults());
}

void Multistage::run() {
  scf::ForOp loop = dots.loop;
  hoistLoads();
  builder.setInsertionPoint(loop);
  SmallVector<Value> inits = {constant(0)};
  for (DotOp dot : dots.dots) {
    auto type = AccType::get(builder.getContext(),
                             cast<RankedTensorType>(dot.getResult().getType()));
    inits.push_back(AccZeroOp::create(builder, dot.getLoc(), type));
  }
  for (int64_t s = 0; s < ahead; ++s) {
    Value k = emitLater(loop.getLowerBound(), s);
    Ahead loaded = emitLoads(k);
    emitStores(loaded, constant(s));
    emitCopies(k, constant(s));
  }
  if (isAsync()) {
    Ahead loaded = emitLoads(emitLater(loop.getLowerBound(), ahead));
    for (Value load : listLoads()) {
      inits.push_back(loaded.lookup(load));
    }
  }
  auto body = [&](OpBuilder &, Location, Value k, ValueRange args) {
    SmallVector<Value> yielded = emitStep(k, args[0], args.drop_front());
    yielded.insert(yielded.begin(), nextStage(builder, loc, args[0], stages));
    scf::YieldOp::create(builder, loc, yielded);
  };
  auto pipelined = scf::ForOp::create(
      builder, loc, loop.getLowerBound(), loop.getUpperBound(), loop.getStep(),
      inits, [&](OpBuilder &b, Location l, Value k, ValueRange args) {
        OpBuilder::InsertionGuard guard(builder);
        builder.restoreInsertionPoint(b.saveInsertionPoint());
        body(b, l, k, args);
      });
  auto accs = llvm::to_vector_of<Value>(
      pipelined.getResults().slice(1, dots.dots.size()));
  if (isAsync()) {
    accs = emitWait(accs, /*pending=*/0);
  }
  CopyWaitOp::create(builder, loc, 0);
  SyncOp::create(builder, loc);
  for (auto [old, acc, dot] :
       llvm::zip_equal(loop.getResults(), accs, dots.dots)) {
    old.replaceAllUsesWith(
        AccReadOp::create(builder, dot.getLoc(), old.getType(), acc));
  }
  loop.erase();
}

LogicalResult mlir::fusion::tile::pipelineMultistage(gpu::GPUFuncOp kernel,
                                                     DotLoop &dots,
                                                     StringRef kind,
                                                     int64_t stages) {
  if (kind == "wgmma" && stages < 3) {
    return kernel.emitOpError("expected 3 or more stages, of which wgmma reads "
                              "two, but got ")
           << stages;
  }
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  SmallVector<Value> rings;
  for (DotOperand &operand : dots.operands) {
    SmallVector<int64_t> shape(operand.type.getShape());
    shape[0] = stages;
    rings.push_back(AllocOp::create(
        builder, operand.getLoc(),
        BufferType::get(builder.getContext(), shape,
                        operand.type.getElementType(),
                        operand.type.getSwizzle(), operand.type.getPadding())));
  }
  builder.setInsertionPoint(dots.loop);
  auto warps = kernel->getAttrOfType<IntegerAttr>("tile.warps");
  if (!warps) {
    return kernel.emitOpError("expected 'tile.warps'");
  }
  Multistage(dots, kind, stages, warps.getInt(), rings, builder).run();
  return success();
}
