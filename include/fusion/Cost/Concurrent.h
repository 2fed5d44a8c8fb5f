//===- Concurrent.h - kernels side by side in one launch --------*- C++ -*-===//

#ifndef FUSION_COST_CONCURRENT_H
#define FUSION_COST_CONCURRENT_H

#include "fusion/Analysis/FusionDecision.h"
#include "fusion/Cost/Roofline.h"
#include "llvm/ADT/ArrayRef.h"

namespace mlir::fusion {

/// Estimates one launch whose blocks are shared out between kernels that do
/// `parts`: what each needs of memory and of arithmetic adds up, the slower of
/// the two decides. Where one part is of matrix products, whose blocks fill a
/// multiprocessor, the others reach less of the bandwidth.
Estimate estimateConcurrent(llvm::ArrayRef<KernelWork> parts,
                            const DeviceModel &device);

/// Returns whether the independent kernels `parts` are worth one launch: a
/// refusal names the estimates of both. Where `exclusive`, no run takes more
/// than one of them: not to be slower is enough.
FusionDecision worthMerging(llvm::ArrayRef<KernelWork> parts,
                            const DeviceModel &device, bool exclusive = false);

} // namespace mlir::fusion

#endif // FUSION_COST_CONCURRENT_H
