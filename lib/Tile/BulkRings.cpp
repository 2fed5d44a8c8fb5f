//===- BulkRings.cpp - rings filled by bulk copies ------------------------===//

#include "fusion/Tile/BulkRings.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::fusion::tile;

/// Columns of one wgmma instruction, rows of one warpgroup's.
static constexpr int64_t mostColumns = 256, rowsPerWarp = 16;
/// Rows of the box of a tensor map.
static constexpr int64_t mostBoxRows = 256;

//===----------------------------------------------------------------------===//
// Tensor maps
//===----------------------------------------------------------------------===//

bool mlir::fusion::tile::fitsTensorMap(MemRefType type) {
  return type.getLayout().isIdentity() && type.getRank() <= 5 &&
         type.getRank() >= 2 && !type.isDynamicDim(type.getRank() - 1) &&
         type.getShape().back() * getElementBytes(type.getElementType()) % 16 ==
             0;
}

FailureOr<Value> mlir::fusion::tile::addTensorMap(gpu::GPUFuncOp kernel,
                                                  Value memref,
                                                  ArrayRef<int64_t> box,
                                                  int64_t swizzle,
                                                  ArrayRef<LaunchOp> launches) {
  auto type = cast<MemRefType>(memref.getType());
  auto arg = dyn_cast<BlockArgument>(memref);
  if (!arg || arg.getOwner() != &kernel.getBody().front()) {
    return kernel.emitOpError("expected bulk copies from kernel arguments");
  }
  auto mapType = TensorMapType::get(kernel.getContext(), box,
                                    type.getElementType(), swizzle);
  unsigned position = kernel.getNumArguments();
  if (failed(kernel.insertArgument(position, mapType, {}, memref.getLoc()))) {
    return failure();
  }
  for (LaunchOp launch : launches) {
    OpBuilder host(launch);
    Value map = TensorMapOp::create(host, launch.getLoc(), mapType,
                                    launch.getArgs()[arg.getArgNumber()]);
    launch.getArgsMutable().append(map);
  }
  return Value(kernel.getArgument(position));
}

/// Tensor maps of both sides of the choices that make `memref`, and of them the
/// one that is picked, at the builder's place; else that of `memref` itself.
static FailureOr<Value> addChosenMap(OpBuilder &builder, gpu::GPUFuncOp kernel,
                                     Value memref, ArrayRef<int64_t> box,
                                     int64_t swizzle,
                                     ArrayRef<LaunchOp> launches) {
  auto choice = memref.getDefiningOp<arith::SelectOp>();
  if (!choice) {
    return addTensorMap(kernel, memref, box, swizzle, launches);
  }
  // Few choices stand behind one another: a branch for each.
  FailureOr<Value> first = addChosenMap(builder, kernel, choice.getTrueValue(),
                                        box, swizzle, launches);
  FailureOr<Value> second = addChosenMap(
      builder, kernel, choice.getFalseValue(), box, swizzle, launches);
  if (failed(first) || failed(second)) {
    return failure();
  }
  Operation *read = choice.getCondition().getDefiningOp();
  if (!isa_and_nonnull<memref::LoadOp>(read)) {
    return choice.emitOpError("expected a predicate in memory");
  }
  Value holds = builder.clone(*read)->getResult(0);
  return Value(arith::SelectOp::create(builder, choice.getLoc(), holds, *first,
                                       *second));
}

FailureOr<Value> BulkRings::addOperandMap(OpBuilder &builder,
                                          DotOperand &operand,
                                          gpu::GPUFuncOp kernel,
                                          ArrayRef<LaunchOp> launches) {
  LoadOp load = operand.load;
  auto memref = cast<MemRefType>(load.getMemref().getType());
  ArrayRef<int64_t> dims = load.getDims();
  if (!fitsTensorMap(memref) || dims.back() != operand.columnDim ||
      operand.type.getRows() > mostBoxRows) {
    return load.emitOpError("expected an array that a tensor map describes: "
                            "dense, rows of whole 16 bytes, at most 256 rows "
                            "a tile");
  }
  SmallVector<int64_t> box(memref.getRank(), 1);
  for (auto [j, dim] : llvm::enumerate(dims)) {
    if (dim >= 0) {
      box[j] = dim == operand.columnDim ? operand.type.getPanelColumns()
                                        : operand.type.getRows();
    }
  }
  return addChosenMap(builder, kernel, load.getMemref(), box,
                      operand.type.getSwizzle(), launches);
}

//===----------------------------------------------------------------------===//
// Rings
//===----------------------------------------------------------------------===//

