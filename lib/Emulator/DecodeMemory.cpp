//===- DecodeMemory.cpp - addresses, loads and stores ---------------------===//

#include "Decode.h"

using namespace mlir;
using namespace mlir::fusion::emulator;

/// Bytes that a scalar of `kind` takes in memory.
static unsigned getBytes(Kind kind) { return std::max(getBits(kind) / 8, 1u); }

static LogicalResult getTypeBytes(Type type, int64_t &bytes) {
  SmallVector<Kind> kinds;
  if (isa<LLVM::LLVMStructType>(type) || failed(flatten(type, kinds))) {
    return failure();
  }
  bytes = static_cast<int64_t>(kinds.size() * getBytes(kinds.front()));
  return success();
}

static LogicalResult decodeGep(Operation *op, Decoder &decoder) {
  auto gep = cast<LLVM::GEPOp>(op);
  uint32_t pointer = decoder.getOne(gep.getBase());
  Type type = gep.getElemType();
  for (auto [number, index] : llvm::enumerate(gep.getIndices())) {
    if (number > 0) {
      auto array = dyn_cast<LLVM::LLVMArrayType>(type);
      if (!array) {
        return op->emitError("expected indices into arrays");
      }
      type = array.getElementType();
    }
    int64_t bytes = 0;
    if (failed(getTypeBytes(type, bytes))) {
      return op->emitError("expected elements without structs, but got ")
             << type;
    }
    uint32_t sum = decoder.newSlot();
    if (auto known = dyn_cast<IntegerAttr>(index)) {
      int64_t offset = known.getInt() * bytes;
      if (!llvm::isInt<32>(offset)) {
        return op->emitError("expected a constant offset of 32 bits");
      }
      Inst &inst = decoder.emit(Opcode::AddImm);
      inst.dst = sum;
      inst.a = pointer;
      inst.imm = static_cast<int32_t>(offset);
    } else {
      Value value = cast<Value>(index);
      Inst &inst = decoder.emit(Opcode::AddScaled);
      inst.dst = sum;
      inst.a = pointer;
      inst.b = decoder.getOne(value);
      inst.aux = static_cast<uint8_t>(getKind(value.getType()));
      inst.imm = static_cast<int32_t>(bytes);
    }
    pointer = sum;
  }
  decoder.alias(gep, {pointer});
  return success();
}

/// The scalars of a memory access, all of one kind.
static FailureOr<SmallVector<Kind>> getAccessed(Operation *op, Type type) {
  SmallVector<Kind> kinds;
  if (failed(flatten(type, kinds)) || kinds.empty() ||
      !llvm::all_equal(kinds) ||
      (kinds.front() == Kind::I1 && kinds.size() > 1)) {
    return op->emitError("expected a scalar or a vector of whole bytes, but "
                         "got ")
           << type;
  }
  return kinds;
}

/// What PTX demands where the op does not say less: the access's own size
/// (PTX ISA, 6.4.1 "Addressable operands": natural alignment).
static uint32_t getAlignment(const SmallVector<Kind> &kinds,
                             std::optional<uint64_t> stated) {
  uint32_t size = getBytes(kinds.front()) *
                  static_cast<uint32_t>(kinds.size() == 3 ? 4 : kinds.size());
  return std::min<uint32_t>(16, stated ? static_cast<uint32_t>(*stated) : size);
}

static LogicalResult decodeLoad(Operation *op, Decoder &decoder) {
  auto load = cast<LLVM::LoadOp>(op);
  FailureOr<SmallVector<Kind>> kinds = getAccessed(op, load.getType());
  if (failed(kinds)) {
    return failure();
  }
  uint32_t address = decoder.getOne(load.getAddr());
  uint32_t first = decoder.define(load).front();
  Inst &inst = decoder.emit(Opcode::Load);
  inst.kind = kinds->front();
  inst.a = address;
  inst.b = getAlignment(*kinds, load.getAlignment());
  inst.dst = first;
  inst.imm = static_cast<int32_t>(kinds->size());
  inst.aux = static_cast<uint8_t>(getSpace(load.getAddr().getType()));
  return success();
}

static LogicalResult decodeStore(Operation *op, Decoder &decoder) {
  auto store = cast<LLVM::StoreOp>(op);
  FailureOr<SmallVector<Kind>> kinds =
      getAccessed(op, store.getValue().getType());
  if (failed(kinds)) {
    return failure();
  }
  Inst &inst = decoder.emit(Opcode::Store);
  inst.kind = kinds->front();
  inst.a = decoder.getOne(store.getAddr());
  inst.b = getAlignment(*kinds, store.getAlignment());
  inst.imm = static_cast<int32_t>(kinds->size());
  inst.aux = static_cast<uint8_t>(getSpace(store.getAddr().getType()));
  decoder.setList(inst, decoder.get(store.getValue()));
  return success();
}

static std::optional<AtomicOp> getAtomicOp(LLVM::AtomicBinOp op) {
  switch (op) {
  case LLVM::AtomicBinOp::xchg:
    return AtomicOp::Exchange;
  case LLVM::AtomicBinOp::add:
    return AtomicOp::Add;
  case LLVM::AtomicBinOp::sub:
    return AtomicOp::Sub;
  case LLVM::AtomicBinOp::_and:
    return AtomicOp::And;
  case LLVM::AtomicBinOp::_or:
    return AtomicOp::Or;
  case LLVM::AtomicBinOp::_xor:
    return AtomicOp::Xor;
  case LLVM::AtomicBinOp::max:
    return AtomicOp::Max;
  case LLVM::AtomicBinOp::min:
    return AtomicOp::Min;
  case LLVM::AtomicBinOp::umax:
    return AtomicOp::UMax;
  case LLVM::AtomicBinOp::umin:
    return AtomicOp::UMin;
  case LLVM::AtomicBinOp::fadd:
    return AtomicOp::AddF;
  default:
    return std::nullopt;
  }
}

static LogicalResult decodeAtomic(Operation *op, Decoder &decoder) {
  auto atomic = cast<LLVM::AtomicRMWOp>(op);
  Kind kind = getKind(atomic.getVal().getType());
  std::optional<AtomicOp> combine = getAtomicOp(atomic.getBinOp());
  if (!combine || getBits(kind) < 32 ||
      isa<VectorType>(atomic.getVal().getType())) {
    return op->emitError("expected a known atomic op on 32 or 64 bits");
  }
  uint32_t result = decoder.define(op->getResult(0)).front();
  Inst &inst = decoder.emit(Opcode::AtomicRMW);
  inst.kind = kind;
  inst.a = decoder.getOne(atomic.getPtr());
  inst.b = decoder.getOne(atomic.getVal());
  inst.c = static_cast<uint32_t>(getSpace(atomic.getPtr().getType()));
  inst.dst = result;
  inst.aux = static_cast<uint8_t>(*combine);
  return success();
}

void mlir::fusion::emulator::addMemoryDecoders(DecodeTable &table) {
  table["llvm.getelementptr"] = decodeGep;
  table["llvm.load"] = decodeLoad;
  table["llvm.store"] = decodeStore;
  table["llvm.atomicrmw"] = decodeAtomic;
}
