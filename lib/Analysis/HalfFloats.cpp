//===- HalfFloats.cpp - f16 and bf16 --------------------------------------===//

#include "fusion/Analysis/HalfFloats.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::fusion;

bool fusion::isHalfFloat(Type element) {
  return element.isF16() || element.isBF16();
}

bool fusion::readsHalfFloats(linalg::LinalgOp op) {
  return llvm::all_of(op.getDpsInputs(), [](Value input) {
    return isHalfFloat(getElementTypeOrSelf(input.getType()));
  });
}

bool fusion::isSumOfProducts(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1) {
    return false;
  }
  auto isFactor = [&](Value value) {
    if (auto widen = value.getDefiningOp<arith::ExtFOp>()) {
      value = widen.getIn();
    }
    auto argument = dyn_cast<BlockArgument>(value);
    return argument && argument.getOwner() == op.getBlock() &&
           argument.getArgNumber() < 2;
  };
  BlockArgument sum = op.getRegionOutputArgs()[0];
  auto add = op.getBlock()
                 ->getTerminator()
                 ->getOperand(0)
                 .getDefiningOp<arith::AddFOp>();
  if (!add || (add.getLhs() != sum && add.getRhs() != sum)) {
    return false;
  }
  Value term = add.getLhs() == sum ? add.getRhs() : add.getLhs();
  auto product = term.getDefiningOp<arith::MulFOp>();
  return product && isFactor(product.getLhs()) && isFactor(product.getRhs());
}
