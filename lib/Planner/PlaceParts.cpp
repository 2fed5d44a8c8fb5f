//===- PlaceParts.cpp - parts of concatenations are written in place ------===//

#include "fusion/Analysis/Concatenation.h"
#include "fusion/Analysis/FusionDecision.h"
#include "fusion/Analysis/IterationSpace.h"
#include "fusion/Analysis/Movement.h"
#include "fusion/Analysis/Renaming.h"
#include "fusion/Dialect/Fusion/IR/Directives.h"
#include "fusion/Planner/FormGroups.h"
#include "fusion/Planner/Passes.h"
#include "fusion/Planner/ReportKept.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::fusion;
using linalg::LinalgOp;

namespace mlir::fusion {
#define GEN_PASS_DEF_PLACEPARTS
#include "fusion/Planner/Passes.h.inc"
} // namespace mlir::fusion

/// Returns the slice that `part` is, along `dim` alone, if it is one.
static std::optional<Slice> getSliceAlong(Value part, unsigned dim) {
  auto op = part.getDefiningOp<LinalgOp>();
  std::optional<Slice> slice =
      op && !op->hasAttr(kNoFuseAttr) ? getSlice(op) : std::nullopt;
  if (!slice) {
    return std::nullopt;
  }
  auto type = cast<ShapedType>(part.getType());
  auto source = cast<ShapedType>(slice->source.getType());
  for (int64_t other = 0; other < type.getRank(); ++other) {
    if (other != dim && type.getDimSize(other) != source.getDimSize(other)) {
      return std::nullopt;
    }
  }
  return slice;
}

/// Makes one part of neighbours that are all of one tensor, cut along `dim`.
static void joinSlices(Concatenation &joined) {
  SmallVector<ConcatenatedPart> parts;
  for (size_t first = 0; first < joined.parts.size();) {
    ConcatenatedPart part = joined.parts[first];
    size_t next = first + 1;
    std::optional<Slice> slice = getSliceAlong(part.tensor, joined.dim);
    int64_t end = slice ? slice->starts[joined.dim] + part.size : 0;
    bool begins = slice && slice->starts[joined.dim] == 0;
    while (begins && next < joined.parts.size()) {
      const ConcatenatedPart &other = joined.parts[next];
      std::optional<Slice> more = getSliceAlong(other.tensor, joined.dim);
      if (!more || more->source != slice->source ||
          more->starts[joined.dim] != end) {
        break;
      }
      end += other.size;
      ++next;
    }
    bool isAll =
        begins &&
        end == cast<ShapedType>(slice->source.getType()).getDimSize(joined.dim);
    if (isAll) {
      part = {slice->source, part.start, end};
    } else {
      next = first + 1;
    }
    parts.push_back(part);
    first = next;
  }
  joined.parts = std::move(parts);
}

/// Returns whether a kernel of its own makes `value`, in `block`: a contraction
/// or a reduction, and elementwise ops on what it makes, position by position.
static bool isMadeByKernel(Value value, Block *block) {
  constexpr size_t kMaxOps = 16;
  llvm::SetVector<Value> values;
  values.insert(value);
  for (size_t at = 0; at < values.size() && at < kMaxOps; ++at) {
    auto op = values[at].getDefiningOp<LinalgOp>();
    if (!op || op->getBlock() != block || op->hasAttr(kNoFuseAttr)) {
      continue;
    }
    OpRole role = getIterationSpace(op).role;
    if (role == OpRole::Contraction || role == OpRole::Window ||
        role == OpRole::Reduction) {
      return true;
    }
    if (role != OpRole::Elementwise) {
      continue;
    }
    AffineMap written =
        op.getIndexingMapMatchingResult(cast<OpResult>(values[at]));
    for (OpOperand *input : op.getDpsInputOperands()) {
      if (isa<RankedTensorType>(input->get().getType()) &&
          op.getMatchingIndexingMap(input) == written) {
        values.insert(input->get());
      }
    }
  }
  return false;
}

using Groups = SmallVector<ReassociationIndices, 4>;

