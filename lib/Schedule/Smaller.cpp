//===- Smaller.cpp - schedules that take less -----------------------------===//

#include "fusion/Schedule/Smaller.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fusion;

using Kind = Schedule::Kind;

/// A warp, whose threads have an element each.
static Schedule getSimplest(Kind kind) {
  return {kind,       /*rows=*/1, /*columns=*/32, /*depth=*/0, /*stages=*/0,
          /*warps=*/1};
}

/// Tiles of contractions, largest first. The units that want least follow: what
/// tensor cores cannot multiply, scalar ones can.
static SmallVector<Schedule> getSmallTiles() {
  return {{Kind::WGMMA, 64, 64, 64, 2, 4},
          {Kind::WGMMA, 64, 64, 64, 3, 4, /*multistage=*/true},
          {Kind::WGMMA, 64, 32, 32, 2, 4},
          {Kind::MMA, 64, 64, 32, 2, 4},
          {Kind::MMA, 32, 32, 32, 2, 2},
          {Kind::MMA, 16, 32, 16, 2, 1},
          {Kind::MMA, 16, 16, 16, 2, 1},
          {Kind::FMA, 32, 64, 16, 2, 4},
          {Kind::FMA, 16, 32, 8, 2, 1},
          {Kind::FMA, 16, 32, 4, 2, 1}};
}

/// Lowers `size`, of more than 1, to the next power of two.
static void halve(int64_t &size) { size = llvm::PowerOf2Ceil(size) / 2; }

/// Halves rows, then columns, which are lines of memory, until no thread has
/// more than one element.
static void addTiles(Schedule &schedule, SmallVectorImpl<Schedule> *space) {
  while (schedule.rows * schedule.columns > 32 * schedule.warps) {
    halve(schedule.rows > 1 ? schedule.rows : schedule.columns);
    if (space) {
      space->push_back(schedule);
    }
  }
}

/// Halves the elements of a thread, then the warps.
static void addHalves(Schedule schedule, SmallVectorImpl<Schedule> &space) {
  addTiles(schedule, &space);
  while (schedule.warps > 1) {
    halve(schedule.warps);
    addTiles(schedule, /*space=*/nullptr);
    space.push_back(schedule);
  }
  // Where threads walk along rows a tile has no columns.
  Schedule simplest = getSimplest(schedule.kind);
  if (schedule.columns != 1 && !(schedule == simplest)) {
    space.push_back(simplest);
  }
}

SmallVector<Schedule>
mlir::fusion::getSmallerSchedules(std::optional<Schedule> start) {
  SmallVector<Schedule> space;
  if (start && !start->isContraction()) {
    addHalves(*start, space);
    return space;
  }
  auto getArea = [](const Schedule &schedule) {
    return schedule.rows * schedule.columns;
  };
  for (const Schedule &tile : getSmallTiles()) {
    bool isSmaller =
        !start || (tile.kind >= start->kind &&
                   getArea(tile) <= getArea(*start) && !(tile == *start));
    if (isSmaller) {
      space.push_back(tile);
    }
  }
  // A sum of products like any other; or, of windows, a loop for each element.
  addHalves({Kind::Rows, 4, 128, 0, 0, 4}, space);
  addHalves({Kind::Elementwise, 1, 256, 0, 0, 4}, space);
  return space;
}
