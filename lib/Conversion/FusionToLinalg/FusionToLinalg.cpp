//===- FusionToLinalg.cpp - graph operations to linalg --------------------===//

#include "fusion/Conversion/FusionToLinalg/FusionToLinalg.h"

#include "LinalgBuilder.h"
#include "fusion/Conversion/Passes.h"
#include "fusion/Dialect/Fusion/IR/Directives.h"
#include "fusion/Dialect/Fusion/IR/Encodings.h"
#include "fusion/Dialect/Fusion/IR/Fusion.h"
#include "fusion/Dialect/Fusion/IR/SignatureAttributes.h"
#include "fusion/Dialect/Fusion/Transforms/UnfoldedFunctions.h"

#include "fusion/Planner/AdoptLinalg.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::fusion {
#define GEN_PASS_DEF_FUSIONTOLINALG
#include "fusion/Conversion/Passes.h.inc"
} // namespace mlir::fusion

using namespace mlir;
using namespace mlir::fusion;

SignlessTypeConverter::SignlessTypeConverter() {
  addConversion([](Type type) { return type; });
  addConversion([](RankedTensorType type) -> Type {
    auto element = dyn_cast<IntegerType>(type.getElementType());
    if (!element || element.isSignless()) {
      return type;
    }
    return type.clone(IntegerType::get(type.getContext(), element.getWidth()));
  });
}

void fusion::populateFusionToLinalgPatterns(const TypeConverter &converter,
                                            RewritePatternSet &patterns) {
  populateBranchPatterns(converter, patterns);
  populateContractionPatterns(converter, patterns);
  populateCumulativeSumPatterns(converter, patterns);
  populateElementwisePatterns(converter, patterns);
  populateIndexedPatterns(converter, patterns);
  populateMovementPatterns(converter, patterns);
  populateOrderPatterns(converter, patterns);
  populateReductionPatterns(converter, patterns);
  populateReshapePatterns(converter, patterns);
  populateShapePatterns(converter, patterns);
  populateWindowPatterns(converter, patterns);
}

namespace {
/// Rebuilds an operation of another dialect that only moves tensors about
/// (`tensor.dim`, `tensor.cast`, ...) on signless types.
struct RetypeOperation : ConversionPattern {
  RetypeOperation(const TypeConverter &converter, MLIRContext *context)
      : ConversionPattern(converter, MatchAnyOpTypeTag(), /*benefit=*/0,
                          context) {}

  LogicalResult
  matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                  ConversionPatternRewriter &rewriter) const override {
    if (isa_and_present<FusionDialect>(op->getDialect()) ||
        op->getNumRegions() != 0 || op->getNumSuccessors() != 0) {
      return failure();
    }
    SmallVector<Type> types;
    if (failed(getTypeConverter()->convertTypes(op->getResultTypes(), types))) {
      return failure();
    }
    OperationState state(op->getLoc(), op->getName(), operands, types,
                         op->getAttrs());
    rewriter.replaceOp(op, rewriter.create(state));
    return success();
  }
};
} // namespace

/// Returns the name of the unsigned element type of `type` ("u8"), or null.
static StringAttr getUnsignedName(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.getElementType().isUnsignedInteger()) {
    return nullptr;
  }
  return StringAttr::get(type.getContext(),
                         "u" + Twine(tensor.getElementTypeBitWidth()));
}

/// Keeps the unsigned types of the signature in `fusion.dtype`.
static void recordUnsignedTypes(func::FuncOp function) {
  SignatureAttributes attributes(function);
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
    if (StringAttr name = getUnsignedName(type)) {
      attributes.setArgument(index, FusionDialect::kDTypeAttr, name);
    }
  }
  for (auto [index, type] : llvm::enumerate(function.getResultTypes())) {
    if (StringAttr name = getUnsignedName(type)) {
      attributes.setResult(index, FusionDialect::kDTypeAttr, name);
    }
  }
}

/// Returns whether `op` may have no iteration of its reduced loops.
static bool mayReduceNothing(linalg::LinalgOp op) {
  return llvm::any_of(
      llvm::zip_equal(op.getStaticLoopRanges(), op.getIteratorTypesArray()),
      [](auto loop) {
        auto [size, kind] = loop;
        return kind == utils::IteratorType::reduction &&
               (ShapedType::isDynamic(size) || size == 0);
      });
}

