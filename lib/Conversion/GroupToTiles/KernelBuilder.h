//===- KernelBuilder.h - a kernel, its arguments and its launch -*- C++ -*-===//

#ifndef FUSION_CONVERSION_GROUPTOTILES_KERNELBUILDER_H
#define FUSION_CONVERSION_GROUPTOTILES_KERNELBUILDER_H

#include "Group.h"
#include "fusion/Schedule/Schedule.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::fusion {

/// An array as a kernel sees it: neighbouring memref dims that are one group
/// dim (and unit dims) are collapsed. `dims` has the group dim of each dim that
/// is left, or kFirstElement.
struct MemoryView {
  SmallVector<ReassociationIndices> reassociation;
  SmallVector<int64_t> dims;
  /// Where the operand begins along each of `dims`, and where it ends: -1 where
  /// that is the end of the array.
  SmallVector<int64_t> starts, ends;
  MemRefType type;
  /// Elements lie one after the other along the last of `dims`.
  int64_t getContiguousDim() const {
    return dims.empty() ? kUnitDim : dims.back();
  }
};

/// The view of an operand in memory.
MemoryView getView(const GroupOperand &operand);

/// A tensor that bodies read at computed positions, as an operand: memory seen
/// whole, no dim of it a dim of the group. Without memory where the tensor is
/// no argument of the group function.
GroupOperand getReadTensor(Value tensor);

/// One dim of the grid: how many tiles lie along a group dim.
struct GridDim {
  int64_t dim;
  int64_t tile;
};

/// How many blocks a launch has: one for each tile as long as the grid holds
/// them, the same inside a loop over tiles, or one for each multiprocessor.
enum class Blocks { PerTile, PerTileInLoop, PerMultiprocessor };

/// Builds the `gpu.func` of a group, and on the host its launch.
class KernelBuilder {
public:
  /// `group` must outlive the builder. Creates the kernel with all arguments
  /// that `group` needs; `builder` then stands at its start.
  KernelBuilder(Group &group, const Schedule &schedule);

  OpBuilder &getBuilder() { return kernel; }
  Location getLoc() const { return loc; }
  Group &getGroup() { return group; }

  /// The kernel's argument for an operand in memory.
  Value getMemory(const GroupOperand &operand);
  /// The kernel's value of a scalar of the group function.
  Value getScalar(Value host);
  /// The extent of a group dim, in the kernel.
  Value getSize(int64_t dim);
  Value index(int64_t value);

  /// Calls `body` with the offsets along `grid` of each tile that the block
  /// works on. `raster` orders tiles otherwise than row-major: given the tile's
  /// number and the counts along `grid` it returns the coordinates.
  using Raster = llvm::function_ref<SmallVector<Value>(Value, ValueRange)>;
  void forEachTile(ArrayRef<GridDim> grid, Blocks blocks, Raster raster,
                   llvm::function_ref<void(ValueRange)> body);

  /// Calls `body` with the offsets along `grid` of each tile that the block
  /// works on. Where there are fewer tiles than multiprocessors, several blocks
  /// share one: `body` gets the block's part of so many parts of the steps
  /// along `shared`.
  void forEachSharedTile(
      ArrayRef<GridDim> grid, GridDim shared,
      llvm::function_ref<void(ValueRange, Value part, Value parts)> body);

  /// Launches the kernel on the host and erases the group's tensor code.
  void finish();

private:
  void collectArguments();
  void addMemory(const GroupOperand &operand);
  void addScalar(Value host);
  void addBounds(const GroupOperand &window);
  void addSizes();
  void createKernel(const Schedule &schedule);
  int64_t getMostBlocks();
  /// The counts of tiles along `grid` on the host, and their product.
  Value getHostTotal(ArrayRef<GridDim> grid);
  Value getCount(OpBuilder &b, Value size, int64_t tile);
  Value getHostSize(int64_t dim);
  /// The side of a choice that its predicate picks, at the kernel's start.
  Value choose(const GroupOperand &operand, arith::SelectOp choice);
  void eraseTensorCode();

  Group &group;
  Location loc;
  OpBuilder host, kernel;
  gpu::GPUFuncOp function;
  /// What the launch passes: an argument of the group function, collapsed.
  struct Argument {
    Value original;
    MemoryView view; ///< no dims for scalars
    bool isMemory;
    Value hostValue;
  };
  SmallVector<Argument, 0> arguments;
  /// The sizes of dims that no array has, on the host.
  llvm::DenseMap<int64_t, Value> hostSizes;
  /// What was picked already.
  struct Chosen {
    Value original;
    SmallVector<ReassociationIndices> reassociation;
    Value memory;
  };
  SmallVector<Chosen, 0> chosen;
  Value gridX;
};

} // namespace mlir::fusion

#endif // FUSION_CONVERSION_GROUPTOTILES_KERNELBUILDER_H
