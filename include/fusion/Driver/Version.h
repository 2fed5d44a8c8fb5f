//===- Version.h - which Fusion is this? ------------------------*- C++ -*-===//

#ifndef FUSION_DRIVER_VERSION_H
#define FUSION_DRIVER_VERSION_H

#include "mlir/Support/LLVM.h"

namespace mlir::fusion {

/// "0.1.0", as CMake's project() says.
StringRef getVersion();

} // namespace mlir::fusion

#endif // FUSION_DRIVER_VERSION_H
