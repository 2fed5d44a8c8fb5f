//===- InlineReads.cpp - reads of what cheap ops make ---------------------===//

#include "ComputedElement.h"
#include "RefineShapes.h"
#include "SizeOrigin.h"

#include "fusion/Analysis/FusionDecision.h"
#include "fusion/Analysis/IterationSpace.h"
#include "fusion/Analysis/Movement.h"
#include "fusion/Analysis/Renaming.h"
#include "fusion/Dialect/Fusion/IR/Directives.h"
#include "fusion/Planner/FormGroups.h"
#include "fusion/Planner/Passes.h"
#include "fusion/Planner/ReportKept.h"
#include "mlir/Dialect/Math/IR/Math.h"
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
/// What is computed once, where it is read: at most so many ops and reads.
static constexpr unsigned kMaxOpsOnce = 24, kMaxReadsOnce = 6;
/// Reads under conditions count as one; more than these are not tried in turn.
static constexpr unsigned kMaxBranches = 8;
static constexpr StringLiteral kSeveralElements =
    "an element is made of more or less than one element of another tensor";

/// Returns whether `inner` says where something is read, or reads it.
static bool isPosition(Operation &inner) {
  auto isIndex = [](Type type) { return type.isIndex(); };
  return isa<tensor::ExtractOp, arith::ConstantOp, arith::SelectOp, scf::IfOp,
             linalg::YieldOp>(inner) ||
         llvm::all_of(inner.getResultTypes(), isIndex) ||
         (inner.getNumOperands() != 0 &&
          llvm::all_of(inner.getOperandTypes(), [&](Type type) {
            return isIndex(type) || type.isInteger(1);
          }));
}

/// Counts the ops of `body` that are not about positions.
static unsigned countArithmetic(Block &body) {
  return llvm::count_if(body,
                        [](Operation &inner) { return !isPosition(inner); });
}

/// Returns whether a body computes little beside positions: no function that
/// takes more than a few instructions.
static bool isCheapBody(Block &body) {
  constexpr unsigned kMaxArithmetic = 4;
  bool slow = llvm::any_of(body, [](Operation &inner) {
    return !isPosition(inner) &&
           (isa_and_nonnull<math::MathDialect>(inner.getDialect()) ||
            isa<arith::DivFOp, arith::RemFOp, arith::DivSIOp, arith::DivUIOp,
                arith::RemSIOp, arith::RemUIOp>(inner));
  });
  return !slow && countArithmetic(body) <= kMaxArithmetic;
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

/// Returns how many elements `value` has: the number of sizes that are known
/// only at run time, and the product of the others.
static std::pair<int64_t, int64_t> countElements(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  int64_t known = 1;
  for (int64_t size : type.getShape()) {
    known *= ShapedType::isDynamic(size) ? 1 : size;
  }
  return {type.getNumDynamicDims(), known};
}

/// Returns whether `op` computes with the elements of rows too, and `reader`
/// reads few of its elements: parts that are all of it together are no picks.
static bool picksFromRows(LinalgOp reader, LinalgOp op) {
  constexpr int64_t kFew = 16;
  if (!readsRows(op)) {
    return false;
  }
  auto [dynamic, known] = countElements(reader->getResult(0));
  auto [mostDynamic, most] = countElements(op->getResult(0));
  return dynamic <= mostDynamic && known <= most / kFew;
}

/// Returns whether `tensor` is a table: a row of constants, small and read
/// again and again. It may say where an element lies.
static bool isTable(Value tensor) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  return type && type.getRank() <= 1 && matchPattern(tensor, m_Constant());
}

/// Returns the bits of an element of `tensor`.
static unsigned getBits(Value tensor) {
  Type type = getElementTypeOrSelf(tensor.getType());
  return type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
}

namespace {
/// What an element of an op's result is made from.
struct ElementSources {
  unsigned reads = 0;    ///< of tensors; those under conditions are one
  unsigned branches = 0; ///< reads under conditions
  unsigned widest = 0;   ///< bits of what is read
};
} // namespace

