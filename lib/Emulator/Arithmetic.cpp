//===- Arithmetic.cpp - numbers on lanes ----------------------------------===//
//
// Integers wrap at their width. Floats are IEEE: f16 and bf16 compute in f32
// and round, nothing is contracted; functions come from the C library.
//
//===----------------------------------------------------------------------===//

#include "Numbers.h"
#include "State.h"
#include <cmath>
#include <limits>

using namespace mlir::fusion::emulator;

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

namespace {
/// How a kind of float computes.
struct F32 {
  using Type = float;
  static float get(uint64_t bits) {
    return llvm::bit_cast<float>(uint32_t(bits));
  }
  static uint64_t put(float value) { return llvm::bit_cast<uint32_t>(value); }
};
struct F64 {
  using Type = double;
  static double get(uint64_t bits) { return llvm::bit_cast<double>(bits); }
  static uint64_t put(double value) { return llvm::bit_cast<uint64_t>(value); }
};
struct F16 {
  using Type = float;
  static float get(uint64_t bits) { return fromHalf(uint16_t(bits)); }
  static uint64_t put(float value) { return toHalf(value); }
};
struct BF16 {
  using Type = float;
  static float get(uint64_t bits) { return fromBFloat(uint16_t(bits)); }
  static uint64_t put(float value) { return toBFloat(value); }
};
} // namespace

/// Calls `fn` with the traits of `kind`.
template <typename Fn> static void withFloat(Kind kind, Fn fn) {
  switch (kind) {
  case Kind::F16:
    return fn(F16());
  case Kind::BF16:
    return fn(BF16());
  case Kind::F64:
    return fn(F64());
  default:
    return fn(F32());
  }
}

template <typename Fn>
static bool binaryF(Slot *slots, uint32_t mask, const Inst &inst, Fn fn) {
  Slot &d = slots[inst.dst];
  const Slot &a = slots[inst.a], &b = slots[inst.b];
  withFloat(inst.kind, [&](auto traits) {
    forLanes(mask, [&](unsigned i) {
      d.lane[i] = traits.put(fn(traits.get(a.lane[i]), traits.get(b.lane[i])));
    });
  });
  return true;
}

template <typename Fn>
static bool unaryF(Slot *slots, uint32_t mask, const Inst &inst, Fn fn) {
  Slot &d = slots[inst.dst];
  const Slot &a = slots[inst.a];
  withFloat(inst.kind, [&](auto traits) {
    forLanes(mask, [&](unsigned i) {
      using T = typename decltype(traits)::Type;
      d.lane[i] = traits.put(static_cast<T>(fn(traits.get(a.lane[i]))));
    });
  });
  return true;
}

/// arith.minimumf and maximumf: NaN wins, -0 is below 0.
template <typename T> static T minimum(T a, T b) {
  if (std::isnan(a) || std::isnan(b)) {
    return std::numeric_limits<T>::quiet_NaN();
  }
  return a == b ? (std::signbit(a) ? a : b) : (a < b ? a : b);
}
template <typename T> static T maximum(T a, T b) {
  if (std::isnan(a) || std::isnan(b)) {
    return std::numeric_limits<T>::quiet_NaN();
  }
  return a == b ? (std::signbit(a) ? b : a) : (a > b ? a : b);
}

static bool executeFloatBinary(Slot *slots, uint32_t mask, const Inst &inst) {
  switch (inst.op) {
  case Opcode::AddF:
    return binaryF(slots, mask, inst, [](auto a, auto b) { return a + b; });
  case Opcode::SubF:
    return binaryF(slots, mask, inst, [](auto a, auto b) { return a - b; });
  case Opcode::MulF:
    return binaryF(slots, mask, inst, [](auto a, auto b) { return a * b; });
  case Opcode::DivF:
    return binaryF(slots, mask, inst, [](auto a, auto b) { return a / b; });
  case Opcode::RemF:
    return binaryF(slots, mask, inst,
                   [](auto a, auto b) { return std::fmod(a, b); });
  case Opcode::MinimumF:
    return binaryF(slots, mask, inst,
                   [](auto a, auto b) { return minimum(a, b); });
  case Opcode::MaximumF:
    return binaryF(slots, mask, inst,
                   [](auto a, auto b) { return maximum(a, b); });
  case Opcode::MinNumF:
    return binaryF(slots, mask, inst,
                   [](auto a, auto b) { return std::fmin(a, b); });
  case Opcode::MaxNumF:
    return binaryF(slots, mask, inst,
                   [](auto a, auto b) { return std::fmax(a, b); });
  case Opcode::PowF:
    return binaryF(slots, mask, inst,
                   [](auto a, auto b) { return std::pow(a, b); });
  case Opcode::Atan2:
    return binaryF(slots, mask, inst,
                   [](auto a, auto b) { return std::atan2(a, b); });
  case Opcode::CopySign:
    return binaryF(slots, mask, inst,
                   [](auto a, auto b) { return std::copysign(a, b); });
  default:
    return false;
  }
}

