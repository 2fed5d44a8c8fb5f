//===- KernelBuilder.cpp - a kernel, its arguments and its launch ---------===//

#include "KernelBuilder.h"

#include "fusion/Schedule/Limits.h"
#include "fusion/Tile/IR/Tile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fusion;

/// The dense `type`, collapsed. (computeCollapsedType says 0 for 0x?, but the
/// verifier of the op wants ?.)
static MemRefType getCollapsedType(MemRefType type,
                                   ArrayRef<ReassociationIndices> groups) {
  SmallVector<int64_t> shape;
  for (const ReassociationIndices &group : groups) {
    int64_t size = 1;
    for (int64_t dim : group) {
      if (type.isDynamicDim(dim)) {
        size = ShapedType::kDynamic;
        break;
      }
      size *= type.getDimSize(dim);
    }
    shape.push_back(size);
  }
  return MemRefType::get(shape, type.getElementType(),
                         MemRefLayoutAttrInterface(), type.getMemorySpace());
}

MemoryView mlir::fusion::getView(const GroupOperand &operand) {
  auto type = cast<MemRefType>(operand.memory.getType());
  MemoryView view;
  ReassociationIndices leadingUnits;
  for (auto [position, dim] : llvm::enumerate(operand.dims)) {
    bool cut = operand.isCut(position);
    if (dim == kUnitDim && view.dims.empty() && !cut) {
      leadingUnits.push_back(position);
      continue;
    }
    bool joins = !cut && (dim == kUnitDim || (dim >= 0 && !view.dims.empty() &&
                                              view.dims.back() == dim));
    if (joins) {
      view.reassociation.back().push_back(position);
      continue;
    }
    view.dims.push_back(dim == kUnitDim ? kFirstElement : dim);
    view.starts.push_back(cut ? operand.starts[position] : 0);
    view.ends.push_back(cut ? operand.getEnd(position) : -1);
    view.reassociation.push_back({});
    std::swap(view.reassociation.back(), leadingUnits);
    view.reassociation.back().push_back(position);
  }
  view.type = getCollapsedType(type, view.reassociation);
  return view;
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

KernelBuilder::KernelBuilder(Group &group, const Schedule &schedule)
    : group(group), loc(group.func.getLoc()),
      host(group.func.getBody().front().getTerminator()),
      kernel(group.func.getContext()) {
  collectArguments();
  createKernel(schedule);
}

/// The predicate of a choice, as an operand.
static GroupOperand getPredicate(arith::SelectOp choice) {
  GroupOperand predicate;
  predicate.memory =
      choice.getCondition().getDefiningOp<memref::LoadOp>().getMemRef();
  return predicate;
}

/// The operand as it is where `side` of a choice is picked.
static GroupOperand getSide(const GroupOperand &operand, Value side) {
  GroupOperand picked = operand;
  picked.memory = side;
  return picked;
}

void KernelBuilder::addMemory(const GroupOperand &operand) {
  if (!operand.memory) {
    return;
  }
  // Few choices stand behind one another: a branch for each.
  if (auto choice = operand.memory.getDefiningOp<arith::SelectOp>()) {
    addMemory(getPredicate(choice));
    addMemory(getSide(operand, choice.getTrueValue()));
    addMemory(getSide(operand, choice.getFalseValue()));
    return;
  }
  MemoryView view = getView(operand);
  for (Argument &known : arguments) {
    if (known.original == operand.memory &&
        known.view.reassociation == view.reassociation) {
      return;
    }
  }
  arguments.push_back({operand.memory, view, true, Value()});
}

void KernelBuilder::addScalar(Value value) {
  bool known = llvm::any_of(
      arguments, [&](Argument &known) { return known.original == value; });
  if (!known && !matchPattern(value, m_Constant())) {
    arguments.push_back({value, {}, false, Value()});
  }
}

/// Dynamic sizes that no array of the kernel has are arguments of their own.
void KernelBuilder::addSizes() {
  for (auto [number, dim] : llvm::enumerate(group.dims)) {
    int64_t wanted = number;
    bool known = llvm::any_of(arguments, [&](const Argument &argument) {
      return llvm::is_contained(argument.view.dims, wanted);
    });
    if (ShapedType::isDynamic(dim.size) && !known && dim.isSized()) {
      Value size = getHostSize(wanted);
      hostSizes[wanted] = size;
      addScalar(size);
    }
  }
}

/// Adds what says where a window ends, and what lies outside.
void KernelBuilder::addBounds(const GroupOperand &window) {
  if (window.outside) {
    addScalar(window.outside);
  }
  for (const GroupPosition &position : window.window) {
    if (position.extent) {
      addScalar(position.extent);
    }
  }
}

void KernelBuilder::collectArguments() {
  for (GroupMember &op : group.ops) {
    for (auto *operands : {&op.inputs, &op.inits}) {
      for (GroupOperand &operand : *operands) {
        addMemory(operand);
        if (operand.scalar) {
          addScalar(operand.scalar);
        }
        addBounds(operand);
      }
    }
    addBounds(op.bounds);
    addMemory(op.destination);
    if (op.isStore()) {
      continue;
    }
    op.op->walk([&](Operation *inner) {
      for (Value value : inner->getOperands()) {
        if (inner != op.op &&
            !op.op->isAncestor(value.getParentRegion()->getParentOp())) {
          isa<RankedTensorType>(value.getType())
              ? addMemory(getReadTensor(value))
              : addScalar(value);
        }
      }
    });
  }
  addSizes();
  // The order of the group function, scalars that it computes last.
  SmallVector<std::pair<int64_t, size_t>> order;
  for (auto [position, argument] : llvm::enumerate(arguments)) {
    auto arg = dyn_cast<BlockArgument>(argument.original);
    order.push_back({arg ? arg.getArgNumber() : INT64_MAX, position});
  }
  llvm::sort(order);
  SmallVector<Argument, 0> sorted;
  for (auto [number, position] : order) {
    sorted.push_back(std::move(arguments[position]));
  }
  arguments = std::move(sorted);
}

void KernelBuilder::createKernel(const Schedule &schedule) {
  auto module = group.func->getParentOfType<ModuleOp>();
  // Of thousands of symbols it is the last, once it is there.
  auto kernels = dyn_cast<gpu::GPUModuleOp>(module.getBody()->back());
  if (!kernels || kernels.getName() != "kernels") {
    kernels = module.lookupSymbol<gpu::GPUModuleOp>("kernels");
  }
  if (!kernels) {
    auto b = OpBuilder::atBlockEnd(module.getBody());
    kernels = gpu::GPUModuleOp::create(b, loc, "kernels");
  }
  SmallVector<Type> types;
  for (Argument &argument : arguments) {
    argument.hostValue = argument.original;
    if (argument.isMemory &&
        argument.view.type != argument.original.getType()) {
      argument.hostValue = memref::CollapseShapeOp::create(
          host, loc, argument.view.type, argument.original,
          argument.view.reassociation);
    }
    types.push_back(argument.hostValue.getType());
  }
  kernel.setInsertionPointToEnd(kernels.getBody());
  function = gpu::GPUFuncOp::create(kernel, loc, group.func.getName(),
                                    kernel.getFunctionType(types, {}));
  function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                    kernel.getUnitAttr());
  DictionaryAttr attr = toAttribute(schedule, kernel.getContext());
  function->setAttr("tile.schedule", attr);
  function->setAttr("tile.warps", kernel.getI32IntegerAttr(schedule.warps));
  group.func->setAttr("fusion.schedule", attr);
  kernel.setInsertionPointToEnd(&function.getBody().front());
  gpu::ReturnOp::create(kernel, loc);
  kernel.setInsertionPointToStart(&function.getBody().front());
}

