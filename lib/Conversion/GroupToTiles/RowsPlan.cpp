//===- RowsPlan.cpp - which dims of a kernel of reductions do what --------===//

#include "RowsPlan.h"

#include "fusion/Tile/IR/Tile.h"

using namespace mlir;
using namespace mlir::fusion;

/// Calls `visit` with the view of each array that an op reads or writes.
static void forEachView(const Group &group,
                        llvm::function_ref<void(const MemoryView &)> visit) {
  for (const GroupMember &op : group.ops) {
    for (const GroupOperand &operand : op.inputs) {
      if (operand.memory) {
        visit(getView(operand));
      }
    }
    if (op.isStore()) {
      visit(getView(op.destination));
    }
  }
}

/// For each dim, how many arrays that have any of `dims` are contiguous along
/// it, those with more dims counting for more.
static SmallVector<int64_t> countContiguous(const Group &group,
                                            ArrayRef<int64_t> dims) {
  SmallVector<int64_t> votes(group.dims.size(), 0);
  forEachView(group, [&](const MemoryView &view) {
    bool relevant = llvm::any_of(
        dims, [&](int64_t dim) { return llvm::is_contained(view.dims, dim); });
    if (relevant && view.getContiguousDim() >= 0) {
      votes[view.getContiguousDim()] += int64_t(1) << (2 * view.dims.size());
    }
  });
  return votes;
}

/// The dim with most of `votes`, of those that are reduced or not; none where
/// none has one.
static int64_t findMost(const Group &group, ArrayRef<int64_t> votes,
                        bool reduced) {
  int64_t best = kUnitDim;
  for (auto [number, count] : llvm::enumerate(votes)) {
    if (group.dims[number].reduced == reduced && !group.isPart(number) &&
        count > (best < 0 ? 0 : votes[best])) {
      best = number;
    }
  }
  return best;
}

/// Whether a block holds the rows along `columns` of enough elements of another
/// dim for whole lines of memory along that too.
static bool holdsBoth(const Group &group, int64_t columns) {
  int64_t size = group.dims[columns].size;
  bool inParts = group.parts && group.parts->dim == columns;
  return !inParts && !ShapedType::isDynamic(size) && size <= kMostTurnedColumns;
}

/// The dim that comes right before `columns` in an array, if nothing reduces
/// it; else the largest that nothing reduces.
static int64_t findRows(const Group &group, int64_t columns) {
  int64_t found = kUnitDim;
  forEachView(group, [&](const MemoryView &view) {
    auto at = llvm::find(view.dims, columns);
    bool preceded = at != view.dims.end() && at != view.dims.begin();
    if (found < 0 && preceded && at[-1] >= 0 && !group.dims[at[-1]].reduced &&
        !group.isPart(at[-1])) {
      found = at[-1];
    }
  });
  if (found >= 0) {
    return found;
  }
  int64_t largest = 0;
  for (auto [number, dim] : llvm::enumerate(group.dims)) {
    int64_t size = ShapedType::isDynamic(dim.size) ? INT64_MAX : dim.size;
    if (!dim.reduced && !group.isPart(number) && size > largest) {
      largest = size;
      found = number;
    }
  }
  return found;
}

RowsPlan mlir::fusion::makeRowsPlan(Group &group) {
  RowsPlan plan;
  SmallVector<int64_t> reduced;
  for (auto [number, dim] : llvm::enumerate(group.dims)) {
    if (dim.reduced) {
      reduced.push_back(number);
    }
  }
  SmallVector<int64_t> votes = countContiguous(group, reduced);
  int64_t along = findMost(group, votes, /*reduced=*/true);
  int64_t across = findMost(group, votes, /*reduced=*/false);
  plan.columns = along >= 0 ? along : reduced.back();
  // Arrays of both orders meet in tiles that turn in shared memory: of whole
  // rows where these fit.
  plan.transposed = along >= 0 && across >= 0;
  plan.contiguousColumns =
      across < 0 ||
      (along >= 0 && (holdsBoth(group, along) || votes[along] > votes[across]));
  llvm::copy_if(reduced, std::back_inserter(plan.outer),
                [&](int64_t dim) { return dim != plan.columns; });
  plan.rows = across >= 0 && (plan.transposed || !plan.contiguousColumns)
                  ? across
                  : findRows(group, plan.columns);
  forEachView(group, [&](const MemoryView &view) {
    plan.elementBytes = std::min(
        plan.elementBytes, tile::getElementBytes(view.type.getElementType()));
  });
  if (plan.rows < 0) {
    plan.rows = addUnitDim(group);
  }
  return plan;
}

Schedule mlir::fusion::chooseRowsSchedule(const Group &group,
                                          const RowsPlan &plan,
                                          const ScheduleTarget &target) {
  if (plan.walks) {
    Schedule schedule;
    schedule.kind = Schedule::Kind::Rows;
    schedule.warps = 4;
    schedule.columns = 1;
    int64_t rows = group.dims[plan.rows].size;
    schedule.rows =
        ShapedType::isDynamic(rows)
            ? 128
            : std::min<int64_t>(128,
                                llvm::PowerOf2Ceil(std::max<int64_t>(rows, 1)));
    return schedule;
  }
  RowsShape shape;
  shape.rows = group.dims[plan.rows].size;
  shape.columns = group.dims[plan.columns].size;
  if (group.parts && group.parts->dim == plan.columns) {
    shape.columns = group.parts->size;
  }
  shape.contiguousColumns = plan.contiguousColumns;
  shape.transposed = plan.transposed;
  shape.elementBytes = plan.elementBytes;
  for (auto [number, dim] : llvm::enumerate(group.dims)) {
    if (!dim.reduced && int64_t(number) != plan.rows) {
      bool dynamic = ShapedType::isDynamic(shape.outerRows) ||
                     ShapedType::isDynamic(dim.size);
      shape.outerRows =
          dynamic ? ShapedType::kDynamic : shape.outerRows * dim.size;
    }
  }
  return chooseRows(shape, target);
}
