//===- InlineReads.cpp - reads of what cheap ops make ---------------------===//

#include "ArmMatch.h"

#include "fusion/Analysis/FusionDecision.h"
#include "fusion/Analysis/IndexingMaps.h"
#include "fusion/Analysis/Movement.h"
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
static constexpr StringLiteral kSeveralElements =
    "an element is made of more or less than one element of another tensor";

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

/// Returns whether `input` of `op` has one element for many of the result, as
/// the sum of a row has, perhaps after a broadcast.
static bool isRepeated(LinalgOp op, OpOperand *input) {
  Movement source = traceMovement(input->get());
  AffineMap map = source.map.compose(op.getMatchingIndexingMap(input));
  return op.getNumDpsInputs() > 1 && map.isProjectedPermutation() &&
         map.getNumResults() < op.getNumLoops();
}

static bool readsRows(LinalgOp op) {
  return llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *input) {
    return isa<RankedTensorType>(input->get().getType()) &&
           isRepeated(op, input);
  });
}

/// Returns whether `op` computes with the elements of rows too: `reader` reads
/// so few elements of it that they are not computed more often.
static bool picksFromRows(LinalgOp reader, LinalgOp op) {
  auto count = [](Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    int64_t known = 1;
    for (int64_t size : type.getShape()) {
      known *= ShapedType::isDynamic(size) ? 1 : size;
    }
    return std::pair(type.getNumDynamicDims(), known);
  };
  if (!readsRows(op)) {
    return false;
  }
  auto [dynamic, known] = count(reader->getResult(0));
  auto [mostDynamic, most] = count(op->getResult(0));
  return dynamic <= mostDynamic && known < most;
}

/// Returns whether `tensor` is a table: a row of constants, small and read
/// again and again. It may say where an element lies.
static bool isTable(Value tensor) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  return type && type.getRank() <= 1 && matchPattern(tensor, m_Constant());
}

/// Returns whether `op`'s elements can be computed where they are read: one
/// element of one tensor, moved or changed by a few cheap ops, and elements of
/// rows.
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
        !isTable(input->get()) && !isRepeated(op, input)) {
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
    return FusionDecision::forbid(kSeveralElements);
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
  if (decision && readsRows(producer) && !picksFromRows(op, producer)) {
    return FusionDecision::forbid(kSeveralElements);
  }
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

/// The map by which `op` would read what `extract`, in its body, reads: at its
/// own loops, each once; nothing where it reads anywhere else.
static std::optional<AffineMap> getPlainMap(linalg::GenericOp op,
                                            tensor::ExtractOp extract) {
  SmallVector<AffineExpr> exprs;
  for (Value value : extract.getIndices()) {
    auto index = value.getDefiningOp<linalg::IndexOp>();
    if (!index) {
      return std::nullopt;
    }
    exprs.push_back(getAffineDimExpr(index.getDim(), op.getContext()));
  }
  AffineMap map = AffineMap::get(op.getNumLoops(), 0, exprs, op.getContext());
  // Loops end where the tensor does: its maker is to run along them.
  AffineMap written = op.getIndexingMapMatchingResult(op->getResult(0));
  bool whole = llvm::all_of(llvm::enumerate(exprs), [&](auto at) {
    std::optional<unsigned> dim = written.getResultPosition(at.value());
    return dim && getSizeOrigin(op->getResult(0), *dim) ==
                      getSizeOrigin(extract.getTensor(), at.index());
  });
  return map.isProjectedPermutation() && whole ? std::optional(map)
                                               : std::nullopt;
}

/// Makes operands of what `op` reads in its body at its own loops: its kernel
/// may then make it. Returns the op.
static LinalgOp readAsOperands(LinalgOp op) {
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!generic) {
    return op;
  }
  SmallVector<Value> inputs(generic.getInputs());
  SmallVector<AffineMap> maps = generic.getIndexingMapsArray();
  for (auto extract : llvm::make_early_inc_range(
           generic.getBody()->getOps<tensor::ExtractOp>())) {
    std::optional<AffineMap> map = getPlainMap(generic, extract);
    Operation *maker = extract.getTensor().getDefiningOp();
    if (!map || !isa_and_nonnull<LinalgOp>(maker)) {
      continue;
    }
    unsigned number = inputs.size();
    BlockArgument argument = generic.getBody()->insertArgument(
        number, extract.getType(), extract.getLoc());
    maps.insert(maps.begin() + number, *map);
    inputs.push_back(extract.getTensor());
    extract.replaceAllUsesWith(Value(argument));
    extract.erase();
  }
  generic.getInputsMutable().assign(inputs);
  generic.setIndexingMapsAttr(
      Builder(generic.getContext()).getAffineMapArrayAttr(maps));
  return op;
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
    bool picks = false;
    for (unsigned i = 0; i < kMaxReads; ++i) {
      tensor::ExtractOp read = findRead(op);
      if (!read) {
        break;
      }
      auto producer = read.getTensor().getDefiningOp<LinalgOp>();
      picks |= picksFromRows(op, producer);
      inlineRead(read, producer);
    }
    if (picks) {
      op = readAsOperands(op);
    }
    reportReads(op);
  }
}

namespace {
struct InlineReadsPass : mlir::fusion::impl::InlineReadsBase<InlineReadsPass> {
  void runOnOperation() override { inlineReads(getOperation()); }
};
} // namespace
