//===- TensorProto.h - ONNX's arrays ----------------------------*- C++ -*-===//

#ifndef LIB_VERIFY_TENSORPROTO_H
#define LIB_VERIFY_TENSORPROTO_H

#include "fusion/Verify/HostArray.h"
#include "llvm/Support/Error.h"

namespace mlir::fusion {

/// Parses the bytes of a TensorProto message whose data is in itself. Errors do
/// not name the file.
llvm::Expected<HostArray> parseTensorProto(StringRef bytes);

} // namespace mlir::fusion

#endif // LIB_VERIFY_TENSORPROTO_H