/// Whether one instruction can do the work of all dots: one a, several b of one
/// form, at most 256 columns together, 64 rows a warpgroup.
bool BulkRings::canJoin() {
  DotOp first = dots.dots.front();
  auto acc = cast<RankedTensorType>(first.getResult().getType());
  int64_t count = dots.dots.size();
  DotOperand &b = dots.getOperand(first.getB());
  return count > 1 && int64_t(dots.operands.size()) == count + 1 &&
         acc.getDimSize(1) * count <= mostColumns &&
         acc.getDimSize(0) == rowsPerWarp * consumerWarps &&
         llvm::all_of(dots.dots, [&](DotOp dot) {
           DotOperand &other = dots.getOperand(dot.getB());
           return dot.getA() == first.getA() && other.kMajor == b.kMajor &&
                  other.type == b.type && dot.getResult().getType() == acc;
         });
}

/// A ring of all stages for `parts` operands like `operand` side by side.
BufferType BulkRings::getRingType(DotOperand &operand, int64_t parts) {
  SmallVector<int64_t> shape(operand.type.getShape());
  shape[0] = stages;
  shape[operand.kMajor ? 1 : 2] *= parts;
  return BufferType::get(operand.type.getContext(), shape,
                         operand.type.getElementType(),
                         operand.type.getSwizzle(), /*padding=*/0);
}

LogicalResult BulkRings::prepare(OpBuilder &builder, gpu::GPUFuncOp kernel,
                                 ArrayRef<LaunchOp> launches) {
  joined = canJoin();
  Value shared;
  int64_t parts = 0;
  for (DotOperand &operand : dots.operands) {
    FailureOr<Value> map = addOperandMap(builder, operand, kernel, launches);
    if (failed(map)) {
      return failure();
    }
    LoadOp load = operand.load;
    bool sharesRing = joined && load.getResult() != dots.dots.front().getA();
    Value ring = sharesRing ? shared : Value();
    if (!ring) {
      int64_t count = sharesRing ? dots.dots.size() : 1;
      ring =
          AllocOp::create(builder, load.getLoc(), getRingType(operand, count));
    }
    if (sharesRing) {
      shared = ring;
    }
    places.push_back({*map, ring, sharesRing ? parts++ : 0});
  }
  return success();
}

int64_t BulkRings::getStepBytes() {
  int64_t bytes = 0;
  for (DotOperand &operand : dots.operands) {
    bytes += operand.type.getStageBytes();
  }
  return bytes;
}

void BulkRings::emitCopies(OpBuilder &builder, const IRMapping &mapping,
                           Value stage, Value barriers) {
  for (auto [operand, place] : llvm::zip(dots.operands, places)) {
    LoadOp load = operand.load;
    SmallVector<Value> indices = llvm::map_to_vector(
        load.getIndices(), [&](Value v) { return mapping.lookupOrDefault(v); });
    auto copy = CopyTMAOp::create(builder, load.getLoc(), place.map, indices,
                                  place.ring, stage, barriers, stage);
    if (cast<BufferType>(place.ring.getType()).getStageBytes() ==
        operand.type.getStageBytes()) {
      continue;
    }
    copy.setColumns(operand.type.getColumns());
    if (operand.kMajor) {
      copy.setRow(place.part * operand.type.getRows());
    } else {
      copy.setColumn(place.part * operand.type.getColumns());
    }
  }
}

//===----------------------------------------------------------------------===//
// Accumulators
//===----------------------------------------------------------------------===//

SmallVector<AccType> BulkRings::getAccTypes() {
  SmallVector<AccType> types;
  for (DotOp dot : dots.dots) {
    types.push_back(AccType::get(
        dot.getContext(), cast<RankedTensorType>(dot.getResult().getType())));
  }
  if (!joined) {
    return types;
  }
  RankedTensorType one = types.front().getTile();
  int64_t m = one.getDimSize(0), n = one.getDimSize(1) * int64_t(types.size());
  auto layout = TileLayout::wgmmaAccumulator(m, n, consumerWarps);
  auto all = RankedTensorType::get({m, n}, one.getElementType(),
                                   getLayoutAttr(one.getContext(), layout));
  return {AccType::get(one.getContext(), all)};
}

SmallVector<Value> BulkRings::emitMultiplies(OpBuilder &builder, Value stage,
                                             ValueRange accs) {
  // Joined dots carry one accumulator, which the first of them stands for.
  SmallVector<Value> rings = llvm::map_to_vector(
      places, [](const Place &place) { return place.ring; });
  return tile::emitMultiplies(builder, dots, rings, stage, accs, "wgmma");
}

SmallVector<Value> BulkRings::readAccs(OpBuilder &builder, ValueRange accs) {
  SmallVector<Value> tiles;
  for (auto [i, dot] : llvm::enumerate(dots.dots)) {
    auto type = cast<RankedTensorType>(dot.getResult().getType());
    int64_t column = getPlace(dot.getB()).part * type.getDimSize(1);
    tiles.push_back(AccReadOp::create(builder, dot.getLoc(), type,
                                      accs[joined ? 0 : i],
                                      joined ? column : 0));
  }
  return tiles;
}
