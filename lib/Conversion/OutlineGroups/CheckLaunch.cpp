//===- CheckLaunch.cpp - what a composite may be --------------------------===//

#include "fusion/Conversion/OutlineGroups/OutlineGroups.h"
#include "fusion/Dialect/Fusion/IR/Composite.h"
#include "fusion/Planner/FormGroups.h"

using namespace mlir;
using namespace mlir::fusion;

Value fusion::getKeptDestination(OpResult result) {
  Value init =
      cast<GroupOp>(result.getOwner()).getInits()[result.getResultNumber()];
  bool isFresh = bool(init.getDefiningOp<tensor::EmptyOp>());
  return !isFresh && mayKeepDestination(result) ? init : Value();
}

/// Checks that no run writes a destination twice: parts have no order.
static LogicalResult checkWriters(ArrayRef<LaunchPart> parts) {
  DenseMap<unsigned, SmallVector<const LaunchPart *>> writers; // by slot
  for (const LaunchPart &part : parts) {
    for (unsigned slot : part.slots) {
      for (const LaunchPart *other : writers[slot]) {
        if (other == &part || areExclusive(part, *other)) {
          continue;
        }
        GroupOp group = part.group, first = other->group;
        auto diagnostic = group.emitOpError(
            "expected a destination that no other part of the launch writes in "
            "the same run");
        diagnostic.attachNote(first.getLoc()) << "the other part is here";
        return diagnostic;
      }
      writers[slot].push_back(&part);
    }
  }
  return success();
}

/// Returns whether a run may take both `part` and one of `parts` that writes
/// destination `slot`.
static bool meetsWriter(const LaunchPart &part, ArrayRef<LaunchPart> parts,
                        unsigned slot) {
  return llvm::any_of(parts, [&](const LaunchPart &other) {
    return llvm::is_contained(other.slots, slot) && !areExclusive(part, other);
  });
}

/// Checks that no part reads, as it was before, a destination that another part
/// writes further.
static LogicalResult checkReads(GroupOp launch, ArrayRef<LaunchPart> parts) {
  for (OpResult result : launch->getResults()) {
    Value kept = getKeptDestination(result);
    if (!kept) {
      continue;
    }
    unsigned slot = result.getResultNumber();
    for (const LaunchPart &part : parts) {
      bool reads = llvm::any_of(part.inputs, [&](Value input) {
        return getRenamedSource(input) == getRenamedSource(kept);
      });
      if (reads && meetsWriter(part, parts, slot)) {
        GroupOp group = part.group;
        return group.emitOpError("expected no input that is destination ")
               << slot << " of the launch: parts write it at the same time";
      }
    }
  }
  return success();
}

/// Checks that nothing after `launch` needs what was in the destination that
/// `result` of it writes further.
static LogicalResult checkLaterReads(GroupOp launch, OpResult result,
                                     Value kept) {
  for (OpOperand &use : kept.getUses()) {
    Operation *owner = use.getOwner();
    auto reader = dyn_cast<GroupOp>(owner);
    bool reads = reader ? !reader.isDpsInit(&use) : isa<func::ReturnOp>(owner);
    if (!reads || owner->getBlock() != launch->getBlock() ||
        !launch->isBeforeInBlock(owner) ||
        (reader && areExclusive(reader, launch))) {
      continue;
    }
    auto diagnostic = owner->emitOpError(
        "expected no use of what was in a destination before a launch wrote it "
        "further");
    diagnostic.attachNote(launch.getLoc())
        << "result " << result.getResultNumber() << " of this launch is there";
    return diagnostic;
  }
  return success();
}

LogicalResult fusion::checkLaunch(GroupOp group) {
  FailureOr<SmallVector<LaunchPart, 0>> parts = getLaunchParts(group);
  if (failed(parts)) {
    return failure();
  }
  if (!isComposite(group)) {
    return success();
  }
  if (failed(checkWriters(*parts)) || failed(checkReads(group, *parts))) {
    return failure();
  }
  for (OpResult result : group->getResults()) {
    if (!result.use_empty() && staysInside(result)) {
      return group.emitOpError("expected nothing to read result ")
             << result.getResultNumber()
             << ", which parts of the group read: it may never be in memory";
    }
    Value kept = getKeptDestination(result);
    if (!kept) {
      continue;
    }
    if (!getRenamedSource(kept).getDefiningOp<GroupOp>()) {
      return group.emitOpError("expected a destination that a branch may keep "
                               "to be empty or the result of a group");
    }
    if (failed(checkLaterReads(group, result, kept))) {
      return failure();
    }
  }
  return success();
}
