//===- Scalars.cpp - arith and math on registers, sizes and ids -----------===//

#include "GuardSelects.h"
#include "TileAccess.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::fusion;

/// Clones `op`, an elementwise op, on `operands` that are registers.
static Operation *cloneOnRegisters(Operation *op, KernelLowering &lk,
                                   ValueRange operands) {
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(operands);
  for (Type type : op->getResultTypes()) {
    state.addTypes(lk.getRegisterType(type));
  }
  state.propertiesAttr = op->getPropertiesAsAttribute();
  state.addAttributes(llvm::to_vector(op->getDiscardableAttrs()));
  return lk.builder.create(state);
}

/// Whether the conversion of two neighbours is one instruction.
static bool convertsInPairs(Operation *op) {
  auto truncate = dyn_cast<arith::TruncFOp>(op);
  return truncate && getElementTypeOrSelf(truncate.getIn().getType()).isF32() &&
         (getElementTypeOrSelf(truncate.getType()).isF16() ||
          getElementTypeOrSelf(truncate.getType()).isBF16());
}

/// Rounds registers two by two.
static void truncatePairs(arith::TruncFOp op, KernelLowering &lk,
                          ArrayRef<Value> source,
                          SmallVectorImpl<Value> &result) {
  OpBuilder &b = lk.builder;
  Location loc = op.getLoc();
  auto pair = VectorType::get(2, lk.getRegisterType(op.getType()));
  for (size_t i = 0; i < source.size(); i += 2) {
    Value both = vector::FromElementsOp::create(
        b, loc, pair.clone(b.getF32Type()), source.slice(i, 2));
    Value rounded = arith::TruncFOp::create(
        b, loc, pair, both, op.getRoundingmodeAttr(), op.getFastmathAttr());
    auto parts = vector::ToElementsOp::create(b, loc, rounded);
    llvm::append_range(result, parts.getResults());
  }
}

/// Index casts move between i64 and an integer type.
static LogicalResult lowerIndexCast(Operation *op, KernelLowering &lk) {
  bool isSigned = isa<arith::IndexCastOp>(op);
  Type to = lk.getRegisterType(op->getResult(0).getType());
  SmallVector<Value> results;
  for (Value value : lk.get(op->getOperand(0))) {
    unsigned from = value.getType().getIntOrFloatBitWidth();
    Value cast = value;
    if (from > to.getIntOrFloatBitWidth()) {
      cast = arith::TruncIOp::create(lk.builder, op->getLoc(), to, value);
    } else if (from < to.getIntOrFloatBitWidth()) {
      cast = isSigned
                 ? arith::ExtSIOp::create(lk.builder, op->getLoc(), to, value)
                       .getResult()
                 : arith::ExtUIOp::create(lk.builder, op->getLoc(), to, value)
                       .getResult();
    }
    results.push_back(cast);
  }
  lk.set(op->getResult(0), results);
  return success();
}

/// An op of arith or math on scalars, or elementwise on tiles of one layout.
static LogicalResult lowerElementwise(Operation *op, KernelLowering &lk) {
  bool onTiles = isa<RankedTensorType>(op->getResult(0).getType());
  if (onTiles && !OpTrait::hasElementwiseMappableTraits(op)) {
    return op->emitError("expected an elementwise op on tiles, but got '")
           << op->getName() << "'";
  }
  FailureOr<SmallVector<Type>> types =
      lk.getLoweredTypes(op->getResult(0).getType());
  if (failed(types)) {
    return failure();
  }
  size_t registers = types->size();
  if (convertsInPairs(op) && registers % 2 == 0) {
    SmallVector<Value> results;
    truncatePairs(cast<arith::TruncFOp>(op), lk, lk.get(op->getOperand(0)),
                  results);
    lk.set(op->getResult(0), results);
    return success();
  }
  SmallVector<SmallVector<Value>> results(op->getNumResults());
  for (size_t i = 0; i < registers; ++i) {
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      // A scalar beside tiles (the condition of a select) is one value.
      ArrayRef<Value> values = lk.get(operand);
      operands.push_back(values.size() == 1 ? values.front() : values[i]);
    }
    Operation *clone = cloneOnRegisters(op, lk, operands);
    for (auto [list, result] : llvm::zip(results, clone->getResults())) {
      list.push_back(result);
    }
  }
  for (auto [result, list] : llvm::zip(op->getResults(), results)) {
    lk.set(result, list);
  }
  return success();
}

