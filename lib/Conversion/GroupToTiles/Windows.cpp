//===- Windows.cpp - reductions that each thread does for itself ----------===//
//
// A small window for each of many elements (pooling, depthwise convolution): a
// tile of results, a loop over the window's elements, in each a tile of what
// they read. Neighbouring threads read neighbours, and read them again from the
// L1 cache. It is also what becomes of window reductions that nothing better
// fits.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"
#include "TileEmitter.h"

using namespace mlir;
using namespace mlir::fusion;

bool mlir::fusion::readsWindows(const Group &group) {
  return llvm::any_of(group.ops, [](const GroupMember &op) {
    return llvm::any_of(op.inputs, [](const GroupOperand &operand) {
      return operand.isWindow();
    });
  });
}

bool mlir::fusion::storesUnreduced(const Group &group) {
  return llvm::none_of(group.ops, [&](const GroupMember &op) {
    return op.isStore() && llvm::any_of(op.destination.dims, [&](int64_t dim) {
             return dim >= 0 && group.dims[dim].reduced;
           });
  });
}

bool mlir::fusion::hasFewFilters(const Group &group,
                                 const MatrixProducts &contraction) {
  constexpr int64_t kFew = 4;
  return contraction.held == kUnitDim && storesUnreduced(group) &&
         llvm::any_of(contraction.products, [&](const auto &product) {
           const GroupMember &op = group.ops[product.number];
           bool a = op.inputs[product.a].isWindow();
           bool b = op.inputs[product.b].isWindow();
           int64_t filters = a ? contraction.n : contraction.m;
           int64_t size = group.dims[filters].size;
           return a != b && !ShapedType::isDynamic(size) && size <= kFew;
         });
}

LogicalResult mlir::fusion::emitReductionLoops(KernelBuilder &builder,
                                               TileEmitter &emitter,
                                               int64_t number) {
  Group &group = builder.getGroup();
  OpBuilder &b = builder.getBuilder();
  Location loc = builder.getLoc();
  SmallVector<int64_t> reduced = group.getReducedDims(group.ops[number]);
  FailureOr<SmallVector<Reduction>> reductions =
      matchReductions(group.ops[number].op);
  if (failed(reductions)) {
    return failure();
  }
  SmallVector<Value> values;
  for (const Reduction &reduction : *reductions) {
    values.push_back(
        emitter.splat(reduction.neutral, emitter.getOpDims(number)));
  }
  SmallVector<scf::ForOp> nest;
  for (int64_t dim : reduced) {
    auto loop =
        scf::ForOp::create(b, loc, builder.index(0), builder.getSize(dim),
                           builder.index(1), values);
    emitter.dims[dim].offset = loop.getInductionVar();
    values = llvm::to_vector_of<Value>(loop.getRegionIterArgs());
    b.setInsertionPointToStart(loop.getBody());
    nest.push_back(loop);
  }
  FailureOr<SmallVector<Value>> tiles = emitter.emitReduced(number);
  if (failed(tiles)) {
    return failure();
  }
  for (auto [reduction, value, tile] :
       llvm::zip_equal(*reductions, values, *tiles)) {
    value = emitter.combine(reduction, value, tile);
  }
  for (scf::ForOp loop : llvm::reverse(nest)) {
    scf::YieldOp::create(b, loc, values);
    values = llvm::to_vector_of<Value>(loop.getResults());
    b.setInsertionPointAfter(loop);
  }
  emitter.forget(reduced);
  return emitter.finishReduction(number, values);
}
