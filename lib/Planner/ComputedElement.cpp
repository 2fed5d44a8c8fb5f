//===- ComputedElement.cpp - one element, where it is read ----------------===//

#include "ComputedElement.h"

#include "fusion/Analysis/IndexingMaps.h"
#include "fusion/Analysis/Renaming.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::fusion;
using linalg::LinalgOp;

tensor::ExtractOp fusion::getGuardedRead(scf::IfOp branch) {
  bool guards = branch && branch.getNumResults() == 1 && branch.elseBlock() &&
                branch.thenBlock()->getOperations().size() == 2 &&
                branch.elseBlock()->getOperations().size() == 1;
  auto read = guards ? dyn_cast<tensor::ExtractOp>(branch.thenBlock()->front())
                     : tensor::ExtractOp();
  return read && branch.thenYield().getOperand(0) == read.getResult()
             ? read
             : tensor::ExtractOp();
}

//===----------------------------------------------------------------------===//
// Reads
//===----------------------------------------------------------------------===//

/// Returns whether `op` is a reshape of known sizes.
static bool isStaticReshape(Operation *op) {
  return isReshape(op) &&
         cast<RankedTensorType>(op->getOperand(0).getType()).hasStaticShape() &&
         cast<RankedTensorType>(op->getResult(0).getType()).hasStaticShape();
}

LinalgOp fusion::getMaker(Value tensor) {
  while (isStaticReshape(tensor.getDefiningOp())) {
    tensor = tensor.getDefiningOp()->getOperand(0);
  }
  return tensor.getDefiningOp<LinalgOp>();
}

bool fusion::hasOneReader(Value tensor) {
  while (isStaticReshape(tensor.getDefiningOp())) {
    if (!tensor.hasOneUse()) {
      return false;
    }
    tensor = tensor.getDefiningOp()->getOperand(0);
  }
  return tensor.hasOneUse();
}

/// Returns what `index` is, plus or less a constant.
static Value stripStart(Value index) {
  if (auto sum = index.getDefiningOp<arith::AddIOp>()) {
    if (matchPattern(sum.getRhs(), m_Constant())) {
      return sum.getLhs();
    }
    return matchPattern(sum.getLhs(), m_Constant()) ? sum.getRhs() : index;
  }
  auto less = index.getDefiningOp<arith::SubIOp>();
  return less && matchPattern(less.getRhs(), m_Constant()) ? less.getLhs()
                                                           : index;
}

namespace {
/// The loops that indices are, or are made of by one division: its quotient
/// and its remainder tell the loop together.
struct LoopsRead {
  llvm::SmallBitVector whole, quotients, remainders;
  SmallVector<int64_t> divisors;

  explicit LoopsRead(unsigned loops)
      : whole(loops), quotients(loops), remainders(loops), divisors(loops, 0) {}

  /// Adds what `index` is made of; false where that is anything else.
  bool add(Value index) {
    if (matchPattern(index, m_Constant())) {
      return true;
    }
    index = stripStart(index);
    if (auto loop = index.getDefiningOp<linalg::IndexOp>()) {
      whole.set(loop.getDim());
      return true;
    }
    Operation *division = index.getDefiningOp();
    if (!isa_and_nonnull<arith::DivSIOp, arith::RemSIOp, arith::DivUIOp,
                         arith::RemUIOp>(division)) {
      return false;
    }
    APInt divisor;
    auto loop = division->getOperand(0).getDefiningOp<linalg::IndexOp>();
    if (!loop ||
        !matchPattern(division->getOperand(1), m_ConstantInt(&divisor))) {
      return false;
    }
    int64_t &known = divisors[loop.getDim()];
    bool same = known == 0 || known == divisor.getSExtValue();
    known = divisor.getSExtValue();
    bool quotient = isa<arith::DivSIOp, arith::DivUIOp>(division);
    (quotient ? quotients : remainders).set(loop.getDim());
    return same;
  }
  /// Whether a read that does not repeat elements along `loop` is known by
  /// them; a condition around it picks one remainder of each quotient.
  bool tells(unsigned loop, bool isGuarded) const {
    return whole.test(loop) ||
           (quotients.test(loop) && (isGuarded || remainders.test(loop)));
  }
};
} // namespace

/// Adds to `fixed` the loops of which `condition` holds for one position.
static void addFixedLoops(Value condition, llvm::SmallBitVector &fixed) {
  SmallVector<Value> pending = {condition};
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    if (auto both = value.getDefiningOp<arith::AndIOp>()) {
      pending.append({both.getLhs(), both.getRhs()});
      continue;
    }
    auto compare = value.getDefiningOp<arith::CmpIOp>();
    APInt bound;
    if (!compare || !matchPattern(compare.getRhs(), m_ConstantInt(&bound))) {
      continue;
    }
    bool one =
        compare.getPredicate() == arith::CmpIPredicate::eq ||
        (compare.getPredicate() == arith::CmpIPredicate::ult && bound.isOne());
    auto loop = stripStart(compare.getLhs()).getDefiningOp<linalg::IndexOp>();
    if (one && loop) {
      fixed.set(loop.getDim());
    }
  }
}

