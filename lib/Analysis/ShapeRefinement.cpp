//===- ShapeRefinement.cpp - what two shapes of a tensor both cut ---------===//

#include "fusion/Analysis/ShapeRefinement.h"

#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {
/// One of the two shapes, worked off from its last dim.
struct Side {
  explicit Side(ArrayRef<int64_t> shape)
      : shape(shape), factors(shape.size(), 0), dim(int64_t(shape.size()) - 1) {
    rest = dim >= 0 ? shape[dim] : 0;
  }

  bool isDone() const { return dim < 0; }
  bool isDynamic() const { return ShapedType::isDynamic(rest); }
  bool isAtUnit() const { return !isDone() && shape[dim] == 1; }

  /// Counts one factor for the dim at hand, else for the first.
  void count() { ++factors[std::max<int64_t>(dim, 0)]; }
  void advance() {
    --dim;
    rest = dim >= 0 ? shape[dim] : 0;
  }
  /// Takes the factor `size` out of the dim at hand.
  void take(int64_t size) {
    count();
    if (rest == size) {
      advance();
    } else if (!isDynamic()) {
      rest /= size;
    }
  }

  ArrayRef<int64_t> shape;
  SmallVector<int64_t> factors; ///< how many for each dim
  int64_t dim;                  ///< the dim at hand
  int64_t rest;                 ///< what is left of it
};
} // namespace

/// Returns whether the dynamic rests of both sides are of one size: what is
/// before them is the same.
static bool areSameRests(const Side &first, const Side &second) {
  return first.shape.take_front(first.dim) ==
             second.shape.take_front(second.dim) &&
         !llvm::is_contained(first.shape.take_front(first.dim),
                             ShapedType::kDynamic);
}

/// Returns the next factor that both sides have, from the right.
static std::optional<int64_t> getFactor(const Side &first, const Side &second) {
  if (first.isDynamic() && second.isDynamic()) {
    return areSameRests(first, second) ? std::optional(ShapedType::kDynamic)
                                       : std::nullopt;
  }
  if (first.isDynamic() || second.isDynamic()) {
    // The rest of a leading dim, whatever it is, has the other's factors.
    const Side &open = first.isDynamic() ? first : second;
    const Side &known = first.isDynamic() ? second : first;
    return open.dim == 0 ? std::optional(known.rest) : std::nullopt;
  }
  int64_t small = std::min(first.rest, second.rest);
  int64_t large = std::max(first.rest, second.rest);
  return large % small == 0 ? std::optional(small) : std::nullopt;
}

std::optional<ShapeRefinement>
fusion::getCommonRefinement(ArrayRef<int64_t> first, ArrayRef<int64_t> second) {
  if (first.empty() || second.empty() || llvm::is_contained(first, 0) ||
      llvm::is_contained(second, 0)) {
    return std::nullopt;
  }
  Side a(first), b(second);
  SmallVector<int64_t> sizes;
  while (!a.isDone() || !b.isDone()) {
    // A dim of size one is a factor of its own, beside any dim of the other.
    if (a.isAtUnit() || b.isAtUnit()) {
      sizes.push_back(1);
      Side &unit = a.isAtUnit() ? a : b;
      Side &other = a.isAtUnit() ? b : a;
      unit.take(1);
      if (other.isAtUnit()) {
        other.take(1);
      } else {
        other.count();
      }
      continue;
    }
    if (a.isDone() || b.isDone()) {
      return std::nullopt;
    }
    std::optional<int64_t> size = getFactor(a, b);
    if (!size) {
      return std::nullopt;
    }
    sizes.push_back(*size);
    a.take(*size);
    b.take(*size);
  }
  return ShapeRefinement{SmallVector<int64_t>(llvm::reverse(sizes)), a.factors,
                         b.factors};
}
