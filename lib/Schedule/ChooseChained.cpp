//===- ChooseChained.cpp - a contraction of a contraction -----------------===//

#include "fusion/Schedule/Choose.h"

#include "BlockNeeds.h"
#include "fusion/Schedule/KernelLoop.h"
#include "fusion/Schedule/UnknownSizes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fusion;

/// A row of padding for scalar multiplies, and what alignment may cost.
static constexpr int64_t kPadding = 16, kSlack = 4096;
/// What one multiprocessor does in a cycle, as in Cost/TileLoop.cpp: bytes that
/// it fetches, multiply-adds of mma.sync and of scalar code.
static constexpr double kBytes = 55, kMmaRate = 800, kFmaRate = 76;
/// Cycles of a step in which nothing is left to wait for, of the end of a tile,
/// and the warps that keep a multiprocessor busy.
static constexpr double kMmaLatency = 640, kFmaLatency = 220, kTileEnd = 1100;
static constexpr int64_t kWarpsToFill = 8;
/// Registers of a multiprocessor, and those of a thread that hold no tiles.
static constexpr int64_t kRegisters = 65536, kOtherRegisters = 80;

namespace {
/// The sides of a block's tiles, whole multiplies; bytes of the elements.
struct Sides {
  Sides(const ChainedSchedule &chained, const ChainedShape &shape)
      : schedule(chained.schedule), bytes(shape.elementBytes),
        scalar(schedule.kind == Schedule::Kind::FMA) {
    // Widths that are not known are refused before anything counts with them.
    k = chained.streamed ? getOperandWidth(orLarge(shape.k), schedule.kind)
                         : schedule.depth;
    r = chained.streamed ? schedule.depth
                         : getOperandWidth(orLarge(shape.r), schedule.kind);
  }

  /// Bytes of a tile of shared memory, whichever way its rows run.
  int64_t getTile(int64_t x, int64_t y) const {
    return x * y * bytes + (scalar ? std::max(x, y) * kPadding : 0);
  }
  int64_t getThreads() const { return schedule.warps * 32; }
  /// Cycles that `elements` fetched and `products` take of a multiprocessor:
  /// scalar multiplies leave time to issue loads, mma.sync waits for them.
  double getBusy(double elements, double products) const {
    double fetch = elements * bytes / kBytes;
    return scalar ? std::max(fetch, products / kFmaRate)
                  : fetch + products / kMmaRate;
  }
  double getLatency() const { return scalar ? kFmaLatency : kMmaLatency; }

  const Schedule &schedule;
  int64_t bytes;
  bool scalar;
  int64_t k, r;
};
} // namespace

static int64_t getSharedBytes(const ChainedSchedule &chained,
                              const ChainedShape &shape) {
  Sides sides(chained, shape);
  int64_t rows = chained.schedule.rows, columns = chained.schedule.columns;
  int64_t a = sides.getTile(rows, sides.k), b = sides.getTile(sides.k, sides.r);
  int64_t c = sides.getTile(sides.r, columns);
  int64_t middle = sides.scalar ? sides.getTile(rows, sides.r) : 0;
  int64_t stages = chained.schedule.stages;
  int64_t rings =
      chained.streamed ? a + stages * (b + c) : stages * (a + b + c);
  return rings + middle + kSlack;
}

/// Registers of one thread for tiles: the middle while it is summed up, or what
/// is left of it beside the result.
static int64_t getRegisters(const ChainedSchedule &chained,
                            const ChainedShape &shape) {
  Sides sides(chained, shape);
  int64_t perColumn = chained.schedule.rows;
  int64_t middle = perColumn * sides.r / sides.getThreads();
  int64_t result = perColumn * chained.schedule.columns / sides.getThreads();
  if (chained.streamed) {
    return result + middle * 3 / 2;
  }
  return std::max(middle * 5 / 4,
                  (sides.scalar ? 0 : middle / 2) + result * 3 / 2);
}

/// Checks what the widths of the operands ask.
static std::string refuseWidths(const ChainedSchedule &chained,
                                const ChainedShape &shape) {
  if (chained.streamed &&
      (ShapedType::isDynamic(shape.k) || ShapedType::isDynamic(shape.n))) {
    return "the widths of the first and the last operand are not known";
  }
  if (chained.streamed && shape.severalColumns) {
    return "the result has several dims of columns";
  }
  if (!chained.streamed && ShapedType::isDynamic(shape.r)) {
    return "the width of what lies between the contractions is not known";
  }
  return "";
}

