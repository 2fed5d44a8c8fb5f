//===- FindChainedProducts.cpp - contractions of contractions -------------===//

#include "fusion/Analysis/HalfFloats.h"
#include "fusion/Analysis/IndexingMaps.h"
#include "fusion/Dialect/Fusion/IR/Directives.h"
#include "fusion/Planner/FormGroups.h"
#include "fusion/Schedule/KernelLoop.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::fusion;
using linalg::LinalgOp;

//===----------------------------------------------------------------------===//
// What code generation asks of the two contractions
//===----------------------------------------------------------------------===//

/// Returns the type of the factors where `op` multiplies two floats of one type
/// and adds in f32, else null.
static Type getFactorType(LinalgOp op) {
  SmallVector<Value> inputs = op.getDpsInputs();
  Type type = getElementTypeOrSelf(inputs[0].getType());
  Type sum = getElementTypeOrSelf(op.getDpsInits()[0].getType());
  bool matches = type == getElementTypeOrSelf(inputs[1].getType()) &&
                 sum.isF32() && (isHalfFloat(type) || type.isF32());
  return matches ? type : Type();
}

/// Returns whether input `number` of `op` has a dim along `loop`.
static bool hasLoop(LinalgOp op, unsigned number, unsigned loop) {
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInputOperand(number));
  return llvm::any_of(llvm::seq(map.getNumResults()), [&](unsigned dim) {
    return getLoopAt(map, dim) == loop;
  });
}

/// Returns whether both inputs of `op` are read along loops.
static bool readsLoops(LinalgOp op) {
  return llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *input) {
    return isProjectedPermutationWithZeros(op.getMatchingIndexingMap(input));
  });
}

static bool sumsOver(LinalgOp op, unsigned loop) {
  return op.getIteratorTypesArray()[loop] == utils::IteratorType::reduction;
}

static int64_t multiply(int64_t a, int64_t b) {
  bool dynamic = ShapedType::isDynamic(a) || ShapedType::isDynamic(b);
  return dynamic ? ShapedType::kDynamic : a * b;
}

namespace {
/// What the loops of two contractions are to a kernel that does both.
struct ChainLoops {
  ChainedShape shape;
  /// Rows, not columns, lie side by side in the result.
  bool rowsInnermost = false;
  /// Loops of columns that do more than one iteration.
  unsigned columnLoops = 0;
};
} // namespace

/// Finds k and r, and which operand of the first contraction has no loop along
/// r: the left one.
static FusionDecision describeSums(const ChainedProducts &chain,
                                   ChainedShape &shape, unsigned &left) {
  LinalgOp first = chain.first, second = chain.second;
  SmallVector<int64_t> one = getLoopSizes(first), two = getLoopSizes(second);
  unsigned sumsOfFirst = 0, sumsOfSecond = 0;
  bool found = false;
  for (unsigned loop = 0; loop < two.size(); ++loop) {
    if (two[loop] == 1 || !sumsOver(second, loop)) {
      continue;
    }
    ++sumsOfSecond;
    shape.r = two[loop];
    int64_t from = chain.loopsOfFirst[loop];
    if (from >= 0 && hasLoop(first, 0, from) != hasLoop(first, 1, from)) {
      left = hasLoop(first, 0, from) ? 1 : 0;
      found = true;
    }
  }
  for (unsigned loop = 0; loop < one.size(); ++loop) {
    if (one[loop] != 1 && sumsOver(first, loop)) {
      ++sumsOfFirst;
      shape.k = one[loop];
    }
  }
  if (sumsOfFirst != 1 || sumsOfSecond != 1 || !found) {
    return FusionDecision::forbid("each contraction wants one dim to sum over, "
                                  "the second one of one operand of the first");
  }
  return FusionDecision::allow();
}

