//===- DecomposeConvTranspose.cpp - transposed convolutions ---------------===//
//
// Along one dim, with stride s, place p = q * s + r of the untrimmed result is
// the sum over a of input[q - a] * window[a * s + r]. For each r that is a
// convolution of stride 1 with the reversed taps r, r + s, ...; the s of them
// are filters of one convolution, whose results are put side by side.
//
//===----------------------------------------------------------------------===//

#include "fusion/Dialect/Fusion/IR/Fusion.h"
#include "fusion/Dialect/Fusion/Transforms/Decompose.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {

/// One spatial dim of the convolution of stride 1.
struct Phases {
  int64_t stride;    ///< how many places there are side by side
  int64_t taps;      ///< of each of them
  int64_t dilation;  ///< between taps
  int64_t spread;    ///< between the taps of the given window, where stride > 1
  int64_t low, high; ///< padding; negative where elements are not needed
  int64_t skipped;   ///< places before the first one of the result
};

/// Division that rounds down.
int64_t floorDiv(int64_t a, int64_t b) { return llvm::divideFloorSigned(a, b); }

SmallVector<Phases> getPhases(ConvTransposeOp op) {
  SmallVector<Phases> all;
  for (auto [dim, window] : llvm::enumerate(op.getWindow())) {
    int64_t stride = op.getStrides()[dim], given = op.getDilations()[dim];
    int64_t extent = given * (window - 1) + 1;
    Phases phases;
    phases.stride = stride;
    phases.dilation = stride == 1 ? given : 1;
    phases.spread = stride == 1 ? 1 : given;
    phases.taps = stride == 1 ? window : llvm::divideCeil(extent, stride);
    int64_t first = floorDiv(op.getLow()[dim], stride);
    phases.low = (phases.taps - 1) * phases.dilation - first;
    phases.high = floorDiv(extent - 1 - op.getHigh()[dim], stride);
    phases.skipped = op.getLow()[dim] - first * stride;
    all.push_back(phases);
  }
  return all;
}

/// Returns the elements of `value`, a constant, as they lie in memory; nothing
/// where it is none, or one number, or elements are no whole bytes.
ArrayRef<char> getElements(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  auto type = cast<RankedTensorType>(value.getType());
  Type element = type.getElementType();
  if (!constant || !element.isIntOrFloat() ||
      element.getIntOrFloatBitWidth() % 8 != 0) {
    return {};
  }
  ArrayRef<char> bytes;
  auto dense = dyn_cast<DenseElementsAttr>(constant.getValue());
  if (dense && !dense.isSplat()) {
    bytes = dense.getRawData();
  }
  if (auto kept = dyn_cast<DenseResourceElementsAttr>(constant.getValue())) {
    AsmResourceBlob *blob = kept.getRawHandle().getBlob();
    bytes = blob ? blob->getData() : ArrayRef<char>();
  }
  size_t expected =
      type.getNumElements() * (element.getIntOrFloatBitWidth() / 8);
  return bytes.size() == expected ? bytes : ArrayRef<char>();
}

/// Returns a constant of `type` whose elements are `bytes`.
ElementsAttr makeElements(RankedTensorType type, ArrayRef<char> bytes) {
  constexpr size_t kMostInAttribute = 1 << 12;
  if (bytes.size() <= kMostInAttribute) {
    return DenseElementsAttr::getFromRawBuffer(type, bytes);
  }
  return DenseResourceElementsAttr::get(
      type, "filters",
      HeapAsmResourceBlob::allocateAndCopyWithAlign(bytes, /*align=*/64));
}

/// Builds one decomposition.
class PhaseBuilder {
public:
  PhaseBuilder(OpBuilder &builder, ConvTransposeOp op)
      : b(op.getLoc(), builder), op(op), phases(getPhases(op)) {}

