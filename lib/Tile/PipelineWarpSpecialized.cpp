//===- PipelineWarpSpecialized.cpp - producer and consumer warpgroups -----===//
//
// The kernel's body is cloned twice into a tile.warp_specialize. The producer
// keeps the loops and scalar code only; at the loop over k it fills the rings:
//
//   for k { wait empty[stage]; expect full[stage]; copies -> stage; ++stage }
//
// The consumers keep everything; at the loop over k they
//
//   for k { wait full[stage]; acc = mma on stage; wait for the step before;
//           arrive empty[previous stage]; ++stage }
//
// Dots that share a and whose b are alike become one: their b lie side by side
// in one ring, and the accumulator's columns are parted at the end.
//
// Stage and parity are carried through all loops around, so that copies for the
// next tile start while this one's epilogue runs.
//
//===----------------------------------------------------------------------===//

#include "fusion/Tile/BulkRings.h"
#include "fusion/Tile/PipelineCopies.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::fusion::tile;

/// Threads of a warpgroup that only issues copies need few registers; the rest
/// goes to the consumers. The sum over all warpgroups may not pass 504.
static SmallVector<int64_t> chooseRegisters(int64_t consumerWarpgroups) {
  switch (consumerWarpgroups) {
  case 2:
    return {40, 232};
  case 3:
    return {32, 152};
  default:
    return {};
  }
}

namespace {
/// A place in the rings: stage, and parity of the barriers' phase.
struct RingPosition {
  Value stage, parity;
};

class WarpSpecializer {
public:
  WarpSpecializer(gpu::GPUFuncOp kernel, DotLoop &dots, int64_t stages,
                  int64_t consumerWarps, ArrayRef<LaunchOp> launches)
      : kernel(kernel), dots(dots), stages(stages),
        consumerWarps(consumerWarps), launches(launches),
        builder(kernel.getContext()), loc(dots.loop->getLoc()),
        rings(dots, stages, consumerWarps) {}

  LogicalResult run();

private:
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  RingPosition cloneOps(ArrayRef<Operation *> ops, IRMapping &mapping,
                        RingPosition ring, bool producer);
  RingPosition cloneAncestor(scf::ForOp loop, IRMapping &mapping,
                             RingPosition ring, bool producer);
  RingPosition emitProducerLoop(IRMapping &mapping, RingPosition ring);
  RingPosition emitConsumerLoop(IRMapping &mapping, RingPosition ring);
  SmallVector<Value> emitConsumerStep(Value k, ValueRange carried, Value first);
  void emitRelease(Value condition, Value stage);
  RingPosition advance(RingPosition ring);
  bool cloneStore(StoreOp store, IRMapping &mapping);
  void emitPartition(Region &region, ArrayRef<Operation *> body, bool producer);

  gpu::GPUFuncOp kernel;
  DotLoop &dots;
  int64_t stages, consumerWarps;
  ArrayRef<LaunchOp> launches;
  OpBuilder builder;
  Location loc;
  BulkRings rings;
  Value full, empty;
  bool usesBulkStores = false;
  /// Staging for bulk stores, by element type; made on first use.
  Value storeBuffer;
};
} // namespace

//===----------------------------------------------------------------------===//
// Loops over k
//===----------------------------------------------------------------------===//

RingPosition WarpSpecializer::advance(RingPosition ring) {
  Value next = nextStage(builder, loc, ring.stage, stages);
  Value wrapped = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        next, constant(0));
  Value flip =
      arith::ExtUIOp::create(builder, loc, builder.getI32Type(), wrapped);
  return {next, arith::XOrIOp::create(builder, loc, ring.parity, flip)};
}

RingPosition WarpSpecializer::emitProducerLoop(IRMapping &mapping,
                                               RingPosition ring) {
  scf::ForOp loop = dots.loop;
  auto copies = scf::ForOp::create(
      builder, loc, mapping.lookupOrDefault(loop.getLowerBound()),
      mapping.lookupOrDefault(loop.getUpperBound()),
      mapping.lookupOrDefault(loop.getStep()),
      ValueRange{ring.stage, ring.parity});
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(copies.getBody());
  RingPosition at = {copies.getRegionIterArg(0), copies.getRegionIterArg(1)};
  IRMapping inner = mapping;
  inner.map(loop.getInductionVar(), copies.getInductionVar());
  WaitOp::create(builder, loc, empty, at.stage, at.parity);
  ExpectOp::create(builder, loc, full, at.stage, rings.getStepBytes());
  cloneScalarOps(builder, *loop.getBody(), inner);
  rings.emitCopies(builder, inner, at.stage, full);
  RingPosition next = advance(at);
  scf::YieldOp::create(builder, loc, ValueRange{next.stage, next.parity});
  return {copies.getResult(0), copies.getResult(1)};
}