Value KernelBuilder::choose(const GroupOperand &operand,
                            arith::SelectOp choice) {
  MemoryView view = getView(operand);
  for (const Chosen &known : chosen) {
    if (known.original == operand.memory &&
        known.reassociation == view.reassociation) {
      return known.memory;
    }
  }
  Value predicate = getMemory(getPredicate(choice));
  Value first = getMemory(getSide(operand, choice.getTrueValue()));
  Value second = getMemory(getSide(operand, choice.getFalseValue()));
  OpBuilder::InsertionGuard guard(kernel);
  if (chosen.empty()) {
    kernel.setInsertionPointToStart(&function.getBody().front());
  } else {
    kernel.setInsertionPointAfterValue(chosen.back().memory);
  }
  Value holds = memref::LoadOp::create(kernel, loc, predicate, ValueRange());
  Value memory = arith::SelectOp::create(kernel, loc, holds, first, second);
  chosen.push_back({operand.memory, view.reassociation, memory});
  return memory;
}

Value KernelBuilder::getMemory(const GroupOperand &operand) {
  if (auto choice = operand.memory.getDefiningOp<arith::SelectOp>()) {
    return choose(operand, choice);
  }
  MemoryView view = getView(operand);
  for (auto [number, argument] : llvm::enumerate(arguments)) {
    if (argument.isMemory && argument.original == operand.memory &&
        argument.view.reassociation == view.reassociation) {
      return function.getArgument(number);
    }
  }
  llvm_unreachable("an operand in memory is no argument of the kernel");
}

Value KernelBuilder::getScalar(Value value) {
  Attribute constant;
  if (matchPattern(value, m_Constant(&constant))) {
    return arith::ConstantOp::create(kernel, loc, cast<TypedAttr>(constant));
  }
  for (auto [number, argument] : llvm::enumerate(arguments)) {
    if (argument.original == value) {
      return function.getArgument(number);
    }
  }
  llvm_unreachable("a scalar is no argument of the kernel");
}

