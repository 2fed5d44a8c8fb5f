//===- SliceProducts.cpp - products make the parts cut out of results -----===//
//
// Gates, halves and heads are often made by one product and cut apart behind
// it. Products of parts of its operands make them in place: what computes with
// them is then the end of their kernel, and what nobody reads is not made.
//
//===----------------------------------------------------------------------===//

#include "CutParts.h"
#include "ResolveSizes.h"

#include "fusion/Analysis/FusionDecision.h"
#include "fusion/Analysis/IterationSpace.h"
#include "fusion/Analysis/Movement.h"
#include "fusion/Analysis/Renaming.h"
#include "fusion/Dialect/Fusion/IR/Directives.h"
#include "fusion/Planner/FormGroups.h"
#include "fusion/Planner/Passes.h"
#include "fusion/Planner/ReportKept.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::fusion;
using linalg::LinalgOp;

namespace mlir::fusion {
#define GEN_PASS_DEF_SLICEPRODUCTS
#include "fusion/Planner/Passes.h.inc"
} // namespace mlir::fusion

/// More ops than these are not done for each part.
static constexpr unsigned kMaxOps = 32;
/// More parts of one result than these would leave tiles empty.
static constexpr size_t kMaxParts = 8;

namespace {
/// A tensor of which only parts are read, and the ops that make it.
class ProductParts {
public:
  ProductParts(Value source, SmallVector<CutPart> parts)
      : source(source), parts(std::move(parts)) {}

  /// Whether a product makes the tensor, perhaps with elementwise ops behind.
  bool isMadeByProduct();
  /// Says why no product of those behind the tensor makes it, where one could
  /// but for that; allows where there is none.
  FusionDecision checkMakers() const;
  /// Finds what each part needs, or says why the product stays whole.
  FusionDecision find();
  /// Makes each part by ops of its own; adds to `erased` what is gone.
  void apply(DenseSet<Value> &erased);

private:
  using CutsOf = llvm::MapVector<Value, Cuts>;

  FusionDecision canCut(Operation *op) const;
  FusionDecision checkParts() const;
  FusionDecision checkProducts() const;
  FusionDecision trace(const CutPart &part, CutsOf &cuts) const;
  FusionDecision traceOp(Operation *op, CutsOf &cuts) const;
  FusionDecision addCuts(Value value, const Cuts &wanted, CutsOf &cuts) const;
  Value make(const CutPart &part, const CutsOf &cuts);
  Value makeOp(Operation *op, OpBuilder &builder, const CutsOf &cuts,
               IRMapping &made);
  Value makeOperand(Value value, const Cuts &wanted, OpBuilder &builder,
                    IRMapping &made);

  Value source;
  SmallVector<CutPart> parts;
  /// From the ops that make the tensor, those that nothing else needs, in
  /// order; products among them.
  SmallVector<Operation *> chain;
  /// All that were looked at.
  llvm::SetVector<Operation *> seen;
  SmallVector<CutsOf, 0> cutsOf; ///< for each part
};
} // namespace

static bool isProduct(Operation *op) {
  auto linalgOp = dyn_cast<LinalgOp>(op);
  OpRole role = linalgOp ? getIterationSpace(linalgOp).role : OpRole::Other;
  return role == OpRole::Contraction || role == OpRole::Window;
}

/// Checks that `op` computes part of its result as it computes all of it.
FusionDecision ProductParts::canCut(Operation *op) const {
  if (isReshape(op)) {
    return FusionDecision::allow();
  }
  auto linalgOp = dyn_cast<LinalgOp>(op);
  if (!linalgOp || !linalgOp.hasPureTensorSemantics() ||
      op->getNumResults() != 1 || isa<linalg::FillOp>(op)) {
    return FusionDecision::forbid(
        "what follows the product has several results");
  }
  if (isDirected(op)) {
    return FusionDecision::forbid("the product, or what follows it, is marked "
                                  "with a directive, and stays as it is");
  }
  bool reads =
      linalgOp.payloadUsesValueFromOperand(linalgOp.getDpsInitOperand(0));
  bool begins = linalgOp.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
  if (isProduct(op) && !begins) {
    return FusionDecision::forbid(
        "the product adds to a tensor, of which no part is made");
  }
  bool isElementwise =
      !reads && getIterationSpace(linalgOp).role == OpRole::Elementwise;
  if (!isProduct(op) && !isElementwise) {
    return FusionDecision::forbid(
        "what follows the product is not elementwise, "
        "or adds to a tensor");
  }
  bool isPlain = llvm::all_of(*linalgOp.getBlock(), [](Operation &inner) {
    return inner.getNumRegions() == 0 &&
           !isa<linalg::IndexOp, tensor::ExtractOp>(inner);
  });
  return isPlain ? FusionDecision::allow()
                 : FusionDecision::forbid(
                       "what follows the product depends on where its elements "
                       "lie");
}

