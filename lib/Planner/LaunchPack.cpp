//===- LaunchPack.cpp - what may share a launch ---------------------------===//

#include "LaunchPack.h"

#include "fusion/Cost/Concurrent.h"
#include "fusion/Dialect/Fusion/IR/Directives.h"
#include "fusion/Planner/KernelWork.h"

using namespace mlir;
using namespace mlir::fusion;

/// A launch holds at most so many parts: bounds compile time and code size.
static constexpr size_t kMaxParts = 512;

/// Returns whether parts of `pack` multiply on tensor cores.
static bool multiplies(const LaunchPack &pack) {
  return llvm::any_of(pack.works,
                      [](const KernelWork &work) { return work.tensorCores; });
}

/// Returns the linalg ops of the parts of `pack` but for those that multiply in
/// tiles: their blocks hold rows.
static SmallVector<linalg::LinalgOp> collectRowOps(const LaunchPack &pack) {
  SmallVector<linalg::LinalgOp> ops;
  for (auto [part, work] : llvm::zip_equal(pack.parts, pack.works)) {
    GroupOp group = part.group;
    bool hasTiles = work.loop.tiles > 0;
    for (auto op : group.getBodyBlock()->getOps<linalg::LinalgOp>()) {
      if (!hasTiles || getOpWork(op).contractionFlops == 0) {
        ops.push_back(op);
      }
    }
  }
  return ops;
}

/// Returns whether `op` reduces rows that one block of the size that
/// warp-specialised products have, 12 warps, may not hold.
static bool reducesLongRows(linalg::LinalgOp op) {
  constexpr int64_t kLongRow = 4096;
  int64_t row = 1;
  for (auto [size, kind] :
       llvm::zip(op.getStaticLoopRanges(), op.getIteratorTypesArray())) {
    bool isReduced = kind == utils::IteratorType::reduction;
    row *= !isReduced ? 1 : ShapedType::isDynamic(size) ? kLongRow + 1 : size;
  }
  return row > kLongRow;
}

/// Returns whether `op` reduces an array along other dims than its innermost
/// one of several elements: the kernel's blocks have 16 warps (chooseRows),
/// more than those of any matrix product.
static bool reducesAcrossRows(linalg::LinalgOp op) {
  SmallVector<unsigned> reduced;
  op.getReductionDims(reduced);
  return !reduced.empty() &&
         llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *input) {
           AffineMap map = op.getMatchingIndexingMap(input);
           AffineExpr innermost = getInnermostPosition(op, input);
           auto uses = [&](AffineExpr position) {
             return llvm::any_of(reduced, [&](unsigned loop) {
               return position.isFunctionOfDim(loop);
             });
           };
           return innermost && llvm::any_of(map.getResults(), uses) &&
                  !uses(innermost);
         });
}

/// Checks that the blocks of the launch are no larger than those of its matrix
/// products: warp-specialised ones hand registers to one another and need the
/// launch's block size, and of others fewer would be on a multiprocessor at a
/// time, with fewer registers for each thread.
static FusionDecision checkBlocks(const LaunchPack &a, const LaunchPack &b,
                                  bool exclusive, const DeviceModel &device) {
  bool specialised = device.chip == "sm_90a";
  if (device.isCPU() || (exclusive && !specialised)) {
    return FusionDecision::allow();
  }
  for (auto [one, other] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    if (!multiplies(*one)) {
      continue;
    }
    SmallVector<linalg::LinalgOp> ops = collectRowOps(*other);
    auto areAny = [&](bool (*holds)(linalg::LinalgOp)) {
      return llvm::any_of(ops, holds);
    };
    if (specialised && areAny(reducesLongRows)) {
      return FusionDecision::forbid("the blocks of long rows are larger than "
                                    "those of matrix products");
    }
    if (areAny(reducesAcrossRows)) {
      return FusionDecision::forbid("the blocks of a reduction along rows that "
                                    "are not contiguous are larger than those "
                                    "of matrix products");
    }
  }
  return FusionDecision::allow();
}

