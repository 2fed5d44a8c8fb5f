//===- LowerResultMaps.cpp - results that are parts of an array -----------===//
//
// Linalg from elsewhere may write parts of an array only: a diagonal, a column,
// each second row. What is written is computed as an array of its own, with a
// dim for each loop; an elementwise op puts it where it belongs, and keeps the
// rest.
//
//===----------------------------------------------------------------------===//

#include "ElementBody.h"

#include "fusion/Analysis/IndexingMaps.h"
#include "fusion/Planner/AdoptLinalg.h"
#include "fusion/Planner/ReportKept.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fusion;
using linalg::GenericOp;

namespace {
/// A position along a dim: step * loop + start, or just start.
struct Position {
  std::optional<unsigned> loop;
  int64_t step = 1;
  int64_t start = 0;
};
} // namespace

/// Returns what `expr` says, nothing where it needs more than one loop.
static std::optional<Position> getPosition(AffineExpr expr) {
  Position position;
  if (auto sum = dyn_cast<AffineBinaryOpExpr>(expr);
      sum && sum.getKind() == AffineExprKind::Add) {
    auto start = dyn_cast<AffineConstantExpr>(sum.getRHS());
    if (!start) {
      return std::nullopt;
    }
    position.start = start.getValue();
    expr = sum.getLHS();
  }
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    position.start += constant.getValue();
    return position;
  }
  if (auto product = dyn_cast<AffineBinaryOpExpr>(expr);
      product && product.getKind() == AffineExprKind::Mul) {
    auto step = dyn_cast<AffineConstantExpr>(product.getRHS());
    if (!step || step.getValue() == 0) {
      return std::nullopt;
    }
    position.step = step.getValue();
    expr = product.getLHS();
  }
  if (auto loop = dyn_cast<AffineDimExpr>(expr)) {
    position.loop = loop.getPosition();
    return position;
  }
  return std::nullopt;
}

/// Returns whether `map` gives each dim of `type` a loop of its own, or zero
/// where there is one position: every element is written.
static bool isWhole(AffineMap map, RankedTensorType type) {
  return isProjectedPermutationWithZeros(map) &&
         readsWholeDims(map, type.getShape());
}

namespace {
/// A result of an op that is a part of an array.
struct PartialResult {
  SmallVector<Position> positions; ///< one for each dim of the array
  SmallVector<unsigned> loops;     ///< one for each dim of the part
  SmallVector<OpFoldResult> shape; ///< of the part

  /// Returns the dim of the part that `loop` is.
  unsigned getDim(unsigned loop) const {
    return llvm::find(loops, loop) - loops.begin();
  }
};
} // namespace

/// Returns the part of its array that `init` of `op` is, nothing where loops
/// meet in one dim.
static std::optional<PartialResult> getPart(GenericOp op, OpOperand &init,
                                            OpBuilder &builder) {
  PartialResult part;
  for (AffineExpr expr : op.getMatchingIndexingMap(&init).getResults()) {
    std::optional<Position> position = getPosition(expr);
    if (!position) {
      return std::nullopt;
    }
    part.positions.push_back(*position);
    if (position->loop && !llvm::is_contained(part.loops, *position->loop)) {
      part.loops.push_back(*position->loop);
    }
  }
  SmallVector<Range, 4> ranges = cast<linalg::LinalgOp>(op.getOperation())
                                     .createLoopRanges(builder, op.getLoc());
  for (unsigned loop : part.loops) {
    part.shape.push_back(ranges[loop].size);
  }
  return part;
}

/// Returns what `array` holds where the part is.
static Value readPart(ImplicitLocOpBuilder &b, const PartialResult &part,
                      Value array) {
  auto type = cast<RankedTensorType>(array.getType());
  return makeElements(
      b, type.getElementType(), part.shape, [&](ElementBody &body) {
        SmallVector<Value> indices;
        for (const Position &position : part.positions) {
          OpFoldResult start = b.getIndexAttr(position.start);
          if (!position.loop) {
            indices.push_back(body.value(start));
            continue;
          }
          Value index = body.position(part.getDim(*position.loop));
          OpFoldResult step = b.getIndexAttr(position.step);
          indices.push_back(body.add(body.mul(index, step), start));
        }
        return body.read(array, indices);
      });
}