/// Finds what an element of `op` is made from; nothing where its body does more
/// than compute and read.
static std::optional<ElementSources> getSources(LinalgOp op) {
  ElementSources sources;
  auto add = [&](Value tensor) {
    sources.widest = std::max(sources.widest, getBits(tensor));
  };
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (isa<RankedTensorType>(input->get().getType()) &&
        !isTable(input->get()) && !isRepeated(op, input)) {
      ++sources.reads;
      add(input->get());
    }
  }
  for (Operation &inner : *op.getBlock()) {
    auto extract = dyn_cast<tensor::ExtractOp>(inner);
    auto branch = dyn_cast<scf::IfOp>(inner);
    tensor::ExtractOp guarded =
        branch ? getGuardedRead(branch) : tensor::ExtractOp();
    if ((inner.getNumRegions() != 0 && !guarded) ||
        !isMemoryEffectFree(&inner)) {
      return std::nullopt;
    }
    if (guarded) {
      ++sources.branches;
      add(guarded.getTensor());
    } else if (extract && !isTable(extract.getTensor())) {
      ++sources.reads;
      add(extract.getTensor());
    }
  }
  sources.reads += sources.branches > 0;
  return sources;
}

/// Returns whether all that is read of `value` are elements, at computed
/// positions, by elementwise ops.
static bool isOnlyRead(Value value) {
  SmallVector<Value> pending = {value};
  while (!pending.empty()) {
    for (Operation *user : pending.pop_back_val().getUsers()) {
      if (isReshape(user)) {
        pending.push_back(user->getResult(0));
        continue;
      }
      auto reader = user->getParentOfType<LinalgOp>();
      if (!isa<tensor::ExtractOp>(user) || !reader ||
          !reader.isAllParallelLoops() || getAbsorbedPadding(reader)) {
        return false;
      }
    }
  }
  return true;
}

/// Returns whether a reduction or a product makes what `op` reads: it is the
/// end of their kernel.
static bool endsKernel(LinalgOp op) {
  return llvm::any_of(op.getDpsInputs(), [&](Value input) {
    if (!isa<RankedTensorType>(input.getType())) {
      return false;
    }
    LinalgOp maker = getMaker(traceMovement(input).source);
    if (maker && isMarkedRounding(maker)) {
      maker = getMaker(maker.getDpsInputs()[0]);
    }
    OpRole role = maker ? getIterationSpace(maker).role : OpRole::Other;
    return role == OpRole::Reduction || role == OpRole::Contraction ||
           role == OpRole::Window;
  });
}

/// Returns whether an element of `op` that one op reads `once` may be made of
/// several elements there.
static FusionDecision canComputeOnce(LinalgOp op, bool once,
                                     const ElementSources &sources) {
  if (!once || sources.reads > kMaxReadsOnce) {
    return FusionDecision::forbid(kSeveralElements);
  }
  if (endsKernel(op)) {
    return FusionDecision::forbid(
        "the kernel of a reduction or a product makes "
        "the tensor");
  }
  return countArithmetic(*op.getBlock()) <= kMaxOpsOnce
             ? FusionDecision::allow()
             : FusionDecision::forbid("an element takes more than a few ops");
}

/// Returns whether a condition chooses, as a whole, a tensor that `op` reads:
/// kernels take such a tensor as an operand alone.
static bool readsChosen(LinalgOp op) {
  auto isChosen = [](Value tensor) {
    return tensor.getDefiningOp<arith::SelectOp>() != nullptr;
  };
  auto visit = [&](tensor::ExtractOp read) {
    return isChosen(read.getTensor()) ? WalkResult::interrupt()
                                      : WalkResult::advance();
  };
  return llvm::any_of(op.getDpsInputs(), isChosen) ||
         op->walk(visit).wasInterrupted();
}

