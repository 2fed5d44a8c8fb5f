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
  FailureOr<linalg::GenericOp> made = linalg::generalizeNamedOp(rewriter, op);
  if (succeeded(made)) {
    // Not before `op`, which is gone.
    rewriter.setInsertionPoint(*made);
  }
  return made;
}
