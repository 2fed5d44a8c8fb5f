//===- DecodeArithmetic.cpp - arith and math ------------------------------===//

#include "Decode.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::fusion::emulator;

namespace {
struct NamedOpcode {
  const char *name;
  Opcode op;
};
} // namespace

/// Ops of one result of the operands' own type.
static constexpr NamedOpcode plainOps[] = {
    {"arith.addi", Opcode::AddI},
    {"arith.subi", Opcode::SubI},
    {"arith.muli", Opcode::MulI},
    {"arith.divui", Opcode::DivUI},
    {"arith.divsi", Opcode::DivSI},
    {"arith.ceildivui", Opcode::CeilDivUI},
    {"arith.ceildivsi", Opcode::CeilDivSI},
    {"arith.floordivsi", Opcode::FloorDivSI},
    {"arith.remui", Opcode::RemUI},
    {"arith.remsi", Opcode::RemSI},
    {"arith.andi", Opcode::AndI},
    {"arith.ori", Opcode::OrI},
    {"arith.xori", Opcode::XorI},
    {"arith.shli", Opcode::ShlI},
    {"arith.shrui", Opcode::ShrUI},
    {"arith.shrsi", Opcode::ShrSI},
    {"arith.minui", Opcode::MinUI},
    {"arith.maxui", Opcode::MaxUI},
    {"arith.minsi", Opcode::MinSI},
    {"arith.maxsi", Opcode::MaxSI},
    {"arith.addf", Opcode::AddF},
    {"arith.subf", Opcode::SubF},
    {"arith.mulf", Opcode::MulF},
    {"arith.divf", Opcode::DivF},
    {"arith.remf", Opcode::RemF},
    {"arith.minimumf", Opcode::MinimumF},
    {"arith.maximumf", Opcode::MaximumF},
    {"arith.minnumf", Opcode::MinNumF},
    {"arith.maxnumf", Opcode::MaxNumF},
    {"arith.negf", Opcode::NegF},
    {"math.powf", Opcode::PowF},
    {"math.atan2", Opcode::Atan2},
    {"math.copysign", Opcode::CopySign},
    {"math.absf", Opcode::AbsF},
    {"math.exp", Opcode::Exp},
    {"math.exp2", Opcode::Exp2},
    {"math.expm1", Opcode::ExpM1},
    {"math.log", Opcode::Log},
    {"math.log2", Opcode::Log2},
    {"math.log10", Opcode::Log10},
    {"math.log1p", Opcode::Log1P},
    {"math.sqrt", Opcode::Sqrt},
    {"math.rsqrt", Opcode::Rsqrt},
    {"math.cbrt", Opcode::Cbrt},
    {"math.erf", Opcode::Erf},
    {"math.erfc", Opcode::Erfc},
    {"math.tanh", Opcode::Tanh},
    {"math.sin", Opcode::Sin},
    {"math.cos", Opcode::Cos},
    {"math.tan", Opcode::Tan},
    {"math.asin", Opcode::Asin},
    {"math.acos", Opcode::Acos},
    {"math.atan", Opcode::Atan},
    {"math.sinh", Opcode::Sinh},
    {"math.cosh", Opcode::Cosh},
    {"math.asinh", Opcode::Asinh},
    {"math.acosh", Opcode::Acosh},
    {"math.atanh", Opcode::Atanh},
    {"math.floor", Opcode::Floor},
    {"math.ceil", Opcode::Ceil},
    {"math.round", Opcode::Round},
    {"math.roundeven", Opcode::RoundEven},
    {"math.trunc", Opcode::Trunc},
    {"math.absi", Opcode::AbsI},
    {"math.ctpop", Opcode::CountOnes},
    {"math.ctlz", Opcode::CountLeadingZeros},
    {"math.cttz", Opcode::CountTrailingZeros},
    {"math.fma", Opcode::Fma}};

