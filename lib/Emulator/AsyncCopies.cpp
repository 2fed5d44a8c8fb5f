//===- AsyncCopies.cpp - cp.async -----------------------------------------===//
//
// PTX ISA, "Data movement: non-bulk copy". The bytes move when the program
// waits for their group: as late as it is allowed, unless a seed says earlier.
//
//===----------------------------------------------------------------------===//

#include "Requests.h"
#include "State.h"
#include "llvm/ADT/bit.h"
#include <cstring>

using namespace mlir::fusion::emulator;
using llvm::Twine;

/// Counts a copy as the profiler does: sectors as `countCopySectors` says, and
/// no passes over the banks, which are charged to loads and stores alone.
static void countCopy(const CpAsyncOp &op, Counters &counters) {
  int64_t read = 0;
  forLanes(op.mask, [&](unsigned lane) { read += op.size[lane]; });
  counters.globalReadBytes += read;
  counters.sharedWrittenBytes += int64_t(op.bytes) * llvm::popcount(op.mask);
  ++counters.globalRequests;
  counters.globalSectors += countCopySectors(op.from, op.to, op.size, op.mask);
}

void Block::cpAsync(Warp &warp, const Inst &inst) {
  CpAsyncOp op;
  op.source = inst.source;
  op.mask = warp.mask;
  op.bytes = static_cast<uint32_t>(inst.imm);
  bool fine = true;
  forLanes(warp.mask, [&](unsigned lane) {
    op.to[lane] = static_cast<uint32_t>(warp.slots[inst.a].lane[lane]);
    op.from[lane] = warp.slots[inst.b].lane[lane];
    op.size[lane] =
        inst.c ? static_cast<uint32_t>(warp.slots[inst.c - 1].lane[lane])
               : op.bytes;
    Place place;
    if (!fine) {
      return;
    }
    // Where nothing is read the source address is not looked at.
    fine = resolve(inst, warp, lane, Space::Shared, op.to[lane], op.bytes,
                   op.bytes, place) &&
           (op.size[lane] == 0 ||
            resolve(inst, warp, lane, Space::Global, op.from[lane],
                    op.size[lane], op.bytes, place));
    if (fine && op.size[lane] > op.bytes) {
      launch.fail("cp.async", inst.source,
                  describe(warp, lane) + ": expected to read at most " +
                      Twine(op.bytes) + " bytes, but got " +
                      Twine(op.size[lane]));
      fine = false;
    }
  });
  if (!fine) {
    return;
  }
  countCopy(op, launch.result.counters);
  release(warp);
  op.clock = warp.clock;
  warp.copies.push_back({warp.copyGroups + 1, std::move(op)});
}

void Block::cpAsyncCommit(Warp &warp, const Inst &inst) {
  if (requireConverged(warp, inst)) {
    ++warp.copyGroups;
  }
}

/// Moves the bytes of the oldest copy.
void Block::completeCopy(Warp &warp) {
  uint32_t group = warp.copies.front().first;
  CpAsyncOp op = std::move(warp.copies.front().second);
  warp.copies.pop_front();
  Event event;
  event.block = number;
  event.agent = static_cast<uint16_t>(getAgent(AgentKind::CpAsync, warp.index));
  event.warp = static_cast<uint16_t>(warp.index);
  event.time = group;
  event.source = op.source;
  // Done for the lane that waits, not for its neighbours.
  event.ofLanes = true;
  event.laneEpoch = warp.laneEpoch;
  launch.shadow.begin(event, op.clock);
  forLanes(op.mask, [&](unsigned lane) {
    uint32_t offset = op.to[lane] - sharedBase;
    uint8_t *to = shared.data() + offset;
    std::memset(to, 0, op.bytes);
    if (op.size[lane]) {
      Array *array = launch.memory.find(op.from[lane], op.size[lane]);
      auto *from = reinterpret_cast<uint8_t *>(op.from[lane]);
      touch({from, array, op.from[lane] - array->getBase()}, op.size[lane],
            static_cast<uint8_t>(lane), false, event);
      std::memcpy(to, from, op.size[lane]);
    }
    touch({to, nullptr, offset}, op.bytes, static_cast<uint8_t>(lane), true,
          event);
  });
}

void Block::cpAsyncWait(Warp &warp, const Inst &inst) {
  if (!requireConverged(warp, inst)) {
    return;
  }
  uint32_t pending = static_cast<uint32_t>(inst.imm);
  if (warp.copyGroups < pending) {
    return;
  }
  uint32_t done = warp.copyGroups - pending;
  while (!warp.copies.empty() && warp.copies.front().first <= done) {
    completeCopy(warp);
  }
  warp.clock.advance(getAgent(AgentKind::CpAsync, warp.index), done);
}
