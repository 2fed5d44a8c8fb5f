//===- LowerSwitches.cpp - scf.index_switch as a row of scf.if ------------===//

#include "fusion/Planner/AdoptLinalg.h"
#include "fusion/Planner/ReportKept.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::fusion;

/// Turns `op` into branches, each in the else region of that of the case before
/// it; the default is that of the last, or stands in its place.
static void lowerSwitch(scf::IndexSwitchOp op) {
  Location loc = op.getLoc();
  OpBuilder builder(op);
  if (op.getNumCases() == 0) {
    Block &only = op.getDefaultRegion().front();
    op->replaceAllUsesWith(only.getTerminator()->getOperands());
    only.getTerminator()->erase();
    op->getBlock()->getOperations().splice(op->getIterator(),
                                           only.getOperations());
    op.erase();
    return;
  }
  SmallVector<scf::IfOp> branches;
  for (auto [value, region] :
       llvm::zip_equal(op.getCases(), op.getCaseRegions())) {
    Value number = arith::ConstantIndexOp::create(builder, loc, value);
    Value isCase = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                         op.getArg(), number);
    auto branch = scf::IfOp::create(builder, loc, op.getResultTypes(), isCase,
                                    /*addThenBlock=*/false,
                                    /*addElseBlock=*/false);
    branch->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    branch.getThenRegion().takeBody(region);
    branches.push_back(branch);
    builder.createBlock(&branch.getElseRegion());
  }
  // The innermost else region is the default's.
  branches.back().getElseRegion().takeBody(op.getDefaultRegion());
  for (scf::IfOp branch : ArrayRef(branches).drop_back()) {
    Block *other = branch.elseBlock();
    OpBuilder end = OpBuilder::atBlockEnd(other);
    scf::YieldOp::create(end, loc,
                         cast<scf::IfOp>(&other->back()).getResults());
  }
  op->replaceAllUsesWith(branches.front());
  op.erase();
}

void fusion::lowerSwitches(func::FuncOp func) {
  SmallVector<scf::IndexSwitchOp> switches;
  func.walk([&](scf::IndexSwitchOp op) {
    if (op.getNumResults() != 0) {
      switches.push_back(op);
    } else if (!op->getParentOfType<linalg::LinalgOp>()) {
      reportKept("AdoptLinalg", op,
                 "the switch has no result: what it is for are its effects");
    }
  });
  for (scf::IndexSwitchOp op : switches) {
    lowerSwitch(op);
  }
}
