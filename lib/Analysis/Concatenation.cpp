//===- Concatenation.cpp - ops that lay tensors side by side --------------===//

#include "fusion/Analysis/Concatenation.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::fusion;
using linalg::LinalgOp;

/// The constant that `value` is, if it is one.
static std::optional<int64_t> getConstant(Value value) {
  APInt constant;
  return matchPattern(value, m_ConstantInt(&constant))
             ? std::optional(constant.getSExtValue())
             : std::nullopt;
}

/// A position in a part: the index along loop `dim` less `start`.
struct PartIndex {
  unsigned dim;
  int64_t start;
};

static std::optional<PartIndex> matchIndex(Value value) {
  int64_t start = 0;
  if (auto sub = value.getDefiningOp<arith::SubIOp>()) {
    std::optional<int64_t> constant = getConstant(sub.getRhs());
    if (!constant) {
      return std::nullopt;
    }
    start = *constant;
    value = sub.getLhs();
  }
  auto index = value.getDefiningOp<linalg::IndexOp>();
  return index ? std::optional(PartIndex{unsigned(index.getDim()), start})
               : std::nullopt;
}

/// Returns whether `read` reads its tensor, of `type`'s shape but along `dim`,
/// at the op's own position, along `dim` from `start` on.
static bool readsPart(tensor::ExtractOp read, RankedTensorType type,
                      const PartIndex &along, int64_t size) {
  RankedTensorType part = read.getTensor().getType();
  if (part.getRank() != type.getRank() || part.getDimSize(along.dim) != size) {
    return false;
  }
  for (auto [dim, value] : llvm::enumerate(read.getIndices())) {
    bool isAlong = dim == along.dim;
    if (!isAlong && part.getDimSize(dim) != type.getDimSize(dim)) {
      return false;
    }
    std::optional<PartIndex> index = matchIndex(value);
    bool isOwn = index && index->dim == dim &&
                 index->start == (isAlong ? along.start : 0);
    // Along dims of one element positions are zero.
    bool isZero = part.getDimSize(dim) == 1 && getConstant(value) == 0;
    if (!isOwn && !isZero) {
      return false;
    }
  }
  return true;
}

/// Matches `branch`, which reads a part where its condition holds, and else is
/// what its `else` region yields.
static std::optional<ConcatenatedPart> matchPart(LinalgOp op, scf::IfOp branch,
                                                 unsigned &dim) {
  bool guards = branch.getNumResults() == 1 && branch.elseBlock() &&
                branch.thenBlock()->getOperations().size() == 2 &&
                branch.elseBlock()->getOperations().size() == 1;
  auto read = guards ? dyn_cast<tensor::ExtractOp>(branch.thenBlock()->front())
                     : tensor::ExtractOp();
  auto compare = branch.getCondition().getDefiningOp<arith::CmpIOp>();
  if (!read || branch.thenYield().getOperand(0) != read.getResult() ||
      !compare) {
    return std::nullopt;
  }
  std::optional<PartIndex> along = matchIndex(compare.getLhs());
  std::optional<int64_t> size = getConstant(compare.getRhs());
  // `< 1` may have become `== 0`.
  if (compare.getPredicate() == arith::CmpIPredicate::eq && size == 0) {
    size = 1;
  } else if (compare.getPredicate() != arith::CmpIPredicate::ult) {
    return std::nullopt;
  }
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Operation *maker = read.getTensor().getDefiningOp();
  if (!along || !size || (maker && op->isProperAncestor(maker)) ||
      !readsPart(read, type, *along, *size)) {
    return std::nullopt;
  }
  dim = along->dim;
  return ConcatenatedPart{read.getTensor(), along->start, *size};
}

std::optional<Concatenation> fusion::matchConcatenation(LinalgOp op) {
  if (!isa<linalg::GenericOp>(op) || !op.hasPureTensorSemantics() ||
      op.getNumDpsInputs() != 0 || op.getNumDpsInits() != 1 ||
      !op.isAllParallelLoops() ||
      !op.getIndexingMapsArray().front().isIdentity()) {
    return std::nullopt;
  }
  Concatenation joined;
  Value element = op.getBlock()->getTerminator()->getOperand(0);
  // Where no condition holds nothing is read: the rest is anything.
  while (auto branch = element.getDefiningOp<scf::IfOp>()) {
    unsigned dim = 0;
    std::optional<ConcatenatedPart> part = matchPart(op, branch, dim);
    if (!part || (!joined.parts.empty() && joined.dim != dim)) {
      return std::nullopt;
    }
    joined.dim = dim;
    joined.parts.push_back(*part);
    element = branch.elseYield().getOperand(0);
  }
  llvm::sort(joined.parts,
             [](const ConcatenatedPart &a, const ConcatenatedPart &b) {
               return a.start < b.start;
             });
  int64_t end = 0;
  for (const ConcatenatedPart &part : joined.parts) {
    if (part.start != end || part.size <= 0) {
      return std::nullopt;
    }
    end += part.size;
  }
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  bool isAll = joined.parts.size() > 1 && type.getDimSize(joined.dim) == end;
  return isAll ? std::optional(std::move(joined)) : std::nullopt;
}
