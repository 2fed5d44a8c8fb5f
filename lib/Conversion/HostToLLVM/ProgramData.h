//===- ProgramData.h - the data `fusion_program` ----------------*- C++ -*-===//

#ifndef LIB_CONVERSION_HOSTTOLLVM_PROGRAMDATA_H
#define LIB_CONVERSION_HOSTTOLLVM_PROGRAMDATA_H

#include "HostSignature.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::fusion {

struct ProgramKernel {
  std::string name;
  int32_t blockSize, sharedBytes;
};

/// What `fusion_program` says: see include/fusion-c/Runtime.h.
struct ProgramData {
  struct Argument {
    std::string name;
    int32_t dtype;
    SmallVector<int64_t> dims; // -1 where dynamic
    SmallVector<std::string> dimNames;
    int32_t role;
    bool donated;
    ElementsAttr data; // of a constant
  };
  std::string target;
  int32_t leastDriver = 0;
  SmallVector<Argument> arguments;
  SmallVector<ProgramKernel> kernels;
  std::string image; // empty on the CPU
};

/// Reads the arguments of `main`, before its signature is extended. Emits an
/// error for an argument without type or bytes in the C contract.
FailureOr<SmallVector<ProgramData::Argument>>
readProgramArguments(func::FuncOp main);

/// Adds the globals of `fusion_program` to `module`, which already has its
/// three functions.
LogicalResult createProgramData(ModuleOp module, const ProgramData &data);

} // namespace mlir::fusion

#endif // LIB_CONVERSION_HOSTTOLLVM_PROGRAMDATA_H
