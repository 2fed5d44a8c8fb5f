//===- LowerPads.cpp - tensor.pad as a linalg op --------------------------===//
//
// Linalg from elsewhere pads with `tensor.pad`. As an elementwise op that reads
// where its position is inside, padding can be grouped, and folded into what
// reads it.
//
//===----------------------------------------------------------------------===//

#include "fusion/Planner/FormGroups.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {
/// What one `tensor.pad` becomes.
class PadLowering {
public:
  PadLowering(tensor::PadOp pad, Value outside)
      : pad(pad), b(pad.getLoc(), pad), outside(outside) {}
  void run();

private:
  Value add(Value x, OpFoldResult y) {
    return b.createOrFold<arith::AddIOp>(
        x, getValueOrCreateConstantIndexOp(b, b.getLoc(), y));
  }
  SmallVector<OpFoldResult> getShape();
  Value emitElement(ImplicitLocOpBuilder &inner);

  tensor::PadOp pad;
  ImplicitLocOpBuilder b;
  Value outside;
  /// Of the padded tensor, and what comes before it (null for nothing).
  SmallVector<Value> extents, lows;
  SmallVector<bool> padded;
};
} // namespace

SmallVector<OpFoldResult> PadLowering::getShape() {
  RankedTensorType type = pad.getResultType();
  SmallVector<OpFoldResult> shape;
  for (auto [dim, low, high] :
       llvm::enumerate(pad.getMixedLowPad(), pad.getMixedHighPad())) {
    bool none = isZeroInteger(low) && isZeroInteger(high);
    Value extent = getValueOrCreateConstantIndexOp(
        b, b.getLoc(),
        tensor::getMixedSize(b, b.getLoc(), pad.getSource(), dim));
    extents.push_back(extent);
    padded.push_back(!none);
    lows.push_back(isZeroInteger(low)
                       ? Value()
                       : getValueOrCreateConstantIndexOp(b, b.getLoc(), low));
    shape.push_back(type.isDynamicDim(dim)
                        ? getAsOpFoldResult(add(add(extent, low), high))
                        : b.getIndexAttr(type.getDimSize(dim)));
  }
  return shape;
}

/// The element at the current position.
Value PadLowering::emitElement(ImplicitLocOpBuilder &inner) {
  SmallVector<Value> indices;
  Value inside;
  for (auto [dim, extent] : llvm::enumerate(extents)) {
    Value index = linalg::IndexOp::create(inner, dim);
    if (lows[dim]) {
      index = arith::SubIOp::create(inner, index, lows[dim]);
    }
    indices.push_back(index);
    if (!padded[dim]) {
      continue;
    }
    // As unsigned numbers, negative ones are large.
    Value fits =
        arith::CmpIOp::create(inner, arith::CmpIPredicate::ult, index, extent);
    inside =
        inside ? arith::AndIOp::create(inner, inside, fits).getResult() : fits;
  }
  auto read = [&](OpBuilder &nested, Location loc) -> Value {
    return tensor::ExtractOp::create(nested, loc, pad.getSource(), indices);
  };
  if (!inside) {
    return read(inner, inner.getLoc());
  }
  auto branch = scf::IfOp::create(
      inner, inside,
      [&](OpBuilder &nested, Location loc) {
        scf::YieldOp::create(nested, loc, read(nested, loc));
      },
      [&](OpBuilder &nested, Location loc) {
        scf::YieldOp::create(nested, loc, outside);
      });
  return branch.getResult(0);
}

void PadLowering::run() {
  SmallVector<OpFoldResult> shape = getShape();
  RankedTensorType type = pad.getResultType();
  Value empty = tensor::EmptyOp::create(b, shape, type.getElementType());
  SmallVector<AffineMap> maps = {b.getMultiDimIdentityMap(type.getRank())};
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      b, empty.getType(), ValueRange(), empty, maps, iterators,
      [&](OpBuilder &nested, Location loc, ValueRange) {
        ImplicitLocOpBuilder inner(loc, nested);
        Value element = emitElement(inner);
        linalg::YieldOp::create(inner, element);
      });
  Value result = generic.getResult(0);
  if (result.getType() != type) {
    result = tensor::CastOp::create(b, type, result);
  }
  pad.getResult().replaceAllUsesWith(result);
  pad.erase();
}

void fusion::lowerPads(func::FuncOp func) {
  SmallVector<tensor::PadOp> pads;
  func.walk([&](tensor::PadOp pad) { pads.push_back(pad); });
  for (tensor::PadOp pad : pads) {
    // A value that depends on the position stays for others to deal with.
    if (Value outside = pad.getConstantPaddingValue()) {
      PadLowering(pad, outside).run();
    }
  }
}
