//===- CheckDirectives.cpp - what a user asks must make sense -------------===//

#include "fusion/Planner/CheckDirectives.h"

#include "fusion/Dialect/Fusion/IR/Directives.h"
#include "fusion/Dialect/Fusion/IR/Fusion.h"
#include "fusion/Planner/FormGroups.h"
#include "fusion/Planner/ReportKept.h"
#include "fusion/Schedule/Schedule.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::fusion;

/// Fails where `op` has an attribute of ours that says nothing: a misspelt
/// directive.
static LogicalResult checkNames(Operation *op) {
  constexpr StringRef known[] = {kNoFuseAttr, kFuseWithAttr,
                                 kPinnedScheduleAttr, kFurtherPartAttr,
                                 FusionDialect::kRoundingAttr};
  for (NamedAttribute attribute : op->getDiscardableAttrs()) {
    StringRef name = attribute.getName();
    if (name.starts_with("fusion.") && !llvm::is_contained(known, name)) {
      return op->emitOpError("expected '")
             << kNoFuseAttr << "', '" << kFuseWithAttr << "' or '"
             << kPinnedScheduleAttr << "' as a directive, but got '" << name
             << "'";
    }
  }
  return success();
}

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
  if (schedule &&
      failed(parseSchedule(cast<DictionaryAttr>(schedule), emitError))) {
    return failure();
  }
  // Groups are made already: what they have is the planner's.
  return isa<GroupOp>(op) ? success() : checkNames(op);
}

LogicalResult fusion::checkDirectives(func::FuncOp func) {
  // What is refused once need not be for each op that a graph op became.
  WalkResult result = func.getBody().walk([](Operation *op) {
    return failed(check(op)) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

void fusion::reportNamesApart(func::FuncOp func) {
  llvm::MapVector<Attribute, Operation *> firsts;
  llvm::SmallDenseSet<Attribute> reported;
  func.getBody().walk([&](linalg::LinalgOp op) {
    Attribute name = op->getDiscardableAttr(kFuseWithAttr);
    if (!name) {
      return;
    }
    Operation *first = firsts.insert({name, op}).first->second;
    if (first->getBlock() != op->getBlock() && reported.insert(name).second) {
      reportKept("FormGroups", op,
                 "a branch's border lies between it and others of its '" +
                     Twine(kFuseWithAttr) + "'");
    }
  });
}

void fusion::warnOfLoneNames(func::FuncOp func) {
  llvm::MapVector<Attribute, SmallVector<Operation *, 1>> byName;
  func.getBody().walk([&](Operation *op) {
    if (Attribute name = op->getDiscardableAttr(kFuseWithAttr)) {
      byName[name].push_back(op);
    }
  });
  for (auto &[name, ops] : byName) {
    if (ops.size() == 1) {
      ops.front()->emitWarning("expected another operation with '")
          << kFuseWithAttr << "' = " << name << ", but got none";
    }
  }
}
