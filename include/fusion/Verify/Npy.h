//===- Npy.h - NumPy's array files ------------------------------*- C++ -*-===//

#ifndef FUSION_VERIFY_NPY_H
#define FUSION_VERIFY_NPY_H

#include "fusion/Verify/HostArray.h"
#include "llvm/Support/Error.h"

namespace mlir::fusion {

/// Reads a .npy file: little-endian, row-major, of any FusionDType. NumPy has
/// no bfloat16; a 2-byte void type ("|V2", what ml_dtypes saves) is read as
/// one. Errors name the file and what was expected.
llvm::Expected<HostArray> readNpy(StringRef path);

/// Writes `array` as a .npy file (version 1.0), or nothing where it fails.
llvm::Error writeNpy(StringRef path, const HostArray &array);

} // namespace mlir::fusion

#endif // FUSION_VERIFY_NPY_H