bool ProductParts::isMadeByProduct() {
  llvm::SetVector<Operation *> found;
  SmallVector<Operation *> worklist = {source.getDefiningOp()};
  Block *block = worklist.front()->getBlock();
  auto follows = [&](Operation *op) {
    return op == source.getDefiningOp() ||
           llvm::all_of(op->getUsers(),
                        [&](Operation *user) { return found.contains(user); });
  };
  // Asked again for each reader that is found; the last one tells.
  while (!worklist.empty() && found.size() < kMaxOps) {
    Operation *op = worklist.pop_back_val();
    seen.insert(op);
    if (found.contains(op) || op->getBlock() != block || !canCut(op) ||
        !follows(op)) {
      continue;
    }
    found.insert(op);
    for (Value operand : op->getOperands()) {
      if (operand.getDefiningOp() && !isProduct(op)) {
        worklist.push_back(operand.getDefiningOp());
      }
    }
  }
  chain = found.takeVector();
  llvm::sort(chain,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return llvm::any_of(chain, isProduct);
}

/// Returns whether `op` is elementwise code of what a product makes.
static bool followsProduct(Operation *op) {
  auto linalgOp = dyn_cast<LinalgOp>(op);
  return linalgOp && linalgOp.isAllParallelLoops() &&
         llvm::any_of(linalgOp.getDpsInputs(), [](Value value) {
           return value.getDefiningOp() && isProduct(value.getDefiningOp());
         });
}

FusionDecision ProductParts::checkMakers() const {
  for (Operation *op : seen) {
    if (llvm::is_contained(chain, op) ||
        !(isProduct(op) || followsProduct(op))) {
      continue;
    }
    if (op->getBlock() != source.getDefiningOp()->getBlock()) {
      return FusionDecision::forbid(
          "the product is made before the branch that reads parts of it");
    }
    FusionDecision decision = canCut(op);
    return decision ? FusionDecision::forbid("all of the product is read too")
                    : std::move(decision);
  }
  return chain.size() < kMaxOps
             ? FusionDecision::allow()
             : FusionDecision::forbid(
                   "the parts are cut out behind more than " + Twine(kMaxOps) +
                   " operations");
}

/// Returns whether a contraction reads `value` where it lies, as it is or
/// moved.
static bool isReadInPlace(Value value) {
  SmallVector<Value> pending = {value};
  while (!pending.empty()) {
    for (Operation *user : pending.pop_back_val().getUsers()) {
      auto reader = dyn_cast<LinalgOp>(user);
      if (reader && getIterationSpace(reader).role == OpRole::Contraction) {
        return true;
      }
      if (isReshape(user) || (reader && getMovement(reader))) {
        pending.push_back(user->getResult(0));
      }
    }
  }
  return false;
}

/// Checks that the parts are few, not larger than the whole together, and
/// better made apart than read where they lie.
FusionDecision ProductParts::checkParts() const {
  if (parts.size() > kMaxParts) {
    return FusionDecision::forbid("more than " + Twine(kMaxParts) +
                                  " parts are cut out of the product");
  }
  auto type = cast<RankedTensorType>(source.getType());
  double share = 0;
  for (const CutPart &part : parts) {
    double size = 1;
    for (auto [dim, cut] : llvm::enumerate(part.cuts)) {
      size *= cut ? double(cut->size) / double(type.getDimSize(dim)) : 1;
    }
    share += size;
  }
  constexpr double kWhole = 1 - 1e-6, kMore = 1 + 1e-6;
  if (share > kMore) {
    return FusionDecision::forbid(
        "parts that overlap would be computed more than once");
  }
  bool inPlace = llvm::any_of(parts, [](const CutPart &part) {
    return isReadInPlace(part.op->getResult(0));
  });
  if (share > kWhole && inPlace) {
    return FusionDecision::forbid(
        "another contraction reads a part of the product where it lies");
  }
  return FusionDecision::allow();
}

/// Returns whether a softmax makes what `op` reads.
static bool weighsSoftmax(LinalgOp op) {
  constexpr unsigned kMostOps = 24;
  llvm::SetVector<Operation *> makers;
  auto add = [&](ValueRange values) {
    for (Value value : values) {
      Operation *def = value.getDefiningOp();
      auto maker = dyn_cast_or_null<LinalgOp>(def);
      if (def && (isReshape(def) || (maker && !isProduct(def)))) {
        makers.insert(def);
      }
    }
  };
  add(op.getDpsInputs());
  bool exponential = false, reduction = false;
  for (size_t at = 0; at < makers.size() && at < kMostOps; ++at) {
    add(makers[at]->getOperands());
    if (auto maker = dyn_cast<LinalgOp>(makers[at])) {
      reduction |= maker.getNumReductionLoops() > 0;
      exponential |= llvm::any_of(*maker.getBlock(), [](Operation &inner) {
        return isa<math::ExpOp, math::Exp2Op>(inner);
      });
    }
  }
  return exponential && reduction;
}

/// Checks that each part has products of its own, and that these do no more
/// than the whole did.
FusionDecision ProductParts::checkProducts() const {
  for (Operation *op : chain) {
    if (!isProduct(op)) {
      continue;
    }
    bool isCut = llvm::all_of(cutsOf, [&](const CutsOf &cuts) {
      auto found = cuts.find(op->getResult(0));
      return found != cuts.end() && hasCut(found->second);
    });
    if (!isCut) {
      return FusionDecision::forbid("a part needs all of a product");
    }
    if (parts.size() > 1 && weighsSoftmax(cast<LinalgOp>(op))) {
      return FusionDecision::forbid(
          "the softmax that the product weighs would be computed for each "
          "part");
    }
  }
  return FusionDecision::allow();
}

FusionDecision ProductParts::find() {
  FusionDecision decision = checkParts();
  for (const CutPart &part : parts) {
    if (!decision) {
      return decision;
    }
    decision = trace(part, cutsOf.emplace_back());
  }
  return decision ? checkProducts() : std::move(decision);
}

FusionDecision ProductParts::addCuts(Value value, const Cuts &wanted,
                                     CutsOf &cuts) const {
  auto [known, isNew] = cuts.insert({value, wanted});
  return isNew || known->second == wanted
             ? FusionDecision::allow()
             : FusionDecision::forbid(
                   "a tensor behind the product is read at several places");
}

/// Finds which parts of what `chain` makes `part` needs.
FusionDecision ProductParts::trace(const CutPart &part, CutsOf &cuts) const {
  cuts.insert({source, part.cuts});
  for (Operation *op : llvm::reverse(chain)) {
    if (FusionDecision decision = traceOp(op, cuts); !decision) {
      return decision;
    }
  }
  return FusionDecision::allow();
}

FusionDecision ProductParts::traceOp(Operation *op, CutsOf &cuts) const {
  Cuts own = cuts.find(op->getResult(0))->second;
  if (isReshape(op)) {
    std::optional<Cuts> before = getCutsBefore(op, own);
    return before ? addCuts(op->getOperand(0), *before, cuts)
                  : FusionDecision::forbid(
                        "a reshape behind the product joins what is cut with "
                        "other dims");
  }
  auto linalgOp = cast<LinalgOp>(op);
  for (OpOperand *input : linalgOp.getDpsInputOperands()) {
    std::optional<Cuts> wanted = getOperandCuts(linalgOp, own, *input);
    if (!wanted) {
      return FusionDecision::forbid("the part of the places of a convolution "
                                    "does not begin with the first");
    }
    bool isOwn = llvm::is_contained(chain, input->get().getDefiningOp());
    FusionDecision decision = isOwn ? addCuts(input->get(), *wanted, cuts)
                                    : checkCuttable(input->get(), *wanted);
    if (!decision) {
      return decision;
    }
  }
  return FusionDecision::allow();
}

Value ProductParts::makeOperand(Value value, const Cuts &wanted,
                                OpBuilder &builder, IRMapping &made) {
  if (Value own = made.lookupOrNull(value)) {
    return own;
  }
  return hasCut(wanted) ? cutOut(builder, value, wanted) : value;
}

/// Makes the part of `op` that `cuts` says.
Value ProductParts::makeOp(Operation *op, OpBuilder &builder,
                           const CutsOf &cuts, IRMapping &made) {
  const Cuts &own = cuts.find(op->getResult(0))->second;
  auto type = getCutType(op->getResult(0), own);
  if (isReshape(op)) {
    Value before =
        makeOperand(op->getOperand(0), *getCutsBefore(op, own), builder, made);
    return makeReshape(builder, op, before, type, own);
  }
  auto linalgOp = cast<LinalgOp>(op);
  SmallVector<Value> operands;
  for (OpOperand *input : linalgOp.getDpsInputOperands()) {
    operands.push_back(makeOperand(
        input->get(), *getOperandCuts(linalgOp, own, *input), builder, made));
  }
  Value init = linalgOp.getDpsInits()[0];
  auto fill = init.getDefiningOp<linalg::FillOp>();
  Value empty = makeEmpty(builder, fill ? fill.getOutputs()[0] : init, own);
  operands.push_back(fill ? linalg::FillOp::create(builder, op->getLoc(),
                                                   fill.getInputs(), empty)
                                ->getResult(0)
                          : empty);
  return mlir::clone(builder, op, TypeRange(type), operands)->getResult(0);
}

Value ProductParts::make(const CutPart &part, const CutsOf &cuts) {
  OpBuilder builder(part.op);
  IRMapping made;
  for (Operation *op : chain) {
    // What is needed as a whole is there.
    if (hasCut(cuts.find(op->getResult(0))->second)) {
      made.map(op->getResult(0), makeOp(op, builder, cuts, made));
    }
  }
  Value result = made.lookup(source);
  auto type = cast<RankedTensorType>(part.op->getResult(0).getType());
  return result.getType() == type
             ? result
             : reshapeUnits(builder, source.getLoc(), result, type);
}

void ProductParts::apply(DenseSet<Value> &erased) {
  for (auto [part, cuts] : llvm::zip_equal(parts, cutsOf)) {
    part.op->getResult(0).replaceAllUsesWith(make(part, cuts));
  }
  auto erase = [&](Operation *op) {
    erased.insert(op->getResult(0));
    op->erase();
  };
  for (CutPart &part : parts) {
    erase(part.op);
  }
  for (Operation *op : llvm::reverse(chain)) {
    if (op->use_empty()) {
      erase(op);
    }
  }
}

/// Finds the parts that are read of `value`; checks that nothing else is, where
/// there are any.
static FusionDecision findParts(Value value, SmallVector<CutPart> &parts) {
  FusionDecision decision = FusionDecision::allow();
  for (Operation *user : value.getUsers()) {
    auto op = user->getParentOfType<LinalgOp>();
    std::optional<CutPart> part =
        isa<tensor::ExtractOp>(user) && op ? matchCutPart(op) : std::nullopt;
    if (!part || part->source != value) {
      decision = FusionDecision::forbid("all of the product is read too");
      continue;
    }
    if (isDirected(op)) {
      decision =
          FusionDecision::forbid("a part is marked with a directive, and "
                                 "stays as it is");
    } else if (op->getBlock() != value.getDefiningOp()->getBlock()) {
      decision = FusionDecision::forbid(
          "a part is cut out in a branch, and may not be needed");
    }
    parts.push_back(*part);
  }
  if (!decision) {
    std::reverse(parts.begin(), parts.end()); // in the order of the text
    return decision;
  }
  llvm::sort(parts, [](const CutPart &a, const CutPart &b) {
    return a.op->isBeforeInBlock(b.op);
  });
  return decision;
}

void fusion::sliceProducts(func::FuncOp func) {
  // What is read for its sizes alone is not read.
  resolveSizes(func.getBody().front());
  SmallVector<Value> sources;
  func.walk([&](Operation *op) {
    bool makes = isReshape(op) || isa<LinalgOp>(op);
    if (makes && op->getNumResults() == 1 &&
        isa<RankedTensorType>(op->getResult(0).getType())) {
      sources.push_back(op->getResult(0));
    }
  });
  auto opts = remark::RemarkOpts::name("SliceProducts")
                  .category("fusion")
                  .function(func.getName());
  // Parts of parts: the last ones first.
  DenseSet<Value> erased;
  for (Value source : llvm::reverse(sources)) {
    if (erased.contains(source)) {
      continue;
    }
    SmallVector<CutPart> cut;
    FusionDecision decision = findParts(source, cut);
    if (cut.empty()) {
      continue;
    }
    ProductParts parts(source, cut);
    if (!parts.isMadeByProduct()) {
      decision = parts.checkMakers();
      if (!decision) {
        reportKept("SliceProducts", cut.front().op, decision.getReason());
      }
      continue;
    }
    if (decision) {
      decision = parts.find();
    }
    if (!decision) {
      reportKept("SliceProducts", cut.front().op, decision.getReason());
      continue;
    }
    remark::passed(cut.front().op.getLoc(), opts)
        << remark::add("parts cut out of a product are made by products: {0}",
                       static_cast<int>(cut.size()));
    parts.apply(erased);
  }
}

namespace {
struct SliceProductsPass
    : mlir::fusion::impl::SliceProductsBase<SliceProductsPass> {
  void runOnOperation() override {
    if (!getOperation().isExternal()) {
      sliceProducts(getOperation());
    }
  }
};
} // namespace