/// Ops whose result has another type than their operand.
static constexpr NamedOpcode castOps[] = {
    {"arith.extsi", Opcode::ExtSI},   {"arith.trunci", Opcode::TruncI},
    {"arith.extf", Opcode::ConvertF}, {"arith.truncf", Opcode::ConvertF},
    {"arith.sitofp", Opcode::SIToFP}, {"arith.uitofp", Opcode::UIToFP},
    {"arith.fptosi", Opcode::FPToSI}, {"arith.fptoui", Opcode::FPToUI}};

template <size_t N>
static Opcode findOpcode(const NamedOpcode (&list)[N], Operation *op) {
  StringRef name = op->getName().getStringRef();
  for (const NamedOpcode &entry : list) {
    if (name == entry.name) {
      return entry.op;
    }
  }
  llvm_unreachable("expected an op of the list");
}

/// Emits `opcode` for each element of the result.
static LogicalResult
decodeElementwise(Operation *op, Decoder &decoder, Opcode opcode, Kind kind,
                  function_ref<void(Inst &)> finish = nullptr) {
  Slots results(decoder.define(op->getResult(0)));
  for (size_t i = 0; i < results.size(); ++i) {
    Inst &inst = decoder.emit(opcode);
    inst.kind = kind;
    inst.dst = results[i];
    uint32_t *fields[] = {&inst.a, &inst.b, &inst.c};
    for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
      ArrayRef<uint32_t> slots = decoder.get(operand);
      // The scalar condition of a select of vectors.
      *fields[number] = slots.size() == 1 ? slots.front() : slots[i];
    }
    if (finish) {
      finish(inst);
    }
  }
  return success();
}

static LogicalResult decodePlain(Operation *op, Decoder &decoder) {
  return decodeElementwise(op, decoder, findOpcode(plainOps, op),
                           getKind(op->getResult(0).getType()));
}

static LogicalResult decodeCast(Operation *op, Decoder &decoder) {
  Kind from = getKind(op->getOperand(0).getType());
  if (auto truncate = dyn_cast<arith::TruncFOp>(op)) {
    auto mode = truncate.getRoundingmode();
    if (mode && *mode != arith::RoundingMode::to_nearest_even) {
      return op->emitError("expected rounding to nearest even");
    }
  }
  return decodeElementwise(
      op, decoder, findOpcode(castOps, op), getKind(op->getResult(0).getType()),
      [&](Inst &inst) { inst.aux = static_cast<uint8_t>(from); });
}

static LogicalResult decodeCompare(Operation *op, Decoder &decoder) {
  auto integers = dyn_cast<arith::CmpIOp>(op);
  auto predicate =
      integers ? static_cast<uint8_t>(integers.getPredicate())
               : static_cast<uint8_t>(cast<arith::CmpFOp>(op).getPredicate());
  return decodeElementwise(op, decoder, integers ? Opcode::CmpI : Opcode::CmpF,
                           getKind(op->getOperand(0).getType()),
                           [&](Inst &inst) { inst.aux = predicate; });
}

static LogicalResult decodeSelect(Operation *op, Decoder &decoder) {
  return decodeElementwise(op, decoder, Opcode::Select,
                           getKind(op->getResult(0).getType()));
}

/// Slots are zero-extended already.
static LogicalResult decodeExtUI(Operation *op, Decoder &decoder) {
  decoder.alias(op->getResult(0), decoder.get(op->getOperand(0)));
  return success();
}

static LogicalResult decodeClassify(Operation *op, Decoder &decoder) {
  StringRef name = op->getName().stripDialect();
  uint8_t what = name == "isnan" ? 0 : name == "isinf" ? 1 : 2;
  return decodeElementwise(op, decoder, Opcode::ClassifyF,
                           getKind(op->getOperand(0).getType()),
                           [&](Inst &inst) { inst.aux = what; });
}

static LogicalResult decodeFPowI(Operation *op, Decoder &decoder) {
  Kind kind = getKind(op->getResult(0).getType());
  Slots bases(decoder.get(op->getOperand(0)));
  Slots exponents(decoder.get(op->getOperand(1)));
  Slots results(decoder.define(op->getResult(0)));
  for (size_t i = 0; i < results.size(); ++i) {
    uint32_t exponent = decoder.newSlot();
    Inst &convert = decoder.emit(Opcode::SIToFP);
    convert.kind = kind;
    convert.aux = static_cast<uint8_t>(getKind(op->getOperand(1).getType()));
    convert.a = exponents[i];
    convert.dst = exponent;
    Inst &power = decoder.emit(Opcode::PowF);
    power.kind = kind;
    power.a = bases[i];
    power.b = exponent;
    power.dst = results[i];
  }
  return success();
}

