//===- HostCalls.h - what host functions call -------------------*- C++ -*-===//

#ifndef LIB_CONVERSION_HOSTTOLLVM_HOSTCALLS_H
#define LIB_CONVERSION_HOSTTOLLVM_HOSTCALLS_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::fusion {

/// The number of each kernel of the image, by its name.
using KernelNumbers = llvm::StringMap<int32_t>;

/// Returns the runtime function `name`, declared in `module` if need be.
LLVM::LLVMFuncOp getRuntimeFunction(ModuleOp module, StringRef name,
                                    Type result, ArrayRef<Type> arguments);

/// Gives @main and the functions that it calls, directly or not, two leading
/// arguments (the context and the stream) and a status as result; lowers
/// launches, tensor maps and parallel calls in them to runtime calls; makes
/// each function return the first status that is not zero. Values of memref
/// type cross into LLVM through unrealized casts to their descriptors.
LogicalResult lowerHostCalls(func::FuncOp main, const KernelNumbers &kernels,
                             const LLVMTypeConverter &converter);

/// Lowers the `tile.launch` and `tile.tensor_map` ops of `function`, whose
/// first arguments are the context and the stream. `statuses` gets the status
/// that each runtime call returned.
LogicalResult lowerLaunches(func::FuncOp function, const KernelNumbers &kernels,
                            SmallVectorImpl<Value> &statuses);

/// Lowers the calls of `function` marked `fusion.parallel` likewise.
LogicalResult lowerParallelCalls(func::FuncOp function,
                                 const LLVMTypeConverter &converter,
                                 SmallVectorImpl<Value> &statuses);

} // namespace mlir::fusion

#endif // LIB_CONVERSION_HOSTTOLLVM_HOSTCALLS_H
