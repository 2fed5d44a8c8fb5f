//===- SplitProducts.cpp - products run on the shape of what reads them ---===//

#include "CutLoops.h"
#include "RefineShapes.h"
#include "ResolveSizes.h"

#include "fusion/Analysis/FusionDecision.h"
#include "fusion/Analysis/IndexingMaps.h"
#include "fusion/Analysis/IterationSpace.h"
#include "fusion/Dialect/Fusion/IR/Directives.h"
#include "fusion/Dialect/Fusion/Transforms/GenericForm.h"
#include "fusion/Planner/FormGroups.h"
#include "fusion/Planner/Passes.h"
#include "fusion/Planner/ReportKept.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::fusion;
using linalg::GenericOp;
using linalg::LinalgOp;

namespace mlir::fusion {
#define GEN_PASS_DEF_SPLITPRODUCTS
#include "fusion/Planner/Passes.h.inc"
} // namespace mlir::fusion

static constexpr StringLiteral kCutDifferently =
    "the loops of an operation around the product would be cut in different "
    "ways";

namespace {
/// A product, the elementwise ops after it, and those that make its operands,
/// whose loops are cut as `expand` cuts the result.
class ProductSplit {
public:
  explicit ProductSplit(tensor::ExpandShapeOp expand) : expand(expand) {}

  /// Whether the reshape stands between a product and what stores its elements
  /// in another order, or combines parts of its rows or columns.
  bool isWanted();
  FusionDecision checkReaders();
  /// Finds the ops to rewrite, or says why the reshape stays.
  FusionDecision find();
  /// Rewrites them; the reshape is gone then.
  void apply();

private:
  FusionDecision cut(LinalgOp op, AffineMap map, ArrayRef<Parts> parts);
  FusionDecision spread(LinalgOp op);
  FusionDecision checkAll() const;
  bool follows(LinalgOp maker, LinalgOp reader) const;
  SmallVector<Parts> getParts(LinalgOp op, AffineMap map) const;
  Value getCutOperand(OpOperand &operand, OpBuilder &builder);
  GenericOp rebuild(LinalgOp op, OpBuilder &builder);

  tensor::ExpandShapeOp expand;
  /// For each op, the parts of its loops; which ones make operands.
  llvm::MapVector<Operation *, SmallVector<Parts>> cuts;
  llvm::SmallDenseSet<Operation *> operandMakers;
  SmallVector<LinalgOp> worklist;
  IRMapping results;
};
} // namespace

static OpRole getRole(LinalgOp op) { return getIterationSpace(op).role; }

/// Returns whether `use` is read by an elementwise op in another order than it
/// lies in.
static bool isReordered(OpOperand &use) {
  auto reader = dyn_cast<LinalgOp>(use.getOwner());
  if (!reader || !reader.isDpsInput(&use) ||
      getRole(reader) != OpRole::Elementwise) {
    return false;
  }
  AffineMap written = reader.getIndexingMapMatchingResult(reader->getResult(0));
  MapRelation relation =
      written.isPermutation()
          ? classifyMap(reader.getMatchingIndexingMap(&use).compose(
                inversePermutation(written)))
          : MapRelation::Other;
  return relation == MapRelation::Permutation ||
         relation == MapRelation::Projection;
}

/// Returns whether `op`, a reduction that reads by `map` what `expand` makes,
/// combines some parts of one dim and not all: rows that a tile may hold.
static bool combinesParts(LinalgOp op, AffineMap map,
                          tensor::ExpandShapeOp expand) {
  constexpr int64_t kMostHeld = 256;
  SmallVector<utils::IteratorType> types = op.getIteratorTypesArray();
  ArrayRef<int64_t> sizes = expand.getResultType().getShape();
  return llvm::any_of(
      expand.getReassociationIndices(), [&](ArrayRef<int64_t> dims) {
        int64_t length = 1;
        size_t combined = 0;
        for (int64_t dim : dims) {
          std::optional<unsigned> loop = getLoopAt(map, dim);
          if (loop && types[*loop] == utils::IteratorType::reduction) {
            bool known = !ShapedType::isDynamic(sizes[dim]);
            length = known ? length * sizes[dim] : kMostHeld + 1;
            ++combined;
          }
        }
        return combined > 0 && combined < dims.size() && length <= kMostHeld;
      });
}

