//===- PlaceGroupBuffers.cpp - where the buffers of a group live ----------===//

#include "fusion/Conversion/GroupToCPU/GroupToCPU.h"
#include "fusion/Conversion/Passes.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::fusion;

namespace mlir::fusion {
#define GEN_PASS_DEF_PLACEGROUPBUFFERS
#include "fusion/Conversion/Passes.h.inc"
} // namespace mlir::fusion

/// The most bytes of one buffer on the stack of a thread, and of all buffers of
/// a loop. A tile of a contraction has 128 KiB of f32, its packed factors have
/// 384 KiB; threads have at least 2 MiB.
static constexpr int64_t kStackBytes = 256 * 1024;
static constexpr int64_t kLoopStackBytes = 1024 * 1024;

/// The bytes of `alloc` per product of its dynamic sizes.
static int64_t getStaticBytes(memref::AllocOp alloc) {
  Type element = alloc.getType().getElementType();
  int64_t bits = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
  int64_t bytes = llvm::divideCeil(bits, 8);
  for (int64_t size : alloc.getType().getShape()) {
    bytes *= ShapedType::isDynamic(size) ? 1 : size;
  }
  return bytes;
}

/// An upper bound of the bytes of `alloc`, if there is one.
static std::optional<int64_t> getBoundInBytes(memref::AllocOp alloc) {
  int64_t bytes = getStaticBytes(alloc);
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

/// The bytes of stack that `scope`, a parallel loop or a function, takes.
static int64_t getStackBytes(Operation *scope) {
  int64_t bytes = 0;
  for (auto alloca : scope->getRegion(0).getOps<memref::AllocaOp>()) {
    MemRefType type = alloca.getType();
    bytes += type.getNumElements() *
             llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  }
  return bytes;
}

/// An upper bound of `size`, in a parallel loop, as a value from outside of it:
/// the value itself, or a constant. Null if there is neither.
static OpFoldResult getBoundOutside(Value size, scf::ForallOp forall) {
  if (!forall.getRegion().isAncestor(size.getParentRegion())) {
    return size;
  }
  FailureOr<int64_t> bound = ValueBoundsConstraintSet::computeConstantBound(
      presburger::BoundType::UB, {size, /*dim=*/std::nullopt},
      /*stopCondition=*/nullptr, /*closedUB=*/true);
  return failed(bound)
             ? OpFoldResult()
             : OpFoldResult(Builder(size.getContext()).getIndexAttr(*bound));
}

/// The number of the iteration of `forall`, counted row-major, and the number
/// of all iterations.
static std::pair<Value, Value> getIteration(scf::ForallOp forall) {
  ImplicitLocOpBuilder outside(forall.getLoc(), forall);
  auto inside =
      ImplicitLocOpBuilder::atBlockBegin(forall.getLoc(), forall.getBody());
  auto value = [&](OpFoldResult ofr) {
    return getValueOrCreateConstantIndexOp(outside, forall.getLoc(), ofr);
  };
  Value number = arith::ConstantIndexOp::create(inside, 0);
  Value count = arith::ConstantIndexOp::create(outside, 1);
  for (auto [iv, lb, ub, step] :
       llvm::zip_equal(forall.getInductionVars(), forall.getMixedLowerBound(),
                       forall.getMixedUpperBound(), forall.getMixedStep())) {
    Value first = value(lb);
    Value stride = value(step);
    Value range = arith::SubIOp::create(outside, value(ub), first);
    Value extent = arith::CeilDivSIOp::create(outside, range, stride);
    count = arith::MulIOp::create(outside, count, extent);
    Value offset = arith::SubIOp::create(inside, iv, first);
    number = arith::MulIOp::create(inside, number, extent);
    number = arith::AddIOp::create(
        inside, number, arith::DivUIOp::create(inside, offset, stride));
  }
  return {number, count};
}

/// Replaces `alloc`, in a parallel loop at the top level of its function, by a
/// view of one buffer outside of the loop with a part for each iteration;
/// returns that buffer. Null if the size of a part is not known there.
static memref::AllocOp placeOutsideOfLoop(memref::AllocOp alloc) {
  auto forall = dyn_cast<scf::ForallOp>(alloc->getParentOp());
  if (!forall || !isa<func::FuncOp>(forall->getParentOp()) ||
      !alloc.getType().getLayout().isIdentity()) {
    return nullptr;
  }
  SmallVector<OpFoldResult> bounds;
  for (Value size : alloc.getDynamicSizes()) {
    bounds.push_back(getBoundOutside(size, forall));
    if (!bounds.back()) {
      return nullptr;
    }
  }
  auto [number, count] = getIteration(forall);
  ImplicitLocOpBuilder b(alloc.getLoc(), forall);
  Value bytes = arith::ConstantIndexOp::create(b, getStaticBytes(alloc));
  for (OpFoldResult bound : bounds) {
    bytes = arith::MulIOp::create(
        b, bytes, getValueOrCreateConstantIndexOp(b, b.getLoc(), bound));
  }
  // Parts start at cache lines, so that threads do not share any.
  Value line = arith::ConstantIndexOp::create(b, 64);
  bytes = arith::MulIOp::create(b, arith::CeilDivUIOp::create(b, bytes, line),
                                line);
  Value total = arith::MulIOp::create(b, bytes, count);
  auto type = MemRefType::get({ShapedType::kDynamic}, b.getI8Type());
  auto buffer =
      memref::AllocOp::create(b, type, total, alloc.getAlignmentAttr());
  b.setInsertionPoint(alloc);
  Value offset = arith::MulIOp::create(b, number, bytes);
  Value view = memref::ViewOp::create(b, alloc.getType(), buffer, offset,
                                      alloc.getDynamicSizes());
  alloc.replaceAllUsesWith(view);
  alloc.erase();
  return buffer;
}

/// Frees `alloc` at the end of its block. Fails where it is still needed then.
static LogicalResult freeAtEnd(memref::AllocOp alloc) {
  SmallVector<Value> aliases = {alloc};
  for (size_t i = 0; i < aliases.size(); ++i) {
    for (Operation *user : aliases[i].getUsers()) {
      if (user->hasTrait<OpTrait::IsTerminator>()) {
        return alloc.emitOpError("expected a buffer that leaves its block to "
                                 "have a size known at the start of its group");
      }
      if (isa<ViewLikeOpInterface>(user)) {
        llvm::append_range(aliases, user->getResults());
      }
    }
  }
  OpBuilder builder(alloc->getBlock()->getTerminator());
  memref::DeallocOp::create(builder, alloc.getLoc(), alloc);
  return success();
}

/// Replaces `alloc`, inside of loops, by a view of stack memory of its thread
/// if it is small, else of a buffer outside of the loop, which it returns;
/// frees it at the end of its block where neither is possible. Returns null
/// where nothing is left to place.
static FailureOr<memref::AllocOp> placeInLoop(memref::AllocOp alloc) {
  OpBuilder builder(alloc);
  Location loc = alloc.getLoc();
  std::optional<int64_t> bytes = getBoundInBytes(alloc);
  Operation *scope = alloc->getParentOp();
  while (!isa<scf::ForallOp, func::FuncOp>(scope)) {
    scope = scope->getParentOp();
  }
  if (!bytes || *bytes > kStackBytes ||
      *bytes + getStackBytes(scope) > kLoopStackBytes) {
    if (memref::AllocOp buffer = placeOutsideOfLoop(alloc)) {
      return buffer;
    }
    if (failed(freeAtEnd(alloc))) {
      return failure();
    }
    return memref::AllocOp();
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
  return memref::AllocOp();
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

/// Turns `alloc`, in no loop of `group`, into an argument that each of `calls`
/// allocates; or frees it at the end of its block where its size is not known
/// there.
static LogicalResult placeInCaller(memref::AllocOp alloc, func::FuncOp group,
                                   ArrayRef<func::CallOp> calls) {
  FailureOr<SetVector<Operation *>> slice = getSizeComputation(alloc);
  if (failed(slice) || !alloc.getType().getLayout().isIdentity()) {
    return freeAtEnd(alloc);
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
  return success();
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
    FailureOr<memref::AllocOp> outside = alloc;
    if (alloc->getParentOfType<LoopLikeOpInterface>()) {
      outside = placeInLoop(alloc);
    }
    if (failed(outside) ||
        (*outside && failed(placeInCaller(*outside, group, calls)))) {
      return failure();
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
