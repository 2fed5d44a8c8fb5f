//===- BoundInputs.h - inputs that become constants -------------*- C++ -*-===//

#ifndef FUSION_LIB_DRIVER_BOUNDINPUTS_H
#define FUSION_LIB_DRIVER_BOUNDINPUTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/Error.h"
#include <map>
#include <string>

namespace mlir::fusion {

/// Reads the contents of an input from a .npy or .pb file.
llvm::Expected<DenseElementsAttr> readBoundInput(StringRef file,
                                                 MLIRContext *context);

/// Replaces the arguments of `entry` that `files` names by the constants in
/// these files. Errors name the argument and what was expected.
LogicalResult bindArguments(func::FuncOp entry,
                            const std::map<std::string, std::string> &files);

} // namespace mlir::fusion

#endif // FUSION_LIB_DRIVER_BOUNDINPUTS_H
