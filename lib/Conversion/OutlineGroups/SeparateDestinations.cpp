//===- SeparateDestinations.cpp - one writer in turn for each destination -===//

#include "fusion/Conversion/OutlineGroups/OutlineGroups.h"
#include "fusion/Dialect/Fusion/IR/Composite.h"

using namespace mlir;
using namespace mlir::fusion;

/// The uses of `result` as a destination that a group writes further.
static SmallVector<OpOperand *, 1> getContinuations(Value result) {
  SmallVector<OpOperand *, 1> uses;
  for (OpOperand &use : result.getUses()) {
    auto group = dyn_cast<GroupOp>(use.getOwner());
    if (group && group.isDpsInit(&use) &&
        mayKeepDestination(cast<OpResult>(group.getTiedOpResult(&use)))) {
      uses.push_back(&use);
    }
  }
  return uses;
}

void fusion::separateDestinations(func::FuncOp main) {
  SmallVector<GroupOp> groups(main.getBody().front().getOps<GroupOp>());
  // Users first: a copy continues what the group itself continues.
  for (GroupOp group : llvm::reverse(groups)) {
    OpBuilder builder(main.getContext());
    builder.setInsertionPointAfter(group);
    for (OpResult result : group->getResults()) {
      SmallVector<OpOperand *, 1> uses = getContinuations(result);
      for (OpOperand *use : llvm::drop_begin(uses, uses.empty() ? 0 : 1)) {
        Operation *copy = builder.clone(*group);
        use->set(copy->getResult(result.getResultNumber()));
      }
    }
  }
}
