//===- Remarks.cpp - what passes say about their decisions ----------------===//

#include "fusion/Driver/Remarks.h"

#include "fusion/Driver/Diagnostics.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/Regex.h"

using namespace mlir;
using namespace mlir::fusion;

LogicalResult mlir::fusion::enableRemarks(MLIRContext *context,
                                          StringRef filter) {
  filter = filter.empty() ? "fusion" : filter;
  std::string error;
  if (!llvm::Regex(filter).isValid(error)) {
    return emitError(context,
                     "expected a regular expression in --remarks, but got '" +
                         filter + "': " + error);
  }
  // `all` only widens the others, which are off where they are absent.
  std::string name = filter.str();
  remark::RemarkCategories categories = {name, name, name, name, name};
  return remark::enableOptimizationRemarks(
      *context, /*streamer=*/nullptr,
      std::make_unique<remark::RemarkEmittingPolicyAll>(), categories,
      /*printAsEmitRemarks=*/true);
}
