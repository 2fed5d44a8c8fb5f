//===- SplitTiles.cpp - a tile for each layout that is wanted -------------===//

#include "SplitTiles.h"

#include "fusion/Tile/DotLoop.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::tile;

void tile::rematerialiseConstants(gpu::GPUFuncOp kernel) {
  SmallVector<Operation *> constants;
  kernel.walk([&](Operation *op) {
    if (isa<arith::ConstantOp, SplatOp>(op) &&
        isa<RankedTensorType>(op->getResult(0).getType())) {
      constants.push_back(op);
    }
  });
  for (Operation *op : constants) {
    for (OpOperand &use :
         llvm::make_early_inc_range(op->getResult(0).getUses())) {
      OpBuilder b(use.getOwner());
      use.set(b.clone(*op)->getResult(0));
    }
    op->erase();
  }
}

StringRef tile::getMultiplyKind(gpu::GPUFuncOp kernel) {
  auto schedule = kernel->getAttrOfType<DictionaryAttr>("tile.schedule");
  auto name = schedule ? schedule.getAs<StringAttr>("kind") : StringAttr();
  return name ? name.getValue() : StringRef();
}

bool tile::isMultiplied(OpOperand &use) {
  auto dot = dyn_cast<DotOp>(use.getOwner());
  if (!dot || use.getOperandNumber() >= 2) {
    return false;
  }
  auto kernel = dot->getParentOfType<gpu::GPUFuncOp>();
  return use.getOperandNumber() == 1 ||
         !staysInRegisters(dot, getMultiplyKind(kernel));
}

void tile::splitLoads(gpu::GPUFuncOp kernel) {
  SmallVector<Operation *> loads;
  kernel.walk([&](Operation *op) {
    if (isa<LoadOp, LoadWindowOp>(op)) {
      loads.push_back(op);
    }
  });
  for (Operation *load : loads) {
    auto uses = load->getResult(0).getUses();
    if (llvm::all_of(uses, isMultiplied) || llvm::none_of(uses, isMultiplied)) {
      continue;
    }
    OpBuilder b(load);
    Value copy = b.clone(*load)->getResult(0);
    load->getResult(0).replaceUsesWithIf(copy, isMultiplied);
  }
}
