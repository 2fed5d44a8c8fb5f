//===- SetLimits.cpp - what kernels may take of the device ----------------===//

#include "fusion/Conversion/Passes.h"
#include "fusion/Schedule/Limits.h"

using namespace mlir;
using namespace mlir::fusion;

namespace mlir::fusion {
#define GEN_PASS_DEF_SETLIMITS
#include "fusion/Conversion/Passes.h.inc"
} // namespace mlir::fusion

namespace {
struct SetLimits : fusion::impl::SetLimitsBase<SetLimits> {
  using SetLimitsBase::SetLimitsBase;

  void runOnOperation() override {
    if (limits.empty()) {
      return;
    }
    llvm::Expected<DictionaryAttr> parsed = parseLimits(limits, &getContext());
    if (!parsed) {
      getOperation().emitError(llvm::toString(parsed.takeError()));
      return signalPassFailure();
    }
    getOperation()->setAttr(kLimitsAttr, *parsed);
  }
};
} // namespace
