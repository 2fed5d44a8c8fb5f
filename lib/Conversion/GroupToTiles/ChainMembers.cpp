//===- ChainMembers.cpp - a contraction of a contraction in a group -------===//

#include "Kernels.h"
#include "fusion/Analysis/ChainedProducts.h"

using namespace mlir;
using namespace mlir::fusion;

/// Sorts `dims` as they come in the array that the group stores, outermost
/// first; those that it has not come first.
static void sortAsStored(const Group &group, SmallVectorImpl<int64_t> &dims) {
  for (const GroupMember &op : group.ops) {
    if (op.isStore()) {
      ArrayRef<int64_t> stored = op.destination.dims;
      llvm::sort(dims, [&](int64_t a, int64_t b) {
        auto place = [&](int64_t dim) {
          const int64_t *at = llvm::find(stored, dim);
          return std::pair(at == stored.end() ? -1 : at - stored.begin(), dim);
        };
        return place(a) < place(b);
      });
      return;
    }
  }
}

/// Finds the dims of the products `found.first` and `found.second`.
static bool locateDims(const Group &group, ChainMembers &found) {
  const GroupMember &first = group.ops[found.first];
  const GroupMember &second = group.ops[found.second];
  SmallVector<int64_t> k = group.getReducedDims(first);
  SmallVector<int64_t> r = group.getReducedDims(second);
  if (k.size() != 1 || r.size() != 1) {
    return false;
  }
  found.k = k[0];
  found.r = r[0];
  found.left =
      llvm::is_contained(first.inputs[0].getUsedDims(), found.r) ? 1 : 0;
  SmallVector<int64_t> left = first.getOwnDims(found.left);
  SmallVector<int64_t> rows =
      llvm::filter_to_vector(second.getOwnDims(found.middle), [&](int64_t dim) {
        return llvm::is_contained(left, dim);
      });
  SmallVector<int64_t> columns = second.getOwnDims(1 - found.middle);
  bool both = llvm::all_of(second.inputs, [&](const GroupOperand &input) {
    return llvm::is_contained(input.getUsedDims(), found.r);
  });
  bool bothSummed = llvm::all_of(first.inputs, [&](const GroupOperand &input) {
    return llvm::is_contained(input.getUsedDims(), found.k);
  });
  if (rows.empty() || columns.empty() || !both || !bothSummed ||
      llvm::is_contained(left, found.r)) {
    return false;
  }
  found.m = group.getLargest(rows);
  sortAsStored(group, columns);
  found.n = columns.pop_back_val();
  found.outerColumns = std::move(columns);
  return !llvm::is_contained(found.outerColumns, found.k);
}

/// Whether the first contraction and the second operand of the second are read
/// from memory.
static bool readsMemory(const Group &group, const ChainMembers &found) {
  const GroupMember &first = group.ops[found.first];
  const GroupMember &second = group.ops[found.second];
  auto fromMemory = [](const GroupOperand &operand) {
    return operand.memory && !operand.isWindow();
  };
  return llvm::all_of(first.inputs, fromMemory) &&
         fromMemory(second.inputs[1 - found.middle]) &&
         second.inputs[found.middle].producer >= 0;
}

std::optional<ChainMembers> mlir::fusion::matchChain(const Group &group) {
  for (const GroupMember &member : group.ops) {
    linalg::GenericOp op = member.op;
    if (!op) {
      continue;
    }
    SmallVector<ChainRefusal> refusals;
    std::optional<ChainedProducts> pattern = matchChainedProducts(
        cast<linalg::LinalgOp>(op.getOperation()), refusals);
    if (!pattern) {
      continue;
    }
    ChainMembers found;
    std::optional<int64_t> first = group.find(pattern->first);
    std::optional<int64_t> second = group.find(pattern->second);
    if (!first || !second) {
      return std::nullopt;
    }
    found.first = *first;
    found.second = *second;
    found.middle = pattern->middle;
    bool fits = locateDims(group, found) && readsMemory(group, found);
    return fits ? std::optional(found) : std::nullopt;
  }
  return std::nullopt;
}
