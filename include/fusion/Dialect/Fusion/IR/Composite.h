//===- Composite.h - launches that hold several groups ----------*- C++ -*-===//
//
// A composite is a `fusion.group` whose body holds, in place of linalg ops,
// other groups: its parts. They are independent of one another and run in one
// launch. A part inside of a `fusion.if` runs only where the condition, a value
// in memory, says so:
//
//   %r:2 = fusion.group "a | b" kinds ["horizontal"] ins(%p, %x) outs(%d, %e) {
//   ^bb0(%p0, %x0, %d0, %e0):
//     %0 = fusion.group "a" kinds [] ins(%x0) outs(%d0) {...}
//     %1 = fusion.if %p0 : tensor<i1> -> tensor<4xf32> {
//       %2 = fusion.group "b" kinds [] ins(%x0) outs(%e0) {...}
//       fusion.yield %2
//     } else {
//       fusion.yield %e0       // not written: keeps what the destination holds
//     }
//     fusion.yield %0, %1
//   }
//
// Each result is a destination, written by the parts that run.
//
// A part may read what a part before it makes, as an input or as a condition,
// where that is of rank 0: a predicate, say. Each block of the launch then
// computes the read part for itself, before the others:
//
//     %2 = fusion.group "is positive" kinds [] ins(%x0) outs(%c0) {...}
//     %3 = fusion.if %2 : tensor<i1> -> tensor<4xf32> {...}
//
// A part may write a destination in another shape, where sizes are known:
//
//     %2 = tensor.collapse_shape %e0 [[0, 1]] : ...
//     %3 = fusion.group "c" kinds [] ins(%x0) outs(%2) {...}
//     %4 = tensor.expand_shape %3 [[0, 1]] output_shape [2, 2] : ...
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_DIALECT_FUSION_IR_COMPOSITE_H
#define FUSION_DIALECT_FUSION_IR_COMPOSITE_H

#include "fusion/Dialect/Fusion/IR/Fusion.h"

namespace mlir::fusion {

/// On a group: a predicate that the launches which read it are to compute for
/// themselves (`fusion-place-predicates`). On the call of a part's function:
/// each block of the launch computes it; the number of its results, which are
/// its last operands.
constexpr StringLiteral kEachBlockAttr = "fusion.each_block";

/// A condition under which a part runs: `value` (a tensor<i1>) is `holds`.
struct PartCondition {
  Value value;
  bool holds;
  bool operator==(const PartCondition &other) const {
    return value == other.value && holds == other.holds;
  }
};

/// A group of one launch, seen from outside of it.
struct LaunchPart {
  /// Without parts of its own; the launch itself where this is its only part.
  GroupOp group;
  /// All must hold; outermost first. Values outside of the launch, or among the
  /// `results` of a part before this one.
  SmallVector<PartCondition, 1> conditions;
  /// The inputs of `group`, as operands of the launch, or as above.
  SmallVector<Value> inputs;
  /// For each result of `group` the destination of the launch that it writes.
  SmallVector<unsigned, 2> slots;
  /// By what value other parts name each result of `group`: of a launch that
  /// was read, the result of the launch.
  SmallVector<Value, 2> results;
};

/// Returns whether `group` holds groups or branches instead of linalg ops.
bool isComposite(GroupOp group);

/// Returns whether one reshape makes a tensor of type `to` of one of type
/// `from`, both of known sizes, or they are one type.
bool areOneReshapeApart(Type from, Type to);

/// Returns `value` as type `to`, which is at most one reshape away; a
/// `tensor.empty` of that type for one.
Value reshapeTo(OpBuilder &builder, Location loc, Value value, Type to);

/// Returns the branches in `root` in the order of a walk, but for those of
/// composites, which are conditions of parts.
SmallVector<IfOp> getBranches(Operation *root,
                              WalkOrder order = WalkOrder::PostOrder);

/// Returns the parts of `group` in order, itself where it is no composite; on a
/// composite of another form emits an error.
FailureOr<SmallVector<LaunchPart, 0>> getLaunchParts(GroupOp group);

/// Returns whether some part of `launch` writes a destination in another shape.
bool hasReshapedDestinations(GroupOp launch);

/// Returns whether another part of the same composite reads what `group`, a
/// part, makes.
bool isReadByParts(GroupOp group);

/// Returns whether some part of `launch` may be read by others.
bool hasPartsThatAreRead(GroupOp launch);

/// Returns whether `result`, of a group, is what parts of it read: it may never
/// be in memory.
bool staysInside(OpResult result);

/// Returns whether a run may leave the destination of `result`, of a group, as
/// it was: then the result holds what the destination held.
bool mayKeepDestination(OpResult result);

/// Returns whether every run writes the destination of `result`, of a group:
/// this group, or those that wrote the destination before. What stays inside is
/// not.
bool isAlwaysWritten(OpResult result);

/// Returns whether no run takes both `a` and `b`.
bool areExclusive(const LaunchPart &a, const LaunchPart &b);

/// Returns whether no run takes parts of both `a` and `b`.
bool areExclusive(GroupOp a, GroupOp b);

/// Returns the kinds of fusion of a launch of `parts`.
SmallVector<StringRef> getLaunchKinds(ArrayRef<LaunchPart> parts);

/// Makes one composite of `parts`, whose slots index `inits`, before the
/// builder's insertion point; clones the groups. Its results are those of
/// `inits`. Parts under one condition become one `fusion.if`, after those under
/// none.
GroupOp createComposite(OpBuilder &builder, Location loc, StringRef name,
                        ArrayRef<StringRef> kinds, ArrayRef<LaunchPart> parts,
                        ValueRange inits);

} // namespace mlir::fusion

#endif // FUSION_DIALECT_FUSION_IR_COMPOSITE_H
