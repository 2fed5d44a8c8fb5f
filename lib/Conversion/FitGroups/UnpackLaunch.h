//===- UnpackLaunch.h - one launch becomes several ----------------*- C++
//-*-===//

#ifndef LIB_CONVERSION_FITGROUPS_UNPACKLAUNCH_H
#define LIB_CONVERSION_FITGROUPS_UNPACKLAUNCH_H

#include "fusion/Dialect/Fusion/IR/Composite.h"

namespace mlir::fusion {

/// How the parts of a composite, by their numbers, are to be launched. What
/// others read of parts that are launched before goes through memory; of other
/// parts each launch that reads one has its own.
struct LaunchPlan {
  /// Each a launch.
  SmallVector<SmallVector<unsigned>> packs;
  /// Launches before those of `packs`: of parts that others read.
  SmallVector<unsigned> before;
  /// As `before`, but left outside of composites, for the caller to split.
  SmallVector<unsigned> toSplit;
};

/// A group that runs under conditions that it does not have yet.
struct UnguardedGroup {
  GroupOp group;
  SmallVector<PartCondition, 1> conditions;
};

/// What a composite became.
struct UnpackedLaunch {
  SmallVector<GroupOp> launches; ///< without those to split
  SmallVector<UnguardedGroup> toSplit;
};

/// Replaces `launch`, a composite of `parts`, each of which `plan` names once.
UnpackedLaunch unpackLaunch(GroupOp launch, ArrayRef<LaunchPart> parts,
                            const LaunchPlan &plan);

/// Puts `group`, no composite, under `conditions`; returns the composite, or
/// `group` where there are none.
GroupOp guardGroup(GroupOp group, ArrayRef<PartCondition> conditions);

} // namespace mlir::fusion

#endif // LIB_CONVERSION_FITGROUPS_UNPACKLAUNCH_H
