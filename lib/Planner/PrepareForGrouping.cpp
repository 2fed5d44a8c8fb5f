//===- PrepareForGrouping.cpp - bring a block into the planner's form -----===//

#include "fusion/Dialect/Fusion/Transforms/DeadOps.h"
#include "fusion/Planner/Units.h"

#include "ResolveSizes.h"

#include "fusion/Planner/Choice.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::fusion;
using linalg::LinalgOp;

namespace {
/// Finds sizes behind the ops that make tensors from sizes, one step at a
/// time; what is left are sizes of arguments and of opaque values.
class SizeResolver {
public:
  explicit SizeResolver(Block &block);
  /// Returns the size of `dim` of `value`; a tensor.dim that this makes is
  /// resolved later.
  OpFoldResult getSize(OpBuilder &builder, Location loc, Value value,
                       int64_t dim);
  /// Resolves all tensor.dim ops.
  void run();

private:
  /// Returns the size of `dimOp` in terms of what its source is made from, or
  /// null where it is final.
  OpFoldResult step(OpBuilder &builder, tensor::DimOp dimOp, int64_t dim);

  /// Each at most once: a size that folds may be that of another tensor.dim,
  /// which waits here already.
  llvm::SetVector<Operation *> worklist;
};
} // namespace

SizeResolver::SizeResolver(Block &block) {
  for (Operation &op : block) {
    if (auto dimOp = dyn_cast<tensor::DimOp>(op)) {
      worklist.insert(dimOp);
    }
  }
}

OpFoldResult SizeResolver::getSize(OpBuilder &builder, Location loc,
                                   Value value, int64_t dim) {
  OpFoldResult size = tensor::getMixedSize(builder, loc, value, dim);
  if (auto made = dyn_cast<Value>(size)) {
    if (auto dimOp = made.getDefiningOp<tensor::DimOp>()) {
      worklist.insert(dimOp);
    }
  }
  return size;
}

OpFoldResult SizeResolver::step(OpBuilder &builder, tensor::DimOp dimOp,
                                int64_t dim) {
  Value source = dimOp.getSource();
  Location loc = dimOp.getLoc();
  Operation *def = source.getDefiningOp();
  if (auto writer = dyn_cast_or_null<DestinationStyleOpInterface>(def)) {
    OpOperand *init = writer.getTiedOpOperand(cast<OpResult>(source));
    return getSize(builder, loc, init->get(), dim);
  }
  if (auto cast = dyn_cast_or_null<tensor::CastOp>(def)) {
    return isa<RankedTensorType>(cast.getSource().getType())
               ? getSize(builder, loc, cast.getSource(), dim)
               : OpFoldResult();
  }
  if (auto empty = dyn_cast_or_null<tensor::EmptyOp>(def)) {
    return empty.getMixedSizes()[dim];
  }
  if (arith::SelectOp choice = getChoice(source)) {
    return getSize(builder, loc, choice.getTrueValue(), dim);
  }
  if (auto expand = dyn_cast_or_null<tensor::ExpandShapeOp>(def)) {
    return expand.getMixedOutputShape()[dim];
  }
  auto collapse = dyn_cast_or_null<tensor::CollapseShapeOp>(def);
  if (!collapse) {
    return {};
  }
  Value product;
  SmallVector<ReassociationIndices> parts = collapse.getReassociationIndices();
  for (int64_t part : parts[dim]) {
    Value factor = getValueOrCreateConstantIndexOp(
        builder, loc, getSize(builder, loc, collapse.getSrc(), part));
    product =
        product ? arith::MulIOp::create(builder, loc, product, factor) : factor;
  }
  return product;
}

void SizeResolver::run() {
  while (!worklist.empty()) {
    auto dimOp = cast<tensor::DimOp>(worklist.pop_back_val());
    std::optional<int64_t> dim = dimOp.getConstantIndex();
    auto type = dyn_cast<RankedTensorType>(dimOp.getSource().getType());
    if (!dim || !type || *dim < 0 || *dim >= type.getRank()) {
      continue;
    }
    OpBuilder builder(dimOp);
    OpFoldResult size =
        type.isDynamicDim(*dim)
            ? step(builder, dimOp, *dim)
            : OpFoldResult(builder.getIndexAttr(type.getDimSize(*dim)));
    if (!size) {
      continue;
    }
    dimOp.replaceAllUsesWith(
        getValueOrCreateConstantIndexOp(builder, dimOp.getLoc(), size));
    dimOp.erase();
  }
}

