//===- OutlineParallelLoops.cpp - scf.forall to calls of a function -------===//

#include "fusion/Conversion/GroupToCPU/GroupToCPU.h"
#include "fusion/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::fusion;

namespace mlir::fusion {
#define GEN_PASS_DEF_OUTLINEPARALLELLOOPS
#include "fusion/Conversion/Passes.h.inc"
} // namespace mlir::fusion

/// The number of iterations of each loop of `forall`; operands go through
/// `mapping`.
static SmallVector<Value> getExtents(OpBuilder &builder, scf::ForallOp forall,
                                     const IRMapping &mapping) {
  Location loc = forall.getLoc();
  SmallVector<Value> result;
  auto materialize = [&](OpFoldResult value) {
    if (auto dynamic = dyn_cast<Value>(value)) {
      value = mapping.lookupOrDefault(dynamic);
    }
    return getValueOrCreateConstantIndexOp(builder, loc, value);
  };
  for (auto [lb, ub, step] :
       llvm::zip_equal(forall.getMixedLowerBound(), forall.getMixedUpperBound(),
                       forall.getMixedStep())) {
    Value range = builder.createOrFold<arith::SubIOp>(loc, materialize(ub),
                                                      materialize(lb));
    result.push_back(builder.createOrFold<arith::CeilDivSIOp>(
        loc, range, materialize(step)));
  }
  return result;
}

/// The values from outside that `forall` needs. Constants are copied instead.
static SetVector<Value> getCaptures(scf::ForallOp forall,
                                    SetVector<Operation *> &constants) {
  SetVector<Value> used(llvm::from_range, forall.getDynamicLowerBound());
  used.insert_range(forall.getDynamicUpperBound());
  used.insert_range(forall.getDynamicStep());
  getUsedValuesDefinedAbove(forall.getRegion(), used);
  SetVector<Value> captures;
  for (Value value : used) {
    Operation *op = value.getDefiningOp();
    if (op && op->hasTrait<OpTrait::ConstantLike>()) {
      constants.insert(op);
    } else {
      captures.insert(value);
    }
  }
  return captures;
}

/// Maps the induction variables of `forall` to those of iteration `linear`.
static void mapInductionVariables(OpBuilder &builder, scf::ForallOp forall,
                                  ArrayRef<Value> extents, Value linear,
                                  IRMapping &mapping) {
  Location loc = forall.getLoc();
  SmallVector<OpFoldResult> lbs = forall.getMixedLowerBound();
  SmallVector<OpFoldResult> steps = forall.getMixedStep();
  for (int64_t i = extents.size() - 1; i >= 0; --i) {
    Value number = linear;
    if (i > 0) {
      number = arith::RemUIOp::create(builder, loc, linear, extents[i]);
      linear = arith::DivUIOp::create(builder, loc, linear, extents[i]);
    }
    auto materialize = [&](OpFoldResult value) {
      if (auto dynamic = dyn_cast<Value>(value)) {
        return mapping.lookupOrDefault(dynamic);
      }
      return getValueOrCreateConstantIndexOp(builder, loc, value);
    };
    Value offset =
        builder.createOrFold<arith::MulIOp>(loc, number, materialize(steps[i]));
    mapping.map(
        forall.getInductionVar(i),
        builder.createOrFold<arith::AddIOp>(loc, offset, materialize(lbs[i])));
  }
}

/// Creates the function that runs a range of the iterations of `forall`.
static func::FuncOp createBody(OpBuilder &builder, scf::ForallOp forall,
                               StringRef name, ArrayRef<Value> captures,
                               ArrayRef<Operation *> constants) {
  Location loc = forall.getLoc();
  Type indexType = builder.getIndexType();
  SmallVector<Type> types = {indexType, indexType};
  llvm::append_range(types, ValueRange(captures).getTypes());
  auto function = func::FuncOp::create(builder, loc, name,
                                       builder.getFunctionType(types, {}));
  function.setPrivate();
  Block *entry = function.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  IRMapping mapping;
  mapping.map(captures, entry->getArguments().drop_front(2));
  for (Operation *constant : constants) {
    builder.clone(*constant, mapping);
  }
  SmallVector<Value> extents = getExtents(builder, forall, mapping);
  // Stack memory is taken once, not once per iteration.
  for (auto alloca : forall.getBody()->getOps<memref::AllocaOp>()) {
    builder.clone(*alloca, mapping);
  }
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  auto loop = scf::ForOp::create(builder, loc, entry->getArgument(0),
                                 entry->getArgument(1), one);
  func::ReturnOp::create(builder, loc);
  builder.setInsertionPoint(loop.getBody()->getTerminator());
  mapInductionVariables(builder, forall, extents, loop.getInductionVar(),
                        mapping);
  for (Operation &op : forall.getBody()->without_terminator()) {
    if (!isa<memref::AllocaOp>(op)) {
      builder.clone(op, mapping);
    }
  }
  return function;
}

static LogicalResult outline(scf::ForallOp forall, func::FuncOp group,
                             SymbolTable &symbols) {
  if (forall.getNumResults() != 0) {
    return forall.emitOpError("expected a bufferized loop without results");
  }
  SetVector<Operation *> constants;
  SetVector<Value> captures = getCaptures(forall, constants);
  OpBuilder builder(forall.getContext());
  std::string name = (group.getName() + "_loop").str();
  builder.clearInsertionPoint();
  OpBuilder detached(forall.getContext());
  func::FuncOp body = createBody(detached, forall, name, captures.getArrayRef(),
                                 constants.getArrayRef());
  symbols.insert(body, std::next(group->getIterator()));
  builder.setInsertionPoint(forall);
  Location loc = forall.getLoc();
  Value count = arith::ConstantIndexOp::create(builder, loc, 1);
  for (Value extent : getExtents(builder, forall, IRMapping())) {
    count = builder.createOrFold<arith::MulIOp>(loc, count, extent);
  }
  SmallVector<Value> operands = {
      arith::ConstantIndexOp::create(builder, loc, 0), count};
  llvm::append_range(operands, captures);
  auto call = func::CallOp::create(builder, loc, body, operands);
  call->setAttr("fusion.parallel", builder.getUnitAttr());
  forall.erase();
  return success();
}

LogicalResult fusion::outlineParallelLoops(func::FuncOp group) {
  SmallVector<scf::ForallOp> loops;
  group.walk<WalkOrder::PreOrder>([&](scf::ForallOp forall) {
    loops.push_back(forall);
    return WalkResult::skip();
  });
  if (loops.empty()) {
    return success();
  }
  SymbolTable symbols(group->getParentOp());
  for (scf::ForallOp forall : loops) {
    if (failed(outline(forall, group, symbols))) {
      return failure();
    }
  }
  return success();
}

namespace {
struct OutlineParallelLoops
    : fusion::impl::OutlineParallelLoopsBase<OutlineParallelLoops> {
  void runOnOperation() override {
    SmallVector<func::FuncOp> groups(getOperation().getOps<func::FuncOp>());
    for (func::FuncOp group : groups) {
      if (!group.isExternal() && failed(outlineParallelLoops(group))) {
        return signalPassFailure();
      }
    }
  }
};
} // namespace
