//===- ChooseOnlineSoftmax.cpp - contraction, softmax, contraction --------===//

#include "fusion/Schedule/Choose.h"

#include "BlockNeeds.h"
#include "fusion/Schedule/UnknownSizes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fusion;

int64_t mlir::fusion::getOperandWidth(int64_t size, Schedule::Kind kind) {
  // Rows of wgmma's operands are 128 bytes of 16-bit elements, or several.
  int64_t side = kind == Schedule::Kind::WGMMA ? 64
                 : kind == Schedule::Kind::MMA ? 16
                                               : 32;
  return llvm::alignTo(std::max<int64_t>(size, 1), side);
}

/// A row of padding for scalar multiplies, and what alignment may cost.
static constexpr int64_t kPadding = 16, kSlack = 4096;

static int64_t getSharedBytes(const Schedule &schedule,
                              const OnlineSoftmaxShape &shape) {
  int64_t k = getOperandWidth(shape.k, schedule.kind);
  int64_t d = getOperandWidth(shape.d, schedule.kind);
  bool scalar = schedule.kind == Schedule::Kind::FMA;
  int64_t padding = scalar ? kPadding : 0;
  int64_t q = schedule.rows * (k * shape.elementBytes + padding);
  int64_t kv = schedule.columns * ((k + d) * shape.elementBytes + 2 * padding);
  int64_t weights =
      scalar ? schedule.rows * (schedule.columns * shape.elementBytes + padding)
             : 0;
  return q + schedule.stages * kv + weights + kSlack;
}

/// Registers of one thread: accumulators, scores, and scores once more while
/// they become weights.
static int64_t getRegisters(const Schedule &schedule,
                            const OnlineSoftmaxShape &shape) {
  int64_t d = getOperandWidth(shape.d, schedule.kind);
  int64_t perThread = schedule.rows * (d + 3 * schedule.columns / 2);
  return perThread / (schedule.warps * 32);
}

/// Why wgmma cannot do both multiplies; empty if it can.
static std::string refuseWgmma(const Schedule &schedule,
                               const OnlineSoftmaxShape &shape,
                               const ScheduleTarget &target) {
  constexpr int64_t kMostColumns = 256;
  if (!target.hasWGMMA || !shape.halfFloats) {
    return "wgmma wants f16 or bf16 operands, and sm_90a";
  }
  if (!schedule.multistage) {
    return "a softmax between contractions is not warp-specialised";
  }
  if (schedule.warps % 4 != 0 || schedule.rows != 16 * schedule.warps) {
    return "wgmma wants 64 rows for each four warps";
  }
  if (schedule.columns % 64 != 0 || schedule.columns > kMostColumns ||
      getOperandWidth(shape.d, schedule.kind) > kMostColumns) {
    return "wgmma wants columns in steps of 64, at most 256";
  }
  return "";
}

std::string mlir::fusion::refuseOnlineSoftmax(const Schedule &schedule,
                                              const OnlineSoftmaxShape &shape,
                                              const ScheduleTarget &target) {
  bool mma = schedule.kind == Schedule::Kind::MMA;
  bool wgmma = schedule.kind == Schedule::Kind::WGMMA;
  if (!mma && !wgmma && schedule.kind != Schedule::Kind::FMA) {
    return "the group is a softmax between contractions";
  }
  if (mma && (!target.hasMMA || !shape.halfFloats)) {
    return "mma.sync wants f16 or bf16 operands, and sm_80";
  }
  if (ShapedType::isDynamic(shape.k) || ShapedType::isDynamic(shape.d)) {
    return "the widths of its operands are not known";
  }
  if (wgmma) {
    std::string refusal = refuseWgmma(schedule, shape, target);
    if (!refusal.empty()) {
      return refusal;
    }
  }
  if (schedule.rows % (16 * schedule.warps) != 0 ||
      schedule.columns % (mma ? 16 : 32) != 0 || schedule.stages < 2) {
    return "each warp wants 16 rows, a ring two stages";
  }
  return refuseBlock(getRegisters(schedule, shape),
                     getSharedBytes(schedule, shape), target);
}