static FusionDecision checkKinds(const LaunchPack &a, const LaunchPack &b,
                                 const PlannerOptions &options) {
  for (const LaunchPack *pack : {&a, &b}) {
    for (GroupOp group : pack->groups) {
      if (group->hasAttr(kNoFuseAttr)) {
        return FusionDecision::forbid(Twine("one of the two is marked with ") +
                                      kNoFuseAttr);
      }
    }
  }
  bool exclusive = true, conditional = false;
  for (const LaunchPart &part : a.parts) {
    for (const LaunchPart &other : b.parts) {
      exclusive &= areExclusive(part, other);
      conditional |= areExclusive(part, other);
    }
  }
  if (conditional && !options.conditional) {
    return FusionDecision::forbid("conditional fusion is switched off");
  }
  if (!exclusive && !options.horizontal) {
    return FusionDecision::forbid("horizontal fusion is switched off");
  }
  if (FusionDecision decision = checkBlocks(a, b, exclusive, options.device);
      !decision) {
    return decision;
  }
  return FusionDecision::allow();
}

/// Tensor maps are parameters; whatever else does not fit beside them goes to a
/// table in memory (`fusion-tabulate-parameters`).
static FusionDecision checkParameters(const LaunchPack &a, const LaunchPack &b,
                                      const PlannerOptions &options) {
  DenseSet<Value> mapped;
  auto count = [&](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (type && type.getElementTypeBitWidth() == 16) {
      mapped.insert(value);
    }
  };
  for (const LaunchPack *pack : {&a, &b}) {
    if (!multiplies(*pack)) {
      continue;
    }
    for (auto [part, work] : llvm::zip_equal(pack->parts, pack->works)) {
      if (work.tensorCores) {
        llvm::for_each(part.inputs, count);
      }
    }
    for (GroupOp group : pack->groups) {
      llvm::for_each(group->getResults(), count);
    }
  }
  return checkTensorMaps(mapped.size(), options.device);
}

/// Returns whether `op` is a group of `pack`.
static bool isIn(Operation *op, const LaunchPack &pack) {
  return llvm::any_of(pack.groups, [&](GroupOp group) { return group == op; });
}

bool fusion::areExclusive(const LaunchPack &a, const LaunchPack &b) {
  return llvm::all_of(a.parts, [&](const LaunchPart &part) {
    return llvm::all_of(b.parts, [&](const LaunchPart &other) {
      return areExclusive(part, other);
    });
  });
}

/// Returns whether the destination of `result`, of a group, needs what a group
/// of `from` left there: one that a run may take beside it.
static bool continuesFrom(OpResult result, const LaunchPack &from) {
  auto group = cast<GroupOp>(result.getOwner());
  Value init = group.getInits()[result.getResultNumber()];
  bool keeps = mayKeepDestination(result);
  while (isIn(init.getDefiningOp(), from)) {
    auto writer = cast<GroupOp>(init.getDefiningOp());
    if (!keeps || !areExclusive(group, writer)) {
      return true;
    }
    init = writer.getInits()[cast<OpResult>(init).getResultNumber()];
  }
  return false;
}

bool fusion::readsFrom(const LaunchPack &to, const LaunchPack &from) {
  for (GroupOp group : to.groups) {
    for (Value input : group.getInputs()) {
      if (isIn(input.getDefiningOp(), from)) {
        return true;
      }
    }
    if (llvm::any_of(group->getResults(), [&](OpResult result) {
          return continuesFrom(result, from);
        })) {
      return true;
    }
  }
  return false;
}

FusionDecision fusion::checkLaunch(const LaunchPack &a, const LaunchPack &b,
                                   const PlannerOptions &options) {
  // First, since a graph of many small ops has many full launches.
  if (a.parts.size() + b.parts.size() > kMaxParts) {
    return FusionDecision::forbid("the launch would hold more than " +
                                  Twine(kMaxParts) + " groups");
  }
  FusionDecision decision = checkKinds(a, b, options);
  return decision ? checkParameters(a, b, options) : std::move(decision);
}

std::string fusion::joinNames(ArrayRef<GroupOp> groups) {
  constexpr size_t kMaxNames = 4;
  std::string joined;
  for (GroupOp group : groups.take_front(kMaxNames)) {
    joined += (joined.empty() ? "" : " | ") + group.getName().str();
  }
  if (groups.size() > kMaxNames) {
    joined += " | " + std::to_string(groups.size() - kMaxNames) + " more";
  }
  return joined;
}

void fusion::sortByTime(SmallVector<LaunchPart, 0> &parts,
                        const DeviceModel &device) {
  SmallVector<std::pair<double, size_t>> order;
  for (auto [index, part] : llvm::enumerate(parts)) {
    order.push_back(
        {-estimateKernel(getGroupWork(part.group, device), device).us, index});
  }
  llvm::sort(order);
  SmallVector<LaunchPart, 0> sorted;
  for (auto [time, index] : order) {
    sorted.push_back(std::move(parts[index]));
  }
  parts = std::move(sorted);
}
