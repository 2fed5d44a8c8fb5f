//===- ReportKept.cpp - why a pass leaves an op as it is ------------------===//

#include "fusion/Planner/ReportKept.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace mlir::fusion;

void fusion::reportKept(StringRef pass, Operation *op, const Twine &why) {
  auto func = op->getParentOfType<func::FuncOp>();
  auto opts = remark::RemarkOpts::name(pass).category("fusion").function(
      func ? func.getName() : StringRef());
  remark::missed(op->getLoc(), opts) << remark::reason("{0}", why.str());
}