  Value build() {
    SmallVector<int64_t> ones(phases.size(), 1), low, high, dilations;
    SmallVector<int64_t> trimLow(2, 0), trimHigh(2, 0);
    for (const Phases &dim : phases) {
      low.push_back(std::max<int64_t>(dim.low, 0));
      high.push_back(std::max<int64_t>(dim.high, 0));
      trimLow.push_back(std::min<int64_t>(dim.low, 0));
      trimHigh.push_back(std::min<int64_t>(dim.high, 0));
      dilations.push_back(dim.dilation);
    }
    Value input = pad(op.getInput(), trimLow, trimHigh);
    Value conv = ConvOp::create(b, input, makeFilters(), ones, dilations, low,
                                high, op.getGroups());
    return interleave(conv);
  }

private:
  /// Pads with zeros, or takes away; nothing where there is nothing to do.
  Value pad(Value input, ArrayRef<int64_t> low, ArrayRef<int64_t> high) {
    auto isZero = [](int64_t entry) { return entry == 0; };
    if (llvm::all_of(low, isZero) && llvm::all_of(high, isZero)) {
      return input;
    }
    auto scalar = RankedTensorType::get({}, getElementTypeOrSelf(input));
    Type element = scalar.getElementType();
    // Unsigned types have no zero attribute.
    TypedAttr zero = isa<FloatType>(element)
                         ? TypedAttr(b.getFloatAttr(element, 0.0))
                         : TypedAttr(IntegerAttr::get(element, 0));
    Value value =
        ConstantOp::create(b, DenseElementsAttr::get(scalar, Attribute(zero)));
    return PadOp::create(b, PadMode::constant, input, value, low, high);
  }

  Value reshape(Value input, ArrayRef<int64_t> shape) {
    return ReshapeOp::create(b, input,
                             getAsIndexOpFoldResult(b.getContext(), shape));
  }

  /// Puts `spread - 1` zeros after each tap, then zeros up to a multiple of the
  /// stride. Works on channels x filters x window.
  Value spreadTaps(Value weights) {
    SmallVector<int64_t> split, joined, before, after, fill, none;
    auto type = cast<RankedTensorType>(weights.getType());
    for (int64_t size : type.getShape().take_front(2)) {
      split.push_back(size);
      joined.push_back(size);
      after.push_back(0);
      fill.push_back(0);
    }
    for (auto [dim, size] : llvm::zip(phases, type.getShape().drop_front(2))) {
      llvm::append_range(split, ArrayRef<int64_t>{size, 1});
      llvm::append_range(after, ArrayRef<int64_t>{0, dim.spread - 1});
      joined.push_back(size * dim.spread);
      fill.push_back(dim.taps * dim.stride - size * dim.spread);
    }
    before.assign(split.size(), 0);
    none.assign(joined.size(), 0);
    if (llvm::any_of(phases,
                     [](const Phases &dim) { return dim.spread > 1; })) {
      weights = reshape(pad(reshape(weights, split), before, after), joined);
    }
    return pad(weights, none, fill);
  }

  /// Returns where the element of the given filters lies that is the one of
  /// `makeFilters` at `position`: its filter of a group with the strides, its
  /// channel and its taps; nothing where that is a zero.
  std::optional<int64_t> getGivenPosition(int64_t group, int64_t filter,
                                          ArrayRef<int64_t> places,
                                          int64_t channel,
                                          ArrayRef<int64_t> taps) {
    ArrayRef<int64_t> given = op.getWeights().getType().getShape();
    int64_t position = group * (given[0] / int64_t(op.getGroups())) + channel;
    position = position * given[1] + filter;
    for (auto [dim, place, tap, window] :
         llvm::zip_equal(phases, places, taps, given.drop_front(2))) {
      int64_t at = (dim.taps - 1 - tap) * dim.stride + place;
      if (at % dim.spread != 0 || at / dim.spread >= window) {
        return std::nullopt;
      }
      position = position * window + at / dim.spread;
    }
    return position;
  }

  /// What `makeFilters` makes of the constant whose elements are `bytes`.
  Value moveConstant(ArrayRef<char> bytes) {
    auto givenType = cast<RankedTensorType>(op.getWeights().getType());
    ArrayRef<int64_t> given = givenType.getShape();
    int64_t width = givenType.getElementTypeBitWidth() / 8;
    // Groups, filters, places; channels, taps.
    int64_t groups = op.getGroups();
    SmallVector<int64_t> sizes = {groups, given[1]};
    SmallVector<int64_t> shape = {groups * given[1], given[0] / groups};
    size_t count = phases.size();
    for (const Phases &dim : phases) {
      sizes.push_back(dim.stride);
      shape[0] *= dim.stride;
      shape.push_back(dim.taps);
    }
    llvm::append_range(sizes, ArrayRef<int64_t>(shape).drop_front());
    auto type = RankedTensorType::get(shape, givenType.getElementType());
    std::vector<char> moved(type.getNumElements() * width, 0);
    SmallVector<int64_t> at(sizes.size());
    for (int64_t element = 0; element < type.getNumElements(); ++element) {
      int64_t rest = element;
      for (size_t dim = sizes.size(); dim-- > 0;) {
        at[dim] = rest % sizes[dim];
        rest /= sizes[dim];
      }
      ArrayRef<int64_t> all(at);
      std::optional<int64_t> from =
          getGivenPosition(at[0], at[1], all.slice(2, count), at[2 + count],
                           all.take_back(count));
      if (from) {
        llvm::copy(bytes.slice(*from * width, width),
                   moved.begin() + element * width);
      }
    }
    return ConstantOp::create(b, type, makeElements(type, moved));
  }

