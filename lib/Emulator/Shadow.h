//===- Shadow.h - who touched memory last, and was it ordered? --*- C++ -*-===//
//
// Happens-before by vector clocks. An agent is a sequence of accesses with a
// clock of its own: a warp, the asynchronous copies of a warp, the multiplies
// of a warpgroup, the transactions of an mbarrier. An access is ordered after
// another if its clock has seen the other's agent at the other's time.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_EMULATOR_SHADOW_H
#define FUSION_LIB_EMULATOR_SHADOW_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <array>
#include <cstdint>
#include <vector>

namespace mlir::fusion::emulator {

/// What an agent has seen: a time for each agent.
class Clock {
public:
  uint32_t seen(unsigned agent) const {
    return agent < times.size() ? times[agent] : 0;
  }
  /// The part of seen() that is also visible to the async proxy.
  uint32_t fenced(unsigned agent) const {
    return agent < fencedTimes.size() ? fencedTimes[agent] : 0;
  }
  void advance(unsigned agent, uint32_t time);
  void join(const Clock &other);
  /// PTX ISA, "fence.proxy.async": what was seen is visible to the proxy.
  void fence() { fencedTimes = times; }

private:
  std::vector<uint32_t> times, fencedTimes;
};

/// One access, of a warp or an asynchronous operation.
struct Event {
  uint32_t block = 0, time = 0;
  /// Counts the barriers that ordered the lanes of the warp among themselves.
  uint32_t laneEpoch = 0;
  uint32_t source = 0;
  uint16_t agent = 0, warp = 0;
  /// Of the async proxy; of an atomic.
  bool async = false, atomic = false;
  /// Of single lanes of `warp`, which may race with each other.
  bool ofLanes = false;
};

/// The last accesses to 4 bytes. Numbers are those of events and sets; 0: none.
struct Cell {
  uint32_t writer = 0, readers = 0;
  /// Not 0: the bytes differ, and this is their place.
  uint32_t bytes = 0;
  uint8_t writeLane = 0, readLane = 0;
};

/// The lane of an access that all lanes of a warp make together.
constexpr uint8_t manyLanes = 0xFF;

enum class Conflict : uint8_t {
  None,
  Race,
  /// Ordered, but a generic write is not yet visible to the async proxy.
  MissingProxyFence,
  /// Nothing has written the memory.
  Unwritten
};

/// The accesses of one launch.
class Shadow {
public:
  using Reporter =
      llvm::function_ref<void(Conflict, const Event *other, uint8_t lane)>;

  /// Accesses that follow are by `event`, which has seen `clock`.
  void begin(const Event &event, const Clock &clock);

  /// An access to the bytes `mask` of `cell`. `checkWritten`: reading what
  /// nothing wrote is a conflict.
  void read(Cell &cell, unsigned mask, uint8_t lane, bool checkWritten,
            Reporter report);
  void write(Cell &cell, unsigned mask, uint8_t lane, Reporter report);

  /// Whether it is time to forget what no cell names any more.
  bool isFull() const { return events.size() + sets.size() > limit; }
  /// Forgets it. `forEachCell` calls its argument for every cell that is in
  /// use; no access is going on.
  void compact(
      llvm::function_ref<void(llvm::function_ref<void(Cell &)>)> forEachCell);

private:
  using Set = llvm::SmallVector<uint32_t, 4>;
  struct Verdict {
    uint32_t number = 0;
    Conflict conflict = Conflict::None;
    /// Of this warp, without a barrier of its lanes since.
    bool sameLanes = false;
    uint32_t other = 0;
  };

  Conflict judge(uint32_t event, bool &sameLanes) const;
  const Verdict &judgeWriter(uint32_t event);
  const Verdict &judgeReaders(uint32_t set);
  uint32_t addReader(uint32_t set);
  template <typename Fn> void split(Cell &cell, unsigned mask, Fn fn);
  void readWhole(Cell &cell, uint8_t lane, bool checkWritten, Reporter report);
  void writeWhole(Cell &cell, uint8_t lane, Reporter report);

  static constexpr size_t leastLimit = size_t(1) << 22;

  size_t limit = leastLimit;
  std::vector<Event> events{1};
  std::vector<Set> sets{1};
  std::vector<std::array<Cell, 4>> splits{1};

  const Clock *clock = nullptr;
  uint32_t current = 0;
  Verdict lastWriter, lastReaders;
  struct Grown {
    uint32_t from, to;
    bool valid;
  };
  std::array<Grown, 4> grown = {};
  unsigned nextGrown = 0;
};

} // namespace mlir::fusion::emulator

#endif // FUSION_LIB_EMULATOR_SHADOW_H