#define UNARY(opcode, expression)                                              \
  case Opcode::opcode:                                                         \
    return unaryF(slots, mask, inst, [](auto x) { return expression; });

static bool executeFloatUnary(Slot *slots, uint32_t mask, const Inst &inst) {
  switch (inst.op) {
    UNARY(NegF, -x)
    UNARY(AbsF, std::fabs(x))
    UNARY(Exp, std::exp(x))
    UNARY(Exp2, std::exp2(x))
    UNARY(ExpM1, std::expm1(x))
    UNARY(Log, std::log(x))
    UNARY(Log2, std::log2(x))
    UNARY(Log10, std::log10(x))
    UNARY(Log1P, std::log1p(x))
    UNARY(Sqrt, std::sqrt(x))
    UNARY(Rsqrt, 1.0 / std::sqrt(static_cast<double>(x)))
    UNARY(Cbrt, std::cbrt(x))
    UNARY(Erf, std::erf(x))
    UNARY(Erfc, std::erfc(x))
    UNARY(Tanh, std::tanh(x))
    UNARY(Sin, std::sin(x))
    UNARY(Cos, std::cos(x))
    UNARY(Tan, std::tan(x))
    UNARY(Asin, std::asin(x))
    UNARY(Acos, std::acos(x))
    UNARY(Atan, std::atan(x))
    UNARY(Sinh, std::sinh(x))
    UNARY(Cosh, std::cosh(x))
    UNARY(Asinh, std::asinh(x))
    UNARY(Acosh, std::acosh(x))
    UNARY(Atanh, std::atanh(x))
    UNARY(Floor, std::floor(x))
    UNARY(Ceil, std::ceil(x))
    UNARY(Round, std::round(x))
    UNARY(RoundEven, std::nearbyint(x))
    UNARY(Trunc, std::trunc(x))
  default:
    return false;
  }
}
#undef UNARY

/// The predicates of arith.cmpf: 1 to 7 are the relations ==, > and < as bits
/// 0 to 2, 8 to 13 the same (from == on) or unordered.
static bool compareF(uint8_t predicate, double a, double b) {
  constexpr unsigned unordered = 8, lastUnordered = 13, always = 15;
  unsigned accepted = predicate;
  if (predicate > lastUnordered) {
    accepted = predicate == always ? always : unordered;
  } else if (predicate > 7) {
    accepted = unordered | (predicate - 7u);
  }
  unsigned is = std::isnan(a) || std::isnan(b) ? unordered
                : a == b                       ? 1
                : a > b                        ? 2
                                               : 4;
  return (accepted & is) != 0;
}