void WarpSpecializer::emitRelease(Value condition, Value stage) {
  auto branch = scf::IfOp::create(builder, loc, condition);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(branch.thenYield());
  ArriveOp::create(builder, loc, empty, stage);
}

SmallVector<Value>
WarpSpecializer::emitConsumerStep(Value k, ValueRange carried, Value first) {
  RingPosition at = {carried[0], carried[1]};
  WaitOp::create(builder, loc, full, at.stage, at.parity);
  SmallVector<Value> accs =
      rings.emitMultiplies(builder, at.stage, carried.drop_front(3));
  auto wait = MMAWaitOp::create(builder, loc, ValueRange(accs).getTypes(), accs,
                                /*pending=*/accs.size());
  Value later =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, k, first);
  emitRelease(later, carried[2]);
  RingPosition next = advance(at);
  SmallVector<Value> yielded = {next.stage, next.parity, at.stage};
  llvm::append_range(yielded, wait.getResults());
  return yielded;
}

RingPosition WarpSpecializer::emitConsumerLoop(IRMapping &mapping,
                                               RingPosition ring) {
  scf::ForOp loop = dots.loop;
  Value lower = mapping.lookupOrDefault(loop.getLowerBound());
  Value upper = mapping.lookupOrDefault(loop.getUpperBound());
  SmallVector<Value> inits = {ring.stage, ring.parity, ring.stage};
  for (AccType type : rings.getAccTypes()) {
    inits.push_back(AccZeroOp::create(builder, loc, type));
  }
  auto steps =
      scf::ForOp::create(builder, loc, lower, upper,
                         mapping.lookupOrDefault(loop.getStep()), inits);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(steps.getBody());
    scf::YieldOp::create(builder, loc,
                         emitConsumerStep(steps.getInductionVar(),
                                          steps.getRegionIterArgs(), lower));
  }
  ValueRange accs = steps.getResults().drop_front(3);
  auto done = MMAWaitOp::create(builder, loc, accs.getTypes(), accs, 0);
  Value any = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                    lower, upper);
  emitRelease(any, steps.getResult(2));
  mapping.map(loop.getResults(), rings.readAccs(builder, done.getResults()));
  return {steps.getResult(0), steps.getResult(1)};
}

//===----------------------------------------------------------------------===//
// The code around
//===----------------------------------------------------------------------===//

/// The ops of `block`, without its terminator.
static SmallVector<Operation *> listOps(Block &block) {
  return llvm::map_to_vector(block.without_terminator(),
                             [](Operation &op) { return &op; });
}

RingPosition WarpSpecializer::cloneAncestor(scf::ForOp loop, IRMapping &mapping,
                                            RingPosition ring, bool producer) {
  auto clone = scf::ForOp::create(builder, loop.getLoc(),
                                  mapping.lookupOrDefault(loop.getLowerBound()),
                                  mapping.lookupOrDefault(loop.getUpperBound()),
                                  mapping.lookupOrDefault(loop.getStep()),
                                  ValueRange{ring.stage, ring.parity});
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(clone.getBody());
  mapping.map(loop.getInductionVar(), clone.getInductionVar());
  RingPosition next = cloneOps(
      listOps(*loop.getBody()), mapping,
      {clone.getRegionIterArg(0), clone.getRegionIterArg(1)}, producer);
  scf::YieldOp::create(builder, loop.getLoc(),
                       ValueRange{next.stage, next.parity});
  return {clone.getResult(0), clone.getResult(1)};
}

