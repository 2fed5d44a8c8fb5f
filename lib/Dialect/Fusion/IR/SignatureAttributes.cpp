//===- SignatureAttributes.cpp - attributes of arguments ------------------===//

#include "fusion/Dialect/Fusion/IR/SignatureAttributes.h"

using namespace mlir;
using namespace mlir::fusion;

void SignatureAttributes::setArgument(unsigned number, StringRef name,
                                      Attribute value) {
  if (arguments.empty()) {
    for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i) {
      arguments.emplace_back(function.getArgAttrDict(i));
    }
  }
  arguments[number].set(name, value);
}

void SignatureAttributes::setResult(unsigned number, StringRef name,
                                    Attribute value) {
  if (results.empty()) {
    for (unsigned i = 0, e = function.getNumResults(); i < e; ++i) {
      results.emplace_back(function.getResultAttrDict(i));
    }
  }
  results[number].set(name, value);
}

void SignatureAttributes::apply() {
  auto finish = [&](SmallVectorImpl<NamedAttrList> &lists) {
    MLIRContext *context = function->getContext();
    auto done = llvm::map_to_vector(lists, [&](NamedAttrList &list) {
      return list.getDictionary(context);
    });
    lists.clear();
    return done;
  };
  if (!arguments.empty()) {
    function.setAllArgAttrs(finish(arguments));
  }
  if (!results.empty()) {
    function.setAllResultAttrs(finish(results));
  }
}
