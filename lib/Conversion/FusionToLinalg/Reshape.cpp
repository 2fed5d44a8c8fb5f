//===- Reshape.cpp - reshape to collapse_shape and expand_shape -----------===//
//
// A reshape becomes a collapse and an expand that meet in the finest shape we
// can show to be common to both: the coarser that is, the less of the reshape
// later stages can look through. Dims are matched from both ends, by static
// sizes and by where dynamic sizes come from; what is left in the middle is one
// dim. A unit dim goes with the dim before it, here and where broadcasts drop
// it, so that the two cancel.
//
//===----------------------------------------------------------------------===//

#include "LinalgBuilder.h"
#include "fusion/Dialect/Fusion/IR/DimOrigin.h"
#include "fusion/Dialect/Fusion/IR/Fusion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/DebugLog.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {

/// Consecutive dims of both shapes that hold the same elements.
struct DimGroup {
  ReassociationIndices from, to;
};

/// Matches the dims of a reshape's input and result.
class DimMatcher {
public:
  explicit DimMatcher(ReshapeOp op)
      : input(op.getInput()), from(op.getInput().getType().getShape()),
        to(op.getResult().getType().getShape()),
        sizes(getMixedValues(to, op.getSizes(), op.getContext())) {}

  /// Returns the groups, in order. Every dim is in one, unless a shape has
  /// none but unit dims (then there is no group).
  SmallVector<DimGroup> match() {
    SmallVector<int64_t> fromDims = getDimsToMatch(from);
    SmallVector<int64_t> toDims = getDimsToMatch(to);
    ArrayRef<int64_t> a = fromDims, b = toDims;
    SmallVector<DimGroup> groups, back;
    while (takeGroup(a, b, /*atFront=*/true, groups)) {
    }
    while (takeGroup(a, b, /*atFront=*/false, back)) {
    }
    if (!a.empty() && !b.empty()) {
      groups.push_back({ReassociationIndices(a), ReassociationIndices(b)});
    }
    llvm::append_range(groups, llvm::reverse(back));
    if (groups.empty()) {
      return groups;
    }
    // What was not matched: unit dims, and dims that must turn out to be.
    spread(from.size(), groups, &DimGroup::from);
    spread(to.size(), groups, &DimGroup::to);
    return groups;
  }

private:
  static SmallVector<int64_t> getDimsToMatch(ArrayRef<int64_t> shape) {
    SmallVector<int64_t> dims;
    for (auto [dim, size] : llvm::enumerate(shape)) {
      if (size != 1) {
        dims.push_back(dim);
      }
    }
    return dims;
  }

  /// Whether dim `i` of the input is known to have the size of dim `j`.
  bool areEqual(int64_t i, int64_t j) {
    return getDimOrigin(input, i) == getDimOrigin(sizes[j]);
  }

  /// Takes the smallest group that is found at one end of `a` and `b` (dims of
  /// the input and of the result). False if none is.
  bool takeGroup(ArrayRef<int64_t> &a, ArrayRef<int64_t> &b, bool atFront,
                 SmallVectorImpl<DimGroup> &groups) {
    if (a.empty() || b.empty()) {
      return false;
    }
    auto pick = [&](ArrayRef<int64_t> dims, size_t index) {
      return dims[atFront ? index : dims.size() - 1 - index];
    };
    size_t usedFrom = 1, usedTo = 1;
    if (!areEqual(pick(a, 0), pick(b, 0))) {
      // Equal products of static sizes.
      int64_t product = from[pick(a, 0)], wanted = to[pick(b, 0)];
      while (product != wanted) {
        if (ShapedType::isDynamic(product) || ShapedType::isDynamic(wanted)) {
          return false;
        }
        bool extendFrom = product < wanted;
        size_t &used = extendFrom ? usedFrom : usedTo;
        if (used == (extendFrom ? a : b).size()) {
          return false;
        }
        int64_t next = extendFrom ? from[pick(a, used)] : to[pick(b, used)];
        if (ShapedType::isDynamic(next)) {
          return false;
        }
        (extendFrom ? product : wanted) *= next;
        ++used;
      }
      if (ShapedType::isDynamic(product)) {
        return false;
      }
    }
    auto take = [&](ArrayRef<int64_t> &dims, size_t count) {
      ReassociationIndices taken(atFront ? dims.take_front(count)
                                         : dims.take_back(count));
      dims = atFront ? dims.drop_front(count) : dims.drop_back(count);
      return taken;
    };
    ReassociationIndices taken = take(a, usedFrom);
    groups.push_back({taken, take(b, usedTo)});
    return true;
  }

