//===- Barriers.cpp - barriers, mbarriers, registers ----------------------===//

#include "State.h"

using namespace mlir::fusion::emulator;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Named barriers: PTX ISA, "barrier{.cta}"
//===----------------------------------------------------------------------===//

/// What the warp did so far is released: later accesses have a later time.
void Block::release(Warp &warp) {
  warp.clock.advance(warp.index, warp.time);
  ++warp.time;
}

Step Block::barrier(Warp &warp, const Inst &inst) {
  NamedBarrier *at = &barriers[warp.barrier];
  if (warp.waiting == Waiting::Barrier) {
    if (at->generation == warp.generation) {
      return Step::Wait;
    }
    warp.clock.join(at->completed);
    ++warp.laneEpoch;
    return Step::Next;
  }
  if (!requireConverged(warp, inst)) {
    return Step::Next;
  }
  auto first = static_cast<unsigned>(__builtin_ctz(warp.mask));
  uint64_t which = inst.aux & 1 ? warp.slots[inst.a].lane[first] : 0;
  auto threads = static_cast<uint32_t>(
      inst.aux & 2
          ? warp.slots[inst.b].lane[first]
          : static_cast<uint64_t>((launch.shape.block + 31) / 32 * 32));
  if (which >= barriers.size() || threads == 0 || threads % 32 != 0 ||
      threads > warps.size() * 32) {
    launch.fail("barrier", inst.source,
                describe(warp, first) +
                    ": expected a barrier of 0 to 15 and a multiple of 32 of "
                    "the block's threads, but got barrier " +
                    Twine(which) + " of " + Twine(threads) + " threads");
    return Step::Next;
  }
  at = &barriers[which];
  if (at->arrived && at->expected != threads) {
    launch.fail("barrier", inst.source,
                describe(warp, first) + ": barrier " + Twine(which) + " of " +
                    Twine(threads) + " threads, but others there expect " +
                    Twine(at->expected));
    return Step::Next;
  }
  at->expected = threads;
  at->arrived += 32;
  release(warp);
  at->arrivals.join(warp.clock);
  warp.barrier = static_cast<uint32_t>(which);
  warp.generation = at->generation;
  if (at->arrived == at->expected) {
    at->completed.join(at->arrivals);
    at->arrivals = Clock();
    at->arrived = 0;
    ++at->generation;
    if (!(inst.aux & 4)) {
      warp.clock.join(at->completed);
      ++warp.laneEpoch;
    }
    return Step::Next;
  }
  if (inst.aux & 4) {
    return Step::Next;
  }
  warp.waiting = Waiting::Barrier;
  return Step::Wait;
}

//===----------------------------------------------------------------------===//
// mbarrier objects: PTX ISA, "Parallel synchronization: mbarrier"
//===----------------------------------------------------------------------===//

static constexpr int64_t mostArrivals = (1 << 20) - 1;

void Block::initBarrier(Warp &warp, const Inst &inst) {
  forLanes(warp.mask, [&](unsigned lane) {
    auto address = static_cast<uint32_t>(warp.slots[inst.a].lane[lane]);
    Place place;
    if (launch.isFailed ||
        !resolve(inst, warp, lane, Space::Shared, address, 8, 8, place)) {
      return;
    }
    if (inst.op == Opcode::MBarrierInvalidate) {
      mbarriers.erase(address);
      return;
    }
    // The object is a write to its memory: data there would be destroyed.
    Event event = beginAccess(warp, inst);
    touch(place, 8, static_cast<uint8_t>(lane), true, event);
    auto count = static_cast<int64_t>(warp.slots[inst.b].lane[lane]);
    if (count < 1 || count > mostArrivals) {
      launch.fail("mbarrier", inst.source,
                  describe(warp, lane) + ": expected 1 to " +
                      Twine(mostArrivals) + " arrivals, but got " +
                      Twine(count));
      return;
    }
    MBarrier fresh;
    auto found = mbarriers.find(address);
    fresh.agent = found != mbarriers.end()
                      ? found->second.agent
                      : static_cast<uint16_t>(getAgent(AgentKind::Count, 0) +
                                              mbarriers.size());
    fresh.expected = static_cast<uint32_t>(count);
    fresh.pending = count;
    fresh.initWarp = static_cast<uint16_t>(warp.index);
    fresh.initTime = warp.time;
    mbarriers[address] = fresh;
  });
  release(warp);
}

