//===- CompilationReports.h - reports, filled in stage by stage -*- C++ -*-===//

#ifndef LIB_DRIVER_COMPILATIONREPORTS_H
#define LIB_DRIVER_COMPILATIONREPORTS_H

#include "fusion/Driver/Compile.h"
#include "fusion/Report/Report.h"

namespace mlir::fusion {

/// What the plan (stage 3) says.
CompilationReport startReport(ModuleOp module, StringRef model,
                              const PipelineOptions &options);

/// After stage 4: the function and the schedule of each group.
void addSchedules(CompilationReport &report, ModuleOp module);

/// After stage 5: the shared memory of each kernel and, where there is a ptxas
/// to ask, its registers and spills.
LogicalResult addKernelUsage(CompilationReport &report, ModuleOp module,
                             const PipelineOptions &options);

/// Writes a page to a `path` that ends in .html, JSON to others, or a table to
/// standard output for "-".
LogicalResult writeReport(MLIRContext *context, const CompilationReport &report,
                          StringRef path);

} // namespace mlir::fusion

#endif // LIB_DRIVER_COMPILATIONREPORTS_H