  /// From channels x filters of a group x window to the filters of a `conv`:
  /// groups, filters of a group and strides x channels of a group x taps.
  Value makeFilters() {
    int64_t groups = op.getGroups();
    ArrayRef<int64_t> given = op.getWeights().getType().getShape();
    if (ArrayRef<char> bytes = getElements(op.getWeights()); !bytes.empty()) {
      return moveConstant(bytes);
    }
    Value weights = spreadTaps(op.getWeights());
    SmallVector<int64_t> split = {groups, given[0] / groups, given[1]};
    SmallVector<int64_t> starts(3, 0), steps(3, 1), perm = {0, 2}, taps = {1};
    SmallVector<int64_t> filters = {groups * given[1], given[0] / groups};
    for (const Phases &dim : phases) {
      int64_t position = split.size();
      llvm::append_range(split, ArrayRef<int64_t>{dim.taps, dim.stride});
      llvm::append_range(starts, ArrayRef<int64_t>{dim.taps - 1, 0});
      llvm::append_range(steps, ArrayRef<int64_t>{-1, 1});
      perm.push_back(position + 1);
      taps.push_back(position);
      filters[0] *= dim.stride;
      filters.push_back(dim.taps);
    }
    llvm::append_range(perm, taps);
    weights = reshape(weights, split);
    MLIRContext *context = b.getContext();
    weights =
        SliceOp::create(b, weights, getAsIndexOpFoldResult(context, starts),
                        getAsIndexOpFoldResult(context, split), steps);
    weights = TransposeOp::create(b, weights, perm);
    return reshape(weights, filters);
  }

  /// Puts the places that are filters of `conv` side by side, and leaves out
  /// those that the result does not have.
  Value interleave(Value conv) {
    auto isOne = [](const Phases &dim) { return dim.stride == 1; };
    if (llvm::all_of(phases, isOne)) {
      return conv;
    }
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(b, b.getLoc(), conv);
    int64_t filters = op.getResult().getType().getDimSize(1);
    SmallVector<OpFoldResult> split = {sizes[0], b.getIndexAttr(filters)};
    SmallVector<OpFoldResult> joined = split;
    SmallVector<int64_t> perm = {0, 1}, skipped = {0, 0};
    int64_t count = phases.size();
    for (auto [index, dim] : llvm::enumerate(phases)) {
      split.push_back(b.getIndexAttr(dim.stride));
      perm.push_back(2 + count + index);
      perm.push_back(2 + index);
      skipped.push_back(dim.skipped);
      joined.push_back(multiply(sizes[2 + index], dim.stride));
    }
    llvm::append_range(split, ArrayRef(sizes).drop_front(2));
    Value places = ReshapeOp::create(b, conv, ArrayRef(split));
    places = TransposeOp::create(b, places, perm);
    places = ReshapeOp::create(b, places, ArrayRef(joined));
    ReifiedRankedShapedTypeDims shapes;
    (void)op.reifyResultShapes(b, shapes);
    SmallVector<int64_t> steps(2 + count, 1);
    return SliceOp::create(b, places,
                           getAsIndexOpFoldResult(b.getContext(), skipped),
                           ArrayRef(shapes.front()), steps);
  }

  OpFoldResult multiply(OpFoldResult size, int64_t factor) {
    if (std::optional<int64_t> known = getConstantIntValue(size)) {
      return b.getIndexAttr(*known * factor);
    }
    Value by = arith::ConstantIndexOp::create(b, factor);
    return getAsOpFoldResult(
        b.createOrFold<arith::MulIOp>(cast<Value>(size), by));
  }

  ImplicitLocOpBuilder b;
  ConvTransposeOp op;
  SmallVector<Phases> phases;
};

struct DecomposeConvTranspose : OpRewritePattern<ConvTransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ConvTransposeOp op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, PhaseBuilder(rewriter, op).build());
    return success();
  }
};

} // namespace

void fusion::populateDecomposeConvTransposePatterns(
    RewritePatternSet &patterns) {
  patterns.add<DecomposeConvTranspose>(patterns.getContext());
}
