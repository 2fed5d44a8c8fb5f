//===- CostModel.cpp - is a fusion worth it? ------------------------------===//

#include "fusion/Cost/CostModel.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir::fusion;

FusionDecision mlir::fusion::worthFusing(const KernelWork &fused,
                                         llvm::ArrayRef<KernelWork> separate,
                                         const DeviceModel &device) {
  double apart = 0;
  for (const KernelWork &work : separate) {
    apart += estimateKernel(work, device).us;
  }
  double together = estimateKernel(fused, device).us;
  if (together <= apart) {
    return FusionDecision::allow().withTimes({together, apart});
  }
  return FusionDecision::forbid(
             llvm::formatv(
                 "estimated slower fused ({0:F1} us) than apart ({1:F1} us)",
                 together, apart)
                 .str())
      .withTimes({together, apart});
}
