//===- OpRegistry.cpp - which ops can be imported, and by what ------------===//

#include "OpRegistry.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::onnx;

static std::string makeKey(StringRef domain, StringRef opType) {
  return (domain + "\n" + opType).str();
}

void OpRegistry::add(StringRef opType, int64_t since, Arity inputs,
                     Converter convert) {
  addTo("", opType, since, inputs, convert);
}

void OpRegistry::addTo(StringRef domain, StringRef opType, int64_t since,
                       Arity inputs, Converter convert) {
  std::vector<OpEntry> &versions = entries[makeKey(domain, opType)];
  assert((versions.empty() || versions.back().since < since) &&
         "expected the versions of an op in ascending order");
  versions.push_back({since, inputs, convert});
}

void OpRegistry::addOlder(StringRef opType, int64_t since, Converter adapt) {
  std::vector<OpEntry> &versions = entries[makeKey("", opType)];
  assert(!versions.empty() && since < versions.front().since &&
         "expected a newer version of the op");
  OpEntry older = versions.front();
  older.since = since;
  older.adapt = adapt;
  versions.insert(versions.begin(), older);
}

const OpEntry *OpRegistry::lookup(StringRef domain, StringRef opType,
                                  int64_t opset) const {
  auto it = entries.find(makeKey(domain, opType));
  if (it == entries.end()) {
    return nullptr;
  }
  const OpEntry *inForce = nullptr;
  for (const OpEntry &entry : it->second) {
    if (entry.since <= opset) {
      inForce = &entry;
    }
  }
  return inForce;
}

std::optional<int64_t> OpRegistry::getFirstOpset(StringRef domain,
                                                 StringRef opType) const {
  auto it = entries.find(makeKey(domain, opType));
  return it == entries.end() ? std::nullopt
                             : std::optional<int64_t>(it->second.front().since);
}

std::vector<std::string> OpRegistry::getOpNames() const {
  std::vector<std::string> names;
  for (StringRef key : entries.keys()) {
    auto [domain, opType] = key.split('\n');
    names.push_back((domain + (domain.empty() ? "" : ".") + opType).str());
  }
  llvm::sort(names);
  return names;
}

const OpRegistry &onnx::getOpRegistry() {
  static const OpRegistry registry = [] {
    OpRegistry all;
    addActivationOps(all);
    addAttentionOps(all);
    addChannelNormOps(all);
    addConstantOps(all);
    addDataDependentOps(all);
    addDeterminantOps(all);
    addEinsumOps(all);
    addElementwiseOps(all);
    addIndexedOps(all);
    addLossOps(all);
    addMatMulOps(all);
    addMovementOps(all);
    addNormalizationOps(all);
    addOrderOps(all);
    addPoolOps(all);
    addPositionOps(all);
    addPowerOps(all);
    addQuantizationOps(all);
    addRearrangeOps(all);
    addRecurrentOps(all);
    addReductionOps(all);
    addResizeOps(all);
    addRoiAlignOps(all);
    addRotaryEmbeddingOps(all);
    addSamplingOps(all);
    addSequenceOps(all);
    addShapeOps(all);
    addSpectralOps(all);
    addTrainingOps(all);
    addWindowOps(all);
    addLegacyOps(all);
    return all;
  }();
  return registry;
}
