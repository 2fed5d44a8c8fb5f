//===- Decisions.cpp - what the planner decided, kept for reports ---------===//

#include "fusion/Planner/Decisions.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::fusion;

static DictionaryAttr toAttribute(const RecordedDecision &decision,
                                  Builder &builder) {
  SmallVector<NamedAttribute> entries = {
      builder.getNamedAttr("producer",
                           builder.getStringAttr(decision.producer)),
      builder.getNamedAttr("consumer",
                           builder.getStringAttr(decision.consumer))};
  if (!decision.reason.empty()) {
    entries.push_back(
        builder.getNamedAttr("reason", builder.getStringAttr(decision.reason)));
  }
  if (decision.times) {
    entries.push_back(builder.getNamedAttr(
        "fused_us", builder.getF64FloatAttr(decision.times->fusedUs)));
    entries.push_back(builder.getNamedAttr(
        "apart_us", builder.getF64FloatAttr(decision.times->apartUs)));
  }
  return builder.getDictionaryAttr(entries);
}

/// Adds `decisions` to the attributes of `func`.
static void addDecisions(func::FuncOp func,
                         ArrayRef<RecordedDecision> decisions) {
  Builder builder(func.getContext());
  SmallVector<Attribute> fused, notFused;
  for (const RecordedDecision &decision : decisions) {
    (decision.reason.empty() ? fused : notFused)
        .push_back(toAttribute(decision, builder));
  }
  auto add = [&](StringRef name, ArrayRef<Attribute> added) {
    if (added.empty()) {
      return;
    }
    SmallVector<Attribute> all;
    if (auto kept = func->getAttrOfType<ArrayAttr>(name)) {
      llvm::append_range(all, kept);
    }
    llvm::append_range(all, added);
    func->setAttr(name, builder.getArrayAttr(all));
  };
  add(kNotFusedAttr, notFused);
  add(kFusedAttr, fused);
}

void fusion::recordDecisions(func::FuncOp func,
                             ArrayRef<RecordedDecision> decisions) {
  func->removeAttr(kNotFusedAttr);
  func->removeAttr(kFusedAttr);
  addDecisions(func, decisions);
}

static RecordedDecision read(DictionaryAttr entry) {
  auto getText = [&](StringRef key) {
    auto value = entry.getAs<StringAttr>(key);
    return value ? value.str() : std::string();
  };
  RecordedDecision decision = {getText("producer"), getText("consumer"),
                               getText("reason"), std::nullopt};
  auto fused = entry.getAs<FloatAttr>("fused_us");
  auto apart = entry.getAs<FloatAttr>("apart_us");
  if (fused && apart) {
    decision.times = {fused.getValueAsDouble(), apart.getValueAsDouble()};
  }
  return decision;
}

SmallVector<RecordedDecision, 0> fusion::readDecisions(func::FuncOp func) {
  SmallVector<RecordedDecision, 0> decisions;
  for (StringRef name : {kNotFusedAttr, kFusedAttr}) {
    auto kept = func->getAttrOfType<ArrayAttr>(name);
    if (!kept) {
      continue;
    }
    // An attribute that a person wrote may hold anything.
    for (Attribute attr : kept) {
      if (auto entry = dyn_cast<DictionaryAttr>(attr)) {
        decisions.push_back(read(entry));
      }
    }
  }
  return decisions;
}

void fusion::appendDecisions(func::FuncOp func,
                             ArrayRef<RecordedDecision> decisions) {
  addDecisions(func, decisions);
}
