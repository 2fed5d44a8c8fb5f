//===- LowerDiagonals.cpp - diagonals that are summed up ------------------===//
//
// Linalg from elsewhere reads a diagonal by giving two dims one loop. What sums
// along that loop, or multiplies, wants to read along dims: an elementwise op
// takes the diagonal out.
//
//===----------------------------------------------------------------------===//

#include "fusion/Planner/AdoptLinalg.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fusion;
using linalg::GenericOp;

/// Returns the loops of `map` in the order of the dims, each once, if one of
/// them is along several dims, and along each of these by itself.
static SmallVector<unsigned> findDiagonalLoops(AffineMap map) {
  SmallVector<unsigned> loops;
  bool repeats = false;
  for (AffineExpr expr : map.getResults()) {
    auto loop = dyn_cast<AffineDimExpr>(expr);
    if (!loop && !isa<AffineConstantExpr>(expr)) {
      return {};
    }
    if (loop && llvm::is_contained(loops, loop.getPosition())) {
      repeats = true;
    } else if (loop) {
      loops.push_back(loop.getPosition());
    }
  }
  return repeats ? loops : SmallVector<unsigned>();
}

/// Lets `op` read what it reads of `operand` along `loops` from an array that
/// holds just that.
static void takeOut(GenericOp op, OpOperand &operand,
                    ArrayRef<unsigned> loops) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  SmallVector<Range, 4> ranges =
      cast<linalg::LinalgOp>(op.getOperation()).createLoopRanges(builder, loc);
  SmallVector<OpFoldResult> shape;
  SmallVector<AffineExpr> dims(op.getNumLoops(),
                               builder.getAffineConstantExpr(0));
  SmallVector<AffineExpr> own;
  for (auto [dim, loop] : llvm::enumerate(loops)) {
    shape.push_back(ranges[loop].size);
    dims[loop] = builder.getAffineDimExpr(dim);
    own.push_back(builder.getAffineDimExpr(loop));
  }
  AffineMap map = op.getMatchingIndexingMap(&operand).replaceDimsAndSymbols(
      dims, {}, loops.size(), 0);
  auto type = cast<RankedTensorType>(operand.get().getType());
  Value empty =
      tensor::EmptyOp::create(builder, loc, shape, type.getElementType());
  SmallVector<utils::IteratorType> parallel(loops.size(),
                                            utils::IteratorType::parallel);
  SmallVector<AffineMap> maps{map,
                              builder.getMultiDimIdentityMap(loops.size())};
  auto diagonal = GenericOp::create(
      builder, loc, empty.getType(), operand.get(), empty, maps, parallel,
      [](OpBuilder &body, Location loc, ValueRange elements) {
        linalg::YieldOp::create(body, loc, elements[0]);
      });
  operand.set(diagonal.getResult(0));
  SmallVector<AffineMap> all = op.getIndexingMapsArray();
  all[operand.getOperandNumber()] =
      AffineMap::get(op.getNumLoops(), 0, own, builder.getContext());
  op.setIndexingMapsAttr(builder.getAffineMapArrayAttr(all));
}

void fusion::lowerDiagonals(func::FuncOp func) {
  SmallVector<GenericOp> ops;
  func.walk([&](GenericOp op) {
    if (op.hasPureTensorSemantics() && op.getNumReductionLoops() != 0) {
      ops.push_back(op);
    }
  });
  for (GenericOp op : ops) {
    for (OpOperand *input : op.getDpsInputOperands()) {
      SmallVector<unsigned> loops =
          findDiagonalLoops(op.getMatchingIndexingMap(input));
      if (!loops.empty()) {
        takeOut(op, *input, loops);
      }
    }
  }
}
