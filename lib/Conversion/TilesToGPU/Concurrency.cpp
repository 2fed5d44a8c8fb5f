//===- Concurrency.cpp - partitions, shared memory, barriers --------------===//

#include "SharedAddress.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::fusion;

static constexpr int64_t bufferAlignment = 1024;
static constexpr int64_t registersPerBlock = 65536;
/// How long one try_wait may sleep, in ns; the wait itself has no end.
static constexpr int64_t waitTicks = 10000000;

static LogicalResult lowerAlloc(tile::AllocOp op, KernelLowering &lk) {
  lk.set(op.getResult(),
         lk.allocShared(op.getResult().getType().getBytes(), bufferAlignment));
  return success();
}

static LogicalResult lowerBarriers(tile::BarriersOp op, KernelLowering &lk) {
  int64_t count = op.getResult().getType().getCount();
  Value row = lk.allocShared(count * barrierBytes, barrierBytes);
  // The number of threads need not be a power of two, which isFirstOf wants.
  int64_t group = llvm::PowerOf2Ceil(lk.partition().warps * 32);
  emitIf(lk, isFirstOf(lk, group), [&] {
    for (int64_t i = 0; i < count; ++i) {
      NVVM::MBarrierInitOp::create(lk.builder, lk.loc(),
                                   offsetPointer(lk, row, i * barrierBytes),
                                   lk.constantI32(op.getArrivals()), Value());
    }
    NVVM::FenceMbarrierInitOp::create(lk.builder, lk.loc());
  });
  lk.set(op.getResult(), row);
  return success();
}

static LogicalResult lowerWait(tile::WaitOp op, KernelLowering &lk) {
  Value barrier =
      barrierPointer(lk, op.getBarriers(), lk.getOne(op.getStage()));
  NVVM::MBarrierTryWaitParityOp::create(lk.builder, lk.loc(), barrier,
                                        lk.getOne(op.getParity()),
                                        lk.constantI32(waitTicks));
  return success();
}

static LogicalResult lowerArrive(tile::ArriveOp op, KernelLowering &lk) {
  Value barrier =
      barrierPointer(lk, op.getBarriers(), lk.getOne(op.getStage()));
  auto arrive = [&] {
    NVVM::MBarrierArriveOp::create(lk.builder, lk.loc(),
                                   lk.builder.getI64Type(), barrier, Value());
  };
  if (lk.partition().singleThread) {
    arrive();
  } else {
    emitIf(lk, isFirstOf(lk, warpgroupThreads), arrive);
  }
  return success();
}

static LogicalResult lowerExpect(tile::ExpectOp op, KernelLowering &lk) {
  if (!lk.partition().singleThread) {
    return op.emitOpError("expected a single-thread partition");
  }
  Value barrier =
      barrierPointer(lk, op.getBarriers(), lk.getOne(op.getStage()));
  NVVM::MBarrierArriveExpectTxOp::create(
      lk.builder, lk.loc(), Type(), barrier, lk.constantI32(op.getBytes()),
      NVVM::MemScopeKind::CTA, false, Value());
  return success();
}

static LogicalResult lowerFenceAsync(tile::FenceAsyncOp, KernelLowering &lk) {
  NVVM::FenceProxyOp::create(
      lk.builder, lk.loc(), NVVM::ProxyKind::async_shared,
      NVVM::SharedSpaceAttr::get(lk.builder.getContext(),
                                 NVVM::SharedSpace::shared_cta));
  return success();
}

static LogicalResult lowerSync(tile::SyncOp, KernelLowering &lk) {
  lk.syncPartition();
  return success();
}

/// The registers that a thread has at launch when `warps` warps fill an SM.
static int64_t launchRegisters(int64_t warps) {
  return registersPerBlock / (warps * 32) / 8 * 8;
}

/// Lowers one partition's region; `registers` is 0 where it keeps the kernel's.
static LogicalResult lowerPartition(Region &region, Partition partition,
                                    int64_t registers, int64_t launch,
                                    KernelLowering &lk) {
  PartitionScope scope(lk, partition);
  if (registers != 0) {
    NVVM::SetMaxRegisterOp::create(lk.builder, lk.loc(), registers,
                                   registers < launch
                                       ? NVVM::SetMaxRegisterAction::decrease
                                       : NVVM::SetMaxRegisterAction::increase);
  }
  LogicalResult result = success();
  if (partition.singleThread) {
    emitIf(lk, isFirstOf(lk, llvm::PowerOf2Ceil(partition.warps * 32)),
           [&] { result = lk.lowerBlock(region.front()); });
    return result;
  }
  return lk.lowerBlock(region.front());
}

static LogicalResult lowerWarpSpecialize(tile::WarpSpecializeOp op,
                                         KernelLowering &lk) {
  // What was written before (barriers, shared memory) is there for everyone.
  lk.syncPartition();
  int64_t total = 0;
  for (int64_t warps : op.getWarps()) {
    total += warps;
  }
  Value thread = lk.threadInPartition();
  int64_t first = 0;
  OpBuilder::InsertionGuard guard(lk.builder);
  for (auto [i, region] : llvm::enumerate(op.getPartitions())) {
    int64_t warps = op.getWarps()[i];
    Partition partition{first, warps, static_cast<int64_t>(i) + 1,
                        op.getSingleThread()[i]};
    int64_t registers = op.getRegisters().empty() ? 0 : op.getRegisters()[i];
    first += warps;
    bool last = i + 1 == op.getPartitions().size();
    scf::IfOp branch;
    if (!last) {
      Value mine =
          arith::CmpIOp::create(lk.builder, lk.loc(), arith::CmpIPredicate::ult,
                                thread, lk.constantI32(first * 32));
      branch = scf::IfOp::create(lk.builder, lk.loc(), mine, /*else=*/true);
      lk.builder.setInsertionPoint(branch.thenYield());
    }
    if (failed(lowerPartition(region, partition, registers,
                              launchRegisters(total), lk))) {
      return failure();
    }
    if (!last) {
      lk.builder.setInsertionPoint(branch.elseYield());
    }
  }
  return success();
}

template <typename OpTy>
static void add(OpLoweringTable &table,
                LogicalResult (*lower)(OpTy, KernelLowering &)) {
  table.add<OpTy>([lower](Operation *op, KernelLowering &lk) {
    return lower(cast<OpTy>(op), lk);
  });
}

void mlir::fusion::addConcurrencyLowerings(OpLoweringTable &table) {
  add(table, lowerAlloc);
  add(table, lowerBarriers);
  add(table, lowerWait);
  add(table, lowerArrive);
  add(table, lowerExpect);
  add(table, lowerFenceAsync);
  add(table, lowerSync);
  add(table, lowerWarpSpecialize);
  addCopyLowerings(table);
  addBulkCopyLowerings(table);
}
