//===- PipelineChained.cpp - rings for multiplies that depend on each other ==//
//
// q = load                               resident <- copy of q (or registers)
// for k {                                stages 0 .. S-2 <- copies of steps
//   b = load; s = dot q, b               for k {
//   p = ... s ...                  ->      wait for this step's copies; sync
//   v = load; acc = dot p, v, acc          stage (i+S-1) % S <- step i+S-1
// }                                        s = mma resident, stage i % S
//                                          p = ... s ...
//                                          acc = mma p, stage i % S
//                                        }
//                                        sync
//
// p stays in registers for mma.sync and wgmma: a warp multiplies the rows that
// it holds. Scalar multiplies read it from shared memory. wgmma reads what
// threads copied after a fence, and is waited for before its sums are read.
//
// Operands that are computed from loads alone go through registers: those of
// step i+S-1 are loaded after the barrier of step i, computed and written to
// their stage at its end.
//
//===----------------------------------------------------------------------===//

#include "fusion/Tile/PipelineCopies.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::fusion::tile;

namespace {
/// A load, or what is computed from loads, that multiplies read from shared
/// memory.
struct Ring {
  DotOperand operand;
  bool streamed; ///< made in the loop, by several stages
  Value buffer;
};

class ChainedPipeline {
public:
  ChainedPipeline(gpu::GPUFuncOp kernel, scf::ForOp loop, StringRef kind,
                  int64_t stages)
      : kernel(kernel), loop(loop), kind(kind), stages(stages), builder(loop),
        loc(loop.getLoc()) {}

  LogicalResult run();

private:
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  LogicalResult collect();
  bool isComputedOperand(Value tile);
  FailureOr<DotOperand> describe(DotOp dot, Value tile, int64_t kDim);
  LogicalResult addRing(DotOp dot, Value tile, int64_t kDim);
  void allocate();
  bool isComputedHere(Value tile);
  /// Whether multiplies go on while the code after them runs.
  bool isAsync() const { return kind == "wgmma"; }
  /// Whether a that is computed is multiplied from registers.
  bool keepsRegisters() const { return kind != "fma"; }
  void emitResidents();
  void emitStore(Ring &ring, Value tile, Value stage);
  void emitCopies(Value k, Value stage);
  /// Loads, for the step at `k`, what streamed operands are computed from;
  /// where the step doesn't exist, for the first.
  IRMapping emitLoads(Value k);
  /// Computes them from what emitLoads loaded, and writes them to `stage`.
  void emitStores(IRMapping &loaded, Value stage);
  std::pair<Value, Value> emitAhead(Value k, Value stage);
  DenseSet<Operation *> findMovedOps();
  void emitBody(scf::ForOp pipelined);
  void emitDot(DotOp dot, IRMapping &mapping, Value stage);
  Value emitRounds(DotOp dot, Value a, Value acc, Value stage);

  gpu::GPUFuncOp kernel;
  scf::ForOp loop;
  StringRef kind;
  int64_t stages;
  OpBuilder builder;
  Location loc;
  llvm::MapVector<Value, Ring> rings;              ///< by the load's tile
  llvm::MapVector<Operation *, Value> leftBuffers; ///< of computed a, by dot
};
} // namespace

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

/// Whether `tile` is computed from loads, in a layout by which it is written to
/// shared memory.
bool ChainedPipeline::isComputedOperand(Value tile) {
  return cast<RankedTensorType>(tile.getType()).getEncoding() &&
         isComputedFromLoads(tile);
}

/// Describes what `dot` multiplies, a load or what is computed from loads.
FailureOr<DotOperand> ChainedPipeline::describe(DotOp dot, Value tile,
                                                int64_t kDim) {
  auto load = tile.getDefiningOp<LoadOp>();
  if (!load) {
    return describeComputedOperand(tile, kDim, kind);
  }
  bool onlyDots = llvm::all_of(
      tile.getUsers(), [](Operation *user) { return isa<DotOp>(user); });
  if (!onlyDots) {
    return load.emitOpError("expected an operand of multiplies alone");
  }
  return describeOperand(load, kDim, kind);
}