//===----------------------------------------------------------------------===//
// Sizes and the grid
//===----------------------------------------------------------------------===//

Value KernelBuilder::index(int64_t value) {
  return arith::ConstantIndexOp::create(kernel, loc, value);
}

Value KernelBuilder::getSize(int64_t dim) {
  if (!ShapedType::isDynamic(group.dims[dim].size)) {
    return index(group.dims[dim].size);
  }
  for (auto [number, argument] : llvm::enumerate(arguments)) {
    auto at = llvm::find(argument.view.dims, dim);
    if (at != argument.view.dims.end()) {
      return memref::DimOp::create(kernel, loc, function.getArgument(number),
                                   at - argument.view.dims.begin());
    }
  }
  auto size = hostSizes.find(dim);
  assert(size != hostSizes.end() && "nothing tells the size of a dim");
  return getScalar(size->second);
}

Value KernelBuilder::getHostSize(int64_t dim) {
  const GroupDim &info = group.dims[dim];
  if (!ShapedType::isDynamic(info.size)) {
    return arith::ConstantIndexOp::create(host, loc, info.size);
  }
  Value size = arith::ConstantIndexOp::create(host, loc, 1);
  for (auto [partSize, source] :
       llvm::zip_equal(info.partSizes, info.sources)) {
    Value part = source.first;
    if (!ShapedType::isDynamic(partSize)) {
      part = arith::ConstantIndexOp::create(host, loc, partSize);
    } else if (!isa<IndexType>(part.getType())) {
      part = host.createOrFold<memref::DimOp>(loc, part, source.second);
    }
    size = host.createOrFold<arith::MulIOp>(loc, size, part);
  }
  return size;
}

Value KernelBuilder::getCount(OpBuilder &b, Value size, int64_t tile) {
  if (tile == 1) {
    return size;
  }
  Value side = arith::ConstantIndexOp::create(b, loc, tile);
  return b.createOrFold<arith::CeilDivUIOp>(loc, size, side);
}

/// The number of tiles if it is known.
static std::optional<int64_t> getTotal(const Group &group,
                                       ArrayRef<GridDim> grid) {
  int64_t total = 1;
  for (GridDim dim : grid) {
    int64_t size = group.dims[dim.dim].size;
    if (ShapedType::isDynamic(size)) {
      return std::nullopt;
    }
    total *= llvm::divideCeil(size, dim.tile);
  }
  return total;
}

/// Row-major coordinates of tile `number`.
static SmallVector<Value> delinearise(OpBuilder &b, Location loc, Value number,
                                      ValueRange counts) {
  SmallVector<Value> coordinates(counts.size());
  for (size_t i = counts.size(); i-- > 1;) {
    coordinates[i] = b.createOrFold<arith::RemUIOp>(loc, number, counts[i]);
    number = b.createOrFold<arith::DivUIOp>(loc, number, counts[i]);
  }
  if (!coordinates.empty()) {
    coordinates[0] = number;
  }
  return coordinates;
}

/// The largest grid along x.
int64_t KernelBuilder::getMostBlocks() {
  return getKernelLimits(group.func, "").gridBlocks;
}

Value KernelBuilder::getHostTotal(ArrayRef<GridDim> grid) {
  Value total = arith::ConstantIndexOp::create(host, loc, 1);
  for (GridDim dim : grid) {
    total = host.createOrFold<arith::MulIOp>(
        loc, total, getCount(host, getHostSize(dim.dim), dim.tile));
  }
  return total;
}

void KernelBuilder::forEachTile(ArrayRef<GridDim> grid, Blocks blocks,
                                Raster raster,
                                llvm::function_ref<void(ValueRange)> body) {
  // The host's count of blocks.
  Value total = getHostTotal(grid);
  SmallVector<Value> counts;
  Value kernelTotal = index(1);
  for (GridDim dim : grid) {
    counts.push_back(getCount(kernel, getSize(dim.dim), dim.tile));
    kernelTotal =
        kernel.createOrFold<arith::MulIOp>(loc, kernelTotal, counts.back());
  }
  std::optional<int64_t> known = getTotal(group, grid);
  bool persistent = blocks == Blocks::PerMultiprocessor;
  bool walks = blocks != Blocks::PerTile || !known || *known > getMostBlocks();
  if (walks) {
    if (persistent) {
      Value all = tile::MultiprocessorsOp::create(host, loc);
      total = host.createOrFold<arith::MinUIOp>(loc, total, all);
    }
    // A device has fewer multiprocessors than it takes blocks, but for limits.
    if (!persistent || getMostBlocks() != KernelLimits().gridBlocks) {
      Value most = arith::ConstantIndexOp::create(host, loc, getMostBlocks());
      total = host.createOrFold<arith::MinUIOp>(loc, total, most);
    }
  }
  gridX = total;

  Value number = gpu::BlockIdOp::create(kernel, loc, gpu::Dimension::x);
  OpBuilder::InsertionGuard guard(kernel);
  if (walks) {
    Value step = gpu::GridDimOp::create(kernel, loc, gpu::Dimension::x);
    auto loop = scf::ForOp::create(kernel, loc, number, kernelTotal, step,
                                   ValueRange());
    number = loop.getInductionVar();
    kernel.setInsertionPointToStart(loop.getBody());
  }
  SmallVector<Value> at = raster ? raster(number, counts)
                                 : delinearise(kernel, loc, number, counts);
  for (auto [coordinate, dim] : llvm::zip_equal(at, grid)) {
    if (dim.tile != 1) {
      coordinate =
          kernel.createOrFold<arith::MulIOp>(loc, coordinate, index(dim.tile));
    }
  }
  body(at);
}

