//===- FoldTransposes.cpp - transposes as index maps of contractions ------===//

#include "fusion/Analysis/FusionDecision.h"
#include "fusion/Analysis/IndexingMaps.h"
#include "fusion/Analysis/IterationSpace.h"
#include "fusion/Analysis/Movement.h"
#include "fusion/Dialect/Fusion/IR/Directives.h"
#include "fusion/Dialect/Fusion/Transforms/GenericForm.h"
#include "fusion/Planner/FormGroups.h"
#include "fusion/Planner/Passes.h"
#include "fusion/Planner/ReportKept.h"
#include "fusion/Planner/Units.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace mlir::fusion;
using linalg::LinalgOp;

namespace mlir::fusion {
#define GEN_PASS_DEF_FOLDTRANSPOSES
#include "fusion/Planner/Passes.h.inc"
} // namespace mlir::fusion

/// Returns the loop along which the elements of `type`, read through `map`, lie
/// side by side, or nothing where it has one element.
static std::optional<unsigned> getInnermostLoop(AffineMap map,
                                                ShapedType type) {
  for (unsigned dim = map.getNumResults(); dim-- > 0;) {
    if (type.getDimSize(dim) != 1) {
      return getLoopAt(map, dim);
    }
  }
  return std::nullopt;
}

/// Returns the last of `loops` in the order of the result `map`.
static std::optional<unsigned> getLastOf(ArrayRef<unsigned> loops,
                                         AffineMap map) {
  for (unsigned dim = map.getNumResults(); dim-- > 0;) {
    std::optional<unsigned> loop = getLoopAt(map, dim);
    if (loop && llvm::is_contained(loops, *loop)) {
      return loop;
    }
  }
  return std::nullopt;
}

/// Returns whether a contraction with `maps` is one still, and its tiles read
/// operand `number`, of `type`, along the rows of memory.
static FusionDecision canRead(ArrayRef<AffineMap> maps, unsigned number,
                              ShapedType type) {
  MLIRContext *context = type.getContext();
  if (!inversePermutation(concatAffineMaps(maps, context))) {
    return FusionDecision::forbid("no operand would tell the size of a loop");
  }
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(maps);
  if (failed(dims) || dims->k.empty() || dims->m.empty() || dims->n.empty()) {
    return FusionDecision::forbid("the consumer would be no contraction");
  }
  // A tile spans k and the innermost m or n; across these, every element would
  // be a memory access of its own, repeated by each block.
  std::optional<unsigned> inner = getInnermostLoop(maps[number], type);
  if (!inner || llvm::is_contained(dims->k, *inner) ||
      inner == getLastOf(dims->m, maps.back()) ||
      inner == getLastOf(dims->n, maps.back())) {
    return FusionDecision::allow();
  }
  return FusionDecision::forbid(
      "the contraction's tiles would read the tensor across its rows");
}

/// Lets input `number` of the contraction `consumer` read `movement`'s source
/// where it can; says in a remark what came of it. Returns the contraction:
/// another op may stand for it.
static LinalgOp foldInto(IRRewriter &rewriter, LinalgOp consumer,
                         unsigned number, const Movement &movement,
                         StringRef name) {
  SmallVector<AffineMap> maps = consumer.getIndexingMapsArray();
  maps[number] = movement.map.compose(maps[number]);
  FusionDecision decision =
      consumer->hasAttr(kNoFuseAttr)
          ? FusionDecision::forbid("the consumer is marked with " + kNoFuseAttr)
          : canRead(maps, number, cast<ShapedType>(movement.source.getType()));
  auto func = consumer->getParentOfType<func::FuncOp>();
  auto opts = remark::RemarkOpts::name("FoldTransposes")
                  .category("fusion")
                  .function(func.getName());
  if (!decision) {
    remark::missed(consumer.getLoc(), opts)
        << remark::reason("{0}", decision.getReason().str())
        << remark::metric("Producer", name);
    return consumer;
  }
  remark::passed(consumer.getLoc(), opts)
      << remark::add("reads what {0} moves where it lies", name.str());
  linalg::GenericOp op = *toGeneric(rewriter, consumer);
  op->setOperand(number, movement.source);
  op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
  return cast<LinalgOp>(op.getOperation());
}

/// Lets the contractions that read `value` read `movement`'s source instead.
static void foldIntoReaders(IRRewriter &rewriter, Value value,
                            const Movement &movement, StringRef name) {
  // An op may read it twice, and is another one after the first time.
  llvm::SetVector<Operation *> readers(value.user_begin(), value.user_end());
  for (Operation *reader : readers) {
    auto consumer = dyn_cast<LinalgOp>(reader);
    for (unsigned number = consumer ? consumer.getNumDpsInputs() : 0;
         number-- > 0;) {
      if (consumer->getOperand(number) == value &&
          getIterationSpace(consumer).role == OpRole::Contraction) {
        consumer = foldInto(rewriter, consumer, number, movement, name);
      }
    }
  }
}