LogicalResult ChainedPipeline::addRing(DotOp dot, Value tile, int64_t kDim) {
  Operation *def = tile.getDefiningOp();
  bool streamed = def && def->getBlock() == loop.getBody();
  bool resident = def && def->getBlock() == loop->getBlock();
  if ((!streamed && !resident) ||
      (!isa<LoadOp>(def) && !isComputedOperand(tile))) {
    return dot.emitOpError(
        "expected b, and what does not follow from a multiply, to be loads or "
        "computed from loads in or before its loop");
  }
  FailureOr<DotOperand> operand = describe(dot, tile, kDim);
  if (failed(operand)) {
    return failure();
  }
  if (isAsync() && operand->type.getSwizzle() != kWgmmaSwizzle) {
    return def->emitOpError("expected rows of a multiple of ")
           << kWgmmaSwizzle << " bytes for wgmma";
  }
  rings.insert({tile, Ring{*operand, streamed, Value()}});
  return success();
}

LogicalResult ChainedPipeline::collect() {
  for (DotOp dot : loop.getBody()->getOps<DotOp>()) {
    if (staysInRegisters(dot, kind)) {
      // Multiplied from there in every step.
    } else if (dot.getA().getDefiningOp<LoadOp>() ||
               isComputedOperand(dot.getA())) {
      if (failed(addRing(dot, dot.getA(), /*kDim=*/1))) {
        return failure();
      }
    } else if (!keepsRegisters()) {
      leftBuffers[dot] = Value();
    }
    if (failed(addRing(dot, dot.getB(), /*kDim=*/0))) {
      return failure();
    }
  }
  return success();
}

void ChainedPipeline::allocate() {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&kernel.getBody().front());
  for (auto &[tile, ring] : rings) {
    BufferType type = ring.operand.type;
    SmallVector<int64_t> shape(type.getShape());
    shape[0] = ring.streamed ? stages : 1;
    ring.buffer = AllocOp::create(
        builder, loc,
        BufferType::get(builder.getContext(), shape, type.getElementType(),
                        type.getSwizzle(), type.getPadding()));
  }
  for (auto &[op, buffer] : leftBuffers) {
    auto tile = cast<RankedTensorType>(cast<DotOp>(op).getA().getType());
    buffer = AllocOp::create(
        builder, loc,
        BufferType::get(builder.getContext(),
                        {1, tile.getDimSize(0), tile.getDimSize(1)},
                        tile.getElementType(), /*swizzle=*/0, /*padding=*/16));
  }
}

/// Whether the loop computes `tile`, not what comes before it.
bool ChainedPipeline::isComputedHere(Value tile) {
  return tile.getParentBlock() == loop.getBody();
}

/// Brings what does not change in the loop to shared memory; each step begins
/// with a barrier.
void ChainedPipeline::emitResidents() {
  for (auto &[op, buffer] : leftBuffers) {
    auto dot = cast<DotOp>(op);
    if (!isComputedHere(dot.getA())) {
      StoreSharedOp::create(builder, dot.getLoc(), dot.getA(), buffer,
                            constant(0), /*transposed=*/false);
    }
  }
  for (auto &[tile, ring] : rings) {
    if (ring.streamed) {
      continue;
    }
    if (ring.operand.computed) {
      emitStore(ring, tile, constant(0));
    } else {
      emitCopy(builder, ring.operand, ring.buffer, constant(0), IRMapping());
    }
  }
}

/// Writes `tile`, what is computed for `ring`, to `stage`.
void ChainedPipeline::emitStore(Ring &ring, Value tile, Value stage) {
  StoreSharedOp::create(builder, ring.operand.getLoc(), tile, ring.buffer,
                        stage, /*transposed=*/ring.operand.rowDim == 1);
}

/// Copies the step at `k` to `stage` if it exists, and closes the group.
void ChainedPipeline::emitCopies(Value k, Value stage) {
  Value exists = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                       k, loop.getUpperBound());
  auto branch = scf::IfOp::create(builder, loc, exists);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(branch.thenYield());
    IRMapping mapping;
    mapping.map(loop.getInductionVar(), k);
    cloneScalarOps(builder, *loop.getBody(), mapping);
    for (auto &[tile, ring] : rings) {
      if (ring.streamed && !ring.operand.computed) {
        emitCopy(builder, ring.operand, ring.buffer, stage, mapping);
      }
    }
  }
  CopyCommitOp::create(builder, loc);
}

