//===- CutLoops.cpp - loops in parts, and the tensors that they index -----===//

#include "CutLoops.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fusion;
using linalg::GenericOp;

SmallVector<ReassociationIndices> fusion::getGroups(ArrayRef<Parts> parts) {
  SmallVector<ReassociationIndices> groups;
  int64_t next = 0;
  for (const Parts &of : parts) {
    ReassociationIndices &group = groups.emplace_back();
    for (size_t i = 0; i < std::max<size_t>(of.size(), 1); ++i) {
      group.push_back(next++);
    }
  }
  return groups;
}

Value fusion::cutTensor(Value value, ArrayRef<Parts> parts,
                        OpBuilder &builder) {
  Location loc = value.getLoc();
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape;
  SmallVector<OpFoldResult> sizes;
  for (auto [dim, of] : llvm::enumerate(parts)) {
    OpFoldResult size = tensor::getMixedSize(builder, loc, value, dim);
    if (of.empty()) {
      shape.push_back(type.getDimSize(dim));
      sizes.push_back(size);
      continue;
    }
    int64_t known = 1;
    for (int64_t part : of) {
      known *= ShapedType::isDynamic(part) ? 1 : part;
    }
    for (int64_t part : of) {
      shape.push_back(part);
      if (!ShapedType::isDynamic(part)) {
        sizes.push_back(builder.getIndexAttr(part));
        continue;
      }
      Value all = getValueOrCreateConstantIndexOp(builder, loc, size);
      Value by = arith::ConstantIndexOp::create(builder, loc, known);
      sizes.push_back(
          arith::DivUIOp::create(builder, loc, all, by).getResult());
    }
  }
  return tensor::ExpandShapeOp::create(builder, loc, type.clone(shape), value,
                                       getGroups(parts), sizes);
}

/// Returns where the parts of each loop of `loops` begin among all parts.
static SmallVector<unsigned> getFirstParts(ArrayRef<Parts> loops) {
  SmallVector<unsigned> first;
  unsigned next = 0;
  for (const Parts &parts : loops) {
    first.push_back(next);
    next += std::max<size_t>(parts.size(), 1);
  }
  first.push_back(next);
  return first;
}

AffineMap fusion::cutMap(AffineMap map, ArrayRef<unsigned> first) {
  SmallVector<AffineExpr> exprs;
  for (unsigned dim = 0; dim < map.getNumResults(); ++dim) {
    unsigned loop = map.getDimPosition(dim);
    for (unsigned part = first[loop]; part < first[loop + 1]; ++part) {
      exprs.push_back(getAffineDimExpr(part, map.getContext()));
    }
  }
  return AffineMap::get(first.back(), 0, exprs, map.getContext());
}

/// Makes the positions that the body of `op` asks for of those of the parts.
static void cutIndices(GenericOp op, ArrayRef<Parts> loops,
                       ArrayRef<unsigned> first) {
  SmallVector<linalg::IndexOp> indices;
  op.getBody()->walk([&](linalg::IndexOp index) { indices.push_back(index); });
  for (linalg::IndexOp index : indices) {
    OpBuilder builder(index);
    Location loc = index.getLoc();
    unsigned loop = index.getDim();
    Value position = linalg::IndexOp::create(builder, loc, first[loop]);
    for (auto [at, part] : llvm::enumerate(loops[loop])) {
      if (at == 0) {
        continue;
      }
      Value size = arith::ConstantIndexOp::create(builder, loc, part);
      Value inner = linalg::IndexOp::create(builder, loc, first[loop] + at);
      position = arith::AddIOp::create(
          builder, loc, arith::MulIOp::create(builder, loc, position, size),
          inner);
    }
    index.replaceAllUsesWith(position);
    index.erase();
  }
}

linalg::GenericOp fusion::rebuildCut(
    linalg::LinalgOp op, ArrayRef<Parts> loops, OpBuilder &builder,
    llvm::function_ref<AffineMap(AffineMap, ArrayRef<unsigned>)> cut,
    llvm::function_ref<Value(OpOperand &)> getOperand) {
  SmallVector<unsigned> first = getFirstParts(loops);
  SmallVector<utils::IteratorType> iterators;
  for (auto [loop, kind] : llvm::enumerate(op.getIteratorTypesArray())) {
    iterators.append(first[loop + 1] - first[loop], kind);
  }
  SmallVector<AffineMap> maps;
  for (AffineMap map : op.getIndexingMapsArray()) {
    maps.push_back(cut(map, first));
  }
  SmallVector<Value> inputs, inits;
  for (OpOperand *input : op.getDpsInputOperands()) {
    inputs.push_back(getOperand(*input));
  }
  for (OpOperand &init : op.getDpsInitsMutable()) {
    inits.push_back(getOperand(init));
  }
  auto rebuilt = linalg::GenericOp::create(
      builder, op.getLoc(), TypeRange(inits), inputs, inits, maps, iterators);
  rebuilt->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  rebuilt.getRegion().takeBody(op->getRegion(0));
  cutIndices(rebuilt, loops, first);
  return rebuilt;
}
