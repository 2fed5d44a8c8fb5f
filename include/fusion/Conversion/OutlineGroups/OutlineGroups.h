//===- OutlineGroups.h - groups to functions on memrefs ---------*- C++ -*-===//
//
// Stage 3 to stage 3b of docs/Architecture.md.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_CONVERSION_OUTLINEGROUPS_OUTLINEGROUPS_H
#define FUSION_CONVERSION_OUTLINEGROUPS_OUTLINEGROUPS_H

#include "fusion/Dialect/Fusion/IR/Fusion.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include <map>

namespace mlir::fusion {

/// Attributes of stage 3b, of arguments of @main and of group functions.
constexpr StringLiteral kConstantAttr = "fusion.constant";
constexpr StringLiteral kResultAttr = "fusion.result";
constexpr StringLiteral kGroupAttr = "fusion.group";
constexpr StringLiteral kKindsAttr = "fusion.kinds";
constexpr StringLiteral kScheduleAttr = "fusion.schedule";
/// Marks the function of a composite: it only calls those of its parts, and
/// becomes one launch.
constexpr StringLiteral kCompositeAttr = "fusion.composite";
/// Marks a function that a composite calls: its blocks should have the size of
/// those of the other parts.
constexpr StringLiteral kPartAttr = "fusion.part";

/// Turns @main of `module`, in stage 3, into the host program and group
/// functions; see the description of the pass. Fails with a diagnostic on what
/// stage 3 does not allow.
LogicalResult outlineGroups(ModuleOp module);

/// Checks the form of `group`, of @main in stage 3, where it is a composite,
/// and what it does to destinations: its parts write each once in a run,
/// nothing of the launch reads one, what it may leave unwritten was made by
/// another group, and nothing needs what was there before. Emits an error
/// otherwise.
LogicalResult checkLaunch(GroupOp group);

/// Returns the destination that `result`, of a group, may hold further, or null
/// where it is one of its own.
Value getKeptDestination(OpResult result);

/// Where the result of a group lies in a larger array, whose type is null where
/// the result is an array of its own.
struct ResultPlace {
  MemRefType whole;
  SmallVector<int64_t> starts;

  bool operator==(const ResultPlace &other) const {
    return whole == other.whole && starts == other.starts;
  }
};

/// Makes one private function of each distinct group: equal bodies share one.
class GroupFunctions {
public:
  explicit GroupFunctions(ModuleOp module) : module(module) {}
  /// Returns the function that does what `group` does on memrefs: inputs, then
  /// results, which lie at `places`: one for each result.
  func::FuncOp getOrCreate(GroupOp group, ArrayRef<ResultPlace> places);

private:
  /// The function that was made of a group.
  struct Known {
    GroupOp group;
    SmallVector<ResultPlace, 1> places;
    func::FuncOp function;
  };

  func::FuncOp create(GroupOp group, ArrayRef<ResultPlace> places);
  func::FuncOp getOrCreateComposite(GroupOp launch,
                                    ArrayRef<ResultPlace> places);
  /// The types of the arguments of the function of `group`.
  static SmallVector<Type> getArgumentTypes(GroupOp group,
                                            ArrayRef<ResultPlace> places);

  ModuleOp module;
  /// Groups made so far, by a hash of their bodies.
  DenseMap<unsigned, SmallVector<Known, 1>> known;
  /// Composites made so far, by their text without names.
  std::map<std::string, func::FuncOp> composites;
  unsigned count = 0;
};

/// Gives each group of `main` that writes a destination further one of its own:
/// where two continue one result (equal groups of different branches were made
/// one), what made it runs once for each.
void separateDestinations(func::FuncOp main);

/// Lets each operand of the `tensor.concat`s of `main` be the result of a group
/// that nothing else reads: groups write such results where they lie in the
/// concatenation. What reads a part too reads it there, if it comes later; else
/// the part is copied.
void separateParts(func::FuncOp main);

/// Returns where `result`, of a group, lies in what `tensor.concat` makes, if
/// that is all that reads it and the group writes all of it; a null type
/// elsewhere.
ResultPlace getPlace(OpResult result);

/// Adds @main_result_dims, which computes all dims of the results of `main` (in
/// stage 3) from all dims of its arguments, then of `constants`.
void addResultDims(func::FuncOp main, ArrayRef<Value> constants);

} // namespace mlir::fusion

#endif // FUSION_CONVERSION_OUTLINEGROUPS_OUTLINEGROUPS_H
