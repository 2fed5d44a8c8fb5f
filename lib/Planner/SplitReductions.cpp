//===- SplitReductions.cpp - reductions in two steps ----------------------===//

#include "fusion/Planner/SplitReductions.h"

#include "TargetDevice.h"
#include "fusion/Analysis/OnlineSoftmax.h"
#include "fusion/Dialect/Fusion/IR/Directives.h"
#include "fusion/Planner/KernelWork.h"
#include "fusion/Planner/Passes.h"
#include "fusion/Planner/ReportKept.h"
#include "fusion/Schedule/KernelLoop.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::fusion;
using linalg::LinalgOp;

namespace mlir::fusion {
#define GEN_PASS_DEF_SPLITREDUCTIONS
#include "fusion/Planner/Passes.h.inc"
} // namespace mlir::fusion

/// Blocks for each multiprocessor: with so many, one's end is hidden behind the
/// others' loads.
static constexpr int64_t kBlocksPerSM = 4;
/// Elements of a part along memory, and along other dims: whole tiles.
static constexpr int64_t kAlongMemory = 1024, kAcrossMemory = 64;
/// What the second step must save: against the launch it takes, and, where what
/// follows needs all elements again, against the kernel that would have them.
static constexpr double kLeastGainUs = 4, kLeastRatio = 1.25;
static constexpr double kLeastGainInChainUs = 10, kLeastRatioInChain = 2;
/// The length of a row that needs parts.
static constexpr int64_t kLongRow = 1 << 20;
/// How many ops are followed to see what needs the elements again.
static constexpr size_t kMostFollowers = 64;

//===----------------------------------------------------------------------===//
// Which reductions, and in how many parts
//===----------------------------------------------------------------------===//

/// The product of the sizes of all loops; 0 where one is not known.
static double countIterations(LinalgOp op) {
  double product = 1;
  for (int64_t size : getLoopSizes(op)) {
    product *= ShapedType::isDynamic(size) ? 0 : size;
  }
  return product;
}

/// Returns whether an op that follows from `op` runs over as many elements.
static bool needsElementsAgain(LinalgOp op) {
  double own = countIterations(op);
  llvm::SetVector<Operation *> followers;
  followers.insert(op);
  for (size_t i = 0; i < followers.size() && i < kMostFollowers; ++i) {
    for (Operation *user : followers[i]->getUsers()) {
      auto reader = dyn_cast<LinalgOp>(user);
      if (reader && countIterations(reader) >= own) {
        return true;
      }
      followers.insert(user);
    }
  }
  return followers.size() >= kMostFollowers;
}

/// The estimated time of a kernel of `op` alone with rows of `shape`, which
/// writes `results` bytes.
static Estimate estimateRows(const RowsShape &shape, double read,
                             double results, double flops,
                             const DeviceModel &device) {
  KernelWork work;
  work.bytesRead = read;
  work.bytesWritten = results;
  work.flops = flops;
  addRowsWork(shape, chooseRows(shape, ScheduleTarget::get(device.chip)),
              /*reductions=*/1, work);
  return estimateKernel(work, device);
}

/// The loop of `space` to cut into about `wanted` parts, and the size of these.
static std::optional<ReductionParts>
pickParts(const IterationSpace &space, bool alongMemory, int64_t wanted) {
  std::optional<unsigned> best;
  for (unsigned loop : space.reduced) {
    // The outermost that has enough, else the longest.
    bool enough = best && space.sizes[*best] >= wanted;
    if (!enough && (!best || space.sizes[loop] > space.sizes[*best])) {
      best = loop;
    }
  }
  if (!best) {
    return std::nullopt;
  }
  int64_t size = space.sizes[*best];
  int64_t step = *best != space.reduced.back() ? 1
                 : alongMemory                 ? kAlongMemory
                                               : kAcrossMemory;
  int64_t part = llvm::alignTo(llvm::divideCeil(size, wanted), step);
  return part < size ? std::optional(ReductionParts{*best, part})
                     : std::nullopt;
}

/// Checks that `op`, with rows of `shape`, is faster in `parts`; leaves none
/// where it is not, and says why where they would save some time.
static FusionDecision checkGain(LinalgOp op, IterationSpace space,
                                const RowsShape &shape,
                                const DeviceModel &device,
                                std::optional<ReductionParts> &parts) {
  double read = 0, results = getTensorBytes(op->getResult(0).getType());
  for (Value input : op.getDpsInputs()) {
    read += getTensorBytes(input.getType());
  }
  double flops = countIterations(op);
  double whole = estimateRows(shape, read, results, flops, device).us;
  space.partSize = parts->size;
  space.split = parts->loop;
  double count = space.getParts();
  double inParts = estimateRows(getRowsShape(op, space), read, results * count,
                                flops, device)
                       .us;
  RowsShape last = shape;
  last.columns = count;
  last.contiguousColumns = shape.rows * shape.outerRows == 1;
  inParts +=
      estimateRows(last, results * count, results, flops / count, device).us;
  bool inChain = needsElementsAgain(op);
  double ratio = inChain ? kLeastRatioInChain : kLeastRatio;
  double gain = inChain ? kLeastGainInChainUs : kLeastGainUs;
  if (whole > ratio * inParts && whole - inParts > gain) {
    return FusionDecision::allow();
  }
  parts.reset();
  return inParts < whole
             ? FusionDecision::forbid(llvm::formatv(
                   "in parts it is estimated at {0:F1} us, against {1:F1} us, "
                   "which is too little gained{2}",
                   inParts, whole,
                   inChain ? " where what follows needs its elements again"
                           : ""))
             : FusionDecision::allow();
}

