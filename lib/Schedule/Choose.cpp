//===- Choose.cpp - the schedule of a group -------------------------------===//

#include "fusion/Schedule/Choose.h"

#include "fusion/Schedule/KernelLoop.h"
#include "fusion/Schedule/UnknownSizes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fusion;

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

/// Bytes of shared memory: the ring, and beside warps that fetch the stage
/// through which each warpgroup stores (two panels of 64 rows of 128 bytes).
static int64_t getSharedBytes(const Schedule &schedule,
                              const ContractionShape &shape) {
  int64_t step =
      (schedule.rows * shape.operandsM + schedule.columns * shape.operandsN) *
      schedule.depth * shape.elementBytes;
  int64_t bytes = step * schedule.stages + 1024;
  if (schedule.isWarpSpecialized()) {
    bytes += (schedule.warps / 4) * 2 * 64 * 128;
  }
  return bytes;
}

/// Whether warps can be arranged so that each has whole blocks of the tile: 16
/// rows, and 16 (mma) or 32 (fma) columns.
static bool fitsWarps(const Schedule &schedule) {
  int64_t columns = schedule.kind == Schedule::Kind::MMA ? 16 : 32;
  for (int64_t along = 1; along <= schedule.warps; along *= 2) {
    if (schedule.rows % (16 * along) == 0 &&
        schedule.columns % (columns * (schedule.warps / along)) == 0) {
      return true;
    }
  }
  return false;
}

/// Says what `target` and the operands lack for `schedule`; empty if nothing.
static std::string refuseKind(const Schedule &schedule,
                              const ContractionShape &shape,
                              const ScheduleTarget &target) {
  if (!schedule.isContraction()) {
    return "the group is a contraction";
  }
  if (schedule.kind == Schedule::Kind::WGMMA && !target.hasWGMMA) {
    return "the target has no wgmma";
  }
  bool specialized = schedule.isWarpSpecialized();
  if (specialized && shape.blockWarps && schedule.warps != shape.blockWarps) {
    return llvm::formatv("the blocks of its launch have {0} warps to multiply",
                         shape.blockWarps);
  }
  if (specialized && !shape.bulkCopies) {
    return "an operand's strides do not allow bulk copies";
  }
  if (schedule.kind == Schedule::Kind::MMA && !target.hasMMA) {
    return "the target has no mma.sync";
  }
  if (schedule.kind != Schedule::Kind::FMA && !shape.halfFloats) {
    return "tensor cores want f16 or bf16 operands and an f32 accumulator";
  }
  return "";
}

/// Says why tiles of `schedule` are no whole panels of 64; empty if they are.
static std::string refusePanels(const Schedule &schedule,
                                const ContractionShape &shape) {
  bool wrongK = shape.panelsAlongK && schedule.depth % 64 != 0;
  bool wrongN = shape.panelsAlongN && schedule.columns % 64 != 0;
  if (!schedule.isWarpSpecialized() || (!wrongK && !wrongN)) {
    return "";
  }
  return llvm::formatv("an operand lies along {0}, in panels of 64, of which "
                       "{1} are no whole number",
                       wrongK ? "k" : "n",
                       wrongK ? schedule.depth : schedule.columns);
}

/// Says why the warps of a block cannot multiply tiles of `schedule`; empty if
/// they can.
static std::string refuseTile(const Schedule &schedule,
                              const ContractionShape &shape) {
  bool wgmma = schedule.kind == Schedule::Kind::WGMMA;
  if (wgmma &&
      (schedule.warps % 4 || schedule.rows % (16 * schedule.warps) ||
       schedule.columns % 8 || schedule.columns > 256 || schedule.depth % 16)) {
    return "wgmma wants 64 rows a warpgroup, at most 256 columns in eights "
           "and steps of 16";
  }
  if (schedule.multistage &&
      (schedule.depth % 64 || schedule.columns % 64 || schedule.stages < 3)) {
    return "wgmma on what all warps fetch wants 64 columns, steps of 64 and "
           "three stages";
  }
  if (!wgmma && !fitsWarps(schedule)) {
    return llvm::formatv("a tile of {0} x {1} cannot be held by {2} warps",
                         schedule.rows, schedule.columns, schedule.warps);
  }
  if (!wgmma &&
      schedule.depth % (schedule.kind == Schedule::Kind::MMA ? 16 : 4)) {
    return llvm::formatv("steps of {0} are no whole number of multiplies",
                         schedule.depth);
  }
  return refusePanels(schedule, shape);
}

