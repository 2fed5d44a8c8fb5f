//===- PlanWorkspace.cpp - places the intermediates of @main --------------===//

#include "fusion/Conversion/HostToLLVM/HostToLLVM.h"
#include "fusion/Conversion/Passes.h"

#include "HostSignature.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::fusion;

namespace mlir::fusion {
#define GEN_PASS_DEF_PLANWORKSPACE
#include "fusion/Conversion/Passes.h.inc"
} // namespace mlir::fusion

static constexpr int64_t kAlignment = 256;

namespace {

/// The ops of @main, by number, between which a buffer holds a value; both ends
/// belong to it.
struct Lifetime {
  int64_t begin, end;
  bool overlaps(const Lifetime &other) const {
    return begin <= other.end && other.begin <= end;
  }
};

/// One intermediate: its bytes are `bytes` times the product of `factors`.
struct Buffer {
  memref::AllocOp alloc;
  Lifetime lifetime;
  int64_t bytes;
  SmallVector<Value> factors; // sorted by definition; empty where static
  int64_t offset = 0;         // of a static buffer
  size_t slot = 0;            // of a dynamic buffer
};

/// Memory for dynamic buffers of the same factors, one at a time.
struct Slot {
  int64_t bytes;
  SmallVector<Value> factors;
  SmallVector<Lifetime> lifetimes;
};

class WorkspacePlan {
public:
  explicit WorkspacePlan(func::FuncOp main) : main(main) {}
  LogicalResult plan();
  /// Replaces the allocations; returns the size of the workspace.
  Value apply();

private:
  LogicalResult addBuffer(memref::AllocOp alloc);
  Lifetime getLifetime(memref::AllocOp alloc);
  LogicalResult hoistSizes();
  void placeStatic(Buffer &buffer);
  void placeDynamic(Buffer &buffer);

  func::FuncOp main;
  llvm::DenseMap<Operation *, int64_t> numbers; // position in the block
  SmallVector<Buffer> buffers;
  SmallVector<Slot> slots;
  int64_t staticBytes = 0;
};

} // namespace

/// From the allocation's first use to its last, through views of it. A query of
/// its shape is no use.
Lifetime WorkspacePlan::getLifetime(memref::AllocOp alloc) {
  Block *block = alloc->getBlock();
  Lifetime lifetime = {INT64_MAX, -1};
  SmallVector<Value> aliases = {alloc};
  for (size_t i = 0; i < aliases.size(); ++i) {
    for (Operation *user : aliases[i].getUsers()) {
      if (isa<memref::DimOp>(user)) {
        continue;
      }
      if (isa<ViewLikeOpInterface>(user)) {
        llvm::append_range(aliases, user->getResults());
        continue;
      }
      int64_t number = numbers.lookup(block->findAncestorOpInBlock(*user));
      lifetime.begin = std::min(lifetime.begin, number);
      lifetime.end = std::max(lifetime.end, number);
    }
  }
  return lifetime;
}

/// An order of the values of a block: arguments, then results of ops.
static bool isDefinedBefore(Value lhs, Value rhs) {
  Operation *a = lhs.getDefiningOp();
  Operation *b = rhs.getDefiningOp();
  if (a && b && a != b) {
    return a->isBeforeInBlock(b);
  }
  auto number = [](Value value) {
    auto result = dyn_cast<OpResult>(value);
    return result ? result.getResultNumber()
                  : cast<BlockArgument>(value).getArgNumber();
  };
  return bool(a) == bool(b) ? number(lhs) < number(rhs) : !a;
}

LogicalResult WorkspacePlan::addBuffer(memref::AllocOp alloc) {
  MemRefType type = alloc.getType();
  if (!type.getLayout().isIdentity()) {
    return alloc.emitOpError("expected an identity layout, but got ") << type;
  }
  Buffer buffer{alloc, getLifetime(alloc), getElementBytes(type), {}};
  for (int64_t size : type.getShape()) {
    buffer.bytes *= ShapedType::isDynamic(size) ? 1 : size;
  }
  llvm::append_range(buffer.factors, alloc.getDynamicSizes());
  llvm::sort(buffer.factors, isDefinedBefore);
  buffers.push_back(std::move(buffer));
  return success();
}

/// Moves the computation of all sizes to the start of @main, where the views
/// are made.
LogicalResult WorkspacePlan::hoistSizes() {
  SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.inclusive = true;
  for (Buffer &buffer : buffers) {
    for (Value factor : buffer.factors) {
      if (factor.getDefiningOp() &&
          failed(getBackwardSlice(factor, &slice, options))) {
        return failure();
      }
    }
  }
  slice = topologicalSort(slice);
  for (Operation *op : slice) {
    if (!isPure(op)) {
      return op->emitOpError("expected the size of an intermediate to be "
                             "computed from the sizes of arguments");
    }
  }
  Block &entry = main.getBody().front();
  for (Operation *op : llvm::reverse(slice)) {
    op->moveBefore(&entry, entry.begin());
  }
  return success();
}

