//===- Reference.h - the unfused program behind a plan ----------*- C++ -*-===//
//
// A plan (stage 3) is verified by running it beside the same program with its
// groups taken apart, and comparing what each group computes.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_VERIFY_REFERENCE_H
#define FUSION_VERIFY_REFERENCE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::fusion {

/// A result of a group that @main now returns.
struct GroupOutput {
  /// The group's number in program order, and its name.
  int64_t group = 0;
  std::string name;
  /// Which of @main's results it is.
  int64_t result = 0;
  /// The most terms that one sum of this group, or of one before it, adds up;
  /// ShapedType::kDynamic where a dynamic dim decides.
  int64_t reductionLength = 1;
};

/// Makes @main return what each of its groups computes, behind its own results,
/// in program order. Results that are returned already are not added again.
SmallVector<GroupOutput> exposeGroupResults(ModuleOp module);

/// Replaces every group by its body: stage 3 back to stage 2.
void dissolveGroups(ModuleOp module);

} // namespace mlir::fusion

#endif // FUSION_VERIFY_REFERENCE_H
