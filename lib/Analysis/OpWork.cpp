//===- OpWork.cpp - arithmetic and bytes of a linalg op -------------------===//

#include "fusion/Analysis/OpWork.h"

#include "fusion/Analysis/IterationSpace.h"

using namespace mlir;
using namespace mlir::fusion;

/// Arithmetic of one op of a body, per iteration. Moves and casts are free:
/// they hide behind the memory access that they go with.
static double getBodyFlops(Operation &op) {
  if (op.hasTrait<OpTrait::IsTerminator>() || isa<CastOpInterface>(op) ||
      op.hasTrait<OpTrait::ConstantLike>() || isa<linalg::IndexOp>(op)) {
    return 0;
  }
  bool cheapMath = isa<math::AbsFOp, math::AbsIOp, math::CopySignOp,
                       math::FloorOp, math::CeilOp, math::FmaOp>(op);
  bool math = op.getDialect() && isa<math::MathDialect>(op.getDialect());
  bool slow = (math && !cheapMath) ||
              isa<arith::DivFOp, arith::RemFOp, arith::DivSIOp, arith::DivUIOp,
                  arith::RemSIOp, arith::RemUIOp>(op);
  return slow ? kTranscendentalFlops : 1;
}

OpWork fusion::getOpWork(linalg::LinalgOp op, int64_t dynamicSize) {
  OpWork work;
  for (int64_t size : getLoopSizes(op)) {
    work.iterations *= ShapedType::isDynamic(size) ? dynamicSize : size;
  }
  if (getIterationSpace(op).role == OpRole::Contraction) {
    work.contractionFlops = 2 * work.iterations;
    return work;
  }
  double perIteration = 0;
  for (Operation &inner : *op.getBlock()) {
    perIteration += getBodyFlops(inner);
  }
  work.flops = perIteration * work.iterations;
  return work;
}

double fusion::getTensorBytes(Type type, int64_t dynamicSize) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !shaped.hasRank()) {
    return 0;
  }
  Type element = shaped.getElementType();
  double bytes = 0;
  if (element.isIntOrFloat()) {
    bytes = llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
  } else if (element.isIndex()) {
    bytes = 8;
  }
  for (int64_t size : shaped.getShape()) {
    bytes *= ShapedType::isDynamic(size) ? dynamicSize : size;
  }
  return bytes;
}
