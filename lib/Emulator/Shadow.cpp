//===- Shadow.cpp - who touched memory last, and was it ordered? ----------===//

#include "Shadow.h"
#include <algorithm>

using namespace mlir::fusion::emulator;

/// Readers that a cell remembers: enough to find some race.
static constexpr size_t mostReaders = 16;

static void joinTimes(std::vector<uint32_t> &times,
                      const std::vector<uint32_t> &other) {
  if (times.size() < other.size()) {
    times.resize(other.size());
  }
  for (size_t i = 0; i < other.size(); ++i) {
    times[i] = std::max(times[i], other[i]);
  }
}

void Clock::advance(unsigned agent, uint32_t time) {
  if (times.size() <= agent) {
    times.resize(agent + 1);
  }
  times[agent] = std::max(times[agent], time);
}

void Clock::join(const Clock &other) {
  joinTimes(times, other.times);
  joinTimes(fencedTimes, other.fencedTimes);
}

void Shadow::begin(const Event &event, const Clock &seen) {
  events.push_back(event);
  current = static_cast<uint32_t>(events.size() - 1);
  clock = &seen;
  lastWriter = lastReaders = {};
  grown = {};
  nextGrown = 0;
}

Conflict Shadow::judge(uint32_t number, bool &sameLanes) const {
  const Event &now = events[current], &other = events[number];
  sameLanes = false;
  if (other.block != now.block) {
    return other.atomic && now.atomic ? Conflict::None : Conflict::Race;
  }
  if (clock->seen(other.agent) < other.time) {
    return other.atomic && now.atomic ? Conflict::None : Conflict::Race;
  }
  sameLanes = now.ofLanes && other.ofLanes && now.warp == other.warp &&
              now.laneEpoch == other.laneEpoch && !(now.atomic && other.atomic);
  if (now.async && !other.async && clock->fenced(other.agent) < other.time) {
    return Conflict::MissingProxyFence;
  }
  return Conflict::None;
}

const Shadow::Verdict &Shadow::judgeWriter(uint32_t event) {
  if (lastWriter.number != event) {
    lastWriter.number = lastWriter.other = event;
    lastWriter.conflict = judge(event, lastWriter.sameLanes);
  }
  return lastWriter;
}

const Shadow::Verdict &Shadow::judgeReaders(uint32_t set) {
  if (lastReaders.number != set) {
    lastReaders = {set, Conflict::None, false, 0};
    for (uint32_t event : sets[set]) {
      bool sameLanes = false;
      Conflict conflict = judge(event, sameLanes);
      // What was read needs no proxy fence before it is overwritten: the
      // barriers that free a stage are enough.
      if (conflict == Conflict::Race) {
        lastReaders.conflict = conflict;
        lastReaders.other = event;
      }
      if (sameLanes) {
        lastReaders.sameLanes = true;
        lastReaders.other = lastReaders.other ? lastReaders.other : event;
      }
    }
  }
  return lastReaders;
}

uint32_t Shadow::addReader(uint32_t set) {
  for (const Grown &entry : grown) {
    if (entry.valid && entry.from == set) {
      return entry.to;
    }
  }
  // Blocks are not ordered: readers of two blocks other than this one suffice
  // to conflict with a write of any block, and are kept for all others.
  Set next, others;
  const Event &now = events[current];
  for (uint32_t event : sets[set]) {
    const Event &other = events[event];
    if (other.block != now.block) {
      if (others.empty() || events[others[0]].block != other.block) {
        others.push_back(event);
      }
      if (others.size() == 2) {
        grown[nextGrown++ % grown.size()] = {set, set, true};
        return set;
      }
      continue;
    }
    // A later read of the same agent, or one that has seen it, stands for it.
    if (other.time > clock->seen(other.agent) && next.size() < mostReaders) {
      next.push_back(event);
    }
  }
  next.append(others.begin(), others.end());
  next.push_back(current);
  sets.push_back(std::move(next));
  auto to = static_cast<uint32_t>(sets.size() - 1);
  grown[nextGrown++ % grown.size()] = {set, to, true};
  return to;
}

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

template <typename Fn> void Shadow::split(Cell &cell, unsigned mask, Fn fn) {
  if (!cell.bytes) {
    splits.push_back({cell, cell, cell, cell});
    cell.bytes = static_cast<uint32_t>(splits.size() - 1);
    cell.writer = cell.readers = 0;
  }
  for (unsigned i = 0; i < 4; ++i) {
    if (mask >> i & 1) {
      fn(splits[cell.bytes][i]);
    }
  }
}

