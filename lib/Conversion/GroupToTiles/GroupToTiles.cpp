//===- GroupToTiles.cpp - from a group to a tile program ------------------===//

#include "fusion/Conversion/GroupToTiles.h"

#include "Kernels.h"
#include "TileEmitter.h"
#include "fusion/Conversion/Passes.h"
#include "fusion/Schedule/Limits.h"
#include "fusion/Tile/IR/Tile.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::fusion {
#define GEN_PASS_DEF_GROUPTOTILES
#include "fusion/Conversion/Passes.h.inc"
} // namespace mlir::fusion

using namespace mlir;
using namespace mlir::fusion;

/// The operand of `op` and its dim that have the size of the result's dim.
static std::pair<Value, int64_t> findDimSource(linalg::LinalgOp op,
                                               OpResult result, int64_t dim) {
  AffineMap written = op.getIndexingMapMatchingResult(result);
  AffineExpr loop = written.getResult(dim);
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    if (std::optional<unsigned> at = map.getResultPosition(loop)) {
      return {input->get(), *at};
    }
  }
  return {op.getDpsInitOperand(result.getResultNumber())->get(), dim};
}

/// Replaces `op` by the size of a memref's dim (or of a tensor.empty).
static LogicalResult resolveDim(tensor::DimOp op) {
  std::optional<int64_t> constant = op.getConstantIndex();
  if (!constant) {
    return op.emitOpError("expected a constant dim");
  }
  OpBuilder b(op);
  Value value = op.getSource();
  int64_t dim = *constant;
  Value size;
  while (!size) {
    auto type = cast<RankedTensorType>(value.getType());
    if (!type.isDynamicDim(dim)) {
      size =
          arith::ConstantIndexOp::create(b, op.getLoc(), type.getDimSize(dim));
    } else if (auto cast = value.getDefiningOp<tensor::CastOp>()) {
      value = cast.getSource();
    } else if (auto linalgOp = value.getDefiningOp<linalg::LinalgOp>()) {
      std::tie(value, dim) =
          findDimSource(linalgOp, llvm::cast<OpResult>(value), dim);
    } else if (auto empty = value.getDefiningOp<tensor::EmptyOp>()) {
      size = empty.getDynamicSize(dim);
    } else if (auto arg = value.getDefiningOp<bufferization::ToTensorOp>()) {
      size = memref::DimOp::create(b, op.getLoc(),
                                   getSizedMemory(arg.getBuffer()), dim);
    } else {
      return op.emitOpError("cannot be computed before the group");
    }
  }
  op.replaceAllUsesWith(size);
  op.erase();
  return success();
}

/// Sizes of tensors become sizes of memrefs, which the host can compute.
static LogicalResult resolveDims(func::FuncOp function) {
  SmallVector<tensor::DimOp> dims;
  function.walk([&](tensor::DimOp op) { dims.push_back(op); });
  for (tensor::DimOp op : dims) {
    if (failed(resolveDim(op))) {
      return failure();
    }
  }
  return success();
}

FailureOr<Schedule>
mlir::fusion::pickSchedule(Group &group, const KernelContext &context,
                           ArrayRef<Schedule::Kind> kinds,
                           llvm::function_ref<Schedule()> choose) {
  if (!context.pinned) {
    return choose();
  }
  if (!llvm::is_contained(kinds, context.pinned->kind)) {
    return group.func.emitOpError("expected a schedule of kind ")
           << stringifyKind(kinds.front()) << " for this group, but got "
           << stringifyKind(context.pinned->kind);
  }
  return *context.pinned;
}

int64_t mlir::fusion::addUnitDim(Group &group) {
  group.dims.push_back({});
  return group.dims.size() - 1;
}

