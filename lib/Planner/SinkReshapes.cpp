//===- SinkReshapes.cpp - move renaming reshapes out of chains ------------===//

#include "RefineShapes.h"
#include "fusion/Analysis/IterationSpace.h"
#include "fusion/Analysis/Movement.h"
#include "fusion/Dialect/Fusion/Transforms/UnfoldedFunctions.h"
#include "fusion/Planner/AdoptLinalg.h"
#include "fusion/Planner/FormGroups.h"
#include "fusion/Planner/Passes.h"
#include "fusion/Planner/ReportKept.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include <set>

using namespace mlir;
using namespace mlir::fusion;
using linalg::LinalgOp;

namespace mlir::fusion {
#define GEN_PASS_DEF_SINKRESHAPES
#include "fusion/Planner/Passes.h.inc"
} // namespace mlir::fusion

/// Returns what an elementwise op reads in `value`: past the reshape of places
/// that filters make, side by side, since the product runs on the parts.
static Value skipPlaces(LinalgOp op, Value value) {
  auto expand = value.getDefiningOp<tensor::ExpandShapeOp>();
  std::optional<Movement> movement = expand ? getMovement(op) : std::nullopt;
  bool places = movement && !movement->map.isIdentity() &&
                expand->hasOneUse() && expand.getSrc().hasOneUse();
  return places ? expand.getSrc() : value;
}

/// How many ops above a reshape are looked at.
static constexpr size_t kMostOps = 256;

/// Whether `value` is what a contraction gives, or comes from that through
/// elementwise ops alone: some of what each of them reads.
static bool followsContraction(Value value) {
  llvm::SetVector<Value> seen;
  seen.insert(value);
  for (size_t i = 0; i < seen.size() && i < kMostOps; ++i) {
    auto op = seen[i].getDefiningOp<LinalgOp>();
    if (op && endsContraction(seen[i])) {
      return true;
    }
    if (!op || getIterationSpace(op).role != OpRole::Elementwise) {
      continue;
    }
    for (Value input : op.getDpsInputs()) {
      seen.insert(skipPlaces(op, input));
    }
  }
  return false;
}

/// Returns whether a contraction's kernel makes what `collapse` reads, for one
/// reader only: it could do what that reader does.
static bool endsInOneReader(tensor::CollapseShapeOp collapse) {
  Value source = collapse.getSrc();
  auto maker = source.getDefiningOp<LinalgOp>();
  return maker && source.hasOneUse() && collapse->hasOneUse() &&
         (endsContraction(source) || isEpilogue(maker));
}

/// Returns whether expanding loops lets an elementwise op run on what a
/// contraction gives before that is collapsed (the groups of a convolution).
static bool shouldExpand(OpOperand *use) {
  // What such an op reads beside, expanded for it.
  if (isa<tensor::ExpandShapeOp>(use->getOwner())) {
    auto producer = use->get().getDefiningOp<LinalgOp>();
    return producer && producer->hasOneUse() &&
           getIterationSpace(producer).role == OpRole::Elementwise &&
           llvm::all_of(use->getOwner()->getUsers(), [](Operation *user) {
             // What only moves it is read through, where it lies.
             return joinsKernels(user) && !getMovement(cast<LinalgOp>(user));
           });
  }
  auto collapse = use->get().getDefiningOp<tensor::CollapseShapeOp>();
  auto reader = dyn_cast<LinalgOp>(use->getOwner());
  if (!collapse || !reader || !reader.isDpsInput(use) ||
      getIterationSpace(reader).role != OpRole::Elementwise ||
      !reader.getMatchingIndexingMap(use).isPermutation()) {
    return false;
  }
  // The kernel of another product does it: it reads this one from memory.
  if (isEpilogue(reader) && !endsInOneReader(collapse)) {
    return false;
  }
  return followsContraction(collapse.getSrc());
}

using Groups = SmallVector<ReassociationIndices>;

/// Returns the dims that `map` reads by each of `groups`, loops that are put
/// together, but for those that it does not read; none if it reads a part of a
/// group, or in another order.
static std::optional<Groups> findTogether(AffineMap map, const Groups &groups) {
  Groups found;
  for (const ReassociationIndices &group : groups) {
    ReassociationIndices dims;
    for (int64_t loop : group) {
      if (!map.isFunctionOfDim(loop)) {
        continue;
      }
      std::optional<unsigned> dim =
          map.getResultPosition(getAffineDimExpr(loop, map.getContext()));
      if (!dim || (!dims.empty() && *dim != dims.back() + 1)) {
        return std::nullopt;
      }
      dims.push_back(*dim);
    }
    if (!dims.empty()) {
      if (dims.size() != group.size()) {
        return std::nullopt;
      }
      found.push_back(std::move(dims));
    }
  }
  return found;
}