/// Returns whether some parts of a dim of what `expand` makes are reduced,
/// perhaps after elementwise ops: the norm of each head.
static bool isCombinedInParts(tensor::ExpandShapeOp expand) {
  constexpr size_t kMostLookedAt = 16;
  SmallVector<Value> values = {expand.getResult()};
  for (size_t i = 0; i < values.size() && i < kMostLookedAt; ++i) {
    for (OpOperand &use : values[i].getUses()) {
      auto reader = dyn_cast<LinalgOp>(use.getOwner());
      if (!reader || !reader.isDpsInput(&use) || reader->getNumResults() == 0) {
        continue;
      }
      AffineMap map = reader.getMatchingIndexingMap(&use);
      OpRole role = getRole(reader);
      if (role == OpRole::Reduction && combinesParts(reader, map, expand)) {
        return true;
      }
      Value result = reader->getResult(0);
      if (role == OpRole::Elementwise && !llvm::is_contained(values, result) &&
          map == reader.getIndexingMapMatchingResult(cast<OpResult>(result))) {
        values.push_back(result);
      }
    }
  }
  return false;
}

bool ProductSplit::isWanted() {
  Value source = expand.getSrc();
  auto maker = source.getDefiningOp<LinalgOp>();
  return maker && (isEpilogue(maker) || endsContraction(source)) &&
         (llvm::any_of(expand->getUses(), isReordered) ||
          isCombinedInParts(expand));
}

/// Checks that nothing wants the product, or what the reshape makes of it, as
/// it lies in memory.
FusionDecision ProductSplit::checkReaders() {
  if (!expand.getSrc().hasOneUse()) {
    return FusionDecision::forbid(
        "something else reads the product on the shape that it has");
  }
  // What a contraction reads stays as it is. Of sizes the kernels do without.
  auto joins = [](Operation *user) {
    return isa<tensor::DimOp>(user) || joinsKernels(user);
  };
  return llvm::all_of(expand->getUsers(), joins)
             ? FusionDecision::allow()
             : FusionDecision::forbid(
                   "what the reshape makes is read as it is, "
                   "not only by elementwise operations and "
                   "reductions");
}

FusionDecision ProductSplit::find() {
  auto maker = expand.getSrc().getDefiningOp<LinalgOp>();
  ArrayRef<int64_t> sizes = expand.getResultType().getShape();
  SmallVector<Parts> parts;
  for (ArrayRef<int64_t> dims : expand.getReassociationIndices()) {
    Parts &of = parts.emplace_back();
    for (int64_t dim : dims) {
      if (dims.size() > 1) {
        of.push_back(sizes[dim]);
      }
    }
    if (llvm::any_of(ArrayRef(of).drop_front(of.empty() ? 0 : 1),
                     ShapedType::isDynamic)) {
      return FusionDecision::forbid("a product's tiles split their places by "
                                    "sizes that are known only at "
                                    "run time");
    }
  }
  FusionDecision decision =
      cut(maker,
          maker.getIndexingMapMatchingResult(cast<OpResult>(expand.getSrc())),
          parts);
  while (decision && !worklist.empty()) {
    decision = spread(worklist.pop_back_val());
  }
  return decision ? checkAll() : std::move(decision);
}

/// Checks that a product is cut, and that readers are cut as what they read.
FusionDecision ProductSplit::checkAll() const {
  bool hasProduct = false;
  for (auto &[operation, loops] : cuts) {
    auto op = cast<LinalgOp>(operation);
    hasProduct |= getRole(op) == OpRole::Contraction;
    // What it starts from, too: an operand may be that as well.
    for (OpOperand &operand : op->getOpOperands()) {
      auto maker = operand.get().getDefiningOp<LinalgOp>();
      if (!cuts.contains(maker)) {
        continue;
      }
      AffineMap made =
          maker.getIndexingMapMatchingResult(cast<OpResult>(operand.get()));
      if (getParts(op, op.getMatchingIndexingMap(&operand)) !=
          getParts(maker, made)) {
        return FusionDecision::forbid(kCutDifferently);
      }
    }
  }
  return hasProduct ? FusionDecision::allow()
                    : FusionDecision::forbid(
                          "only products run on the shape of what reads them");
}

/// Returns whether the maps of `op` have `loop` by itself only.
static bool isAlwaysPlain(LinalgOp op, unsigned loop) {
  return llvm::all_of(op.getIndexingMapsArray(), [&](AffineMap map) {
    return llvm::all_of(map.getResults(), [&](AffineExpr expr) {
      return isa<AffineDimExpr>(expr) || !expr.isFunctionOfDim(loop);
    });
  });
}

