//===- DecodeValues.cpp - vectors, structs, bits: mostly renaming ---------===//

#include "Decode.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::fusion::emulator;

/// Scalars before field `position` of `type`, and in it.
static std::pair<size_t, size_t> getRange(Type type,
                                          ArrayRef<int64_t> position) {
  size_t first = 0;
  for (int64_t index : position) {
    auto count = [](Type part) {
      SmallVector<Kind> kinds;
      (void)flatten(part, kinds);
      return kinds.size();
    };
    if (auto fields = dyn_cast<LLVM::LLVMStructType>(type)) {
      for (Type field : fields.getBody().take_front(index)) {
        first += count(field);
      }
      type = fields.getBody()[index];
    } else {
      type = cast<LLVM::LLVMArrayType>(type).getElementType();
      first += index * count(type);
    }
  }
  SmallVector<Kind> kinds;
  (void)flatten(type, kinds);
  return {first, kinds.size()};
}

static LogicalResult decodeExtractValue(Operation *op, Decoder &decoder) {
  auto extract = cast<LLVM::ExtractValueOp>(op);
  Slots all(decoder.get(extract.getContainer()));
  auto [first, count] =
      getRange(extract.getContainer().getType(), extract.getPosition());
  decoder.alias(extract, ArrayRef<uint32_t>(all).slice(first, count));
  return success();
}

static LogicalResult decodeInsertValue(Operation *op, Decoder &decoder) {
  auto insert = cast<LLVM::InsertValueOp>(op);
  Slots all(decoder.get(insert.getContainer()));
  auto [first, count] = getRange(insert.getType(), insert.getPosition());
  llvm::copy(decoder.get(insert.getValue()), all.begin() + first);
  decoder.alias(insert, all);
  return success();
}

static LogicalResult decodeZero(Operation *op, Decoder &decoder) {
  SmallVector<Kind> kinds;
  (void)flatten(op->getResult(0).getType(), kinds);
  decoder.alias(op->getResult(0), Slots(kinds.size(), decoder.constant(0)));
  return success();
}

/// The shared memory of the launch: there is no other symbol.
static LogicalResult decodeAddressOf(Operation *op, Decoder &decoder) {
  if (getSpace(op->getResult(0).getType()) != Space::Shared) {
    return op->emitError("expected the address of shared memory");
  }
  decoder.alias(op->getResult(0), {decoder.constant(sharedBase)});
  return success();
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

/// Cuts or joins slots of `from` bits to slots of kind `to`.
static LogicalResult decodeBitcast(Operation *op, Decoder &decoder) {
  SmallVector<Kind> from, to;
  (void)flatten(op->getOperand(0).getType(), from);
  (void)flatten(op->getResult(0).getType(), to);
  Slots source(decoder.get(op->getOperand(0)));
  unsigned fromBits = getBits(from.front()), toBits = getBits(to.front());
  if (fromBits == toBits) {
    decoder.alias(op->getResult(0), source);
    return success();
  }
  Slots result(decoder.define(op->getResult(0)));
  if (fromBits > toBits) {
    size_t ratio = fromBits / toBits;
    for (size_t i = 0; i < result.size(); ++i) {
      Inst &inst = decoder.emit(Opcode::ExtractBits);
      inst.kind = to.front();
      inst.a = source[i / ratio];
      inst.dst = result[i];
      inst.imm = static_cast<int32_t>(i % ratio * toBits);
    }
    return success();
  }
  size_t ratio = toBits / fromBits;
  for (size_t i = 0; i < source.size(); ++i) {
    Inst &inst =
        decoder.emit(i % ratio == 0 ? Opcode::Move : Opcode::InsertBits);
    inst.kind = to.front();
    inst.a = source[i];
    inst.dst = result[i / ratio];
    inst.imm = static_cast<int32_t>(i % ratio * fromBits);
  }
  return success();
}

/// Slots hold pointers and integers alike; a narrower result is cut.
static LogicalResult decodePointerCast(Operation *op, Decoder &decoder) {
  Kind from = getKind(op->getOperand(0).getType());
  Kind to = getKind(op->getResult(0).getType());
  if (getBits(to) >= getBits(from)) {
    decoder.alias(op->getResult(0), decoder.get(op->getOperand(0)));
    return success();
  }
  uint32_t source = decoder.getOne(op->getOperand(0));
  uint32_t result = decoder.define(op->getResult(0)).front();
  Inst &inst = decoder.emit(Opcode::TruncI);
  inst.kind = to;
  inst.aux = static_cast<uint8_t>(from);
  inst.a = source;
  inst.dst = result;
  return success();
}

/// Between shared memory's spaces; shared to generic would lose the space.
static LogicalResult decodeAddrSpaceCast(Operation *op, Decoder &decoder) {
  bool fromShared = getSpace(op->getOperand(0).getType()) == Space::Shared;
  bool toShared = getSpace(op->getResult(0).getType()) == Space::Shared;
  if (fromShared != toShared) {
    return op->emitError("expected pointers both to shared memory, or neither");
  }
  decoder.alias(op->getResult(0), decoder.get(op->getOperand(0)));
  return success();
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

static LogicalResult decodeFromElements(Operation *op, Decoder &decoder) {
  Slots all;
  for (Value element : op->getOperands()) {
    all.push_back(decoder.getOne(element));
  }
  decoder.alias(op->getResult(0), all);
  return success();
}

static LogicalResult decodeToElements(Operation *op, Decoder &decoder) {
  Slots all(decoder.get(op->getOperand(0)));
  for (auto [result, slot] : llvm::zip(op->getResults(), all)) {
    decoder.alias(result, {slot});
  }
  return success();
}

static LogicalResult decodeVectorExtract(Operation *op, Decoder &decoder) {
  auto extract = cast<vector::ExtractOp>(op);
  Slots all(decoder.get(extract.getSource()));
  if (extract.hasDynamicPosition() ||
      extract.getSourceVectorType().getRank() != 1 ||
      extract.getStaticPosition().size() != 1) {
    return op->emitError("expected a constant position in a 1-D vector");
  }
  decoder.alias(extract.getResult(), {all[extract.getStaticPosition()[0]]});
  return success();
}

static LogicalResult decodeBroadcast(Operation *op, Decoder &decoder) {
  Slots source(decoder.get(op->getOperand(0)));
  SmallVector<Kind> kinds;
  (void)flatten(op->getResult(0).getType(), kinds);
  if (source.size() != 1) {
    return op->emitError("expected a scalar to broadcast");
  }
  decoder.alias(op->getResult(0), Slots(kinds.size(), source.front()));
  return success();
}

void mlir::fusion::emulator::addValueDecoders(DecodeTable &table) {
  table["llvm.extractvalue"] = decodeExtractValue;
  table["llvm.insertvalue"] = decodeInsertValue;
  table["llvm.mlir.zero"] = table["llvm.mlir.poison"] =
      table["llvm.mlir.undef"] = table["ub.poison"] = decodeZero;
  table["llvm.mlir.addressof"] = decodeAddressOf;
  table["llvm.bitcast"] = table["arith.bitcast"] = table["vector.bitcast"] =
      decodeBitcast;
  table["llvm.ptrtoint"] = table["llvm.inttoptr"] = decodePointerCast;
  table["llvm.addrspacecast"] = decodeAddrSpaceCast;
  table["vector.from_elements"] = decodeFromElements;
  table["vector.to_elements"] = decodeToElements;
  table["vector.extract"] = decodeVectorExtract;
  table["vector.broadcast"] = decodeBroadcast;
}