void KernelBuilder::forEachSharedTile(
    ArrayRef<GridDim> grid, GridDim shared,
    llvm::function_ref<void(ValueRange, Value part, Value parts)> body) {
  // Host: as many blocks for each tile as are idle, at most one for each step.
  Value one = arith::ConstantIndexOp::create(host, loc, 1);
  Value tiles = getHostTotal(grid);
  Value steps = getCount(host, getHostSize(shared.dim), shared.tile);
  Value multiprocessors = tile::MultiprocessorsOp::create(host, loc);
  Value least = host.createOrFold<arith::MaxUIOp>(loc, tiles, one);
  Value idle = host.createOrFold<arith::DivUIOp>(loc, multiprocessors, least);
  Value share = host.createOrFold<arith::MaxUIOp>(loc, idle, one);
  share = host.createOrFold<arith::MinUIOp>(loc, share, steps);
  Value most = arith::ConstantIndexOp::create(host, loc, getMostBlocks());
  gridX = host.createOrFold<arith::MinUIOp>(
      loc, host.createOrFold<arith::MulIOp>(loc, tiles, share), most);

  // Kernel: the number of blocks says how many share a tile.
  SmallVector<Value> counts;
  Value total = index(1);
  for (GridDim dim : grid) {
    counts.push_back(getCount(kernel, getSize(dim.dim), dim.tile));
    total = kernel.createOrFold<arith::MulIOp>(loc, total, counts.back());
  }
  Value blocks = gpu::GridDimOp::create(kernel, loc, gpu::Dimension::x);
  Value block = gpu::BlockIdOp::create(kernel, loc, gpu::Dimension::x);
  Value parts = kernel.createOrFold<arith::DivUIOp>(loc, blocks, total);
  parts = kernel.createOrFold<arith::MaxUIOp>(loc, parts, index(1));
  Value first = kernel.createOrFold<arith::DivUIOp>(loc, block, parts);
  Value part = kernel.createOrFold<arith::RemUIOp>(loc, block, parts);
  Value step = kernel.createOrFold<arith::DivUIOp>(loc, blocks, parts);
  OpBuilder::InsertionGuard guard(kernel);
  auto loop = scf::ForOp::create(kernel, loc, first, total, step, ValueRange());
  kernel.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> at =
      delinearise(kernel, loc, loop.getInductionVar(), counts);
  for (auto [coordinate, dim] : llvm::zip_equal(at, grid)) {
    if (dim.tile != 1) {
      coordinate =
          kernel.createOrFold<arith::MulIOp>(loc, coordinate, index(dim.tile));
    }
  }
  body(at, part, parts);
}

//===----------------------------------------------------------------------===//
// The host's side
//===----------------------------------------------------------------------===//

void KernelBuilder::eraseTensorCode() {
  Block &block = group.func.getBody().front();
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
    bool store = isa<bufferization::MaterializeInDestinationOp>(op);
    bool tensors = llvm::any_of(op.getResultTypes(), llvm::IsaPred<TensorType>);
    // The host reads no predicate.
    bool unneeded =
        tensors || isMemoryEffectFree(&op) || isa<memref::LoadOp>(op);
    bool dead =
        op.use_empty() && unneeded && !op.hasTrait<OpTrait::IsTerminator>();
    if (store || dead) {
      op.erase();
    }
  }
}

void KernelBuilder::finish() {
  Value one = arith::ConstantIndexOp::create(host, loc, 1);
  auto name = SymbolRefAttr::get(
      host.getStringAttr("kernels"),
      {FlatSymbolRefAttr::get(host.getContext(), group.func.getName())});
  SmallVector<Value> values;
  for (Argument &argument : arguments) {
    values.push_back(argument.hostValue);
  }
  tile::LaunchOp::create(host, loc, name, gridX, one, one, values);
  eraseTensorCode();
}