/// Checks that tiles can hold what `function` computes with.
static LogicalResult checkElementTypes(func::FuncOp function) {
  WalkResult result = function.walk([](Operation *op) {
    for (Type type : op->getResultTypes()) {
      Type element = getElementTypeOrSelf(type);
      if (isa<ShapedType>(type) && !element.isIntOrIndexOrFloat()) {
        op->emitOpError("expected elements that are integers or floats, but "
                        "got ")
            << element;
        return WalkResult::interrupt();
      }
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Refuses to walk along a dim whose size neither an array of the group nor
/// the host tells.
static LogicalResult checkReducedSizes(Group &group) {
  for (auto [number, dim] : llvm::enumerate(group.dims)) {
    if (dim.reduced && !dim.isSized()) {
      return emitError(group.func.getLoc(),
                       "expected a size of the reduced dim ")
             << number << " of the group that the host knows";
    }
  }
  return success();
}

/// Whether an op keeps what others reduce: it then belongs into their loops.
static bool computesReduced(const Group &group) {
  return llvm::any_of(group.ops, [&](const GroupMember &op) {
    SmallVector<int64_t> own = group.getReducedDims(op);
    return !op.isStore() && llvm::any_of(group.getDims(op), [&](int64_t dim) {
      return group.dims[dim].reduced && !llvm::is_contained(own, dim);
    });
  });
}

LogicalResult mlir::fusion::convertGroupToTiles(func::FuncOp function,
                                                StringRef chip, bool strict) {
  if (failed(checkElementTypes(function))) {
    return failure();
  }
  KernelContext context;
  context.target = ScheduleTarget::get(chip);
  context.target.sharedBytes = getKernelLimits(function, chip).sharedBytes;
  context.strict = strict;
  if (auto attr = function->getAttrOfType<DictionaryAttr>("fusion.schedule")) {
    FailureOr<Schedule> pinned =
        parseSchedule(attr, [&] { return function.emitOpError(); });
    if (failed(pinned)) {
      return failure();
    }
    context.pinned = *pinned;
  }
  if (failed(resolveDims(function))) {
    return failure();
  }
  FailureOr<Group> group = analyseGroup(function);
  if (failed(group)) {
    return failure();
  }
  if (failed(checkReducedSizes(*group))) {
    return failure();
  }
  bool reduces = llvm::any_of(group->ops, [&](const GroupMember &op) {
    return group->isReduction(op);
  });
  if (!reduces) {
    return emitElementwise(*group, context);
  }
  if (group->parts) {
    return emitRows(*group, context);
  }
  if (std::optional<SoftmaxProducts> products = matchSoftmaxProducts(*group)) {
    return emitSoftmaxProducts(*group, *products, context);
  }
  if (std::optional<ChainMembers> chain = matchChain(*group)) {
    return emitChain(*group, *chain, context);
  }
  std::optional<MatrixProducts> contraction = matchContraction(*group);
  // A schedule of reductions asks for a sum of products like any other sum.
  bool asProducts = context.pinned
                        ? context.pinned->isContraction()
                        : contraction && !hasFewFilters(*group, *contraction);
  if (contraction && asProducts) {
    return emitContraction(*group, *contraction, context);
  }
  bool combines = llvm::all_of(group->ops, [&](const GroupMember &op) {
    return !group->isReduction(op) || isCombined(op.op);
  });
  if (combines && readsWindows(*group) && storesUnreduced(*group) &&
      !computesReduced(*group)) {
    return emitElementwise(*group, context);
  }
  return emitRows(*group, context);
}

/// Lists the schedules of the parts of `composite`, for reports.
static void listSchedules(func::FuncOp composite,
                          SymbolTableCollection &symbols) {
  SmallVector<Attribute> schedules;
  composite.walk([&](func::CallOp call) {
    auto part = symbols.lookupNearestSymbolFrom<func::FuncOp>(
        call, call.getCalleeAttr());
    if (Attribute schedule =
            part ? part->getAttr("fusion.schedule") : nullptr) {
      schedules.push_back(schedule);
    }
  });
  composite->setAttr("fusion.schedule",
                     ArrayAttr::get(composite.getContext(), schedules));
}

namespace {
struct GroupToTiles : fusion::impl::GroupToTilesBase<GroupToTiles> {
  using GroupToTilesBase::GroupToTilesBase;

  void runOnOperation() override {
    SmallVector<func::FuncOp> functions, composites;
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      // A composite only calls the functions of its parts.
      if (function->hasAttr("fusion.group")) {
        (function->hasAttr("fusion.composite") ? composites : functions)
            .push_back(function);
      }
    }
    for (func::FuncOp function : functions) {
      if (failed(convertGroupToTiles(function, target, strict))) {
        return signalPassFailure();
      }
    }
    SymbolTableCollection symbols;
    for (func::FuncOp composite : composites) {
      listSchedules(composite, symbols);
    }
  }
};
} // namespace
