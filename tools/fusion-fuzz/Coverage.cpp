//===- Coverage.cpp - which operations random graphs hold -----------------===//

#include "Coverage.h"
#include "fusion/Dialect/Fusion/IR/Fusion.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::fuzz;

/// Operations that no graph has, with the reason. All others must be made.
static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral>
    exceptions[] = {
        {"fusion.group", "made by the planner, not part of an imported graph"},
};

/// "fusion.pool max": the op with what its attributes choose from a list.
static void listKinds(Operation *op, std::set<std::string> &kinds) {
  for (StringRef name : {"kind", "mode", "predicate", "approximate"}) {
    Attribute attribute = op->getAttr(name);
    std::string text;
    llvm::raw_string_ostream os(text);
    if (attribute) {
      attribute.print(os);
      // #fusion<reduce_kind max>
      StringRef value = StringRef(text).rsplit(' ').second;
      kinds.insert(
          (op->getName().getStringRef() + " " + value.rtrim('>')).str());
    }
  }
  for (NamedAttribute attribute : op->getAttrs()) {
    if (isa<UnitAttr>(attribute.getValue())) {
      kinds.insert(
          (op->getName().getStringRef() + " " + attribute.getName().strref())
              .str());
    }
  }
}

static StringRef describeSize(int64_t size) {
  return size <= 10   ? "1 to 10 operations"
         : size <= 30 ? "11 to 30 operations"
         : size <= 80 ? "31 to 80 operations"
                      : "more than 80 operations";
}

void Coverage::add(ModuleOp graph) {
  ++numGraphs;
  std::set<std::string> names, found, features;
  int64_t size = 0;
  graph.walk([&](Operation *op) {
    if (op->getName().getDialectNamespace() !=
        FusionDialect::getDialectNamespace()) {
      return;
    }
    ++size;
    names.insert(op->getName().getStringRef().str());
    listKinds(op, found);
    if (isa<IfOp>(op) && op->getParentOfType<IfOp>()) {
      features.insert("a branch in a branch");
    }
    for (Type type : op->getResultTypes()) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      if (!tensor) {
        continue;
      }
      std::string element;
      llvm::raw_string_ostream(element) << tensor.getElementType();
      features.insert("a result of " + element);
      if (!tensor.hasStaticShape()) {
        features.insert("dynamic dims");
      } else if (tensor.getNumElements() == 0) {
        features.insert("an empty array");
      }
    }
  });
  features.insert(describeSize(size).str());
  for (auto &[counts, seen] :
       {std::pair(&ops, &names), std::pair(&kinds, &found),
        std::pair(&properties, &features)}) {
    for (const std::string &name : *seen) {
      ++(*counts)[name];
    }
  }
}

int Coverage::print(MLIRContext &context, raw_ostream &os) const {
  auto printCounts = [&](const std::map<std::string, int64_t> &counts,
                         StringRef prefix) {
    for (const auto &[name, count] : counts) {
      if (StringRef(name).starts_with(prefix)) {
        os << llvm::format("%8lld  ", static_cast<long long>(count)) << name
           << "\n";
      }
    }
  };
  int64_t numOps = 0, numFound = 0;
  std::string missing;
  for (RegisteredOperationName name : context.getRegisteredOperationsByDialect(
           FusionDialect::getDialectNamespace())) {
    StringRef op = name.getStringRef();
    bool isException = llvm::any_of(
        exceptions, [&](const auto &entry) { return entry.first == op; });
    auto count = ops.find(op.str());
    if (isException) {
      continue;
    }
    ++numOps;
    if (count == ops.end()) {
      missing += "missing: " + op.str() + "\n";
      continue;
    }
    ++numFound;
    os << llvm::format("%8lld  ", static_cast<long long>(count->second)) << op
       << "\n";
    printCounts(kinds, op.str() + " ");
  }
  printCounts(properties, "");
  for (const auto &[name, reason] : exceptions) {
    os << "left out: " << name << ": " << reason << "\n";
  }
  os << missing << numFound << " of " << numOps << " operations in "
     << numGraphs << " graphs\n";
  return numFound != numOps;
}