/// How fast tiles are done, against each other, from attention of widths 32 to
/// 256 on an H200.
static double getRate(const Schedule &schedule, const OnlineSoftmaxShape &shape,
                      const ScheduleTarget &target, bool alone) {
  if (schedule.kind != Schedule::Kind::WGMMA) {
    // A warp with more rows reads less of k and v for each.
    double perWarp = double(schedule.rows) / schedule.warps;
    return perWarp / (perWarp + 16.0);
  }
  // While a warpgroup waits for a multiply, another has to work.
  constexpr int64_t kWarpsToFill = 8;
  constexpr double kRate = 1.1, kWaiting = 0.8, kAlone = 0.9;
  int64_t held = target.sharedBytes / getSharedBytes(schedule, shape);
  bool fills = held * schedule.warps >= kWarpsToFill;
  return alone ? kAlone : fills ? kRate : kRate * kWaiting;
}

/// Estimated time: waves of blocks, each of which reads all of k and v.
static double getTime(const Schedule &schedule, const OnlineSoftmaxShape &shape,
                      const ScheduleTarget &target) {
  int64_t blocks =
      orLarge(shape.batch) * llvm::divideCeil(orLarge(shape.m), schedule.rows);
  int64_t waves = llvm::divideCeil(blocks, target.multiprocessors);
  int64_t widths = getOperandWidth(shape.k, schedule.kind) +
                   getOperandWidth(shape.d, schedule.kind);
  double steps = 1.0 + 8.0 / schedule.columns;
  return waves * schedule.rows * widths * steps /
         getRate(schedule, shape, target, /*alone=*/waves == 1);
}

/// The schedules to choose from, of the kinds that the target multiplies
/// `shape`'s operands with.
static SmallVector<Schedule> listSchedules(const OnlineSoftmaxShape &shape,
                                           const ScheduleTarget &target) {
  using Kind = Schedule::Kind;
  struct Tile {
    Kind kind;
    int64_t rows, columns, warps;
  };
  static const Tile halves[] = {
      {Kind::WGMMA, 64, 64, 4},  {Kind::WGMMA, 64, 128, 4},
      {Kind::WGMMA, 128, 64, 8}, {Kind::MMA, 128, 64, 4},
      {Kind::MMA, 128, 64, 8},   {Kind::MMA, 64, 64, 4},
      {Kind::MMA, 64, 32, 4},    {Kind::MMA, 32, 64, 2},
      {Kind::MMA, 32, 32, 2}};
  static const Tile scalars[] = {
      {Kind::FMA, 64, 64, 4}, {Kind::FMA, 64, 32, 4}, {Kind::FMA, 32, 32, 2}};
  bool half = target.hasMMA && shape.halfFloats;
  SmallVector<Schedule> schedules;
  for (const Tile &tile : half ? ArrayRef(halves) : ArrayRef(scalars)) {
    if (tile.kind == Kind::WGMMA && !target.hasWGMMA) {
      continue;
    }
    int64_t depth = ShapedType::isDynamic(shape.k)
                        ? 0
                        : getOperandWidth(shape.k, tile.kind);
    Schedule schedule{tile.kind, tile.rows, tile.columns, depth, 2, tile.warps};
    schedule.multistage = tile.kind == Kind::WGMMA;
    schedules.push_back(schedule);
  }
  return schedules;
}

std::optional<Schedule>
mlir::fusion::chooseOnlineSoftmax(const OnlineSoftmaxShape &shape,
                                  const ScheduleTarget &target,
                                  std::string &reason) {
  std::optional<Schedule> best;
  double bestTime = 0;
  for (const Schedule &schedule : listSchedules(shape, target)) {
    std::string refusal = refuseOnlineSoftmax(schedule, shape, target);
    if (!refusal.empty()) {
      reason = refusal;
      continue;
    }
    double time = getTime(schedule, shape, target);
    if (!best || time < bestTime) {
      best = schedule;
      bestTime = time;
    }
  }
  return best;
}
