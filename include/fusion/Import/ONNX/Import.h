//===- Import.h - ONNX models to the fusion dialect -------------*- C++ -*-===//
//
// The entry of the ONNX importer. What it makes is stage 1 of
// docs/Architecture.md: one function @main of fusion ops on tensors.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_IMPORT_ONNX_IMPORT_H
#define FUSION_IMPORT_ONNX_IMPORT_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <map>
#include <string>

namespace mlir::fusion {

/// What the caller decides about a model that is imported.
struct OnnxImportOptions {
  /// Globs over the names of graph inputs. An input that one matches, and that
  /// no glob with a leading `!` excludes, is marked `fusion.weight`. A glob
  /// that matches no input is an error.
  SmallVector<std::string> weights;

  /// Sizes for named dynamic dims, which become static. A name that the model
  /// does not have is an error.
  std::map<std::string, int64_t> dims;

  /// Values of inputs that are known when the model is compiled, by name: such
  /// an input becomes a constant. A name that the model does not have, and a
  /// value of another type or shape, are errors.
  std::map<std::string, ElementsAttr> bound;

  /// The folder that external data is read from, and never outside of; empty
  /// means the working directory.
  std::string baseDir;

  /// The model's file, for diagnostics about the model as a whole.
  std::string fileName;
};

/// Imports an ONNX model from its bytes. What cannot be imported is diagnosed
/// through the context: every such node once, with its name, op type, domain
/// and operator set. Returns null if there was any error; otherwise the module
/// verifies. `context` must be able to load the fusion, func, arith and tensor
/// dialects.
OwningOpRef<ModuleOp> importOnnx(StringRef bytes, MLIRContext *context,
                                 const OnnxImportOptions &options = {});

/// Tells whether `bytes` begin as an ONNX model does. They may still turn out
/// to be damaged; text and MLIR bytecode are never taken for a model.
bool looksLikeOnnx(StringRef bytes);

} // namespace mlir::fusion

#endif // FUSION_IMPORT_ONNX_IMPORT_H
