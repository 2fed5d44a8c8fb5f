//===- State.h - warps, blocks and launches in execution --------*- C++ -*-===//

#ifndef FUSION_LIB_EMULATOR_STATE_H
#define FUSION_LIB_EMULATOR_STATE_H

#include "Memory.h"
#include "Program.h"
#include "Shadow.h"
#include "llvm/ADT/Twine.h"
#include <deque>
#include <map>
#include <memory>
#include <random>
#include <set>

namespace mlir::fusion::emulator {

class Block;

/// One value of each lane.
struct alignas(64) Slot {
  uint64_t lane[32];
};

/// The kinds of agents; each warp (warpgroup) has one of each kind, see
/// Block::getAgent. Behind them come the mbarriers' transactions.
enum class AgentKind : unsigned {
  Warp,
  CpAsync,
  BulkRead,
  BulkWrite,
  Wgmma,
  Count
};

/// Calls `fn` for each active lane.
template <typename Fn> inline void forLanes(uint32_t mask, Fn fn) {
  if (mask == allLanes) {
    for (unsigned lane = 0; lane < 32; ++lane) {
      fn(lane);
    }
    return;
  }
  for (; mask; mask &= mask - 1) {
    fn(static_cast<unsigned>(__builtin_ctz(mask)));
  }
}

/// One cp.async of the lanes of a warp.
struct CpAsyncOp {
  uint32_t source, mask, bytes;
  std::array<uint64_t, 32> from;
  std::array<uint32_t, 32> to, size;
  Clock clock;
};

/// A bulk store that one thread issued.
struct BulkStoreOp {
  uint32_t source, group;
  uint8_t lane;
  TensorMapFields map;
  uint64_t from;
  std::array<int32_t, 5> at;
  Clock clock;
  bool isRead = false;
  std::vector<uint8_t> data;
};

/// The bulk groups of one thread.
struct BulkGroups {
  uint32_t committed = 0;
  std::deque<BulkStoreOp> ops;
};

/// A bulk load in flight.
struct BulkLoadOp {
  uint32_t source;
  uint16_t warp;
  TensorMapFields map;
  uint32_t to, barrier;
  std::array<int32_t, 5> at;
  Clock clock;
};

struct MBarrier {
  uint32_t expected = 0;
  int64_t pending = 0, transactions = 0;
  uint64_t phase = 0;
  /// What the current phase's arrivals have seen; what all phases before had.
  Clock arrivals, completed;
  uint16_t agent = 0;
  uint16_t initWarp = 0;
  uint32_t initTime = 0;
  /// The initialisation is visible to the async proxy.
  bool isFenced = false;
};

struct NamedBarrier {
  uint32_t expected = 0, arrived = 0;
  uint64_t generation = 0;
  Clock arrivals, completed;
};

/// A multiply of a warpgroup.
struct WgmmaOp {
  const Inst *inst;
  uint64_t a, b;
  uint32_t warps = 0;
  /// 64 x 16, where a comes from registers.
  std::vector<float> left;
  /// 64 x n sums, shared with the ops before it on the same registers.
  std::shared_ptr<std::vector<float>> sums;
  Clock clock;
};

/// WgmmaOp::warps when all four have issued it.
constexpr uint32_t wholeWarpgroup = 15;

struct Warpgroup {
  std::vector<WgmmaOp> ops;
  size_t numDone = 0;
};

/// What a warp that cannot go on waits for.
enum class Waiting : uint8_t {
  Nothing,
  Barrier,
  MBarrier,
  Registers,
  Warpgroup
};

struct Warp {
  unsigned index = 0;
  uint32_t pc = 0;
  uint32_t mask = 0, full = 0;
  bool isDone = false;
  Waiting waiting = Waiting::Nothing;
  std::vector<Slot> slots;
  struct Frame {
    uint32_t saved, otherwise;
  };
  std::vector<Frame> frames;

