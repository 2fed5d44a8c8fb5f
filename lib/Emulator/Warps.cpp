//===- Warps.cpp - what the lanes of a warp do together -------------------===//

#include "Numbers.h"
#include "State.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir::fusion::emulator;
using llvm::Twine;

static std::string hexMask(uint32_t mask) {
  return "0x" + llvm::utohexstr(mask);
}

/// PTX ISA, "shfl.sync" and others: each lane that the mask names executes the
/// same instruction, and each that executes it is named.
bool Block::checkMembers(Warp &warp, const Inst &inst, uint32_t slot) {
  bool fine = true;
  forLanes(warp.mask, [&](unsigned lane) {
    auto members = static_cast<uint32_t>(warp.slots[slot].lane[lane]);
    if (fine && (members & warp.full) != warp.mask) {
      fine = false;
      launch.fail("divergent warp-synchronous op", inst.source,
                  describe(warp, lane) + ": the mask names the lanes " +
                      hexMask(members) + ", but the lanes " +
                      hexMask(warp.mask) + " are here");
    }
  });
  return fine;
}

/// For ops with `.aligned` and no mask.
bool Block::requireConverged(Warp &warp, const Inst &inst) {
  if (warp.mask == warp.full) {
    return true;
  }
  launch.fail("divergent warp-synchronous op", inst.source,
              describe(warp, static_cast<unsigned>(__builtin_ctz(warp.mask))) +
                  ": expected all lanes of the warp, but only " +
                  hexMask(warp.mask) + " are here");
  return false;
}

/// PTX ISA, "shfl.sync": the pseudo code of its description.
void Block::shuffle(Warp &warp, const Inst &inst) {
  llvm::ArrayRef<uint32_t> list = program.getList(inst, 3);
  if (!checkMembers(warp, inst, list[0])) {
    return;
  }
  enum Mode : uint8_t { Bfly, Up, Down, Index };
  Slot values = warp.slots[inst.b];
  const Slot offsets = warp.slots[list[1]], clamps = warp.slots[list[2]];
  forLanes(warp.mask, [&](unsigned lane) {
    auto b = static_cast<int>(offsets.lane[lane] & 31);
    auto c = static_cast<uint32_t>(clamps.lane[lane]);
    int segment = static_cast<int>(c >> 8 & 31), clamp = int(c & 31);
    int self = static_cast<int>(lane);
    int most = (self & segment) | (clamp & ~segment & 31);
    int least = self & segment;
    int from = self;
    bool valid = false;
    switch (inst.aux) {
    case Bfly:
      from = self ^ b;
      valid = from <= most;
      break;
    case Up:
      from = self - b;
      valid = from >= most;
      break;
    case Down:
      from = self + b;
      valid = from <= most;
      break;
    default:
      from = least | (b & ~segment & 31);
      valid = from <= most;
      break;
    }
    from = valid ? from : self;
    if (!(warp.mask >> from & 1)) {
      launch.report("shuffle from an inactive lane", inst.source,
                    describe(warp, lane) + " reads lane " + Twine(from));
    }
    warp.slots[inst.dst].lane[lane] = values.lane[from];
    if (inst.c) {
      warp.slots[inst.c - 1].lane[lane] = valid;
    }
  });
}

void Block::vote(Warp &warp, const Inst &inst) {
  if (!checkMembers(warp, inst, inst.a)) {
    return;
  }
  uint32_t ballot = 0;
  forLanes(warp.mask, [&](unsigned lane) {
    ballot |= static_cast<uint32_t>(warp.slots[inst.b].lane[lane] & 1) << lane;
  });
  enum Mode : uint8_t { Any, All, Ballot, Uniform };
  uint64_t result = inst.aux == Any      ? ballot != 0
                    : inst.aux == All    ? ballot == warp.mask
                    : inst.aux == Ballot ? ballot
                                         : ballot == 0 || ballot == warp.mask;
  forLanes(warp.mask,
           [&](unsigned lane) { warp.slots[inst.dst].lane[lane] = result; });
}

/// PTX ISA, "redux.sync", on 32-bit integers.
void Block::redux(Warp &warp, const Inst &inst) {
  if (!checkMembers(warp, inst, inst.a)) {
    return;
  }
  enum Mode : uint8_t { Add = 1, And, Max, Min, Or, UMax, UMin, Xor };
  bool first = true;
  uint32_t sum = 0;
  forLanes(warp.mask, [&](unsigned lane) {
    auto x = static_cast<uint32_t>(warp.slots[inst.b].lane[lane]);
    auto a = static_cast<int32_t>(sum), b = static_cast<int32_t>(x);
    if (first) {
      sum = x;
      first = false;
      return;
    }
    switch (inst.aux) {
    case Add:
      sum += x;
      break;
    case And:
      sum &= x;
      break;
    case Max:
      sum = static_cast<uint32_t>(std::max(a, b));
      break;
    case Min:
      sum = static_cast<uint32_t>(std::min(a, b));
      break;
    case Or:
      sum |= x;
      break;
    case UMax:
      sum = std::max(sum, x);
      break;
    case UMin:
      sum = std::min(sum, x);
      break;
    default:
      sum ^= x;
      break;
    }
  });
  forLanes(warp.mask,
           [&](unsigned lane) { warp.slots[inst.dst].lane[lane] = sum; });
}
