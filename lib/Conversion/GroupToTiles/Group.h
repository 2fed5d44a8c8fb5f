//===- Group.h - the iteration space of a group -----------------*- C++ -*-===//
//
// A group's ops, each with its loops expressed in dims that the whole group
// shares. Nothing is rewritten here.
//
// Loops of different ops are one dim when a value ties them: the loop that
// writes a dim of an intermediate and the loop that reads it; then, where it
// contradicts nothing, loops that read one argument's dim, and results of one
// shape. A tie that would make two loops of one op the same dim is dropped, and
// that use computes the value again along its own dims (y + transpose(y)). Dims
// of size one vanish. Dims that stand next to each other in every array become
// one.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_CONVERSION_GROUPTOTILES_GROUP_H
#define FUSION_CONVERSION_GROUPTOTILES_GROUP_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

namespace mlir::fusion {

/// A dim of size one, at index zero.
constexpr int64_t kUnitDim = -1;
/// Index zero of a dim of any size.
constexpr int64_t kFirstElement = -2;

/// A dim of memory at a sum of dims (GroupOperand::window).
constexpr int64_t kWindowDim = -3;

/// `step` times the coordinate of part `part` of a group dim.
struct GroupTerm {
  int64_t dim;
  int64_t part;
  int64_t step;
};

/// Where along one dim of memory a window reads: the sum of `terms` and
/// `start`. With `extent` (a scalar of the group function), `outside` is read
/// where that is not in [0, extent).
struct GroupPosition {
  SmallVector<GroupTerm> terms;
  int64_t start = 0;
  Value extent;
};

/// Returns memory of the sizes of `memory` that is no choice
/// (Planner/Choice.h): the host does not know which side a kernel picks.
Value getSizedMemory(Value memory);

/// Where a tensor operand comes from, and the group dim of each of its dims
/// (or kUnitDim, kFirstElement, kWindowDim).
struct GroupOperand {
  Value value;
  SmallVector<int64_t> dims;
  /// One entry for each dim of `memory`, all of them kWindowDim; else empty.
  SmallVector<GroupPosition, 0> window;
  /// Where a slice of `memory` begins along each of its dims; empty where the
  /// operand is all of it. Sizes along dims that are cut are known.
  SmallVector<int64_t, 0> starts;
  /// What a window reads outside of the extents: a scalar of the group
  /// function.
  Value outside;
  /// The window may read some parts of a dim without the others.
  bool readsParts = false;
  /// Exactly one of: an op of the group, memory, a scalar everywhere, or
  /// nothing (the content does not matter).
  int64_t producer = -1;
  unsigned producerResult = 0;
  Value memory;
  Value scalar;
  TypedAttr constant;

  Type getElementType() const;
  bool isWindow() const { return !window.empty(); }
  /// Whether the operand has a part of the dim of memory at `position`.
  bool isCut(size_t position) const;
  /// Where the part ends along the dim of memory at `position`; -1 if that is
  /// where the memory ends.
  int64_t getEnd(size_t position) const;
  /// The group dims that the operand depends on.
  SmallVector<int64_t> getUsedDims() const;
};

/// One op, computed along one choice of dims; or a store (`op` is null).
struct GroupMember {
  linalg::GenericOp op;
  Location loc;
  /// The dim of each loop of `op`.
  SmallVector<int64_t> loops;
  SmallVector<GroupOperand, 0> inputs;
  /// The initial values: used by reductions and by bodies that read them.
  SmallVector<GroupOperand, 0> inits;
  /// For a store: where to, along which dims.
  GroupOperand destination;
  /// A window without memory: outside of its extents the result is its
  /// `outside`, whatever the body makes of what it reads there. Mostly none.
  GroupOperand bounds = {};

  bool isStore() const { return !op; }
  /// The dims that input `one` of a product has and the other has not.
  SmallVector<int64_t> getOwnDims(unsigned one) const;
};

/// A dim shared by the ops of the group. `parts` are the loop classes that were
/// merged, outermost first.
struct GroupDim {
  SmallVector<int64_t> parts;
  SmallVector<int64_t> partSizes;
  int64_t size = 1;
  bool reduced = false;
  /// For each part the argument and its dim that tell a dynamic size, or the
  /// size itself, an index of the group function.
  SmallVector<std::pair<Value, unsigned>> sources;

  /// Whether the host can tell the size.
  bool isSized() const {
    return llvm::all_of(llvm::zip_equal(partSizes, sources), [](auto part) {
      return !ShapedType::isDynamic(std::get<0>(part)) ||
             std::get<1>(part).first;
    });
  }
};

/// Reductions in parts (Planner/SplitReductions.h): dim `part` counts the
/// parts, each of which has `size` elements of the reduced dim `dim`.
struct GroupParts {
  int64_t dim, part, size;
  bool operator==(const GroupParts &other) const {
    return dim == other.dim && part == other.part && size == other.size;
  }
};

/// The analysed group; `func`'s named ops have been generalised.
struct Group {
  func::FuncOp func;
  SmallVector<GroupDim, 0> dims;
  SmallVector<GroupMember, 0> ops;
  /// What reduces the dim then does so part by part.
  std::optional<GroupParts> parts;

  /// All dims of an op, each once, in increasing order.
  SmallVector<int64_t> getDims(const GroupMember &op) const;
  /// Its reduced dims.
  SmallVector<int64_t> getReducedDims(const GroupMember &op) const;
  bool isReduction(const GroupMember &op) const;
  /// The number of `op`, if it is there once.
  std::optional<int64_t> find(Operation *op) const;
  /// The largest of `dims`; one of dynamic size is larger than all others.
  int64_t getLargest(ArrayRef<int64_t> dims) const;
  /// Whether dim `dim` counts parts.
  bool isPart(int64_t dim) const { return parts && parts->part == dim; }
  /// The product of the sizes of all dims but `others`.
  int64_t getBatch(ArrayRef<int64_t> others) const;
  /// The numbers of `members` and of the ops that they are computed from, as
  /// far as `isComputed` holds of these, in order.
  SmallVector<int64_t>
  collectNeeded(ArrayRef<int64_t> members,
                llvm::function_ref<bool(int64_t)> isComputed) const;
};

/// Generalises the named ops of `func` and analyses it; says why it cannot.
FailureOr<Group> analyseGroup(func::FuncOp func);

/// Second half: merges neighbouring dims and numbers them (GroupDims.cpp).
/// `group.ops` hold loop classes; `sizes`, `sources` and `reduced` describe
/// them; `separate` lists classes that a body asks the index of.
struct LoopClasses {
  SmallVector<int64_t> sizes;
  SmallVector<std::pair<Value, unsigned>> sources;
  SmallVector<bool> reduced, separate;
};
void mergeDims(Group &group, const LoopClasses &classes);

} // namespace mlir::fusion

#endif // FUSION_CONVERSION_GROUPTOTILES_GROUP_H