void Shadow::readWhole(Cell &cell, uint8_t lane, bool checkWritten,
                       Reporter report) {
  if (cell.writer) {
    const Verdict &writer = judgeWriter(cell.writer);
    bool lanes = writer.sameLanes && cell.writeLane != lane;
    if (writer.conflict != Conflict::None || lanes) {
      report(lanes ? Conflict::Race : writer.conflict, &events[writer.other],
             cell.writeLane);
    }
  } else if (checkWritten) {
    report(Conflict::Unwritten, nullptr, 0);
  }
  bool first = cell.readers == 0 || !judgeReaders(cell.readers).sameLanes;
  cell.readLane = first || cell.readLane == lane ? lane : manyLanes;
  cell.readers = addReader(cell.readers);
}

void Shadow::writeWhole(Cell &cell, uint8_t lane, Reporter report) {
  if (cell.writer) {
    const Verdict &writer = judgeWriter(cell.writer);
    bool lanes = writer.sameLanes && cell.writeLane != lane;
    if (writer.conflict != Conflict::None || lanes) {
      report(lanes ? Conflict::Race : writer.conflict, &events[writer.other],
             cell.writeLane);
    }
  }
  if (cell.readers) {
    const Verdict &readers = judgeReaders(cell.readers);
    bool lanes = readers.sameLanes && cell.readLane != lane;
    if (readers.conflict != Conflict::None || lanes) {
      report(Conflict::Race, &events[readers.other], cell.readLane);
    }
  }
  cell.writer = current;
  cell.writeLane = lane;
  cell.readers = 0;
}

void Shadow::read(Cell &cell, unsigned mask, uint8_t lane, bool checkWritten,
                  Reporter report) {
  if (mask == 15 && !cell.bytes) {
    readWhole(cell, lane, checkWritten, report);
    return;
  }
  split(cell, mask,
        [&](Cell &byte) { readWhole(byte, lane, checkWritten, report); });
}

void Shadow::write(Cell &cell, unsigned mask, uint8_t lane, Reporter report) {
  if (mask == 15 && !cell.bytes) {
    writeWhole(cell, lane, report);
    return;
  }
  split(cell, mask, [&](Cell &byte) { writeWhole(byte, lane, report); });
}

//===----------------------------------------------------------------------===//
// Forgetting
//===----------------------------------------------------------------------===//

namespace {
/// Numbers things anew in the order in which they are met.
template <typename T> class Renumbering {
public:
  explicit Renumbering(const std::vector<T> &old)
      : old(old), numbers(old.size()) {}

  /// The new number; `copy` makes the new thing of the old one.
  template <typename Fn> uint32_t get(uint32_t number, Fn copy) {
    if (number && !numbers[number]) {
      T kept = copy(old[number]);
      numbers[number] = static_cast<uint32_t>(things.size());
      things.push_back(std::move(kept));
    }
    return numbers[number];
  }

  std::vector<T> things{1};

private:
  const std::vector<T> &old;
  std::vector<uint32_t> numbers;
};
} // namespace

void Shadow::compact(
    llvm::function_ref<void(llvm::function_ref<void(Cell &)>)> forEachCell) {
  Renumbering<Event> newEvents(events);
  Renumbering<Set> newSets(sets);
  std::vector<std::array<Cell, 4>> newSplits(1);
  auto renumberEvent = [&](uint32_t event) {
    return newEvents.get(event, [](const Event &old) { return old; });
  };
  auto renumber = [&](Cell &cell) {
    cell.writer = renumberEvent(cell.writer);
    cell.readers = newSets.get(cell.readers, [&](const Set &old) {
      Set kept;
      for (uint32_t event : old) {
        kept.push_back(renumberEvent(event));
      }
      return kept;
    });
  };
  forEachCell([&](Cell &cell) {
    renumber(cell);
    if (cell.bytes) {
      std::array<Cell, 4> bytes = splits[cell.bytes];
      for (Cell &byte : bytes) {
        renumber(byte);
      }
      cell.bytes = static_cast<uint32_t>(newSplits.size());
      newSplits.push_back(bytes);
    }
  });
  events = std::move(newEvents.things);
  sets = std::move(newSets.things);
  splits = std::move(newSplits);
  limit = std::max(leastLimit, 2 * (events.size() + sets.size()));
}