bool fusion::readsOnce(tensor::ExtractOp read, LinalgOp op) {
  LoopsRead loops(op.getNumLoops());
  for (Value index : read.getIndices()) {
    if (!loops.add(index)) {
      return false;
    }
  }
  llvm::SmallBitVector fixed(op.getNumLoops());
  auto branch = dyn_cast<scf::IfOp>(read->getParentOp());
  if (branch) {
    addFixedLoops(branch.getCondition(), fixed);
  }
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  return llvm::all_of(llvm::enumerate(sizes), [&](auto at) {
    return at.value() == 1 || fixed.test(at.index()) ||
           loops.tells(at.index(), bool(branch));
  });
}

//===----------------------------------------------------------------------===//
// Positions behind reshapes
//===----------------------------------------------------------------------===//

namespace {
/// Index arithmetic in a body.
struct Positions {
  OpBuilder &builder;
  Location loc;

  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  /// Returns the position of what `indices` is in dims of `sizes`, joined.
  Value join(ValueRange indices, ArrayRef<int64_t> sizes) {
    Value position;
    for (auto [index, size] : llvm::zip_equal(indices, sizes)) {
      if (size == 1) {
        continue;
      }
      position = position ? arith::AddIOp::create(
                                builder, loc,
                                arith::MulIOp::create(builder, loc, position,
                                                      constant(size)),
                                index)
                                .getResult()
                          : index;
    }
    return position ? position : constant(0);
  }
  /// Appends to `indices` those that `position` is in dims of `sizes`.
  void split(Value position, ArrayRef<int64_t> sizes,
             SmallVectorImpl<Value> &indices) {
    int64_t inner = llvm::product_of(sizes);
    bool isFirst = true;
    for (int64_t size : sizes) {
      inner = size == 0 ? 0 : inner / size;
      if (size <= 1) {
        indices.push_back(constant(0));
        continue;
      }
      // Positions are inside, where they are read.
      Value index = inner == 1 ? position
                               : arith::DivUIOp::create(builder, loc, position,
                                                        constant(inner))
                                     .getResult();
      indices.push_back(
          isFirst ? index
                  : arith::RemUIOp::create(builder, loc, index, constant(size))
                        .getResult());
      isFirst = false;
    }
  }
};
} // namespace

/// Returns the sizes of `dims` of `tensor`.
static SmallVector<int64_t> getSizes(Value tensor, ArrayRef<int64_t> dims) {
  return llvm::map_to_vector(dims, [&](int64_t dim) {
    return cast<RankedTensorType>(tensor.getType()).getDimSize(dim);
  });
}

/// Moves `indices` of what `reshape` makes to those of what it reads.
static SmallVector<Value> moveBefore(OpBuilder &builder, Location loc,
                                     Operation *reshape,
                                     ArrayRef<Value> indices) {
  Positions positions{builder, loc};
  SmallVector<Value> before;
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(reshape)) {
    for (ArrayRef<int64_t> group : expand.getReassociationIndices()) {
      SmallVector<Value> own =
          llvm::map_to_vector(group, [&](int64_t dim) { return indices[dim]; });
      before.push_back(
          positions.join(own, getSizes(expand.getResult(), group)));
    }
    return before;
  }
  auto collapse = cast<tensor::CollapseShapeOp>(reshape);
  SmallVector<ReassociationIndices> groups = collapse.getReassociationIndices();
  for (auto [dim, group] : llvm::enumerate(groups)) {
    positions.split(indices[dim], getSizes(collapse.getSrc(), group), before);
  }
  if (groups.empty()) {
    before.assign(collapse.getSrcType().getRank(), positions.constant(0));
  }
  return before;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

namespace {
/// Computes one element of an op's result in the body of another.
class ElementCloner {
public:
  ElementCloner(OpBuilder &builder, LinalgOp op, ValueRange position,
                Value guard)
      : builder(builder), loc(op.getLoc()), op(op), guard(guard),
        loops(op.getNumLoops()) {
    AffineMap map = op.getIndexingMapMatchingResult(op->getResult(0));
    for (auto [dim, index] : llvm::enumerate(position)) {
      loops[*getLoopAt(map, dim)] = index;
    }
  }
  Value clone();

private:
  Value read(Value tensor, ValueRange indices);
  Value readWhere(Value condition, Value tensor, ValueRange indices,
                  Value otherwise);
  Value readInput(OpOperand *input);
  SmallVector<Value> getIndices(tensor::ExtractOp extract);

