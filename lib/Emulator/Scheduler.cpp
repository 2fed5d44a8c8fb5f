//===- Scheduler.cpp - which warp runs, and what if none can --------------===//

#include "State.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::fusion::emulator;
using llvm::Twine;

/// Instructions that a warp runs before another has its turn.
static constexpr unsigned longestTurn = 4096;

Block::Block(Launch &launch, std::array<int64_t, 3> id, uint32_t number,
             llvm::ArrayRef<uint64_t> parameters)
    : launch(launch), program(launch.program), id(id), number(number),
      shared(static_cast<size_t>(launch.shape.sharedBytes), 0xFF),
      sharedCells(shared.size() / 4 + 1) {
  int64_t threads = launch.shape.block;
  constexpr int64_t registersOfMultiprocessor = 65536, mostRegisters = 248;
  int64_t registers =
      std::min(mostRegisters,
               registersOfMultiprocessor / ((threads + 31) / 32 * 32) / 8 * 8);
  for (int64_t first = 0; first < threads; first += 32) {
    Warp &warp = warps.emplace_back();
    warp.index = static_cast<unsigned>(first / 32);
    int64_t lanes = std::min<int64_t>(32, threads - first);
    warp.mask = warp.full =
        lanes == 32 ? allLanes : (1u << static_cast<unsigned>(lanes)) - 1;
    warp.slots.resize(program.numSlots);
    warp.registers = registers;
    auto fill = [&](uint32_t slot, uint64_t value) {
      std::fill_n(warp.slots[slot].lane, 32, value);
    };
    for (auto [slot, value] : program.constants) {
      fill(slot, value);
    }
    for (auto [parameter, value] : llvm::zip(program.parameters, parameters)) {
      fill(parameter.slot, value);
    }
  }
  warpgroups.resize((warps.size() + 3) / 4);
}

std::string Block::describe(const Warp &warp, unsigned lane) const {
  return "block (" + std::to_string(id[0]) + ", " + std::to_string(id[1]) +
         ", " + std::to_string(id[2]) + "), thread " +
         std::to_string(warp.index * 32 + lane);
}

bool Block::canRun(Warp &warp) {
  if (warp.isDone) {
    return false;
  }
  const Inst &inst = program.code[warp.pc];
  switch (warp.waiting) {
  case Waiting::Nothing:
  case Waiting::Registers:
    break;
  case Waiting::Barrier:
    return barriers[warp.barrier].generation != warp.generation;
  case Waiting::MBarrier:
    return isPhaseDone(warp, inst);
  case Waiting::Warpgroup:
    break;
  }
  if (warp.waiting == Waiting::Registers) {
    int64_t total = inst.imm - warp.registers;
    for (const Warp &other : warps) {
      total += other.registers;
    }
    return total * 32 <= 65536;
  }
  if (warp.waiting == Waiting::Warpgroup) {
    const Warpgroup &group = warpgroups[warp.index / 4];
    auto pending = static_cast<size_t>(inst.imm);
    size_t done = warp.commits[warp.commits.size() - 1 - pending];
    for (size_t i = group.numDone; i < done; ++i) {
      if (group.ops[i].warps != wholeWarpgroup) {
        return false;
      }
    }
  }
  return true;
}

void Block::runWarp(Warp &warp, unsigned most) {
  Counters &counters = launch.result.counters;
  for (unsigned i = 0; i < most && !warp.isDone && !launch.isFailed; ++i) {
    const Inst &inst = program.code[warp.pc];
    uint32_t mask = warp.mask;
    ++warp.pc;
    Step step = execute(warp, inst);
    if (step == Step::Wait) {
      --warp.pc;
      return;
    }
    warp.waiting = Waiting::Nothing;
    counters.threadInstructions += __builtin_popcount(mask);
    ++counters.warpInstructions[getClass(inst.op)];
  }
  if (counters.threadInstructions > launch.options.maxThreadInstructions) {
    launch.fail("endless execution", program.code[warp.pc].source,
                describe(warp, 0) + ": more than " +
                    Twine(launch.options.maxThreadInstructions) +
                    " instructions");
  }
}

void Block::compactShadow() {
  launch.shadow.compact([&](llvm::function_ref<void(Cell &)> fn) {
    for (Cell &cell : sharedCells) {
      fn(cell);
    }
    for (auto &[base, array] : launch.memory.arrays) {
      array->forEachCell(fn);
    }
  });
}

/// Completes one asynchronous operation that the program has not waited for
/// explicitly; false if there is none.
bool Block::completeSomething() {
  if (loads.empty()) {
    return false;
  }
  completeLoad(launch.choose(static_cast<uint32_t>(loads.size())));
  return true;
}

