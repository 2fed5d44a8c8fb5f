//===- DecodeBarriers.cpp - barriers, mbarriers, fences -------------------===//

#include "Decode.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::fusion::emulator;

/// Decodes nothing where `predicate` is given: such ops are inline PTX.
static LogicalResult refusePredicate(Operation *op, Value predicate) {
  return predicate ? op->emitError("expected no predicate") : success();
}

static LogicalResult decodeBarrier0(Operation *, Decoder &decoder) {
  decoder.emit(Opcode::Barrier);
  return success();
}

static LogicalResult decodeBarrier(Operation *op, Decoder &decoder) {
  auto barrier = cast<NVVM::BarrierOp>(op);
  if (barrier.getReductionOp()) {
    return op->emitError("expected a barrier without a reduction");
  }
  Inst &inst = decoder.emit(Opcode::Barrier);
  if (Value id = barrier.getBarrierId()) {
    inst.a = decoder.getOne(id);
    inst.aux |= 1;
  }
  if (Value threads = barrier.getNumberOfThreads()) {
    inst.b = decoder.getOne(threads);
    inst.aux |= 2;
  }
  return success();
}

static LogicalResult decodeBarrierArrive(Operation *op, Decoder &decoder) {
  auto barrier = cast<NVVM::BarrierArriveOp>(op);
  Inst &inst = decoder.emit(Opcode::Barrier);
  inst.aux = 2 | 4;
  inst.b = decoder.getOne(barrier.getNumberOfThreads());
  if (Value id = barrier.getBarrierId()) {
    inst.a = decoder.getOne(id);
    inst.aux |= 1;
  }
  return success();
}

static LogicalResult decodeInit(Operation *op, Decoder &decoder) {
  auto init = cast<NVVM::MBarrierInitOp>(op);
  Inst &inst = decoder.emit(Opcode::MBarrierInit);
  inst.a = decoder.getOne(init.getAddr());
  inst.b = decoder.getOne(init.getCount());
  return refusePredicate(op, init.getPredicate());
}

static LogicalResult decodeInvalidate(Operation *op, Decoder &decoder) {
  decoder.emit(Opcode::MBarrierInvalidate).a =
      decoder.getOne(op->getOperand(0));
  return success();
}

/// The phase that an arrive returns is opaque: nothing reads it here.
static LogicalResult refusePhase(Operation *op, Decoder &decoder) {
  for (Value result : op->getResults()) {
    if (!result.use_empty()) {
      return op->emitError("expected the phase of an arrive to be unused");
    }
    (void)decoder.define(result);
  }
  return success();
}

static LogicalResult decodeArrive(Operation *op, Decoder &decoder) {
  auto arrive = cast<NVVM::MBarrierArriveOp>(op);
  Inst &inst = decoder.emit(Opcode::MBarrierArrive);
  inst.a = decoder.getOne(arrive.getAddr());
  inst.b = arrive.getCount() ? decoder.getOne(arrive.getCount())
                             : decoder.constant(1);
  return refusePhase(op, decoder);
}

static LogicalResult decodeArriveExpect(Operation *op, Decoder &decoder) {
  auto arrive = cast<NVVM::MBarrierArriveExpectTxOp>(op);
  Inst &inst = decoder.emit(Opcode::MBarrierArriveExpect);
  inst.a = decoder.getOne(arrive.getAddr());
  inst.b = decoder.getOne(arrive.getTxcount());
  if (failed(refusePredicate(op, arrive.getPredicate()))) {
    return failure();
  }
  return refusePhase(op, decoder);
}

static LogicalResult decodeExpect(Operation *op, Decoder &decoder) {
  Inst &inst = decoder.emit(Opcode::MBarrierExpect);
  inst.a = decoder.getOne(op->getOperand(0));
  inst.b = decoder.getOne(op->getOperand(1));
  return success();
}

static LogicalResult decodeWaitParity(Operation *op, Decoder &decoder) {
  auto wait = cast<NVVM::MBarrierTryWaitParityOp>(op);
  Inst &inst = decoder.emit(Opcode::MBarrierWaitParity);
  inst.a = decoder.getOne(wait.getAddr());
  inst.b = decoder.getOne(wait.getPhase());
  return success();
}

static LogicalResult decodeFenceProxy(Operation *op, Decoder &decoder) {
  auto fence = cast<NVVM::FenceProxyOp>(op);
  if (fence.getKind() != NVVM::ProxyKind::async_shared &&
      fence.getKind() != NVVM::ProxyKind::async) {
    return op->emitError("expected a fence of the async proxy");
  }
  decoder.emit(Opcode::FenceProxyAsync);
  return success();
}

static LogicalResult decodeSetMaxRegister(Operation *op, Decoder &decoder) {
  auto set = cast<NVVM::SetMaxRegisterOp>(op);
  Inst &inst = decoder.emit(Opcode::SetMaxRegisters);
  inst.imm = static_cast<int32_t>(set.getRegCount());
  inst.aux = set.getAction() == NVVM::SetMaxRegisterAction::increase;
  return success();
}

/// An op without operands that is one instruction without operands.
template <Opcode opcode>
static LogicalResult decodeBare(Operation *, Decoder &decoder) {
  decoder.emit(opcode);
  return success();
}

void mlir::fusion::emulator::addBarrierDecoders(DecodeTable &table) {
  table["nvvm.barrier0"] = decodeBarrier0;
  table["nvvm.barrier"] = decodeBarrier;
  table["nvvm.barrier.arrive"] = decodeBarrierArrive;
  table["nvvm.mbarrier.init"] = decodeInit;
  table["nvvm.mbarrier.inval"] = decodeInvalidate;
  table["nvvm.mbarrier.arrive"] = decodeArrive;
  table["nvvm.mbarrier.arrive.expect_tx"] = decodeArriveExpect;
  table["nvvm.mbarrier.expect_tx"] = decodeExpect;
  table["nvvm.mbarrier.try_wait.parity"] = decodeWaitParity;
  table["nvvm.fence.proxy"] = decodeFenceProxy;
  table["nvvm.fence.mbarrier.init"] = decodeBare<Opcode::FenceMBarrierInit>;
  table["nvvm.memory.barrier"] = table["llvm.fence"] =
      decodeBare<Opcode::Fence>;
  table["nvvm.setmaxregister"] = decodeSetMaxRegister;
}