/// Sorts the loops of the result: rows are what the middle has from the left
/// operand of the first contraction alone, and the second's other operand has
/// not; columns what only that has.
static FusionDecision describeLoops(const ChainedProducts &chain,
                                    ChainLoops &loops) {
  LinalgOp first = chain.first, second = chain.second;
  ChainedShape &shape = loops.shape;
  unsigned left = 0, rows = 0;
  if (FusionDecision decision = describeSums(chain, shape, left); !decision) {
    return decision;
  }
  SmallVector<int64_t> sizes = getLoopSizes(second);
  AffineMap written = second.getIndexingMapMatchingResult(second->getResult(0));
  for (unsigned dim = 0, e = written.getNumResults(); dim < e; ++dim) {
    std::optional<unsigned> loop = getLoopAt(written, dim);
    if (!loop || sizes[*loop] == 1) {
      continue;
    }
    bool inMiddle = hasLoop(second, chain.middle, *loop);
    bool inOther = hasLoop(second, 1 - chain.middle, *loop);
    int64_t from = chain.loopsOfFirst[*loop];
    bool isRow = inMiddle && !inOther && from >= 0 &&
                 hasLoop(first, left, from) && !hasLoop(first, 1 - left, from);
    bool isColumn = inOther && !inMiddle;
    rows += isRow;
    loops.columnLoops += isColumn;
    loops.rowsInnermost = isRow;
    int64_t &size = isRow ? shape.m : isColumn ? shape.n : shape.batch;
    size = multiply(size, sizes[*loop]);
  }
  if (rows == 0) {
    return FusionDecision::forbid("the two contractions share no rows");
  }
  if (loops.columnLoops == 0) {
    return FusionDecision::forbid("the second contraction has no columns");
  }
  return FusionDecision::allow();
}

static FusionDecision checkProducts(const ChainedProducts &chain,
                                    ChainLoops &loops) {
  Type one = getFactorType(chain.first), two = getFactorType(chain.second);
  if (!one || one != two) {
    return FusionDecision::forbid(
        "the contractions are not of one type of floats, with sums in f32");
  }
  if (!isSumOfProducts(chain.first) || !isSumOfProducts(chain.second)) {
    return FusionDecision::forbid(
        "a contraction computes more than products and their sum");
  }
  if (!readsLoops(chain.first) || !readsLoops(chain.second)) {
    return FusionDecision::forbid(
        "an operand of a contraction is read at computed positions");
  }
  if (FusionDecision decision = describeLoops(chain, loops); !decision) {
    return decision;
  }
  ChainedShape &shape = loops.shape;
  if (llvm::is_contained({shape.batch, shape.m, shape.k, shape.r, shape.n},
                         int64_t(0))) {
    return FusionDecision::forbid("the contractions multiply nothing");
  }
  shape.severalColumns = loops.columnLoops > 1;
  shape.halfFloats = !one.isF32();
  shape.elementBytes = one.isF32() ? 4 : 2;
  return FusionDecision::allow();
}

//===----------------------------------------------------------------------===//
// Profit
//===----------------------------------------------------------------------===//

static ChainedShape fillIn(ChainedShape shape) {
  for (int64_t *size : {&shape.batch, &shape.m, &shape.k, &shape.r, &shape.n}) {
    *size = getNominalSize(*size);
  }
  return shape;
}

/// Describes in `work` how a kernel of `schedule` does a chain of `shape`, with
/// `flops` operations between.
static void addLoop(const ChainedShape &shape, const ChainedSchedule &schedule,
                    double flops, const DeviceModel &device, KernelWork &work) {
  int64_t shares =
      getColumnBlocks(schedule, shape, ScheduleTarget::get(device.chip));
  work.tensorCores = shape.halfFloats;
  work.flops = flops * shares;
  work.matmulFlops = 2.0 * shape.batch * shape.m * shape.r *
                     (double(shape.k) * shares + shape.n);
  work.loop = describeLoop(shape, schedule, shares, flops);
  work.blocks = work.loop.tiles;
}

/// One of the contractions in a kernel of its own.
static KernelWork estimateAlone(const ChainedShape &shape, int64_t k, int64_t n,
                                const DeviceModel &device) {
  ContractionShape own;
  own.batch = shape.batch;
  own.m = shape.m;
  own.n = n;
  own.k = k;
  own.elementBytes = shape.elementBytes;
  own.halfFloats = shape.halfFloats;
  own.bulkCopies = shape.halfFloats && k % 8 == 0 && n % 8 == 0;
  Schedule schedule = chooseContraction(own, ScheduleTarget::get(device.chip));
  KernelWork work;
  work.matmulFlops = 2.0 * own.batch * own.m * n * k;
  work.tensorCores = shape.halfFloats;
  work.loop = describeLoop(own, schedule);
  work.blocks = work.loop.tiles;
  return work;
}

