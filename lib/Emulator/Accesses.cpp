//===- Accesses.cpp - loads and stores, checked and counted ---------------===//

#include "Numbers.h"
#include "Requests.h"
#include "State.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cstring>

using namespace mlir::fusion::emulator;
using llvm::Twine;

static std::string hex(uint64_t value) { return "0x" + llvm::utohexstr(value); }

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

bool Block::resolve(const Inst &inst, Warp &warp, unsigned lane, Space space,
                    uint64_t address, unsigned bytes, unsigned alignment,
                    Place &place) {
  const char *memory = space == Space::Shared ? "shared" : "global";
  // PTX ISA, "Addressable operands": an address that is not a multiple of the
  // access's size is undefined.
  if (address % alignment != 0) {
    launch.fail("misaligned access", inst.source,
                describe(warp, lane) + ": expected a " + memory +
                    " address aligned to " + Twine(alignment) +
                    " bytes, but got " + hex(address));
    return false;
  }
  if (space == Space::Shared) {
    uint64_t offset = address - sharedBase;
    if (address < sharedBase || offset + bytes > shared.size()) {
      launch.fail("access out of bounds", inst.source,
                  describe(warp, lane) + ": " + Twine(bytes) +
                      " bytes at shared address " + hex(address) + ", offset " +
                      Twine(int64_t(offset)) + " of " + Twine(shared.size()));
      return false;
    }
    place = {shared.data() + offset, nullptr, offset};
    return true;
  }
  Array *array = launch.memory.find(address, bytes);
  if (!array) {
    Array *below = launch.memory.findBelow(address);
    launch.fail(
        "access out of bounds", inst.source,
        describe(warp, lane) + ": " + Twine(bytes) +
            " bytes at global address " + hex(address) +
            (below ? ", offset " + Twine(int64_t(address - below->getBase())) +
                         " of an array of " + Twine(below->getSize()) + " bytes"
                   : Twine(", before every array")));
    return false;
  }
  uint64_t offset = address - array->getBase();
  place = {reinterpret_cast<uint8_t *>(address), array, offset};
  return true;
}

Event Block::beginAccess(Warp &warp, const Inst &inst, bool atomic) {
  Event event;
  event.block = number;
  event.agent = static_cast<uint16_t>(warp.index);
  event.warp = static_cast<uint16_t>(warp.index);
  event.time = warp.time;
  event.laneEpoch = warp.laneEpoch;
  event.source = inst.source;
  event.ofLanes = true;
  event.atomic = atomic;
  warp.clock.advance(warp.index, warp.time);
  launch.shadow.begin(event, warp.clock);
  return event;
}

void Block::reportConflict(Conflict conflict, const Event *other,
                           uint8_t otherLane, const Place &place, uint8_t lane,
                           bool isWrite, const Event &event) {
  auto lanes = [](unsigned warp, uint8_t lane) {
    return lane == manyLanes ? "warp " + std::to_string(warp)
                             : "thread " + std::to_string(warp * 32 + lane);
  };
  std::string where =
      (place.array ? "global address " + hex(uint64_t(place.data))
                   : "shared offset " + std::to_string(place.offset));
  std::string who = "block (" + std::to_string(id[0]) + ", " +
                    std::to_string(id[1]) + ", " + std::to_string(id[2]) +
                    "), " + lanes(event.warp, lane);
  if (conflict == Conflict::Unwritten) {
    launch.report("read of unwritten memory", event.source, who + ": " + where);
    return;
  }
  Operation *op = program.sources[other->source];
  std::string first = "'" + op->getName().getStringRef().str() + "' of " +
                      lanes(other->warp, otherLane);
  if (other->block != event.block) {
    first += " in block " + std::to_string(other->block);
  }
  llvm::raw_string_ostream os(first);
  os << " at " << op->getLoc();
  if (conflict == Conflict::MissingProxyFence) {
    launch.report("missing proxy fence", event.source,
                  who + ": " + where + " was written by " + first +
                      " and no fence.proxy.async followed");
    return;
  }
  launch.report("data race", event.source,
                who + (isWrite ? " writes " : " reads ") + where +
                    ", not ordered after " + first);
}

void Block::touch(const Place &place, unsigned bytes, uint8_t lane,
                  bool isWrite, const Event &event) {
  Array *array = place.array;
  auto report = [&](Conflict conflict, const Event *other, uint8_t otherLane) {
    reportConflict(conflict, other, otherLane, place, lane, isWrite, event);
  };
  if (array) {
    if (isWrite) {
      array->markWritten(place.offset, bytes);
    } else if (!array->isWritten(place.offset, bytes)) {
      report(Conflict::Unwritten, nullptr, 0);
    }
  }
  uint64_t end = place.offset + bytes;
  for (uint64_t word = place.offset / 4; word * 4 < end; ++word) {
    unsigned mask = 15;
    if (word * 4 < place.offset) {
      mask &= 15u << (place.offset - word * 4);
    }
    if (word * 4 + 4 > end) {
      mask &= 15u >> (word * 4 + 4 - end);
    }
    Cell &cell = array ? array->getCell(word) : sharedCells[word];
    if (isWrite) {
      launch.shadow.write(cell, mask, lane, report);
    } else {
      launch.shadow.read(cell, mask, lane, /*checkWritten=*/!array, report);
    }
  }
}

