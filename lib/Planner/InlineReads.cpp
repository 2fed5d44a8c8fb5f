//===- InlineReads.cpp - reads of what cheap ops make ---------------------===//

#include "fusion/Analysis/FusionDecision.h"
#include "fusion/Analysis/IndexingMaps.h"
#include "fusion/Dialect/Fusion/IR/Directives.h"
#include "fusion/Planner/FormGroups.h"
#include "fusion/Planner/Passes.h"
#include "fusion/Planner/ReportKept.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::fusion;
using linalg::LinalgOp;

namespace mlir::fusion {
#define GEN_PASS_DEF_INLINEREADS
#include "fusion/Planner/Passes.h.inc"
} // namespace mlir::fusion

/// What is computed again for each read: at most so many ops, and not more
/// reads than the one that goes away.
static constexpr unsigned kMaxOps = 16;

/// Returns whether a body computes little beside positions: no function that
/// takes more than a few instructions.
static bool isCheapBody(Block &body) {
  constexpr unsigned kMaxArithmetic = 4;
  unsigned arithmetic = 0;
  for (Operation &inner : body.without_terminator()) {
    bool position = llvm::all_of(inner.getResultTypes(),
                                 [](Type type) { return type.isIndex(); });
    if (position || isa<tensor::ExtractOp, arith::ConstantOp>(inner)) {
      continue;
    }
    ++arithmetic;
    if (isa_and_nonnull<math::MathDialect>(inner.getDialect()) ||
        isa<arith::DivFOp, arith::RemFOp, arith::DivSIOp, arith::DivUIOp,
            arith::RemSIOp, arith::RemUIOp>(inner)) {
      return false;
    }
  }
  return arithmetic <= kMaxArithmetic;
}

/// Returns whether `tensor` is a table: a row of constants, small and read
/// again and again. It may say where an element lies.
static bool isTable(Value tensor) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  return type && type.getRank() <= 1 && matchPattern(tensor, m_Constant());
}

/// Returns whether `op`'s elements can be computed where they are read: one
/// element of one tensor, moved or changed by a few cheap ops.
static FusionDecision canRecompute(LinalgOp op) {
  if (op->hasAttr(kNoFuseAttr) || op->hasAttr(kFuseWithAttr)) {
    return FusionDecision::forbid("a directive of the graph places what makes "
                                  "the tensor");
  }
  if (!op.hasPureTensorSemantics() || !op.isAllParallelLoops() ||
      op->getNumResults() != 1 ||
      !op.getIndexingMapMatchingResult(op->getResult(0)).isPermutation()) {
    return FusionDecision::forbid("what makes the tensor is not elementwise");
  }
  unsigned reads = 0;
  Type source;
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (isa<RankedTensorType>(input->get().getType()) &&
        !isTable(input->get())) {
      ++reads;
      source = input->get().getType();
    }
  }
  for (Operation &inner : *op.getBlock()) {
    if (inner.getNumRegions() != 0 || !isMemoryEffectFree(&inner)) {
      return FusionDecision::forbid("what makes the tensor has branches");
    }
    auto extract = dyn_cast<tensor::ExtractOp>(inner);
    if (extract && !isTable(extract.getTensor())) {
      ++reads;
      source = extract.getTensor().getType();
    }
  }
  bool readsInit = llvm::any_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
    return op.payloadUsesValueFromOperand(&init);
  });
  if (reads != 1 || readsInit) {
    return FusionDecision::forbid("an element is made of more or less than one "
                                  "element of another tensor");
  }
  if (op.getBlock()->getOperations().size() > kMaxOps ||
      !isCheapBody(*op.getBlock())) {
    return FusionDecision::forbid("an element takes more than a few cheap ops");
  }
  Type result = op->getResult(0).getType();
  if (getElementTypeOrSelf(source).getIntOrFloatBitWidth() >
      getElementTypeOrSelf(result).getIntOrFloatBitWidth()) {
    return FusionDecision::forbid("the tensor is narrower than what it is made "
                                  "from");
  }
  return FusionDecision::allow();
}

namespace {
/// Computes one element of an op's result in the body of another.
class ElementCloner {
public:
  /// With `guard` memory is read only where it holds.
  ElementCloner(OpBuilder &builder, LinalgOp op, ValueRange position,
                Value guard)
      : builder(builder), loc(op.getLoc()), op(op), guard(guard),
        loops(op.getNumLoops()) {
    AffineMap map = op.getIndexingMapMatchingResult(op->getResult(0));
    for (auto [dim, index] : llvm::enumerate(position)) {
      loops[*getLoopAt(map, dim)] = index;
    }
  }
  Value clone();

private:
  Value read(Value tensor, ValueRange indices);
  Value readInput(OpOperand *input);

  OpBuilder &builder;
  Location loc;
  LinalgOp op;
  Value guard;
  SmallVector<Value> loops;
};
} // namespace

Value ElementCloner::read(Value tensor, ValueRange indices) {
  if (!guard) {
    return tensor::ExtractOp::create(builder, loc, tensor, indices);
  }
  Type type = getElementTypeOrSelf(tensor.getType());
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  auto branch = scf::IfOp::create(
      builder, loc, guard,
      [&](OpBuilder &inner, Location loc) {
        Value element = tensor::ExtractOp::create(inner, loc, tensor, indices);
        scf::YieldOp::create(inner, loc, element);
      },
      [&](OpBuilder &inner, Location loc) {
        scf::YieldOp::create(inner, loc, zero);
      });
  return branch.getResult(0);
}