/// Returns the parts of `op` that keep `device` busy; none where its rows do.
static std::optional<ReductionParts>
findParts(LinalgOp op, const IterationSpace &space, const DeviceModel &device) {
  RowsShape shape = getRowsShape(op, space);
  Schedule schedule = chooseRows(shape, ScheduleTarget::get(device.chip));
  double blocks = countBlocks(shape, schedule);
  double wanted =
      std::ceil(kBlocksPerSM * device.multiprocessors / std::max(blocks, 1.0));
  return wanted < 2 ? std::nullopt
                    : pickParts(space, shape.contiguousColumns, wanted);
}

/// Sets the sizes of `loops` that are not known to `size`; returns whether
/// there are any.
static bool assumeSizes(ArrayRef<unsigned> loops, int64_t size,
                        IterationSpace &space) {
  bool any = false;
  for (unsigned loop : loops) {
    if (ShapedType::isDynamic(space.sizes[loop])) {
      space.sizes[loop] = size;
      any = true;
    }
  }
  return any;
}

FusionDecision
fusion::chooseReductionParts(LinalgOp op, const DeviceModel &device,
                             std::optional<ReductionParts> &parts) {
  IterationSpace space = getIterationSpace(op);
  if (space.role != OpRole::Reduction || space.partSize != 0) {
    return FusionDecision::allow();
  }
  // What is not known might be few long rows.
  bool anyLength = assumeSizes(space.reduced, kLongRow, space);
  bool anyRows = assumeSizes(space.parallel, 1, space);
  parts = anyLength && anyRows ? std::nullopt : findParts(op, space, device);
  if (!parts) {
    return FusionDecision::allow();
  }
  FusionDecision decision =
      checkGain(op, space, getRowsShape(op, space), device, parts);
  if (!anyLength && !anyRows) {
    return decision;
  }
  bool mayPay = anyLength || parts.has_value();
  parts.reset();
  return mayPay ? FusionDecision::forbid(
                      anyRows ? "how many rows it has is known only at run "
                                "time: with many the device is busy"
                              : "how long its rows are is known only at run "
                                "time: short ones are done in one step")
                : FusionDecision::allow();
}

//===----------------------------------------------------------------------===//
// The two reductions
//===----------------------------------------------------------------------===//

/// `combiner` of the results so far and what is combined with them.
static Value combine(OpBuilder &builder, Operation *combiner,
                     BlockArgument before, Value soFar, Value value) {
  Operation *clone = builder.clone(*combiner);
  bool first = combiner->getOperand(0) == before;
  clone->setOperand(first ? 0 : 1, soFar);
  clone->setOperand(first ? 1 : 0, value);
  return clone->getResult(0);
}

/// A tensor of `partial`'s type that holds `neutral`; its dims after the first
/// are those of `like`.
static Value createNeutral(OpBuilder &builder, Location loc, int64_t parts,
                           Value like, TypedAttr neutral) {
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, like);
  sizes.insert(sizes.begin(), builder.getIndexAttr(parts));
  Value empty = tensor::EmptyOp::create(builder, loc, sizes, neutral.getType());
  Value value = arith::ConstantOp::create(builder, loc, neutral);
  return linalg::FillOp::create(builder, loc, value, empty).getResult(0);
}

/// The reduction of the results of the parts, into what `op` starts from.
static linalg::GenericOp createLast(OpBuilder &builder, linalg::GenericOp op,
                                    Value partial, Operation *combiner) {
  int64_t rank = cast<ShapedType>(partial.getType()).getRank();
  AffineMap all = builder.getMultiDimIdentityMap(rank);
  SmallVector<utils::IteratorType> types(rank, utils::IteratorType::parallel);
  types.front() = utils::IteratorType::reduction;
  BlockArgument before = op.getRegionOutputArgs().front();
  return linalg::GenericOp::create(
      builder, op.getLoc(), op->getResultTypes(), partial, op.getDpsInits(),
      ArrayRef<AffineMap>{all, all.dropResult(0)}, types,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        Value both = combine(b, combiner, before, args[1], args[0]);
        linalg::YieldOp::create(b, loc, both);
      });
}

