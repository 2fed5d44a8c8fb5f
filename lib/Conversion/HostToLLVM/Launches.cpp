//===- Launches.cpp - launches and tensor maps to runtime calls -----------===//

#include "HostCalls.h"

#include "ElementType.h"
#include "HostSignature.h"
#include "fusion/Tile/IR/Tile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {

/// Lowers the launches of one function.
class LaunchLowering {
public:
  LaunchLowering(func::FuncOp function, const KernelNumbers &kernels)
      : function(function), module(function->getParentOfType<ModuleOp>()),
        kernels(kernels), b(function.getLoc(), function.getContext()),
        pointer(LLVM::LLVMPointerType::get(function.getContext())) {}

  /// These add the status of each runtime call that they make to `statuses`.
  LogicalResult lower(tile::TensorMapOp op, SmallVectorImpl<Value> &statuses);
  LogicalResult lower(tile::LaunchOp op, SmallVectorImpl<Value> &statuses);
  void lower(tile::MultiprocessorsOp op);

private:
  Value constant(int64_t value, unsigned bits = 64);
  Value getPointer(Value memref);
  Value toI64(Value index);
  Value allocate(Type type, int64_t count, int64_t alignment = 0);
  Value storeArray(ArrayRef<Value> values, Type type);
  LogicalResult addParameters(Value argument, Operation *launch,
                              SmallVectorImpl<Value> &parameters);
  FailureOr<SmallVector<Value>> getParameters(tile::LaunchOp op);
  Value createTable(ArrayRef<Value> entries, Value memory,
                    SmallVectorImpl<Value> &statuses);
  FailureOr<SmallVector<Value>>
  getTabulatedParameters(tile::LaunchOp op, SmallVectorImpl<Value> &statuses);

  func::FuncOp function;
  ModuleOp module;
  const KernelNumbers &kernels;
  ImplicitLocOpBuilder b;
  Type pointer;
  llvm::DenseMap<Value, Value> tensorMaps; // their memory
};

} // namespace

Value LaunchLowering::constant(int64_t value, unsigned bits) {
  return LLVM::ConstantOp::create(
      b, b.getIntegerType(bits),
      b.getIntegerAttr(b.getIntegerType(bits), value));
}

/// The address of the first element: arguments have the identity layout.
Value LaunchLowering::getPointer(Value memref) {
  Value address = memref::ExtractAlignedPointerAsIndexOp::create(b, memref);
  return LLVM::IntToPtrOp::create(b, pointer, toI64(address));
}

Value LaunchLowering::toI64(Value index) {
  return arith::IndexCastOp::create(b, b.getI64Type(), index);
}

/// Stack memory, taken in the entry block: launches may stand in loops.
Value LaunchLowering::allocate(Type type, int64_t count, int64_t alignment) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&function.getBody().front());
  return LLVM::AllocaOp::create(b, pointer, type, constant(count), alignment);
}

Value LaunchLowering::storeArray(ArrayRef<Value> values, Type type) {
  Value memory = allocate(type, std::max<int64_t>(values.size(), 1));
  for (auto [i, value] : llvm::enumerate(values)) {
    Value element = LLVM::GEPOp::create(b, pointer, type, memory,
                                        ArrayRef<LLVM::GEPArg>{int32_t(i)});
    LLVM::StoreOp::create(b, value, element);
  }
  return memory;
}

LogicalResult LaunchLowering::lower(tile::TensorMapOp op,
                                    SmallVectorImpl<Value> &statuses) {
  b.setLoc(op.getLoc());
  b.setInsertionPoint(op);
  auto type = cast<MemRefType>(op.getMemref().getType());
  auto mapType = cast<tile::TensorMapType>(op.getResult().getType());
  FailureOr<int32_t> dtype = getRuntimeElementType(type.getElementType());
  if (failed(dtype)) {
    return op.emitOpError("expected an element type of the runtime, but got ")
           << type.getElementType();
  }
  int64_t rank = type.getRank();
  SmallVector<Value> dims, strides, box;
  Value stride = constant(getElementBytes(type));
  for (int64_t i = rank - 1; i >= 0; --i) {
    Value dim = toI64(memref::DimOp::create(b, op.getMemref(), i));
    stride = LLVM::MulOp::create(b, stride, dim);
    dims.push_back(dim);
    box.push_back(constant(mapType.getBox()[i], 32));
    if (i > 0) {
      strides.push_back(stride);
    }
  }
  Value memory = allocate(b.getI8Type(), 128, 64);
  Type i32 = b.getI32Type();
  auto runtime = getRuntimeFunction(
      module, "fusionRtTensorMap", i32,
      {pointer, pointer, pointer, i32, i32, pointer, pointer, pointer, i32});
  auto status = LLVM::CallOp::create(
      b, runtime,
      ValueRange{function.getArgument(0), memory, getPointer(op.getMemref()),
                 constant(*dtype, 32), constant(rank, 32),
                 storeArray(dims, b.getI64Type()),
                 storeArray(strides, b.getI64Type()), storeArray(box, i32),
                 constant(mapType.getSwizzle(), 32)});
  tensorMaps[op.getResult()] = memory;
  statuses.push_back(status.getResult());
  return success();
}