/// Says why a tile does not hold the whole rows or columns of the results that
/// are reduced; empty if it does.
static std::string refuseWhole(const Schedule &schedule,
                               const ContractionShape &shape) {
  auto refuse = [](bool whole, int64_t size, int64_t tile) -> std::string {
    if (!whole || (size > 0 && size <= tile)) {
      return "";
    }
    // There would be no tile to write what nothing adds up to.
    if (size == 0) {
      return "nothing is reduced";
    }
    if (ShapedType::isDynamic(size)) {
      return "what is reduced has a length that is not known";
    }
    return llvm::formatv("{0} elements are reduced, of which a tile has {1}",
                         size, tile);
  };
  std::string reason = refuse(shape.wholeM, shape.m, schedule.rows);
  return reason.empty() ? refuse(shape.wholeN, shape.n, schedule.columns)
                        : reason;
}

std::string mlir::fusion::refuseContraction(const Schedule &schedule,
                                            const ContractionShape &shape,
                                            const ScheduleTarget &target) {
  if (std::string reason = refuseKind(schedule, shape, target);
      !reason.empty()) {
    return reason;
  }
  int64_t threads = schedule.warps * 32;
  int64_t registers = schedule.rows * schedule.columns * shape.count / threads;
  // Blocks of one launch share out registers as the largest of them does.
  bool wgmma = schedule.kind == Schedule::Kind::WGMMA;
  bool many = schedule.isWarpSpecialized() || (wgmma && !shape.blockWarps);
  if (registers > (many ? 128 : 64)) {
    return llvm::formatv("{0} accumulators a thread spill", registers);
  }
  if (std::string reason = refuseTile(schedule, shape); !reason.empty()) {
    return reason;
  }
  if (schedule.stages < 2) {
    return "a ring needs two stages";
  }
  if (shape.blockK != 0 && shape.blockK % schedule.depth != 0) {
    return llvm::formatv("steps of {0} would cross blocks of k, of {1}",
                         schedule.depth, shape.blockK);
  }
  if (std::string reason = refuseWhole(schedule, shape); !reason.empty()) {
    return reason;
  }
  int64_t bytes = getSharedBytes(schedule, shape);
  if (bytes > target.sharedBytes) {
    return llvm::formatv("{0} bytes of shared memory are more than {1}", bytes,
                         target.sharedBytes);
  }
  return "";
}

/// The schedules worth trying, in a fixed order.
static SmallVector<Schedule> getContractionSpace(const ContractionShape &shape,
                                                 const ScheduleTarget &target) {
  using Kind = Schedule::Kind;
  SmallVector<Schedule> space;
  auto add = [&](Kind kind, int64_t m, int64_t n, int64_t k, int64_t stages,
                 int64_t warps) {
    space.push_back({kind, m, n, k, stages, warps});
  };
  if (target.hasWGMMA && shape.halfFloats && shape.bulkCopies) {
    for (int64_t stages : {4, 3}) {
      add(Kind::WGMMA, 128, 256, 64, stages, 8);
      add(Kind::WGMMA, 128, 128, 64, stages, 8);
      add(Kind::WGMMA, 128, 64, 64, stages, 8);
      add(Kind::WGMMA, 64, 256, 64, stages, 4);
      add(Kind::WGMMA, 64, 128, 64, stages, 4);
      add(Kind::WGMMA, 64, 64, 64, stages, 4);
    }
  } else if (target.hasMMA && shape.halfFloats) {
    for (int64_t stages : {3, 2}) {
      add(Kind::MMA, 128, 128, 32, stages, 8);
      add(Kind::MMA, 128, 64, 32, stages, 8);
      add(Kind::MMA, 64, 128, 32, stages, 8);
      add(Kind::MMA, 64, 64, 32, stages, 4);
      add(Kind::MMA, 32, 64, 32, stages, 4);
      if (shape.wholeN) {
        add(Kind::MMA, 64, 256, 32, stages, 8);
        add(Kind::MMA, 32, 128, 32, stages, 4);
      }
    }
  }
  if (shape.wholeN) {
    add(Kind::FMA, 32, 256, 16, 2, 8);
    add(Kind::FMA, 32, 128, 16, 2, 4);
  }
  add(Kind::FMA, 128, 128, 8, 2, 8);
  add(Kind::FMA, 64, 128, 16, 2, 8);
  add(Kind::FMA, 64, 64, 16, 2, 4);
  add(Kind::FMA, 32, 64, 16, 2, 4);
  return space;
}