  OpBuilder &builder;
  Location loc;
  LinalgOp op;
  Value guard;
  SmallVector<Value> loops;
  IRMapping mapping;
};
} // namespace

Value ElementCloner::readWhere(Value condition, Value tensor,
                               ValueRange indices, Value otherwise) {
  auto branch = scf::IfOp::create(
      builder, loc, condition,
      [&](OpBuilder &inner, Location loc) {
        Value element = tensor::ExtractOp::create(inner, loc, tensor, indices);
        scf::YieldOp::create(inner, loc, element);
      },
      [&](OpBuilder &inner, Location loc) {
        scf::YieldOp::create(inner, loc, otherwise);
      });
  return branch.getResult(0);
}

Value ElementCloner::read(Value tensor, ValueRange indices) {
  if (!guard) {
    return tensor::ExtractOp::create(builder, loc, tensor, indices);
  }
  Type type = getElementTypeOrSelf(tensor.getType());
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  return readWhere(guard, tensor, indices, zero);
}

Value ElementCloner::readInput(OpOperand *input) {
  if (!isa<RankedTensorType>(input->get().getType())) {
    return input->get();
  }
  SmallVector<Value> indices;
  for (AffineExpr expr : op.getMatchingIndexingMap(input).getResults()) {
    indices.push_back(affine::expandAffineExpr(builder, loc, expr, loops, {}));
  }
  return read(input->get(), indices);
}

SmallVector<Value> ElementCloner::getIndices(tensor::ExtractOp extract) {
  return llvm::map_to_vector(extract.getIndices(), [&](Value value) {
    return mapping.lookupOrDefault(value);
  });
}

Value ElementCloner::clone() {
  for (OpOperand *input : op.getDpsInputOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(input);
    if (!argument.use_empty()) {
      mapping.map(argument, readInput(input));
    }
  }
  for (Operation &inner : op.getBlock()->without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
      mapping.map(index.getResult(), loops[index.getDim()]);
    } else if (auto extract = dyn_cast<tensor::ExtractOp>(inner)) {
      mapping.map(extract.getResult(),
                  read(extract.getTensor(), getIndices(extract)));
    } else if (auto branch = dyn_cast<scf::IfOp>(inner)) {
      tensor::ExtractOp extract = getGuardedRead(branch);
      Value condition = mapping.lookupOrDefault(branch.getCondition());
      if (guard) {
        condition = arith::AndIOp::create(builder, loc, guard, condition);
      }
      Value otherwise =
          mapping.lookupOrDefault(branch.elseYield().getOperand(0));
      mapping.map(branch.getResult(0),
                  readWhere(condition, extract.getTensor(), getIndices(extract),
                            otherwise));
    } else {
      builder.clone(inner, mapping);
    }
  }
  return mapping.lookupOrDefault(op.getBlock()->getTerminator()->getOperand(0));
}

Value fusion::computeElement(OpBuilder &builder, Value tensor,
                             ValueRange indices, Value guard) {
  SmallVector<Value> position(indices);
  while (!tensor.getDefiningOp<LinalgOp>()) {
    Operation *reshape = tensor.getDefiningOp();
    position = moveBefore(builder, reshape->getLoc(), reshape, position);
    tensor = reshape->getOperand(0);
  }
  return ElementCloner(builder, tensor.getDefiningOp<LinalgOp>(), position,
                       guard)
      .clone();
}

linalg::GenericOp fusion::readInBody(linalg::GenericOp op, unsigned number) {
  OpBuilder builder = OpBuilder::atBlockBegin(op.getBody());
  Location loc = op.getLoc();
  OpOperand &input = op->getOpOperand(number);
  SmallVector<Value> loops, indices;
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
    loops.push_back(linalg::IndexOp::create(builder, loc, loop));
  }
  for (AffineExpr expr : op.getMatchingIndexingMap(&input).getResults()) {
    indices.push_back(affine::expandAffineExpr(builder, loc, expr, loops, {}));
  }
  Value element = tensor::ExtractOp::create(builder, loc, input.get(), indices);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps.erase(maps.begin() + number);
  op.getBody()->getArgument(number).replaceAllUsesWith(element);
  op.getBody()->eraseArgument(number);
  SmallVector<Value> inputs(op.getInputs());
  inputs.erase(inputs.begin() + number);
  op.getInputsMutable().assign(inputs);
  op.setIndexingMapsAttr(builder.getAffineMapArrayAttr(maps));
  return op;
}
