//===- LowerTensorOps.cpp - tensor ops as linalg ops ----------------------===//
//
// Linalg from elsewhere cuts, joins and makes tensors with ops of the tensor
// dialect. As elementwise ops that read where their position is inside, these
// can be grouped, and what reads them reads through them.
//
//===----------------------------------------------------------------------===//

#include "ElementBody.h"

#include "fusion/Analysis/FusionDecision.h"
#include "fusion/Planner/AdoptLinalg.h"
#include "fusion/Planner/Passes.h"
#include "fusion/Planner/ReportKept.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::fusion;

static void lowerSlice(tensor::ExtractSliceOp op) {
  llvm::SmallBitVector dropped = op.getDroppedDims();
  SmallVector<OpFoldResult> shape;
  for (auto [dim, size] : llvm::enumerate(op.getMixedSizes())) {
    if (!dropped[dim]) {
      shape.push_back(size);
    }
  }
  replaceByElements(op, shape, [&](ElementBody &body) {
    SmallVector<Value> indices;
    int64_t position = 0;
    for (auto [dim, start, step] :
         llvm::enumerate(op.getMixedOffsets(), op.getMixedStrides())) {
      indices.push_back(
          dropped[dim]
              ? body.value(start)
              : body.add(body.mul(body.position(position++), step), start));
    }
    return body.read(op.getSource(), indices);
  });
}

/// The element of the inserted tensor, or of the one that it goes into.
static Value readInserted(tensor::InsertSliceOp op, ElementBody &body) {
  llvm::SmallBitVector dropped = op.getDroppedDims();
  RankedTensorType type = op.getResultType();
  SmallVector<Value> positions = body.positions(type.getRank());
  SmallVector<Value> indices;
  Value inside;
  for (auto [dim, start, size] :
       llvm::enumerate(op.getMixedOffsets(), op.getMixedSizes())) {
    int64_t step = op.getStaticStride(dim);
    bool isWhole = isZeroInteger(start) && step == 1 &&
                   getConstantIntValue(size) == type.getDimSize(dim) &&
                   !type.isDynamicDim(dim);
    Value index = body.sub(positions[dim], start);
    if (step != 1) {
      Value by = body.value(body.b.getIndexAttr(step));
      Value rest = arith::RemUIOp::create(body.b, index, by);
      Value zero = body.value(body.b.getIndexAttr(0));
      Value hits =
          arith::CmpIOp::create(body.b, arith::CmpIPredicate::eq, rest, zero);
      inside = body.both(inside, hits);
      index = arith::DivUIOp::create(body.b, index, by);
    }
    if (!isWhole) {
      inside = body.both(inside, body.isInside(index, size));
    }
    if (!dropped[dim]) {
      indices.push_back(index);
    }
  }
  if (!inside) {
    return body.read(op.getSource(), indices);
  }
  // Nothing is read of a tensor that holds nothing yet.
  Value outside =
      op.getDest().getDefiningOp<tensor::EmptyOp>()
          ? arith::ConstantOp::create(
                body.b,
                cast<TypedAttr>(body.b.getZeroAttr(type.getElementType())))
          : body.read(op.getDest(), positions);
  return body.readIf(inside, op.getSource(), indices, outside);
}

static void lowerInsertion(tensor::InsertSliceOp op) {
  OpBuilder builder(op);
  replaceByElements(op,
                    tensor::getMixedSizes(builder, op.getLoc(), op.getDest()),
                    [&](ElementBody &body) { return readInserted(op, body); });
}