/// Multiply-adds that a multiprocessor does in one cycle with this tile, up to
/// a common factor: small tiles load more for what they multiply, few stages
/// hide less.
static double getRate(const Schedule &schedule, const ContractionShape &shape) {
  double kind = schedule.kind == Schedule::Kind::WGMMA ? 1.0
                : schedule.kind == Schedule::Kind::MMA ? 0.5
                                                       : 0.06;
  double m = schedule.rows, n = schedule.columns * shape.count;
  double reuse = m * n / (m + n); // 85 for 128x256
  double overlap = schedule.stages >= 4 ? 1.0 : 0.95;
  return kind * overlap * reuse / (reuse + 20.0);
}

/// Estimated time: waves of blocks, each as long as its multiplies take.
static double getTime(const Schedule &schedule, const ContractionShape &shape,
                      const ScheduleTarget &target) {
  int64_t tiles = orLarge(shape.batch) *
                  llvm::divideCeil(orLarge(shape.m), schedule.rows) *
                  llvm::divideCeil(orLarge(shape.n), schedule.columns);
  int64_t waves = llvm::divideCeil(tiles, target.multiprocessors);
  double work = double(schedule.rows) * schedule.columns * shape.count;
  return waves * work / getRate(schedule, shape);
}

/// Whether threads bring the operand's tiles through their registers.
static bool usesRegisters(FetchKind fetch, bool computes) {
  return computes || fetch == FetchKind::Stray || fetch == FetchKind::Window;
}

/// Registers of a thread that hold a step's elements on their way.
static int64_t countStepRegisters(const Schedule &schedule,
                                  const ContractionShape &shape) {
  int64_t rows = usesRegisters(shape.fetchM, shape.computesM)
                     ? schedule.rows * shape.operandsM
                     : 0;
  int64_t columns = usesRegisters(shape.fetchN, shape.computesN)
                        ? schedule.columns * shape.operandsN
                        : 0;
  return (rows + columns) * schedule.depth / (schedule.warps * 32);
}

/// Schedules of wgmma on what all warps fetch.
static SmallVector<Schedule> getMultistageSpace(const ContractionShape &shape,
                                                const ScheduleTarget &target) {
  SmallVector<Schedule> space;
  auto add = [&](int64_t m, int64_t n, int64_t stages, int64_t warps) {
    Schedule schedule{Schedule::Kind::WGMMA, m, n, 64, stages, warps, true};
    // What is on its way lies beside accumulators and addresses.
    constexpr int64_t kMostHeld = 144;
    int64_t held = m * n * shape.count / (warps * 32) +
                   countStepRegisters(schedule, shape);
    if (held <= kMostHeld &&
        refuseContraction(schedule, shape, target).empty()) {
      space.push_back(schedule);
    }
  };
  if (target.hasWGMMA && shape.halfFloats && !shape.bulkCopies) {
    for (int64_t stages : {4, 3}) {
      add(128, 256, stages, 8);
      add(128, 128, stages, 8);
      add(128, 64, stages, 8);
      add(64, 128, stages, 4);
      add(64, 64, stages, 4);
    }
  }
  return space;
}

/// Estimated microseconds on a GPU that has wgmma.
static double estimate(const Schedule &schedule, ContractionShape shape,
                       const DeviceModel &device) {
  for (int64_t *size : {&shape.batch, &shape.m, &shape.n, &shape.k}) {
    *size = orLarge(*size);
  }
  TileLoop loop = describeLoop(shape, schedule);
  // A conversion, a factor, rounding, a store: whatever is computed, alike.
  constexpr double kComputedOps = 8;
  loop.vectorOps += kComputedOps * schedule.depth *
                    (schedule.rows * shape.operandsM * shape.computesM +
                     schedule.columns * shape.operandsN * shape.computesN);
  return estimateLoops(loop, device);
}

