//===- DecomposeIf.cpp - cheap branches become selects --------------------===//

#include "fusion/Dialect/Fusion/Transforms/Decompose.h"

#include "fusion/Dialect/Fusion/IR/DimOrigin.h"
#include "fusion/Dialect/Fusion/IR/Fusion.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/RegionUtils.h"
#include <set>

using namespace mlir;
using namespace mlir::fusion;

/// What both regions together may hold for both to be computed: so many
/// operations, on tensors of so many elements. A kernel that selects reads what
/// both sides read; a branch costs a launch, or stops vertical fusion.
static constexpr unsigned kMaxOperations = 8;
static constexpr int64_t kMaxElements = int64_t(1) << 18;

/// Returns the elements of `type`, dynamic dims taken for 512.
static int64_t countElements(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  int64_t elements = 1;
  for (int64_t size : tensor ? tensor.getShape() : ArrayRef<int64_t>()) {
    elements *= ShapedType::isDynamic(size) ? 512 : size;
    if (elements > kMaxElements) {
      break;
    }
  }
  return elements;
}

/// Returns whether `op` does no work by itself.
static bool isFree(Operation &op) {
  return isa<ConstantOp, BroadcastOp, ReshapeOp, tensor::DimOp>(op) ||
         op.hasTrait<OpTrait::ConstantLike>();
}

/// Returns whether `arm` alone needs what some op before `branch` makes that is
/// not elementwise, a matrix product, say: that moves into the arm later, and
/// must not run where the arm does not.
static bool hasOwnWork(Region &arm, IfOp branch) {
  constexpr size_t kMostOps = 64;
  auto isBefore = [](Operation *x, Operation *y) {
    return x->isBeforeInBlock(y);
  };
  std::set<Operation *, decltype(isBefore)> makers(isBefore);
  llvm::SmallPtrSet<Operation *, 8> own;
  auto addMaker = [&](Value value) {
    Operation *def = value.getDefiningOp();
    if (def && def->getBlock() == branch->getBlock() && !isa<IfOp>(def)) {
      makers.insert(def);
    }
  };
  llvm::SetVector<Value> values;
  getUsedValuesDefinedAbove(arm, values);
  llvm::for_each(values, addMaker);
  // The last one first: what reads it is known by then.
  while (!makers.empty() && own.size() < kMostOps) {
    Operation *op = *makers.rbegin();
    makers.erase(op);
    bool isOwn = llvm::all_of(op->getUsers(), [&](Operation *user) {
      return own.contains(user) || arm.isAncestor(user->getParentRegion());
    });
    if (!isOwn) {
      continue;
    }
    if (!isFree(*op) && !op->hasTrait<OpTrait::Elementwise>()) {
      return true;
    }
    own.insert(op);
    llvm::for_each(op->getOperands(), addMaker);
  }
  return false;
}

/// Returns whether computing both regions of `branch` costs next to nothing.
/// Nothing in the dialect traps.
static bool isCheap(IfOp branch) {
  unsigned operations = 0;
  for (Type type : branch.getResultTypes()) {
    if (countElements(type) > kMaxElements) {
      return false;
    }
  }
  for (YieldOp yield : {branch.getThenYield(), branch.getElseYield()}) {
    for (Operation &op : yield->getBlock()->without_terminator()) {
      bool isSmall = llvm::all_of(op.getResultTypes(), [](Type type) {
        return countElements(type) <= kMaxElements;
      });
      bool isSimple = isFree(op) || op.hasTrait<OpTrait::Elementwise>();
      operations += !isFree(op);
      if (!isSmall || !isSimple || operations > kMaxOperations) {
        return false;
      }
    }
  }
  return llvm::none_of(branch->getRegions(),
                       [&](Region &arm) { return hasOwnWork(arm, branch); });
}

/// Returns what the graph calls the size: a number, or the name of an input's
/// dim; none for expressions (names of several words) and all else.
static std::optional<std::string> getSizeName(const DimOrigin &origin) {
  if (!origin.value) {
    return std::to_string(origin.number);
  }
  auto input = dyn_cast<BlockArgument>(origin.value);
  auto func = input ? dyn_cast<func::FuncOp>(input.getOwner()->getParentOp())
                    : func::FuncOp();
  auto names = func ? func.getArgAttrOfType<ArrayAttr>(input.getArgNumber(),
                                                       "fusion.dims")
                    : ArrayAttr();
  auto name = names && origin.number < static_cast<int64_t>(names.size())
                  ? dyn_cast<StringAttr>(names[origin.number])
                  : StringAttr();
  bool isName = name && !name.empty() && !name.getValue().contains(' ');
  return isName ? std::optional(name.str()) : std::nullopt;
}

/// Returns whether the regions give results of other sizes, by their names:
/// such a branch is refused later (fusion-prepare-conditionals).
static bool haveOtherSizes(IfOp branch) {
  for (auto [first, second] :
       llvm::zip_equal(branch.getThenYield().getValues(),
                       branch.getElseYield().getValues())) {
    int64_t rank = cast<RankedTensorType>(first.getType()).getRank();
    for (int64_t dim = 0; dim < rank; ++dim) {
      auto ours = getSizeName(getDimOrigin(first, dim));
      auto theirs = getSizeName(getDimOrigin(second, dim));
      if (ours && theirs && *ours != *theirs) {
        return true;
      }
    }
  }
  return false;
}

namespace {
/// Computes both regions and selects, where that is cheap.
struct DecomposeIf : OpRewritePattern<IfOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IfOp op,
                                PatternRewriter &rewriter) const override {
    if (!isCheap(op) || haveOtherSizes(op)) {
      return failure();
    }
    SmallVector<SmallVector<Value>, 2> values;
    for (YieldOp yield : {op.getThenYield(), op.getElseYield()}) {
      values.emplace_back(yield.getValues());
      Block *block = yield->getBlock();
      rewriter.eraseOp(yield);
      rewriter.inlineBlockBefore(block, op);
    }
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    SmallVector<Value> results;
    for (auto [ifTrue, ifFalse] : llvm::zip(values[0], values[1])) {
      SmallVector<OpFoldResult> shape =
          tensor::getMixedSizes(b, op.getLoc(), ifTrue);
      Value condition = BroadcastOp::create(
          b, op.getCondition(), ArrayRef(shape), ArrayRef<int64_t>());
      results.push_back(
          SelectOp::create(b, ifTrue.getType(), condition, ifTrue, ifFalse));
    }
    rewriter.replaceOp(op, results);
    return success();
  }
};
} // namespace

void fusion::populateDecomposeIfPatterns(RewritePatternSet &patterns) {
  patterns.add<DecomposeIf>(patterns.getContext());
}