/// A select; of memory or tensor maps, of their pointers and sizes.
static LogicalResult lowerSelect(Operation *op, KernelLowering &lk) {
  auto select = cast<arith::SelectOp>(op);
  if (isa<RankedTensorType>(select.getType())) {
    if (failed(lowerElementwise(op, lk))) {
      return failure();
    }
    ArrayRef<Value> registers = lk.get(select.getResult());
    registers.front().getDefiningOp()->setAttr(
        kTileSelects, lk.builder.getI64IntegerAttr(registers.size()));
    return success();
  }
  if (!isa<MemRefType, tile::TensorMapType>(select.getType())) {
    return lowerElementwise(op, lk);
  }
  SmallVector<Value> results;
  for (auto [first, second] : llvm::zip_equal(lk.get(select.getTrueValue()),
                                              lk.get(select.getFalseValue()))) {
    results.push_back(arith::SelectOp::create(lk.builder, op->getLoc(),
                                              lk.getOne(select.getCondition()),
                                              first, second));
  }
  lk.set(select.getResult(), results);
  return success();
}

/// The one element of memory of rank 0.
static LogicalResult lowerLoad(Operation *op, KernelLowering &lk) {
  auto load = cast<memref::LoadOp>(op);
  if (!load.getIndices().empty()) {
    return op->emitError("expected memory of rank 0, but got ")
           << load.getMemRefType();
  }
  Type type = lk.getRegisterType(load.getType());
  Value element =
      LLVM::LoadOp::create(lk.builder, op->getLoc(), getMemoryType(type),
                           lk.get(load.getMemref()).front());
  lk.set(load.getResult(), fromMemory(lk.builder, op->getLoc(), element, type));
  return success();
}

static LogicalResult lowerConstant(Operation *op, KernelLowering &lk) {
  auto value = cast<TypedAttr>(cast<arith::ConstantOp>(op).getValue());
  Type type = lk.getRegisterType(value.getType());
  size_t registers = 1;
  if (isa<RankedTensorType>(value.getType())) {
    auto splat = dyn_cast<SplatElementsAttr>(value);
    if (!splat) {
      return op->emitError(
          "expected a constant tile with one value everywhere");
    }
    FailureOr<SmallVector<Type>> types = lk.getLoweredTypes(value.getType());
    if (failed(types)) {
      return failure();
    }
    registers = types->size();
    value = splat.getSplatValue<TypedAttr>();
  }
  if (auto integer = dyn_cast<IntegerAttr>(value)) {
    value = lk.builder.getIntegerAttr(
        type, integer.getValue().sextOrTrunc(type.getIntOrFloatBitWidth()));
  }
  lk.set(op->getResult(0), SmallVector<Value>(registers, lk.constant(value)));
  return success();
}

static LogicalResult lowerDim(Operation *op, KernelLowering &lk) {
  auto dim = cast<memref::DimOp>(op);
  std::optional<int64_t> number = dim.getConstantIndex();
  auto type = dyn_cast<MemRefType>(dim.getSource().getType());
  if (!number || !type || *number >= type.getRank() || *number < 0) {
    return op->emitError("expected a constant dim of a ranked memref");
  }
  if (!type.isDynamicDim(*number)) {
    lk.set(dim, lk.constantI64(type.getDimSize(*number)));
    return success();
  }
  lk.set(dim, lk.get(dim.getSource())[1 + type.getDynamicDimIndex(*number)]);
  return success();
}

/// Replaces a block or grid id by the special register's, as an i64.
template <typename X, typename Y, typename Z, typename Op>
static LogicalResult lowerId(Operation *op, KernelLowering &lk) {
  OpBuilder &b = lk.builder;
  Location loc = op->getLoc();
  Type i32 = b.getI32Type();
  Value id;
  switch (cast<Op>(op).getDimension()) {
  case gpu::Dimension::x:
    id = X::create(b, loc, i32);
    break;
  case gpu::Dimension::y:
    id = Y::create(b, loc, i32);
    break;
  case gpu::Dimension::z:
    id = Z::create(b, loc, i32);
    break;
  }
  lk.set(op->getResult(0),
         arith::ExtUIOp::create(b, loc, b.getI64Type(), id).getResult());
  return success();
}

void fusion::addScalarLowerings(OpLoweringTable &table) {
  table.add<arith::ConstantOp>(lowerConstant);
  table.add<arith::IndexCastOp, arith::IndexCastUIOp>(lowerIndexCast);
  table.addDialect<arith::ArithDialect>(lowerElementwise);
  table.addDialect<math::MathDialect>(lowerElementwise);
  table.add<arith::SelectOp>(lowerSelect);
  table.add<memref::LoadOp>(lowerLoad);
  table.add<memref::DimOp>(lowerDim);
  table.add<gpu::BlockIdOp>(lowerId<NVVM::BlockIdXOp, NVVM::BlockIdYOp,
                                    NVVM::BlockIdZOp, gpu::BlockIdOp>);
  table.add<gpu::GridDimOp>(lowerId<NVVM::GridDimXOp, NVVM::GridDimYOp,
                                    NVVM::GridDimZOp, gpu::GridDimOp>);
}