IRMapping ChainedPipeline::emitLoads(Value k) {
  IRMapping loaded;
  bool any = llvm::any_of(rings, [](auto &entry) {
    return entry.second.streamed && entry.second.operand.computed;
  });
  if (!any) {
    return loaded;
  }
  Value exists = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                       k, loop.getUpperBound());
  loaded.map(
      loop.getInductionVar(),
      arith::SelectOp::create(builder, loc, exists, k, loop.getLowerBound()));
  cloneScalarOps(builder, *loop.getBody(), loaded);
  for (auto &[tile, ring] : rings) {
    if (ring.streamed && ring.operand.computed) {
      cloneNew(builder, getLoadsOf(getTileSlice(tile, *loop.getBody())),
               loaded);
    }
  }
  return loaded;
}

void ChainedPipeline::emitStores(IRMapping &loaded, Value stage) {
  for (auto &[tile, ring] : rings) {
    if (ring.streamed && ring.operand.computed) {
      cloneNew(builder, getTileSlice(tile, *loop.getBody()), loaded);
      emitStore(ring, loaded.lookup(tile), stage);
    }
  }
}

/// Waits for the step at `k` in `stage`, and starts the one that is due.
/// Returns where that is, and its stage.
std::pair<Value, Value> ChainedPipeline::emitAhead(Value k, Value stage) {
  CopyWaitOp::create(builder, loc, stages - 2);
  if (isAsync()) {
    FenceAsyncOp::create(builder, loc);
  }
  SyncOp::create(builder, loc);
  Value ahead =
      arith::MulIOp::create(builder, loc, loop.getStep(), constant(stages - 1));
  // Stage i - 1 is stage i + S - 1 of a ring of S.
  Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        stage, constant(0));
  Value before = arith::SubIOp::create(builder, loc, stage, constant(1));
  Value free = arith::SelectOp::create(builder, loc, isFirst,
                                       constant(stages - 1), before);
  Value next = arith::AddIOp::create(builder, loc, k, ahead);
  emitCopies(next, free);
  return {next, free};
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

/// Multiplies `a` (null where it lies in a ring) with the stage of b.
Value ChainedPipeline::emitRounds(DotOp dot, Value a, Value acc, Value stage) {
  Ring &right = rings.find(dot.getB())->second;
  Value rightStage = right.streamed ? stage : constant(0);
  BoolAttr rightMajor = builder.getBoolAttr(right.operand.kMajor);
  if (a && keepsRegisters()) {
    return MMARegistersOp::create(builder, dot.getLoc(), acc.getType(), a,
                                  right.buffer, rightStage, acc, rightMajor);
  }
  Value left, leftStage = constant(0);
  bool leftMajor = true;
  if (a) {
    left = leftBuffers.lookup(dot);
    if (isComputedHere(dot.getA())) {
      // Everybody has read what lay there: the step began with a barrier.
      StoreSharedOp::create(builder, dot.getLoc(), a, left, leftStage,
                            /*transposed=*/false);
      SyncOp::create(builder, dot.getLoc());
    }
  } else {
    Ring &ring = rings.find(dot.getA())->second;
    left = ring.buffer;
    leftStage = ring.streamed ? stage : leftStage;
    leftMajor = ring.operand.kMajor;
  }
  return MMAOp::create(builder, dot.getLoc(), acc.getType(), left, leftStage,
                       right.buffer, rightStage, acc,
                       builder.getStringAttr(kind),
                       builder.getBoolAttr(leftMajor), rightMajor);
}

