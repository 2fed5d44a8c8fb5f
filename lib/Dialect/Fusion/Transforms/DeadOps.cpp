//===- DeadOps.cpp - ops that nothing needs -------------------------------===//

#include "fusion/Dialect/Fusion/Transforms/DeadOps.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::fusion;

void fusion::eraseDeadOps(Block &block) {
  // Users before producers.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
    if (isOpTriviallyDead(&op)) {
      op.erase();
    }
  }
}
