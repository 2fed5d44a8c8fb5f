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
//===----------------------------------------------------------------------===//

#include "fusion/Tile/AssignLayouts.h"
#include "fusion/Tile/Divisibility.h"
#include "fusion/Tile/PipelineCopies.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include <numeric>

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
  void emitWindowCopy(DotOperand &operand, Value ring, Value stage,
                      IRMapping &mapping);
  /// Whether the step at `k` exists.
  Value emitExists(Value k);
  /// Copies the step at `k` to `stage` if it exists, and closes the group.
  void emitCopies(Value k, Value stage);
  /// Loads the step at `k` of what goes through registers. Where the step
  /// doesn't exist, the first.
  Ahead emitLoads(Value k);
  void emitWindowLoad(DotOperand &operand, Ahead &ahead);
  /// Computes from what emitLoads loaded, and writes it to `stage`.
  void emitStores(Ahead &ahead, Value stage);
  /// Moves loads that are the same in each step before the loop.
  void hoistLoads();
  /// The stage for the step `ahead` of the one on `stage`.
  Value emitFreeStage(Value stage);
  /// One iteration; returns the new accumulators.
  SmallVector<Value> emitStep(Value k, Value stage, ValueRange accs);
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

/// What is known of the address of each row of `operand`, in bytes: arrays
/// start at multiples of 16 and are dense, so rows start at multiples of the
/// innermost dim; the offset within the row counts too.
static int64_t rowAlignment(DotOperand &operand) {
  LoadOp load = operand.load;
  auto memref = cast<MemRefType>(load.getMemref().getType());
  int64_t bytes = getElementBytes(memref.getElementType());
  int64_t inner = memref.getShape().back();
  if (ShapedType::isDynamic(inner) || load.getDims().back() < 0) {
    return bytes;
  }
  int64_t offset = getKnownDivisor(load.getIndices().back());
  return std::gcd<int64_t>(16, std::gcd(inner, offset) * bytes);
}

/// The map of `window` when its tile dims are exchanged.
static AffineMap swapTileDims(LoadWindowOp window) {
  ArrayRef<int64_t> parts = window.getParts();
  MLIRContext *context = window.getContext();
  SmallVector<AffineExpr> images;
  for (int64_t i = 0; i < parts[0]; ++i) {
    images.push_back(getAffineDimExpr(parts[1] + i, context));
  }
  for (int64_t i = 0; i < parts[1]; ++i) {
    images.push_back(getAffineDimExpr(i, context));
  }
  AffineMap map = window.getMap();
  return map.replaceDimsAndSymbols(images, {}, map.getNumDims(), 0);
}

void Multistage::emitWindowCopy(DotOperand &operand, Value ring, Value stage,
                                IRMapping &mapping) {
  LoadWindowOp window = operand.window;
  auto remap = [&](ValueRange values) {
    return llvm::map_to_vector(
        values, [&](Value v) { return mapping.lookupOrDefault(v); });
  };
  SmallVector<Value> offsets = remap(window.getOffsets());
  SmallVector<Value> limits = remap(window.getLimits());
  SmallVector<bool> inBounds(window.getInBounds());
  SmallVector<int64_t> parts(window.getParts()), sizes(window.getSizes());
  AffineMap map = window.getMap();
  if (operand.rowDim == 1) {
    std::swap(offsets[0], offsets[1]);
    std::swap(limits[0], limits[1]);
    std::swap(inBounds[0], inBounds[1]);
    map = swapTileDims(window);
    std::rotate(sizes.begin(), sizes.begin() + parts[0], sizes.end());
    std::swap(parts[0], parts[1]);
  }
  CopyWindowOp::create(builder, window.getLoc(), window.getMemref(),
                       remap(window.getIndices()), remap(window.getExtents()),
                       offsets, limits, ring, stage, window.getChecked(),
                       inBounds, parts, sizes, map);
}

void mlir::fusion::tile::emitCopy(OpBuilder &builder, DotOperand &operand,
                                  Value ring, Value stage,
                                  const IRMapping &mapping) {
  LoadOp load = operand.load;
  SmallVector<Value> indices = llvm::map_to_vector(
      load.getIndices(), [&](Value v) { return mapping.lookupOrDefault(v); });
  SmallVector<int64_t> dims(load.getDims());
  for (int64_t &dim : dims) {
    dim = dim < 0 ? -1 : dim == operand.rowDim ? 0 : 1;
  }
  CopyAsyncOp::create(builder, load.getLoc(), load.getMemref(), indices, ring,
                      stage, dims, load.getInBounds(), rowAlignment(operand));
}