/// Adds what `chain` reads to `fused` and to the kernel of `apart` that reads
/// it, and its arithmetic between to the first.
static double addReads(const ChainedProducts &chain, KernelWork &fused,
                       MutableArrayRef<KernelWork> apart) {
  llvm::SmallDenseSet<Value> seen;
  double between = 0;
  for (LinalgOp op : chain.ops) {
    bool isSecond = op == chain.second;
    for (Value input : op.getDpsInputs()) {
      Operation *def = input.getDefiningOp();
      bool inside = def && llvm::any_of(chain.ops, [&](LinalgOp other) {
                      return other == def;
                    });
      if (!inside && seen.insert(input).second) {
        double bytes = getTensorBytes(input.getType());
        fused.bytesRead += bytes;
        apart[isSecond].bytesRead += bytes;
      }
    }
    between += isSecond || op == chain.first ? 0 : getOpWork(op).flops;
  }
  return between;
}

/// How much faster a chain must be by the estimate. On an H200 chains that were
/// estimated at 0.49 of the time of two kernels took 0.61 to 0.68 of it, but
/// those estimated at 0.73 and 0.99 took 1.26 and 1.5 of it (docs/results,
/// 2026-11-30).
static constexpr double kChainMargin = 1.6;

/// Compares one kernel with one for each contraction; what lies between then
/// belongs to the first.
static FusionDecision compareTimes(const ChainedProducts &chain,
                                   const ChainLoops &loops,
                                   const ChainedSchedule &schedule,
                                   const DeviceModel &device) {
  ChainedShape shape = fillIn(loops.shape);
  KernelWork apart[] = {estimateAlone(shape, shape.k, shape.r, device),
                        estimateAlone(shape, shape.r, shape.n, device)};
  KernelWork fused;
  double flops = addReads(chain, fused, apart);
  LinalgOp second = chain.second;
  Value middle = second.getDpsInputs()[chain.middle];
  apart[0].bytesWritten = apart[1].bytesBetween = apart[0].bytesBetween =
      getTensorBytes(middle.getType());
  apart[1].bytesRead += apart[0].bytesWritten;
  apart[0].flops = flops;
  double written = double(shape.batch) * shape.m * shape.n * shape.elementBytes;
  apart[1].bytesWritten = written;
  // Rows that lie side by side are written in pieces of half a sector.
  fused.bytesWritten = loops.rowsInnermost ? 2 * written : written;

  addLoop(shape, schedule, flops, device, fused);
  FusionDecision decision = worthFusing(fused, apart, device);
  FusionTimes times = *decision.getTimes();
  if (!decision || times.fusedUs * kChainMargin <= times.apartUs) {
    return decision;
  }
  return FusionDecision::forbid(
             llvm::formatv("estimated at {0:F1} us fused and {1:F1} us apart, "
                           "which is too close to tell for a chain",
                           times.fusedUs, times.apartUs)
                 .str())
      .withTimes(times);
}