/// Returns `map` with each loop replaced by its parts, which begin at `first`;
/// loops in sums have one.
static AffineMap cutSums(AffineMap map, ArrayRef<unsigned> first) {
  SmallVector<AffineExpr> whole, exprs;
  for (unsigned loop = 0; loop < map.getNumDims(); ++loop) {
    whole.push_back(getAffineDimExpr(first[loop], map.getContext()));
  }
  for (AffineExpr expr : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim) {
      exprs.push_back(expr.replaceDims(whole));
      continue;
    }
    unsigned loop = dim.getPosition();
    for (unsigned part = first[loop]; part < first[loop + 1]; ++part) {
      exprs.push_back(getAffineDimExpr(part, map.getContext()));
    }
  }
  return AffineMap::get(first.back(), 0, exprs, map.getContext());
}

/// Cuts the loops of `op` that index the dims of a tensor by `map` into
/// `parts`.
FusionDecision ProductSplit::cut(LinalgOp op, AffineMap map,
                                 ArrayRef<Parts> parts) {
  if (!op.hasPureTensorSemantics() || op->getNumResults() != 1) {
    return FusionDecision::forbid(
        "an operation around the product has several results");
  }
  for (auto [dim, of] : llvm::enumerate(parts)) {
    std::optional<unsigned> loop = getLoopAt(map, dim);
    if (!of.empty() && (!loop || !isAlwaysPlain(op, *loop))) {
      return FusionDecision::forbid("a loop of the product, or of an operation "
                                    "around it, is part of a sum of loops");
    }
  }
  if (op->hasAttr(kNoFuseAttr)) {
    return FusionDecision::forbid("the op is marked with " + kNoFuseAttr);
  }
  SmallVector<Parts> &loops =
      cuts.insert({op, SmallVector<Parts>(op.getNumLoops())}).first->second;
  bool changed = false;
  for (auto [dim, of] : llvm::enumerate(parts)) {
    if (of.empty()) {
      continue;
    }
    Parts &known = loops[map.getDimPosition(dim)];
    if (!known.empty() && known != of) {
      return FusionDecision::forbid(kCutDifferently);
    }
    changed |= known.empty();
    known = of;
  }
  if (changed) {
    worklist.push_back(op);
  }
  return FusionDecision::allow();
}

/// Whether `maker` is cut as its readers are, `reader` among them: no one else
/// reads it. Of what makes operands all but other products is, and what their
/// kernels do behind them.
bool ProductSplit::follows(LinalgOp maker, LinalgOp reader) const {
  bool isOperand =
      operandMakers.contains(reader) || getRole(reader) == OpRole::Contraction;
  OpRole role = getRole(maker);
  bool fits =
      (role == OpRole::Elementwise && !(isOperand && isEpilogue(maker))) ||
      (role == OpRole::Contraction && !isOperand) ||
      (role == OpRole::Reduction && isOperand);
  return fits && maker->getBlock() == reader->getBlock() &&
         llvm::all_of(maker->getUsers(),
                      [&](Operation *user) { return cuts.contains(user); });
}

/// Cuts the ops that make what `op` reads.
FusionDecision ProductSplit::spread(LinalgOp op) {
  for (OpOperand *input : op.getDpsInputOperands()) {
    auto maker = input->get().getDefiningOp<LinalgOp>();
    SmallVector<Parts> parts = getParts(op, op.getMatchingIndexingMap(input));
    bool isCut =
        llvm::any_of(parts, [](const Parts &of) { return !of.empty(); });
    if (!maker || !isCut || !follows(maker, op)) {
      continue;
    }
    AffineMap made =
        maker.getIndexingMapMatchingResult(cast<OpResult>(input->get()));
    if (operandMakers.contains(op) || getRole(op) == OpRole::Contraction) {
      operandMakers.insert(maker);
    }
    if (FusionDecision decision = cut(maker, made, parts); !decision) {
      return decision;
    }
  }
  return FusionDecision::allow();
}

SmallVector<Parts> ProductSplit::getParts(LinalgOp op, AffineMap map) const {
  const SmallVector<Parts> &loops = cuts.find(op)->second;
  SmallVector<Parts> parts;
  for (unsigned dim = 0; dim < map.getNumResults(); ++dim) {
    std::optional<unsigned> loop = getLoopAt(map, dim);
    parts.push_back(loop ? loops[*loop] : Parts());
  }
  return parts;
}