Value ElementCloner::readInput(OpOperand *input) {
  if (!isa<RankedTensorType>(input->get().getType())) {
    return input->get();
  }
  SmallVector<Value> indices;
  for (AffineExpr expr : op.getMatchingIndexingMap(input).getResults()) {
    indices.push_back(affine::expandAffineExpr(builder, loc, expr, loops, {}));
  }
  return read(input->get(), indices);
}

Value ElementCloner::clone() {
  IRMapping mapping;
  for (OpOperand *input : op.getDpsInputOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(input);
    if (!argument.use_empty()) {
      mapping.map(argument, readInput(input));
    }
  }
  for (Operation &inner : op.getBlock()->without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
      mapping.map(index.getResult(), loops[index.getDim()]);
    } else if (auto extract = dyn_cast<tensor::ExtractOp>(inner)) {
      SmallVector<Value> indices =
          llvm::map_to_vector(extract.getIndices(), [&](Value value) {
            return mapping.lookupOrDefault(value);
          });
      mapping.map(extract.getResult(), read(extract.getTensor(), indices));
    } else {
      builder.clone(inner, mapping);
    }
  }
  return mapping.lookupOrDefault(op.getBlock()->getTerminator()->getOperand(0));
}

/// Replaces `extract`, which stands in a body or alone under its condition.
static void inlineRead(tensor::ExtractOp extract, LinalgOp producer) {
  auto branch = dyn_cast<scf::IfOp>(extract->getParentOp());
  if (!branch) {
    OpBuilder builder(extract);
    extract.replaceAllUsesWith(
        ElementCloner(builder, producer, extract.getIndices(), Value())
            .clone());
    extract.erase();
    return;
  }
  OpBuilder builder(branch);
  Value element = ElementCloner(builder, producer, extract.getIndices(),
                                branch.getCondition())
                      .clone();
  Value otherwise = branch.elseYield().getOperand(0);
  branch.getResult(0).replaceAllUsesWith(arith::SelectOp::create(
      builder, branch.getLoc(), branch.getCondition(), element, otherwise));
  branch.erase();
}

/// Returns whether `extract` stands in the body of `op` itself, or is all that
/// a branch there does where its condition holds.
static bool canReplace(tensor::ExtractOp extract, LinalgOp op) {
  if (extract->getBlock() == op.getBlock()) {
    return true;
  }
  auto branch = dyn_cast<scf::IfOp>(extract->getParentOp());
  return branch && branch->getBlock() == op.getBlock() &&
         branch.getNumResults() == 1 && branch.elseBlock() &&
         extract->getBlock() == branch.thenBlock() &&
         branch.thenBlock()->getOperations().size() == 2 &&
         branch.elseBlock()->getOperations().size() == 1 &&
         branch.thenYield().getOperand(0) == extract.getResult();
}

/// Returns whether the element that `extract` reads, in `op`, can be computed
/// there.
static FusionDecision canInline(tensor::ExtractOp extract, LinalgOp op,
                                LinalgOp producer) {
  FusionDecision decision = canRecompute(producer);
  if (decision && !canReplace(extract, op)) {
    return FusionDecision::forbid("the read is not all that its branch does");
  }
  return decision;
}

/// Calls `visit` for each read in `op` of what another op of its block makes,
/// until it is false.
static void visitReads(LinalgOp op,
                       function_ref<bool(tensor::ExtractOp, LinalgOp)> visit) {
  op->walk([&](tensor::ExtractOp extract) {
    auto producer = extract.getTensor().getDefiningOp<LinalgOp>();
    bool goesOn = !producer || producer->getBlock() != op->getBlock() ||
                  visit(extract, producer);
    return goesOn ? WalkResult::advance() : WalkResult::interrupt();
  });
}

/// Returns the first read in `op` of what can be computed there, or null.
static tensor::ExtractOp findRead(LinalgOp op) {
  tensor::ExtractOp found;
  visitReads(op, [&](tensor::ExtractOp extract, LinalgOp producer) {
    found = canInline(extract, op, producer) ? extract : nullptr;
    return !found;
  });
  return found;
}

/// Says why the tensors that `op` still reads at computed positions are made
/// elsewhere.
static void reportReads(LinalgOp op) {
  llvm::SmallSetVector<Operation *, 4> seen;
  visitReads(op, [&](tensor::ExtractOp extract, LinalgOp producer) {
    FusionDecision decision = canInline(extract, op, producer);
    if (!decision && seen.insert(producer)) {
      reportKept("InlineReads", op, decision.getReason());
    }
    return true;
  });
}

void fusion::inlineReads(func::FuncOp func) {
  // What is inlined may read again, from further up.
  constexpr unsigned kMaxReads = 64;
  SmallVector<LinalgOp> ops;
  func.walk([&](LinalgOp op) {
    if (op.hasPureTensorSemantics() && op.isAllParallelLoops() &&
        !op->hasAttr(kNoFuseAttr) && !getAbsorbedPadding(op)) {
      ops.push_back(op);
    }
  });
  for (LinalgOp op : ops) {
    for (unsigned i = 0; i < kMaxReads; ++i) {
      tensor::ExtractOp read = findRead(op);
      if (!read) {
        break;
      }
      inlineRead(read, read.getTensor().getDefiningOp<LinalgOp>());
    }
    reportReads(op);
  }
}

namespace {
struct InlineReadsPass : mlir::fusion::impl::InlineReadsBase<InlineReadsPass> {
  void runOnOperation() override { inlineReads(getOperation()); }
};
} // namespace