LogicalResult fusion::splitReduction(linalg::GenericOp op,
                                     ReductionParts parts) {
  SmallVector<Operation *> combiners;
  if (op.getNumDpsInits() != 1 || !op.hasPureTensorSemantics() ||
      !matchReduction(op.getRegionOutputArgs(), 0, combiners) ||
      combiners.size() != 1 || combiners.front()->getNumOperands() != 2) {
    return failure();
  }
  std::optional<TypedAttr> neutral =
      arith::getNeutralElement(combiners.front());
  AffineMap result = op.getIndexingMapsArray().back();
  int64_t size = op.getStaticLoopRanges()[parts.loop];
  if (!neutral || !result.isProjectedPermutation() ||
      ShapedType::isDynamic(size)) {
    return failure();
  }
  OpBuilder builder(op);
  Value like = op.getDpsInits().front();
  Value neutrals = createNeutral(
      builder, op.getLoc(), llvm::divideCeil(size, parts.size), like, *neutral);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps.back() = result.insertResult(
      builder.getAffineDimExpr(parts.loop).floorDiv(parts.size), 0);
  auto first = cast<linalg::GenericOp>(builder.clone(*op));
  first.getOutputsMutable().assign(neutrals);
  first.setIndexingMapsAttr(builder.getAffineMapArrayAttr(maps));
  if (parts.size == 1) {
    // Each part has one position of the loop, which is not reduced any more.
    SmallVector<Attribute> loops = llvm::to_vector(op.getIteratorTypes());
    loops[parts.loop] = linalg::IteratorTypeAttr::get(
        op.getContext(), utils::IteratorType::parallel);
    first.setIteratorTypesAttr(builder.getArrayAttr(loops));
  }
  first->getResult(0).setType(cast<RankedTensorType>(neutrals.getType()));
  linalg::GenericOp last =
      createLast(builder, op, first->getResult(0), combiners.front());
  last->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  op->replaceAllUsesWith(last);
  op.erase();
  return success();
}

/// The ops of softmaxes between contractions: one kernel walks over these.
static DenseSet<Operation *> findSoftmaxOps(func::FuncOp func) {
  DenseSet<Operation *> found;
  func.walk([&](LinalgOp op) {
    FusionDecision refusal = FusionDecision::allow();
    if (getIterationSpace(op).role != OpRole::Contraction) {
      return;
    }
    if (auto softmax = matchOnlineSoftmax(op, refusal)) {
      found.insert(softmax->ops.begin(), softmax->ops.end());
    }
  });
  return found;
}

/// Says why `op`, which would be faster in parts, is not done in these; allows
/// where nothing is known against it.
static FusionDecision checkSplit(linalg::GenericOp op,
                                 const DenseSet<Operation *> &softmaxes) {
  for (StringRef name : {kPinnedScheduleAttr, kFuseWithAttr, kNoFuseAttr}) {
    if (op->hasAttr(name)) {
      return FusionDecision::forbid("it is marked with " + name);
    }
  }
  if (softmaxes.contains(op)) {
    return FusionDecision::forbid("the kernel of an attention walks over it");
  }
  if (!op.getIndexingMapsArray().back().isProjectedPermutation()) {
    return FusionDecision::forbid("no loop runs along a dim of its result");
  }
  return FusionDecision::allow();
}

void fusion::splitReductions(func::FuncOp func, const DeviceModel &device) {
  if (device.isCPU()) {
    return;
  }
  SmallVector<std::pair<linalg::GenericOp, ReductionParts>> chosen;
  func.walk([&](linalg::GenericOp op) {
    auto linalgOp = cast<LinalgOp>(op.getOperation());
    if (op.getNumReductionLoops() == 0) {
      return;
    }
    std::optional<ReductionParts> parts;
    if (FusionDecision decision = chooseReductionParts(linalgOp, device, parts);
        !decision) {
      reportKept("SplitReductions", op, decision.getReason());
    }
    if (parts) {
      chosen.push_back({op, *parts});
    }
  });
  if (chosen.empty()) {
    return;
  }
  DenseSet<Operation *> softmaxes = findSoftmaxOps(func);
  for (auto [op, parts] : chosen) {
    if (FusionDecision decision = checkSplit(op, softmaxes); !decision) {
      reportKept("SplitReductions", op, decision.getReason());
      continue;
    }
    Location loc = op.getLoc();
    int64_t size = op.getStaticLoopRanges()[parts.loop];
    if (failed(splitReduction(op, parts))) {
      reportKept("SplitReductions", op,
                 "what it combines with has no neutral value, so that parts "
                 "cannot begin without what comes before");
      continue;
    }
    remark::passed(loc, remark::RemarkOpts::name("SplitReductions")
                            .category("fusion")
                            .function(func.getName()))
        << remark::add("done in parts: fewer blocks than the device runs")
        << remark::metric("Parts", llvm::divideCeil(size, parts.size));
  }
}

namespace {
struct SplitReductionsPass
    : mlir::fusion::impl::SplitReductionsBase<SplitReductionsPass> {
  using SplitReductionsBase::SplitReductionsBase;

  void runOnOperation() override {
    FailureOr<DeviceModel> device = findDevice(getOperation(), target);
    if (failed(device)) {
      return signalPassFailure();
    }
    splitReductions(getOperation(), *device);
  }
};
} // namespace