static void lowerConcat(tensor::ConcatOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  uint64_t dim = op.getDim();
  SmallVector<Value> parts;
  SmallVector<OpFoldResult> starts, sizes, shape;
  Value end = arith::ConstantIndexOp::create(b, 0);
  for (Value input : op.getInputs()) {
    if (cast<RankedTensorType>(input.getType()).getDimSize(dim) == 0) {
      continue;
    }
    SmallVector<OpFoldResult> own = tensor::getMixedSizes(b, b.getLoc(), input);
    shape = shape.empty() ? own : shape;
    parts.push_back(input);
    starts.push_back(getAsOpFoldResult(end));
    sizes.push_back(own[dim]);
    end = b.createOrFold<arith::AddIOp>(
        end, getValueOrCreateConstantIndexOp(b, b.getLoc(), own[dim]));
  }
  if (parts.empty()) {
    op.getResult().replaceAllUsesWith(
        tensor::CastOp::create(b, op.getType(), op.getInputs().front()));
    op.erase();
    return;
  }
  shape[dim] = getAsOpFoldResult(end);
  replaceByElements(op, shape, [&](ElementBody &body) {
    SmallVector<Value> indices = body.positions(shape.size());
    Value position = indices[dim];
    Value element = arith::ConstantOp::create(
        body.b,
        cast<TypedAttr>(body.b.getZeroAttr(op.getType().getElementType())));
    for (auto [part, start, size] : llvm::zip_equal(parts, starts, sizes)) {
      indices[dim] = body.sub(position, start);
      Value inside = body.isInside(indices[dim], size);
      element = body.readIf(inside, part, indices, element);
    }
    return element;
  });
}

static void lowerGenerate(tensor::GenerateOp op) {
  auto type = cast<RankedTensorType>(op.getType());
  OpBuilder builder(op);
  SmallVector<OpFoldResult> shape =
      getMixedValues(type.getShape(), op.getDynamicExtents(), builder);
  replaceByElements(op, shape, [&](ElementBody &body) {
    IRMapping mapping;
    Block &block = op.getBody().front();
    mapping.map(block.getArguments(), body.positions(type.getRank()));
    for (Operation &inner : block.without_terminator()) {
      body.b.clone(inner, mapping);
    }
    return mapping.lookupOrDefault(block.getTerminator()->getOperand(0));
  });
}

/// Positions are compared with so many at most.
static constexpr int64_t kMostElements = 64;

/// A tensor that is made of scalars: each element picks its own.
static void lowerElements(tensor::FromElementsOp op) {
  RankedTensorType type = op.getType();
  SmallVector<OpFoldResult> shape =
      getAsIndexOpFoldResult(op.getContext(), type.getShape());
  replaceByElements(op, shape, [&](ElementBody &body) {
    Value element = op.getElements().back();
    Value number; // of the element, in the order of the operands
    for (auto [dim, size] : llvm::enumerate(type.getShape())) {
      Value position = body.position(dim);
      Value before =
          number ? arith::MulIOp::create(body.b, number,
                                         body.value(body.b.getIndexAttr(size)))
                 : Value();
      number = before ? body.add(before, position) : position;
    }
    for (int64_t i = type.getNumElements() - 2; i >= 0; --i) {
      Value isIt =
          arith::CmpIOp::create(body.b, arith::CmpIPredicate::eq, number,
                                body.value(body.b.getIndexAttr(i)));
      element =
          arith::SelectOp::create(body.b, isIt, op.getElements()[i], element);
    }
    return element;
  });
}

/// A reshape to sizes in a tensor, where both are known.
static void lowerReshape(tensor::ReshapeOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  auto reassociate = [](int64_t rank) {
    return SmallVector<ReassociationIndices>{
        llvm::to_vector(llvm::seq<int64_t>(0, rank))};
  };
  Value value = op.getSource();
  int64_t from = cast<RankedTensorType>(value.getType()).getRank();
  auto type = cast<RankedTensorType>(op.getType());
  if (from != 1) {
    auto flat =
        RankedTensorType::get({type.getNumElements()}, type.getElementType());
    value = from > 1 ? Value(tensor::CollapseShapeOp::create(b, flat, value,
                                                             reassociate(from)))
                     : Value(tensor::ExpandShapeOp::create(
                           b, flat, value, ArrayRef<ReassociationIndices>()));
  }
  if (type.getRank() != 1) {
    value = type.getRank() > 1
                ? Value(tensor::ExpandShapeOp::create(
                      b, type, value, reassociate(type.getRank())))
                : Value(tensor::CollapseShapeOp::create(
                      b, type, value, ArrayRef<ReassociationIndices>()));
  }
  op.replaceAllUsesWith(value);
  op.erase();
}

