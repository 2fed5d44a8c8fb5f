//===- DecodeWarp.cpp - special registers, shuffles, votes ----------------===//

#include "Decode.h"
#include "SpecialRegister.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::fusion::emulator;

static constexpr StringLiteral sregPrefix = "nvvm.read.ptx.sreg.";

static constexpr std::pair<const char *, SpecialRegister> specialRegisters[] = {
    {"tid.x", SpecialRegister::ThreadX},
    {"tid.y", SpecialRegister::Zero},
    {"tid.z", SpecialRegister::Zero},
    {"ntid.x", SpecialRegister::BlockSizeX},
    {"ntid.y", SpecialRegister::One},
    {"ntid.z", SpecialRegister::One},
    {"ctaid.x", SpecialRegister::BlockX},
    {"ctaid.y", SpecialRegister::BlockY},
    {"ctaid.z", SpecialRegister::BlockZ},
    {"nctaid.x", SpecialRegister::GridX},
    {"nctaid.y", SpecialRegister::GridY},
    {"nctaid.z", SpecialRegister::GridZ},
    {"laneid", SpecialRegister::Lane},
    {"warpid", SpecialRegister::Warp}};

static LogicalResult decodeSpecialRegister(Operation *op, Decoder &decoder) {
  StringRef name = op->getName().getStringRef().drop_front(sregPrefix.size());
  for (auto [known, number] : specialRegisters) {
    if (name == known) {
      uint32_t result = decoder.define(op->getResult(0)).front();
      Inst &inst = decoder.emit(Opcode::SpecialRegister);
      inst.dst = result;
      inst.aux = static_cast<uint8_t>(number);
    }
  }
  return success();
}

static LogicalResult decodeShuffle(Operation *op, Decoder &decoder) {
  auto shuffle = cast<NVVM::ShflOp>(op);
  Slots results(decoder.define(shuffle.getResult()));
  Inst &inst = decoder.emit(Opcode::Shuffle);
  inst.aux = static_cast<uint8_t>(shuffle.getKind());
  inst.b = decoder.getOne(shuffle.getVal());
  inst.dst = results.front();
  inst.c = results.size() > 1 ? results[1] + 1 : 0;
  decoder.setList(inst, {decoder.getOne(shuffle.getThreadMask()),
                         decoder.getOne(shuffle.getOffset()),
                         decoder.getOne(shuffle.getMaskAndClamp())});
  return success();
}

static LogicalResult decodeVote(Operation *op, Decoder &decoder) {
  auto vote = cast<NVVM::VoteSyncOp>(op);
  uint32_t result = decoder.define(vote.getResult()).front();
  Inst &inst = decoder.emit(Opcode::Vote);
  inst.aux = static_cast<uint8_t>(vote.getKind());
  inst.a = decoder.getOne(vote.getMask());
  inst.b = decoder.getOne(vote.getPred());
  inst.dst = result;
  return success();
}

static LogicalResult decodeRedux(Operation *op, Decoder &decoder) {
  auto redux = cast<NVVM::ReduxOp>(op);
  if (!redux.getRes().getType().isInteger(32)) {
    return op->emitError("expected a reduction of i32");
  }
  uint32_t result = decoder.define(redux.getRes()).front();
  Inst &inst = decoder.emit(Opcode::Redux);
  inst.aux = static_cast<uint8_t>(redux.getKind());
  inst.a = decoder.getOne(redux.getMaskAndClamp());
  inst.b = decoder.getOne(redux.getVal());
  inst.dst = result;
  return success();
}

static LogicalResult decodeElect(Operation *op, Decoder &decoder) {
  uint32_t result = decoder.define(op->getResult(0)).front();
  decoder.emit(Opcode::Elect).dst = result;
  return success();
}

static LogicalResult decodeWarpBarrier(Operation *op, Decoder &decoder) {
  decoder.emit(Opcode::WarpBarrier).a = decoder.getOne(op->getOperand(0));
  return success();
}

void mlir::fusion::emulator::addWarpDecoders(DecodeTable &table) {
  for (auto [name, number] : specialRegisters) {
    table[(sregPrefix + name).str()] = decodeSpecialRegister;
  }
  table["nvvm.shfl.sync"] = decodeShuffle;
  table["nvvm.vote.sync"] = decodeVote;
  table["nvvm.redux.sync"] = decodeRedux;
  table["nvvm.elect.sync"] = decodeElect;
  table["nvvm.bar.warp.sync"] = decodeWarpBarrier;
}
