//===- FitGroups.h - every group becomes a kernel ---------------*- C++ -*-===//

#ifndef FUSION_CONVERSION_FITGROUPS_FITGROUPS_H
#define FUSION_CONVERSION_FITGROUPS_FITGROUPS_H

#include "fusion/Dialect/Fusion/IR/Fusion.h"
#include "fusion/Planner/Partition.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

namespace mlir::fusion {

/// Adds the passes that make a kernel of each group, in stage 3, up to stage 5:
/// those of the stages' pipelines that may refuse one; with `merge` those too
/// that make the launches of a composite one.
void buildTrialPipeline(OpPassManager &pm, StringRef target, bool strict,
                        bool merge);

/// Runs the trial pipeline on a module within the module that has the groups;
/// `merge` says with what.
using RunTrial = llvm::function_ref<LogicalResult(ModuleOp, bool merge)>;

/// What may still not fit: others are taken as they are.
enum class FitScope {
  All,
  Composites,
  Predicates ///< composites of which parts read one another
};

/// Splits the groups of `module`, in stage 3 and for GPU `target`, that no
/// kernel can hold; see the description of the pass. Fails, with an error, on
/// composites that stage 3 does not allow.
LogicalResult fitGroups(ModuleOp module, StringRef target,
                        const PlannerOptions &options, FitScope scope,
                        RunTrial run);

} // namespace mlir::fusion

#endif // FUSION_CONVERSION_FITGROUPS_FITGROUPS_H
