//===- OperandCopies.cpp - copies of operands by all threads --------------===//

#include "fusion/Tile/Divisibility.h"
#include "fusion/Tile/DotLoop.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include <numeric>

using namespace mlir;
using namespace mlir::fusion::tile;

/// What is known of the address of each row of `operand`, in bytes: arrays
/// start at multiples of 16 and are dense, so rows start at multiples of the
/// innermost dim; the offset within the row counts too.
static int64_t rowAlignment(DotOperand &operand) {
  LoadOp load = operand.load;
  auto memref = cast<MemRefType>(load.getMemref().getType());
  int64_t bytes = getElementBytes(memref.getElementType());
  int64_t inner = memref.getShape().back();
  if (ShapedType::isDynamic(inner) || load.getDims().back() < 0) {
    return bytes;
  }
  int64_t offset = getKnownDivisor(load.getIndices().back());
  return std::gcd<int64_t>(16, std::gcd(inner, offset) * bytes);
}

/// The map of `window` when its tile dims are exchanged.
static AffineMap swapTileDims(LoadWindowOp window) {
  ArrayRef<int64_t> parts = window.getParts();
  MLIRContext *context = window.getContext();
  SmallVector<AffineExpr> images;
  for (int64_t i = 0; i < parts[0]; ++i) {
    images.push_back(getAffineDimExpr(parts[1] + i, context));
  }
  for (int64_t i = 0; i < parts[1]; ++i) {
    images.push_back(getAffineDimExpr(i, context));
  }
  AffineMap map = window.getMap();
  return map.replaceDimsAndSymbols(images, {}, map.getNumDims(), 0);
}

/// Emits the copy of what `operand`, a window, reads.
static void emitWindowCopy(OpBuilder &builder, DotOperand &operand, Value ring,
                           Value stage, const IRMapping &mapping) {
  LoadWindowOp window = operand.window;
  auto remap = [&](ValueRange values) {
    return llvm::map_to_vector(
        values, [&](Value v) { return mapping.lookupOrDefault(v); });
  };
  SmallVector<Value> offsets = remap(window.getOffsets());
  SmallVector<Value> limits = remap(window.getLimits());
  SmallVector<bool> inBounds(window.getInBounds());
  SmallVector<int64_t> parts(window.getParts()), sizes(window.getSizes());
  AffineMap map = window.getMap();
  if (operand.rowDim == 1) {
    std::swap(offsets[0], offsets[1]);
    std::swap(limits[0], limits[1]);
    std::swap(inBounds[0], inBounds[1]);
    map = swapTileDims(window);
    std::rotate(sizes.begin(), sizes.begin() + parts[0], sizes.end());
    std::swap(parts[0], parts[1]);
  }
  CopyWindowOp::create(builder, window.getLoc(), window.getMemref(),
                       remap(window.getIndices()), remap(window.getExtents()),
                       offsets, limits, ring, stage, window.getChecked(),
                       inBounds, parts, sizes, map);
}

void mlir::fusion::tile::emitCopy(OpBuilder &builder, DotOperand &operand,
                                  Value ring, Value stage,
                                  const IRMapping &mapping) {
  if (operand.window) {
    emitWindowCopy(builder, operand, ring, stage, mapping);
    return;
  }
  LoadOp load = operand.load;
  SmallVector<Value> indices = llvm::map_to_vector(
      load.getIndices(), [&](Value v) { return mapping.lookupOrDefault(v); });
  SmallVector<int64_t> dims(load.getDims());
  for (int64_t &dim : dims) {
    dim = dim < 0 ? -1 : dim == operand.rowDim ? 0 : 1;
  }
  CopyAsyncOp::create(builder, load.getLoc(), load.getMemref(), indices, ring,
                      stage, dims, load.getInBounds(), rowAlignment(operand));
}

/// Whether the steps of `operand` along k are known to be some: there has to be
/// one that may be loaded in place of one that isn't.
static bool hasSteps(LoadWindowOp window, int64_t k) {
  APInt steps;
  return matchPattern(window.getLimits()[k], m_ConstantInt(&steps)) &&
         !steps.isZero();
}

/// Whether no two elements of `operand`'s window lie side by side, aligned,
/// both inside or both outside.
static bool isScattered(DotOperand &operand) {
  LoadWindowOp window = operand.window;
  ArrayRef<int64_t> parts = window.getParts();
  int64_t inner =
      operand.columnDim == 0 ? parts[0] - 1 : parts[0] + parts[1] - 1;
  bool pieces = !window.getChecked().back();
  for (int64_t i = 0, e = window.getSizes().size(); i < e; ++i) {
    int64_t step = getSteps(window.getMap(), i).back();
    pieces &= i == inner ? step == 1 : step % 2 == 0;
  }
  return !pieces;
}

bool mlir::fusion::tile::goesThroughRegisters(DotOperand &operand,
                                              StringRef kind) {
  constexpr int64_t kLeastAsyncBytes = 4;
  if (operand.computed) {
    return true;
  }
  if (operand.type.getElementBytes() >= kLeastAsyncBytes) {
    return false;
  }
  if (!operand.window) {
    return kind == "wgmma" && rowAlignment(operand) < kLeastAsyncBytes;
  }
  int64_t k = operand.kMajor ? operand.columnDim : operand.rowDim;
  return hasSteps(operand.window, k) && isScattered(operand);
}
