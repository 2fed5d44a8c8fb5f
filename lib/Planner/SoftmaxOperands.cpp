//===- SoftmaxOperands.cpp - what makes the operands of attention ---------===//
//
// Scales, casts, biases and rotations of q, k and v that nothing else reads.
// Inside of attention's kernel each block computes its rows of q once, and keys
// and values step by step: as often as there are tiles of rows. That costs
// arithmetic, and saves a launch and the way through memory.
//
//===----------------------------------------------------------------------===//

#include "SoftmaxOperands.h"

#include "fusion/Analysis/HalfFloats.h"
#include "fusion/Cost/CostModel.h"
#include "fusion/Dialect/Fusion/IR/Directives.h"
#include "fusion/Planner/FormGroups.h"
#include "fusion/Schedule/KernelLoop.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fusion;
using linalg::LinalgOp;

//===----------------------------------------------------------------------===//
// The ops
//===----------------------------------------------------------------------===//

SmallVector<Value, 3> fusion::getFactors(const OnlineSoftmax &softmax) {
  LinalgOp scores = softmax.scores, values = softmax.values;
  return {scores.getDpsInputs()[0], scores.getDpsInputs()[1],
          values.getDpsInputs()[1 - softmax.weights]};
}

static OpRole getRole(LinalgOp op) { return getIterationSpace(op).role; }

bool fusion::canMove(LinalgOp op) {
  return !isDirected(op) && op.hasPureTensorSemantics() &&
         op->getNumResults() == 1 && getRole(op) == OpRole::Elementwise;
}

bool fusion::endsKernel(Value value, Block *block) {
  auto op = value.getDefiningOp<LinalgOp>();
  if (op && op->getBlock() == block && isMarkedRounding(op)) {
    auto source = op.getDpsInputs()[0].getDefiningOp<LinalgOp>();
    op = source ? source : op;
  }
  if (!op || op->getBlock() != block) {
    return false;
  }
  OpRole role = getRole(op);
  return role != OpRole::Elementwise && role != OpRole::Fill;
}

SmallVector<LinalgOp> fusion::findMakers(ArrayRef<LinalgOp> readers,
                                         ArrayRef<Value> factors) {
  constexpr size_t kMostOps = 48;
  Block *block = readers.front()->getBlock();
  llvm::SetVector<Operation *> makers;
  DenseSet<Operation *> inside(readers.begin(), readers.end());
  bool changed = true;
  auto tryAdd = [&](Value value) {
    auto op = value.getDefiningOp<LinalgOp>();
    if (!op || inside.contains(op) || op->getBlock() != block ||
        makers.size() == kMostOps || !canMove(op) ||
        getAbsorbedPadding(op).has_value()) {
      return;
    }
    bool only = llvm::all_of(op->getUsers(), [&](Operation *user) {
      return inside.contains(user) || isa<tensor::DimOp>(user);
    });
    if (only) {
      makers.insert(op);
      inside.insert(op);
      changed = true;
    }
  };
  while (changed) {
    changed = false;
    llvm::for_each(factors, tryAdd);
    for (size_t i = 0; i < makers.size(); ++i) {
      llvm::for_each(cast<LinalgOp>(makers[i]).getDpsInputs(), tryAdd);
    }
  }
  SmallVector<LinalgOp> sorted;
  for (Operation *op : makers) {
    sorted.push_back(cast<LinalgOp>(op));
  }
  llvm::sort(sorted,
             [](LinalgOp a, LinalgOp b) { return a->isBeforeInBlock(b); });
  return sorted;
}

/// Returns the makers of those factors that no other kernel may end with.
static SmallVector<LinalgOp> findOperandOps(const OnlineSoftmax &softmax) {
  Block *block = softmax.scores->getBlock();
  SmallVector<Value> taken;
  for (Value factor : getFactors(softmax)) {
    SmallVector<LinalgOp> makers = findMakers(softmax.ops, factor);
    bool ends = llvm::any_of(makers, [&](LinalgOp op) {
      return llvm::any_of(op.getDpsInputs(), [&](Value input) {
        return endsKernel(input, block);
      });
    });
    if (!ends) {
      taken.push_back(factor);
    }
  }
  return findMakers(softmax.ops, taken);
}

//===----------------------------------------------------------------------===//
// The estimate
//===----------------------------------------------------------------------===//

/// The share of the columns that a causal mask leaves to look at, whole tiles
/// counted: 0.64 measured at 4096 x 4096.
static constexpr double kCausalShare = 0.6;

/// The share of the arithmetic between the contractions that is done for each
/// score.
static constexpr double kPerScore = 0.5;

/// What an element of an operand costs that goes through registers: it is
/// converted, rounded and stored.
static constexpr double kComputedOps = 4;

/// Adds to `loop` what `makers` do for the operand `factor`, of which
/// `elements` are made in each step.
static void addMakers(Value factor, ArrayRef<LinalgOp> makers, double elements,
                      TileLoop &loop) {
  DenseSet<Value> wanted = {factor};
  bool computes = false;
  for (LinalgOp op : llvm::reverse(makers)) {
    if (!wanted.contains(op->getResult(0))) {
      continue;
    }
    computes = true;
    OpWork work = getOpWork(op);
    loop.vectorOps += elements * work.flops / std::max(1.0, work.iterations);
    op->walk([&](tensor::ExtractOp) { loop.windowElements += elements; });
    wanted.insert_range(op.getDpsInputs());
  }
  loop.vectorOps += computes ? elements * kComputedOps : 0;
}