  Clock clock;
  uint32_t time = 1, laneEpoch = 0;

  // The named barrier that it waits at.
  uint32_t barrier = 0;
  uint64_t generation = 0;

  // cp.async: groups committed and complete; the ops of the open group last.
  std::deque<std::pair<uint32_t, CpAsyncOp>> copies;
  uint32_t copyGroups = 0;

  // wgmma: ops issued, those up to each commit, and which registers are still
  // to be written.
  size_t issued = 0;
  std::vector<size_t> commits;
  bool isFenced = false;
  struct Pending {
    uint32_t slot;
    uint32_t op;
    uint32_t index;
  };
  std::map<uint32_t, std::pair<uint32_t, uint32_t>> pending;

  int64_t registers = 0;
};

/// One launch.
class Launch {
public:
  Launch(const Program &program, const LaunchShape &shape,
         GlobalMemory::State &memory, const Options &options);

  void report(StringRef kind, uint32_t source, const Twine &message);
  /// Reports and ends the launch.
  void fail(StringRef kind, uint32_t source, const Twine &message) {
    report(kind, source, message);
    isFailed = true;
  }
  /// A random number below `bound`; 0 without a seed.
  uint32_t choose(uint32_t bound) {
    return options.seed && bound > 1 ? static_cast<uint32_t>(random() % bound)
                                     : 0;
  }
  bool isRandom() const { return options.seed != 0; }

  const Program &program;
  const LaunchShape &shape;
  GlobalMemory::State &memory;
  const Options &options;
  Shadow shadow;
  LaunchResult result;
  bool isFailed = false;

private:
  std::mt19937_64 random;
  std::map<std::pair<std::string, uint32_t>, size_t> known;
};

/// Whether an instruction went through.
enum class Step : uint8_t { Next, Wait };

/// Bytes in either memory.
struct Place {
  uint8_t *data = nullptr;
  /// Null: shared memory.
  Array *array = nullptr;
  uint64_t offset = 0;
};

/// One block in execution.
class Block {
public:
  Block(Launch &launch, std::array<int64_t, 3> id, uint32_t number,
        llvm::ArrayRef<uint64_t> parameters);

  /// Runs until all warps are done or the launch has failed.
  void run();

  /// "block (0, 0, 0), thread 5".
  std::string describe(const Warp &warp, unsigned lane) const;

private:
  // Scheduler.cpp
  bool canRun(Warp &warp);
  void runWarp(Warp &warp, unsigned most);
  void compactShadow();
  void reportDeadlock();
  std::string describeWait(const Warp &warp);
  void finish();
  bool completeSomething();
  void completeEarly();

  // Interpreter.cpp
  Step execute(Warp &warp, const Inst &inst);
  void executeControl(Warp &warp, const Inst &inst);
  Step executeSync(Warp &warp, const Inst &inst);
  Step executeAsync(Warp &warp, const Inst &inst);
  Step executeMatrix(Warp &warp, const Inst &inst);
  void executeMemory(Warp &warp, const Inst &inst);
  void readSpecialRegister(Warp &warp, const Inst &inst);

  // Accesses.cpp
  bool resolve(const Inst &inst, Warp &warp, unsigned lane, Space space,
               uint64_t address, unsigned bytes, unsigned alignment,
               Place &place);
  void touch(const Place &place, unsigned bytes, uint8_t lane, bool isWrite,
             const Event &event);
  /// Starts accesses of `warp` itself; touch() follows.
  Event beginAccess(Warp &warp, const Inst &inst, bool atomic = false);
  void load(Warp &warp, const Inst &inst);
  void store(Warp &warp, const Inst &inst);
  void atomic(Warp &warp, const Inst &inst);
  void countRequest(Space space, llvm::ArrayRef<uint64_t> addresses,
                    uint32_t mask, unsigned bytes, bool isWrite);
  void reportConflict(Conflict conflict, const Event *other, uint8_t otherLane,
                      const Place &place, uint8_t lane, bool isWrite,
                      const Event &event);

