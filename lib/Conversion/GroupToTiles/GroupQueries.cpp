//===- GroupQueries.cpp - what is asked of a group ------------------------===//

#include "Group.h"

using namespace mlir;
using namespace mlir::fusion;

Type GroupOperand::getElementType() const {
  return getElementTypeOrSelf(value.getType());
}

bool GroupOperand::isCut(size_t position) const {
  if (starts.empty()) {
    return false;
  }
  int64_t size = cast<ShapedType>(value.getType()).getDimSize(position);
  return !ShapedType::isDynamic(size) &&
         size != cast<ShapedType>(memory.getType()).getDimSize(position);
}

int64_t GroupOperand::getEnd(size_t position) const {
  int64_t end =
      starts[position] + cast<ShapedType>(value.getType()).getDimSize(position);
  return end == cast<ShapedType>(memory.getType()).getDimSize(position) ? -1
                                                                        : end;
}

SmallVector<int64_t> GroupOperand::getUsedDims() const {
  SmallVector<int64_t> used;
  auto add = [&](int64_t dim) {
    if (dim >= 0 && !llvm::is_contained(used, dim)) {
      used.push_back(dim);
    }
  };
  llvm::for_each(dims, add);
  for (const GroupPosition &position : window) {
    for (const GroupTerm &term : position.terms) {
      add(term.dim);
    }
  }
  return used;
}

SmallVector<int64_t> Group::getDims(const GroupMember &op) const {
  SmallVector<int64_t> all;
  for (int64_t dim : op.loops) {
    if (dim >= 0 && !llvm::is_contained(all, dim)) {
      all.push_back(dim);
    }
  }
  llvm::sort(all);
  return all;
}

SmallVector<int64_t> Group::getReducedDims(const GroupMember &op) const {
  SmallVector<int64_t> reduced;
  if (op.isStore()) {
    return reduced;
  }
  auto iterators = linalg::GenericOp(op.op).getIteratorTypesArray();
  for (auto [dim, type] : llvm::zip_equal(op.loops, iterators)) {
    if (dim >= 0 && type == utils::IteratorType::reduction &&
        !llvm::is_contained(reduced, dim)) {
      reduced.push_back(dim);
    }
  }
  llvm::sort(reduced);
  return reduced;
}

bool Group::isReduction(const GroupMember &op) const {
  return !getReducedDims(op).empty();
}

SmallVector<int64_t> GroupMember::getOwnDims(unsigned one) const {
  SmallVector<int64_t> theirs = inputs[1 - one].getUsedDims();
  return llvm::filter_to_vector(inputs[one].getUsedDims(), [&](int64_t dim) {
    return !llvm::is_contained(theirs, dim);
  });
}

std::optional<int64_t> Group::find(Operation *op) const {
  std::optional<int64_t> found;
  for (auto [number, member] : llvm::enumerate(ops)) {
    if (linalg::GenericOp(member.op).getOperation() != op) {
      continue;
    }
    if (found) {
      return std::nullopt;
    }
    found = number;
  }
  return found;
}

int64_t Group::getLargest(ArrayRef<int64_t> among) const {
  auto size = [&](int64_t dim) {
    int64_t known = dims[dim].size;
    return ShapedType::isDynamic(known) ? INT64_MAX : known;
  };
  return *llvm::max_element(
      among, [&](int64_t a, int64_t b) { return size(a) < size(b); });
}

int64_t Group::getBatch(ArrayRef<int64_t> others) const {
  int64_t batch = 1;
  for (auto [number, dim] : llvm::enumerate(dims)) {
    if (llvm::is_contained(others, int64_t(number))) {
      continue;
    }
    bool dynamic =
        ShapedType::isDynamic(batch) || ShapedType::isDynamic(dim.size);
    batch = dynamic ? ShapedType::kDynamic : batch * dim.size;
  }
  return batch;
}

SmallVector<int64_t>
Group::collectNeeded(ArrayRef<int64_t> members,
                     llvm::function_ref<bool(int64_t)> isComputed) const {
  SmallVector<bool> needed(ops.size(), false);
  for (int64_t number : members) {
    needed[number] = true;
  }
  SmallVector<int64_t> result;
  for (int64_t number = ops.size(); number-- > 0;) {
    if (!needed[number]) {
      continue;
    }
    result.push_back(number);
    for (const GroupOperand &operand : ops[number].inputs) {
      if (operand.producer >= 0 && isComputed(operand.producer)) {
        needed[operand.producer] = true;
      }
    }
  }
  std::reverse(result.begin(), result.end());
  return result;
}