void ChainedPipeline::emitDot(DotOp dot, IRMapping &mapping, Value stage) {
  auto tile = cast<RankedTensorType>(dot.getResult().getType());
  auto type = AccType::get(builder.getContext(), tile);
  Value start = mapping.lookupOrDefault(dot.getAcc());
  Value acc =
      matchPattern(start, m_AnyZeroFloat()) || matchPattern(start, m_Zero())
          ? AccZeroOp::create(builder, dot.getLoc(), type).getResult()
          : AccInitOp::create(builder, dot.getLoc(), type, start).getResult();
  Value a = rings.contains(dot.getA()) ? Value()
                                       : mapping.lookupOrDefault(dot.getA());
  acc = emitRounds(dot, a, acc, stage);
  if (isAsync()) {
    acc = MMAWaitOp::create(builder, dot.getLoc(), TypeRange(type),
                            ValueRange(acc), /*pending=*/0)
              .getResult(0);
  }
  mapping.map(dot.getResult(),
              AccReadOp::create(builder, dot.getLoc(), tile, acc).getResult());
}

/// The ops of the loop that only make streamed operands, which are computed for
/// another step.
DenseSet<Operation *> ChainedPipeline::findMovedOps() {
  DenseSet<Operation *> slices, moved;
  for (auto &[tile, ring] : rings) {
    if (ring.streamed) {
      for (Operation *op : getTileSlice(tile, *loop.getBody())) {
        slices.insert(op);
      }
    }
  }
  for (Operation &op : llvm::reverse(*loop.getBody())) {
    bool only =
        slices.contains(&op) && llvm::all_of(op.getUses(), [&](OpOperand &use) {
          return moved.contains(use.getOwner()) ||
                 (rings.contains(use.get()) && isa<DotOp>(use.getOwner()));
        });
    if (only) {
      moved.insert(&op);
    }
  }
  return moved;
}

void ChainedPipeline::emitBody(scf::ForOp pipelined) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(pipelined.getBody());
  Value k = pipelined.getInductionVar(), stage = pipelined.getRegionIterArg(0);
  auto [next, free] = emitAhead(k, stage);
  IRMapping loaded = emitLoads(next);
  DenseSet<Operation *> moved = findMovedOps();
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), k);
  for (auto [old, arg] :
       llvm::zip_equal(loop.getRegionIterArgs(),
                       pipelined.getRegionIterArgs().drop_front())) {
    mapping.map(old, arg);
  }
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (auto dot = dyn_cast<DotOp>(op)) {
      emitDot(dot, mapping, stage);
    } else if (!moved.contains(&op)) {
      builder.clone(op, mapping);
    }
  }
  emitStores(loaded, free);
  SmallVector<Value> yielded = {nextStage(builder, loc, stage, stages)};
  for (Value value : loop.getYieldedValues()) {
    yielded.push_back(mapping.lookupOrDefault(value));
  }
  scf::YieldOp::create(builder, loc, yielded);
}

LogicalResult ChainedPipeline::run() {
  if (failed(collect())) {
    return failure();
  }
  allocate();
  emitResidents();
  for (int64_t s = 0; s < stages - 1; ++s) {
    Value offset =
        arith::MulIOp::create(builder, loc, loop.getStep(), constant(s));
    Value k = arith::AddIOp::create(builder, loc, loop.getLowerBound(), offset);
    emitCopies(k, constant(s));
    IRMapping loaded = emitLoads(k);
    emitStores(loaded, constant(s));
  }
  SmallVector<Value> inits = {constant(0)};
  llvm::append_range(inits, loop.getInitArgs());
  auto pipelined =
      scf::ForOp::create(builder, loc, loop.getLowerBound(),
                         loop.getUpperBound(), loop.getStep(), inits);
  emitBody(pipelined);
  CopyWaitOp::create(builder, loc, 0);
  SyncOp::create(builder, loc);
  loop->replaceAllUsesWith(pipelined.getResults().drop_front());
  loop.erase();
  for (auto &[tile, ring] : rings) {
    if (!ring.streamed && ring.operand.load) {
      ring.operand.load.erase();
    }
  }
  return success();
}

LogicalResult mlir::fusion::tile::pipelineChained(gpu::GPUFuncOp kernel,
                                                  scf::ForOp loop,
                                                  StringRef kind,
                                                  int64_t stages) {
  return ChainedPipeline(kernel, loop, kind, stages).run();
}