/// First fit: the lowest gap between the buffers that live at the same time.
void WorkspacePlan::placeStatic(Buffer &buffer) {
  SmallVector<std::pair<int64_t, int64_t>> used;
  for (Buffer &other : buffers) {
    if (&other == &buffer) {
      break; // later ones are not placed yet
    }
    if (other.factors.empty() && other.lifetime.overlaps(buffer.lifetime)) {
      used.push_back({other.offset, other.offset + other.bytes});
    }
  }
  llvm::sort(used);
  for (auto [begin, end] : used) {
    if (buffer.offset + buffer.bytes <= begin) {
      break;
    }
    buffer.offset =
        std::max<int64_t>(buffer.offset, llvm::alignTo(end, kAlignment));
  }
  staticBytes = std::max(staticBytes, buffer.offset + buffer.bytes);
}

/// The first slot of the same factors that is free for the buffer's lifetime. A
/// buffer with fewer bytes per product of factors never needs more.
void WorkspacePlan::placeDynamic(Buffer &buffer) {
  for (auto [number, slot] : llvm::enumerate(slots)) {
    if (slot.factors == buffer.factors &&
        llvm::none_of(slot.lifetimes, [&](const Lifetime &lifetime) {
          return lifetime.overlaps(buffer.lifetime);
        })) {
      slot.bytes = std::max(slot.bytes, buffer.bytes);
      slot.lifetimes.push_back(buffer.lifetime);
      buffer.slot = number;
      return;
    }
  }
  buffer.slot = slots.size();
  slots.push_back({buffer.bytes, buffer.factors, {buffer.lifetime}});
}

LogicalResult WorkspacePlan::plan() {
  int64_t number = 0;
  for (Operation &op : main.getBody().front()) {
    numbers[&op] = number++;
  }
  WalkResult walk = main.walk([&](memref::AllocOp alloc) {
    if (alloc->getParentOp() != main) {
      alloc.emitOpError("expected no intermediate inside of a region");
      return WalkResult::interrupt();
    }
    return failed(addBuffer(alloc)) ? WalkResult::interrupt()
                                    : WalkResult::advance();
  });
  if (walk.wasInterrupted() || failed(hoistSizes())) {
    return failure();
  }
  for (Buffer &buffer : buffers) {
    buffer.factors.empty() ? placeStatic(buffer) : placeDynamic(buffer);
  }
  return success();
}

/// The bytes of `slot`, rounded up to the alignment.
static Value getSlotSize(ImplicitLocOpBuilder &b, const Slot &slot) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, value);
  };
  Value size = constant(slot.bytes);
  for (Value factor : slot.factors) {
    size = arith::MulIOp::create(b, size, factor);
  }
  size = arith::AddIOp::create(b, size, constant(kAlignment - 1));
  size = arith::DivUIOp::create(b, size, constant(kAlignment));
  return arith::MulIOp::create(b, size, constant(kAlignment));
}

Value WorkspacePlan::apply() {
  Location loc = main.getLoc();
  Builder attributes(main.getContext());
  auto type = MemRefType::get({ShapedType::kDynamic}, attributes.getI8Type());
  unsigned last = main.getNumArguments();
  auto marker = attributes.getDictionaryAttr(
      attributes.getNamedAttr(kWorkspaceAttr, attributes.getUnitAttr()));
  (void)main.insertArgument(last, type, marker, loc);
  Value workspace = main.getArgument(last);

  Block &entry = main.getBody().front();
  ImplicitLocOpBuilder b(loc, main.getContext());
  // After the sizes: the op after the last one of them.
  b.setInsertionPointToStart(&entry);
  for (Buffer &buffer : buffers) {
    for (Value factor : buffer.factors) {
      Operation *op = factor.getDefiningOp();
      if (op && (b.getInsertionPoint() == entry.end() ||
                 !op->isBeforeInBlock(&*b.getInsertionPoint()))) {
        b.setInsertionPointAfter(op);
      }
    }
  }
  Value end =
      arith::ConstantIndexOp::create(b, llvm::alignTo(staticBytes, kAlignment));
  SmallVector<Value> slotOffsets;
  for (const Slot &slot : slots) {
    slotOffsets.push_back(end);
    end = arith::AddIOp::create(b, end, getSlotSize(b, slot));
  }
  for (Buffer &buffer : buffers) {
    Value offset = buffer.factors.empty()
                       ? arith::ConstantIndexOp::create(b, buffer.offset)
                       : slotOffsets[buffer.slot];
    b.setLoc(buffer.alloc.getLoc());
    Value view = memref::ViewOp::create(b, buffer.alloc.getType(), workspace,
                                        offset, buffer.alloc.getDynamicSizes());
    buffer.alloc.replaceAllUsesWith(view);
  }
  // Last, since new ops are inserted before one of them.
  for (Buffer &buffer : buffers) {
    buffer.alloc.erase();
  }
  return end;
}

