//===- Decode.h - from operations to a Program ------------------*- C++ -*-===//

#ifndef FUSION_LIB_EMULATOR_DECODE_H
#define FUSION_LIB_EMULATOR_DECODE_H

#include "Program.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::fusion::emulator {

class Decoder;
using DecodeFn = LogicalResult (*)(Operation *op, Decoder &decoder);
/// The decoder of each op, by the op's name.
using DecodeTable = llvm::StringMap<DecodeFn>;

/// The slots that the scalars of one value are in.
using Slots = llvm::SmallVector<uint32_t, 1>;

/// Builds the Program of one kernel.
class Decoder {
public:
  Decoder(Program &program, const DecodeTable &table)
      : program(program), table(table) {}

  LogicalResult run(LLVM::LLVMFuncOp func);
  /// Decodes the ops of `block` up to its terminator.
  LogicalResult decodeBlock(Block &block);

  /// The slots of `value`, which is decoded already.
  ArrayRef<uint32_t> get(Value value) const {
    auto it = slots.find(value);
    assert(it != slots.end() && "expected the value's definition before");
    return it->second;
  }
  uint32_t getOne(Value value) const {
    assert(get(value).size() == 1 && "expected a scalar");
    return get(value).front();
  }
  /// Makes `value` another name for `to`.
  void alias(Value value, ArrayRef<uint32_t> to) {
    slots[value] = Slots(to.begin(), to.end());
  }
  /// New, consecutive slots for `value`.
  ArrayRef<uint32_t> define(Value value);
  uint32_t newSlot() { return program.numSlots++; }
  /// A slot that is `value` in all lanes.
  uint32_t constant(uint64_t value);

  /// Appends an instruction of the current op.
  Inst &emit(Opcode op);
  /// Gives `inst` the list `slots`.
  void setList(Inst &inst, ArrayRef<uint32_t> slots);
  /// Copies `from` to `to` as if all at once.
  void emitCopies(ArrayRef<uint32_t> from, ArrayRef<uint32_t> to);

  size_t getPosition() const { return program.code.size(); }
  /// Makes the jump at `position` go to the next instruction.
  void landHere(size_t position) {
    program.code[position].imm = static_cast<int32_t>(getPosition());
  }

  Program &program;

private:
  LogicalResult decodeOp(Operation *op);

  const DecodeTable &table;
  llvm::DenseMap<Value, Slots> slots;
  llvm::DenseMap<uint64_t, uint32_t> constants;
  uint32_t source = 0;
};

/// Appends the kinds of the scalars in a value of `type`; fails for a type
/// that no slot holds.
LogicalResult flatten(Type type, SmallVectorImpl<Kind> &kinds);
/// The kind of the (element) type of `type`, which flatten() accepts.
Kind getKind(Type type);
/// Where a pointer of type `type` points.
Space getSpace(Type type);

void addControlDecoders(DecodeTable &table);
void addArithmeticDecoders(DecodeTable &table);
void addValueDecoders(DecodeTable &table);
void addMemoryDecoders(DecodeTable &table);
void addWarpDecoders(DecodeTable &table);
void addBarrierDecoders(DecodeTable &table);
void addAsyncDecoders(DecodeTable &table);
void addMatrixDecoders(DecodeTable &table);

} // namespace mlir::fusion::emulator

#endif // FUSION_LIB_EMULATOR_DECODE_H
