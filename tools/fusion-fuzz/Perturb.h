//===- Perturb.h - how far may results be apart? ----------------*- C++ -*-===//

#ifndef FUSION_TOOLS_FUSION_FUZZ_PERTURB_H
#define FUSION_TOOLS_FUSION_FUZZ_PERTURB_H

#include "fusion/Pipelines/Pipelines.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::fusion::fuzz {

/// The name of the argument that perturb() adds: a tensor<f32>.
inline constexpr char phaseName[] = "phase";

/// Makes every float that may differ between two ways of computing the graph
/// (stage 1, decomposed) differ by about as much as it may: a sum of n terms by
/// n e times the sum of their sizes, with e the spacing of the type that it is
/// summed in; under the default rules functions and roundings to f16 and bf16
/// by a few units of their types. In which direction follows from the element
/// and the phase, so that runs with several phases show what differences at the
/// results such differences make.
void perturb(ModuleOp module, const PipelineOptions &pipeline);

} // namespace mlir::fusion::fuzz

#endif // FUSION_TOOLS_FUSION_FUZZ_PERTURB_H
