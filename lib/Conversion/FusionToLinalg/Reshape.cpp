//===- Reshape.cpp - reshape to collapse_shape and expand_shape -----------===//
//
// A reshape becomes a collapse and an expand that meet in the finest shape we
// can show to be common to both: the coarser that is, the less of the reshape
// later stages can look through. Dims are matched from both ends, by their
// static sizes and by the values that give the result's dynamic sizes; what is
// left in the middle is one dim.
//
//===----------------------------------------------------------------------===//

#include "LinalgBuilder.h"
#include "fusion/Dialect/Fusion/IR/Fusion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

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
      : input(op.getInput()), from(input.getType().getShape()),
        sizes(getMixedValues(op.getResult().getType().getShape(), op.getSizes(),
                             op.getContext())),
        to(op.getResult().getType().getShape()) {}

  /// Returns the groups, in order. Every dim is in one, unless a shape has
  /// none (then there is no group).
  SmallVector<DimGroup> match() {
    SmallVector<DimGroup> front, back;
    int64_t i = 0, j = 0, iEnd = from.size(), jEnd = to.size();
    while (matchNext(i, iEnd, j, jEnd, /*step=*/1, front)) {
    }
    while (matchNext(i, iEnd, j, jEnd, /*step=*/-1, back)) {
    }
    DimGroup rest;
    llvm::append_range(rest.from, llvm::seq(i, iEnd));
    llvm::append_range(rest.to, llvm::seq(j, jEnd));
    if (!rest.from.empty() && !rest.to.empty()) {
      front.push_back(rest);
    } else if (!front.empty()) {
      // Only unit dims are left, on one side.
      llvm::append_range(front.back().from, rest.from);
      llvm::append_range(front.back().to, rest.to);
    } else if (!back.empty()) {
      rest.from.append(back.back().from);
      rest.to.append(back.back().to);
      back.back() = rest;
    }
    llvm::append_range(front, llvm::reverse(back));
    return front;
  }

private:
  /// Whether dim `i` of the input is known to have the size of dim `j`.
  bool areEqual(int64_t i, int64_t j) {
    if (ShapedType::isStatic(from[i])) {
      return from[i] == to[j];
    }
    auto size = dyn_cast<Value>(sizes[j]);
    auto dim = size ? size.getDefiningOp<tensor::DimOp>() : nullptr;
    return dim && dim.getSource() == input && dim.getConstantIndex() == i;
  }

  /// Matches the smallest group at the front of [i, iEnd) and [j, jEnd), or
  /// (`step` -1) at the back, and shrinks both. False if none is found.
  bool matchNext(int64_t &i, int64_t &iEnd, int64_t &j, int64_t &jEnd,
                 int64_t step, SmallVectorImpl<DimGroup> &groups) {
    int64_t m = iEnd - i, n = jEnd - j;
    int64_t a = step > 0 ? i : iEnd - 1, b = step > 0 ? j : jEnd - 1;
    if (m == 0 || n == 0) {
      return false;
    }
    int64_t usedFrom = 1, usedTo = 1;
    if (!areEqual(a, b)) {
      // Equal products of static sizes. (A zero would match anything.)
      int64_t product = from[a], wanted = to[b];
      if (product <= 0 || wanted <= 0) {
        return false;
      }
      while (product != wanted) {
        bool extendFrom = product < wanted;
        int64_t &used = extendFrom ? usedFrom : usedTo;
        if (used == (extendFrom ? m : n)) {
          return false;
        }
        int64_t next = extendFrom ? from[a + step * used] : to[b + step * used];
        if (next <= 0) {
          return false;
        }
        (extendFrom ? product : wanted) *= next;
        ++used;
      }
    }
    DimGroup group;
    int64_t firstFrom = step > 0 ? i : iEnd - usedFrom;
    int64_t firstTo = step > 0 ? j : jEnd - usedTo;
    llvm::append_range(group.from, llvm::seq(firstFrom, firstFrom + usedFrom));
    llvm::append_range(group.to, llvm::seq(firstTo, firstTo + usedTo));
    groups.push_back(group);
    (step > 0 ? i : iEnd) += step * usedFrom;
    (step > 0 ? j : jEnd) += step * usedTo;
    return true;
  }

  TypedValue<RankedTensorType> input;
  ArrayRef<int64_t> from;
  SmallVector<OpFoldResult> sizes;
  ArrayRef<int64_t> to;
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

/// Collapses `input` to one dim per group.
Value collapse(ImplicitLocOpBuilder &b, Value input,
               ArrayRef<DimGroup> groups) {
  auto type = cast<RankedTensorType>(input.getType());
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
  // Sizes that only one side knows.
  if (cast<RankedTensorType>(value.getType()).getShape() != ArrayRef(shape)) {
    value = tensor::CastOp::create(b, type.clone(shape), value);
  }
  if (static_cast<int64_t>(groups.size()) == type.getRank()) {
    return value;
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
