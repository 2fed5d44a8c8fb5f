//===- LayOutWindows.cpp - channels side by side for windows --------------===//

#include "ProductLoops.h"
#include "TargetDevice.h"
#include "TurnedTensors.h"
#include "WindowChannels.h"

#include "fusion/Analysis/FusionDecision.h"
#include "fusion/Analysis/HalfFloats.h"
#include "fusion/Analysis/IndexingMaps.h"
#include "fusion/Analysis/Movement.h"
#include "fusion/Dialect/Fusion/IR/Directives.h"
#include "fusion/Dialect/Fusion/Transforms/GenericForm.h"
#include "fusion/Planner/FormGroups.h"
#include "fusion/Planner/KernelWork.h"
#include "fusion/Planner/Passes.h"
#include "fusion/Planner/ReportKept.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::fusion;
using linalg::LinalgOp;

namespace mlir::fusion {
#define GEN_PASS_DEF_LAYOUTWINDOWS
#include "fusion/Planner/Passes.h.inc"
} // namespace mlir::fusion

namespace {
/// How an op reads and writes when dims of its tensors are in another order.
struct Reordered {
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps; ///< of the inputs, then of the result
  /// The dim of the result that lies last; none: it stays in order.
  std::optional<int64_t> resultDim;
};

/// Lets the ops of one block run with channels last.
class WindowLayout {
public:
  WindowLayout(IRRewriter &rewriter, const DeviceModel &device, bool always)
      : rewriter(rewriter), device(device), always(always), tensors(rewriter) {}

  void visit(LinalgOp op);

private:
  /// Each returns whether it replaced `op`.
  bool visitProduct(linalg::GenericOp op);
  bool visitElementwise(linalg::GenericOp op);
  bool visitReduction(linalg::GenericOp op);
  bool visitGeneric(linalg::GenericOp op);

  /// Describes `op`, a product that reads operand `image` with `dim` last; none
  /// of its inputs is made. Nothing where its loops don't allow it.
  std::optional<Reordered> describeProduct(linalg::GenericOp op, unsigned image,
                                           int64_t dim);
  /// Returns whether `op` is faster as `reordered` says, with copies of its
  /// operands.
  FusionDecision isFaster(linalg::GenericOp op, unsigned image, int64_t dim,
                          Reordered reordered);
  /// Checks that `op` may run as `reordered` says, and is faster so, unless its
  /// image `isComputed` in that order already.
  FusionDecision checkProduct(linalg::GenericOp op, unsigned image, int64_t dim,
                              bool isComputed, const Reordered &reordered);
  /// Makes `op` as `reordered` says, at the rewriter's position.
  linalg::GenericOp build(linalg::GenericOp op, const Reordered &reordered);
  void replace(linalg::GenericOp op, const Reordered &reordered);

  IRRewriter &rewriter;
  const DeviceModel &device;
  bool always;
  TurnedTensors tensors;
};
} // namespace

/// Half floats are multiplied so fast that how they are fetched matters.
static bool isHalf(Value value) {
  return isHalfFloat(getElementTypeOrSelf(value.getType()));
}

/// Whether `op` starts from a fill or ignores what its destination holds.
static bool startsAnywhere(LinalgOp op) {
  OpOperand *init = op.getDpsInitOperand(0);
  return !op.payloadUsesValueFromOperand(init) ||
         init->get().getDefiningOp<linalg::FillOp>();
}

/// Adds the loops of `map` that are dims of it alone to `loops`, in order.
static void addLoops(AffineMap map, SmallVectorImpl<unsigned> &loops) {
  for (unsigned dim = 0; dim < map.getNumResults(); ++dim) {
    std::optional<unsigned> loop = getLoopAt(map, dim);
    if (loop && !llvm::is_contained(loops, *loop)) {
      loops.push_back(*loop);
    }
  }
}

