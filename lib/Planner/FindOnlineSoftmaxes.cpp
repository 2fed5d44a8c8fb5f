//===- FindOnlineSoftmaxes.cpp - attention that one kernel can hold -------===//

#include "fusion/Analysis/HalfFloats.h"
#include "fusion/Dialect/Fusion/IR/Directives.h"
#include "fusion/Planner/FormGroups.h"
#include "fusion/Planner/Units.h"
#include "fusion/Schedule/Choose.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace mlir::fusion;
using linalg::LinalgOp;

static constexpr llvm::StringLiteral kOneDimEach =
    "there is not one dim each of columns and of both operands' widths";

/// Returns the product of the sizes of `loops`.
static int64_t getSize(ArrayRef<int64_t> sizes, ArrayRef<unsigned> loops) {
  int64_t size = 1;
  for (unsigned loop : loops) {
    bool dynamic =
        ShapedType::isDynamic(size) || ShapedType::isDynamic(sizes[loop]);
    size = dynamic ? ShapedType::kDynamic : size * sizes[loop];
  }
  return size;
}

/// Returns those of `loops` that do more than one iteration.
static SmallVector<unsigned> dropUnits(ArrayRef<unsigned> loops,
                                       ArrayRef<int64_t> sizes) {
  return llvm::filter_to_vector(
      loops, [&](unsigned loop) { return sizes[loop] != 1; });
}

/// Returns whether `op` multiplies two floats of one type and adds in f32.
static bool isFloatProduct(LinalgOp op) {
  SmallVector<Value> inputs = op.getDpsInputs();
  Type type = getElementTypeOrSelf(inputs[0].getType());
  Type sum = getElementTypeOrSelf(op.getDpsInits()[0].getType());
  return type == getElementTypeOrSelf(inputs[1].getType()) && sum.isF32() &&
         (isHalfFloat(type) || type.isF32());
}

FusionDecision fusion::getOnlineSoftmaxShape(const OnlineSoftmax &softmax,
                                             OnlineSoftmaxShape &shape) {
  LinalgOp scores = softmax.scores, values = softmax.values;
  FailureOr<linalg::ContractionDimensions> first =
      linalg::inferContractionDims(scores);
  FailureOr<linalg::ContractionDimensions> second =
      linalg::inferContractionDims(values);
  if (failed(first) || failed(second)) {
    return FusionDecision::forbid(kOneDimEach);
  }
  Value v = values.getDpsInputs()[1 - softmax.weights];
  Type type = getElementTypeOrSelf(scores.getDpsInputs()[0].getType());
  if (!isFloatProduct(scores) || !isFloatProduct(values) ||
      type != getElementTypeOrSelf(v.getType())) {
    return FusionDecision::forbid(
        "the contractions are not of one type of floats, with sums in f32");
  }
  if (!isSumOfProducts(scores) || !isSumOfProducts(values)) {
    return FusionDecision::forbid(
        "a contraction computes more than products and their sum");
  }
  SmallVector<int64_t> one = getLoopSizes(scores), two = getLoopSizes(values);
  // The columns are the second contraction's k; its own n is d.
  SmallVector<unsigned> rows = dropUnits(first->m, one);
  SmallVector<unsigned> columns = dropUnits(first->n, one);
  SmallVector<unsigned> wide =
      dropUnits(softmax.weights == 0 ? second->n : second->m, two);
  int64_t keys = getSize(two, second->k);
  bool swapped = !(columns.size() == 1 && one[columns[0]] == keys);
  if (swapped) {
    std::swap(rows, columns);
  }
  if (columns.size() != 1 || wide.size() != 1 || first->k.size() != 1 ||
      second->k.size() != 1 || one[first->k[0]] == 1 || keys == 1) {
    return FusionDecision::forbid(kOneDimEach);
  }
  if (rows.empty()) {
    return FusionDecision::forbid(
        "a kernel of both multiplies tiles of rows, and there is just one");
  }
  shape.batch = getSize(two, second->batch);
  shape.m = getSize(one, rows);
  shape.n = keys;
  shape.k = getSize(one, first->k);
  shape.d = two[wide[0]];
  shape.halfFloats = !type.isF32();
  shape.elementBytes = type.isF32() ? 4 : 2;
  return FusionDecision::allow();
}

static FusionDecision canHold(const OnlineSoftmax &softmax,
                              const DeviceModel &device) {
  for (LinalgOp op : softmax.ops) {
    if (op->hasAttr(kNoFuseAttr)) {
      return FusionDecision::forbid("an op is marked with " + kNoFuseAttr);
    }
    if (op->hasAttr(kPinnedScheduleAttr)) {
      return FusionDecision::forbid("an op pins the schedule of its kernel");
    }
  }
  OnlineSoftmaxShape shape;
  if (FusionDecision decision = getOnlineSoftmaxShape(softmax, shape);
      !decision) {
    return decision;
  }
  std::string reason;
  if (!chooseOnlineSoftmax(shape, ScheduleTarget::get(device.chip), reason)) {
    return FusionDecision::forbid(reason);
  }
  return FusionDecision::allow();
}

/// Scores that are sums of several contractions, and attention of attention,
/// are in the pattern more than once; each op has one kernel.
static FusionDecision checkApart(const OnlineSoftmax &softmax,
                                 const DenseSet<Operation *> &taken) {
  bool meets = llvm::any_of(softmax.ops,
                            [&](LinalgOp op) { return taken.contains(op); });
  return meets ? FusionDecision::forbid("some of what lies between the "
                                        "contractions is in the kernel of "
                                        "other contractions already")
               : FusionDecision::allow();
}

SmallVector<OnlineSoftmax, 0>
fusion::findOnlineSoftmaxes(Block &block, const DeviceModel &device,
                            ChainRefusals *refusals) {
  SmallVector<OnlineSoftmax, 0> found;
  auto func = dyn_cast<func::FuncOp>(block.getParentOp());
  func = func ? func : block.getParentOp()->getParentOfType<func::FuncOp>();
  auto opts = remark::RemarkOpts::name("OnlineSoftmax")
                  .category("fusion")
                  .function(func.getName());
  DenseSet<Operation *> taken;
  for (auto op : block.getOps<LinalgOp>()) {
    if (op.getNumReductionLoops() == 0) {
      continue;
    }
    FusionDecision decision = FusionDecision::allow();
    std::optional<OnlineSoftmax> softmax = matchOnlineSoftmax(op, decision);
    if (softmax) {
      decision = checkApart(*softmax, taken);
      decision = decision ? canHold(*softmax, device) : std::move(decision);
    }
    if (softmax && !decision && refusals) {
      std::pair<Operation *, Operation *> pair = {softmax->scores,
                                                  softmax->values};
      refusals->insert_or_assign(pair,
                                 FusionDecision::forbid(decision.getReason()));
    }
    if (!decision) {
      remark::missed(op.getLoc(), opts)
          << remark::reason("{0}", decision.getReason().str());
    } else if (softmax) {
      remark::passed(op.getLoc(), opts)
          << remark::add("one kernel with its softmax and {0}",
                         getDisplayName(softmax->values));
      taken.insert(softmax->ops.begin(), softmax->ops.end());
      found.push_back(std::move(*softmax));
    }
  }
  return found;
}
