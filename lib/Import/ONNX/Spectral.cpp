//===- Spectral.cpp - windows and Fourier transforms ----------------------===//
//
// A transform is a product with a constant matrix: right for the lengths that
// frames of a signal have.
//
//===----------------------------------------------------------------------===//

#include "OpRegistry.h"
#include "Operands.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::onnx;

static constexpr double kTwoPi = 6.283185307179586476925;
/// Constants of more elements are refused.
static constexpr int64_t kMostElements = 1 << 24;

/// The element type that an attribute names by its number.
static FailureOr<Type> readType(NodeImporter &node, StringRef name) {
  int64_t number = node.getInt(name, 1);
  Type type = number > 0 && number <= INT32_MAX
                  ? elementTypeFor(number, node.getBuilder().getContext())
                  : Type();
  if (!type) {
    return node.emitError() << name << " " << number << " is not supported";
  }
  return type;
}

/// The one known integer in an input.
static FailureOr<int64_t> readInteger(NodeImporter &node, unsigned index,
                                      StringRef what) {
  auto given = node.staticIntegers(index, what);
  if (failed(given)) {
    return failure();
  }
  if (given->size() != 1) {
    return node.emitError() << "expected one " << what;
  }
  return given->front();
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// The window sum of `factors[i] * cos(2 pi i n / period)`.
static LogicalResult setWindow(NodeImporter &node, ArrayRef<double> factors) {
  bool isPeriodic = node.getInt("periodic", 1) != 0;
  auto type = readType(node, "output_datatype");
  auto size = readInteger(node, 0, "size");
  if (failed(type) || failed(size)) {
    return failure();
  }
  if (*size < 0 || *size > kMostElements) {
    return node.emitError() << "expected a size of 0 to " << kMostElements
                            << ", but got " << *size;
  }
  // A symmetric window of one place divides by one.
  double period = std::max<double>(isPeriodic ? *size : *size - 1, 1);
  SmallVector<double> window;
  for (int64_t n = 0; n < *size; ++n) {
    double sum = 0;
    for (auto [i, factor] : llvm::enumerate(factors)) {
      sum += factor * std::cos(kTwoPi * i * n / period);
    }
    window.push_back(sum);
  }
  return node.setResult(node.constantTensor(window, *size, *type));
}

static LogicalResult convertHann(NodeImporter &node) {
  return setWindow(node, {0.5, -0.5});
}

static LogicalResult convertHamming(NodeImporter &node) {
  constexpr double kMean = 25.0 / 46;
  return setWindow(node, {kMean, kMean - 1});
}

static LogicalResult convertBlackman(NodeImporter &node) {
  return setWindow(node, {0.42, -0.5, 0.08});
}

//===----------------------------------------------------------------------===//
// MelWeightMatrix
//===----------------------------------------------------------------------===//

/// The bins of the spectrum at which the triangles of the filters begin.
static SmallVector<int64_t> getMelBins(int64_t count, int64_t length,
                                       int64_t rate, double low, double high) {
  auto toMel = [](double hertz) { return 2595 * std::log10(1 + hertz / 700); };
  double first = toMel(low), step = (toMel(high) - first) / (count + 2);
  SmallVector<int64_t> bins;
  for (int64_t i = 0; i < count + 2; ++i) {
    double hertz = 700 * (std::pow(10, (i * step + first) / 2595) - 1);
    bins.push_back(static_cast<int64_t>(
        std::floor((length + 1) * hertz / static_cast<double>(rate))));
  }
  return bins;
}

static LogicalResult convertMelWeightMatrix(NodeImporter &node) {
  auto type = readType(node, "output_datatype");
  auto count = readInteger(node, 0, "num_mel_bins");
  auto length = readInteger(node, 1, "dft_length");
  auto rate = readInteger(node, 2, "sample_rate");
  auto low = readFloat(node, 3, "lower_edge_hertz");
  auto high = readFloat(node, 4, "upper_edge_hertz");
  if (failed(type) || failed(count) || failed(length) || failed(rate) ||
      failed(low) || failed(high)) {
    return failure();
  }
  int64_t bins = *length / 2 + 1;
  if (*count < 1 || *length < 1 || *rate < 1 || *count > kMostElements ||
      *length > kMostElements || bins * *count > kMostElements || *low < 0 ||
      *high < *low) {
    return node.emitError() << "expected positive sizes and edges in order";
  }
  SmallVector<int64_t> edges = getMelBins(*count, *length, *rate, *low, *high);
  if (edges.back() > bins) {
    return node.emitError() << "expected an upper_edge_hertz of at most half "
                               "of the sample_rate";
  }
  SmallVector<double> matrix(bins * *count, 0);
  auto set = [&](int64_t bin, int64_t filter, double value) {
    if (bin < bins) {
      matrix[bin * *count + filter] = value;
    }
  };
  for (int64_t i = 0; i < *count; ++i) {
    auto rise = static_cast<double>(edges[i + 1] - edges[i]);
    auto fall = static_cast<double>(edges[i + 2] - edges[i + 1]);
    set(edges[i + 1], i, 1);
    for (int64_t bin = edges[i]; bin < edges[i + 1]; ++bin) {
      set(bin, i, (bin - edges[i]) / rise);
    }
    for (int64_t bin = edges[i + 1]; bin < edges[i + 2]; ++bin) {
      set(bin, i, (edges[i + 2] - bin) / fall);
    }
  }
  return node.setResult(node.constantTensor(matrix, {bins, *count}, *type));
}

//===----------------------------------------------------------------------===//
// Fourier transforms
//===----------------------------------------------------------------------===//

/// Transforms rows [rows, length * parts], where each place has a real part
/// and, if there are two, an imaginary one, to [rows, bins * 2].
static FailureOr<Tensor> transformRows(NodeImporter &node, const Tensor &rows,
                                       int64_t length, int64_t parts,
                                       int64_t bins, bool inverse) {
  if (length > kMostElements ||
      length * parts > kMostElements / (2 * std::max<int64_t>(bins, 1))) {
    return node.emitError() << "expected a shorter transform, but got a length "
                               "of "
                            << length;
  }
  SmallVector<double> table(length * parts * bins * 2);
  double scale = inverse ? 1.0 / static_cast<double>(length) : 1;
  for (int64_t n = 0; n < length; ++n) {
    for (int64_t k = 0; k < bins; ++k) {
      double angle = kTwoPi * static_cast<double>(n * k % length) /
                     static_cast<double>(length);
      double cosine = scale * std::cos(angle);
      double sine = scale * std::sin(angle) * (inverse ? -1 : 1);
      double *real = &table[(n * parts * bins + k) * 2];
      real[0] = cosine;
      real[1] = -sine;
      if (parts == 2) {
        double *imaginary = real + bins * 2;
        imaginary[0] = sine;
        imaginary[1] = cosine;
      }
    }
  }
  Tensor matrix = node.constantTensor(table, {length * parts, bins * 2},
                                      rows.getElementType());
  return node.multiply(rows, matrix);
}

/// Brings the size of `axis` to `length`: zeros are added, or the rest is left
/// out.
static FailureOr<Tensor> resizeTo(NodeImporter &node, const Tensor &x,
                                  int64_t axis, int64_t length) {
  SmallVector<int64_t> low(x.getRank(), 0), high(x.getRank(), 0);
  high[axis] = length - x.dims[axis].getStatic();
  return node.pad(x, low, high, 0);
}

/// The axis of a transform: an attribute before operator set 20.
static FailureOr<int64_t> readDftAxis(NodeImporter &node, int64_t rank) {
  if (node.getOpset() < 20) {
    return node.normalizeAxis(node.getInt("axis", 1), rank);
  }
  if (!node.hasInput(2)) {
    return node.normalizeAxis(-2, rank);
  }
  auto given = readInteger(node, 2, "axis");
  return failed(given) ? given : node.normalizeAxis(*given, rank);
}

/// Transforms along `axis`, which becomes `bins` long; the last dim holds the
/// parts of a number.
static FailureOr<Tensor> transformAxis(NodeImporter &node, const Tensor &x,
                                       int64_t axis, int64_t bins,
                                       bool inverse) {
  int64_t rank = x.getRank();
  SmallVector<int64_t> perm, back(rank);
  for (int64_t dim = 0; dim + 1 < rank; ++dim) {
    if (dim != axis) {
      perm.push_back(dim);
    }
  }
  perm.append({axis, rank - 1});
  for (auto [position, dim] : llvm::enumerate(perm)) {
    back[dim] = position;
  }
  Tensor moved = node.transpose(x, perm);
  int64_t length = x.dims[axis].getStatic(), parts = x.dims.back().getStatic();
  Dim rows = *checkedProduct(node.getDimTable(),
                             ArrayRef<Dim>(moved.dims).drop_back(2));
  auto flat = node.reshape(moved, {rows, Dim(length * parts)});
  auto product = failed(flat)
                     ? flat
                     : transformRows(node, *flat, length, parts, bins, inverse);
  SmallVector<Dim, 4> dims = moved.dims;
  dims[rank - 2] = bins;
  dims[rank - 1] = 2;
  auto shaped = failed(product) ? product : node.reshape(*product, dims);
  return failed(shaped) ? shaped
                        : FailureOr<Tensor>(node.transpose(*shaped, back));
}

/// Refuses what is no signal of known length along `axis`.
static LogicalResult checkSignal(NodeImporter &node, const Tensor &x,
                                 int64_t axis) {
  int64_t rank = x.getRank();
  bool hasParts = rank >= 2 && (x.dims.back().is(1) || x.dims.back().is(2));
  if (hasParts && axis != rank - 1 && x.dims[axis].isStatic() &&
      isa<FloatType>(x.getElementType())) {
    return success();
  }
  return node.emitError() << "expected real or complex floats (a last dim of 1 "
                             "or 2) and an axis of static size, but got "
                          << x.getType() << " and axis " << axis;
}

static LogicalResult convertDft(NodeImporter &node) {
  bool inverse = node.getInt("inverse", 0) != 0;
  bool oneSided = node.getInt("onesided", 0) != 0;
  auto input = node.tensor(0);
  if (failed(input)) {
    return failure();
  }
  auto axis = readDftAxis(node, input->getRank());
  if (failed(axis) || failed(checkSignal(node, *input, *axis))) {
    return failure();
  }
  if (oneSided && (inverse || input->dims.back().is(2))) {
    return node.emitError()
           << "expected a forward transform of real numbers for onesided";
  }
  FailureOr<int64_t> length = input->dims[*axis].getStatic();
  if (node.hasInput(1)) {
    length = readInteger(node, 1, "dft_length");
  }
  if (failed(length)) {
    return failure();
  }
  if (*length < 1) {
    return node.emitError()
           << "expected a positive dft_length, but got " << *length;
  }
  auto sized = resizeTo(node, node.widen(*input), *axis, *length);
  if (failed(sized)) {
    return failure();
  }
  int64_t bins = oneSided ? *length / 2 + 1 : *length;
  auto result = transformAxis(node, *sized, *axis, bins, inverse);
  return failed(result)
             ? failure()
             : node.setResult(node.narrow(*result, input->getElementType()));
}

/// The length of the frames: given, or that of the window.
static FailureOr<int64_t> readFrameLength(NodeImporter &node) {
  if (node.hasInput(3)) {
    return readInteger(node, 3, "frame_length");
  }
  if (!node.hasInput(2) || node.getDims(2).size() != 1 ||
      !node.getDims(2)[0].isStatic()) {
    return node.emitError()
           << "expected a frame_length or a window of static size";
  }
  return node.getDims(2)[0].getStatic();
}

/// Frames of a signal, [batch, frames, length, parts], times the window where
/// there is one.
static FailureOr<Tensor> makeFrames(NodeImporter &node, const Tensor &signal,
                                    int64_t parts, int64_t frames, int64_t step,
                                    int64_t length) {
  SmallVector<int64_t> places;
  for (int64_t frame = 0; frame < frames; ++frame) {
    for (int64_t i = 0; i < length; ++i) {
      places.push_back(frame * step + i);
    }
  }
  auto shaped =
      node.reshape(signal, {signal.dims[0], signal.dims[1], Dim(parts)});
  auto framed =
      failed(shaped)
          ? shaped
          : node.gather(*shaped, node.constantIndices(places, {frames, length}),
                        1);
  if (failed(framed) || !node.hasInput(2)) {
    return framed;
  }
  auto window = node.tensor(2);
  auto column = failed(window)
                    ? window
                    : node.reshape(node.cast(*window, signal.getElementType()),
                                   {Dim(length), Dim(1)});
  auto wide = failed(column) ? column : node.broadcast(*column, framed->dims);
  return failed(wide) ? wide
                      : FailureOr<Tensor>(node.apply<MulOp>(*framed, *wide));
}

static LogicalResult convertStft(NodeImporter &node) {
  bool oneSided = node.getInt("onesided", 1) != 0;
  auto signal = node.tensor(0);
  auto step = readInteger(node, 1, "frame_step");
  auto length = readFrameLength(node);
  if (failed(signal) || failed(step) || failed(length)) {
    return failure();
  }
  bool isComplex = signal->getRank() == 3 && signal->dims[2].is(2);
  bool isReal = signal->getRank() == 2 ||
                (signal->getRank() == 3 && signal->dims[2].is(1));
  if ((!isComplex && !isReal) || !signal->dims[1].isStatic() ||
      !isa<FloatType>(signal->getElementType()) || (oneSided && isComplex)) {
    return node.emitError() << "expected a signal of floats of static length, "
                               "real if onesided, but got "
                            << signal->getType();
  }
  int64_t size = signal->dims[1].getStatic(), parts = isComplex ? 2 : 1;
  if (*step < 1 || *length < 1 || *length > size) {
    return node.emitError() << "expected a positive frame_step and frames that "
                               "fit into the signal, but got "
                            << *step << " and " << *length;
  }
  int64_t frames = (size - *length) / *step + 1;
  if (frames > kMostElements / *length) {
    return node.emitError() << "expected fewer frames, but got " << frames;
  }
  Tensor x = node.widen(*signal);
  auto framed = makeFrames(node, x, parts, frames, *step, *length);
  if (failed(framed)) {
    return failure();
  }
  int64_t bins = oneSided ? *length / 2 + 1 : *length;
  Dim rows = node.getDimTable().mul(x.dims[0], frames);
  auto flat = node.reshape(*framed, {rows, Dim(*length * parts)});
  auto product = failed(flat)
                     ? flat
                     : transformRows(node, *flat, *length, parts, bins, false);
  SmallVector<Dim, 4> dims = {x.dims[0], frames, bins, 2};
  auto result = failed(product) ? product : node.reshape(*product, dims);
  return failed(result)
             ? failure()
             : node.setResult(node.narrow(*result, signal->getElementType()));
}

void onnx::addSpectralOps(OpRegistry &registry) {
  registry.add("BlackmanWindow", 17, {1, 1}, convertBlackman);
  registry.add("DFT", 17, {1, 2}, convertDft);
  registry.add("DFT", 20, {1, 3}, convertDft);
  registry.add("HammingWindow", 17, {1, 1}, convertHamming);
  registry.add("HannWindow", 17, {1, 1}, convertHann);
  registry.add("MelWeightMatrix", 17, {5, 5}, convertMelWeightMatrix);
  registry.add("STFT", 17, {2, 4}, convertStft);
}