linalg::GenericOp WindowLayout::build(linalg::GenericOp op,
                                      const Reordered &reordered) {
  Location loc = op.getLoc();
  Value init = op.getDpsInits()[0];
  if (reordered.resultDim) {
    auto fill = init.getDefiningOp<linalg::FillOp>();
    init = makeTurnedEmpty(rewriter, loc, init, *reordered.resultDim);
    if (fill) {
      init = linalg::FillOp::create(rewriter, loc, fill.getInputs(), init)
                 .getResult(0);
    }
  }
  auto built = linalg::GenericOp::create(rewriter, loc, init.getType(),
                                         reordered.inputs, init, reordered.maps,
                                         op.getIteratorTypesArray());
  built->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  IRMapping mapping;
  op.getRegion().cloneInto(&built.getRegion(), mapping);
  // Loops in the order of the result, k in that of what is not read in windows.
  SmallVector<unsigned> loops;
  addLoops(reordered.maps.back(), loops);
  for (AffineMap map : ArrayRef(reordered.maps).drop_back()) {
    if (isPlainRead(map)) {
      addLoops(map, loops);
    }
  }
  for (unsigned loop = 0; loop < built.getNumLoops(); ++loop) {
    if (!llvm::is_contained(loops, loop)) {
      loops.push_back(loop);
    }
  }
  FailureOr<linalg::GenericOp> ordered =
      linalg::interchangeGenericOp(rewriter, built, loops);
  return succeeded(ordered) ? *ordered : built;
}

void WindowLayout::replace(linalg::GenericOp op, const Reordered &reordered) {
  Location loc = op.getLoc();
  Value made = build(op, reordered).getResult(0);
  if (!reordered.resultDim) {
    rewriter.replaceOp(op, made);
    return;
  }
  int64_t dim = *reordered.resultDim;
  SmallVector<int64_t> order =
      getTurnedOrder(cast<ShapedType>(made.getType()).getRank(), dim);
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(rewriter, loc, op.getDpsInits()[0]);
  Value home = tensor::EmptyOp::create(rewriter, loc, sizes,
                                       getElementTypeOrSelf(made.getType()));
  auto back = linalg::TransposeOp::create(rewriter, loc, made, home,
                                          invertPermutationVector(order));
  tensors.setComputed(back->getResult(0), made, dim);
  rewriter.replaceOp(op, back->getResults());
}

std::optional<Reordered> WindowLayout::describeProduct(linalg::GenericOp op,
                                                       unsigned image,
                                                       int64_t dim) {
  Reordered reordered{llvm::to_vector(op.getInputs()),
                      op.getIndexingMapsArray(), findFilters(op, image)};
  AffineMap map = reordered.maps[image];
  std::optional<unsigned> loop = getLoopAt(map, dim);
  if (!loop || !isReduced(op, *loop)) {
    return std::nullopt;
  }
  if (dim < getLastDim(reordered.inputs[image])) {
    reordered.maps[image] = turnMap(map, dim);
  }
  if (reordered.resultDim == getLastDim(op.getDpsInits()[0])) {
    reordered.resultDim.reset();
  }
  if (reordered.resultDim) {
    reordered.maps.back() =
        turnMap(reordered.maps.back(), *reordered.resultDim);
  }
  return reordered;
}

/// The time of the loop of `op`, a product.
static std::optional<double> estimateProduct(LinalgOp op,
                                             const DeviceModel &device) {
  Unit unit;
  unit.anchor = op;
  unit.space = getIterationSpace(op);
  if (unit.space.role != OpRole::Contraction) {
    return std::nullopt;
  }
  for (int64_t &size : unit.space.sizes) {
    size = getNominalSize(size);
  }
  const Unit *product = &unit;
  std::optional<ProductsShape> shape = getProductsShape(product);
  return shape ? std::optional(estimateProducts(*shape, device)) : std::nullopt;
}

FusionDecision WindowLayout::isFaster(linalg::GenericOp op, unsigned image,
                                      int64_t dim, Reordered reordered) {
  // The other order must gain more than estimates are off.
  constexpr double kLeastGain = 0.05;
  auto type = cast<ShapedType>(op.getInputs()[image].getType());
  if (llvm::count(type.getShape(), ShapedType::kDynamic) > 1) {
    return FusionDecision::forbid("the size of its image is known only at run "
                                  "time: small ones are not worth copies");
  }
  std::optional<double> before = estimateProduct(op, device);
  KernelWork copies;
  auto addCopy = [&](Value value) {
    copies.bytesRead += getTensorBytes(value.getType());
    copies.bytesWritten += getTensorBytes(value.getType());
  };
  AffineMap map = op.getIndexingMapsArray()[image];
  std::optional<int64_t> across =
      findAcross(op, 1 - image, *getLoopAt(map, dim));
  for (unsigned number : {0u, 1u}) {
    Value value = op.getInputs()[number];
    std::optional<int64_t> moved = number == image ? dim : across;
    if (!moved || *moved >= getLastDim(value)) {
      continue;
    }
    addCopy(value);
    reordered.inputs[number] =
        makeTurnedEmpty(rewriter, op.getLoc(), value, *moved);
    if (number != image) {
      reordered.maps[number] = turnMap(reordered.maps[number], *moved);
    }
  }
  copies.bytesBetween = copies.bytesRead + copies.bytesWritten;
  copies.blocks = copies.bytesRead / 4096;
  linalg::GenericOp trial = build(op, reordered);
  std::optional<double> after = estimateProduct(trial, device);
  rewriter.eraseOp(trial);
  if (!before || !after) {
    return FusionDecision::forbid("its tiles are no product of matrices");
  }
  double copied = estimateKernel(copies, device).us;
  if (*after + copied < *before * (1 - kLeastGain)) {
    return FusionDecision::allow();
  }
  return FusionDecision::forbid(
      llvm::formatv("with channels side by side its loop is estimated at {0:F1}"
                    " us and the copies at {1:F1} us, against {2:F1} us",
                    *after, copied, *before)
          .str());
}

