//===- DecodeMatrix.cpp - tensor cores ------------------------------------===//

#include "Decode.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::fusion::emulator;

template <typename OpTy> static LogicalResult checkMatrix(OpTy op) {
  NVVM::LdStMatrixShapeAttr shape = op.getShape();
  if (shape.getM() != 8 || shape.getN() != 8 ||
      op.getEltType() != NVVM::LdStMatrixEltType::B16) {
    return op.emitError("expected 8x8 matrices of 16 bits");
  }
  return success();
}

static LogicalResult decodeLdMatrix(Operation *op, Decoder &decoder) {
  auto load = cast<NVVM::LdMatrixOp>(op);
  uint32_t address = decoder.getOne(load.getPtr());
  Slots results(decoder.define(load.getRes()));
  Inst &inst = decoder.emit(Opcode::LdMatrix);
  inst.a = address;
  inst.dst = results.front();
  inst.imm = static_cast<int32_t>(results.size());
  inst.aux = load.getLayout() == NVVM::MMALayout::col;
  return checkMatrix(load);
}

static LogicalResult decodeStMatrix(Operation *op, Decoder &decoder) {
  auto store = cast<NVVM::StMatrixOp>(op);
  Slots sources;
  for (Value source : store.getSources()) {
    sources.push_back(decoder.getOne(source));
  }
  Inst &inst = decoder.emit(Opcode::StMatrix);
  inst.a = decoder.getOne(store.getPtr());
  inst.imm = static_cast<int32_t>(sources.size());
  inst.aux = store.getLayout() == NVVM::MMALayout::col;
  decoder.setList(inst, sources);
  return checkMatrix(store);
}

static LogicalResult decodeMma(Operation *op, Decoder &decoder) {
  auto mma = cast<NVVM::MmaOp>(op);
  NVVM::MMAShapeAttr shape = mma.getShape();
  auto element = mma.getMultiplicandAPtxType();
  bool half = element == NVVM::MMATypes::f16;
  bool known = element && element == mma.getMultiplicandBPtxType() &&
               (half || element == NVVM::MMATypes::bf16);
  Slots list;
  for (Value operand : op->getOperands()) {
    llvm::append_range(list, decoder.get(operand));
  }
  // Pairs are one slot as words, two as vectors.
  size_t pairs = half ? 2 : 1;
  if (!known || shape.getM() != 16 || shape.getN() != 8 || shape.getK() != 16 ||
      list.size() != 6 * pairs + 4 ||
      !getElementTypeOrSelf(mma.getOperandC()[0].getType()).isF32()) {
    return op->emitError("expected m16n8k16 on f16 or bf16, accumulated in "
                         "f32");
  }
  uint32_t result = decoder.define(mma.getRes()).front();
  Inst &inst = decoder.emit(Opcode::MmaSync);
  inst.kind = half ? Kind::F16 : Kind::BF16;
  inst.dst = result;
  inst.aux = half;
  decoder.setList(inst, list);
  return success();
}

static LogicalResult decodeWgmma(Operation *op, Decoder &decoder) {
  auto mma = cast<NVVM::WgmmaMmaAsyncOp>(op);
  NVVM::MMAShapeAttr shape = mma.getShape();
  bool half = mma.getTypeA() == NVVM::WGMMATypes::f16;
  bool known = mma.getTypeA() == mma.getTypeB() &&
               (half || mma.getTypeA() == NVVM::WGMMATypes::bf16) &&
               mma.getTypeD() == NVVM::WGMMATypes::f32 &&
               mma.getScaleD() == NVVM::WGMMAScaleOut::one &&
               mma.getScaleA() == NVVM::WGMMAScaleIn::one &&
               mma.getScaleB() == NVVM::WGMMAScaleIn::one;
  Slots sources(decoder.get(mma.getInouts()));
  if (!known || shape.getM() != 64 || shape.getK() != 16 ||
      sources.size() != static_cast<size_t>(shape.getN()) / 2) {
    return op->emitError("expected m64nNk16 on f16 or bf16, added to an f32 "
                         "accumulator without signs or scales");
  }
  uint32_t result = decoder.define(mma.getResults()).front();
  Inst &inst = decoder.emit(Opcode::Wgmma);
  inst.kind = half ? Kind::F16 : Kind::BF16;
  inst.a = decoder.getOne(mma.getDescriptorA());
  inst.b = decoder.getOne(mma.getDescriptorB());
  inst.imm = static_cast<int32_t>(shape.getN());
  inst.dst = result;
  // As the op has it, "row" is K-major for a, MN-major for b.
  inst.aux = (mma.getLayoutA() == NVVM::MMALayout::col ? WgmmaMajorMA : 0) |
             (mma.getLayoutB() == NVVM::MMALayout::row ? WgmmaMajorNB : 0);
  decoder.setList(inst, sources);
  return success();
}

