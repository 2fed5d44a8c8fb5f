//===- HalfFloats.cpp - f16 and bf16 --------------------------------------===//

#include "fusion/Analysis/HalfFloats.h"

using namespace mlir;
using namespace mlir::fusion;

bool fusion::isHalfFloat(Type element) {
  return element.isF16() || element.isBF16();
}

bool fusion::readsHalfFloats(linalg::LinalgOp op) {
  return llvm::all_of(op.getDpsInputs(), [](Value input) {
    return isHalfFloat(getElementTypeOrSelf(input.getType()));
  });
}
