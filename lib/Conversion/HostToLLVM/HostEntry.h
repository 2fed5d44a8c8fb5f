//===- HostEntry.h - the functions of the C contract ------------*- C++ -*-===//

#ifndef LIB_CONVERSION_HOSTTOLLVM_HOSTENTRY_H
#define LIB_CONVERSION_HOSTTOLLVM_HOSTENTRY_H

#include "HostSignature.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"

namespace mlir::fusion {

inline constexpr llvm::StringLiteral kRunEntry = "fusion_run";
inline constexpr llvm::StringLiteral kWorkspaceEntry = "fusion_workspace_size";
inline constexpr llvm::StringLiteral kResultDimsEntry = "fusion_result_dims";

/// Adds the functions `run`, `workspace_size` and `result_dims` of
/// FusionProgram to the module of `main`, as func.funcs on pointers. @main
/// takes and returns what `lowerHostCalls` gave it; `signature` is that of
/// before.
LogicalResult createHostEntries(func::FuncOp main,
                                const HostSignature &signature,
                                const LLVMTypeConverter &converter);

/// Lets `function`, which returns the sizes of results as index values, store
/// them through a pointer that its callers hand it: as results of an LLVM
/// function they are one structure, and to take a large one apart takes time in
/// the square of its size. Erases `function` if nothing calls it.
void passResultDimsInMemory(func::FuncOp function);

} // namespace mlir::fusion

#endif // LIB_CONVERSION_HOSTTOLLVM_HOSTENTRY_H