/// Returns whether what lies side by side along `dim` in `whole` also does once
/// the dims of each of `groups` are one.
static bool keepsParts(const Groups &groups, ShapedType whole, unsigned dim) {
  for (const ReassociationIndices &group : groups) {
    if (!llvm::is_contained(group, dim)) {
      continue;
    }
    for (int64_t other : group) {
      bool keeps = other < dim ? whole.getDimSize(other) == 1
                               : other == dim || !whole.isDynamicDim(other);
      if (!keeps) {
        return false;
      }
    }
  }
  return true;
}

/// Returns the dims of `value` by those that a reshape splits, none if no
/// reshape makes it. Where `dim` has one element it is with what follows it.
static Groups getSplit(Value value, unsigned dim) {
  auto expand = value.getDefiningOp<tensor::ExpandShapeOp>();
  Groups groups = expand ? Groups(expand.getReassociationIndices()) : Groups();
  for (size_t i = 0; i + 1 < groups.size(); ++i) {
    ReassociationIndices &group = groups[i];
    auto *from = llvm::find(group, dim);
    bool moves = from != group.begin() && from != group.end() &&
                 llvm::all_of(llvm::make_range(from, group.end()), [&](auto d) {
                   return expand.getResultType().getDimSize(d) == 1;
                 });
    if (moves) {
      groups[i + 1].insert(groups[i + 1].begin(), from, group.end());
      group.erase(from, group.end());
      break;
    }
  }
  return groups;
}

/// Returns the value that a reshape splits into `value`, by `groups`, of which
/// one has `dim`; `value` if there is none.
static Value getUnsplit(Value value, const Groups &groups, unsigned dim) {
  bool splits = !groups.empty() && getSplit(value, dim) == groups;
  return splits ? value.getDefiningOp()->getOperand(0) : value;
}

/// Returns the dims of `joined`, which `op` is, by those that its parts have
/// where kernels make them, if the parts lie side by side there too (stacked
/// ones do along the next dim); none where nothing splits them so.
static Groups findGroups(LinalgOp op, const Concatenation &joined) {
  Groups found;
  for (const ConcatenatedPart &part : joined.parts) {
    auto expand = part.tensor.getDefiningOp<tensor::ExpandShapeOp>();
    if (!isMadeByKernel(expand ? expand.getSrc() : part.tensor,
                        op->getBlock())) {
      continue;
    }
    Groups groups = getSplit(part.tensor, joined.dim);
    if (groups.empty() || (!found.empty() && found != groups)) {
      return {};
    }
    found = std::move(groups);
  }
  auto whole = cast<ShapedType>(op->getResult(0).getType());
  return keepsParts(found, whole, joined.dim) ? found : Groups();
}

/// Returns whether something computes with `value` element by element, and
/// could do so where the parts of `value` are read.
static bool isComputedWith(Value value) {
  SmallVector<Value> pending = {value};
  while (!pending.empty()) {
    for (Operation *user : pending.pop_back_val().getUsers()) {
      if (isRenaming(user)) {
        pending.push_back(user->getResult(0));
        continue;
      }
      auto op = dyn_cast<LinalgOp>(user);
      op = op ? op : user->getParentOfType<LinalgOp>();
      OpRole role = op ? getIterationSpace(op).role : OpRole::Other;
      bool reads = role == OpRole::Elementwise || role == OpRole::Reduction;
      if (reads && !getAbsorbedPadding(op)) {
        return true;
      }
    }
  }
  return false;
}

/// Returns whether the parts of `joined`, which `op` is, should be written
/// where they lie in it, before they are split by `groups`.
static FusionDecision canPlace(LinalgOp op, const Concatenation &joined,
                               const Groups &groups) {
  for (StringRef name : {kNoFuseAttr, kFuseWithAttr, kPinnedScheduleAttr}) {
    if (op->hasAttr(name)) {
      return FusionDecision::forbid("the concatenation is marked with " + name);
    }
  }
  if (!isa<func::FuncOp>(op->getParentOp())) {
    return FusionDecision::forbid(
        "a branch may leave the parts of a concatenation unwritten");
  }
  if (llvm::is_contained(
          cast<ShapedType>(op->getResult(0).getType()).getShape(), 0)) {
    return FusionDecision::forbid("the concatenation has no elements");
  }
  unsigned copied = 0;
  bool arguments = true;
  bool reshaped = false;
  for (const ConcatenatedPart &part : joined.parts) {
    Value tensor = getUnsplit(part.tensor, groups, joined.dim);
    if (!isMadeByKernel(tensor, op->getBlock())) {
      Value source = getRenamedSource(tensor);
      ++copied;
      arguments &= isa<BlockArgument>(source);
      reshaped |= source != tensor && isMadeByKernel(source, op->getBlock());
    }
  }
  if (copied == joined.parts.size() && reshaped) {
    return FusionDecision::forbid(
        "what a kernel makes is reshaped into a part of the concatenation, and "
        "is not known to lie there in one piece");
  }
  if (copied == joined.parts.size()) {
    return FusionDecision::forbid("no kernel makes a part of the concatenation "
                                  "that could write it there");
  }
  if (copied > 1 && !arguments) {
    return FusionDecision::forbid(
        "several parts of the concatenation would be copied, each by a launch");
  }
  if (copied > 0 && isComputedWith(op->getResult(0))) {
    return FusionDecision::forbid("what computes with the concatenation reads "
                                  "its parts in its own kernel");
  }
  return FusionDecision::allow();
}

