//===- ContractionMatch.cpp - which linalg ops are contractions -----------===//

#include "ContractionMatch.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/CastInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::fusion;

bool Factor::isInvariantIn(unsigned dim) const {
  return llvm::all_of(
      accesses, [&](const Access &one) { return one.isInvariantIn(dim); });
}

bool Factor::isContiguousIn(unsigned dim) const {
  return !isInvariantIn(dim) && llvm::all_of(accesses, [&](const Access &one) {
    return one.isInvariantIn(dim) || one.isContiguousIn(dim);
  });
}

/// Follows `value` back to arguments of the body of `op`, through casts or,
/// with `computes`, any elementwise code. Fails if there is something else on
/// the way.
static LogicalResult traceFactor(linalg::LinalgOp op, Value value,
                                 bool computes, Factor &factor) {
  Block *block = op.getBlock();
  auto isAllowed = [&](Operation *def) {
    return computes ? OpTrait::hasElementwiseMappableTraits(def) ||
                          def->hasTrait<OpTrait::ConstantLike>()
                    : isa<CastOpInterface>(def) && def->getNumOperands() == 1;
  };
  factor.value = value;
  llvm::SetVector<Operation *> ops;
  llvm::SetVector<Value> arguments;
  SmallVector<Value> worklist = {value};
  while (!worklist.empty()) {
    Value next = worklist.pop_back_val();
    if (computes && next.getParentRegion() != block->getParent()) {
      continue; // a scalar from outside
    }
    if (auto argument = dyn_cast<BlockArgument>(next)) {
      if (argument.getOwner() != block ||
          argument.getArgNumber() >= op.getNumDpsInputs()) {
        return failure();
      }
      arguments.insert(argument);
      continue;
    }
    Operation *def = next.getDefiningOp();
    if (def->getBlock() != block || !isAllowed(def)) {
      return failure();
    }
    if (ops.insert(def)) {
      llvm::append_range(worklist, def->getOperands());
    }
  }
  for (OpOperand *input : op.getDpsInputOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(input);
    if (arguments.contains(argument)) {
      factor.arguments.push_back(argument);
      factor.accesses.push_back(
          {input->get(), op.getMatchingIndexingMap(input)});
    }
  }
  factor.ops = ops.takeVector();
  llvm::sort(factor.ops,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  bool vectors = llvm::all_of(factor.accesses, [](const Access &access) {
    return hasVectorMemory(access.getElementType());
  });
  return success(vectors && !factor.accesses.empty());
}

/// The product that `body` adds to its last argument, or null.
static Operation *matchProduct(Block &body) {
  Operation *sum = body.getTerminator()->getOperand(0).getDefiningOp();
  if (!sum || !isa<arith::AddFOp, arith::AddIOp>(sum)) {
    return nullptr;
  }
  Value acc = body.getArguments().back();
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
    bool inLhs = !result.lhs.isInvariantIn(dim);
    bool inRhs = !result.rhs.isInvariantIn(dim);
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
  bool computes = op->hasAttr(kComputesOperandsAttr);
  if ((op.getNumDpsInputs() != 2 && !computes) || op.getNumDpsInits() != 1 ||
      op.getNumReductionLoops() == 0 || op.hasIndexSemantics()) {
    return failure();
  }
  Operation *product = matchProduct(*op.getBlock());
  Contraction result;
  if (!product || !isAccumulatorType(product->getResult(0).getType())) {
    return failure();
  }
  result.type = product->getResult(0).getType();
  if (failed(traceFactor(op, product->getOperand(0), computes, result.lhs)) ||
      failed(traceFactor(op, product->getOperand(1), computes, result.rhs))) {
    return failure();
  }
  bool disjoint = llvm::none_of(result.lhs.arguments, [&](BlockArgument one) {
    return llvm::is_contained(result.rhs.arguments, one);
  });
  OpOperand *init = op.getDpsInitOperand(0);
  result.out = {init->get(), op.getMatchingIndexingMap(init)};
  if (!disjoint || !result.out.map.isProjectedPermutation() ||
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