/// Completes an asynchronous operation before anyone waits for it, as may
/// happen too.
void Block::completeEarly() {
  unsigned index =
      launch.choose(static_cast<uint32_t>(std::max<size_t>(warps.size(), 1)));
  switch (launch.choose(4)) {
  case 0:
    completeSomething();
    return;
  case 1:
    if (!warps[index].copies.empty()) {
      completeCopy(warps[index]);
    }
    return;
  case 2: {
    Warpgroup &group = warpgroups[index / 4];
    if (group.numDone < group.ops.size() &&
        group.ops[group.numDone].warps == wholeWarpgroup) {
      completeWgmma(index / 4, group.ops[group.numDone++]);
    }
    return;
  }
  default:
    for (auto &[thread, groups] : bulkGroups) {
      for (BulkStoreOp &op : groups.ops) {
        readStore(thread, op);
      }
    }
    return;
  }
}

void Block::run() {
  size_t next = 0;
  while (!launch.isFailed) {
    if (launch.isRandom() && launch.choose(3) == 0) {
      completeEarly();
    }
    next += launch.choose(static_cast<uint32_t>(warps.size()));
    Warp *ready = nullptr;
    bool allDone = true;
    for (size_t i = 0; i < warps.size() && !ready; ++i) {
      Warp &warp = warps[(next + i) % warps.size()];
      allDone &= warp.isDone;
      if (canRun(warp)) {
        ready = &warp;
        next = warp.index + 1;
      }
    }
    if (launch.shadow.isFull()) {
      compactShadow();
    }
    if (ready) {
      runWarp(*ready, launch.isRandom() ? 1 + launch.choose(200) : longestTurn);
    } else if (allDone) {
      break;
    } else if (!completeSomething() && !launch.isFailed) {
      reportDeadlock();
    }
  }
  if (!launch.isFailed) {
    finish();
  }
}

//===----------------------------------------------------------------------===//
// The end
//===----------------------------------------------------------------------===//

std::string Block::describeWait(const Warp &warp) {
  const Inst &inst = program.code[warp.pc];
  std::string text =
      "warp " + std::to_string(warp.index) + " at '" +
      program.sources[inst.source]->getName().getStringRef().str() + "' waits ";
  llvm::raw_string_ostream os(text);
  auto lane = static_cast<unsigned>(__builtin_ctz(warp.mask));
  if (warp.waiting == Waiting::Barrier) {
    const NamedBarrier &at = barriers[warp.barrier];
    os << "at barrier " << warp.barrier << ", where " << at.arrived << " of "
       << at.expected << " threads are";
  } else if (warp.waiting == Waiting::MBarrier) {
    auto address = static_cast<uint32_t>(warp.slots[inst.a].lane[lane]);
    const MBarrier &at = mbarriers[address];
    os << "for parity " << (warp.slots[inst.b].lane[lane] & 1)
       << " of the mbarrier at shared offset " << address - sharedBase
       << ", which is in phase " << at.phase << " with " << at.pending
       << " arrivals and " << at.transactions << " bytes missing";
  } else if (warp.waiting == Waiting::Registers) {
    os << "for " << inst.imm << " registers a thread";
  } else {
    os << "for the other warps of its warpgroup";
  }
  os << " (" << program.sources[inst.source]->getLoc() << ")";
  return text;
}

void Block::reportDeadlock() {
  std::string who;
  uint32_t source = 0;
  for (Warp &warp : warps) {
    if (warp.isDone) {
      who += "; warp " + std::to_string(warp.index) + " has ended";
      continue;
    }
    source = program.code[warp.pc].source;
    who += "; " + describeWait(warp);
  }
  launch.fail("deadlock", source,
              "block (" + Twine(id[0]) + ", " + Twine(id[1]) + ", " +
                  Twine(id[2]) + "): " + who.substr(2));
}

/// What is still in flight when the block ends.
void Block::finish() {
  for (auto [index, barrier] : llvm::enumerate(barriers)) {
    if (barrier.arrived) {
      launch.report("barrier", program.code.back().source,
                    "barrier " + Twine(index) + " is left with " +
                        Twine(barrier.arrived) + " of " +
                        Twine(barrier.expected) + " threads");
    }
  }
  if (!loads.empty()) {
    launch.report("bulk copy in flight", loads.front().source,
                  "the block ended before it was waited for");
  }
  for (auto &[thread, groups] : bulkGroups) {
    for (BulkStoreOp &op : groups.ops) {
      // Its memory may belong to the next block by then.
      if (!op.isRead) {
        launch.report("bulk copy in flight", op.source,
                      "the block ended before its source was read");
      }
      writeStore(thread, op);
    }
  }
  for (Warp &warp : warps) {
    if (!warp.copies.empty()) {
      launch.report("cp.async in flight", warp.copies.front().second.source,
                    "the block ended before it was waited for");
    }
    if (warp.issued > warpgroups[warp.index / 4].numDone) {
      launch.report("wgmma in flight",
                    warpgroups[warp.index / 4].ops.back().inst->source,
                    "the block ended before it was waited for");
    }
  }
}