/// Whether the first operand of the scores is the one along the columns.
static bool hasKeysFirst(const OnlineSoftmax &softmax) {
  LinalgOp scores = softmax.scores, values = softmax.values;
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(scores);
  SmallVector<int64_t> sizes = scores.getStaticLoopRanges();
  SmallVector<unsigned> reduced;
  values.getReductionDims(reduced);
  int64_t keys = values.getStaticLoopRanges()[reduced.front()];
  auto areKeys = [&](ArrayRef<unsigned> loops) {
    SmallVector<unsigned> own = llvm::filter_to_vector(
        loops, [&](unsigned loop) { return sizes[loop] != 1; });
    return own.size() == 1 && sizes[own.front()] == keys;
  };
  return succeeded(dims) && !areKeys(dims->n) && areKeys(dims->m);
}

bool fusion::addOnlineSoftmax(const OnlineSoftmax &softmax,
                              ArrayRef<LinalgOp> makers,
                              const DeviceModel &device, KernelWork &work) {
  OnlineSoftmaxShape shape;
  if (!getOnlineSoftmaxShape(softmax, shape)) {
    return false;
  }
  std::string reason;
  std::optional<Schedule> schedule =
      chooseOnlineSoftmax(shape, ScheduleTarget::get(device.chip), reason);
  if (!schedule) {
    return false;
  }
  for (int64_t *size : {&shape.batch, &shape.m, &shape.n, &shape.k, &shape.d}) {
    *size = getNominalSize(*size);
  }
  for (LinalgOp op : makers) {
    work.flops -= getOpWork(op).flops;
  }
  // Most divisions are by functions of rows, and are done once for each.
  work.flops = std::max(0.0, work.flops) * kPerScore;
  work.loop = describeLoop(shape, *schedule, work.flops);
  if (softmax.bounded) {
    work.loop.steps = std::ceil(work.loop.steps * kCausalShare);
  }
  SmallVector<Value, 3> factors = getFactors(softmax);
  unsigned q = hasKeysFirst(softmax) ? 1 : 0;
  double perStep = double(schedule->rows) * shape.k / work.loop.steps;
  addMakers(factors[q], makers, perStep, work.loop);
  addMakers(factors[1 - q], makers, double(schedule->columns) * shape.k,
            work.loop);
  addMakers(factors[2], makers, double(schedule->columns) * shape.d, work.loop);
  work.loopBeside = work.loop;
  work.blocks = work.loop.tiles;
  return true;
}

KernelWork fusion::describeKernel(ArrayRef<LinalgOp> ops,
                                  ArrayRef<Value> results) {
  KernelWork work;
  DenseSet<Operation *> inside(ops.begin(), ops.end());
  llvm::SmallDenseSet<Value> seen;
  for (LinalgOp op : ops) {
    OpWork own = getOpWork(op);
    work.flops += own.flops;
    work.matmulFlops += own.contractionFlops;
    for (Value input : op.getDpsInputs()) {
      Operation *def = input.getDefiningOp();
      bool isRead =
          !inside.contains(def) && !isa_and_nonnull<linalg::FillOp>(def);
      if (isRead && seen.insert(input).second) {
        work.bytesRead += getTensorBytes(input.getType());
      }
    }
    work.tensorCores |= own.contractionFlops > 0 && readsHalfFloats(op);
  }
  for (Value result : results) {
    double bytes = getTensorBytes(result.getType());
    work.bytesWritten += bytes;
    work.bytesBetween += bytes;
    work.blocks = std::max(work.blocks, bytes / 4096);
  }
  return work;
}

/// Compares one kernel of `softmax` and `makers` with one for each.
static FusionDecision checkProfit(const OnlineSoftmax &softmax,
                                  ArrayRef<LinalgOp> makers,
                                  const DeviceModel &device) {
  SmallVector<LinalgOp> all(softmax.ops);
  llvm::append_range(all, makers);
  LinalgOp last = softmax.values;
  Value result = last->getResult(0);
  KernelWork fused = describeKernel(all, result);
  KernelWork alone = describeKernel(softmax.ops, result);
  SmallVector<Value> between;
  for (Value factor : getFactors(softmax)) {
    if (llvm::is_contained(makers, factor.getDefiningOp<LinalgOp>())) {
      between.push_back(factor);
    }
  }
  KernelWork before = describeKernel(makers, between);
  if (!addOnlineSoftmax(softmax, makers, device, fused) ||
      !addOnlineSoftmax(softmax, {}, device, alone)) {
    return FusionDecision::forbid("no schedule fits");
  }
  return worthFusing(fused, {before, alone}, device);
}

void fusion::addOperandOps(OnlineSoftmax &softmax, const DeviceModel &device,
                           ChainRefusals &refusals) {
  SmallVector<LinalgOp> makers = findOperandOps(softmax);
  if (makers.empty()) {
    return;
  }
  FusionDecision decision = checkProfit(softmax, makers, device);
  if (!decision) {
    for (LinalgOp op : makers) {
      std::pair<Operation *, Operation *> key = {op, softmax.values};
      FusionDecision copy = FusionDecision::forbid(decision.getReason());
      refusals.insert_or_assign(
          key, decision.getTimes()
                   ? std::move(copy).withTimes(*decision.getTimes())
                   : std::move(copy));
    }
    return;
  }
  llvm::append_range(softmax.ops, makers);
  llvm::sort(softmax.ops,
             [](LinalgOp a, LinalgOp b) { return a->isBeforeInBlock(b); });
}
