//===- HostEntry.cpp - the functions of the C contract --------------------===//

#include "HostEntry.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {

class EntryBuilder {
public:
  EntryBuilder(func::FuncOp main, const HostSignature &signature,
               const LLVMTypeConverter &converter)
      : main(main), signature(signature), converter(converter),
        b(main.getLoc(), main.getContext()),
        pointer(LLVM::LLVMPointerType::get(main.getContext())) {}

  LogicalResult createRun();
  LogicalResult createResultDims();
  void createWorkspaceSize();

private:
  func::FuncOp createFunction(StringRef name, TypeRange types, Type result);
  Value getElement(Value array, Type type, int64_t index);
  SmallVector<Value> loadDims(Value array);
  Value createMemRef(MemRefType type, Value address, ValueRange dims);

  func::FuncOp main;
  const HostSignature &signature;
  const LLVMTypeConverter &converter;
  ImplicitLocOpBuilder b;
  Type pointer;
};

} // namespace

func::FuncOp EntryBuilder::createFunction(StringRef name, TypeRange types,
                                          Type result) {
  b.setInsertionPointToEnd(main->getBlock());
  auto function =
      func::FuncOp::create(b, name, b.getFunctionType(types, result));
  b.setInsertionPointToStart(function.addEntryBlock());
  return function;
}

/// The address of `array[index]`.
Value EntryBuilder::getElement(Value array, Type type, int64_t index) {
  return LLVM::GEPOp::create(b, pointer, type, array,
                             ArrayRef<LLVM::GEPArg>{int32_t(index)});
}

/// The dims of all arguments that are not results, from a C array.
SmallVector<Value> EntryBuilder::loadDims(Value array) {
  SmallVector<Value> dims;
  Type i64 = b.getI64Type();
  for (unsigned i = 0; i < signature.getNumInputDims(); ++i) {
    Value dim = LLVM::LoadOp::create(b, i64, getElement(array, i64, i));
    dims.push_back(arith::IndexCastOp::create(b, b.getIndexType(), dim));
  }
  return dims;
}

/// A dense row-major memref at `address`; `dims` are the sizes of all dims.
Value EntryBuilder::createMemRef(MemRefType type, Value address,
                                 ValueRange dims) {
  Location loc = b.getLoc();
  Type index = converter.getIndexType();
  auto constant = [&](int64_t value) -> Value {
    return LLVM::ConstantOp::create(b, index, b.getIntegerAttr(index, value));
  };
  auto descriptor =
      MemRefDescriptor::poison(b, loc, converter.convertType(type));
  descriptor.setAllocatedPtr(b, loc, address);
  descriptor.setAlignedPtr(b, loc, address);
  descriptor.setConstantOffset(b, loc, 0);
  Value stride = constant(1);
  for (int64_t i = type.getRank() - 1; i >= 0; --i) {
    Value size = type.isDynamicDim(i)
                     ? Value(arith::IndexCastOp::create(b, index, dims[i]))
                     : constant(type.getDimSize(i));
    descriptor.setSize(b, loc, i, size);
    descriptor.setStride(b, loc, i, stride);
    stride = LLVM::MulOp::create(b, stride, size);
  }
  Value value = descriptor;
  return UnrealizedConversionCastOp::create(b, type, value).getResult(0);
}

/// int32_t fusion_run(context, void *const *args, const int64_t *dims,
///                    void *workspace, void *stream)
LogicalResult EntryBuilder::createRun() {
  SmallVector<Type> types(5, pointer);
  func::FuncOp run = createFunction(kRunEntry, types, b.getI32Type());
  FailureOr<SmallVector<Value>> dims =
      signature.getAllDims(b, b.getLoc(), loadDims(run.getArgument(2)));
  if (failed(dims)) {
    return failure();
  }
  SmallVector<Value> operands = {run.getArgument(0), run.getArgument(4)};
  for (unsigned i = 0; i < signature.getNumArguments(); ++i) {
    MemRefType type = signature.getType(i);
    Value address = LLVM::LoadOp::create(
        b, pointer, getElement(run.getArgument(1), pointer, i));
    auto argumentDims =
        ArrayRef(*dims).slice(signature.getDimNumber(i, 0), type.getRank());
    operands.push_back(createMemRef(type, address, argumentDims));
  }
  if (signature.hasWorkspace()) {
    // Its size is never asked for: views are within it by construction.
    auto type = MemRefType::get({ShapedType::kDynamic}, b.getI8Type());
    Value size = arith::ConstantIndexOp::create(b, 0);
    operands.push_back(createMemRef(type, run.getArgument(3), size));
  }
  auto call = func::CallOp::create(b, main, operands);
  func::ReturnOp::create(b, call.getResults());
  return success();
}

/// int64_t fusion_workspace_size(const int64_t *dims)
void EntryBuilder::createWorkspaceSize() {
  func::FuncOp entry = createFunction(kWorkspaceEntry, pointer, b.getI64Type());
  auto size = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      main->getParentOp(), b.getStringAttr(kWorkspaceSizeFunction));
  Value bytes = arith::ConstantIndexOp::create(b, 0);
  if (size) {
    bytes = func::CallOp::create(b, size, loadDims(entry.getArgument(0)))
                .getResult(0);
  }
  Value result = arith::IndexCastOp::create(b, b.getI64Type(), bytes);
  func::ReturnOp::create(b, result);
}

/// int32_t fusion_result_dims(const int64_t *dims, int64_t *result)
LogicalResult EntryBuilder::createResultDims() {
  func::FuncOp entry =
      createFunction(kResultDimsEntry, {pointer, pointer}, b.getI32Type());
  FailureOr<SmallVector<Value>> dims =
      signature.getAllDims(b, b.getLoc(), loadDims(entry.getArgument(0)));
  if (failed(dims)) {
    return failure();
  }
  Type i64 = b.getI64Type();
  auto results = ArrayRef(*dims).drop_front(signature.getNumInputDims());
  for (auto [i, dim] : llvm::enumerate(results)) {
    Value value = arith::IndexCastOp::create(b, i64, dim);
    LLVM::StoreOp::create(b, value, getElement(entry.getArgument(1), i64, i));
  }
  Value zero = arith::ConstantIntOp::create(b, 0, 32);
  func::ReturnOp::create(b, zero);
  return success();
}

LogicalResult fusion::createHostEntries(func::FuncOp main,
                                        const HostSignature &signature,
                                        const LLVMTypeConverter &converter) {
  EntryBuilder builder(main, signature, converter);
  builder.createWorkspaceSize();
  return success(succeeded(builder.createRun()) &&
                 succeeded(builder.createResultDims()));
}
