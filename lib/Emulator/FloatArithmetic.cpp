//===- FloatArithmetic.cpp - floats on lanes ------------------------------===//
//
// IEEE: f16 and bf16 compute in f32 and round, nothing is contracted; functions
// come from the C library.
//
//===----------------------------------------------------------------------===//

#include "FloatTraits.h"
#include "State.h"
#include <cmath>
#include <limits>

using namespace mlir::fusion::emulator;

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
    UNARY(Rsqrt, 1 / std::sqrt(x)) // As kernels do it: two roundings.
    UNARY(Reciprocal, 1 / x)
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

bool mlir::fusion::emulator::executeFloat(Slot *slots, uint32_t mask,
                                          const Inst &inst) {
  switch (inst.op) {
  case Opcode::Fma:
  case Opcode::CmpF:
  case Opcode::ClassifyF:
    executeFloatOther(slots, mask, inst);
    return true;
  default:
    return executeFloatBinary(slots, mask, inst) ||
           executeFloatUnary(slots, mask, inst);
  }
}
