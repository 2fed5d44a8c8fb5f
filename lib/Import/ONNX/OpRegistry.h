//===- OpRegistry.h - which ops can be imported, and by what ----*- C++ -*-===//

#ifndef FUSION_LIB_IMPORT_ONNX_OPREGISTRY_H
#define FUSION_LIB_IMPORT_ONNX_OPREGISTRY_H

#include "NodeImporter.h"
#include <vector>

namespace mlir::fusion::onnx {

/// Imports one node: emits ops and sets the result, or gives an error.
using Converter = LogicalResult (*)(NodeImporter &node);

/// ONNX's own operator set, up to the newest version that was read.
constexpr int64_t kNewestOpset = 28;

/// How many inputs an op takes. Those below `least` must be given.
struct Arity {
  unsigned least;
  unsigned most;
};
constexpr unsigned kAnyNumber = ~0u;

/// An op from operator set `since` of its domain on, until the next entry for
/// the same op takes over.
struct OpEntry {
  int64_t since;
  Arity inputs;
  Converter convert;
  /// Brings a node of an older operator set into the form that `convert` reads;
  /// null where it has it.
  Converter adapt = nullptr;
};

/// All ops that can be imported.
class OpRegistry {
public:
  /// An op of ONNX's own domain.
  void add(StringRef opType, int64_t since, Arity inputs, Converter convert);
  void addTo(StringRef domain, StringRef opType, int64_t since, Arity inputs,
             Converter convert);

  /// Lets the first entry of an op of ONNX's own domain, added before, also
  /// convert nodes from operator set `since` on, after `adapt`.
  void addOlder(StringRef opType, int64_t since, Converter adapt);

  /// The entry in force in operator set `opset`, or null.
  const OpEntry *lookup(StringRef domain, StringRef opType,
                        int64_t opset) const;
  /// The operator set that first has the op; none if no set has it.
  std::optional<int64_t> getFirstOpset(StringRef domain,
                                       StringRef opType) const;

  /// The names of all ops, sorted; those of other domains as "domain.Op".
  std::vector<std::string> getOpNames() const;

private:
  llvm::StringMap<std::vector<OpEntry>> entries;
};

/// The registry of all families below.
const OpRegistry &getOpRegistry();

void addActivationOps(OpRegistry &registry);
void addAttentionOps(OpRegistry &registry);
void addChannelNormOps(OpRegistry &registry);
void addConstantOps(OpRegistry &registry);
void addDataDependentOps(OpRegistry &registry);
void addDeterminantOps(OpRegistry &registry);
void addEinsumOps(OpRegistry &registry);
void addElementwiseOps(OpRegistry &registry);
void addIndexedOps(OpRegistry &registry);
/// Versions before operator set 7; comes behind the ops themselves.
void addLegacyOps(OpRegistry &registry);
void addLossOps(OpRegistry &registry);
void addMatMulOps(OpRegistry &registry);
void addMovementOps(OpRegistry &registry);
void addNormalizationOps(OpRegistry &registry);
void addOrderOps(OpRegistry &registry);
void addPoolOps(OpRegistry &registry);
void addPositionOps(OpRegistry &registry);
void addPowerOps(OpRegistry &registry);
void addQuantizationOps(OpRegistry &registry);
void addRearrangeOps(OpRegistry &registry);
void addRecurrentOps(OpRegistry &registry);
void addReductionOps(OpRegistry &registry);
void addResizeOps(OpRegistry &registry);
void addRoiAlignOps(OpRegistry &registry);
void addRotaryEmbeddingOps(OpRegistry &registry);
void addSamplingOps(OpRegistry &registry);
void addSequenceOps(OpRegistry &registry);
void addShapeOps(OpRegistry &registry);
void addSpectralOps(OpRegistry &registry);
void addTrainingOps(OpRegistry &registry);
void addWindowOps(OpRegistry &registry);

/// Whether an op takes sequences and absent optional values as inputs.
bool takesSequences(StringRef opType);

/// Computes the node if all that it needs are known integers, such as sizes:
/// the arithmetic by which exporters make shapes. Returns whether it did; if
/// not, the node is imported as any other.
bool foldIntegerNode(NodeImporter &node);

} // namespace mlir::fusion::onnx

#endif // FUSION_LIB_IMPORT_ONNX_OPREGISTRY_H