/// Returns whether `op`'s elements can be computed where they are read: one
/// element of one tensor, moved or changed by a few cheap ops, and elements of
/// rows; more where each is read `once`.
static FusionDecision canRecompute(LinalgOp op, bool once) {
  if (op->hasAttr(kNoFuseAttr) || op->hasAttr(kFuseWithAttr)) {
    return FusionDecision::forbid("a directive of the graph places what makes "
                                  "the tensor");
  }
  if (!op.hasPureTensorSemantics() || !op.isAllParallelLoops() ||
      op->getNumResults() != 1 ||
      !op.getIndexingMapMatchingResult(op->getResult(0)).isPermutation()) {
    return FusionDecision::forbid("what makes the tensor is not elementwise");
  }
  if (isEpilogue(op) && op.getNumDpsInputs() > 1) {
    return FusionDecision::forbid("the kernel of a product makes the tensor");
  }
  if (readsChosen(op)) {
    return FusionDecision::forbid("a condition chooses what the tensor is made "
                                  "from");
  }
  std::optional<ElementSources> sources = getSources(op);
  if (!sources || sources->branches > kMaxBranches) {
    return FusionDecision::forbid("what makes the tensor has branches");
  }
  bool readsInit = llvm::any_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
    return op.payloadUsesValueFromOperand(&init);
  });
  if (readsInit) {
    return FusionDecision::forbid(kSeveralElements);
  }
  if (sources->branches > 0 && !isOnlyRead(op->getResult(0))) {
    return FusionDecision::forbid("what joins or pads tensors is needed as a "
                                  "whole, too");
  }
  bool cheap =
      countArithmetic(*op.getBlock()) <= kMaxOps && isCheapBody(*op.getBlock());
  if (sources->reads != 1 || (once && !cheap)) {
    FusionDecision decision = canComputeOnce(op, once, *sources);
    if (!decision) {
      return decision;
    }
  } else if (!cheap) {
    return FusionDecision::forbid("an element takes more than a few cheap ops");
  }
  return sources->widest <= getBits(op->getResult(0))
             ? FusionDecision::allow()
             : FusionDecision::forbid("the tensor is narrower than what it is "
                                      "made from");
}

/// Replaces `extract`, which stands in a body or alone under its condition.
static void inlineRead(tensor::ExtractOp extract) {
  auto branch = dyn_cast<scf::IfOp>(extract->getParentOp());
  if (!branch) {
    OpBuilder builder(extract);
    extract.replaceAllUsesWith(computeElement(builder, extract.getTensor(),
                                              extract.getIndices(), Value()));
    extract.erase();
    return;
  }
  OpBuilder builder(branch);
  Value element = computeElement(builder, extract.getTensor(),
                                 extract.getIndices(), branch.getCondition());
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
         getGuardedRead(branch) == extract;
}

/// Returns whether the element that `extract` reads, in `op`, can be computed
/// there.
static FusionDecision canInline(tensor::ExtractOp extract, LinalgOp op,
                                LinalgOp producer) {
  bool once = hasOneReader(extract.getTensor()) && readsOnce(extract, op);
  FusionDecision decision = canRecompute(producer, once);
  if (decision && readsRows(producer) && !picksFromRows(op, producer) &&
      !canComputeOnce(producer, once, *getSources(producer))) {
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
    LinalgOp producer = getMaker(extract.getTensor());
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

/// Lets `op` read in its body what it reads in another shape than an op without
/// operands makes it: tensors that are joined, padded or cut. What moves a part
/// of a tensor is left: those who read that read the tensor itself. Returns the
/// op.
static LinalgOp readReshaped(LinalgOp op) {
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  for (unsigned number = op.getNumDpsInputs(); number-- > 0;) {
    Value input = op->getOperand(number);
    LinalgOp maker = getMaker(input);
    bool reads = maker && maker != input.getDefiningOp() &&
                 maker->getBlock() == op->getBlock() &&
                 maker.getNumDpsInputs() == 0 && !isa<linalg::FillOp>(maker) &&
                 maker.isAllParallelLoops() && hasOneReader(input);
    bool movesPart = reads && isReadThrough(op) && getSlice(maker);
    if (generic && reads && !movesPart && joinsKernels(op)) {
      generic = readInBody(generic, number);
      op = generic;
    }
  }
  return op;
}

/// Erases `op` if nothing needs it, and what only it needed.
static void eraseUnneeded(Operation *op) {
  llvm::SetVector<Operation *> worklist;
  auto add = [&](Value value) {
    if (Operation *def = value.getDefiningOp()) {
      worklist.insert(def);
    }
  };
  worklist.insert(op);
  while (!worklist.empty()) {
    Operation *next = worklist.pop_back_val();
    if (!isOpTriviallyDead(next)) {
      continue;
    }
    llvm::for_each(next->getOperands(), add);
    next->walk([&](tensor::ExtractOp read) { add(read.getTensor()); });
    next->erase();
  }
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
  for (LinalgOp &op : ops) {
    op = readReshaped(op);
  }
  for (LinalgOp op : ops) {
    bool picks = false;
    for (unsigned i = 0; i < kMaxReads; ++i) {
      tensor::ExtractOp read = findRead(op);
      if (!read) {
        break;
      }
      Operation *maker = read.getTensor().getDefiningOp();
      picks |= picksFromRows(op, getMaker(read.getTensor()));
      inlineRead(read);
      eraseUnneeded(maker);
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