FusionDecision WindowLayout::checkProduct(linalg::GenericOp op, unsigned image,
                                          int64_t dim, bool isComputed,
                                          const Reordered &reordered) {
  if (isDirected(op)) {
    return FusionDecision::forbid(
        "it is marked with a directive, and stays as it is");
  }
  if (!startsAnywhere(op)) {
    return FusionDecision::forbid(
        "it adds to a tensor, which lies in the order of its dims");
  }
  return isComputed || always ? FusionDecision::allow()
                              : isFaster(op, image, dim, reordered);
}

bool WindowLayout::visitProduct(linalg::GenericOp op) {
  for (unsigned image : {0u, 1u}) {
    Value value = op.getInputs()[image];
    AffineMap map = op.getIndexingMapsArray()[image];
    std::optional<int64_t> computed = tensors.getComputedDim(value);
    bool windows = !isPlainRead(map);
    std::optional<int64_t> dim = computed;
    if (!isHalf(value)) {
      continue;
    }
    if (windows && !computed) {
      FusionDecision decision = findChannels(op, image, dim);
      if (!decision) {
        reportKept("LayOutWindows", op, decision.getReason());
      }
    }
    std::optional<unsigned> loop = dim ? getLoopAt(map, *dim) : std::nullopt;
    if (!loop) {
      continue;
    }
    unsigned other = 1 - image;
    std::optional<int64_t> across =
        windows ? findAcross(op, other, *loop) : std::nullopt;
    bool lies = getLastDim(value) <= *dim;
    if (lies && !across) {
      continue;
    }
    std::optional<Reordered> reordered = describeProduct(op, image, *dim);
    if (!reordered) {
      continue;
    }
    FusionDecision decision =
        checkProduct(op, image, *dim, computed.has_value(), *reordered);
    if (!decision) {
      reportKept("LayOutWindows", op, decision.getReason());
      return false;
    }
    if (across) {
      reordered->inputs[other] =
          tensors.get(op.getLoc(), op.getInputs()[other], *across);
      reordered->maps[other] = turnMap(reordered->maps[other], *across);
    }
    if (!lies) {
      reordered->inputs[image] = tensors.get(op.getLoc(), value, *dim);
    }
    replace(op, *reordered);
    return true;
  }
  return false;
}

bool WindowLayout::visitElementwise(linalg::GenericOp op) {
  Reordered reordered{llvm::to_vector(op.getInputs()),
                      op.getIndexingMapsArray(), std::nullopt};
  AffineMap written = reordered.maps.back();
  bool moves = getMovement(op).has_value();
  std::optional<unsigned> channels; // the loop over them
  for (auto [number, value] : llvm::enumerate(op.getInputs())) {
    AffineMap map = reordered.maps[number];
    std::optional<int64_t> dim = tensors.getComputedDim(value);
    std::optional<unsigned> loop = dim ? getLoopAt(map, *dim) : std::nullopt;
    // Where operands differ, the first one says.
    if (loop && map.isPermutation() && (!channels || *channels == *loop)) {
      channels = loop;
      reordered.inputs[number] = tensors.get(op.getLoc(), value, *dim);
      reordered.maps[number] = turnMap(map, *dim);
    }
  }
  if (!channels) {
    return false;
  }
  std::optional<unsigned> at = written.getResultPosition(
      getAffineDimExpr(*channels, rewriter.getContext()));
  if (at && !moves && int64_t(*at) < getLastDim(op.getDpsInits()[0])) {
    reordered.resultDim = *at;
    reordered.maps.back() = turnMap(written, *at);
  }
  replace(op, reordered);
  return true;
}