MBarrier *Block::findBarrier(Warp &warp, const Inst &inst, unsigned lane) {
  uint64_t address = warp.slots[inst.a].lane[lane];
  auto it = mbarriers.find(static_cast<uint32_t>(address));
  if (it == mbarriers.end()) {
    launch.fail("mbarrier", inst.source,
                describe(warp, lane) +
                    ": no mbarrier was initialised at "
                    "shared offset " +
                    Twine(int64_t(address) - sharedBase));
    return nullptr;
  }
  MBarrier &barrier = it->second;
  if (warp.clock.seen(barrier.initWarp) < barrier.initTime) {
    launch.report("data race", inst.source,
                  describe(warp, lane) +
                      " uses an mbarrier, not ordered after its "
                      "initialisation by warp " +
                      Twine(barrier.initWarp));
  }
  return &barrier;
}

void Block::completePhase(MBarrier &barrier) {
  if (barrier.pending != 0 || barrier.transactions != 0) {
    return;
  }
  ++barrier.phase;
  barrier.pending = barrier.expected;
  barrier.completed.join(barrier.arrivals);
  barrier.completed.advance(barrier.agent, uint32_t(barrier.phase));
  barrier.arrivals = Clock();
}

void Block::arrive(Warp &warp, const Inst &inst) {
  forLanes(warp.mask, [&](unsigned lane) {
    MBarrier *barrier =
        launch.isFailed ? nullptr : findBarrier(warp, inst, lane);
    if (!barrier) {
      return;
    }
    auto operand = static_cast<int64_t>(warp.slots[inst.b].lane[lane]);
    int64_t arrivals = inst.op == Opcode::MBarrierArrive         ? operand
                       : inst.op == Opcode::MBarrierArriveExpect ? 1
                                                                 : 0;
    if (inst.op != Opcode::MBarrierArrive) {
      barrier->transactions += operand;
    }
    if (arrivals > barrier->pending) {
      launch.fail("mbarrier", inst.source,
                  describe(warp, lane) + ": more arrivals than the " +
                      Twine(barrier->expected) +
                      " that the mbarrier expects in phase " +
                      Twine(barrier->phase));
      return;
    }
    barrier->pending -= arrivals;
    if (arrivals) {
      warp.clock.advance(warp.index, warp.time);
      barrier->arrivals.join(warp.clock);
    }
    completePhase(*barrier);
  });
  release(warp);
}

/// PTX ISA, "mbarrier.try_wait.parity": the phase with this parity is complete
/// if the current phase has the other parity.
bool Block::isPhaseDone(Warp &warp, const Inst &inst) {
  bool isDone = true;
  forLanes(warp.mask, [&](unsigned lane) {
    MBarrier *barrier =
        launch.isFailed ? nullptr : findBarrier(warp, inst, lane);
    isDone &=
        barrier && (barrier->phase & 1) != (warp.slots[inst.b].lane[lane] & 1);
  });
  return isDone;
}

Step Block::waitParity(Warp &warp, const Inst &inst) {
  if (!isPhaseDone(warp, inst)) {
    warp.waiting = Waiting::MBarrier;
    return launch.isFailed ? Step::Next : Step::Wait;
  }
  forLanes(warp.mask, [&](unsigned lane) {
    warp.clock.join(findBarrier(warp, inst, lane)->completed);
  });
  return Step::Next;
}

//===----------------------------------------------------------------------===//
// setmaxnreg
//===----------------------------------------------------------------------===//

/// PTX ISA, "setmaxnreg": a count from 24 to 256 in steps of 8; an increase
/// waits until the block's registers suffice.
Step Block::setMaxRegisters(Warp &warp, const Inst &inst) {
  if (!requireConverged(warp, inst)) {
    return Step::Next;
  }
  bool increase = inst.aux;
  if (inst.imm < 24 || inst.imm > 256 || inst.imm % 8 != 0 ||
      (increase ? inst.imm < warp.registers : inst.imm > warp.registers)) {
    launch.fail("setmaxnreg", inst.source,
                describe(warp, 0) +
                    ": expected a multiple of 8 from 24 to "
                    "256 that " +
                    (increase ? "is not less than " : "is not more than ") +
                    Twine(warp.registers) + ", but got " + Twine(inst.imm));
    return Step::Next;
  }
  int64_t total = inst.imm - warp.registers;
  for (const Warp &other : warps) {
    total += other.registers;
  }
  constexpr int64_t registersOfMultiprocessor = 65536;
  if (total * 32 > registersOfMultiprocessor) {
    warp.waiting = Waiting::Registers;
    return Step::Wait;
  }
  warp.registers = inst.imm;
  return Step::Next;
}