//===----------------------------------------------------------------------===//
// Counting
//===----------------------------------------------------------------------===//

void Block::countRequest(Space space, llvm::ArrayRef<uint64_t> addresses,
                         uint32_t mask, unsigned bytes, bool isWrite) {
  Counters &counters = launch.result.counters;
  int64_t total = int64_t(bytes) * __builtin_popcount(mask);
  if (space == Space::Shared) {
    (isWrite ? counters.sharedWrittenBytes : counters.sharedReadBytes) += total;
    BankPasses banks = countBankPasses(addresses, mask, bytes);
    counters.sharedPasses += banks.passes;
    counters.bankConflicts += banks.conflicts;
    return;
  }
  (isWrite ? counters.globalWrittenBytes : counters.globalReadBytes) += total;
  ++counters.globalRequests;
  counters.globalSectors += countSectors(addresses, mask, bytes);
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

static unsigned getBytes(Kind kind) { return std::max(getBits(kind) / 8, 1u); }

void Block::load(Warp &warp, const Inst &inst) {
  Space space = static_cast<Space>(inst.aux);
  unsigned size = getBytes(inst.kind), count = static_cast<unsigned>(inst.imm);
  const Slot &addresses = warp.slots[inst.a];
  Event event = beginAccess(warp, inst);
  countRequest(space, addresses.lane, warp.mask, size * count, false);
  forLanes(warp.mask, [&](unsigned lane) {
    Place place;
    if (launch.isFailed ||
        !resolve(inst, warp, lane, space, addresses.lane[lane], size * count,
                 inst.b, place)) {
      return;
    }
    touch(place, size * count, static_cast<uint8_t>(lane), false, event);
    for (unsigned i = 0; i < count; ++i) {
      uint64_t value = 0;
      std::memcpy(&value, place.data + i * size, size);
      warp.slots[inst.dst + i].lane[lane] = maskTo(value, getBits(inst.kind));
    }
  });
}

void Block::store(Warp &warp, const Inst &inst) {
  Space space = static_cast<Space>(inst.aux);
  unsigned size = getBytes(inst.kind), count = static_cast<unsigned>(inst.imm);
  const Slot &addresses = warp.slots[inst.a];
  llvm::ArrayRef<uint32_t> values = program.getList(inst, count);
  Event event = beginAccess(warp, inst);
  countRequest(space, addresses.lane, warp.mask, size * count, true);
  forLanes(warp.mask, [&](unsigned lane) {
    Place place;
    if (launch.isFailed ||
        !resolve(inst, warp, lane, space, addresses.lane[lane], size * count,
                 inst.b, place)) {
      return;
    }
    touch(place, size * count, static_cast<uint8_t>(lane), true, event);
    for (unsigned i = 0; i < count; ++i) {
      std::memcpy(place.data + i * size, &warp.slots[values[i]].lane[lane],
                  size);
    }
  });
}

/// The new value of an atomic op on integers of `bits`.
static uint64_t combine(AtomicOp op, uint64_t old, uint64_t value,
                        unsigned bits, Kind kind) {
  int64_t a = signExtend(old, bits), b = signExtend(value, bits);
  switch (op) {
  case AtomicOp::Exchange:
    return value;
  case AtomicOp::Add:
    return old + value;
  case AtomicOp::Sub:
    return old - value;
  case AtomicOp::And:
    return old & value;
  case AtomicOp::Or:
    return old | value;
  case AtomicOp::Xor:
    return old ^ value;
  case AtomicOp::Max:
    return static_cast<uint64_t>(std::max(a, b));
  case AtomicOp::Min:
    return static_cast<uint64_t>(std::min(a, b));
  case AtomicOp::UMax:
    return std::max(old, value);
  case AtomicOp::UMin:
    return std::min(old, value);
  case AtomicOp::AddF:
    return kind == Kind::F64
               ? llvm::bit_cast<uint64_t>(llvm::bit_cast<double>(old) +
                                          llvm::bit_cast<double>(value))
               : llvm::bit_cast<uint32_t>(
                     llvm::bit_cast<float>(uint32_t(old)) +
                     llvm::bit_cast<float>(uint32_t(value)));
  }
  return old;
}

void Block::atomic(Warp &warp, const Inst &inst) {
  unsigned bits = getBits(inst.kind);
  const Slot &addresses = warp.slots[inst.a];
  Event event = beginAccess(warp, inst, /*atomic=*/true);
  forLanes(warp.mask, [&](unsigned lane) {
    Place place;
    if (launch.isFailed ||
        !resolve(inst, warp, lane, static_cast<Space>(inst.c),
                 addresses.lane[lane], bits / 8, bits / 8, place)) {
      return;
    }
    touch(place, bits / 8, static_cast<uint8_t>(lane), true, event);
    uint64_t old = 0;
    std::memcpy(&old, place.data, bits / 8);
    uint64_t value =
        maskTo(combine(static_cast<AtomicOp>(inst.aux), old,
                       warp.slots[inst.b].lane[lane], bits, inst.kind),
               bits);
    std::memcpy(place.data, &value, bits / 8);
    warp.slots[inst.dst].lane[lane] = old;
  });
}
