//===- Window.h - reads of windows and of padded tensors --------*- C++ -*-===//
//
// A convolution or a pooling reads an operand at sums of loops, such as
// `place * stride + element * dilation`, often from a copy that is padded all
// around. Both are told here from maps and bodies, never from names.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_ANALYSIS_WINDOW_H
#define FUSION_ANALYSIS_WINDOW_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::fusion {

/// `loop * step`.
struct WindowTerm {
  unsigned loop;
  int64_t step;
};

/// The sum of some terms and `start`; each loop occurs once.
struct WindowPosition {
  SmallVector<WindowTerm, 2> terms;
  int64_t start = 0;
};

/// Reads each result of `map` as a sum of loops; nothing where one is
/// something else (a quotient, a symbol).
std::optional<SmallVector<WindowPosition>> matchWindow(AffineMap map);

/// Returns whether `map` indexes every dim by a loop of its own or by zero.
bool isPlainRead(AffineMap map);

/// Returns whether `op` reduces over windows: it reads an operand at sums of
/// loops (or is a matrix product, of windows of one element), all its parallel
/// loops index its one result, and one associative op combines.
bool isWindowReduction(linalg::LinalgOp op);

/// Returns whether `op` sums products of its two inputs, of which each has
/// parallel loops that the other has not: a matrix product, of windows perhaps.
bool isMatrixProduct(linalg::LinalgOp op);

/// An elementwise op that reads `source` at its own indices less `low`, and
/// where that is not below `extents` (null: not looked at) is `outside`.
struct PaddedRead {
  Value source;
  SmallVector<int64_t> low;
  SmallVector<Value> extents;
  /// A scalar from outside of the op, or what `constant` says.
  Value outside;
  TypedAttr constant;
};

/// Recognises an op that pads a tensor; all its values come from outside of its
/// body or are constants.
std::optional<PaddedRead> matchPaddedRead(linalg::LinalgOp op);

} // namespace mlir::fusion

#endif // FUSION_ANALYSIS_WINDOW_H