std::string mlir::fusion::refuseChained(const ChainedSchedule &chained,
                                        const ChainedShape &shape,
                                        const ScheduleTarget &target) {
  const Schedule &schedule = chained.schedule;
  bool mma = schedule.kind == Schedule::Kind::MMA;
  if (!mma && schedule.kind != Schedule::Kind::FMA) {
    return "the group is a contraction of a contraction";
  }
  if (mma && (!target.hasMMA || !shape.halfFloats)) {
    return "mma.sync wants f16 or bf16 operands, and sm_80";
  }
  if (std::string reason = refuseWidths(chained, shape); !reason.empty()) {
    return reason;
  }
  int64_t side = mma ? 16 : 32;
  if (schedule.rows % (16 * schedule.warps) != 0 ||
      schedule.columns % side != 0 || schedule.stages < 2 ||
      schedule.depth % (mma                ? 16
                        : chained.streamed ? 32
                                           : 4) !=
          0) {
    return "each warp wants 16 rows, a ring two stages, a step whole "
           "multiplies";
  }
  return refuseBlock(getRegisters(chained, shape),
                     getSharedBytes(chained, shape), target);
}

int64_t mlir::fusion::getColumnBlocks(const ChainedSchedule &chained,
                                      const ChainedShape &shape,
                                      const ScheduleTarget &target) {
  int64_t steps = llvm::divideCeil(orLarge(shape.n), chained.schedule.columns);
  if (chained.streamed) {
    return steps;
  }
  int64_t tiles = orLarge(shape.batch) *
                  llvm::divideCeil(orLarge(shape.m), chained.schedule.rows);
  int64_t idle = target.multiprocessors / std::max<int64_t>(tiles, 1);
  return std::max<int64_t>(1, std::min(steps, idle));
}

namespace {
/// What one block does: steps, elements that it fetches, multiply-adds.
struct BlockWork {
  double steps = 0, elements = 0, products = 0;
};
} // namespace

/// A block makes the middle, and its share of the columns.
static BlockWork getBlockWork(const ChainedSchedule &chained,
                              const ChainedShape &shape, int64_t shares) {
  Sides sides(chained, shape);
  double rows = chained.schedule.rows, columns = chained.schedule.columns;
  BlockWork work;
  if (chained.streamed) {
    work.steps = llvm::divideCeil(orLarge(shape.r), sides.r);
    work.elements = work.steps * sides.r * (sides.k + columns);
    work.products = rows * work.elements;
    return work;
  }
  double first = llvm::divideCeil(orLarge(shape.k), sides.k);
  double second = llvm::divideCeil(
      llvm::divideCeil(orLarge(shape.n), chained.schedule.columns), shares);
  work.steps = first + second;
  work.elements =
      first * sides.k * (rows + sides.r) + second * columns * sides.r;
  work.products = rows * sides.r * (first * sides.k + second * columns);
  return work;
}

/// How many blocks a multiprocessor holds.
static int64_t getHeld(const ChainedSchedule &chained,
                       const ChainedShape &shape,
                       const ScheduleTarget &target) {
  int64_t threads = chained.schedule.warps * 32;
  int64_t registers =
      threads * (getRegisters(chained, shape) + kOtherRegisters);
  int64_t bySharedMemory = target.sharedBytes / getSharedBytes(chained, shape);
  return std::max<int64_t>(1, std::min(kRegisters / registers, bySharedMemory));
}

/// Estimated cycles, as Cost/TileLoop.h has them: a multiprocessor is busy, or
/// each of its places for a block is.
static double getTime(const ChainedSchedule &chained, const ChainedShape &shape,
                      const ScheduleTarget &target) {
  int64_t shares = getColumnBlocks(chained, shape, target);
  int64_t blocks = orLarge(shape.batch) *
                   llvm::divideCeil(orLarge(shape.m), chained.schedule.rows) *
                   shares;
  Sides sides(chained, shape);
  BlockWork work = getBlockWork(chained, shape, shares);
  double busy = sides.getBusy(work.elements, work.products);
  double idle =
      double(kWarpsToFill) / std::min(chained.schedule.warps, kWarpsToFill);
  // The fewer steps are on their way, the longer each waits.
  double waits = 1 + 0.5 / (chained.schedule.stages - 1);
  double alone = work.steps * sides.getLatency() * waits + busy * idle;
  double perSM = llvm::divideCeil(blocks, target.multiprocessors);
  double rounds = std::ceil(perSM / getHeld(chained, shape, target));
  return std::max(rounds * alone, perSM * busy) + rounds * kTileEnd;
}

