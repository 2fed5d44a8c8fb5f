//===- Reference.h - the unfused program behind a plan ----------*- C++ -*-===//
//
// A plan (stage 3) is verified group by group: what a group computed in the
// fused program is compared with what its ops compute, unfused, from the same
// operands. For this the plan is run with the results of its groups exposed;
// and the reference is the plan cut at its groups, which reads them.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_VERIFY_REFERENCE_H
#define FUSION_VERIFY_REFERENCE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::fusion {

/// Groups [first, last) of @main, counted in program order.
struct GroupRange {
  int64_t first = 0, last = 0;
  bool contains(int64_t group) const { return first <= group && group < last; }
};

/// A result of a group that @main now returns.
struct GroupOutput {
  /// The group's number in program order, and its name.
  int64_t group = 0;
  std::string name;
  /// Which of the group's results it is, and which of @main's.
  int64_t number = 0;
  int64_t result = 0;
  /// The most terms that one sum of this group adds up; ShapedType::kDynamic
  /// where a dynamic dim decides.
  int64_t reductionLength = 1;
  /// How far apart above 1 floats of the narrowest type are that a value inside
  /// of the group is rounded to in any kernel; 0 where none is.
  double spacing = 0;
  /// What is in the group, for people: the source nodes, or the kinds of ops.
  std::string ops;
};

/// How many groups @main has.
int64_t countGroups(ModuleOp module);

/// Makes @main return what groups of `range` compute, and what they read of
/// other groups, behind its own results, in program order. What is returned
/// already is not added again. The outputs are in program order.
SmallVector<GroupOutput> exposeGroupResults(ModuleOp module, GroupRange range);

/// Makes @main return what groups of `range` compute, and nothing else; what
/// other groups compute, and these too where another one reads it, becomes an
/// argument, behind the ones there are. `reads` gets one entry for each of
/// these arguments, in order, with the number of the argument as `result`.
SmallVector<GroupOutput> cutAtGroups(ModuleOp module, GroupRange range,
                                     SmallVectorImpl<GroupOutput> &reads);

/// Replaces every group by its body: stage 3 back to stage 2.
void dissolveGroups(ModuleOp module);

} // namespace mlir::fusion

#endif // FUSION_VERIFY_REFERENCE_H
