//===- MergePrologues.cpp - what makes operands, into contractions --------===//

#include "fusion/Conversion/GroupToCPU/GroupToCPU.h"
#include "fusion/Dialect/Fusion/Transforms/GenericForm.h"

#include "ContractionMatch.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"

using namespace mlir;
using namespace mlir::fusion;

/// The loop of `consumer` along whose values `producer` reads neighbours of
/// `input`, given that the consumer reads its result through `read`.
static std::optional<unsigned> getLineLoop(linalg::GenericOp producer,
                                           OpOperand *input, AffineMap read) {
  AffineMap map = producer.getMatchingIndexingMap(input);
  if (map.getNumResults() == 0) {
    return std::nullopt;
  }
  AffineMap written = producer.getIndexingMapsArray().back();
  std::optional<unsigned> at =
      written.getResultPosition(map.getResults().back());
  return read.getDimPosition(*at);
}

/// Whether lines along one loop of the consumer, which reads the result of
/// `producer` through `read`, have all that it reads side by side or once.
static bool readsLines(linalg::GenericOp producer, AffineMap read) {
  AffineMap written = producer.getIndexingMapsArray().back();
  SmallVector<std::pair<unsigned, llvm::SmallDenseSet<unsigned>>> inputs;
  for (OpOperand *input : producer.getDpsInputOperands()) {
    if (std::optional<unsigned> line = getLineLoop(producer, input, read)) {
      auto &entry = inputs.emplace_back(*line, llvm::SmallDenseSet<unsigned>());
      for (AffineExpr expr :
           producer.getMatchingIndexingMap(input).getResults()) {
        entry.second.insert(
            read.getDimPosition(*written.getResultPosition(expr)));
      }
    }
  }
  return llvm::any_of(inputs, [&](auto &line) {
    return llvm::all_of(inputs, [&](auto &input) {
      return input.first == line.first || !input.second.contains(line.first);
    });
  });
}

/// Whether packing `operand` of the contraction `consumer` may compute what
/// makes it.
static bool isComputable(linalg::GenericOp consumer, OpOperand *operand) {
  auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
  AffineMap read = consumer.getMatchingIndexingMap(operand);
  if (!producer || !producer.isAllParallelLoops() ||
      producer->getNumResults() != 1 || !producer->hasOneUse() ||
      producer->getBlock() != consumer->getBlock() ||
      !read.isProjectedPermutation() ||
      producer.payloadUsesValueFromOperand(producer.getDpsInitOperand(0)) ||
      !producer.getIndexingMapsArray().back().isPermutation()) {
    return false;
  }
  for (OpOperand *input : producer.getDpsInputOperands()) {
    bool shared = llvm::is_contained(consumer->getOperands(), input->get());
    if (shared ||
        !producer.getMatchingIndexingMap(input).isProjectedPermutation() ||
        !hasVectorMemory(getElementTypeOrSelf(input->get().getType()))) {
      return false;
    }
  }
  bool elementwise = llvm::all_of(
      producer.getBody()->without_terminator(), [](Operation &inner) {
        return OpTrait::hasElementwiseMappableTraits(&inner) ||
               inner.hasTrait<OpTrait::ConstantLike>();
      });
  return elementwise && producer.getNumDpsInputs() > 0 &&
         readsLines(producer, read) &&
         linalg::areElementwiseOpsFusable(operand);
}

/// Merges what makes an operand of the contraction `op`, which is then
/// replaced; null where nothing does.
static linalg::GenericOp mergeOne(RewriterBase &rewriter,
                                  linalg::GenericOp op) {
  for (OpOperand *operand : op.getDpsInputOperands()) {
    if (!isComputable(op, operand)) {
      continue;
    }
    Operation *producer = operand->get().getDefiningOp();
    rewriter.setInsertionPoint(op);
    FailureOr<linalg::ElementwiseOpFusionResult> fused =
        linalg::fuseElementwiseOps(rewriter, operand);
    if (failed(fused)) {
      continue;
    }
    fused->fusedOp->setAttr(kComputesOperandsAttr, rewriter.getUnitAttr());
    for (auto [before, after] : fused->replacements) {
      rewriter.replaceUsesWithIf(before, after, [&](OpOperand &use) {
        return use.getOwner() != producer;
      });
    }
    rewriter.eraseOp(op);
    if (producer->use_empty()) {
      rewriter.eraseOp(producer);
    }
    return cast<linalg::GenericOp>(fused->fusedOp);
  }
  return {};
}

void fusion::mergePrologues(func::FuncOp group) {
  SmallVector<linalg::LinalgOp> contractions;
  group.walk([&](linalg::LinalgOp op) {
    if (op.hasPureTensorSemantics() && succeeded(matchContraction(op))) {
      contractions.push_back(op);
    }
  });
  IRRewriter rewriter(group.getContext());
  for (linalg::LinalgOp op : contractions) {
    bool computed = llvm::any_of(op.getDpsInputs(), [](Value input) {
      return bool(input.getDefiningOp<linalg::GenericOp>());
    });
    if (!computed) {
      continue;
    }
    FailureOr<linalg::GenericOp> made = toGeneric(rewriter, op);
    linalg::GenericOp generic = succeeded(made) ? *made : linalg::GenericOp();
    while (generic) {
      generic = mergeOne(rewriter, generic);
    }
  }
}
