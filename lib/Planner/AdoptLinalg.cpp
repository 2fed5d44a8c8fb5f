//===- AdoptLinalg.cpp - Linalg of other compilers in stage 2 -------------===//

#include "fusion/Planner/AdoptLinalg.h"
#include "fusion/Dialect/Fusion/IR/Directives.h"
#include "fusion/Dialect/Fusion/IR/Encodings.h"
#include "fusion/Planner/CheckDirectives.h"
#include "fusion/Planner/Passes.h"
#include "fusion/Planner/ReportKept.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::fusion;

namespace mlir::fusion {
#define GEN_PASS_DEF_ADOPTLINALG
#include "fusion/Planner/Passes.h.inc"
} // namespace mlir::fusion

/// Replaces ops that stand for several (`linalg.softmax`) by these.
static void decomposeAggregates(func::FuncOp func) {
  SmallVector<linalg::AggregatedOpInterface> aggregates;
  func.walk([&](linalg::AggregatedOpInterface op) {
    bool onTensors = llvm::all_of(op->getOperandTypes(), [](Type type) {
      return isa<RankedTensorType>(type) || !isa<ShapedType>(type);
    });
    if (onTensors) {
      aggregates.push_back(op);
    }
  });
  for (linalg::AggregatedOpInterface op : aggregates) {
    OpBuilder builder(op);
    FailureOr<SmallVector<Value>> results = op.decomposeOperation(builder);
    if (succeeded(results) && results->size() == op->getNumResults()) {
      op->replaceAllUsesWith(*results);
      op->erase();
    }
  }
}

/// Turns changes to and from a layout of tiles into paddings, reshapes,
/// transposes and slices.
static void lowerPacks(func::FuncOp func) {
  IRRewriter rewriter(func.getContext());
  SmallVector<Operation *> ops;
  func.walk([&](Operation *op) {
    if (isa<linalg::PackOp, linalg::UnPackOp>(op) &&
        llvm::all_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>)) {
      ops.push_back(op);
    }
  });
  for (Operation *op : ops) {
    rewriter.setInsertionPoint(op);
    if (auto unpack = dyn_cast<linalg::UnPackOp>(op)) {
      (void)linalg::lowerUnPack(rewriter, unpack);
    } else if (failed(linalg::lowerPack(rewriter, cast<linalg::PackOp>(op)))) {
      reportKept("AdoptLinalg", op, "the sizes of its tiles are not constants");
    }
  }
}

/// Turns arithmetic on whole tensors into linalg ops.
static void lowerElementwise(func::FuncOp func) {
  RewritePatternSet patterns(func.getContext());
  linalg::populateElementwiseToLinalgConversionPatterns(patterns);
  GreedyRewriteConfig config;
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled)
      .enableFolding(false)
      .enableConstantCSE(false);
  (void)applyPatternsGreedily(func, std::move(patterns), config);
}

/// Lets loops that are called parallel be reductions where a result that reads
/// what it has so far is not along them: in which order they run would matter.
static void markReducedLoops(func::FuncOp func) {
  auto reduction = linalg::IteratorTypeAttr::get(
      func.getContext(), utils::IteratorType::reduction);
  func.walk([&](linalg::GenericOp op) {
    SmallVector<Attribute> loops = llvm::to_vector(op.getIteratorTypes());
    SmallVector<int64_t, 4> sizes =
        cast<linalg::LinalgOp>(op.getOperation()).getStaticLoopRanges();
    for (OpOperand &init : op.getDpsInitsMutable()) {
      AffineMap map = op.getMatchingIndexingMap(&init);
      for (unsigned loop = 0; loop < loops.size(); ++loop) {
        if (op.payloadUsesValueFromOperand(&init) && sizes[loop] != 1 &&
            !map.isFunctionOfDim(loop)) {
          loops[loop] = reduction;
        }
      }
    }
    op.setIteratorTypesAttr(ArrayAttr::get(func.getContext(), loops));
  });
}

/// Lets loops that are called reductions but tell the elements of every result
/// apart be parallel, which is what they are.
static void markParallelLoops(func::FuncOp func) {
  auto parallel = linalg::IteratorTypeAttr::get(func.getContext(),
                                                utils::IteratorType::parallel);
  func.walk([&](linalg::GenericOp op) {
    SmallVector<Attribute> loops = llvm::to_vector(op.getIteratorTypes());
    for (unsigned loop = 0; loop < loops.size(); ++loop) {
      AffineExpr dim = getAffineDimExpr(loop, func.getContext());
      bool tells = llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
        return llvm::is_contained(op.getMatchingIndexingMap(&init).getResults(),
                                  dim);
      });
      if (tells && op.getNumDpsInits() != 0) {
        loops[loop] = parallel;
      }
    }
    op.setIteratorTypesAttr(ArrayAttr::get(func.getContext(), loops));
  });
}

/// Says why loops around linalg ops stay, and nothing is made of them.
static void reportLoops(func::FuncOp func) {
  func.walk<WalkOrder::PreOrder>([](Operation *op) {
    if (isa<linalg::LinalgOp, tensor::GenerateOp>(op)) {
      return WalkResult::skip();
    }
    if (isa<LoopLikeOpInterface>(op)) {
      reportKept("AdoptLinalg", op,
                 "a loop around operations on tensors is not compiled: write "
                 "out each of its steps, or a linalg operation in its place");
    }
    return WalkResult::advance();
  });
}

/// Checks that nothing in a branch has effects, which would have to happen just
/// where the branch is taken.
static LogicalResult checkEffects(func::FuncOp func) {
  WalkResult result = func.walk([](IfOp branch) {
    return branch->walk([&](Operation *op) {
      bool isFree = op == branch || op->hasTrait<OpTrait::IsTerminator>() ||
                    isMemoryEffectFree(op);
      if (isFree || op->hasTrait<OpTrait::HasRecursiveMemoryEffects>()) {
        return WalkResult::advance();
      }
      op->emitOpError("expected no effects in a branch");
      return WalkResult::interrupt();
    });
  });
  return failure(result.wasInterrupted());
}

LogicalResult fusion::adoptLinalg(func::FuncOp func) {
  if (failed(checkEncodings(func)) || failed(checkDirectives(func))) {
    return failure();
  }
  warnOfLoneNames(func);
  DirectiveKeeper keeper(func);
  decomposeAggregates(func);
  lowerPacks(func);
  lowerSwitches(func);
  lowerSizeBranches(func);
  if (failed(lowerBranches(func))) {
    return failure();
  }
  lowerElementwise(func);
  lowerComputedPads(func);
  lowerTensorOps(func);
  if (failed(lowerResultMaps(func))) {
    return failure();
  }
  markReducedLoops(func);
  lowerDiagonals(func);
  readInits(func);
  lowerIndexMaps(func);
  splitResults(func);
  markParallelLoops(func);
  sinkScalars(func);
  guardDivisions(func);
  flattenBodies(func);
  widenSums(func);
  liftInits(func);
  reportLoops(func);
  return checkEffects(func);
}

namespace {
struct AdoptLinalgPass : mlir::fusion::impl::AdoptLinalgBase<AdoptLinalgPass> {
  void runOnOperation() override {
    if (failed(adoptLinalg(getOperation()))) {
      signalPassFailure();
    }
  }
};
} // namespace
