//===- Perturb.h - how far may results be apart? ----------------*- C++ -*-===//

#ifndef FUSION_TOOLS_FUSION_FUZZ_PERTURB_H
#define FUSION_TOOLS_FUSION_FUZZ_PERTURB_H

#include "fusion/Pipelines/Pipelines.h"
#include "fusion/Verify/HostArray.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::fusion::fuzz {

/// The name of the argument that perturb() adds: a tensor<f32>.
inline constexpr char phaseName[] = "phase";

/// Makes every float that may differ between two ways of computing the graph
/// (stage 1, decomposed) differ by about as much as it may: a sum of n terms by
/// min(n, 4 sqrt(n)) e times the sum of their sizes, with e the spacing of the
/// type that it is summed in; under the default rules functions and roundings
/// to f16 and bf16 by a few units of their types. In which direction follows
/// from the element and the phase, so that runs with several phases show what
/// differences at the results such differences make.
///
/// Every op that was there is told to be fused with nothing.
///
/// Further results are the operands in which ops have poles (Poles.h), instead
/// of which, given the arrays of i1 that findNearPoles() makes, NaN is computed
/// with where these hold. The arrays are arguments then, named by getPoleName.
void perturb(ModuleOp module, const PipelineOptions &pipeline,
             ArrayRef<HostArray> nearPoles = {});

} // namespace mlir::fusion::fuzz

#endif // FUSION_TOOLS_FUSION_FUZZ_PERTURB_H
