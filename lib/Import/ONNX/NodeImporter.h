//===- NodeImporter.h - one node of the graph -------------------*- C++ -*-===//
//
// What a converter sees of the node that it imports: inputs, attributes and
// operator set; and where it leaves the results.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_IMPORT_ONNX_NODEIMPORTER_H
#define FUSION_LIB_IMPORT_ONNX_NODEIMPORTER_H

#include "TensorBuilder.h"
#include "TensorData.h"
#include "onnx_subset.pb.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <deque>
#include <vector>

namespace mlir::fusion::onnx {

/// What a name of the graph stands for: a tensor, of which the contents may be
/// known. The value is made when an op first needs it.
struct NamedValue {
  Type elementType;
  SmallVector<Dim, 4> dims;
  /// Null until it is needed.
  Value value;
  /// The contents of a constant, else null.
  ElementsAttr constant;
  /// The contents of a small tensor of integers, in row-major order, as far as
  /// they are known in terms of sizes.
  std::optional<SmallVector<Dim, 4>> integers;
  /// Where it comes from.
  LocationAttr loc;
  /// The values of a sequence, which has no type, dims or value of its own.
  std::optional<std::vector<NamedValue>> sequence;
  /// An optional without a value: it has nothing else.
  bool absent = false;
  /// The node that makes it was refused, which was said already.
  bool refused = false;
};

/// Attributes by name.
using AttributeMap = llvm::StringMap<const fusion_onnx::AttributeProto *>;

/// The contents of `value` if it is a small tensor of integers that are known.
/// At most 1024 elements are looked at.
const std::optional<SmallVector<Dim, 4>> &getIntegers(NamedValue &value);

/// Makes the value of `value` where it has none yet, at the insertion point.
/// Fails, silently, if it is made of sizes that only a run knows.
LogicalResult materialize(NamedValue &value, OpBuilder &builder, Location loc);

/// One node while it is imported.
class NodeImporter : public TensorBuilder {
public:
  /// `opset` is 0 where the model gives none; `ordinal` counts nodes.
  NodeImporter(OpBuilder &builder, DimTable &dimTable, Location loc,
               const fusion_onnx::NodeProto &proto, unsigned ordinal,
               int64_t opset, StringRef baseDir);

  /// Sets the inputs: null for those left out, none of these at the end.
  void setInputs(ArrayRef<NamedValue *> given) {
    inputs.assign(given.begin(), given.end());
  }
  void setAttributes(AttributeMap given) { attributes = std::move(given); }

  /// Begins the error that refuses this node: names the node, its op type,
  /// domain and operator set.
  InFlightDiagnostic emitError() const override;

  StringRef getOpType() const { return proto.op_type(); }
  int64_t getOpset() const { return opset; }
  /// The folder of external data.
  StringRef getBaseDir() const { return baseDir; }
  const AttributeMap &getAttributes() const { return attributes; }

  //===--------------------------------------------------------------------===//
  // Inputs
  //===--------------------------------------------------------------------===//

  unsigned getNumInputs() const { return inputs.size(); }
  bool hasInput(unsigned index) const {
    return index < inputs.size() && inputs[index];
  }
  ArrayRef<Dim> getDims(unsigned index) const { return inputs[index]->dims; }
  Type getElementType(unsigned index) const {
    return inputs[index]->elementType;
  }
  const NamedValue &getInput(unsigned index) const { return *inputs[index]; }

  /// The input as a tensor. Fails if it is made of sizes that only a run knows.
  FailureOr<Tensor> tensor(unsigned index);
  /// All inputs; none may be left out.
  FailureOr<SmallVector<Tensor>> tensors();

  /// Puts `tensor` in the place of the input.
  void replaceInput(unsigned index, const Tensor &tensor);

  /// Whether the contents of the input are known integers.
  bool hasIntegers(unsigned index) const {
    return getIntegers(*inputs[index]).has_value();
  }
  /// Begins the error that the contents of the input, called `what`, are not
  /// known; its notes name the inputs of the model that they come from.
  InFlightDiagnostic refuseUnknown(unsigned index, StringRef what) const;
  /// The contents of the input, which must be a constant.
  FailureOr<ElementsAttr> constant(unsigned index, StringRef what);
  /// The integers in the input, called `what` in the error if they are unknown.
  FailureOr<ArrayRef<Dim>> integers(unsigned index, StringRef what);
  /// The same, where each must be a number.
  FailureOr<SmallVector<int64_t>> staticIntegers(unsigned index,
                                                 StringRef what);

  //===--------------------------------------------------------------------===//
  // Attributes. One of the wrong kind gives an error and the default.
  //===--------------------------------------------------------------------===//

  bool hasAttribute(StringRef name) const { return attributes.contains(name); }
  int64_t getInt(StringRef name, int64_t defaultValue);
  double getFloat(StringRef name, double defaultValue);
  std::string getString(StringRef name, StringRef defaultValue);
  std::optional<SmallVector<int64_t>> getInts(StringRef name);
  std::optional<SmallVector<float>> getFloats(StringRef name);
  std::optional<SmallVector<std::string>> getStrings(StringRef name);
  /// A copy of the attribute's tensor.
  std::optional<fusion_onnx::TensorProto> getTensor(StringRef name);
  /// The attribute's graph, which lives as long as the model; null if absent.
  const fusion_onnx::GraphProto *getGraph(StringRef name);
  /// Marks attributes that have no bearing on the result.
  void ignore(ArrayRef<StringRef> names);

  /// Refuses attributes that nothing has read: they would change the meaning.
  LogicalResult checkAllAttributesRead();

  /// `axis` counted from the front; refuses one outside [-rank, rank).
  FailureOr<int64_t> normalizeAxis(int64_t axis, int64_t rank);
  /// The same for an axis at which the dims are split: it may be the rank
  /// itself.
  FailureOr<int64_t> normalizeSplitAxis(int64_t axis, int64_t rank);
  /// The same for several, sorted; refuses one given twice.
  FailureOr<SmallVector<int64_t>> normalizeAxes(ArrayRef<int64_t> axes,
                                                int64_t rank);

  //===--------------------------------------------------------------------===//
  // Results
  //===--------------------------------------------------------------------===//

  /// Whether an error was given for this node.
  bool failedSoFar() const { return hadError; }

  LogicalResult setResult(const Tensor &tensor);
  LogicalResult setResult(FailureOr<Tensor> tensor);
  LogicalResult setResult(NamedValue value);
  /// Appends the next result of a node that has several.
  void addResult(const Tensor &tensor);
  /// A tensor of known integers, of shape `shape`.
  LogicalResult setIntegers(ArrayRef<int64_t> shape,
                            SmallVector<Dim, 4> integers, Type elementType);
  std::vector<NamedValue> &getResults() { return results; }
  /// The number of results that the node names.
  int getNumOutputs() const { return proto.output_size(); }

private:
  const fusion_onnx::AttributeProto *find(StringRef name,
                                          fusion_onnx::AttributeProto::Type);
  const fusion_onnx::NodeProto &proto;
  unsigned ordinal;
  int64_t opset;
  StringRef baseDir;
  SmallVector<NamedValue *> inputs;
  /// What replaceInput() put in their places.
  std::deque<NamedValue> replacements;
  AttributeMap attributes;
  llvm::StringSet<> attributesRead;
  std::vector<NamedValue> results;
  mutable bool hadError = false;
};

} // namespace mlir::fusion::onnx

#endif // FUSION_LIB_IMPORT_ONNX_NODEIMPORTER_H