/// Returns `best`, or the one of `space` that is estimated to take the least
/// time, if that is less than `share` of the time of `best`.
static Schedule considerOthers(Schedule best, ArrayRef<Schedule> space,
                               double share, const ContractionShape &shape,
                               const DeviceModel &device) {
  double bestTime = share * estimate(best, shape, device);
  for (const Schedule &schedule : space) {
    double time = estimate(schedule, shape, device);
    if (time < bestTime) {
      best = schedule;
      bestTime = time;
    }
  }
  return best;
}

Schedule mlir::fusion::chooseContraction(const ContractionShape &shape,
                                         const ScheduleTarget &target) {
  // The last of the space always fits: FMA on a small tile.
  SmallVector<Schedule> space = getContractionSpace(shape, target);
  Schedule best = space.back();
  std::optional<double> bestTime;
  llvm::erase_if(space, [&](const Schedule &schedule) {
    return !refuseContraction(schedule, shape, target).empty();
  });
  for (const Schedule &schedule : space) {
    double time = getTime(schedule, shape, target);
    if (!bestTime || time < *bestTime) {
      best = schedule;
      bestTime = time;
    }
  }
  std::optional<DeviceModel> device = getDeviceModel("sm_90a");
  if (!target.hasWGMMA || !device) {
    return best;
  }
  if (best.isWarpSpecialized()) {
    // Multiplies decide in most cases. Where a tile is fetched again and again
    // while others idle (few rows, many columns), the loop is looked at. What
    // is best for the many rows that an unknown size is estimated as leaves
    // most of the device idle for few.
    if (ShapedType::isDynamic(shape.batch) || ShapedType::isDynamic(shape.m) ||
        ShapedType::isDynamic(shape.n)) {
      return best;
    }
    constexpr double kErrorOfEstimates = 0.95;
    llvm::erase_if(space, [](const Schedule &schedule) {
      return !schedule.isWarpSpecialized();
    });
    return considerOthers(best, space, kErrorOfEstimates, shape, *device);
  }
  return considerOthers(best, getMultistageSpace(shape, target), 1, shape,
                        *device);
}

//===----------------------------------------------------------------------===//
// Elementwise groups and reductions
//===----------------------------------------------------------------------===//

/// The smallest power of two that is at least `size`.
static int64_t roundUp(int64_t size) {
  return llvm::PowerOf2Ceil(std::max<int64_t>(size, 1));
}

Schedule mlir::fusion::chooseElementwise(const ElementwiseShape &shape,
                                         const ScheduleTarget &target) {
  Schedule schedule;
  schedule.kind = Schedule::Kind::Elementwise;
  schedule.warps = 4;
  if (shape.transposed) {
    // Lines of 128 bytes both ways, for f16.
    schedule.rows = std::min<int64_t>(64, roundUp(orLarge(shape.rows)));
    schedule.columns = std::min<int64_t>(64, roundUp(orLarge(shape.columns)));
    schedule.warps = 8;
    return schedule;
  }
  // 16-byte vectors, two for each thread; one when the GPU would not be full.
  int64_t vector = std::max<int64_t>(1, 16 / shape.elementBytes);
  int64_t threads = schedule.warps * 32;
  int64_t columns = threads * vector * 2;
  int64_t total = ShapedType::isDynamic(shape.total) ? INT64_MAX : shape.total;
  int64_t wanted = target.multiprocessors * 4;
  while (columns > threads && total / columns < wanted) {
    columns /= 2;
  }
  // Short rows: several of them. Rows that no power of two divides: narrower
  // tiles, until less than a tenth lies outside.
  int64_t size = orLarge(shape.columns);
  schedule.columns = std::min(columns, roundUp(size));
  while (schedule.columns > 8 * vector &&
         int64_t(llvm::alignTo(size, schedule.columns)) * 10 > size * 11) {
    schedule.columns /= 2;
  }
  schedule.rows =
      std::min(columns / schedule.columns, roundUp(orLarge(shape.rows)));
  return schedule;
}

/// Halves `schedule.rows` down to `least` while there are fewer than `blocks`.
static void splitRows(Schedule &schedule, const RowsShape &shape, int64_t least,
                      int64_t blocks) {
  int64_t outer = orLarge(shape.outerRows), rows = orLarge(shape.rows);
  while (schedule.rows > least &&
         outer * llvm::divideCeil(rows, schedule.rows) < uint64_t(blocks)) {
    schedule.rows /= 2;
  }
}