/// The size of dim `dim` of what `reshape` makes: the product of the dims that
/// it collapses.
static Value emitCollapsedDim(OpBuilder &b, memref::CollapseShapeOp reshape,
                              int64_t dim) {
  Location loc = reshape.getLoc();
  Value size;
  ReassociationIndices collapsed = reshape.getReassociationIndices()[dim];
  for (int64_t source : collapsed) {
    Value factor = b.createOrFold<memref::DimOp>(loc, reshape.getSrc(), source);
    size = size ? b.createOrFold<arith::MulIOp>(loc, size, factor) : factor;
  }
  return size;
}

/// Rewrites the dims of reshaped arrays of @main to sizes that are given, or
/// what they are views of, down to its arguments.
static void resolveReshapedDims(func::FuncOp main) {
  SmallVector<memref::DimOp> work;
  main.walk([&](memref::DimOp dim) { work.push_back(dim); });
  while (!work.empty()) {
    memref::DimOp dim = work.pop_back_val();
    std::optional<int64_t> index = dim.getConstantIndex();
    Operation *source = dim.getSource().getDefiningOp();
    if (!index || !source) {
      continue;
    }
    OpBuilder b(dim);
    Value size;
    if (auto collapse = dyn_cast<memref::CollapseShapeOp>(source)) {
      size = emitCollapsedDim(b, collapse, *index);
    } else if (auto expand = dyn_cast<memref::ExpandShapeOp>(source)) {
      size = getValueOrCreateConstantIndexOp(
          b, dim.getLoc(), expand.getMixedOutputShape()[*index]);
    } else if (auto cast = dyn_cast<memref::ReinterpretCastOp>(source)) {
      size = getValueOrCreateConstantIndexOp(b, dim.getLoc(),
                                             cast.getMixedSizes()[*index]);
    } else {
      continue;
    }
    // What was just made may ask for the dim of another reshape.
    for (Operation *op = dim->getPrevNode(); op; op = op->getPrevNode()) {
      auto made = dyn_cast<memref::DimOp>(op);
      if (made && made.getSource() == source->getOperand(0)) {
        work.push_back(made);
      } else if (!isa<arith::MulIOp, arith::ConstantOp>(op)) {
        break;
      }
    }
    dim.replaceAllUsesWith(size);
    dim.erase();
  }
}

/// Creates `@main_workspace_size` by copying the computation of `size`, a value
/// of @main, with the dims of arguments as arguments.
static LogicalResult createSizeFunction(func::FuncOp main, Value size) {
  HostSignature signature(main);
  OpBuilder b(main.getContext());
  b.setInsertionPointAfter(main);
  Location loc = main.getLoc();
  SmallVector<Type> types(signature.getNumInputDims(), b.getIndexType());
  auto function =
      func::FuncOp::create(b, loc, kWorkspaceSizeFunction,
                           b.getFunctionType(types, b.getIndexType()));
  function.setPrivate();
  b.setInsertionPointToStart(function.addEntryBlock());
  FailureOr<SmallVector<Value>> dims =
      signature.getAllDims(b, loc, function.getArguments());
  if (failed(dims)) {
    return failure();
  }
  SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.inclusive = true;
  if (failed(getBackwardSlice(size, &slice, options))) {
    return failure();
  }
  IRMapping mapping;
  for (Operation *op : topologicalSort(slice)) {
    auto dim = dyn_cast<memref::DimOp>(op);
    if (!dim) {
      b.clone(*op, mapping);
      continue;
    }
    auto argument = dyn_cast<BlockArgument>(dim.getSource());
    std::optional<int64_t> index = dim.getConstantIndex();
    if (!argument || !index) {
      return dim.emitOpError("expected a constant dimension of an argument");
    }
    mapping.map(dim.getResult(),
                (*dims)[signature.getDimNumber(argument, *index)]);
  }
  func::ReturnOp::create(b, loc, mapping.lookup(size));
  return success();
}

LogicalResult fusion::planWorkspace(ModuleOp module) {
  auto main = module.lookupSymbol<func::FuncOp>(kMainFunction);
  if (!main || main.isExternal() || !llvm::hasSingleElement(main.getBody())) {
    return module.emitError("expected a function @main of one block");
  }
  resolveReshapedDims(main);
  WorkspacePlan plan(main);
  if (failed(plan.plan())) {
    return failure();
  }
  Value size = plan.apply();
  return createSizeFunction(main, size);
}

namespace {
struct PlanWorkspace : fusion::impl::PlanWorkspaceBase<PlanWorkspace> {
  void runOnOperation() override {
    if (failed(planWorkspace(getOperation()))) {
      signalPassFailure();
    }
  }
};
} // namespace