/// Returns the shape of `source` when each dim is split as `reassociation`
/// splits dims of `type`, part of it, and divides `starts` alike; nothing where
/// parts do not begin and end between the split dims.
static std::optional<SmallVector<int64_t>>
splitSource(RankedTensorType source, RankedTensorType type,
            ArrayRef<ReassociationIndices> reassociation,
            ArrayRef<int64_t> starts, SmallVector<int64_t> &splitStarts) {
  SmallVector<int64_t> shape;
  for (auto [dim, parts] : llvm::enumerate(reassociation)) {
    int64_t inner = 1;
    for (int64_t part : ArrayRef(parts).drop_front()) {
      inner *= type.getDimSize(part);
    }
    if (inner == 0 || starts[dim] % inner != 0 ||
        source.getDimSize(dim) % inner != 0) {
      return std::nullopt;
    }
    shape.push_back(source.getDimSize(dim) / inner);
    splitStarts.push_back(starts[dim] / inner);
    for (int64_t part : ArrayRef(parts).drop_front()) {
      shape.push_back(type.getDimSize(part));
      splitStarts.push_back(0);
    }
  }
  return shape;
}

/// Returns whether a contraction, or what moves an operand, reads `value`.
static bool isOperand(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) {
    auto reader = dyn_cast<LinalgOp>(user);
    return reader && (getMovement(reader) ||
                      getIterationSpace(reader).role == OpRole::Contraction);
  });
}

/// Makes the expansion of a slice a slice of the expanded tensor, where a
/// contraction or what moves its operands reads it.
static void expandBeforeSlice(IRRewriter &rewriter,
                              tensor::ExpandShapeOp expand) {
  auto op = expand.getSrc().getDefiningOp<LinalgOp>();
  std::optional<Slice> slice = op ? getSlice(op) : std::nullopt;
  RankedTensorType type = expand.getResultType();
  if (!slice || !isOperand(expand) || !type.hasStaticShape() ||
      expand.getReassociationIndices().empty()) {
    return;
  }
  if (isDirected(op)) {
    reportKept("FoldTransposes", op,
               "the slice is marked with a directive, and stays as it is");
    return;
  }
  SmallVector<int64_t> starts;
  auto sourceType = cast<RankedTensorType>(slice->source.getType());
  std::optional<SmallVector<int64_t>> shape =
      splitSource(sourceType, type, expand.getReassociationIndices(),
                  slice->starts, starts);
  if (!shape) {
    reportKept("FoldTransposes", op,
               "the slice does not begin and end between the parts that a "
               "reshape makes of a dim");
    return;
  }
  Location loc = op.getLoc();
  rewriter.setInsertionPointAfterValue(slice->source);
  Value source = tensor::ExpandShapeOp::create(
      rewriter, loc, sourceType.clone(*shape), slice->source,
      expand.getReassociationIndices());
  rewriter.setInsertionPoint(expand);
  Value empty = tensor::EmptyOp::create(rewriter, loc, type.getShape(),
                                        type.getElementType());
  SmallVector<utils::IteratorType> parallel(type.getRank(),
                                            utils::IteratorType::parallel);
  auto read = [&](OpBuilder &body, Location loc, ValueRange) {
    SmallVector<Value> indices;
    for (auto [dim, start] : llvm::enumerate(starts)) {
      Value index = linalg::IndexOp::create(body, loc, dim);
      if (start != 0) {
        Value plus = arith::ConstantIndexOp::create(body, loc, start);
        index = arith::AddIOp::create(body, loc, index, plus);
      }
      indices.push_back(index);
    }
    Value element = tensor::ExtractOp::create(body, loc, source, indices);
    linalg::YieldOp::create(body, loc, element);
  };
  rewriter.replaceOpWithNewOp<linalg::GenericOp>(
      expand, type, ValueRange(), empty,
      ArrayRef<AffineMap>{rewriter.getMultiDimIdentityMap(type.getRank())},
      parallel, read);
  if (op->use_empty()) {
    rewriter.eraseOp(op);
  }
}

void fusion::foldTransposes(func::FuncOp func) {
  IRRewriter rewriter(func.getContext());
  SmallVector<tensor::ExpandShapeOp> expansions;
  func.walk([&](tensor::ExpandShapeOp op) { expansions.push_back(op); });
  for (tensor::ExpandShapeOp op : expansions) {
    expandBeforeSlice(rewriter, op);
  }
  SmallVector<LinalgOp> movements;
  func.walk([&](LinalgOp op) {
    if (!getMovement(op)) {
      return;
    }
    if (!op->hasAttr(kNoFuseAttr)) {
      movements.push_back(op);
      return;
    }
    for (Operation *user : op->getUsers()) {
      auto reader = dyn_cast<LinalgOp>(user);
      if (reader && getIterationSpace(reader).role == OpRole::Contraction) {
        reportKept("FoldTransposes", user,
                   "the producer is marked with " + kNoFuseAttr);
      }
    }
  });
  for (LinalgOp op : movements) {
    Movement movement = traceMovement(op->getResult(0));
    foldIntoReaders(rewriter, op->getResult(0), movement, getDisplayName(op));
  }
  for (LinalgOp op : llvm::reverse(movements)) {
    if (op->use_empty()) {
      rewriter.eraseOp(op);
    }
  }
}

namespace {
struct FoldTransposesPass
    : mlir::fusion::impl::FoldTransposesBase<FoldTransposesPass> {
  void runOnOperation() override {
    if (!getOperation().isExternal()) {
      foldTransposes(getOperation());
    }
  }
};
} // namespace
