//===- CheckDirectives.cpp - what a user asks must make sense -------------===//

#include "fusion/Planner/CheckDirectives.h"

#include "fusion/Dialect/Fusion/IR/Directives.h"
#include "fusion/Schedule/Schedule.h"

using namespace mlir;
using namespace mlir::fusion;

/// Fails unless the directives of `op` have values that they take.
static LogicalResult check(Operation *op) {
  Attribute alone = op->getDiscardableAttr(kNoFuseAttr);
  if (alone && !isa<UnitAttr>(alone)) {
    return op->emitOpError("expected '")
           << kNoFuseAttr << "' to have no value, but got " << alone;
  }
  Attribute name = op->getDiscardableAttr(kFuseWithAttr);
  if (name && !isa<StringAttr>(name)) {
    return op->emitOpError("expected a string as '")
           << kFuseWithAttr << "', but got " << name;
  }
  Attribute schedule = op->getDiscardableAttr(kPinnedScheduleAttr);
  if (schedule && !isa<DictionaryAttr>(schedule)) {
    return op->emitOpError("expected a dictionary as '")
           << kPinnedScheduleAttr << "', but got " << schedule;
  }
  auto emitError = [&] { return op->emitOpError(); };
  return failure(schedule && failed(parseSchedule(
                                 cast<DictionaryAttr>(schedule), emitError)));
}

LogicalResult fusion::checkDirectives(func::FuncOp func) {
  // What is refused once need not be for each op that a graph op became.
  WalkResult result = func.getBody().walk([](Operation *op) {
    return failed(check(op)) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}
