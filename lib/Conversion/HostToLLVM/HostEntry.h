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

} // namespace mlir::fusion

#endif // LIB_CONVERSION_HOSTTOLLVM_HOSTENTRY_H