/// Elements of a row that a thread holds: best measured on an H200 (softmax and
/// layer norm, f16), and what registers allow.
static constexpr int64_t kPreferred = 12, kMost = 40;

/// Elements of a tile that turns in shared memory: 64 KB of f32.
static constexpr int64_t kMostTurned = 16 * 1024;

/// Elements that a thread loads before it adds up, where rows lie along memory:
/// 32 KB of f32 for a multiprocessor, as much as the H200's latency asks for.
static constexpr int64_t kInFlight = 16;

/// Chooses for rows whose columns do not lie along memory: lanes lie along the
/// rows; the other lanes and warps share the columns.
static Schedule chooseAcross(const RowsShape &shape, int64_t rows,
                             int64_t columns, const ScheduleTarget &target) {
  Schedule schedule;
  schedule.kind = Schedule::Kind::Rows;
  schedule.warps = 16;
  schedule.rows = std::min<int64_t>(rows, 64);
  // Narrower rows cost more than a few idle multiprocessors.
  splitRows(schedule, shape, /*least=*/std::min<int64_t>(rows, 16),
            target.multiprocessors / 2);
  // So many loads of a thread are on their way at once.
  schedule.columns = std::min<int64_t>(
      roundUp(columns), kInFlight * schedule.warps * 32 / schedule.rows);
  return schedule;
}

/// Chooses whole rows, so many that lines along the other dim are whole too:
/// half a line of 128 bytes, of f32.
static Schedule chooseTurned(const RowsShape &shape, int64_t rows,
                             int64_t columns, const ScheduleTarget &target) {
  Schedule schedule;
  schedule.kind = Schedule::Kind::Rows;
  schedule.columns = roundUp(columns);
  schedule.rows = std::min<int64_t>(rows, 64);
  splitRows(schedule, shape, /*least=*/std::min<int64_t>(rows, 16),
            target.multiprocessors);
  while (schedule.rows > 1 && schedule.rows * schedule.columns > kMostTurned) {
    schedule.rows /= 2;
  }
  schedule.warps =
      std::clamp<int64_t>(schedule.rows * schedule.columns / (32 * 16), 4, 16);
  return schedule;
}

Schedule mlir::fusion::chooseRows(const RowsShape &shape,
                                  const ScheduleTarget &target) {
  int64_t rows = roundUp(orLarge(shape.rows));
  int64_t columns = orLarge(shape.columns);
  if (!shape.contiguousColumns) {
    return chooseAcross(shape, rows, columns, target);
  }
  if (shape.transposed && columns <= kMostTurnedColumns) {
    return chooseTurned(shape, rows, columns, target);
  }
  Schedule schedule;
  schedule.kind = Schedule::Kind::Rows;
  // What a warp reads at once.
  int64_t perWarp = 32 * std::max<int64_t>(1, 16 / shape.elementBytes);
  if (columns < perWarp) {
    // Several rows to a warp.
    schedule.columns = roundUp(columns);
    schedule.rows =
        std::min(rows, schedule.warps * (perWarp / schedule.columns));
    splitRows(schedule, shape, /*least=*/1, target.multiprocessors);
    return schedule;
  }
  int64_t perRow = 0;
  for (int64_t warps : {1, 2, 4, 8}) {
    int64_t tile = llvm::alignTo(columns, perWarp * warps);
    int64_t elements = tile / (32 * warps);
    bool better = perRow == 0 || tile < schedule.columns ||
                  (tile == schedule.columns && elements >= kPreferred);
    if (elements <= kMost && better) {
      perRow = warps;
      schedule.columns = tile;
    }
  }
  if (perRow == 0 || ShapedType::isDynamic(shape.columns)) {
    // Chunks; what a block reads again comes from the L2 cache.
    schedule.columns = std::min<int64_t>(4096, perWarp * 8 * 4);
    schedule.warps = 8;
    return schedule;
  }
  schedule.rows = std::min(rows, std::max<int64_t>(1, 4 / perRow));
  splitRows(schedule, shape, /*least=*/1, target.multiprocessors);
  schedule.warps = schedule.rows * perRow;
  return schedule;
}
