//===- Directives.h - what a user asks of the planner -----------*- C++ -*-===//
//
// Discardable attributes on graph or linalg ops that overrule the planner:
//
//   fusion.no_fuse                 the op gets a kernel of its own
//   fusion.fuse_with = "name"      all ops with this name share one kernel
//                                  where that is legal, whatever the cost
//                                  model says
//   fusion.schedule = {...}        the schedule of the op's kernel
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_DIALECT_FUSION_IR_DIRECTIVES_H
#define FUSION_DIALECT_FUSION_IR_DIRECTIVES_H

#include "mlir/IR/Operation.h"

namespace mlir::fusion {

constexpr StringLiteral kNoFuseAttr = "fusion.no_fuse";
constexpr StringLiteral kFuseWithAttr = "fusion.fuse_with";
constexpr StringLiteral kPinnedScheduleAttr = "fusion.schedule";

/// Returns whether `op` has any of the directives: rewrites that would let
/// other ops stand for it leave it as it is.
bool isDirected(Operation *op);

/// Carries the directives on the ops under `root` through rewrites that know
/// nothing of them: every graph or linalg op that is made with the location of
/// an op with directives has these in the end. While it lives, the directives
/// are part of locations.
class DirectiveKeeper {
public:
  explicit DirectiveKeeper(Operation *root);
  ~DirectiveKeeper();
  DirectiveKeeper(const DirectiveKeeper &) = delete;
  DirectiveKeeper &operator=(const DirectiveKeeper &) = delete;

private:
  Operation *root;
  bool hasDirectives = false;
};

} // namespace mlir::fusion

#endif // FUSION_DIALECT_FUSION_IR_DIRECTIVES_H