/// Returns whether all ops that make what `collapse` reads can run on loops put
/// together as its dims: else it would only move up between two of them.
static bool runTogether(tensor::CollapseShapeOp collapse) {
  ArrayRef<int64_t> sizes = collapse.getSrcType().getShape();
  Groups groups;
  for (ReassociationIndices parts : collapse.getReassociationIndices()) {
    llvm::erase_if(parts, [&](int64_t part) { return sizes[part] == 1; });
    if (parts.size() > 1) {
      groups.push_back(std::move(parts));
    }
  }
  SmallVector<std::pair<Value, Groups>> worklist = {
      {collapse.getSrc(), std::move(groups)}};
  llvm::SmallPtrSet<Operation *, 16> seen;
  while (!worklist.empty()) {
    auto [value, dims] = worklist.pop_back_val();
    auto op = value.getDefiningOp<LinalgOp>();
    if (dims.empty() || !joinsKernels(op) || !seen.insert(op).second) {
      continue;
    }
    AffineMap made = op.getIndexingMapMatchingResult(cast<OpResult>(value));
    if (!made.isProjectedPermutation() || seen.size() > kMostOps) {
      return false;
    }
    for (ReassociationIndices &loops : dims) {
      for (int64_t &loop : loops) {
        loop = made.getDimPosition(loop);
      }
    }
    for (OpOperand &operand : op->getOpOperands()) {
      std::optional<Groups> read =
          findTogether(op.getMatchingIndexingMap(&operand), dims);
      if (!read) {
        return false;
      }
      worklist.push_back({operand.get(), std::move(*read)});
    }
  }
  return true;
}

/// Returns whether `product` sums over dims that `collapse`, its operand, puts
/// together: the rows of a norm would not be its rows.
static bool sumsTogether(LinalgOp product, tensor::CollapseShapeOp collapse) {
  ArrayRef<int64_t> sizes = collapse.getSrcType().getShape();
  SmallVector<utils::IteratorType> loops = product.getIteratorTypesArray();
  auto isWide = [&](int64_t part) { return sizes[part] != 1; };
  for (OpOperand *input : product.getDpsInputOperands()) {
    if (input->get() != collapse.getResult()) {
      continue;
    }
    AffineMap map = product.getMatchingIndexingMap(input);
    for (auto [read, parts] : llvm::zip_equal(
             map.getResults(), collapse.getReassociationIndices())) {
      auto loop = dyn_cast<AffineDimExpr>(read);
      bool isRow =
          loop && loops[loop.getPosition()] == utils::IteratorType::parallel;
      if (!isRow && llvm::count_if(parts, isWide) > 1) {
        return true;
      }
    }
  }
  return false;
}

/// Returns whether the kernel of the contraction `user` could make what
/// `collapse` gives it, on loops put together as these. Not what follows
/// another contraction, whose kernel does it on its own.
static bool takesPrologue(Operation *user, tensor::CollapseShapeOp collapse) {
  auto product = dyn_cast<LinalgOp>(user);
  return product && getIterationSpace(product).role == OpRole::Contraction &&
         !sumsTogether(product, collapse) &&
         !followsContraction(collapse.getSrc()) && runTogether(collapse);
}

/// Returns whether collapsing loops moves the reshape next to `use` out from
/// between two ops that one kernel could hold.
static bool shouldSink(OpOperand *use) {
  Operation *owner = use->getOwner();
  // The result of a linalg op, collapsed for its users.
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(owner)) {
    return joinsKernels(use->get().getDefiningOp()) &&
           !endsContraction(use->get()) &&
           llvm::any_of(owner->getUsers(), [&](Operation *user) {
             return joinsKernels(user) || takesPrologue(user, collapse);
           });
  }
  // The result of a linalg op, expanded for `owner`.
  auto expand = use->get().getDefiningOp<tensor::ExpandShapeOp>();
  return expand && expand.getSrc().getDefiningOp<LinalgOp>() &&
         joinsKernels(owner);
}

/// Says of each reshape that still stands between two linalg ops why.
static void reportReshapes(func::FuncOp func) {
  func.walk([](LinalgOp reader) {
    std::set<std::pair<Operation *, std::string>> told;
    for (OpOperand *input : reader.getDpsInputOperands()) {
      Value source = getRenamedSource(input->get());
      if (source == input->get() || !source.getDefiningOp<LinalgOp>()) {
        continue;
      }
      Operation *reshape = input->get().getDefiningOp();
      FusionDecision decision = canRefine(*input);
      StringRef why =
          decision ? "its reader runs on another shape" : decision.getReason();
      // The reader could have run on the shape of the contraction.
      if (isa<tensor::ExpandShapeOp>(reshape) && endsContraction(source) &&
          joinsKernels(reader)) {
        why = kDimsNotTogether;
      }
      // One that is read twice is told of once.
      if (told.insert({reshape, why.str()}).second) {
        reportKept("SinkReshapes", reshape, why);
      }
    }
  });
}