/// A multiply whose a is four registers: the sums, a, a descriptor, no scales
/// and no signs, then whether b lies N-major. Operands: a, descriptor, sums.
static LogicalResult decodeWgmmaRegisters(LLVM::InlineAsmOp op, StringRef rest,
                                          Decoder &decoder) {
  constexpr size_t words = 4;
  unsigned n = 0;
  bool half = false, majorN = false;
  bool known = rest.consume_front("m64n") && !rest.consumeInteger(10, n) &&
               rest.consume_front("k16.f32.");
  if (known) {
    half = rest.consume_front("f16.f16 ");
    known = half || rest.consume_front("bf16.bf16 ");
    majorN = rest.ends_with(" 1;");
    rest = rest.drop_back(std::min<size_t>(rest.size(), 3));
  }
  // The registers are named in order: sums, a, descriptor.
  std::string list = "{";
  for (unsigned i = 0; i < n / 2 + words; ++i) {
    list += i == n / 2 ? "}, {" : i > 0 ? ", " : "";
    list += "$" + std::to_string(i);
  }
  list += "}, $" + std::to_string(n / 2 + words) + ", 1, 1, 1,";
  Slots slots;
  for (Value operand : op.getOperands()) {
    llvm::append_range(slots, decoder.get(operand));
  }
  if (!known || rest != list || slots.size() != words + 1 + n / 2) {
    return op->emitError("expected m64nNk16 on f16 or bf16 from registers, "
                         "added to an f32 accumulator without signs or scales");
  }
  Slots sources(ArrayRef<uint32_t>(slots).drop_front(words + 1));
  llvm::append_range(sources, ArrayRef<uint32_t>(slots).take_front(words));
  uint32_t result = decoder.define(op->getResult(0)).front();
  Inst &inst = decoder.emit(Opcode::Wgmma);
  inst.kind = half ? Kind::F16 : Kind::BF16;
  inst.a = inst.b = slots[words];
  inst.imm = static_cast<int32_t>(n);
  inst.dst = result;
  inst.aux = WgmmaRegistersA | (majorN ? WgmmaMajorNB : 0);
  decoder.setList(inst, sources);
  return success();
}

static LogicalResult decodeWgmmaFence(Operation *, Decoder &decoder) {
  decoder.emit(Opcode::WgmmaFence);
  return success();
}

static LogicalResult decodeWgmmaCommit(Operation *, Decoder &decoder) {
  decoder.emit(Opcode::WgmmaCommit);
  return success();
}

static LogicalResult decodeWgmmaWait(Operation *op, Decoder &decoder) {
  decoder.emit(Opcode::WgmmaWait).imm =
      static_cast<int32_t>(cast<NVVM::WgmmaWaitGroupSyncOp>(op).getGroup());
  return success();
}

/// Whether each line of `text` adds -0 to a register.
static bool addsNothing(StringRef text) {
  SmallVector<StringRef> lines;
  text.split(lines, '\n', -1, /*KeepEmpty=*/false);
  return llvm::all_of(lines, [](StringRef line) {
    unsigned to = 0, from = 0;
    return line.consume_front("add.f32 $") && !line.consumeInteger(10, to) &&
           line.consume_front(", $") && !line.consumeInteger(10, from) &&
           line == ", 0f80000000;" && to == from;
  });
}

/// The one form of inline assembly that the compiler emits: a wait whose
/// outputs are the accumulators' registers, tied to its inputs.
static LogicalResult decodeInlineAsm(Operation *op, Decoder &decoder) {
  auto assembly = cast<LLVM::InlineAsmOp>(op);
  StringRef text = assembly.getAsmString().trim();
  if (StringRef form = text;
      form.consume_front("wgmma.mma_async.sync.aligned.")) {
    return decodeWgmmaRegisters(assembly, form, decoder);
  }
  auto [rest, sums] = text.split('\n');
  int32_t pending = 0;
  if (!rest.consume_front("wgmma.wait_group.sync.aligned ") ||
      !rest.consume_back(";") || rest.trim().getAsInteger(10, pending) ||
      !addsNothing(sums)) {
    return op->emitError("expected inline assembly that the emulator knows, "
                         "but got \"")
           << text << "\"";
  }
  decoder.emit(Opcode::WgmmaWait).imm = pending;
  Slots sources;
  for (Value operand : assembly.getOperands()) {
    llvm::append_range(sources, decoder.get(operand));
  }
  Slots results;
  for (Value result : op->getResults()) {
    llvm::append_range(results, decoder.define(result));
  }
  if (sources.size() != results.size()) {
    return op->emitError("expected as many registers out as in");
  }
  decoder.emitCopies(sources, results);
  return success();
}

void mlir::fusion::emulator::addMatrixDecoders(DecodeTable &table) {
  table["nvvm.ldmatrix"] = decodeLdMatrix;
  table["nvvm.stmatrix"] = decodeStMatrix;
  table["nvvm.mma.sync"] = decodeMma;
  table["nvvm.wgmma.mma_async"] = decodeWgmma;
  table["nvvm.wgmma.fence.aligned"] = decodeWgmmaFence;
  table["nvvm.wgmma.commit.group.sync.aligned"] = decodeWgmmaCommit;
  table["nvvm.wgmma.wait.group.sync.aligned"] = decodeWgmmaWait;
  table["llvm.inline_asm"] = decodeInlineAsm;
}
