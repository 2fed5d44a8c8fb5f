//===- ReportLaunches.h - what was decided about launches -------*- C++ -*-===//

#ifndef LIB_REPORT_REPORTLAUNCHES_H
#define LIB_REPORT_REPORTLAUNCHES_H

#include "fusion/Report/Report.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::fusion {

/// Finds what was decided about launches that do not need one another. Such
/// decisions have the names that kernels had before some shared a launch.
class LaunchDecisions {
public:
  explicit LaunchDecisions(const CompilationReport &report);

  /// Returns why kernels of groups `a` and `b` are in no common launch; null
  /// where that was not asked.
  const DecisionReport *find(size_t a, size_t b) const;

private:
  SmallVector<llvm::StringSet<>, 0> kernels; ///< their names, by group
  SmallVector<SmallVector<const DecisionReport *, 4>, 0>
      decisions; ///< the same
};

} // namespace mlir::fusion

#endif // LIB_REPORT_REPORTLAUNCHES_H
