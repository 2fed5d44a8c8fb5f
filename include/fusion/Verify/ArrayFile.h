//===- ArrayFile.h - arrays in files ----------------------------*- C++ -*-===//

#ifndef FUSION_VERIFY_ARRAYFILE_H
#define FUSION_VERIFY_ARRAYFILE_H

#include "fusion/Verify/HostArray.h"
#include "llvm/Support/Error.h"

namespace mlir::fusion {

/// Reads a .npy file, or a .pb file that holds an ONNX TensorProto. Where
/// `wanted` is BF16 and the file, as its writer had no such type, says U16, the
/// result is BF16. Errors name the file and what was expected.
llvm::Expected<HostArray> readArrayFile(StringRef path, int32_t wanted);

/// Writes `array` as a .npy file, or nothing where that fails.
llvm::Error writeArrayFile(StringRef path, HostArray &array);

} // namespace mlir::fusion

#endif // FUSION_VERIFY_ARRAYFILE_H
