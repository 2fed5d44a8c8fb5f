//===- Wgmma.cpp - asynchronous multiplies of a warpgroup -----------------===//
//
// PTX ISA, "Asynchronous warpgroup level matrix instructions". A multiply runs
// when a warp waits for it, at the latest moment; until then its registers are
// pending: reading them is a fault, copying them (a loop that carries them)
// copies that state. Sums go up in k, rounded to f32 after each product.
//
//===----------------------------------------------------------------------===//

#include "Numbers.h"
#include "State.h"
#include "Swizzle.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cstring>

using namespace mlir::fusion::emulator;
using llvm::Twine;

static constexpr unsigned rowsOfWarpgroup = 64;
static constexpr unsigned kOfInstruction = 16;

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

/// PTX ISA, "Register fragments for wgmma.mma_async.m64nNk16", D: the place of
/// register `index` of a lane in the 64 x n sums.
static size_t getPlace(unsigned warp, unsigned lane, size_t index, size_t n) {
  size_t row = warp % 4 * 16 + lane / 4 + index / 2 % 2 * 8;
  size_t column = index / 4 * 8 + lane % 4 * 2 + index % 2;
  return row * n + column;
}

bool Block::checkPendingSlot(Warp &warp, const Inst &inst, uint32_t slot) {
  auto it = warp.pending.find(slot);
  if (it == warp.pending.end()) {
    return false;
  }
  const WgmmaOp &op = warpgroups[warp.index / 4].ops[it->second.first];
  std::string text;
  llvm::raw_string_ostream os(text);
  os << program.sources[op.inst->source]->getLoc();
  launch.fail("register read too early", inst.source,
              describe(warp, 0) +
                  ": the wgmma that writes it was not waited for: " + text);
  return true;
}

/// Checks or carries on the pending operands of `inst`; true where that was
/// all there is to do.
bool Block::checkPending(Warp &warp, const Inst &inst) {
  switch (inst.op) {
  case Opcode::Move:
    if (warp.pending.count(inst.a)) {
      warp.pending[inst.dst] = warp.pending[inst.a];
      return true;
    }
    warp.pending.erase(inst.dst);
    return false;
  case Opcode::Store:
  case Opcode::StMatrix:
    for (uint32_t slot : program.getList(inst, static_cast<size_t>(inst.imm))) {
      if (checkPendingSlot(warp, inst, slot)) {
        return true;
      }
    }
    return false;
  case Opcode::Shuffle:
    return checkPendingSlot(warp, inst, inst.b);
  default:
    break;
  }
  Counters::Class type = getClass(inst.op);
  if (type != Counters::Integer && type != Counters::Float) {
    return false;
  }
  return checkPendingSlot(warp, inst, inst.a) ||
         checkPendingSlot(warp, inst, inst.b) ||
         checkPendingSlot(warp, inst, inst.c);
}

/// Hands the sums of complete multiplies to the warp's registers.
void Block::publish(Warp &warp, size_t done) {
  const Warpgroup &group = warpgroups[warp.index / 4];
  for (auto it = warp.pending.begin(); it != warp.pending.end();) {
    auto [slot, origin] = *it;
    auto [number, index] = origin;
    if (number >= done) {
      ++it;
      continue;
    }
    const WgmmaOp &op = group.ops[number];
    auto n = static_cast<size_t>(op.inst->imm);
    for (unsigned lane = 0; lane < 32; ++lane) {
      warp.slots[slot].lane[lane] = llvm::bit_cast<uint32_t>(
          (*op.sums)[getPlace(warp.index, lane, index, n)]);
    }
    it = warp.pending.erase(it);
  }
}

/// PTX ISA, "Register fragments for wgmma.mma_async.m64nNk16", A: takes this
/// warp's rows of a from its four registers.
void Block::takeLeft(Warp &warp, const Inst &inst,
                     llvm::ArrayRef<uint32_t> words, WgmmaOp &op) {
  op.left.resize(size_t(rowsOfWarpgroup) * kOfInstruction);
  for (auto [word, slot] : llvm::enumerate(words)) {
    if (checkPendingSlot(warp, inst, slot)) {
      return;
    }
    for (unsigned lane = 0; lane < 32; ++lane) {
      for (unsigned half = 0; half < 2; ++half) {
        size_t row = warp.index % 4 * 16 + lane / 4 + word % 2 * 8;
        size_t k = word / 2 * 8 + lane % 4 * 2 + half;
        auto bits =
            static_cast<uint16_t>(warp.slots[slot].lane[lane] >> half * 16);
        op.left[row * kOfInstruction + k] =
            inst.kind == Kind::F16 ? fromHalf(bits) : fromBFloat(bits);
      }
    }
  }
}