void fusion::moveReshapes(func::FuncOp func, RewritePatternSet &&patterns) {
  // Destinations are reshaped by making them in the new shape.
  linalg::FillOp::getCanonicalizationPatterns(patterns, func.getContext());
  tensor::populateFoldTensorEmptyPatterns(patterns);
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns,
                                                     func.getContext());
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns,
                                                       func.getContext());
  // Without region simplification or constant sharing: only reshapes move.
  GreedyRewriteConfig config;
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled)
      .enableConstantCSE(false);
  {
    UnfoldedFunctions unfolded(func);
    (void)applyPatternsGreedily(func, std::move(patterns), config);
  }
  // Positions of reshaped loops.
  lowerIndexMaps(func);
}

/// Lets `reader`, which computes one element, run on the dims of size one that
/// `collapse`, its operand, drops, all that there are.
static void expandScalarReader(linalg::GenericOp reader,
                               tensor::CollapseShapeOp collapse) {
  OpBuilder builder(reader);
  Location loc = reader.getLoc();
  int64_t rank = collapse.getSrcType().getRank();
  AffineMap own = builder.getMultiDimIdentityMap(rank);
  SmallVector<AffineMap> maps;
  SmallVector<Value> inputs, inits;
  for (OpOperand *input : reader.getDpsInputOperands()) {
    bool reads = input->get() == collapse.getResult();
    inputs.push_back(reads ? collapse.getSrc() : input->get());
    // One element of a tensor has positions, all constants.
    AffineMap fixed = reader.getMatchingIndexingMap(input);
    maps.push_back(reads ? own
                         : AffineMap::get(rank, 0, fixed.getResults(),
                                          builder.getContext()));
  }
  for (Value init : reader.getDpsInits()) {
    inits.push_back(
        tensor::EmptyOp::create(builder, loc, collapse.getSrcType().getShape(),
                                getElementTypeOrSelf(init.getType())));
    maps.push_back(own);
  }
  SmallVector<utils::IteratorType> parallel(rank,
                                            utils::IteratorType::parallel);
  auto expanded = linalg::GenericOp::create(builder, loc, TypeRange(inits),
                                            inputs, inits, maps, parallel);
  expanded->setDiscardableAttrs(reader->getDiscardableAttrDictionary());
  expanded.getRegion().takeBody(reader.getRegion());
  for (auto [old, made] :
       llvm::zip_equal(reader->getResults(), expanded->getResults())) {
    old.replaceAllUsesWith(tensor::CollapseShapeOp::create(
        builder, loc, old.getType(), made, ArrayRef<ReassociationIndices>()));
  }
  reader.erase();
}

/// Upstream's patterns do not follow reshapes to rank 0, as dot products have.
static void expandScalarReaders(func::FuncOp func) {
  SmallVector<linalg::GenericOp> readers;
  func.walk([&](linalg::GenericOp op) {
    bool readsInits =
        llvm::any_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
          return op.payloadUsesValueFromOperand(&init);
        });
    if (op.getNumLoops() == 0 && op.hasPureTensorSemantics() && !readsInits) {
      readers.push_back(op);
    }
  });
  for (linalg::GenericOp reader : readers) {
    for (Value input : reader.getInputs()) {
      auto collapse = input.getDefiningOp<tensor::CollapseShapeOp>();
      auto maker =
          collapse ? collapse.getSrc().getDefiningOp<LinalgOp>() : LinalgOp();
      if (maker && maker->getBlock() == reader->getBlock() &&
          (joinsKernels(maker) || endsContraction(collapse.getSrc()))) {
        expandScalarReader(reader, collapse);
        break;
      }
    }
  }
}

void fusion::sinkReshapes(func::FuncOp func) {
  RewritePatternSet patterns(func.getContext());
  linalg::populateFoldReshapeOpsByCollapsingPatterns(patterns, shouldSink);
  populateDropUnitDimsPatterns(patterns);
  moveReshapes(func, std::move(patterns));

  // The other way round, and after the above, which would undo it.
  RewritePatternSet expansions(func.getContext());
  linalg::populateFoldReshapeOpsByExpansionPatterns(expansions, shouldExpand);
  moveReshapes(func, std::move(expansions));

  expandScalarReaders(func);
  // Where no shape of the two fits both sides.
  refineShapes(func);
  reportReshapes(func);
}

namespace {
struct SinkReshapesPass
    : mlir::fusion::impl::SinkReshapesBase<SinkReshapesPass> {
  void runOnOperation() override { sinkReshapes(getOperation()); }
};
} // namespace
