//===- Faults.cpp - programs that are wrong on purpose --------------------===//

#include "Faults.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::fuzz;

/// One line, without what makes it long.
static std::string describe(Operation *op) {
  std::string text;
  llvm::raw_string_ostream(text) << *op;
  StringRef line = StringRef(text).split('\n').first;
  return line.take_front(120).str();
}

std::optional<Fault> fuzz::plantFault(ModuleOp module, Random &random,
                                      StringRef only) {
  SmallVector<const FaultKind *> kinds;
  for (ArrayRef<FaultKind> list : {getFaultsOfValues(), getFaultsOfPlaces()}) {
    for (const FaultKind &kind : list) {
      if (kind.name.contains(only)) {
        kinds.push_back(&kind);
      }
    }
  }
  // A kind without a place, or whose place turns out to be none, gives way to
  // another one.
  while (!kinds.empty()) {
    int64_t chosen = random.below(static_cast<int64_t>(kinds.size()));
    const FaultKind &kind = *kinds[chosen];
    SmallVector<Operation *> places;
    module.walk([&](Operation *op) {
      if (kind.fits(op)) {
        places.push_back(op);
      }
    });
    if (!places.empty()) {
      Operation *op = random.pick(ArrayRef<Operation *>(places));
      Fault fault{kind.name.str(), describe(op)};
      if (kind.plant(op, random)) {
        return fault;
      }
    }
    kinds.erase(kinds.begin() + chosen);
  }
  return std::nullopt;
}
