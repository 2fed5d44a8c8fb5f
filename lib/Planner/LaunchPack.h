//===- LaunchPack.h - what may share a launch -------------------*- C++ -*-===//

#ifndef FUSION_LIB_PLANNER_LAUNCHPACK_H
#define FUSION_LIB_PLANNER_LAUNCHPACK_H

#include "fusion/Dialect/Fusion/IR/Composite.h"
#include "fusion/Planner/PackLaunches.h"

namespace mlir::fusion {

/// A group, or several that share a launch.
struct LaunchPack {
  SmallVector<GroupOp, 1> groups; // in program order
  SmallVector<LaunchPart, 1> parts;
  SmallVector<KernelWork, 1> works; // of the parts
  unsigned level = 0;
  SmallVector<unsigned, 0> tried; // numbers of groups that were decided
};

/// Returns whether the groups of `a` and `b` may share a launch on the device,
/// cycles and profit aside.
FusionDecision checkLaunch(const LaunchPack &a, const LaunchPack &b,
                           const PlannerOptions &options);

/// Returns whether no run takes a part of `a` and one of `b`.
bool areExclusive(const LaunchPack &a, const LaunchPack &b);

/// Returns whether a group of `to` reads what one of `from` makes. A
/// destination that exclusive parts write in turn is not read.
bool readsFrom(const LaunchPack &to, const LaunchPack &from);

/// Joins the names of `groups`, of the first few.
std::string joinNames(ArrayRef<GroupOp> groups);

/// Puts `parts` that take longer first: blocks start in order, and short ones
/// fill the last wave.
void sortByTime(SmallVector<LaunchPart, 0> &parts, const DeviceModel &device);

} // namespace mlir::fusion

#endif // FUSION_LIB_PLANNER_LAUNCHPACK_H