bool WindowLayout::visitReduction(linalg::GenericOp op) {
  Value value = op.getNumDpsInputs() == 1 ? op.getInputs()[0] : Value();
  std::optional<int64_t> dim =
      value ? tensors.getComputedDim(value) : std::nullopt;
  if (!dim || !startsAnywhere(op)) {
    return false;
  }
  Reordered reordered{{tensors.get(op.getLoc(), value, *dim)},
                      op.getIndexingMapsArray(),
                      std::nullopt};
  AffineMap map = reordered.maps.front(), written = reordered.maps.back();
  std::optional<unsigned> loop = getLoopAt(map, *dim);
  reordered.maps.front() = turnMap(map, *dim);
  std::optional<unsigned> at =
      loop ? written.getResultPosition(
                 getAffineDimExpr(*loop, rewriter.getContext()))
           : std::nullopt;
  if (at && int64_t(*at) < getLastDim(op.getDpsInits()[0])) {
    reordered.resultDim = *at;
    reordered.maps.back() = turnMap(written, *at);
  }
  replace(op, reordered);
  return true;
}

bool WindowLayout::visitGeneric(linalg::GenericOp op) {
  rewriter.setInsertionPoint(op);
  bool writes = startsAnywhere(op) && op.getDpsInits().size() == 1;
  if (isMatrixProduct(op)) {
    return visitProduct(op);
  }
  if (!op.isAllParallelLoops()) {
    return visitReduction(op);
  }
  return writes && op.getIndexingMapsArray().back().isPermutation() &&
         !op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)) &&
         visitElementwise(op);
}

/// Returns whether `op` has one result, in whatever order its dims come.
static bool isFree(LinalgOp op) {
  return op.hasPureTensorSemantics() && op->getNumResults() == 1 &&
         !isa<linalg::FillOp>(op) &&
         op.getIndexingMapsArray().back().isProjectedPermutation();
}

void WindowLayout::visit(LinalgOp op) {
  if (!isFree(op)) {
    return;
  }
  bool reads = llvm::any_of(op.getDpsInputs(), [&](Value value) {
    return tensors.getComputedDim(value).has_value();
  });
  bool windows = isMatrixProduct(op) &&
                 !llvm::all_of(op.getIndexingMapsArray(), isPlainRead);
  // Of a directed product it is said why it stays.
  if (!windows && (!reads || isDirected(op))) {
    return;
  }
  rewriter.setInsertionPoint(op);
  if (auto generic = dyn_cast<linalg::GenericOp>(op.getOperation())) {
    visitGeneric(generic);
    return;
  }
  // A named op that stays keeps its name.
  OwningOpRef<Operation *> named(op->clone());
  FailureOr<linalg::GenericOp> generic = toGeneric(rewriter, op);
  if (succeeded(generic) && !visitGeneric(*generic)) {
    rewriter.setInsertionPoint(*generic);
    rewriter.replaceOp(*generic, rewriter.insert(named.release()));
  }
}

void fusion::layOutWindows(func::FuncOp func, const DeviceModel &device,
                           bool always) {
  if (device.isCPU() || !device.hasTensorCores()) {
    return;
  }
  llvm::SetVector<Block *> blocks;
  func.walk([&](LinalgOp op) { blocks.insert(op->getBlock()); });
  IRRewriter rewriter(func.getContext());
  for (Block *block : blocks) {
    WindowLayout layout(rewriter, device, always);
    for (Operation &op : llvm::make_early_inc_range(*block)) {
      if (auto linalgOp = dyn_cast<LinalgOp>(op)) {
        layout.visit(linalgOp);
      }
    }
  }
}

namespace {
struct LayOutWindowsPass
    : mlir::fusion::impl::LayOutWindowsBase<LayOutWindowsPass> {
  using LayOutWindowsBase::LayOutWindowsBase;

  void runOnOperation() override {
    FailureOr<DeviceModel> device = findDevice(getOperation(), target);
    if (failed(device)) {
      return signalPassFailure();
    }
    lowerPads(getOperation());
    layOutWindows(getOperation(), *device, always);
  }
};
} // namespace