  // Warps.cpp
  bool checkMembers(Warp &warp, const Inst &inst, uint32_t slot);
  void shuffle(Warp &warp, const Inst &inst);
  void vote(Warp &warp, const Inst &inst);
  void redux(Warp &warp, const Inst &inst);
  bool requireConverged(Warp &warp, const Inst &inst);

  // Barriers.cpp
  Step barrier(Warp &warp, const Inst &inst);
  void release(Warp &warp);
  MBarrier *findBarrier(Warp &warp, const Inst &inst, unsigned lane);
  void initBarrier(Warp &warp, const Inst &inst);
  void arrive(Warp &warp, const Inst &inst);
  void completePhase(MBarrier &barrier);
  bool isPhaseDone(Warp &warp, const Inst &inst);
  Step waitParity(Warp &warp, const Inst &inst);
  Step setMaxRegisters(Warp &warp, const Inst &inst);

  // AsyncCopies.cpp
  void cpAsync(Warp &warp, const Inst &inst);
  void cpAsyncCommit(Warp &warp, const Inst &inst);
  void cpAsyncWait(Warp &warp, const Inst &inst);
  void completeCopy(Warp &warp);

  // BulkCopies.cpp
  bool readMap(Warp &warp, const Inst &inst, unsigned lane,
               TensorMapFields &map);
  void bulkLoad(Warp &warp, const Inst &inst);
  void bulkStore(Warp &warp, const Inst &inst);
  void bulkCommit(Warp &warp);
  void bulkWait(Warp &warp, const Inst &inst);
  void completeLoad(size_t index);
  void readStore(unsigned thread, BulkStoreOp &op);
  void writeStore(unsigned thread, BulkStoreOp &op);

  // Matrices.cpp
  void ldMatrix(Warp &warp, const Inst &inst);
  void stMatrix(Warp &warp, const Inst &inst);
  void mmaSync(Warp &warp, const Inst &inst);

  // Wgmma.cpp
  void wgmma(Warp &warp, const Inst &inst);
  Step wgmmaWait(Warp &warp, const Inst &inst);
  void takeLeft(Warp &warp, const Inst &inst, llvm::ArrayRef<uint32_t> words,
                WgmmaOp &op);
  void completeWgmma(unsigned warpgroup, WgmmaOp &op);
  bool readOperand(unsigned warpgroup, const WgmmaOp &op, uint64_t descriptor,
                   bool mnMajor, unsigned lines, std::vector<float> &out);
  void publish(Warp &warp, size_t done);
  bool checkPending(Warp &warp, const Inst &inst);
  bool checkPendingSlot(Warp &warp, const Inst &inst, uint32_t slot);
  void movePending(Warp &warp, const Inst &inst);

  unsigned getAgent(AgentKind kind, unsigned warp) const {
    return static_cast<unsigned>(kind) * static_cast<unsigned>(warps.size()) +
           warp;
  }

  Launch &launch;
  const Program &program;
  std::array<int64_t, 3> id;
  uint32_t number;
  std::vector<uint8_t> shared;
  std::vector<Cell> sharedCells;
  std::deque<Warp> warps;
  std::vector<Warpgroup> warpgroups;
  std::map<uint32_t, MBarrier> mbarriers;
  std::array<NamedBarrier, 16> barriers;
  std::vector<BulkLoadOp> loads;
  std::map<unsigned, BulkGroups> bulkGroups;
  int64_t instructions = 0;
};

// What computes on the active lanes; false where `inst` is none of theirs.
bool executeInteger(Slot *slots, uint32_t mask, const Inst &inst);
bool executeFloat(Slot *slots, uint32_t mask, const Inst &inst);
bool executeConversion(Slot *slots, uint32_t mask, const Inst &inst);

} // namespace mlir::fusion::emulator

#endif // FUSION_LIB_EMULATOR_STATE_H