  /// Gives each of `rank` dims that is in no group of the side `side` to the
  /// group of the dim before it, or to the first group.
  static void spread(int64_t rank, MutableArrayRef<DimGroup> groups,
                     ReassociationIndices DimGroup::*side) {
    int64_t next = 0;
    for (size_t index : llvm::seq<size_t>(0, groups.size())) {
      bool isLast = index + 1 == groups.size();
      int64_t end = isLast ? rank : (groups[index + 1].*side).front();
      (groups[index].*side) = llvm::to_vector<2>(llvm::seq(next, end));
      next = end;
    }
  }

  TypedValue<RankedTensorType> input;
  ArrayRef<int64_t> from;
  ArrayRef<int64_t> to;
  SmallVector<OpFoldResult> sizes;
};

/// The size of `dims` of `shape` as one dim.
int64_t getProduct(ArrayRef<int64_t> shape, ArrayRef<int64_t> dims) {
  int64_t product = 1;
  for (int64_t dim : dims) {
    if (ShapedType::isDynamic(shape[dim])) {
      return ShapedType::kDynamic;
    }
    product *= shape[dim];
  }
  return product;
}

/// Returns `value` with the static sizes of `shape`; they agree at run time.
Value castTo(ImplicitLocOpBuilder &b, Value value, ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getShape() == shape) {
    return value;
  }
  return tensor::CastOp::create(b, type.clone(shape), value);
}

/// Collapses `input` to one dim per group.
Value collapse(ImplicitLocOpBuilder &b, Value input,
               ArrayRef<DimGroup> groups) {
  auto type = cast<RankedTensorType>(input.getType());
  if (groups.empty()) {
    // A single element, whether the type says so or not.
    input = castTo(b, input, SmallVector<int64_t>(type.getRank(), 1));
  }
  if (static_cast<int64_t>(groups.size()) == type.getRank()) {
    return input;
  }
  SmallVector<ReassociationIndices> reassociation;
  for (const DimGroup &group : groups) {
    reassociation.push_back(group.from);
  }
  return tensor::CollapseShapeOp::create(b, input, reassociation);
}

/// Expands `value`, which has one dim per group, to `type`.
Value expand(ImplicitLocOpBuilder &b, Value value, ArrayRef<DimGroup> groups,
             RankedTensorType type, ArrayRef<OpFoldResult> sizes) {
  SmallVector<int64_t> shape;
  SmallVector<ReassociationIndices> reassociation;
  for (const DimGroup &group : groups) {
    shape.push_back(getProduct(type.getShape(), group.to));
    reassociation.push_back(group.to);
  }
  value = castTo(b, value, shape);
  if (static_cast<int64_t>(groups.size()) == type.getRank()) {
    return value;
  }
  if (groups.empty()) {
    SmallVector<int64_t> ones(type.getRank(), 1);
    SmallVector<OpFoldResult> onesAttr =
        getAsIndexOpFoldResult(b.getContext(), ones);
    value = tensor::ExpandShapeOp::create(b, type.clone(ones), value,
                                          reassociation, onesAttr);
    return castTo(b, value, type.getShape());
  }
  return tensor::ExpandShapeOp::create(b, type, value, reassociation, sizes);
}

struct LowerReshape : OpConversionPattern<ReshapeOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ReshapeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    SmallVector<OpFoldResult> sizes =
        getMixedValues(type.getShape(), adaptor.getSizes(), rewriter);
    RankedTensorType from = op.getInput().getType();
    if (llvm::is_contained(from.getShape(), 0) ||
        llvm::is_contained(type.getShape(), 0)) {
      // No elements: equal products say nothing about the dims.
      rewriter.replaceOp(op, makeEmpty(b, sizes, type.getElementType()));
      return success();
    }
    SmallVector<DimGroup> groups = DimMatcher(op).match();
    LDBG() << op << ": " << groups.size() << " groups of dims";
    Value common = collapse(b, adaptor.getInput(), groups);
    rewriter.replaceOp(op, expand(b, common, groups, type, sizes));
    return success();
  }
};

} // namespace

void fusion::populateReshapePatterns(const TypeConverter &converter,
                                     RewritePatternSet &patterns) {
  patterns.add<LowerReshape>(converter, patterns.getContext());
}
