//===- Inputs.h - arrays for a random graph ---------------------*- C++ -*-===//

#ifndef FUSION_TOOLS_FUSION_FUZZ_INPUTS_H
#define FUSION_TOOLS_FUSION_FUZZ_INPUTS_H

#include "fusion/Verify/HostArray.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"
#include <vector>

namespace mlir::fusion::fuzz {

/// Values for the inputs and weights of `program`, in its order. What an
/// argument holds follows from its name and `seed` alone, so that it stays when
/// the graph is reduced: `intN_*` integers of at most N, `indexN_*` positions
/// in a dim of N, some outside; others random numbers, with NaN, infinities,
/// zeros of both signs and denormals in some of them. A dynamic dim is named
/// `sizeN`.
llvm::Expected<std::vector<HostArray>> makeArrays(const FusionProgram &program,
                                                  uint64_t seed);

/// The elements of the largest array of `graph`; a dynamic dim counts as the
/// largest of those that have a size in their names (makeArrays()).
int64_t getLargestArray(ModuleOp graph);

} // namespace mlir::fusion::fuzz

#endif // FUSION_TOOLS_FUSION_FUZZ_INPUTS_H
