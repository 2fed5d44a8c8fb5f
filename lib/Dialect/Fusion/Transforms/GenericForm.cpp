//===- GenericForm.cpp - linalg ops as generic ones -----------------------===//

#include "fusion/Dialect/Fusion/Transforms/GenericForm.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"

using namespace mlir;
using namespace mlir::fusion;

FailureOr<linalg::GenericOp> fusion::toGeneric(RewriterBase &rewriter,
                                               linalg::LinalgOp op) {
  rewriter.setInsertionPoint(op);
  if (auto generic = dyn_cast<linalg::GenericOp>(op.getOperation())) {
    return generic;
  }
  // linalg keeps none of an op's attributes; directives still hold.
  SmallVector<NamedAttribute> kept;
  for (NamedAttribute attribute : op->getDiscardableAttrs()) {
    if (attribute.getName().strref().starts_with("fusion.")) {
      kept.push_back(attribute);
    }
  }
  FailureOr<linalg::GenericOp> made = linalg::generalizeNamedOp(rewriter, op);
  if (succeeded(made)) {
    for (NamedAttribute attribute : kept) {
      (*made)->setAttr(attribute.getName(), attribute.getValue());
    }
    // Not before `op`, which is gone.
    rewriter.setInsertionPoint(*made);
  }
  return made;
}