/// Adds the schedules of `warps` warps with `rows` rows each.
static void addSchedules(const ChainedShape &shape, Schedule::Kind kind,
                         int64_t warps, int64_t rows,
                         SmallVectorImpl<ChainedSchedule> &space) {
  bool mma = kind == Schedule::Kind::MMA;
  int64_t least = mma ? 16 : 32;
  auto fit = [&](int64_t side, int64_t size) {
    return std::min(side, getOperandWidth(orLarge(size), kind));
  };
  auto add = [&](int64_t columns, int64_t depth, int64_t stages,
                 bool streamed) {
    space.push_back(
        {{kind, rows * warps, columns, depth, stages, warps}, streamed});
  };
  for (int64_t stages : {4, 3, 2}) {
    // All of the middle, steps of k.
    for (int64_t depth : {256, 128, 64, 32}) {
      for (int64_t columns : {128, 64, 32}) {
        add(fit(columns, shape.n), mma ? fit(depth, shape.k) : depth / 4,
            stages, /*streamed=*/false);
      }
    }
    // Steps of the middle, all of k.
    for (int64_t depth : {128, 64, 32, 16}) {
      for (int64_t columns : {256, 128, 64}) {
        add(fit(columns, shape.n), fit(std::max(depth, least), shape.r), stages,
            /*streamed=*/true);
      }
    }
  }
}

/// The schedules worth trying, in a fixed order.
static SmallVector<ChainedSchedule> getSpace(const ChainedShape &shape,
                                             const ScheduleTarget &target) {
  bool mma = target.hasMMA && shape.halfFloats;
  Schedule::Kind kind = mma ? Schedule::Kind::MMA : Schedule::Kind::FMA;
  SmallVector<ChainedSchedule> space;
  for (int64_t warps : {8, 4, 2, 1}) {
    for (int64_t rows : {32, 16}) {
      addSchedules(shape, kind, warps, rows, space);
    }
  }
  return space;
}

std::optional<ChainedSchedule>
mlir::fusion::chooseChained(const ChainedShape &shape,
                            const ScheduleTarget &target, std::string &reason) {
  std::optional<ChainedSchedule> best;
  double bestTime = 0;
  for (const ChainedSchedule &chained : getSpace(shape, target)) {
    std::string refusal = refuseChained(chained, shape, target);
    if (!refusal.empty()) {
      // The smallest tile of the plainer form says most.
      reason = chained.streamed && !reason.empty() ? reason : refusal;
      continue;
    }
    double time = getTime(chained, shape, target);
    if (!best || time < bestTime) {
      best = chained;
      bestTime = time;
    }
  }
  return best;
}

TileLoop mlir::fusion::describeLoop(const ChainedShape &shape,
                                    const ChainedSchedule &chained,
                                    int64_t shares, double vectorOps) {
  constexpr int64_t kMostRegisters = 255;
  Sides sides(chained, shape);
  int64_t blocks = orLarge(shape.batch) *
                   llvm::divideCeil(orLarge(shape.m), chained.schedule.rows) *
                   shares;
  BlockWork work = getBlockWork(chained, shape, shares);
  TileLoop loop;
  loop.unit = sides.scalar ? MultiplyUnit::FMA : MultiplyUnit::MMA;
  loop.tiles = blocks;
  loop.steps = std::max(1.0, work.steps);
  loop.multiplyFlops = 2 * work.products / loop.steps;
  loop.lineBytes = work.elements * sides.bytes / loop.steps;
  loop.vectorOps = vectorOps * shares / std::max(1.0, loop.tiles * loop.steps);
  int64_t registers = getRegisters(chained, shape) + kOtherRegisters;
  loop.block = {unsigned(sides.getThreads()),
                unsigned(std::min(registers, kMostRegisters)),
                unsigned(getSharedBytes(chained, shape))};
  return loop;
}
