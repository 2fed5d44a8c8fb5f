//===- LowerPads.cpp - tensor.pad as a linalg op --------------------------===//
//
// Linalg from elsewhere pads with `tensor.pad`. As an elementwise op that reads
// where its position is inside, padding can be grouped, and folded into what
// reads it.
//
//===----------------------------------------------------------------------===//

#include "ElementBody.h"

#include "fusion/Planner/FormGroups.h"

using namespace mlir;
using namespace mlir::fusion;

/// Replaces `pad` by an elementwise op that reads `outside` where there is no
/// element.
static void lowerPad(tensor::PadOp pad, Value outside) {
  ImplicitLocOpBuilder b(pad.getLoc(), pad);
  auto toValue = [&](OpFoldResult size) {
    return getValueOrCreateConstantIndexOp(b, b.getLoc(), size);
  };
  auto add = [&](Value x, OpFoldResult y) -> Value {
    return b.createOrFold<arith::AddIOp>(x, toValue(y));
  };
  RankedTensorType type = pad.getResultType();
  SmallVector<OpFoldResult> lows = pad.getMixedLowPad();
  SmallVector<OpFoldResult> highs = pad.getMixedHighPad();
  // Of the padded tensor, and of the result.
  SmallVector<Value> extents;
  SmallVector<OpFoldResult> shape;
  for (auto [dim, low, high] : llvm::enumerate(lows, highs)) {
    Value extent =
        toValue(tensor::getMixedSize(b, b.getLoc(), pad.getSource(), dim));
    extents.push_back(extent);
    if (!isZeroInteger(low)) {
      low = toValue(low); // outside of the body
    }
    shape.push_back(type.isDynamicDim(dim)
                        ? getAsOpFoldResult(add(add(extent, low), high))
                        : b.getIndexAttr(type.getDimSize(dim)));
  }
  replaceByElements(pad, shape, [&](ElementBody &body) {
    SmallVector<Value> indices;
    Value inside;
    for (auto [dim, low, high] : llvm::enumerate(lows, highs)) {
      indices.push_back(body.sub(body.position(dim), low));
      if (!isZeroInteger(low) || !isZeroInteger(high)) {
        inside = body.both(inside, body.isInside(indices.back(), extents[dim]));
      }
    }
    return body.readIf(inside, pad.getSource(), indices, outside);
  });
}

void fusion::lowerPads(func::FuncOp func) {
  SmallVector<tensor::PadOp> pads;
  func.walk([&](tensor::PadOp pad) { pads.push_back(pad); });
  for (tensor::PadOp pad : pads) {
    // A value that depends on the position stays for others to deal with.
    if (Value outside = pad.getConstantPaddingValue()) {
      lowerPad(pad, outside);
    }
  }
}
