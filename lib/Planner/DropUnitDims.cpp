//===- DropUnitDims.cpp - unit dims that reductions keep ------------------===//

#include "fusion/Planner/FormGroups.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

using namespace mlir;
using namespace mlir::fusion;

/// Returns `op` with other operands, maps and result type, and its body.
static linalg::GenericOp rebuild(PatternRewriter &rewriter,
                                 linalg::GenericOp op, ValueRange inputs,
                                 Value init, ArrayRef<AffineMap> maps) {
  auto rebuilt =
      linalg::GenericOp::create(rewriter, op.getLoc(), init.getType(), inputs,
                                init, maps, op.getIteratorTypesArray());
  rebuilt->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  rewriter.inlineRegionBefore(op.getRegion(), rebuilt.getRegion(),
                              rebuilt.getRegion().begin());
  return rebuilt;
}

namespace {
/// A result written at (i, 0) becomes one written at (i), expanded: a reduced
/// dim that is kept with size one is a renaming reshape, no part of the work.
struct DropKeptDims : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || op.getNumDpsInits() != 1) {
      return failure();
    }
    OpOperand *init = op.getDpsInitOperand(0);
    auto type = cast<RankedTensorType>(init->get().getType());
    AffineMap map = op.getMatchingIndexingMap(init);
    llvm::SmallBitVector kept(type.getRank());
    SmallVector<int64_t> shape;
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      if (isa<AffineConstantExpr>(map.getResult(dim)) &&
          type.getDimSize(dim) == 1) {
        kept.set(dim);
      } else {
        shape.push_back(type.getDimSize(dim));
      }
    }
    auto narrow = RankedTensorType::get(shape, type.getElementType());
    std::optional<SmallVector<ReassociationIndices>> groups =
        getReassociationIndicesForReshape(type, narrow);
    if (kept.none() || !groups) {
      return failure();
    }
    Value destination = tensor::CollapseShapeOp::create(
        rewriter, op.getLoc(), narrow, init->get(), *groups);
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    maps.back() = map.dropResults(kept);
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(rewriter, op.getLoc(), init->get());
    linalg::GenericOp rebuilt =
        rebuild(rewriter, op, op.getInputs(), destination, maps);
    rewriter.replaceOpWithNewOp<tensor::ExpandShapeOp>(
        op, type, rebuilt->getResult(0), *groups, sizes);
    return success();
  }
};

/// An operand that was expanded by unit dims is read without them.
struct ReadBeforeUnitExpand : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || op.getNumDpsInits() != 1) {
      return failure();
    }
    for (OpOperand *input : op.getDpsInputOperands()) {
      auto expand = input->get().getDefiningOp<tensor::ExpandShapeOp>();
      if (!expand || !expand.getSrc().getDefiningOp<linalg::LinalgOp>()) {
        continue;
      }
      std::optional<llvm::SmallBitVector> added = getAddedDims(expand);
      AffineMap map = op.getMatchingIndexingMap(input);
      if (!added || !llvm::all_of(added->set_bits(), [&](unsigned dim) {
            return isa<AffineConstantExpr>(map.getResult(dim));
          })) {
        continue;
      }
      SmallVector<Value> inputs(op.getInputs());
      SmallVector<AffineMap> maps = op.getIndexingMapsArray();
      inputs[input->getOperandNumber()] = expand.getSrc();
      maps[input->getOperandNumber()] = map.dropResults(*added);
      linalg::GenericOp rebuilt =
          rebuild(rewriter, op, inputs, op.getOutputs()[0], maps);
      rewriter.replaceOp(op, rebuilt);
      return success();
    }
    return failure();
  }

private:
  /// Returns which result dims of `expand` are new, where all new ones have
  /// size one.
  static std::optional<llvm::SmallBitVector>
  getAddedDims(tensor::ExpandShapeOp expand) {
    RankedTensorType type = expand.getResultType();
    llvm::SmallBitVector added(type.getRank());
    if (expand.getReassociationIndices().empty()) {
      added.set(); // of a scalar
    }
    for (ArrayRef<int64_t> group : expand.getReassociationIndices()) {
      unsigned others = 0;
      for (int64_t dim : group) {
        if (type.getDimSize(dim) == 1 && others + 1 < group.size()) {
          added.set(dim);
          ++others;
        }
      }
      if (others + 1 != group.size()) {
        return std::nullopt;
      }
    }
    return added;
  }
};

/// One element that is computed with dims, and read without any, is computed
/// without: a predicate, say, joins what else computes it.
struct ComputeWithoutDims : OpRewritePattern<tensor::CollapseShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::CollapseShapeOp collapse,
                                PatternRewriter &rewriter) const override {
    auto op = collapse.getSrc().getDefiningOp<linalg::GenericOp>();
    auto isElement = [](Value value) {
      auto type = dyn_cast<RankedTensorType>(value.getType());
      return type && llvm::all_of(type.getShape(),
                                  [](int64_t size) { return size == 1; });
    };
    if (!op || collapse.getResultType().getRank() != 0 || !op->hasOneUse() ||
        !op.hasPureTensorSemantics() || op.getNumReductionLoops() != 0 ||
        !llvm::all_of(op->getOperands(), isElement) ||
        op.payloadUsesValueFromOperand(op.getDpsInitOperand(0))) {
      return failure();
    }
    rewriter.setInsertionPoint(op);
    SmallVector<Value> inputs;
    for (Value input : op.getInputs()) {
      auto type = cast<RankedTensorType>(input.getType());
      bool hasDims = type.getRank() != 0;
      auto element = RankedTensorType::get({}, type.getElementType());
      inputs.push_back(hasDims ? Value(tensor::CollapseShapeOp::create(
                                     rewriter, op.getLoc(), element, input,
                                     ArrayRef<ReassociationIndices>()))
                               : input);
    }
    Value empty =
        tensor::EmptyOp::create(rewriter, op.getLoc(), ArrayRef<int64_t>(),
                                collapse.getResultType().getElementType());
    SmallVector<AffineMap> maps(inputs.size() + 1,
                                rewriter.getMultiDimIdentityMap(0));
    auto rebuilt = linalg::GenericOp::create(
        rewriter, op.getLoc(), empty.getType(), inputs, empty, maps,
        ArrayRef<utils::IteratorType>());
    rebuilt->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    rewriter.inlineRegionBefore(op.getRegion(), rebuilt.getRegion(),
                                rebuilt.getRegion().begin());
    SmallVector<linalg::IndexOp> positions(
        rebuilt.getBody()->getOps<linalg::IndexOp>());
    for (linalg::IndexOp position : positions) {
      rewriter.setInsertionPoint(position);
      rewriter.replaceOpWithNewOp<arith::ConstantIndexOp>(position, 0);
    }
    rewriter.replaceOp(collapse, rebuilt);
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void fusion::populateDropUnitDimsPatterns(RewritePatternSet &patterns) {
  patterns.add<DropKeptDims, ReadBeforeUnitExpand, ComputeWithoutDims>(
      patterns.getContext());
}
