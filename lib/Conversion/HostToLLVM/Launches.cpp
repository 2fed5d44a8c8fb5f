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

  FailureOr<Value> lower(tile::TensorMapOp op);
  FailureOr<Value> lower(tile::LaunchOp op);
  void lower(tile::MultiprocessorsOp op);

private:
  Value constant(int64_t value, unsigned bits = 64);
  Value getPointer(Value memref);
  Value toI64(Value index);
  Value allocate(Type type, int64_t count, int64_t alignment = 0);
  Value storeArray(ArrayRef<Value> values, Type type);
  LogicalResult addParameters(Value argument, Operation *launch,
                              SmallVectorImpl<Value> &parameters);

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

FailureOr<Value> LaunchLowering::lower(tile::TensorMapOp op) {
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
  return status.getResult();
}

/// Appends the addresses of the parameters that `argument` becomes: see
/// docs/Architecture.md, stage 4.
LogicalResult
LaunchLowering::addParameters(Value argument, Operation *launch,
                              SmallVectorImpl<Value> &parameters) {
  auto add = [&](Value value) {
    parameters.push_back(storeArray(value, value.getType()));
  };
  Type type = argument.getType();
  if (Value map = tensorMaps.lookup(argument)) {
    parameters.push_back(map);
  } else if (auto memref = dyn_cast<MemRefType>(type)) {
    add(getPointer(argument));
    for (int64_t i = 0; i < memref.getRank(); ++i) {
      if (memref.isDynamicDim(i)) {
        add(toI64(memref::DimOp::create(b, argument, i)));
      }
    }
  } else if (type.isIndex()) {
    add(toI64(argument));
  } else if (LLVM::isCompatibleType(type)) {
    add(argument);
  } else {
    return launch->emitOpError("expected a memref, a tensor map or a scalar, "
                               "but got ")
           << type;
  }
  return success();
}

FailureOr<Value> LaunchLowering::lower(tile::LaunchOp op) {
  b.setLoc(op.getLoc());
  b.setInsertionPoint(op);
  auto kernel = kernels.find(op.getKernel().getLeafReference().getValue());
  if (kernel == kernels.end()) {
    return op.emitOpError("expected a kernel of the module, but got ")
           << op.getKernel();
  }
  SmallVector<Value> parameters;
  for (Value argument : op.getArgs()) {
    if (failed(addParameters(argument, op, parameters))) {
      return failure();
    }
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
                 toI64(op.getGridZ()), storeArray(parameters, pointer),
                 function.getArgument(1)});
  return status.getResult();
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
    FailureOr<Value> status =
        map ? lowering.lower(map) : lowering.lower(cast<tile::LaunchOp>(op));
    if (failed(status)) {
      return failure();
    }
    statuses.push_back(*status);
  }
  // Launches first: they use the maps.
  for (Operation *op : llvm::reverse(ops)) {
    op->erase();
  }
  return success();
}
