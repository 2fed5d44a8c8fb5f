//===- SoftmaxProducts.cpp - attention in a group -------------------------===//

#include "Kernels.h"
#include "fusion/Analysis/HalfFloats.h"
#include "fusion/Analysis/OnlineSoftmax.h"
#include "fusion/Tile/IR/Tile.h"

using namespace mlir;
using namespace mlir::fusion;

/// Adds the numbers of `ops` in the group, with their inputs `operands`;
/// returns whether all are there.
static bool addMembers(const Group &group, ArrayRef<linalg::LinalgOp> ops,
                       ArrayRef<unsigned> operands,
                       SmallVectorImpl<std::pair<int64_t, unsigned>> &members) {
  for (auto [op, input] : llvm::zip_equal(ops, operands)) {
    std::optional<int64_t> member = group.find(op);
    if (!member) {
      return false;
    }
    members.push_back({*member, input});
  }
  return true;
}

/// Finds the ops and dims of `pattern` in the group.
static std::optional<SoftmaxProducts> locate(const Group &group,
                                             const OnlineSoftmax &pattern) {
  SoftmaxProducts found;
  std::pair<Operation *, int64_t *> wanted[] = {
      {pattern.scores, &found.scores},
      {pattern.rowMax, &found.rowMax},
      {pattern.rowSum, &found.rowSum},
      {pattern.exponential, &found.exponential},
      {pattern.values, &found.values},
      {pattern.shift->getOwner(), &found.shiftOp}};
  for (auto [op, number] : wanted) {
    std::optional<int64_t> member = group.find(op);
    if (!member) {
      return std::nullopt;
    }
    *number = *member;
  }
  found.shiftInput = pattern.shift->getOperandNumber();
  found.exp = pattern.exp;
  if (!addMembers(group, pattern.chain, pattern.chainOperands, found.chain) ||
      !addMembers(group, pattern.guards, pattern.guardOperands, found.guards)) {
    return std::nullopt;
  }
  found.weights = pattern.weights;
  const GroupMember &scores = group.ops[found.scores];
  const GroupMember &values = group.ops[found.values];
  SmallVector<int64_t> n = group.getReducedDims(group.ops[found.rowMax]);
  SmallVector<int64_t> k = group.getReducedDims(scores);
  if (n.size() != 1 || k.size() != 1) {
    return std::nullopt;
  }
  found.q = llvm::is_contained(scores.inputs[0].getUsedDims(), n[0]) ? 1 : 0;
  SmallVector<int64_t> m = scores.getOwnDims(found.q);
  SmallVector<int64_t> keys = scores.getOwnDims(1 - found.q);
  SmallVector<int64_t> d = values.getOwnDims(1 - found.weights);
  if (m.empty() || keys != n || d.size() != 1) {
    return std::nullopt;
  }
  if (pattern.bounded) {
    std::optional<int64_t> member = group.find(pattern.bounded);
    if (member) {
      found.boundDim = group.ops[*member].loops[pattern.rowLoop];
      found.beyond = pattern.beyond;
    }
  }
  found.m = group.getLargest(m);
  found.n = n[0];
  found.k = k[0];
  found.d = d[0];
  return found;
}

std::optional<SoftmaxProducts>
mlir::fusion::matchSoftmaxProducts(const Group &group) {
  for (const GroupMember &member : group.ops) {
    linalg::GenericOp op = member.op;
    if (!op) {
      continue;
    }
    FusionDecision refusal = FusionDecision::allow();
    auto pattern =
        matchOnlineSoftmax(cast<linalg::LinalgOp>(op.getOperation()), refusal);
    if (pattern) {
      return locate(group, *pattern);
    }
  }
  return std::nullopt;
}

OnlineSoftmaxShape SoftmaxProducts::getShape(const Group &group) const {
  OnlineSoftmaxShape shape;
  shape.m = group.dims[m].size;
  shape.n = group.dims[n].size;
  shape.k = group.dims[k].size;
  shape.d = group.dims[d].size;
  shape.batch = group.getBatch({m, n, k, d});
  Type type = group.ops[scores].inputs[0].getElementType();
  shape.elementBytes = tile::getElementBytes(type);
  shape.halfFloats = isHalfFloat(type);
  return shape;
}

std::array<const GroupOperand *, 3>
SoftmaxProducts::getFactors(const Group &group) const {
  return {&group.ops[scores].inputs[0], &group.ops[scores].inputs[1],
          &group.ops[values].inputs[1 - weights]};
}

/// Returns what the group stores, and what that is computed from other than
/// through `factors`.
static SmallVector<bool> findStored(const Group &group,
                                    ArrayRef<const GroupOperand *> factors) {
  SmallVector<bool> stored(group.ops.size(), false);
  for (int64_t number = group.ops.size(); number-- > 0;) {
    const GroupMember &op = group.ops[number];
    stored[number] = stored[number] || op.isStore();
    if (!stored[number]) {
      continue;
    }
    for (auto *operands : {&op.inputs, &op.inits}) {
      for (const GroupOperand &operand : *operands) {
        if (operand.producer >= 0 && !llvm::is_contained(factors, &operand)) {
          stored[operand.producer] = true;
        }
      }
    }
  }
  return stored;
}

SmallVector<bool>
mlir::fusion::findOperandOps(const Group &group,
                             const SoftmaxProducts &products) {
  auto factors = products.getFactors(group);
  SmallVector<bool> stored = findStored(group, factors);
  SmallVector<int64_t> makers;
  for (const GroupOperand *factor : factors) {
    if (factor->producer >= 0) {
      makers.push_back(factor->producer);
    }
  }
  SmallVector<bool> found(group.ops.size(), false);
  for (int64_t number :
       group.collectNeeded(makers, [](int64_t) { return true; })) {
    found[number] = !stored[number];
  }
  return found;
}

void mlir::fusion::dropColumnsOfRows(Group &group, int64_t n) {
  SmallVector<bool> alongRows(group.ops.size(), false);
  for (auto [number, member] : llvm::enumerate(group.ops)) {
    linalg::GenericOp op = member.op;
    if (!op || group.isReduction(member)) {
      alongRows[number] = llvm::is_contained(group.getReducedDims(member), n);
      continue;
    }
    bool varies = llvm::any_of(member.inputs, [&](const GroupOperand &input) {
      return llvm::is_contained(input.getUsedDims(), n) &&
             (input.producer < 0 || !alongRows[input.producer]);
    });
    ArrayRef<int64_t> loops = member.loops;
    op.walk(
        [&](linalg::IndexOp index) { varies |= loops[index.getDim()] == n; });
    if (varies) {
      continue;
    }
    alongRows[number] = true;
    for (int64_t &loop : member.loops) {
      loop = loop == n ? kUnitDim : loop;
    }
  }
}