/// Returns the element of `written`, the part, or of the `array` around it.
static Value readWritten(ElementBody &body, const PartialResult &part,
                         Value written, Value array) {
  auto equals = [&](Value x, int64_t y) -> Value {
    return arith::CmpIOp::create(body.b, arith::CmpIPredicate::eq, x,
                                 body.value(body.b.getIndexAttr(y)));
  };
  SmallVector<Value> here = body.positions(part.positions.size());
  SmallVector<Value> indices(part.loops.size());
  Value inside;
  for (auto [index, position] : llvm::zip_equal(here, part.positions)) {
    if (!position.loop) {
      inside = body.both(inside, equals(index, position.start));
      continue;
    }
    OpFoldResult start = body.b.getIndexAttr(position.start);
    Value way = position.step > 0
                    ? body.sub(index, start)
                    : body.sub(body.value(start), OpFoldResult(index));
    int64_t step = std::abs(position.step);
    if (step != 1) {
      Value by = body.value(body.b.getIndexAttr(step));
      Value rest = arith::RemUIOp::create(body.b, way, by);
      inside = body.both(inside, equals(rest, 0));
      way = arith::DivUIOp::create(body.b, way, by);
    }
    unsigned dim = part.getDim(*position.loop);
    Value hits = indices[dim]
                     ? arith::CmpIOp::create(body.b, arith::CmpIPredicate::eq,
                                             way, indices[dim])
                     : body.isInside(way, part.shape[dim]);
    inside = body.both(inside, hits);
    indices[dim] = indices[dim] ? indices[dim] : way;
  }
  // Nothing is read of an array that holds nothing yet.
  Value outside = array.getDefiningOp<tensor::EmptyOp>()
                      ? arith::ConstantOp::create(
                            body.b, cast<TypedAttr>(body.b.getZeroAttr(
                                        getElementTypeOrSelf(array.getType()))))
                      : body.read(array, here);
  return body.readIf(inside, written, indices, outside);
}

/// Lets `op` make `part` of the array `init` as an array of its own.
static GenericOp makePart(GenericOp op, OpOperand &init,
                          const PartialResult &part) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Value array = init.get();
  auto type = cast<RankedTensorType>(array.getType());
  unsigned number = init.getOperandNumber() - op.getNumDpsInputs();
  SmallVector<Value> outputs = op.getOutputs();
  outputs[number] =
      op.payloadUsesValueFromOperand(&init)
          ? readPart(b, part, array)
          : tensor::EmptyOp::create(b, part.shape, type.getElementType());
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<AffineExpr> dims;
  for (unsigned loop : part.loops) {
    dims.push_back(b.getAffineDimExpr(loop));
  }
  maps[init.getOperandNumber()] =
      AffineMap::get(op.getNumLoops(), 0, dims, b.getContext());
  SmallVector<Type> types(op->getResultTypes());
  types[number] = outputs[number].getType();
  auto alone = GenericOp::create(b, types, op.getInputs(), outputs, maps,
                                 op.getIteratorTypesArray());
  alone->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  alone.getRegion().takeBody(op.getRegion());
  SmallVector<OpFoldResult> shape = tensor::getMixedSizes(b, b.getLoc(), array);
  Value whole =
      makeElements(b, type.getElementType(), shape, [&](ElementBody &body) {
        return readWritten(body, part, alone.getResult(number), array);
      });
  if (whole.getType() != type) {
    whole = tensor::CastOp::create(b, type, whole);
  }
  for (auto [i, result] : llvm::enumerate(op.getResults())) {
    result.replaceAllUsesWith(i == number ? whole : alone.getResult(i));
  }
  op.erase();
  return alone;
}

/// Lets the results of `op` be whole arrays. Fails where a result is none, and
/// what it is cannot be told.
static LogicalResult lower(GenericOp op) {
  for (unsigned i = 0; i < op.getNumDpsInits(); ++i) {
    OpOperand &init = *op.getDpsInitOperand(i);
    AffineMap map = op.getMatchingIndexingMap(&init);
    if (isWhole(map, cast<RankedTensorType>(init.get().getType()))) {
      continue;
    }
    OpBuilder builder(op);
    if (std::optional<PartialResult> part = getPart(op, init, builder)) {
      op = makePart(op, init, *part);
      continue;
    }
    if (!op.payloadUsesValueFromOperand(&init)) {
      return op.emitOpError("expected step * loop + start, or a number, along "
                            "each dim of a result, but got ")
             << AffineMapAttr::get(map);
    }
    reportKept("AdoptLinalg", op,
               "a dim of result " + Twine(i) +
                   " is along several loops, or along a part of one");
  }
  return success();
}

LogicalResult fusion::lowerResultMaps(func::FuncOp func) {
  SmallVector<GenericOp> ops;
  func.walk([&](GenericOp op) {
    if (op.hasPureTensorSemantics()) {
      ops.push_back(op);
    }
  });
  for (GenericOp op : ops) {
    if (failed(lower(op))) {
      return failure();
    }
  }
  return success();
}