/// The bits of an attribute's scalar.
static uint64_t getBitsOf(Attribute value) {
  if (auto real = dyn_cast<FloatAttr>(value)) {
    return real.getValue().bitcastToAPInt().getZExtValue();
  }
  return cast<IntegerAttr>(value).getValue().getZExtValue();
}

static LogicalResult decodeConstant(Operation *op, Decoder &decoder) {
  Attribute value = op->getAttr("value");
  Slots slots;
  if (auto elements = dyn_cast<DenseElementsAttr>(value)) {
    for (Attribute element : elements.getValues<Attribute>()) {
      slots.push_back(decoder.constant(getBitsOf(element)));
    }
  } else if (isa<FloatAttr, IntegerAttr>(value)) {
    slots.push_back(decoder.constant(getBitsOf(value)));
  } else {
    return op->emitError("expected a constant of numbers, but got ") << value;
  }
  decoder.alias(op->getResult(0), slots);
  return success();
}

/// Low and high halves of a product.
static LogicalResult decodeMulExtended(Operation *op, Decoder &decoder) {
  bool isSigned = op->getName().stripDialect() == "mulsi_extended";
  Kind kind = getKind(op->getOperand(0).getType());
  Slots a(decoder.get(op->getOperand(0))), b(decoder.get(op->getOperand(1)));
  Opcode ops[] = {Opcode::MulI,
                  isSigned ? Opcode::MulHighSI : Opcode::MulHighUI};
  for (unsigned half = 0; half < 2; ++half) {
    Slots results(decoder.define(op->getResult(half)));
    for (size_t i = 0; i < results.size(); ++i) {
      Inst &inst = decoder.emit(ops[half]);
      inst.kind = kind;
      inst.dst = results[i];
      inst.a = a[i];
      inst.b = b[i];
    }
  }
  return success();
}

/// Intrinsics that math expansion calls. The GPU's are approximations, of at
/// most 2 units in the last place; here they are rounded to nearest, and
/// subnormal numbers stay.
static LogicalResult decodeIntrinsic(Operation *op, Decoder &decoder) {
  StringRef name = cast<LLVM::CallIntrinsicOp>(op).getIntrin();
  static constexpr NamedOpcode known[] = {
      {"llvm.nvvm.div.full", Opcode::DivF},
      {"llvm.nvvm.ex2.approx.ftz.f32", Opcode::Exp2},
      {"llvm.nvvm.ex2.approx.f32", Opcode::Exp2},
      {"llvm.nvvm.rcp.approx.ftz.f", Opcode::Reciprocal}};
  for (const NamedOpcode &entry : known) {
    if (name == entry.name) {
      return decodeElementwise(op, decoder, entry.op,
                               getKind(op->getResult(0).getType()));
    }
  }
  return op->emitError("expected an intrinsic that the emulator knows, but "
                       "got '")
         << name << "'";
}

void mlir::fusion::emulator::addArithmeticDecoders(DecodeTable &table) {
  for (const NamedOpcode &entry : plainOps) {
    table[entry.name] = decodePlain;
  }
  for (const NamedOpcode &entry : castOps) {
    table[entry.name] = decodeCast;
  }
  table["arith.cmpi"] = table["arith.cmpf"] = decodeCompare;
  table["arith.select"] = decodeSelect;
  table["arith.extui"] = decodeExtUI;
  table["arith.mului_extended"] = table["arith.mulsi_extended"] =
      decodeMulExtended;
  table["math.isnan"] = table["math.isinf"] = table["math.isfinite"] =
      decodeClassify;
  table["math.fpowi"] = decodeFPowI;
  table["llvm.call_intrinsic"] = decodeIntrinsic;
  table["arith.constant"] = table["llvm.mlir.constant"] = decodeConstant;
}
