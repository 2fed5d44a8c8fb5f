//===- Interpreter.cpp - one instruction of one warp ----------------------===//

#include "Numbers.h"
#include "SpecialRegister.h"
#include "State.h"

using namespace mlir::fusion::emulator;

//===----------------------------------------------------------------------===//
// Control flow: lanes that take no part are masked and meet again at the end.
//===----------------------------------------------------------------------===//

static uint32_t getTrueLanes(const Slot &slot, uint32_t mask) {
  uint32_t taken = 0;
  forLanes(mask, [&](unsigned lane) {
    taken |= static_cast<uint32_t>(slot.lane[lane] & 1) << lane;
  });
  return taken;
}

static uint32_t getLoopingLanes(const Warp &warp, const Inst &inst) {
  const Slot &a = warp.slots[inst.a], &b = warp.slots[inst.b];
  unsigned bits = getBits(inst.kind);
  uint32_t taken = 0;
  forLanes(warp.mask, [&](unsigned lane) {
    bool less = inst.aux ? a.lane[lane] < b.lane[lane]
                         : signExtend(a.lane[lane], bits) <
                               signExtend(b.lane[lane], bits);
    taken |= uint32_t(less) << lane;
  });
  return taken;
}

void Block::executeControl(Warp &warp, const Inst &inst) {
  auto target = static_cast<uint32_t>(inst.imm);
  switch (inst.op) {
  case Opcode::If: {
    uint32_t taken = getTrueLanes(warp.slots[inst.a], warp.mask);
    warp.frames.push_back({warp.mask, warp.mask & ~taken});
    if (taken) {
      warp.mask = taken;
    } else {
      warp.pc = target;
    }
    return;
  }
  case Opcode::Else:
    warp.mask = warp.frames.back().otherwise;
    if (!warp.mask) {
      warp.pc = target;
    }
    return;
  case Opcode::LoopBegin:
    warp.frames.push_back({warp.mask, 0});
    return;
  case Opcode::ForHead:
  case Opcode::WhileHead:
    warp.mask = inst.op == Opcode::ForHead
                    ? getLoopingLanes(warp, inst)
                    : getTrueLanes(warp.slots[inst.a], warp.mask);
    if (!warp.mask) {
      warp.pc = target;
    }
    return;
  case Opcode::EndIf:
  case Opcode::LoopEnd:
    warp.mask = warp.frames.back().saved;
    warp.frames.pop_back();
    return;
  case Opcode::Jump:
    warp.pc = target;
    return;
  default: // Return
    warp.isDone = true;
    return;
  }
}

void Block::readSpecialRegister(Warp &warp, const Inst &inst) {
  Slot &result = warp.slots[inst.dst];
  const auto &grid = launch.shape.grid;
  forLanes(warp.mask, [&](unsigned lane) {
    uint64_t &value = result.lane[lane];
    switch (static_cast<SpecialRegister>(inst.aux)) {
    case SpecialRegister::Zero:
      value = 0;
      break;
    case SpecialRegister::One:
      value = 1;
      break;
    case SpecialRegister::ThreadX:
      value = warp.index * 32 + lane;
      break;
    case SpecialRegister::BlockSizeX:
      value = static_cast<uint64_t>(launch.shape.block);
      break;
    case SpecialRegister::BlockX:
    case SpecialRegister::BlockY:
    case SpecialRegister::BlockZ:
      value = static_cast<uint64_t>(
          id[inst.aux - static_cast<unsigned>(SpecialRegister::BlockX)]);
      break;
    case SpecialRegister::GridX:
    case SpecialRegister::GridY:
    case SpecialRegister::GridZ:
      value = static_cast<uint64_t>(
          grid[inst.aux - static_cast<unsigned>(SpecialRegister::GridX)]);
      break;
    case SpecialRegister::Lane:
      value = lane;
      break;
    case SpecialRegister::Warp:
      value = warp.index;
      break;
    }
  });
}

//===----------------------------------------------------------------------===//
// The other classes
//===----------------------------------------------------------------------===//

void Block::executeMemory(Warp &warp, const Inst &inst) {
  switch (inst.op) {
  case Opcode::Load:
    return load(warp, inst);
  case Opcode::Store:
    return store(warp, inst);
  case Opcode::AtomicRMW:
    return atomic(warp, inst);
  case Opcode::LdMatrix:
    return ldMatrix(warp, inst);
  default:
    return stMatrix(warp, inst);
  }
}

