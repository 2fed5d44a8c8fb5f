//===- FitGroups.h - every group becomes a kernel ---------------*- C++ -*-===//

#ifndef FUSION_CONVERSION_FITGROUPS_FITGROUPS_H
#define FUSION_CONVERSION_FITGROUPS_FITGROUPS_H

#include "fusion/Dialect/Fusion/IR/Fusion.h"
#include "fusion/Planner/Partition.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

namespace mlir::fusion {

/// Adds the passes that make a kernel of each group, in stage 3, up to stage 5:
/// those of the stages' pipelines that may refuse one.
void buildTrialPipeline(OpPassManager &pm, StringRef target, bool strict);

/// Splits the groups of `module`, in stage 3 and on a GPU, that no kernel can
/// hold; see the description of the pass. `run` runs the trial pipeline on a
/// module within `module`.
void fitGroups(ModuleOp module, const PlannerOptions &options,
               llvm::function_ref<LogicalResult(ModuleOp)> run);

} // namespace mlir::fusion

#endif // FUSION_CONVERSION_FITGROUPS_FITGROUPS_H
