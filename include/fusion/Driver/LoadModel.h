//===- LoadModel.h - model files to stage 1 or 2 ----------------*- C++ -*-===//

#ifndef FUSION_DRIVER_LOADMODEL_H
#define FUSION_DRIVER_LOADMODEL_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <map>
#include <string>

namespace mlir::fusion {

/// What the caller decides about a model that is read.
struct LoadOptions {
  /// Globs over the names of inputs that are weights; a leading `!` excludes.
  SmallVector<std::string> weights;
  /// Sizes for named dynamic dims, which become static.
  std::map<std::string, int64_t> dims;
  /// Files (.npy, .pb) with the values of inputs that become constants.
  std::map<std::string, std::string> bound;
};

/// Reads a model, told by its contents: ONNX, or MLIR (text or bytecode) with a
/// function @main, or just one public function, on tensors; functions that it
/// calls become part of it. The result is what
/// docs/Architecture.md says of stage 1: its arguments and results are named,
/// its weights marked. What is wrong is diagnosed through the context; null
/// then.
OwningOpRef<ModuleOp> loadModel(StringRef path, const LoadOptions &options,
                                MLIRContext *context);

/// The same for the bytes of a model file. `name` stands for its path in
/// diagnostics; files that the model refers to are beside that path.
OwningOpRef<ModuleOp> loadModelFromMemory(StringRef bytes, StringRef name,
                                          const LoadOptions &options,
                                          MLIRContext *context);

/// Tells whether `path` is a package (a shared library), not a model.
bool isPackage(StringRef path);

} // namespace mlir::fusion

#endif // FUSION_DRIVER_LOADMODEL_H