Step Block::executeSync(Warp &warp, const Inst &inst) {
  switch (inst.op) {
  case Opcode::Barrier:
    return barrier(warp, inst);
  case Opcode::MBarrierWaitParity:
    return waitParity(warp, inst);
  case Opcode::SetMaxRegisters:
    return setMaxRegisters(warp, inst);
  case Opcode::Shuffle:
    shuffle(warp, inst);
    break;
  case Opcode::Vote:
    vote(warp, inst);
    break;
  case Opcode::Redux:
    redux(warp, inst);
    break;
  case Opcode::Elect:
    // PTX ISA, "elect.sync": which lane leads is not specified; the last one
    // that may is as good as any, and shows who relies on the first.
    forLanes(warp.mask, [&](unsigned lane) {
      warp.slots[inst.dst].lane[lane] =
          lane == 31u - static_cast<unsigned>(__builtin_clz(warp.mask));
    });
    break;
  case Opcode::WarpBarrier:
    if (checkMembers(warp, inst, inst.a)) {
      ++warp.laneEpoch;
    }
    break;
  case Opcode::FenceProxyAsync:
    warp.clock.advance(warp.index, warp.time);
    warp.clock.fence();
    ++warp.time;
    [[fallthrough]];
  case Opcode::FenceMBarrierInit:
    for (auto &[address, mbarrier] : mbarriers) {
      mbarrier.isFenced |= mbarrier.initWarp == warp.index;
    }
    break;
  case Opcode::Fence:
    break;
  case Opcode::MBarrierInit:
  case Opcode::MBarrierInvalidate:
    initBarrier(warp, inst);
    break;
  default:
    arrive(warp, inst);
    break;
  }
  return Step::Next;
}

Step Block::executeAsync(Warp &warp, const Inst &inst) {
  switch (inst.op) {
  case Opcode::CpAsync:
    cpAsync(warp, inst);
    break;
  case Opcode::CpAsyncCommit:
    cpAsyncCommit(warp, inst);
    break;
  case Opcode::CpAsyncWait:
    cpAsyncWait(warp, inst);
    break;
  case Opcode::BulkLoad:
    bulkLoad(warp, inst);
    break;
  case Opcode::BulkStore:
    bulkStore(warp, inst);
    break;
  case Opcode::BulkCommit:
    bulkCommit(warp);
    break;
  default:
    bulkWait(warp, inst);
    break;
  }
  return Step::Next;
}

Step Block::executeMatrix(Warp &warp, const Inst &inst) {
  switch (inst.op) {
  case Opcode::MmaSync:
    mmaSync(warp, inst);
    break;
  case Opcode::Wgmma:
    wgmma(warp, inst);
    break;
  case Opcode::WgmmaFence:
    if (requireConverged(warp, inst)) {
      warp.isFenced = true;
    }
    break;
  case Opcode::WgmmaCommit:
    if (requireConverged(warp, inst)) {
      warp.commits.push_back(warp.issued);
    }
    break;
  default:
    return wgmmaWait(warp, inst);
  }
  return Step::Next;
}

Step Block::execute(Warp &warp, const Inst &inst) {
  if (!warp.pending.empty() && checkPending(warp, inst)) {
    return Step::Next;
  }
  switch (getClass(inst.op)) {
  case Counters::Control:
    executeControl(warp, inst);
    return Step::Next;
  case Counters::Memory:
    executeMemory(warp, inst);
    return Step::Next;
  case Counters::Sync:
    return executeSync(warp, inst);
  case Counters::Async:
    return executeAsync(warp, inst);
  case Counters::Matrix:
    return executeMatrix(warp, inst);
  default:
    break;
  }
  if (inst.op == Opcode::SpecialRegister) {
    readSpecialRegister(warp, inst);
  } else {
    Slot *slots = warp.slots.data();
    bool known = getClass(inst.op) == Counters::Integer
                     ? executeInteger(slots, warp.mask, inst)
                     : executeFloat(slots, warp.mask, inst);
    known = known || executeConversion(slots, warp.mask, inst);
    (void)known;
    assert(known && "expected every arithmetic opcode to be executed");
  }
  return Step::Next;
}