static void executeFloatOther(Slot *slots, uint32_t mask, const Inst &inst) {
  Slot &d = slots[inst.dst];
  const Slot &a = slots[inst.a], &b = slots[inst.b], &c = slots[inst.c];
  withFloat(inst.kind, [&](auto traits) {
    forLanes(mask, [&](unsigned i) {
      auto x = traits.get(a.lane[i]);
      if (inst.op == Opcode::Fma) {
        d.lane[i] = traits.put(
            std::fma(x, traits.get(b.lane[i]), traits.get(c.lane[i])));
      } else if (inst.op == Opcode::CmpF) {
        d.lane[i] = compareF(inst.aux, x, traits.get(b.lane[i]));
      } else {
        d.lane[i] = inst.aux == 0   ? std::isnan(x)
                    : inst.aux == 1 ? std::isinf(x)
                                    : std::isfinite(x);
      }
    });
  });
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

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

static bool executeConversion(Slot *slots, uint32_t mask, const Inst &inst) {
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

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

template <typename Fn>
static bool binaryU(Slot *slots, uint32_t mask, const Inst &inst, Fn fn) {
  Slot &d = slots[inst.dst];
  const Slot &a = slots[inst.a], &b = slots[inst.b];
  unsigned bits = getBits(inst.kind);
  uint64_t ones = maskTo(~uint64_t(0), bits);
  forLanes(mask,
           [&](unsigned i) { d.lane[i] = fn(a.lane[i], b.lane[i]) & ones; });
  return true;
}

template <typename Fn>
static bool binaryS(Slot *slots, uint32_t mask, const Inst &inst, Fn fn) {
  unsigned bits = getBits(inst.kind);
  return binaryU(slots, mask, inst, [&](uint64_t a, uint64_t b) {
    return static_cast<uint64_t>(fn(signExtend(a, bits), signExtend(b, bits)));
  });
}

/// What a GPU's division by zero gives: all ones (the remainder: the dividend).
/// The compiler guards divisions that a user's numbers can reach.
static uint64_t divideU(uint64_t a, uint64_t b) { return b ? a / b : ~0ull; }
static int64_t divideS(int64_t a, int64_t b) {
  // The one overflow wraps.
  return b == 0 ? -1 : b == -1 ? static_cast<int64_t>(0 - uint64_t(a)) : a / b;
}

static bool executeDivision(Slot *slots, uint32_t mask, const Inst &inst) {
  switch (inst.op) {
  case Opcode::DivUI:
    return binaryU(slots, mask, inst, divideU);
  case Opcode::DivSI:
    return binaryS(slots, mask, inst, divideS);
  case Opcode::CeilDivUI:
    return binaryU(slots, mask, inst, [](uint64_t a, uint64_t b) {
      return b ? a / b + (a % b != 0) : ~0ull;
    });
  case Opcode::CeilDivSI:
    return binaryS(slots, mask, inst, [](int64_t a, int64_t b) {
      int64_t q = divideS(a, b);
      return b > 0 || b < -1 ? q + (q * b != a && (a > 0) == (b > 0)) : q;
    });
  case Opcode::FloorDivSI:
    return binaryS(slots, mask, inst, [](int64_t a, int64_t b) {
      int64_t q = divideS(a, b);
      return b > 0 || b < -1 ? q - (q * b != a && (a > 0) != (b > 0)) : q;
    });
  case Opcode::RemUI:
    return binaryU(slots, mask, inst,
                   [](uint64_t a, uint64_t b) { return b ? a % b : a; });
  case Opcode::RemSI:
    return binaryS(slots, mask, inst, [](int64_t a, int64_t b) {
      return b == 0 ? a : b == -1 ? 0 : a % b;
    });
  default:
    return false;
  }
}

static bool executeMulHigh(Slot *slots, uint32_t mask, const Inst &inst) {
  unsigned bits = getBits(inst.kind);
  if (inst.op == Opcode::MulHighSI) {
    return binaryS(slots, mask, inst, [=](int64_t a, int64_t b) {
      return static_cast<int64_t>(static_cast<__int128>(a) * b >> bits);
    });
  }
  return binaryU(slots, mask, inst, [=](uint64_t a, uint64_t b) {
    return static_cast<uint64_t>(static_cast<unsigned __int128>(a) * b >> bits);
  });
}

/// Shifts by the width or more give 0 (the sign), as PTX's do.
static bool executeBits(Slot *slots, uint32_t mask, const Inst &inst) {
  unsigned bits = getBits(inst.kind);
  switch (inst.op) {
  case Opcode::AndI:
    return binaryU(slots, mask, inst,
                   [](uint64_t a, uint64_t b) { return a & b; });
  case Opcode::OrI:
    return binaryU(slots, mask, inst,
                   [](uint64_t a, uint64_t b) { return a | b; });
  case Opcode::XorI:
    return binaryU(slots, mask, inst,
                   [](uint64_t a, uint64_t b) { return a ^ b; });
  case Opcode::ShlI:
    return binaryU(slots, mask, inst, [=](uint64_t a, uint64_t b) {
      return b < bits ? a << b : 0;
    });
  case Opcode::ShrUI:
    return binaryU(slots, mask, inst, [=](uint64_t a, uint64_t b) {
      return b < bits ? a >> b : 0;
    });
  case Opcode::ShrSI:
    return binaryU(slots, mask, inst, [=](uint64_t a, uint64_t b) {
      return static_cast<uint64_t>(signExtend(a, bits) >>
                                   std::min<uint64_t>(b, bits - 1));
    });
  default:
    return false;
  }
}

static bool executeIntegerBinary(Slot *slots, uint32_t mask, const Inst &inst) {
  switch (inst.op) {
  case Opcode::AddI:
    return binaryU(slots, mask, inst,
                   [](uint64_t a, uint64_t b) { return a + b; });
  case Opcode::SubI:
    return binaryU(slots, mask, inst,
                   [](uint64_t a, uint64_t b) { return a - b; });
  case Opcode::MulI:
    return binaryU(slots, mask, inst,
                   [](uint64_t a, uint64_t b) { return a * b; });
  case Opcode::MulHighUI:
  case Opcode::MulHighSI:
    return executeMulHigh(slots, mask, inst);
  case Opcode::MinUI:
    return binaryU(slots, mask, inst,
                   [](uint64_t a, uint64_t b) { return std::min(a, b); });
  case Opcode::MaxUI:
    return binaryU(slots, mask, inst,
                   [](uint64_t a, uint64_t b) { return std::max(a, b); });
  case Opcode::MinSI:
    return binaryS(slots, mask, inst,
                   [](int64_t a, int64_t b) { return std::min(a, b); });
  case Opcode::MaxSI:
    return binaryS(slots, mask, inst,
                   [](int64_t a, int64_t b) { return std::max(a, b); });
  default:
    return executeBits(slots, mask, inst) || executeDivision(slots, mask, inst);
  }
}

/// The predicates of arith.cmpi.
static bool compareI(uint8_t predicate, uint64_t a, uint64_t b, unsigned bits) {
  int64_t x = signExtend(a, bits), y = signExtend(b, bits);
  switch (static_cast<Compare>(predicate)) {
  case Compare::EQ:
    return a == b;
  case Compare::NE:
    return a != b;
  case Compare::SLT:
    return x < y;
  case Compare::SLE:
    return x <= y;
  case Compare::SGT:
    return x > y;
  case Compare::SGE:
    return x >= y;
  case Compare::ULT:
    return a < b;
  case Compare::ULE:
    return a <= b;
  case Compare::UGT:
    return a > b;
  case Compare::UGE:
    return a >= b;
  }
  return false;
}

static uint64_t countBits(Opcode op, uint64_t x, unsigned bits) {
  switch (op) {
  case Opcode::CountOnes:
    return static_cast<uint64_t>(__builtin_popcountll(x));
  case Opcode::CountLeadingZeros:
    return x ? static_cast<uint64_t>(__builtin_clzll(x)) - (64 - bits) : bits;
  case Opcode::CountTrailingZeros:
    return x ? static_cast<uint64_t>(__builtin_ctzll(x)) : bits;
  default: // AbsI
    return maskTo(x >> (bits - 1) & 1 ? 0 - x : x, bits);
  }
}

static bool executeIntegerOther(Slot *slots, uint32_t mask, const Inst &inst) {
  Slot &d = slots[inst.dst];
  const Slot &a = slots[inst.a], &b = slots[inst.b], &c = slots[inst.c];
  unsigned bits = getBits(inst.kind);
  auto each = [&](auto fn) {
    forLanes(mask, [&](unsigned i) { d.lane[i] = fn(i); });
    return true;
  };
  switch (inst.op) {
  case Opcode::CmpI:
    return each([&](unsigned i) {
      return compareI(inst.aux, a.lane[i], b.lane[i], bits);
    });
  case Opcode::Select:
    return each([&](unsigned i) { return a.lane[i] ? b.lane[i] : c.lane[i]; });
  case Opcode::Move:
    return each([&](unsigned i) { return a.lane[i]; });
  case Opcode::AddImm:
    return each([&](unsigned i) { return a.lane[i] + int64_t(inst.imm); });
  case Opcode::AddScaled: {
    unsigned from = getBits(static_cast<Kind>(inst.aux));
    return each([&](unsigned i) {
      return a.lane[i] +
             static_cast<uint64_t>(signExtend(b.lane[i], from) * inst.imm);
    });
  }
  case Opcode::ExtractBits:
    return each(
        [&](unsigned i) { return maskTo(a.lane[i] >> inst.imm, bits); });
  case Opcode::InsertBits:
    return each([&](unsigned i) { return d.lane[i] | a.lane[i] << inst.imm; });
  case Opcode::AbsI:
  case Opcode::CountOnes:
  case Opcode::CountLeadingZeros:
  case Opcode::CountTrailingZeros:
    return each(
        [&](unsigned i) { return countBits(inst.op, a.lane[i], bits); });
  default:
    return false;
  }
}

bool mlir::fusion::emulator::executeArithmetic(Slot *slots, uint32_t mask,
                                               const Inst &inst) {
  switch (inst.op) {
  case Opcode::Fma:
  case Opcode::CmpF:
  case Opcode::ClassifyF:
    executeFloatOther(slots, mask, inst);
    return true;
  default:
    break;
  }
  if (getClass(inst.op) == Counters::Integer) {
    return executeIntegerOther(slots, mask, inst) ||
           executeIntegerBinary(slots, mask, inst) ||
           executeConversion(slots, mask, inst);
  }
  return executeFloatBinary(slots, mask, inst) ||
         executeConversion(slots, mask, inst) ||
         executeFloatUnary(slots, mask, inst);
}