/// Collects the ops of `module` but for those that reduce what is known along
/// loops that may have no iteration. The body of these may fold to one that
/// ignores what was reduced so far; then upstream drops the destination, which
/// is the result of no iteration. Returns whether there are such.
static bool collectFoldable(ModuleOp module, SmallVector<Operation *> &ops) {
  llvm::DenseSet<Value> known; // values of which every element is
  auto isKnown = [&](Value value) { return known.contains(value); };
  bool all = true;
  module.getBodyRegion().walk([&](Operation *op) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (op->hasTrait<OpTrait::ConstantLike>() ||
        (linalgOp && llvm::all_of(linalgOp.getDpsInputs(), isKnown))) {
      known.insert(op->result_begin(), op->result_end());
    }
    if (linalgOp && mayReduceNothing(linalgOp) &&
        llvm::any_of(linalgOp.getDpsInputs(), isKnown)) {
      all = false;
    } else {
      ops.push_back(op);
    }
  });
  return !all;
}

/// Lets scalar constants and fills enter the bodies that use them, instead of
/// being operands of tensor type. Fuses nothing.
static LogicalResult inlineScalars(ModuleOp module) {
  RewritePatternSet patterns(module.getContext());
  linalg::populateElementwiseOpsFusionPatterns(
      patterns, [](OpOperand *) { return false; });
  UnfoldedFunctions unfolded(module);
  SmallVector<Operation *> ops;
  if (!collectFoldable(module, ops)) {
    return applyPatternsGreedily(module, std::move(patterns));
  }
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
  return applyOpPatternsGreedily(ops, std::move(patterns), config);
}

/// Refuses operations that have no lowering of their own.
static LogicalResult verifyDecomposed(ModuleOp module) {
  WalkResult result = module.walk([](Operation *op) {
    if (!isa<ConvTransposeOp, LoopOp, SoftmaxOp, LogSoftmaxOp, LayerNormOp,
             RmsNormOp>(op)) {
      return WalkResult::advance();
    }
    op->emitOpError("expected 'fusion-decompose' to have taken this operation "
                    "apart");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

LogicalResult fusion::convertFusionToLinalg(ModuleOp module) {
  MLIRContext *context = module.getContext();
  if (failed(verifyDecomposed(module)) || failed(checkEncodings(module))) {
    return failure();
  }
  DirectiveKeeper keeper(module);
  module.walk(recordUnsignedTypes);

  SignlessTypeConverter converter;
  RewritePatternSet patterns(context);
  ConversionTarget target(*context);
  populateFusionToLinalgPatterns(converter, patterns);
  patterns.add<RetypeOperation>(converter, context);
  populateFunctionOpInterfaceTypeConversionPattern<func::FuncOp>(patterns,
                                                                 converter);
  target.addIllegalDialect<FusionDialect>();
  target.addDynamicallyLegalOp<GroupOp, IfOp, YieldOp>(
      [&](Operation *op) { return converter.isLegal(op); });
  target.addDynamicallyLegalOp<func::FuncOp>([&](func::FuncOp op) {
    return converter.isSignatureLegal(op.getFunctionType()) &&
           converter.isLegal(&op.getBody());
  });
  target.markUnknownOpDynamicallyLegal(
      [&](Operation *op) { return converter.isLegal(op); });
  scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                       target);
  if (failed(applyFullConversion(module, target, std::move(patterns)))) {
    return failure();
  }
  // Upstream takes it that what an op does not read of its destination is lost.
  for (auto func : module.getOps<func::FuncOp>()) {
    if (failed(lowerResultMaps(func))) {
      return failure();
    }
  }
  return inlineScalars(module);
}

namespace {
struct FusionToLinalg : fusion::impl::FusionToLinalgBase<FusionToLinalg> {
  void runOnOperation() override {
    if (failed(convertFusionToLinalg(getOperation()))) {
      signalPassFailure();
    }
  }
};
} // namespace
