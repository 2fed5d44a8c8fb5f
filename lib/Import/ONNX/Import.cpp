//===- Import.cpp - ONNX models to the fusion dialect ---------------------===//

#include "fusion/Import/ONNX/Import.h"
#include "GraphImporter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace mlir::fusion;

//===----------------------------------------------------------------------===//
// Recognition
//===----------------------------------------------------------------------===//

/// Reads a variable-length number and drops it from `bytes`; none at the end of
/// the bytes or if it is too long.
static std::optional<uint64_t> readVarint(StringRef &bytes) {
  uint64_t number = 0;
  for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
    unsigned char byte = bytes.front();
    bytes = bytes.drop_front();
    number |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) {
      return number;
    }
  }
  return std::nullopt;
}

/// Whether a model has the field `number` in the wire format `wire`: numbers
/// (0) or text and messages (2).
static bool isModelField(uint64_t number, unsigned wire) {
  switch (number) {
  case 1: // ir_version
  case 5: // model_version
    return wire == 0;
  case 2:  // producer_name
  case 3:  // producer_version
  case 4:  // domain
  case 6:  // doc_string
  case 7:  // graph
  case 8:  // opset_import
  case 14: // metadata_props
  case 20: // training_info
  case 25: // functions
  case 26: // configuration
    return wire == 2;
  default:
    return false;
  }
}

bool mlir::fusion::looksLikeOnnx(StringRef bytes) {
  // A model is fields, each a tag and a value. Text fails at the first or
  // second tag, and bytecode at its first.
  bool isModel = false;
  while (!bytes.empty()) {
    std::optional<uint64_t> tag = readVarint(bytes);
    if (!tag) {
      return isModel;
    }
    if (!isModelField(*tag >> 3, *tag & 7)) {
      return false;
    }
    std::optional<uint64_t> value = readVarint(bytes);
    uint64_t number = *tag >> 3;
    isModel |= number == 1 || number == 7 || number == 8;
    if (!value) {
      return isModel;
    }
    if ((*tag & 7) == 2) {
      if (*value > bytes.size()) {
        return isModel;
      }
      bytes = bytes.drop_front(*value);
    }
  }
  return isModel;
}

//===----------------------------------------------------------------------===//
// Import
//===----------------------------------------------------------------------===//

OwningOpRef<ModuleOp>
mlir::fusion::importOnnx(StringRef bytes, MLIRContext *context,
                         const OnnxImportOptions &options) {
  context->loadDialect<FusionDialect, func::FuncDialect, arith::ArithDialect,
                       tensor::TensorDialect>();
  Location loc = UnknownLoc::get(context);
  if (!options.fileName.empty()) {
    loc = FileLineColLoc::get(context, options.fileName, 0, 0);
  }
  if (!looksLikeOnnx(bytes)) {
    emitError(loc) << "expected an ONNX model";
    return {};
  }
  if (bytes.size() > std::numeric_limits<int32_t>::max()) {
    emitError(loc) << "expected an ONNX file of less than 2 GiB, with larger "
                      "tensors as external data";
    return {};
  }
  fusion_onnx::ModelProto model;
  if (!model.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    emitError(loc) << "expected a whole ONNX model, but it is truncated, "
                      "damaged or nested too deeply";
    return {};
  }
  if (!model.has_graph()) {
    emitError(loc) << "expected an ONNX model with a graph";
    return {};
  }
  if (model.opset_import().empty()) {
    emitError(loc) << "expected an ONNX model that imports an operator set";
    return {};
  }
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  onnx::GraphImporter importer(model, *module, options);
  if (failed(importer.run()) || failed(verify(*module))) {
    return {};
  }
  return module;
}
