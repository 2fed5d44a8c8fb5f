//===- Elementwise.cpp - kernels of groups that reduce nothing ------------===//

#include "Kernels.h"
#include "TileEmitter.h"
#include "fusion/Schedule/UnknownSizes.h"
#include "fusion/Tile/IR/Tile.h"

using namespace mlir;
using namespace mlir::fusion;

/// The bytes of an array; sizes known only at run time count as large.
static double getBytes(MemRefType type) {
  double bytes = tile::getElementBytes(type.getElementType());
  for (int64_t size : type.getShape()) {
    bytes *= orLarge(size);
  }
  return bytes;
}

/// The dim along which most bytes of other arrays than the first result are
/// contiguous, if these also run along `columns`; else none. Reduced dims get
/// no tile.
static int64_t findTransposedDim(const Group &group, int64_t columns) {
  SmallVector<double> bytes(group.dims.size(), 0);
  for (const GroupMember &op : group.ops) {
    SmallVector<GroupOperand, 0> operands(op.inputs);
    operands.push_back(op.destination);
    for (const GroupOperand &operand : operands) {
      if (!operand.memory) {
        continue;
      }
      MemoryView view = getView(operand);
      int64_t last = view.getContiguousDim();
      if (last >= 0 && last != columns && !group.dims[last].reduced &&
          llvm::is_contained(view.dims, columns)) {
        bytes[last] += getBytes(view.type);
      }
    }
  }
  auto most = llvm::max_element(bytes);
  return most != bytes.end() && *most > 0 ? most - bytes.begin() : kUnitDim;
}

/// The smallest element that the group reads or writes, in bytes.
static int64_t getElementBytes(const Group &group) {
  int64_t bytes = 8;
  for (const GroupMember &op : group.ops) {
    SmallVector<GroupOperand, 0> operands(op.inputs);
    operands.push_back(op.destination);
    for (const GroupOperand &operand : operands) {
      if (operand.memory) {
        bytes =
            std::min(bytes, tile::getElementBytes(operand.getElementType()));
      }
    }
  }
  return bytes;
}

namespace {
/// The two dims that get tiles; `rows` may be kUnitDim.
struct TiledDims {
  int64_t rows = kUnitDim, columns;
  bool transposed = false;
};
} // namespace

/// The dims of the group along the first result that has any, in the order of
/// its array; none where all results have one element.
static SmallVector<int64_t> getResultDims(const Group &group) {
  for (const GroupMember &op : group.ops) {
    // Of a dim that the result has one element of nothing lies along it.
    SmallVector<int64_t> dims;
    if (op.isStore()) {
      dims = llvm::filter_to_vector(getView(op.destination).dims,
                                    [](int64_t dim) { return dim >= 0; });
    }
    if (!dims.empty()) {
      return dims;
    }
  }
  return {};
}

static TiledDims pickTiledDims(Group &group) {
  TiledDims tiled;
  SmallVector<int64_t> dims = getResultDims(group);
  if (dims.empty()) {
    tiled.columns = addUnitDim(group);
    return tiled;
  }
  tiled.columns = dims.back();
  tiled.rows = findTransposedDim(group, tiled.columns);
  tiled.transposed = tiled.rows != kUnitDim;
  if (!tiled.transposed && dims.size() > 1) {
    tiled.rows = dims[dims.size() - 2];
  }
  return tiled;
}

static Schedule chooseFor(const Group &group, const TiledDims &tiled,
                          const ScheduleTarget &target) {
  ElementwiseShape shape;
  shape.columns = group.dims[tiled.columns].size;
  shape.rows = tiled.rows < 0 ? 1 : group.dims[tiled.rows].size;
  shape.transposed = tiled.transposed;
  shape.elementBytes = getElementBytes(group);
  shape.total = 1;
  for (const GroupDim &dim : group.dims) {
    if (dim.reduced) {
      continue;
    }
    bool dynamic =
        ShapedType::isDynamic(dim.size) || ShapedType::isDynamic(shape.total);
    shape.total = dynamic ? ShapedType::kDynamic : shape.total * dim.size;
  }
  return chooseElementwise(shape, target);
}

LogicalResult mlir::fusion::emitElementwise(Group &group,
                                            const KernelContext &context) {
  TiledDims tiled = pickTiledDims(group);
  FailureOr<Schedule> schedule =
      pickSchedule(group, context, {Schedule::Kind::Elementwise},
                   [&] { return chooseFor(group, tiled, context.target); });
  if (failed(schedule)) {
    return failure();
  }
  SmallVector<int64_t> order;
  if (tiled.rows >= 0 && schedule->rows > 1) {
    order.push_back(tiled.rows);
  }
  order.push_back(tiled.columns);

  KernelBuilder builder(group, *schedule);
  TileEmitter emitter(builder, order, context.strict);
  for (int64_t dim : order) {
    emitter.setTile(dim,
                    dim == tiled.columns ? schedule->columns : schedule->rows);
  }
  SmallVector<GridDim> grid;
  for (auto [number, dim] : llvm::enumerate(emitter.dims)) {
    if (!group.dims[number].reduced) {
      grid.push_back({int64_t(number), dim.tile});
    }
  }
  bool ok = true;
  builder.forEachTile(
      grid, Blocks::PerTile, /*raster=*/{}, [&](ValueRange offsets) {
        for (auto [dim, offset] : llvm::zip_equal(grid, offsets)) {
          emitter.dims[dim.dim].offset = offset;
        }
        for (size_t i = 0; ok && i < group.ops.size(); ++i) {
          ok = succeeded(group.isReduction(group.ops[i])
                             ? emitReductionLoops(builder, emitter, i)
                             : emitter.emit(i));
        }
      });
  if (!ok) {
    return failure();
  }
  builder.finish();
  return success();
}
