//===- UnrollLoops.cpp - loops of known counts as straight code -----------===//

#include "fusion/Dialect/Fusion/Transforms/Decompose.h"

#include "fusion/Dialect/Fusion/IR/Fusion.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::fusion;

/// A loop that would become more operations than this is refused.
static constexpr int64_t kMostUnrolled = 1 << 20;

/// Replaces `loop` by as many copies of its body as it has iterations.
static LogicalResult unroll(LoopOp loop) {
  Block &body = loop.getBody().front();
  int64_t size = 0;
  loop.walk([&](Operation *) { ++size; });
  int64_t count = loop.getCount();
  if (count > kMostUnrolled / size) {
    return loop.emitOpError("expected a loop of at most ")
           << kMostUnrolled << " operations in all, but got " << count
           << " times " << size;
  }
  OpBuilder b(loop);
  SmallVector<Value> carried(loop.getInits());
  auto numberType = RankedTensorType::get({}, b.getI64Type());
  for (int64_t i = 0; i < count; ++i) {
    IRMapping mapping;
    Value number = ConstantOp::create(b, loop.getLoc(), numberType,
                                      DenseElementsAttr::get(numberType, i));
    mapping.map(body.getArgument(0), number);
    mapping.map(body.getArguments().drop_front(), carried);
    for (Operation &op : body.without_terminator()) {
      b.clone(op, mapping);
    }
    for (auto [value, yielded] :
         llvm::zip(carried, loop.getYield().getValues())) {
      value = mapping.lookupOrDefault(yielded);
    }
  }
  loop.replaceAllUsesWith(carried);
  loop.erase();
  return success();
}

LogicalResult fusion::unrollLoops(Operation *root) {
  SmallVector<LoopOp> loops; // Inner ones first.
  root->walk([&](LoopOp loop) { loops.push_back(loop); });
  for (LoopOp loop : loops) {
    if (failed(unroll(loop))) {
      return failure();
    }
  }
  return success();
}
