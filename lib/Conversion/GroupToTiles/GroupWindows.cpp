//===- GroupWindows.cpp - operands that ops of a group read in windows ----===//
//
// An op that reduces may read an array at sums of loops, or from a tensor that
// only pads an array. The op is made to read the array itself; where it reads
// it is kept beside, since no map can say what lies outside.
//
//===----------------------------------------------------------------------===//

#include "GroupAnalysis.h"
#include "KernelBuilder.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

using namespace mlir;
using namespace mlir::fusion;

void mlir::fusion::moveOut(linalg::LinalgOp op, Value value) {
  Operation *def = value ? value.getDefiningOp() : nullptr;
  if (def && op->isProperAncestor(def)) {
    def->moveBefore(op);
  }
}

/// Whether the operands of `op` still say how long each loop is when `map`
/// takes the place of that of one operand.
static bool determineLoops(linalg::GenericOp op, OpOperand &operand,
                           AffineMap map) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps[operand.getOperandNumber()] = map;
  return bool(inversePermutation(concatAffineMaps(maps, op.getContext())));
}

void GroupAnalysis::findWindow(linalg::GenericOp op, OpOperand &operand) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  Value source = lookThroughCasts(operand.get());
  auto producer = source.getDefiningOp<linalg::LinalgOp>();
  std::optional<PaddedRead> padded =
      producer ? matchPaddedRead(producer) : std::nullopt;
  if (!padded && isPlainRead(map)) {
    return;
  }
  std::optional<SmallVector<WindowPosition>> positions = matchWindow(map);
  source = lookThroughCasts(padded ? padded->source : source);
  if (!positions || !getReadTensor(source).memory) {
    return;
  }
  WindowRead read;
  read.extents.resize(positions->size());
  if (padded) {
    for (auto [position, low] : llvm::zip_equal(*positions, padded->low)) {
      position.start -= low;
    }
    read.extents = padded->extents;
    read.outside = padded->outside;
  }
  SmallVector<AffineExpr> exprs;
  for (auto [position, extent] : llvm::zip_equal(*positions, read.extents)) {
    bool plain = !extent && position.terms.size() == 1 &&
                 position.terms[0].step == 1 && position.start == 0;
    exprs.push_back(
        plain ? getAffineDimExpr(position.terms[0].loop, op.getContext())
              : getAffineConstantExpr(0, op.getContext()));
  }
  AffineMap plainMap =
      AffineMap::get(map.getNumDims(), 0, exprs, op.getContext());
  if (!determineLoops(op, operand, plainMap)) {
    return;
  }
  if (padded) {
    llvm::for_each(read.extents, [&](Value v) { moveOut(producer, v); });
    moveOut(producer, read.outside);
  }
  read.positions = std::move(*positions);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps[operand.getOperandNumber()] = plainMap;
  op.setIndexingMapsAttr(Builder(op.getContext()).getAffineMapArrayAttr(maps));
  operand.set(source);
  windows[{op, operand.getOperandNumber()}] = std::move(read);
}

void GroupAnalysis::findWindows() {
  SmallVector<linalg::GenericOp> ops;
  group.func.walk([&](linalg::GenericOp op) { ops.push_back(op); });
  for (linalg::GenericOp op : ops) {
    if (op.getNumReductionLoops() == 0) {
      continue;
    }
    for (OpOperand *input : op.getDpsInputOperands()) {
      computeWhereRead(op, *input);
      findWindow(op, *input);
    }
  }
  // What only padded, or was computed elsewhere, has no reader any more; users
  // come after producers.
  for (linalg::GenericOp op : llvm::reverse(ops)) {
    if (op->use_empty() && op.isAllParallelLoops()) {
      op.erase();
    }
  }
}

/// Makes `operand`, of an op with the dims `loops`, a window of `read`.
static void addPositions(const GroupAnalysis::WindowRead &read,
                         ArrayRef<int64_t> loops, GroupOperand &operand) {
  operand.outside = read.outside;
  for (auto [position, extent] :
       llvm::zip_equal(read.positions, read.extents)) {
    GroupPosition where;
    where.start = position.start;
    where.extent = extent;
    for (const WindowTerm &term : position.terms) {
      if (loops[term.loop] != kUnitDim) {
        where.terms.push_back({loops[term.loop], 0, term.step});
      }
    }
    operand.window.push_back(std::move(where));
    operand.dims.push_back(kWindowDim);
  }
}

GroupOperand GroupAnalysis::makeWindow(OpOperand &operand,
                                       ArrayRef<int64_t> loops) {
  const WindowRead &read =
      windows.at({operand.getOwner(), operand.getOperandNumber()});
  GroupOperand result;
  result.value = lookThroughCasts(operand.get());
  result.memory =
      result.value.getDefiningOp<bufferization::ToTensorOp>().getBuffer();
  auto op = cast<linalg::LinalgOp>(operand.getOwner());
  result.readsParts = op.isAllParallelLoops();
  addPositions(read, loops, result);
  return result;
}

GroupOperand GroupAnalysis::makeBounds(Operation *op, ArrayRef<int64_t> loops) {
  GroupOperand result;
  auto found = bounds.find(op);
  if (found != bounds.end()) {
    result.value = op->getResult(0);
    result.readsParts = true;
    addPositions(found->second, loops, result);
  }
  return result;
}
