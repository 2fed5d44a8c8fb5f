//===- IntegerArithmetic.cpp - integers on lanes --------------------------===//
//
// Integers wrap at their width.
//
//===----------------------------------------------------------------------===//

#include "Numbers.h"
#include "State.h"

using namespace mlir::fusion::emulator;

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
      return a.lane[i] + static_cast<uint64_t>(signExtend(b.lane[i], from)) *
                             static_cast<uint64_t>(int64_t(inst.imm));
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

bool mlir::fusion::emulator::executeInteger(Slot *slots, uint32_t mask,
                                            const Inst &inst) {
  return executeIntegerOther(slots, mask, inst) ||
         executeIntegerBinary(slots, mask, inst);
}
