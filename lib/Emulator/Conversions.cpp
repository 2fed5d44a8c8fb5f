//===- Conversions.cpp - between integers and floats ----------------------===//

#include "FloatTraits.h"
#include "State.h"
#include <cmath>

using namespace mlir::fusion::emulator;

/// A double to `kind`, rounded once.
static uint64_t roundTo(Kind kind, double value) {
  switch (kind) {
  case Kind::F64:
    return F64::put(value);
  case Kind::F32:
    return F32::put(static_cast<float>(value));
  case Kind::F16:
    return toHalf(roundToOdd(value));
  default:
    return toBFloat(roundToOdd(value));
  }
}

static double toDouble(Kind kind, uint64_t bits) {
  double value = 0;
  withFloat(kind, [&](auto traits) { value = traits.get(bits); });
  return value;
}

/// As PTX's cvt.rzi does it: out of range saturates, NaN is 0.
static uint64_t toInteger(double value, bool isSigned, unsigned bits) {
  if (std::isnan(value)) {
    return 0;
  }
  double low = isSigned ? -std::ldexp(1.0, int(bits) - 1) : 0;
  double high = std::ldexp(1.0, isSigned ? int(bits) - 1 : int(bits));
  value = std::trunc(value);
  if (value < low) {
    value = low;
  }
  if (value >= high) {
    return isSigned ? maskTo(~uint64_t(0), bits - 1)
                    : maskTo(~uint64_t(0), bits);
  }
  return maskTo(isSigned ? static_cast<uint64_t>(static_cast<int64_t>(value))
                         : static_cast<uint64_t>(value),
                bits);
}

bool mlir::fusion::emulator::executeConversion(Slot *slots, uint32_t mask,
                                               const Inst &inst) {
  Slot &d = slots[inst.dst];
  const Slot &a = slots[inst.a];
  Kind from = static_cast<Kind>(inst.aux);
  unsigned bits = getBits(inst.kind), fromBits = getBits(from);
  auto each = [&](auto fn) {
    forLanes(mask, [&](unsigned i) { d.lane[i] = fn(a.lane[i]); });
    return true;
  };
  switch (inst.op) {
  case Opcode::ExtSI:
    return each([&](uint64_t x) {
      return maskTo(static_cast<uint64_t>(signExtend(x, fromBits)), bits);
    });
  case Opcode::TruncI:
    return each([&](uint64_t x) { return maskTo(x, bits); });
  case Opcode::ConvertF:
    if (from == Kind::F32 && inst.kind == Kind::F16) {
      return each([](uint64_t x) { return toHalf(F32::get(x)); });
    }
    if (from == Kind::F32 && inst.kind == Kind::BF16) {
      return each([](uint64_t x) { return toBFloat(F32::get(x)); });
    }
    return each(
        [&](uint64_t x) { return roundTo(inst.kind, toDouble(from, x)); });
  case Opcode::SIToFP:
    return each([&](uint64_t x) {
      int64_t value = signExtend(x, fromBits);
      return inst.kind == Kind::F32 ? F32::put(static_cast<float>(value))
                                    : roundTo(inst.kind, double(value));
    });
  case Opcode::UIToFP:
    return each([&](uint64_t x) {
      return inst.kind == Kind::F32 ? F32::put(static_cast<float>(x))
                                    : roundTo(inst.kind, double(x));
    });
  case Opcode::FPToSI:
    return each(
        [&](uint64_t x) { return toInteger(toDouble(from, x), true, bits); });
  case Opcode::FPToUI:
    return each(
        [&](uint64_t x) { return toInteger(toDouble(from, x), false, bits); });
  default:
    return false;
  }
}
