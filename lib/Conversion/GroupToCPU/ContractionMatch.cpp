//===- ContractionMatch.cpp - which linalg ops are contractions -----------===//

#include "ContractionMatch.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/CastInterfaces.h"

using namespace mlir;
using namespace mlir::fusion;

/// Follows `value` back through casts to an argument of `block`; fills `casts`
/// in the order from the argument. Null if there is something else on the way.
static BlockArgument traceFactor(Value value, Block *block,
                                 SmallVector<Operation *> &casts) {
  while (Operation *op = value.getDefiningOp()) {
    if (op->getBlock() != block || !isa<CastOpInterface>(op) ||
        op->getNumOperands() != 1) {
      return {};
    }
    casts.push_back(op);
    value = op->getOperand(0);
  }
  std::reverse(casts.begin(), casts.end());
  auto argument = cast<BlockArgument>(value);
  return argument.getOwner() == block ? argument : BlockArgument();
}

/// The product that `body` adds to its last argument, or null.
static Operation *matchProduct(Block &body) {
  Operation *sum = body.getTerminator()->getOperand(0).getDefiningOp();
  if (!sum || !isa<arith::AddFOp, arith::AddIOp>(sum)) {
    return nullptr;
  }
  Value acc = body.getArgument(2);
  Value other =
      sum->getOperand(0) == acc ? sum->getOperand(1) : sum->getOperand(0);
  if ((sum->getOperand(0) != acc && sum->getOperand(1) != acc) ||
      !acc.hasOneUse()) {
    return nullptr;
  }
  Operation *product = other.getDefiningOp();
  bool matches = isa<arith::AddFOp>(sum)
                     ? isa_and_nonnull<arith::MulFOp>(product)
                     : isa_and_nonnull<arith::MulIOp>(product);
  return matches ? product : nullptr;
}

/// Whether sums may be kept in vectors of `type`. Half types are not: their
/// sums would round at each step.
static bool isAccumulatorType(Type type) {
  return type.isF32() || type.isF64() ||
         (type.isInteger() && hasVectorMemory(type));
}

/// Sorts the loops of `op` into the sets of `result`.
static void classifyLoops(linalg::LinalgOp op, Contraction &result) {
  for (auto [dim, iterator] : llvm::enumerate(op.getIteratorTypesArray())) {
    bool inLhs = !result.lhs.access.isInvariantIn(dim);
    bool inRhs = !result.rhs.access.isInvariantIn(dim);
    if (iterator == utils::IteratorType::reduction) {
      result.k.push_back(dim);
    } else if (inLhs && !inRhs) {
      result.m.push_back(dim);
    } else if (inRhs && !inLhs) {
      result.n.push_back(dim);
    } else {
      result.batch.push_back(dim);
    }
  }
}

FailureOr<Contraction> fusion::matchContraction(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 ||
      op.getNumReductionLoops() == 0 || op.hasIndexSemantics()) {
    return failure();
  }
  Block &body = *op.getBlock();
  Operation *product = matchProduct(body);
  Contraction result;
  if (!product || !isAccumulatorType(product->getResult(0).getType())) {
    return failure();
  }
  result.type = product->getResult(0).getType();
  BlockArgument lhs =
      traceFactor(product->getOperand(0), &body, result.lhs.casts);
  BlockArgument rhs =
      traceFactor(product->getOperand(1), &body, result.rhs.casts);
  if (!lhs || !rhs || lhs == rhs || lhs.getArgNumber() > 1 ||
      rhs.getArgNumber() > 1) {
    return failure();
  }
  auto access = [&](BlockArgument argument) {
    OpOperand &operand = op->getOpOperand(argument.getArgNumber());
    return Access{operand.get(), op.getMatchingIndexingMap(&operand)};
  };
  result.lhs.access = access(lhs);
  result.rhs.access = access(rhs);
  result.out = access(body.getArgument(2));
  if (!hasVectorMemory(result.lhs.access.getElementType()) ||
      !hasVectorMemory(result.rhs.access.getElementType()) ||
      !result.out.map.isProjectedPermutation() ||
      result.out.map.getNumResults() == 0) {
    return failure();
  }
  classifyLoops(op, result);
  unsigned last =
      result.out.map.getDimPosition(result.out.map.getNumResults() - 1);
  if (llvm::is_contained(result.m, last)) {
    std::swap(result.lhs, result.rhs);
    std::swap(result.m, result.n);
  }
  if (!llvm::is_contained(result.n, last)) {
    return failure();
  }
  return result;
}
