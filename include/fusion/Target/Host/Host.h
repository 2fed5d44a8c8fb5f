//===- Host.h - host programs to LLVM IR and objects ------------*- C++ -*-===//

#ifndef FUSION_TARGET_HOST_HOST_H
#define FUSION_TARGET_HOST_HOST_H

#include "fusion/Target/Host/HostJit.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include <string>

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace mlir::fusion {

/// A target machine for this processor with all its features; multiplications
/// and additions of floats are not contracted. Fails if LLVM has no back end
/// for it.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createHostMachine(HostEffort effort = HostEffort::Full);

/// Translates `module` (LLVM dialect) to LLVM IR in `context`, optimized for
/// `machine`. Emits an error at what cannot be translated.
FailureOr<std::unique_ptr<llvm::Module>>
translateHostModule(ModuleOp module, llvm::LLVMContext &context,
                    llvm::TargetMachine &machine,
                    HostEffort effort = HostEffort::Full);

/// The bytes of a relocatable object of `module` (LLVM dialect) for this
/// machine: position independent, with `fusion_program` and the three entries
/// defined, `fusionRt*` and functions of libc and libm undefined.
FailureOr<std::string> emitHostObject(ModuleOp module);

} // namespace mlir::fusion

#endif // FUSION_TARGET_HOST_HOST_H