bool fusion::addChainedSchedule(ArrayRef<const Unit *> products,
                                const DeviceModel &device, KernelWork &work) {
  bool isUnit = products.size() == 1 && products[0]->isChain;
  if (!isUnit && products.size() != 2) {
    return false;
  }
  auto *at = llvm::find_if(products[0]->ops, [](Operation *op) {
    return getIterationSpace(cast<LinalgOp>(op)).role == OpRole::Contraction;
  });
  SmallVector<ChainRefusal> refusals;
  std::optional<ChainedProducts> chain =
      at == products[0]->ops.end()
          ? std::nullopt
          : matchChainedProducts(cast<LinalgOp>(*at), refusals);
  ChainLoops loops;
  if (!chain || chain->second != products.back()->anchor ||
      !checkProducts(*chain, loops)) {
    return false;
  }
  std::string reason;
  std::optional<ChainedSchedule> schedule =
      chooseChained(loops.shape, ScheduleTarget::get(device.chip), reason);
  if (schedule) {
    addLoop(fillIn(loops.shape), *schedule, work.flops, device, work);
  }
  return schedule.has_value();
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

static FusionDecision checkDirectives(const ChainedProducts &chain) {
  for (LinalgOp op : chain.ops) {
    if (op->hasAttr(kNoFuseAttr)) {
      return FusionDecision::forbid("an op is marked with " + kNoFuseAttr);
    }
    if (op->hasAttr(kPinnedScheduleAttr)) {
      return FusionDecision::forbid("an op pins the schedule of its kernel");
    }
  }
  return FusionDecision::allow();
}

/// Returns whether the user wants both contractions in one kernel.
static bool isForced(const ChainedProducts &chain) {
  LinalgOp first = chain.first, second = chain.second;
  Attribute name = first->getAttr(kFuseWithAttr);
  return name && name == second->getAttr(kFuseWithAttr);
}

static FusionDecision decide(const ChainedProducts &chain,
                             const DeviceModel &device) {
  if (FusionDecision decision = checkDirectives(chain); !decision) {
    return decision;
  }
  ChainLoops loops;
  if (FusionDecision decision = checkProducts(chain, loops); !decision) {
    return decision;
  }
  std::string reason;
  std::optional<ChainedSchedule> schedule =
      chooseChained(loops.shape, ScheduleTarget::get(device.chip), reason);
  if (!schedule) {
    return FusionDecision::forbid(
        "a block cannot hold what lies between the contractions: " + reason);
  }
  FusionDecision decision = compareTimes(chain, loops, *schedule, device);
  if (!decision && isForced(chain)) {
    return FusionDecision::allow().withTimes(*decision.getTimes());
  }
  return decision;
}

namespace {
/// Looks for chains in one block.
class ChainFinder {
public:
  ChainFinder(Block &block, const PlannerOptions &options)
      : block(block), options(options),
        opts(remark::RemarkOpts::name("ChainedProducts").category("fusion")) {}

  FoundChains find(ArrayRef<OnlineSoftmax> softmaxes);

private:
  FusionDecision decideFree(const ChainedProducts &chain);
  void accept(ChainedProducts chain, FusionTimes times);
  void refuse(LinalgOp first, const ChainRefusal &refusal);

  Block &block;
  const PlannerOptions &options;
  remark::RemarkOpts opts;
  DenseSet<Operation *> taken; ///< ops of attention and of chains found
  FoundChains found;
  SmallVector<RecordedDecision, 0> records; ///< of `found.chains`
};
} // namespace

FusionDecision ChainFinder::decideFree(const ChainedProducts &chain) {
  if (options.device.isCPU()) {
    return FusionDecision::forbid("on a CPU the caches hold what lies between "
                                  "the contractions");
  }
  bool isFree =
      llvm::none_of(chain.ops, [&](LinalgOp op) { return taken.contains(op); });
  return isFree ? decide(chain, options.device)
                : FusionDecision::forbid("one of the contractions is in a "
                                         "kernel with another");
}

void ChainFinder::accept(ChainedProducts chain, FusionTimes times) {
  std::string first = getDisplayName(chain.first);
  std::string second = getDisplayName(chain.second);
  remark::passed(chain.first.getLoc(), opts)
      << remark::add("one kernel with {0}: {1:F1} us instead of {2:F1}", second,
                     times.fusedUs, times.apartUs);
  records.push_back({first, second, "", times});
  taken.insert(chain.ops.begin(), chain.ops.end());
  found.chains.push_back(std::move(chain));
}

void ChainFinder::refuse(LinalgOp first, const ChainRefusal &refusal) {
  remark::missed(first.getLoc(), opts)
      << remark::reason("{0}", refusal.decision.getReason().str())
      << remark::metric("Consumer", getDisplayName(refusal.second));
  found.refusals.insert({{first, refusal.second}, refusal.decision});
}

FoundChains ChainFinder::find(ArrayRef<OnlineSoftmax> softmaxes) {
  auto func = dyn_cast<func::FuncOp>(block.getParentOp());
  func = func ? func : block.getParentOp()->getParentOfType<func::FuncOp>();
  opts = opts.function(func.getName());
  for (const OnlineSoftmax &softmax : softmaxes) {
    taken.insert(softmax.ops.begin(), softmax.ops.end());
  }
  for (auto op : block.getOps<LinalgOp>()) {
    if (op.getNumReductionLoops() == 0) {
      continue;
    }
    SmallVector<ChainRefusal> refusals;
    std::optional<ChainedProducts> chain = matchChainedProducts(op, refusals);
    if (chain) {
      FusionDecision decision = decideFree(*chain);
      if (decision) {
        accept(std::move(*chain), *decision.getTimes());
      } else {
        refusals.push_back({chain->second, decision});
      }
    }
    for (const ChainRefusal &refusal : refusals) {
      refuse(op, refusal);
    }
  }
  appendDecisions(func, records);
  return std::move(found);
}

FoundChains fusion::findChainedProducts(Block &block,
                                        const PlannerOptions &options,
                                        ArrayRef<OnlineSoftmax> softmaxes) {
  return ChainFinder(block, options).find(softmaxes);
}