/// Whether threads load `operand` to registers and write it to shared memory
/// after the multiplies of the step, which hide the loads: what is computed,
/// and 16-bit elements of a window of which no two lie side by side, aligned,
/// both inside or both outside. `cp.async` copies no less than that.
static bool goesThroughRegisters(DotOperand &operand) {
  if (operand.computed) {
    return true;
  }
  LoadWindowOp window = operand.window;
  if (!window || operand.type.getElementBytes() >= 4) {
    return false;
  }
  // There has to be a step that may be loaded in place of one that isn't.
  APInt steps;
  int64_t k = operand.kMajor ? operand.columnDim : operand.rowDim;
  if (!matchPattern(window.getLimits()[k], m_ConstantInt(&steps)) ||
      steps.isZero()) {
    return false;
  }
  ArrayRef<int64_t> parts = window.getParts();
  int64_t inner =
      operand.columnDim == 0 ? parts[0] - 1 : parts[0] + parts[1] - 1;
  bool pieces = !window.getChecked().back();
  for (int64_t i = 0, e = window.getSizes().size(); i < e; ++i) {
    int64_t step = getSteps(window.getMap(), i).back();
    pieces &= i == inner ? step == 1 : step % 2 == 0;
  }
  return !pieces;
}

Value Multistage::emitExists(Value k) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, k,
                               dots.loop.getUpperBound());
}

/// Loads a window in a layout in which a thread has few columns: their part of
/// the addresses stays the same.
void Multistage::emitWindowLoad(DotOperand &operand, Ahead &ahead) {
  auto type = cast<RankedTensorType>(operand.getTile().getType());
  int64_t row = operand.rowDim, column = operand.columnDim;
  TileLayout layout = spread(type.getShape(), warps, /*vector=*/1,
                             {column, row}, {row, column});
  Operation *load = builder.clone(*operand.window, ahead);
  load->getResult(0).setType(
      RankedTensorType::get(type.getShape(), type.getElementType(),
                            getLayoutAttr(builder.getContext(), layout)));
}

static bool isLoad(Operation *op) {
  return isa<LoadOp, LoadWindowOp, GatherOp>(op);
}

/// The part of `slice` that loads, with what the loads' operands are computed
/// from.
static SmallVector<Operation *> getLoads(ArrayRef<Operation *> slice) {
  DenseSet<Operation *> wanted;
  SmallVector<Operation *> loads;
  for (Operation *op : llvm::reverse(slice)) {
    if (isLoad(op) || wanted.contains(op)) {
      loads.push_back(op);
      for (Value operand : op->getOperands()) {
        if (Operation *def = operand.getDefiningOp()) {
          wanted.insert(def);
        }
      }
    }
  }
  std::reverse(loads.begin(), loads.end());
  return loads;
}

/// Clones those of `ops` that `mapping` doesn't know yet.
static void cloneNew(OpBuilder &builder, ArrayRef<Operation *> ops,
                     IRMapping &mapping) {
  for (Operation *op : ops) {
    if (!mapping.contains(op->getResult(0))) {
      builder.clone(*op, mapping);
    }
  }
}

Ahead Multistage::emitLoads(Value k) {
  Ahead ahead;
  if (llvm::none_of(dots.operands, goesThroughRegisters)) {
    return ahead;
  }
  Block &body = *dots.loop.getBody();
  ahead.map(dots.loop.getInductionVar(),
            arith::SelectOp::create(builder, loc, emitExists(k), k,
                                    dots.loop.getLowerBound()));
  cloneScalarOps(builder, body, ahead);
  for (DotOperand &operand : dots.operands) {
    if (operand.computed) {
      cloneNew(builder, getLoads(getTileSlice(operand.computed, body)), ahead);
    } else if (goesThroughRegisters(operand)) {
      emitWindowLoad(operand, ahead);
    }
  }
  return ahead;
}

void Multistage::emitStores(Ahead &ahead, Value stage) {
  for (auto [operand, ring] : llvm::zip(dots.operands, rings)) {
    if (!goesThroughRegisters(operand)) {
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
      if (goesThroughRegisters(operand)) {
        continue;
      }
      if (operand.window) {
        emitWindowCopy(operand, ring, stage, mapping);
        continue;
      }
      emitCopy(builder, operand, ring, stage, mapping);
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

SmallVector<Value> Multistage::emitStep(Value k, Value stage, ValueRange accs) {
  CopyWaitOp::create(builder, loc, ahead - 1);
  if (isAsync()) {
    FenceAsyncOp::create(builder, loc);
  }
  SyncOp::create(builder, loc);
  SmallVector<Value> results;
  if (isAsync()) {
    results = emitMultiplies(builder, dots, rings, stage, accs, kind);
  }
  Value distance =
      arith::MulIOp::create(builder, loc, dots.loop.getStep(), constant(ahead));
  Value kAhead = arith::AddIOp::create(builder, loc, k, distance);
  Value free = emitFreeStage(stage);
  Ahead loaded = emitLoads(kAhead);
  emitCopies(kAhead, free);
  if (!isAsync()) {
    results = emitMultiplies(builder, dots, rings, stage, accs, kind);
  }
  emitStores(loaded, free);
  return isAsync() ? emitWait(results, /*pending=*/1) : results;
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
    Value offset =
        arith::MulIOp::create(builder, loc, loop.getStep(), constant(s));
    Value k = arith::AddIOp::create(builder, loc, loop.getLowerBound(), offset);
    Ahead loaded = emitLoads(k);
    emitStores(loaded, constant(s));
    emitCopies(k, constant(s));
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
  auto accs = llvm::to_vector_of<Value>(pipelined.getResults().drop_front());
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