/// Returns a copy of `part`, whose only reader will be a concatenation.
static Value copyPart(OpBuilder &builder, LinalgOp op, Value part,
                      bool isFirst) {
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(part.getType());
  Value empty = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, part),
      type.getElementType());
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> parallel(type.getRank(),
                                            utils::IteratorType::parallel);
  auto copy = linalg::GenericOp::create(
      builder, loc, empty.getType(), part, empty,
      ArrayRef<AffineMap>{identity, identity}, parallel,
      [](OpBuilder &body, Location loc, ValueRange arguments) {
        linalg::YieldOp::create(body, loc, arguments[0]);
      });
  if (!isFirst) {
    copy->setAttr(kFurtherPartAttr, builder.getUnitAttr());
  }
  return copy->getResult(0);
}

/// Replaces `op` by copies of its parts, which what makes them can do, and a
/// `tensor.concat` of these, all before they are split by `groups`, if any.
static void place(LinalgOp op, const Concatenation &joined,
                  const Groups &groups) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  SmallVector<Value> parts;
  for (const ConcatenatedPart &part : joined.parts) {
    Value tensor = getUnsplit(part.tensor, groups, joined.dim);
    if (!groups.empty() && tensor == part.tensor) {
      tensor = tensor::CollapseShapeOp::create(builder, loc, tensor, groups);
    }
    parts.push_back(copyPart(builder, op, tensor, parts.empty()));
  }
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Value whole;
  if (groups.empty()) {
    whole = tensor::ConcatOp::create(builder, loc, type, joined.dim, parts);
  } else {
    const auto *along = llvm::find_if(groups, [&](ArrayRef<int64_t> group) {
      return llvm::is_contained(group, joined.dim);
    });
    Value flat = tensor::ConcatOp::create(
        builder, loc, tensor::CollapseShapeOp::inferCollapsedType(type, groups),
        along - groups.begin(), parts);
    whole = tensor::ExpandShapeOp::create(
        builder, loc, type, flat, groups,
        tensor::getMixedSizes(builder, loc, op.getDpsInits()[0]));
  }
  op->getResult(0).replaceAllUsesWith(whole);
  op->erase();
}

void fusion::placeParts(func::FuncOp func) {
  SmallVector<LinalgOp> ops;
  func.walk([&](LinalgOp op) { ops.push_back(op); });
  auto opts = remark::RemarkOpts::name("PlaceParts")
                  .category("fusion")
                  .function(func.getName());
  for (LinalgOp op : ops) {
    std::optional<Concatenation> joined = matchConcatenation(op);
    if (!joined) {
      continue;
    }
    joinSlices(*joined);
    Groups groups = findGroups(op, *joined);
    FusionDecision decision = canPlace(op, *joined, groups);
    if (!decision) {
      reportKept("PlaceParts", op, decision.getReason());
      continue;
    }
    remark::passed(op.getLoc(), opts)
        << remark::add("what makes the {0} parts writes them in place",
                       static_cast<int>(joined->parts.size()));
    place(op, *joined, groups);
  }
}

namespace {
struct PlacePartsPass : mlir::fusion::impl::PlacePartsBase<PlacePartsPass> {
  void runOnOperation() override {
    if (!getOperation().isExternal()) {
      placeParts(getOperation());
    }
  }
};
} // namespace
