//===- PlaceGroupBuffers.cpp - where the buffers of a group live ----------===//

#include "fusion/Conversion/GroupToCPU/GroupToCPU.h"
#include "fusion/Conversion/Passes.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;
using namespace mlir::fusion;

namespace mlir::fusion {
#define GEN_PASS_DEF_PLACEGROUPBUFFERS
#include "fusion/Conversion/Passes.h.inc"
} // namespace mlir::fusion

/// The most bytes of one buffer on the stack of a thread. A tile of a
/// contraction has 128 KiB of f32; threads have at least 2 MiB.
static constexpr int64_t kStackBytes = 256 * 1024;

/// An upper bound of the bytes of `alloc`, if there is one.
static std::optional<int64_t> getBoundInBytes(memref::AllocOp alloc) {
  MemRefType type = alloc.getType();
  if (!type.getElementType().isIntOrIndexOrFloat()) {
    return std::nullopt;
  }
  int64_t bits =
      type.getElementType().isIndex() ? 64 : type.getElementTypeBitWidth();
  int64_t bytes = llvm::divideCeil(bits, 8);
  for (int64_t size : type.getShape()) {
    bytes *= ShapedType::isDynamic(size) ? 1 : size;
  }
  for (Value size : alloc.getDynamicSizes()) {
    FailureOr<int64_t> bound = ValueBoundsConstraintSet::computeConstantBound(
        presburger::BoundType::UB, {size, /*dim=*/std::nullopt},
        /*stopCondition=*/nullptr, /*closedUB=*/true);
    if (failed(bound)) {
      return std::nullopt;
    }
    bytes *= std::max<int64_t>(*bound, 0);
    if (bytes > kStackBytes) {
      return std::nullopt;
    }
  }
  return bytes;
}

/// Replaces `alloc`, inside of loops, by a view of stack memory of its thread,
/// or frees it at the end of its block.
static void placeInLoop(memref::AllocOp alloc) {
  OpBuilder builder(alloc);
  Location loc = alloc.getLoc();
  std::optional<int64_t> bytes = getBoundInBytes(alloc);
  if (!bytes || *bytes > kStackBytes) {
    builder.setInsertionPoint(alloc->getBlock()->getTerminator());
    memref::DeallocOp::create(builder, loc, alloc);
    return;
  }
  Operation *scope = alloc->getParentOp();
  while (!isa<scf::ForallOp, func::FuncOp>(scope)) {
    scope = scope->getParentOp();
  }
  builder.setInsertionPointToStart(&scope->getRegion(0).front());
  auto raw =
      MemRefType::get({std::max<int64_t>(*bytes, 1)}, builder.getI8Type());
  Value stack = memref::AllocaOp::create(builder, loc, raw,
                                         builder.getI64IntegerAttr(64));
  builder.setInsertionPoint(alloc);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value view = memref::ViewOp::create(builder, loc, alloc.getType(), stack,
                                      zero, alloc.getDynamicSizes());
  alloc.replaceAllUsesWith(view);
  alloc.erase();
}

/// The ops that compute the sizes of `alloc` from arguments of its function, in
/// order; failure if something else takes part.
static FailureOr<SetVector<Operation *>>
getSizeComputation(memref::AllocOp alloc) {
  SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.inclusive = true;
  for (Value size : alloc.getDynamicSizes()) {
    if (size.getDefiningOp() &&
        failed(getBackwardSlice(size, &slice, options))) {
      return failure();
    }
  }
  slice = topologicalSort(slice);
  for (Operation *op : slice) {
    // Dims read the shape of an argument only; all else is arithmetic.
    if (!isPure(op) || op->getNumRegions() != 0 ||
        (!isa<memref::DimOp>(op) &&
         llvm::any_of(op->getOperandTypes(), llvm::IsaPred<MemRefType>))) {
      return failure();
    }
  }
  return slice;
}

/// Turns `alloc`, at the top level of `group`, into an argument that each of
/// `calls` allocates; or frees it at the end where its size is not known there.
static void placeInCaller(memref::AllocOp alloc, func::FuncOp group,
                          ArrayRef<func::CallOp> calls) {
  FailureOr<SetVector<Operation *>> slice = getSizeComputation(alloc);
  if (failed(slice) || !alloc.getType().getLayout().isIdentity()) {
    OpBuilder builder(alloc->getBlock()->getTerminator());
    memref::DeallocOp::create(builder, alloc.getLoc(), alloc);
    return;
  }
  for (func::CallOp call : calls) {
    OpBuilder builder(call);
    IRMapping mapping;
    mapping.map(group.getArguments().take_front(call.getNumOperands()),
                call.getOperands());
    for (Operation *op : *slice) {
      builder.clone(*op, mapping);
    }
    Operation *copy = builder.clone(*alloc, mapping);
    call.getOperandsMutable().append(copy->getResults());
  }
  unsigned number = group.getNumArguments();
  (void)group.insertArgument(number, alloc.getType(), {}, alloc.getLoc());
  alloc.replaceAllUsesWith(group.getArgument(number));
  alloc.erase();
}

LogicalResult fusion::placeGroupBuffers(func::FuncOp group) {
  SmallVector<memref::AllocOp> allocs;
  group.walk([&](memref::AllocOp alloc) { allocs.push_back(alloc); });
  if (allocs.empty()) {
    return success();
  }
  SmallVector<func::CallOp> calls;
  auto module = group->getParentOfType<ModuleOp>();
  module.walk([&](func::CallOp call) {
    if (call.getCallee() == group.getName()) {
      calls.push_back(call);
    }
  });
  for (memref::AllocOp alloc : allocs) {
    if (alloc->getParentOp() == group) {
      placeInCaller(alloc, group, calls);
    } else {
      placeInLoop(alloc);
    }
  }
  return success();
}

namespace {
struct PlaceGroupBuffers
    : fusion::impl::PlaceGroupBuffersBase<PlaceGroupBuffers> {
  void runOnOperation() override {
    for (auto group : getOperation().getOps<func::FuncOp>()) {
      if (group.isPrivate() && !group.isExternal() &&
          failed(placeGroupBuffers(group))) {
        return signalPassFailure();
      }
    }
  }
};
} // namespace
