//===- Package.h - shared libraries of compiled programs --------*- C++ -*-===//

#ifndef LIB_DRIVER_PACKAGE_H
#define LIB_DRIVER_PACKAGE_H

#include "mlir/IR/BuiltinOps.h"
#include <string>

namespace mlir::fusion {

/// A C header that names the arguments of the host program `module` (stage 4 or
/// 5, where @main is on memrefs): for each role an enumeration of positions.
/// `path` is the package's.
std::string makePackageHeader(ModuleOp module, StringRef path);

/// Links the host program (LLVM dialect) into the shared library `path` and
/// writes `header` beside it (.h for .so). Needs a linker: ld.lld, ld or cc.
/// Leaves nothing behind where it fails, with a diagnostic.
LogicalResult writePackage(ModuleOp module, StringRef header, StringRef path);

} // namespace mlir::fusion

#endif // LIB_DRIVER_PACKAGE_H
