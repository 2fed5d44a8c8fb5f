//===- LowerPads.cpp - tensor.pad as a linalg op --------------------------===//
//
// Linalg from elsewhere pads with `tensor.pad`. As an elementwise op that reads
// where its position is inside, padding can be grouped, and folded into what
// reads it.
//
//===----------------------------------------------------------------------===//

#include "ElementBody.h"

#include "fusion/Planner/AdoptLinalg.h"
#include "fusion/Planner/FormGroups.h"
#include "fusion/Planner/ReportKept.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::fusion;

/// Returns what stands at `positions`, where `pad` has no element.
static Value makeOutside(tensor::PadOp pad, ElementBody &body,
                         ArrayRef<Value> positions) {
  Block &block = pad.getRegion().front();
  Value constant = pad.getConstantPaddingValue();
  if (constant && constant.getParentBlock() != &block) {
    return constant;
  }
  IRMapping mapping;
  mapping.map(block.getArguments(), positions);
  for (Operation &inner : block.without_terminator()) {
    body.b.clone(inner, mapping);
  }
  return mapping.lookupOrDefault(block.getTerminator()->getOperand(0));
}

/// Replaces `pad` by an elementwise op that reads its value where there is no
/// element.
static void lowerPad(tensor::PadOp pad) {
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
    SmallVector<Value> positions = body.positions(type.getRank());
    SmallVector<Value> indices;
    Value inside;
    for (auto [dim, low, high] : llvm::enumerate(lows, highs)) {
      indices.push_back(body.sub(positions[dim], low));
      if (!isZeroInteger(low) || !isZeroInteger(high)) {
        inside = body.both(inside, body.isInside(indices.back(), extents[dim]));
      }
    }
    Value outside = makeOutside(pad, body, positions);
    return body.readIf(inside, pad.getSource(), indices, outside);
  });
}

/// Returns whether what `pad` pads with is made without effects; upstream calls
/// a padding pure whatever is in its region.
static bool isEffectFree(tensor::PadOp pad) {
  return llvm::all_of(pad.getRegion().front().without_terminator(),
                      [](Operation &op) { return isMemoryEffectFree(&op); });
}

/// Lowers those paddings of `func` that `isLowered` picks; says as `pass` which
/// stay, since their value is made with effects.
static void lowerEach(func::FuncOp func, StringRef pass,
                      function_ref<bool(tensor::PadOp)> isLowered) {
  SmallVector<tensor::PadOp> pads;
  func.walk([&](tensor::PadOp pad) {
    if (!isLowered(pad)) {
      return;
    }
    if (isEffectFree(pad)) {
      pads.push_back(pad);
    } else {
      reportKept(pass, pad, "what it pads with is made with effects");
    }
  });
  llvm::for_each(pads, lowerPad);
}

void fusion::lowerPads(func::FuncOp func) {
  lowerEach(func, "FormGroups", [](tensor::PadOp) { return true; });
}

void fusion::lowerComputedPads(func::FuncOp func) {
  lowerEach(func, "AdoptLinalg", [](tensor::PadOp pad) {
    Value outside = pad.getConstantPaddingValue();
    return !outside || !matchPattern(outside, m_Constant());
  });
}
