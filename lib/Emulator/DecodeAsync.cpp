//===- DecodeAsync.cpp - asynchronous copies ------------------------------===//

#include "Decode.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::fusion::emulator;

static LogicalResult decodeCpAsync(Operation *op, Decoder &decoder) {
  auto copy = cast<NVVM::CpAsyncOp>(op);
  Inst &inst = decoder.emit(Opcode::CpAsync);
  inst.a = decoder.getOne(copy.getDst());
  inst.b = decoder.getOne(copy.getSrc());
  inst.imm = static_cast<int32_t>(copy.getSize());
  inst.c = copy.getCpSize() ? decoder.getOne(copy.getCpSize()) + 1 : 0;
  return success();
}

static LogicalResult decodeCpAsyncCommit(Operation *, Decoder &decoder) {
  decoder.emit(Opcode::CpAsyncCommit);
  return success();
}

static LogicalResult decodeCpAsyncWait(Operation *op, Decoder &decoder) {
  decoder.emit(Opcode::CpAsyncWait).imm =
      static_cast<int32_t>(cast<NVVM::CpAsyncWaitGroupOp>(op).getN());
  return success();
}

static Slots getCoordinates(Decoder &decoder, ValueRange coordinates) {
  Slots slots;
  for (Value coordinate : coordinates) {
    slots.push_back(decoder.getOne(coordinate));
  }
  return slots;
}

static LogicalResult decodeBulkLoad(Operation *op, Decoder &decoder) {
  auto load = cast<NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp>(op);
  if (load.getMode() != NVVM::TMALoadMode::TILE || load.getMulticastMask() ||
      load.getPredicate() || load.getGroup()) {
    return op->emitError("expected a tiled copy to one block, without "
                         "predicate");
  }
  Slots coordinates = getCoordinates(decoder, load.getCoordinates());
  Inst &inst = decoder.emit(Opcode::BulkLoad);
  inst.a = decoder.getOne(load.getDstMem());
  inst.b = decoder.getOne(load.getTmaDescriptor());
  inst.c = decoder.getOne(load.getMbar());
  inst.imm = static_cast<int32_t>(coordinates.size());
  decoder.setList(inst, coordinates);
  return success();
}

static LogicalResult decodeBulkStore(Operation *op, Decoder &decoder) {
  auto store = cast<NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp>(op);
  if (store.getMode() != NVVM::TMAStoreMode::TILE || store.getPredicate()) {
    return op->emitError("expected a tiled copy without predicate");
  }
  Slots coordinates = getCoordinates(decoder, store.getCoordinates());
  Inst &inst = decoder.emit(Opcode::BulkStore);
  inst.a = decoder.getOne(store.getSrcMem());
  inst.b = decoder.getOne(store.getTmaDescriptor());
  inst.imm = static_cast<int32_t>(coordinates.size());
  decoder.setList(inst, coordinates);
  return success();
}

static LogicalResult decodeBulkCommit(Operation *, Decoder &decoder) {
  decoder.emit(Opcode::BulkCommit);
  return success();
}

static LogicalResult decodeBulkWait(Operation *op, Decoder &decoder) {
  auto wait = cast<NVVM::CpAsyncBulkWaitGroupOp>(op);
  Inst &inst = decoder.emit(Opcode::BulkWait);
  inst.imm = static_cast<int32_t>(wait.getGroup());
  inst.aux = wait.getRead() ? 1 : 0;
  return success();
}

/// A map is never changed by a kernel; it may be fetched at any time.
static LogicalResult decodePrefetch(Operation *, Decoder &) {
  return success();
}

void mlir::fusion::emulator::addAsyncDecoders(DecodeTable &table) {
  table["nvvm.cp.async.shared.global"] = decodeCpAsync;
  table["nvvm.cp.async.commit.group"] = decodeCpAsyncCommit;
  table["nvvm.cp.async.wait.group"] = decodeCpAsyncWait;
  table["nvvm.cp.async.bulk.tensor.shared.cluster.global"] = decodeBulkLoad;
  table["nvvm.cp.async.bulk.tensor.global.shared.cta"] = decodeBulkStore;
  table["nvvm.cp.async.bulk.commit.group"] = decodeBulkCommit;
  table["nvvm.cp.async.bulk.wait_group"] = decodeBulkWait;
  table["nvvm.prefetch"] = decodePrefetch;
}
