//===- GraphImporter.h - a model's graph to @main ---------------*- C++ -*-===//

#ifndef FUSION_LIB_IMPORT_ONNX_GRAPHIMPORTER_H
#define FUSION_LIB_IMPORT_ONNX_GRAPHIMPORTER_H

#include "NodeImporter.h"
#include "OpRegistry.h"
#include "fusion/Import/ONNX/Import.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "onnx_subset.pb.h"
#include <deque>
#include <set>

namespace mlir::fusion::onnx {

/// A bound on nesting: functions may not call themselves.
constexpr unsigned kMaxCallDepth = 32;

/// Versions of the operator sets, by domain.
using OpsetMap = llvm::StringMap<int64_t>;

/// What the nodes of one graph or function see.
struct NameScope {
  OpsetMap opsets;
  /// Null for an input of a function that the call leaves out.
  llvm::StringMap<NamedValue *> values;
  /// The attributes of the call, inside a function.
  AttributeMap callAttributes;
  /// Names that some node makes, and names that are used.
  llvm::StringSet<> produced, used;
  /// How many calls deep the nodes stand.
  unsigned depth = 0;
};

/// Builds @main from a model. After an error it goes on to find the others.
class GraphImporter {
public:
  GraphImporter(fusion_onnx::ModelProto &model, ModuleOp module,
                const OnnxImportOptions &options);

  LogicalResult run();

private:
  using Nodes = google::protobuf::RepeatedPtrField<fusion_onnx::NodeProto>;

  // Arguments and constants (GraphSignature.cpp).
  void importInitializers(fusion_onnx::GraphProto &graph, NameScope &scope);
  void importInputs();
  void importInput(const fusion_onnx::ValueInfoProto &input);
  // Inputs whose values are given (BoundInput.cpp).
  void checkBoundNames();
  void bindDimNames(const fusion_onnx::ValueInfoProto &input);
  void importBoundInput(const fusion_onnx::ValueInfoProto &input,
                        ElementsAttr contents);
  /// The dims of an input; names of the dynamic ones go to `names`.
  FailureOr<SmallVector<int64_t>>
  importShape(const fusion_onnx::ValueInfoProto &input,
              SmallVectorImpl<std::string> &names);
  std::string makeDimName(StringRef inputName, unsigned index);
  void checkDimOptions();
  void markWeights();
  void importOutputs();
  FailureOr<Value> importOutput(const fusion_onnx::ValueInfoProto &output);
  void checkDeclaredType(const fusion_onnx::ValueInfoProto &output,
                         const NamedValue &value);

  /// What stands for value `name` of a refused node, so that faults in what
  /// follows are found in the same run.
  NamedValue makePlaceholder(StringRef name, const NameScope &scope);

  // Nodes (GraphImporter.cpp).
  void importOpsets();
  void importNodes(const Nodes &nodes, NameScope &scope);
  void importNode(const fusion_onnx::NodeProto &proto, NameScope &scope);
  FailureOr<AttributeMap> readAttributes(const fusion_onnx::NodeProto &proto,
                                         const NameScope &scope,
                                         NodeImporter &node);
  FailureOr<SmallVector<NamedValue *>>
  lookUpInputs(const fusion_onnx::NodeProto &proto, const NameScope &scope,
               NodeImporter &node);
  /// The results of the node, or failure after an error.
  FailureOr<std::vector<NamedValue>>
  convert(const fusion_onnx::NodeProto &proto, const OpEntry &entry,
          MutableArrayRef<NamedValue *> inputs, const NameScope &scope,
          NodeImporter &node);
  FailureOr<std::vector<NamedValue>>
  inlineCall(const fusion_onnx::FunctionProto &callee,
             ArrayRef<NamedValue *> inputs, const NameScope &scope,
             NodeImporter &node);
  // Branches (Branch.cpp).
  /// What one branch gives, and the ops that belong into its region.
  struct Branch {
    std::vector<NamedValue> results;
    SmallVector<Operation *> ops;
  };
  /// `arguments`: what the graph's inputs stand for.
  FailureOr<Branch> importBranch(const fusion_onnx::GraphProto &graph,
                                 const NameScope &scope, NodeImporter &node,
                                 ArrayRef<NamedValue> arguments = {});
  LogicalResult alignBranches(Branch &first, Branch &second,
                              NodeImporter &node);
  FailureOr<std::vector<NamedValue>>
  importIf(const fusion_onnx::NodeProto &proto, ArrayRef<NamedValue *> inputs,
           const NameScope &scope, NodeImporter &node);
  // Bodies that are imported several times (Loop.cpp, Sequence.cpp).
  FailureOr<std::vector<NamedValue>>
  importLoop(const fusion_onnx::NodeProto &proto, ArrayRef<NamedValue *> inputs,
             const NameScope &scope, NodeImporter &node);
  FailureOr<std::vector<NamedValue>>
  importScan(const fusion_onnx::NodeProto &proto, ArrayRef<NamedValue *> inputs,
             const NameScope &scope, NodeImporter &node);
  FailureOr<std::vector<NamedValue>>
  importSequenceMap(const fusion_onnx::NodeProto &proto,
                    ArrayRef<NamedValue *> inputs, const NameScope &scope,
                    NodeImporter &node);
  /// The function for an op with subgraphs, or null.
  using ControlImporter = FailureOr<std::vector<NamedValue>> (GraphImporter::*)(
      const fusion_onnx::NodeProto &, ArrayRef<NamedValue *>, const NameScope &,
      NodeImporter &);
  static ControlImporter getControlImporter(StringRef domain, StringRef opType);

  LogicalResult verifyAfter(Operation *last, NodeImporter &node);
  void foldAfter(Operation *last, NodeImporter &node);
  void eraseUnusedArithmetic();

  NamedValue *addValue(NamedValue value);
  Location nameLoc(StringRef name) const;
  InFlightDiagnostic emitError(StringRef name);

  fusion_onnx::ModelProto &model;
  const OnnxImportOptions &options;
  MLIRContext *context;
  func::FuncOp main;
  OpBuilder builder;
  DimTable dimTable;
  NameScope graphScope;
  llvm::StringMap<const fusion_onnx::FunctionProto *> functions;
  /// What the model says of its values.
  llvm::StringMap<const fusion_onnx::ValueInfoProto *> declarations;
  std::deque<NamedValue> values;
  SmallVector<SmallVector<NamedAttribute>> argumentAttributes;
  SmallVector<std::string> inputNames;
  /// Names of dims, sorted, as messages list them.
  std::set<std::string> dimNames;
  /// Sizes of dims by name: those that the caller gives, and those of the
  /// values that are bound to inputs.
  std::map<std::string, int64_t> sizes;
  unsigned numNodes = 0;
  bool hadError = false;
};

/// "" for both spellings of ONNX's own domain.
StringRef normalizeDomain(StringRef domain);

/// The operator sets that a model or function imports.
OpsetMap readOpsets(
    const google::protobuf::RepeatedPtrField<fusion_onnx::OperatorSetIdProto>
        &imports);

} // namespace mlir::fusion::onnx

#endif // FUSION_LIB_IMPORT_ONNX_GRAPHIMPORTER_H
