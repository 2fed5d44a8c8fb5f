//===- HostToLLVM.h - the host program to the C contract --------*- C++ -*-===//

#ifndef FUSION_CONVERSION_HOSTTOLLVM_HOSTTOLLVM_H
#define FUSION_CONVERSION_HOSTTOLLVM_HOSTTOLLVM_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::fusion {

/// Turns the `memref.alloc`s of `@main` into views of one workspace argument,
/// and adds `@main_workspace_size`. Emits an error if `@main` has more than one
/// block, or if a size depends on more than the shapes of its arguments.
LogicalResult planWorkspace(ModuleOp module);

/// Lowers the host functions of `module` to the LLVM dialect and adds the
/// functions and data of the C contract (include/fusion-c/Runtime.h). `target`
/// is what the program is compiled for: `cpu`, or a GPU as in `sm_90a`.
/// Structured control flow must be gone. The kernels are the `llvm.func`s with
/// `nvvm.kernel` in `gpu.module @kernels`, which is erased; their image is the
/// string attribute `fusion.image` of the module (PTX, or a cubin), and the
/// least driver its integer attribute `fusion.least_driver`.
LogicalResult hostToLLVM(ModuleOp module, StringRef target);

} // namespace mlir::fusion

#endif // FUSION_CONVERSION_HOSTTOLLVM_HOSTTOLLVM_H