/// Appends the values of the parameters that `argument` becomes: see
/// docs/Architecture.md, stage 4. A tensor map is the address of its memory.
LogicalResult
LaunchLowering::addParameters(Value argument, Operation *launch,
                              SmallVectorImpl<Value> &parameters) {
  Type type = argument.getType();
  if (Value map = tensorMaps.lookup(argument)) {
    parameters.push_back(map);
  } else if (auto memref = dyn_cast<MemRefType>(type)) {
    parameters.push_back(getPointer(argument));
    for (int64_t i = 0; i < memref.getRank(); ++i) {
      if (memref.isDynamicDim(i)) {
        parameters.push_back(toI64(memref::DimOp::create(b, argument, i)));
      }
    }
  } else if (type.isIndex()) {
    parameters.push_back(toI64(argument));
  } else if (LLVM::isCompatibleType(type)) {
    parameters.push_back(argument);
  } else {
    return launch->emitOpError("expected a memref, a tensor map or a scalar, "
                               "but got ")
           << type;
  }
  return success();
}

/// The addresses of the parameters of `op`, which has no table.
FailureOr<SmallVector<Value>> LaunchLowering::getParameters(tile::LaunchOp op) {
  SmallVector<Value> parameters;
  for (Value argument : op.getArgs()) {
    SmallVector<Value> values;
    if (failed(addParameters(argument, op, values))) {
      return failure();
    }
    for (Value value : values) {
      parameters.push_back(tensorMaps.contains(argument)
                               ? value
                               : storeArray(value, value.getType()));
    }
  }
  return parameters;
}

/// The address of a table of `entries` on the device. The runtime may keep one
/// of its own; `memory` is room for it where it does not.
Value LaunchLowering::createTable(ArrayRef<Value> entries, Value memory,
                                  SmallVectorImpl<Value> &statuses) {
  Type i64 = b.getI64Type();
  Value values = allocate(i64, entries.size());
  for (auto [i, value] : llvm::enumerate(entries)) {
    // The kernel loads it with its own type: the first bytes count.
    Value entry = LLVM::GEPOp::create(b, pointer, i64, values,
                                      ArrayRef<LLVM::GEPArg>{int32_t(i)});
    LLVM::StoreOp::create(b, value, entry);
  }
  Value table = allocate(pointer, 1);
  auto runtime =
      getRuntimeFunction(module, "fusionRtParameterTable", b.getI32Type(),
                         {pointer, pointer, i64, pointer, pointer, pointer});
  auto status = LLVM::CallOp::create(
      b, runtime,
      ValueRange{function.getArgument(0), values, constant(entries.size()),
                 getPointer(memory), function.getArgument(1), table});
  statuses.push_back(status.getResult());
  return table;
}

/// The addresses of the parameters of `op`, which has a table.
FailureOr<SmallVector<Value>>
LaunchLowering::getTabulatedParameters(tile::LaunchOp op,
                                       SmallVectorImpl<Value> &statuses) {
  SmallVector<Value> entries, maps;
  for (Value argument : op.getArgs()) {
    bool isMap = tensorMaps.contains(argument);
    if (failed(addParameters(argument, op, isMap ? maps : entries))) {
      return failure();
    }
  }
  SmallVector<Value> parameters{createTable(entries, op.getTable(), statuses)};
  llvm::append_range(parameters, maps);
  return parameters;
}

LogicalResult LaunchLowering::lower(tile::LaunchOp op,
                                    SmallVectorImpl<Value> &statuses) {
  b.setLoc(op.getLoc());
  b.setInsertionPoint(op);
  auto kernel = kernels.find(op.getKernel().getLeafReference().getValue());
  if (kernel == kernels.end()) {
    return op.emitOpError("expected a kernel of the module, but got ")
           << op.getKernel();
  }
  FailureOr<SmallVector<Value>> parameters =
      op.getTable() ? getTabulatedParameters(op, statuses) : getParameters(op);
  if (failed(parameters)) {
    return failure();
  }
  Type i32 = b.getI32Type();
  Type i64 = b.getI64Type();
  auto runtime =
      getRuntimeFunction(module, "fusionRtLaunch", i32,
                         {pointer, i32, i64, i64, i64, pointer, pointer});
  auto status = LLVM::CallOp::create(
      b, runtime,
      ValueRange{function.getArgument(0), constant(kernel->second, 32),
                 toI64(op.getGridX()), toI64(op.getGridY()),
                 toI64(op.getGridZ()), storeArray(*parameters, pointer),
                 function.getArgument(1)});
  statuses.push_back(status.getResult());
  return success();
}

/// Replaces `op` by what the runtime knows of the device.
void LaunchLowering::lower(tile::MultiprocessorsOp op) {
  b.setLoc(op.getLoc());
  b.setInsertionPoint(op);
  auto runtime = getRuntimeFunction(module, "fusionRtMultiprocessors",
                                    b.getI64Type(), {pointer});
  auto count = LLVM::CallOp::create(b, runtime, function.getArgument(0));
  op.replaceAllUsesWith(
      arith::IndexCastOp::create(b, b.getIndexType(), count.getResult())
          .getResult());
  op.erase();
}

LogicalResult fusion::lowerLaunches(func::FuncOp function,
                                    const KernelNumbers &kernels,
                                    SmallVectorImpl<Value> &statuses) {
  SmallVector<Operation *> ops;
  function.walk([&](Operation *op) {
    if (isa<tile::TensorMapOp, tile::LaunchOp>(op)) {
      ops.push_back(op);
    }
  });
  LaunchLowering lowering(function, kernels);
  function.walk([&](tile::MultiprocessorsOp op) { lowering.lower(op); });
  for (Operation *op : ops) {
    auto map = dyn_cast<tile::TensorMapOp>(op);
    if (failed(map ? lowering.lower(map, statuses)
                   : lowering.lower(cast<tile::LaunchOp>(op), statuses))) {
      return failure();
    }
  }
  // Launches first: they use the maps.
  for (Operation *op : llvm::reverse(ops)) {
    op->erase();
  }
  return success();
}