/// An array that is still to be written, or a copy of one.
static void lowerAllocation(bufferization::AllocTensorOp op) {
  OpBuilder builder(op);
  Value value = op.getCopy();
  if (!value) {
    value = tensor::EmptyOp::create(builder, op.getLoc(), op.getType(),
                                    op.getDynamicSizes());
  }
  op.replaceAllUsesWith(value);
  op.erase();
}

static bool isStatic(Value tensor) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  return type && type.hasStaticShape();
}

/// Returns whether `op`, of the tensor dialect, can be lowered.
static FusionDecision canLower(Operation *op) {
  auto insertion = dyn_cast<tensor::InsertSliceOp>(op);
  if (insertion && llvm::any_of(insertion.getStaticStrides(), [](int64_t step) {
        return ShapedType::isDynamic(step) || step < 1;
      })) {
    return FusionDecision::forbid("an insertion by steps that are not known "
                                  "to be positive");
  }
  auto generate = dyn_cast<tensor::GenerateOp>(op);
  if (generate && !llvm::all_of(generate.getBody().front(), [](Operation &op) {
        return op.hasTrait<OpTrait::IsTerminator>() || isMemoryEffectFree(&op);
      })) {
    return FusionDecision::forbid("its elements are made with effects");
  }
  auto reshape = dyn_cast<tensor::ReshapeOp>(op);
  if (reshape && !(isStatic(reshape.getSource()) && isStatic(reshape))) {
    return FusionDecision::forbid("a reshape of unknown sizes to sizes in a "
                                  "tensor");
  }
  auto elements = dyn_cast<tensor::FromElementsOp>(op);
  if (elements && (elements.getType().getNumElements() > kMostElements ||
                   elements.getElements().empty() ||
                   elements.getType().getElementType().isIndex())) {
    return FusionDecision::forbid(
        "it is made of no scalars, of sizes, or of more than " +
        Twine(kMostElements));
  }
  return FusionDecision::allow();
}

void fusion::lowerTensorOps(func::FuncOp func) {
  SmallVector<Operation *> ops;
  func.walk([&](Operation *op) {
    if (isa<tensor::ExtractSliceOp, tensor::InsertSliceOp, tensor::ConcatOp,
            tensor::GenerateOp, tensor::SplatOp, tensor::FromElementsOp,
            tensor::ReshapeOp, bufferization::AllocTensorOp>(op)) {
      ops.push_back(op);
    }
  });
  for (Operation *op : ops) {
    if (FusionDecision decision = canLower(op); !decision) {
      reportKept("AdoptLinalg", op, decision.getReason());
      continue;
    }
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
      lowerSlice(slice);
    } else if (auto insertion = dyn_cast<tensor::InsertSliceOp>(op)) {
      lowerInsertion(insertion);
    } else if (auto concat = dyn_cast<tensor::ConcatOp>(op)) {
      lowerConcat(concat);
    } else if (auto generate = dyn_cast<tensor::GenerateOp>(op)) {
      lowerGenerate(generate);
    } else if (auto elements = dyn_cast<tensor::FromElementsOp>(op)) {
      lowerElements(elements);
    } else if (auto reshape = dyn_cast<tensor::ReshapeOp>(op)) {
      lowerReshape(reshape);
    } else if (auto allocation = dyn_cast<bufferization::AllocTensorOp>(op)) {
      lowerAllocation(allocation);
    } else {
      auto splat = cast<tensor::SplatOp>(op);
      OpBuilder builder(op);
      Value empty = tensor::EmptyOp::create(
          builder, op->getLoc(), splat.getType(), splat.getDynamicSizes());
      auto fill = linalg::FillOp::create(builder, op->getLoc(),
                                         splat.getInput(), empty);
      splat.getResult().replaceAllUsesWith(fill.getResult(0));
      splat.erase();
    }
  }
}