/// Gives `op` destinations of its own where it does not read them.
static void normalizeInits(LinalgOp op, SizeResolver &sizes) {
  for (OpOperand &init : op.getDpsInitsMutable()) {
    if (op.payloadUsesValueFromOperand(&init) ||
        init.get().getDefiningOp<tensor::EmptyOp>()) {
      continue;
    }
    auto type = dyn_cast<RankedTensorType>(init.get().getType());
    if (!type) {
      continue;
    }
    OpBuilder builder(op);
    SmallVector<OpFoldResult> shape;
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      shape.push_back(sizes.getSize(builder, op.getLoc(), init.get(), dim));
    }
    init.set(tensor::EmptyOp::create(builder, op.getLoc(), shape,
                                     type.getElementType(),
                                     type.getEncoding()));
  }
}

/// Lets a marked rounding, which belongs to the op whose result it reads, take
/// the sizes of that op's destination: those of its own may come later.
static void shareSizes(LinalgOp op) {
  auto source = isMarkedRounding(op)
                    ? op.getDpsInputs()[0].getDefiningOp<LinalgOp>()
                    : LinalgOp();
  auto own = op.getDpsInits()[0].getDefiningOp<tensor::EmptyOp>();
  if (!source || !own || own.getType().hasStaticShape()) {
    return;
  }
  Value init = source.getDpsInits()[0];
  if (auto fill = init.getDefiningOp<linalg::FillOp>()) {
    init = fill.getOutputs()[0];
  }
  auto empty = init.getDefiningOp<tensor::EmptyOp>();
  if (empty && empty.getType().getShape() == own.getType().getShape()) {
    OpBuilder builder(source);
    op.getDpsInitsMutable()[0].set(tensor::EmptyOp::create(
        builder, own.getLoc(), own.getType(), empty.getDynamicSizes()));
  }
}

/// Returns whether no iteration of a reduction needs another one, nor anything
/// along the reduced loops, all of which have iterations: a body that folded.
static bool computesOnce(linalg::GenericOp op) {
  if (op.getNumReductionLoops() == 0 ||
      llvm::any_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
        return op.payloadUsesValueFromOperand(&init);
      })) {
    return false;
  }
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  SmallVector<unsigned> reduced;
  op.getReductionDims(reduced);
  bool runs = llvm::all_of(reduced, [&](unsigned loop) {
    return !ShapedType::isDynamic(sizes[loop]) && sizes[loop] > 0;
  });
  bool reads = llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *input) {
    AffineMap map = op.getMatchingIndexingMap(input);
    return op.payloadUsesValueFromOperand(input) &&
           llvm::any_of(reduced, [&](unsigned loop) {
             return map.isFunctionOfDim(loop);
           });
  });
  WalkResult walk = op.walk([&](linalg::IndexOp index) {
    return llvm::is_contained(reduced, index.getDim()) ? WalkResult::interrupt()
                                                       : WalkResult::advance();
  });
  return runs && !reads && !walk.wasInterrupted();
}

/// Drops the reduced loops of `op`, which computes one value along them.
static void dropReducedLoops(linalg::GenericOp op) {
  llvm::SmallBitVector reduced(op.getNumLoops());
  for (auto [loop, kind] : llvm::enumerate(op.getIteratorTypesArray())) {
    reduced[loop] = kind == utils::IteratorType::reduction;
  }
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  llvm::BitVector unread(op.getBlock()->getNumArguments());
  for (OpOperand &operand : op->getOpOperands()) {
    unsigned number = operand.getOperandNumber();
    if (op.isDpsInput(&operand) && !op.payloadUsesValueFromOperand(&operand)) {
      unread.set(number);
      continue;
    }
    if (op.isDpsInput(&operand)) {
      inputs.push_back(operand.get());
    }
    maps.push_back(compressDims(op.getMatchingIndexingMap(&operand), reduced));
  }
  SmallVector<utils::IteratorType> kinds(op.getNumParallelLoops(),
                                         utils::IteratorType::parallel);
  OpBuilder builder(op);
  auto once =
      linalg::GenericOp::create(builder, op.getLoc(), op.getResultTypes(),
                                inputs, op.getDpsInits(), maps, kinds);
  once->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  once.getRegion().takeBody(op.getRegion());
  once.getBody()->eraseArguments(unread);
  once.walk([&](linalg::IndexOp index) {
    auto dropped = llvm::seq<unsigned>(0, index.getDim());
    index.setDim(index.getDim() - llvm::count_if(dropped, [&](unsigned loop) {
                   return reduced[loop];
                 }));
  });
  op->replaceAllUsesWith(once);
  op.erase();
}

void fusion::resolveSizes(Block &block) {
  SizeResolver(block).run();
  eraseDeadOps(block);
}

void fusion::prepareForGrouping(Block &block) {
  for (auto op :
       llvm::make_early_inc_range(block.getOps<linalg::GenericOp>())) {
    if (computesOnce(op)) {
      dropReducedLoops(op);
    }
  }
  SizeResolver sizes(block);
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto linalgOp = dyn_cast<LinalgOp>(op)) {
      normalizeInits(linalgOp, sizes);
      shareSizes(linalgOp);
    }
  }
  sizes.run();
  eraseDeadOps(block);
}