Value ProductSplit::getCutOperand(OpOperand &operand, OpBuilder &builder) {
  if (Value made = results.lookupOrNull(operand.get())) {
    return made;
  }
  auto op = cast<LinalgOp>(operand.getOwner());
  SmallVector<Parts> parts = getParts(op, op.getMatchingIndexingMap(&operand));
  bool isCut = llvm::any_of(parts, [](const Parts &of) { return !of.empty(); });
  return isCut ? cutTensor(operand.get(), parts, builder) : operand.get();
}

GenericOp ProductSplit::rebuild(LinalgOp op, OpBuilder &builder) {
  return rebuildCut(
      op, cuts.find(op)->second, builder, cutSums,
      [&](OpOperand &operand) { return getCutOperand(operand, builder); });
}

void ProductSplit::apply() {
  SmallVector<Operation *> ops;
  IRRewriter rewriter(expand.getContext());
  for (auto &[op, loops] : cuts) {
    ops.push_back(op);
  }
  llvm::sort(ops,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  SmallVector<Operation *> replaced;
  for (Operation *op : ops) {
    SmallVector<Parts> loops = cuts.find(op)->second;
    if (!isa<GenericOp>(op)) {
      op = *toGeneric(rewriter, cast<LinalgOp>(op));
      cuts.insert({op, std::move(loops)});
    }
    OpBuilder builder(op);
    GenericOp rebuilt = rebuild(cast<LinalgOp>(op), builder);
    results.map(op->getResults(), rebuilt->getResults());
    replaced.push_back(op);
  }
  expand.getResult().replaceAllUsesWith(results.lookup(expand.getSrc()));
  expand.erase();
  for (Operation *op : llvm::reverse(replaced)) {
    op->erase();
  }
}

/// Returns whether `a` and `b`, of one tensor, make the same.
static bool areEqual(tensor::ExpandShapeOp a, tensor::ExpandShapeOp b) {
  return a.getResultType() == b.getResultType() &&
         a.getReassociation() == b.getReassociation() &&
         llvm::equal(a.getOutputShape(), b.getOutputShape());
}

/// Returns the reshapes of `func` that expand, of equal ones the first: each is
/// all that reads its tensor where nothing else does.
static SmallVector<tensor::ExpandShapeOp> collectExpansions(func::FuncOp func) {
  SmallVector<tensor::ExpandShapeOp> expansions;
  llvm::MapVector<Value, SmallVector<tensor::ExpandShapeOp>> known;
  func.walk([&](tensor::ExpandShapeOp op) {
    SmallVector<tensor::ExpandShapeOp> &same = known[op.getSrc()];
    auto first = llvm::find_if(same, [&](tensor::ExpandShapeOp other) {
      return other->getBlock() == op->getBlock() && areEqual(other, op);
    });
    if (first != same.end()) {
      op.replaceAllUsesWith(first->getResult());
      op.erase();
      return;
    }
    same.push_back(op);
    expansions.push_back(op);
  });
  return expansions;
}

void fusion::splitProducts(func::FuncOp func) {
  // What is kept for its sizes alone would keep products as they are.
  resolveSizes(func.getBody().front());
  SmallVector<tensor::ExpandShapeOp> expansions = collectExpansions(func);
  bool changed = false;
  for (tensor::ExpandShapeOp expand : expansions) {
    ProductSplit split(expand);
    if (!split.isWanted()) {
      continue;
    }
    FusionDecision decision = split.checkReaders();
    if (decision) {
      decision = split.find();
    }
    if (!decision) {
      reportKept("SplitProducts", expand, decision.getReason());
      continue;
    }
    remark::passed(expand.getLoc(), remark::RemarkOpts::name("SplitProducts")
                                        .category("fusion")
                                        .function(func.getName()))
        << remark::add("a product runs on the shape of what reads it");
    split.apply();
    changed = true;
  }
  if (changed) {
    moveReshapes(func, RewritePatternSet(func.getContext()));
  }
}

namespace {
struct SplitProductsPass
    : mlir::fusion::impl::SplitProductsBase<SplitProductsPass> {
  void runOnOperation() override {
    if (!getOperation().isExternal()) {
      splitProducts(getOperation());
    }
  }
};
} // namespace
