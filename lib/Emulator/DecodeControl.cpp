//===- DecodeControl.cpp - scf to jumps -----------------------------------===//

#include "Decode.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::fusion::emulator;

/// The slots of all of `values`, one after the other.
static Slots getAll(Decoder &decoder, ValueRange values) {
  Slots all;
  for (Value value : values) {
    llvm::append_range(all, decoder.get(value));
  }
  return all;
}

/// New slots for `values`.
static Slots defineAll(Decoder &decoder, ValueRange values) {
  for (Value value : values) {
    (void)decoder.define(value);
  }
  return getAll(decoder, values);
}

/// Makes each of `values` another name for its part of `slots`.
static void aliasAll(Decoder &decoder, ValueRange values,
                     ArrayRef<uint32_t> slots) {
  for (Value value : values) {
    SmallVector<Kind> kinds;
    (void)flatten(value.getType(), kinds);
    decoder.alias(value, slots.take_front(kinds.size()));
    slots = slots.drop_front(kinds.size());
  }
}

/// Decodes `block`, then copies what it yields to `results`.
static LogicalResult decodeArm(Decoder &decoder, Block &block,
                               ArrayRef<uint32_t> results) {
  if (failed(decoder.decodeBlock(block))) {
    return failure();
  }
  Slots yielded = getAll(decoder, block.getTerminator()->getOperands());
  decoder.emitCopies(yielded, results);
  return success();
}

static LogicalResult decodeIf(Operation *op, Decoder &decoder) {
  auto branch = cast<scf::IfOp>(op);
  Slots results = defineAll(decoder, op->getResults());
  size_t begin = decoder.getPosition();
  decoder.emit(Opcode::If).a = decoder.getOne(branch.getCondition());
  if (failed(decodeArm(decoder, *branch.thenBlock(), results))) {
    return failure();
  }
  if (Block *otherwise = branch.elseBlock()) {
    size_t middle = decoder.getPosition();
    decoder.landHere(begin);
    decoder.emit(Opcode::Else);
    if (failed(decodeArm(decoder, *otherwise, results))) {
      return failure();
    }
    decoder.landHere(middle);
  } else {
    decoder.landHere(begin);
  }
  decoder.emit(Opcode::EndIf);
  return success();
}

static LogicalResult decodeFor(Operation *op, Decoder &decoder) {
  auto loop = cast<scf::ForOp>(op);
  uint32_t variable = decoder.define(loop.getInductionVar()).front();
  Slots carried = defineAll(decoder, loop.getRegionIterArgs());
  Slots inits = getAll(decoder, loop.getInitArgs());
  uint32_t upper = decoder.getOne(loop.getUpperBound());
  uint32_t step = decoder.getOne(loop.getStep());
  inits.push_back(decoder.getOne(loop.getLowerBound()));
  Slots all = carried;
  all.push_back(variable);
  decoder.emitCopies(inits, all);

  Kind kind = getKind(loop.getInductionVar().getType());
  decoder.emit(Opcode::LoopBegin);
  size_t head = decoder.getPosition();
  Inst &enter = decoder.emit(Opcode::ForHead);
  enter.kind = kind;
  enter.a = variable;
  enter.b = upper;
  enter.aux = loop.getUnsignedCmp();
  if (failed(decodeArm(decoder, *loop.getBody(), carried))) {
    return failure();
  }
  Inst &next = decoder.emit(Opcode::AddI);
  next.kind = kind;
  next.dst = next.a = variable;
  next.b = step;
  decoder.emit(Opcode::Jump).imm = static_cast<int32_t>(head);
  decoder.landHere(head);
  decoder.emit(Opcode::LoopEnd);
  // A lane that has left keeps what it carried: its result.
  aliasAll(decoder, loop.getResults(), carried);
  return success();
}

static LogicalResult decodeWhile(Operation *op, Decoder &decoder) {
  auto loop = cast<scf::WhileOp>(op);
  Slots carried = defineAll(decoder, loop.getBeforeArguments());
  Slots results = defineAll(decoder, loop.getAfterArguments());
  decoder.emitCopies(getAll(decoder, loop.getInits()), carried);
  decoder.emit(Opcode::LoopBegin);
  size_t begin = decoder.getPosition();
  if (failed(decoder.decodeBlock(*loop.getBeforeBody()))) {
    return failure();
  }
  // Passed on whether the loop goes on or not: results and arguments are one.
  scf::ConditionOp condition = loop.getConditionOp();
  decoder.emitCopies(getAll(decoder, condition.getArgs()), results);
  size_t leave = decoder.getPosition();
  decoder.emit(Opcode::WhileHead).a = decoder.getOne(condition.getCondition());
  if (failed(decodeArm(decoder, *loop.getAfterBody(), carried))) {
    return failure();
  }
  decoder.emit(Opcode::Jump).imm = static_cast<int32_t>(begin);
  decoder.landHere(leave);
  decoder.emit(Opcode::LoopEnd);
  aliasAll(decoder, loop.getResults(), results);
  return success();
}

static LogicalResult decodeNothing(Operation *, Decoder &) { return success(); }

void mlir::fusion::emulator::addControlDecoders(DecodeTable &table) {
  table["scf.if"] = decodeIf;
  table["scf.for"] = decodeFor;
  table["scf.while"] = decodeWhile;
  table["llvm.intr.assume"] = decodeNothing;
}
