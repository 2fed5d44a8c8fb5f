//===- TensorData.h - constants of ONNX models ------------------*- C++ -*-===//

#ifndef FUSION_LIB_IMPORT_ONNX_TENSORDATA_H
#define FUSION_LIB_IMPORT_ONNX_TENSORDATA_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Location.h"
#include "onnx_subset.pb.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>

namespace mlir::fusion::onnx {

/// Tensors of more dims are refused: no exporter makes them, and work on them
/// grows with the rank.
constexpr int64_t kMaxRank = 32;

/// The type for ONNX's number of an element type; null if we have none.
Type elementTypeFor(int32_t dataType, MLIRContext *context);

/// ONNX's name of an element type, for messages: "float16".
StringRef elementTypeName(int32_t dataType);

/// Reads a constant, taking its bytes out of `tensor`. At most 4 KiB, booleans
/// and splats become dense attributes; larger ones blobs that are not copied.
/// Bit patterns are kept. External data comes from `baseDir`. Errors are given
/// at `loc` and name the tensor.
FailureOr<ElementsAttr> readTensor(fusion_onnx::TensorProto &tensor,
                                   StringRef baseDir, Location loc);

/// The bytes of a tensor that is kept in a file beside the model: opens only
/// files inside `baseDir` (symbolic links resolved), of which `size` bytes must
/// be there. Returns the reason if it cannot.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readExternalData(const fusion_onnx::TensorProto &tensor, StringRef baseDir,
                 uint64_t size);

} // namespace mlir::fusion::onnx

#endif // FUSION_LIB_IMPORT_ONNX_TENSORDATA_H