//===----------------------------------------------------------------------===//
// Issue
//===----------------------------------------------------------------------===//

void Block::wgmma(Warp &warp, const Inst &inst) {
  if (!requireConverged(warp, inst)) {
    return;
  }
  Warpgroup &group = warpgroups[warp.index / 4];
  auto n = static_cast<size_t>(inst.imm);
  bool takesRegisters = inst.aux & WgmmaRegistersA;
  llvm::ArrayRef<uint32_t> sources = program.getList(inst, n / 2);
  auto chained = warp.pending.find(sources.front());
  bool isChained = chained != warp.pending.end();
  if ((!isChained || takesRegisters) && !warp.isFenced) {
    launch.report("missing wgmma.fence", inst.source,
                  describe(warp, 0) +
                      ": the registers that it takes were accessed and no "
                      "wgmma.fence followed");
  }
  size_t number = warp.issued++;
  bool isFirst = number == group.ops.size();
  if (isFirst) {
    WgmmaOp op;
    op.inst = &inst;
    op.a = warp.slots[inst.a].lane[0];
    op.b = warp.slots[inst.b].lane[0];
    op.sums = isChained
                  ? group.ops[chained->second.first].sums
                  : std::make_shared<std::vector<float>>(rowsOfWarpgroup * n);
    group.ops.push_back(std::move(op));
  }
  WgmmaOp &op = group.ops[number];
  bool same = op.inst == &inst;
  forLanes(warp.mask, [&](unsigned lane) {
    same &= warp.slots[inst.a].lane[lane] == op.a &&
            warp.slots[inst.b].lane[lane] == op.b;
  });
  if (!same) {
    launch.fail("divergent warpgroup", inst.source,
                describe(warp, 0) +
                    ": the warps of a warpgroup execute "
                    "different multiplies, or with different descriptors");
    return;
  }
  if (takesRegisters) {
    takeLeft(warp, inst, program.getList(inst, n / 2 + 4).take_back(4), op);
  }
  op.warps |= 1u << warp.index % 4;
  release(warp);
  op.clock.join(warp.clock);
  for (auto [index, slot] : llvm::enumerate(sources)) {
    if (isChained) {
      warp.pending.erase(slot);
    } else {
      for (unsigned lane = 0; lane < 32; ++lane) {
        (*op.sums)[getPlace(warp.index, lane, index, n)] =
            llvm::bit_cast<float>(
                static_cast<uint32_t>(warp.slots[slot].lane[lane]));
      }
    }
  }
  for (uint32_t index = 0; index < n / 2; ++index) {
    warp.pending[inst.dst + index] = {static_cast<uint32_t>(number), index};
  }
}

Step Block::wgmmaWait(Warp &warp, const Inst &inst) {
  if (!requireConverged(warp, inst)) {
    return Step::Next;
  }
  Warpgroup &group = warpgroups[warp.index / 4];
  auto pending = static_cast<size_t>(inst.imm);
  size_t done = warp.commits.size() > pending
                    ? warp.commits[warp.commits.size() - 1 - pending]
                    : 0;
  for (size_t i = group.numDone; i < done; ++i) {
    if (group.ops[i].warps != wholeWarpgroup) {
      warp.waiting = Waiting::Warpgroup;
      return Step::Wait;
    }
  }
  while (group.numDone < done && !launch.isFailed) {
    completeWgmma(warp.index / 4, group.ops[group.numDone]);
    ++group.numDone;
  }
  warp.clock.advance(getAgent(AgentKind::Wgmma, warp.index / 4),
                     static_cast<uint32_t>(done));
  publish(warp, done);
  warp.isFenced = false;
  return Step::Next;
}

//===----------------------------------------------------------------------===//
// The multiply
//===----------------------------------------------------------------------===//

namespace {
/// PTX ISA, "Matrix descriptor format". Sizes in bytes.
struct Descriptor {
  uint32_t start, leading, stride, swizzleBytes;
  bool isKnown;

  explicit Descriptor(uint64_t bits)
      : start(static_cast<uint32_t>(bits & 0x3FFF) << 4),
        leading(static_cast<uint32_t>(bits >> 16 & 0x3FFF) << 4),
        stride(static_cast<uint32_t>(bits >> 32 & 0x3FFF) << 4) {
    static constexpr uint32_t widths[] = {0, 128, 64, 32};
    swizzleBytes = widths[bits >> 62];
    isKnown = (bits >> 49 & 7) == 0;
  }