/// Clones a store of 16-bit elements in the accumulators' layout as a bulk
/// store through shared memory; returns false where it must stay as it is.
/// Bulk copies end where arrays end, no earlier; each warpgroup stores 64 rows.
bool WarpSpecializer::cloneStore(StoreOp store, IRMapping &mapping) {
  auto tile = cast<RankedTensorType>(store.getValue().getType());
  auto memref = cast<MemRefType>(store.getMemref().getType());
  ArrayRef<int64_t> dims = store.getDims();
  auto acc = cast<RankedTensorType>(dots.dots.front().getResult().getType());
  auto row = llvm::find(dims, 0);
  if (store.getLimits() || tile.getRank() != 2 ||
      tile.getEncoding() != acc.getEncoding() ||
      tile.getElementTypeBitWidth() != 16 || tile.getDimSize(1) % 64 != 0 ||
      tile.getDimSize(0) != 16 * consumerWarps || !fitsTensorMap(memref) ||
      dims.back() != 1 || row == dims.end()) {
    return false;
  }
  SmallVector<int64_t> box(memref.getRank(), 1);
  box[row - dims.begin()] = 64;
  box.back() = 64;
  FailureOr<Value> map =
      addTensorMap(kernel, store.getMemref(), box, 128, launches);
  if (failed(map)) {
    return false;
  }
  if (!storeBuffer) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfter(empty.getDefiningOp());
    storeBuffer = AllocOp::create(
        builder, store.getLoc(),
        BufferType::get(builder.getContext(), {consumerWarps / 2, 64, 64},
                        tile.getElementType(), 128, 0));
  }
  if (cast<BufferType>(storeBuffer.getType()).getElementType() !=
      tile.getElementType()) {
    return false;
  }
  SmallVector<Value> indices = llvm::map_to_vector(
      store.getIndices(), [&](Value v) { return mapping.lookupOrDefault(v); });
  StoreTMAOp::create(builder, store.getLoc(),
                     mapping.lookupOrDefault(store.getValue()), *map, indices,
                     storeBuffer);
  usesBulkStores = true;
  return true;
}

RingPosition WarpSpecializer::cloneOps(ArrayRef<Operation *> ops,
                                       IRMapping &mapping, RingPosition ring,
                                       bool producer) {
  for (Operation *op : ops) {
    if (op == dots.loop.getOperation()) {
      ring = producer ? emitProducerLoop(mapping, ring)
                      : emitConsumerLoop(mapping, ring);
    } else if (op->isAncestor(dots.loop)) {
      ring = cloneAncestor(cast<scf::ForOp>(op), mapping, ring, producer);
    } else if (producer) {
      if (isScalarOp(op)) {
        builder.clone(*op, mapping);
      }
    } else {
      auto store = dyn_cast<StoreOp>(op);
      if (!store || !cloneStore(store, mapping)) {
        builder.clone(*op, mapping);
      }
    }
  }
  return ring;
}

void WarpSpecializer::emitPartition(Region &region, ArrayRef<Operation *> body,
                                    bool producer) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&region.emplaceBlock());
  IRMapping mapping;
  // The rings start empty: the producer's first waits are for the phase
  // "before" the first, which counts as complete.
  Value parity = arith::ConstantIntOp::create(builder, loc, producer ? 1 : 0,
                                              /*width=*/32);
  cloneOps(body, mapping, {constant(0), parity}, producer);
  if (!producer && usesBulkStores) {
    StoreWaitOp::create(builder, loc);
  }
  YieldOp::create(builder, loc);
}

LogicalResult WarpSpecializer::run() {
  for (Operation *op = dots.loop->getParentOp(); op != kernel;
       op = op->getParentOp()) {
    auto loop = dyn_cast<scf::ForOp>(op);
    if (!loop || !loop.getInitArgs().empty()) {
      return op->emitOpError("expected only loops that carry nothing around a "
                             "warp-specialised loop over k");
    }
  }
  Block &body = kernel.getBody().front();
  SmallVector<Operation *> source = listOps(body);
  builder.setInsertionPoint(body.getTerminator());
  if (failed(rings.prepare(builder, kernel, launches))) {
    return failure();
  }
  auto barriers = BarriersType::get(builder.getContext(), stages);
  full = BarriersOp::create(builder, loc, barriers, 1);
  empty = BarriersOp::create(builder, loc, barriers, consumerWarps / 4);
  auto specialize = WarpSpecializeOp::create(
      builder, loc, ArrayRef<int64_t>{4, consumerWarps},
      chooseRegisters(consumerWarps / 4), ArrayRef<bool>{true, false}, 2);
  emitPartition(specialize.getPartitions()[0], source, /*producer=*/true);
  emitPartition(specialize.getPartitions()[1], source, /*producer=*/false);
  kernel->setAttr("tile.warps", builder.getI32IntegerAttr(4 + consumerWarps));
  for (Operation *op : llvm::reverse(source)) {
    op->erase();
  }
  return success();
}

LogicalResult
mlir::fusion::tile::pipelineWarpSpecialized(gpu::GPUFuncOp kernel,
                                            DotLoop &dots, int64_t stages,
                                            ArrayRef<LaunchOp> launches) {
  auto warps = kernel->getAttrOfType<IntegerAttr>("tile.warps");
  if (!warps || warps.getInt() % 4 != 0) {
    return kernel.emitOpError("expected 'tile.warps' to be a multiple of four");
  }
  return WarpSpecializer(kernel, dots, stages, warps.getInt(), launches).run();
}
