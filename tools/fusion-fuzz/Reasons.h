//===- Reasons.h - plans say why ops are apart ------------------*- C++ -*-===//

#ifndef FUSION_TOOLS_FUSION_FUZZ_REASONS_H
#define FUSION_TOOLS_FUSION_FUZZ_REASONS_H

#include "Check.h"

namespace mlir::fusion::fuzz {

/// Compiles `graph` up to stage 5 and runs nothing: checks that its report has
/// a reason for each launch beside another one (findUnexplained()), and has all
/// launches. Ops without a name get one, so that no two are taken for one
/// another.
CheckResult checkReasons(ModuleOp graph, const PipelineOptions &pipeline);

} // namespace mlir::fusion::fuzz

#endif // FUSION_TOOLS_FUSION_FUZZ_REASONS_H