  /// PTX ISA, "Strides" and "Canonical layouts": where the element stands that
  /// is `line` along m or n and `k` along k, before the swizzle.
  uint32_t getAddress(uint32_t line, uint32_t k, bool mnMajor) const {
    constexpr uint32_t elementBytes = 2;
    if (mnMajor) {
      // Rows of one swizzle width along m or n; 8 of them along k.
      uint32_t perRow = swizzleBytes / elementBytes;
      return start + line / perRow * leading + k / 8 * stride +
             k % 8 * swizzleBytes + line % perRow * elementBytes;
    }
    uint32_t byte = k * elementBytes;
    if (!swizzleBytes) {
      return start + line / 8 * stride + line % 8 * 16 + byte / 16 * leading +
             byte % 16;
    }
    return start + line / 8 * stride + line % 8 * swizzleBytes + byte;
  }
};
} // namespace

/// Reads an operand to `out`: lines x 16, k fastest.
bool Block::readOperand(unsigned warpgroup, const WgmmaOp &op,
                        uint64_t descriptorBits, bool mnMajor, unsigned lines,
                        std::vector<float> &out) {
  Descriptor descriptor(descriptorBits);
  Warp &warp = warps[warpgroup * 4];
  if (!descriptor.isKnown || (mnMajor && !descriptor.swizzleBytes)) {
    launch.fail("wgmma", op.inst->source,
                "expected a descriptor without base offset, swizzled where it "
                "is not K-major, but got 0x" +
                    llvm::utohexstr(descriptorBits));
    return false;
  }
  Event event;
  event.block = number;
  event.agent = static_cast<uint16_t>(getAgent(AgentKind::Wgmma, warpgroup));
  event.warp = static_cast<uint16_t>(warp.index);
  event.time =
      static_cast<uint32_t>(&op - warpgroups[warpgroup].ops.data()) + 1;
  event.source = op.inst->source;
  event.async = true;
  launch.shadow.begin(event, op.clock);
  out.resize(size_t(lines) * kOfInstruction);
  // Eight elements, 16 bytes, lie together whatever the swizzle.
  unsigned outer = mnMajor ? kOfInstruction : lines;
  unsigned inner = mnMajor ? lines : kOfInstruction;
  for (unsigned i = 0; i < outer; ++i) {
    for (unsigned j = 0; j < inner; j += 8) {
      uint32_t address = mnMajor ? descriptor.getAddress(j, i, true)
                                 : descriptor.getAddress(i, j, false);
      address = swizzle(address, descriptor.swizzleBytes);
      Place place;
      if (!resolve(*op.inst, warp, 0, Space::Shared, address, 16, 16, place)) {
        return false;
      }
      touch(place, 16, manyLanes, false, event);
      for (unsigned e = 0; e < 8; ++e) {
        uint16_t bits;
        std::memcpy(&bits, place.data + 2 * e, 2);
        size_t at = mnMajor ? size_t(j + e) * kOfInstruction + i
                            : size_t(i) * kOfInstruction + j + e;
        out[at] =
            op.inst->kind == Kind::F16 ? fromHalf(bits) : fromBFloat(bits);
      }
    }
  }
  launch.result.counters.sharedReadBytes += int64_t(lines) * 32;
  return true;
}

void Block::completeWgmma(unsigned warpgroup, WgmmaOp &op) {
  auto n = static_cast<unsigned>(op.inst->imm);
  std::vector<float> a, b;
  if (op.inst->aux & WgmmaRegistersA) {
    a = std::move(op.left);
  } else if (!readOperand(warpgroup, op, op.a, op.inst->aux & WgmmaMajorMA,
                          rowsOfWarpgroup, a)) {
    return;
  }
  if (!readOperand(warpgroup, op, op.b, op.inst->aux & WgmmaMajorNB, n, b)) {
    return;
  }
  std::vector<float> transposed(b.size());
  for (unsigned column = 0; column < n; ++column) {
    for (unsigned k = 0; k < kOfInstruction; ++k) {
      transposed[size_t(k) * n + column] =
          b[size_t(column) * kOfInstruction + k];
    }
  }
  for (unsigned row = 0; row < rowsOfWarpgroup; ++row) {
    float *sums = op.sums->data() + size_t(row) * n;
    for (unsigned k = 0; k < kOfInstruction; ++k) {
      float factor = a[size_t(row) * kOfInstruction + k];
      const float *line = transposed.data() + size_t(k) * n;
      for (unsigned column = 0; column < n; ++column) {
        sums[column] += factor * line[column];
      }
    }
  }
  op.clock = Clock();
}
