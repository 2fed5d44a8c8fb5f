//===- LowerSizeBranches.cpp - branches that ask for sizes ----------------===//
//
// A compiler that does not know whether a dim has one position writes a branch:
// where it has, the tensor is repeated along that dim, and else it is taken as
// it is. Both are reads of one tensor, at zero or where one is; the host, which
// knows the sizes, says at which.
//
//===----------------------------------------------------------------------===//

#include "ElementBody.h"
#include "SizeOrigin.h"
#include "TensorBranches.h"

#include "fusion/Planner/AdoptLinalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fusion;

/// What is computed of sizes is at most so many ops.
static constexpr size_t kMaxOps = 64;

bool fusion::isOfSizes(Value value) {
  llvm::SetVector<Value> values;
  values.insert(value);
  for (size_t i = 0; i < values.size(); ++i) {
    Operation *def = values[i].getDefiningOp();
    if (!def || values.size() > kMaxOps) {
      return false;
    }
    if (isa<tensor::DimOp>(def)) {
      continue;
    }
    bool isScalarCode =
        isPure(def) && def->getNumRegions() == 0 &&
        llvm::none_of(def->getOperandTypes(), llvm::IsaPred<ShapedType>);
    if (!isScalarCode) {
      return false;
    }
    values.insert(def->operand_begin(), def->operand_end());
  }
  return true;
}

/// Moves what the arms of `branch` compute of scalars from outside before it.
static void hoistScalars(scf::IfOp branch) {
  for (Region &region : branch->getRegions()) {
    for (Operation &op :
         llvm::make_early_inc_range(region.front().without_terminator())) {
      bool isOutside = llvm::all_of(op.getOperands(), [&](Value operand) {
        return !region.isAncestor(operand.getParentRegion());
      });
      bool isScalarCode =
          isPure(&op) && op.getNumRegions() == 0 &&
          llvm::none_of(op.getResultTypes(), llvm::IsaPred<ShapedType>);
      if (isOutside && isScalarCode) {
        op.moveBefore(branch);
      }
    }
  }
}

namespace {
/// What an arm gives: the elements of `source`, which have their own positions,
/// but zero along `repeated` dims.
struct ArmRead {
  Value source;
  llvm::SmallBitVector repeated;
  SmallVector<OpFoldResult> shape;
};
} // namespace

/// Returns what `copy`, in an arm, reads, if it gives just the elements of one
/// tensor, at positions of their own or at zero.
static std::optional<ArmRead> readOfCopy(linalg::GenericOp copy) {
  if (copy.getNumDpsInputs() != 1 || copy.getNumDpsInits() != 1 ||
      copy.getNumParallelLoops() != copy.getNumLoops()) {
    return std::nullopt;
  }
  Block &body = *copy.getBlock();
  AffineMap map = copy.getIndexingMapsArray()[0];
  auto empty = copy.getDpsInits()[0].getDefiningOp<tensor::EmptyOp>();
  bool isCopy = empty && llvm::hasSingleElement(body) &&
                body.getTerminator()->getOperand(0) == body.getArgument(0) &&
                copy.getIndexingMapsArray()[1].isIdentity() &&
                map.getNumResults() == map.getNumDims();
  if (!isCopy) {
    return std::nullopt;
  }
  ArmRead read{copy.getInputs()[0], llvm::SmallBitVector(map.getNumDims()),
               empty.getMixedSizes()};
  for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
    auto constant = dyn_cast<AffineConstantExpr>(expr);
    if (constant && constant.getValue() == 0) {
      read.repeated.set(dim);
    } else if (expr != getAffineDimExpr(dim, copy.getContext())) {
      return std::nullopt;
    }
  }
  return read;
}

/// Returns what `value`, which an arm of `branch` yields, reads of what is
/// outside.
static std::optional<ArmRead> getRead(scf::IfOp branch, Value value) {
  auto isInside = [&](Value value) {
    return branch->isAncestor(value.getParentBlock()->getParentOp());
  };
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type) {
    return std::nullopt;
  }
  if (!isInside(value)) {
    OpBuilder builder(branch);
    return ArmRead{value, llvm::SmallBitVector(type.getRank()),
                   tensor::getMixedSizes(builder, branch.getLoc(), value)};
  }
  auto copy = value.getDefiningOp<linalg::GenericOp>();
  std::optional<ArmRead> read = copy ? readOfCopy(copy) : std::nullopt;
  bool isOutside = read && !isInside(read->source) &&
                   llvm::none_of(read->shape, [&](OpFoldResult size) {
                     auto value = dyn_cast<Value>(size);
                     return value && isInside(value);
                   });
  return isOutside ? read : std::nullopt;
}

/// Returns the origins of the sizes of which `size` is the largest.
static SmallVector<SizeOrigin> getLargest(OpFoldResult size) {
  SmallVector<SizeOrigin> pending{getSizeOrigin(size)};
  SmallVector<SizeOrigin> origins;
  for (size_t i = 0; i < pending.size() && i < kMaxOps; ++i) {
    SizeOrigin origin = pending[i];
    Operation *def =
        origin.value && origin.dim < 0 ? origin.value.getDefiningOp() : nullptr;
    if (isa_and_nonnull<arith::MaxUIOp, arith::MaxSIOp>(def)) {
      for (Value operand : def->getOperands()) {
        pending.push_back(getSizeOrigin(OpFoldResult(operand)));
      }
    } else if (!llvm::is_contained(origins, origin)) {
      origins.push_back(origin);
    }
  }
  return origins;
}

/// Returns whether two sizes are equal, as the largest of the same ones.
static bool areEqual(OpFoldResult first, OpFoldResult second) {
  SmallVector<SizeOrigin> ours = getLargest(first);
  SmallVector<SizeOrigin> theirs = getLargest(second);
  return ours.size() == theirs.size() &&
         llvm::all_of(ours, [&](const SizeOrigin &origin) {
           return llvm::is_contained(theirs, origin);
         });
}

/// Returns whether `condition` holds only where `size` is one.
static bool saysOne(Value condition, OpFoldResult size) {
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  return compare && compare.getPredicate() == arith::CmpIPredicate::eq &&
         isOneInteger(getAsOpFoldResult(compare.getRhs())) &&
         getSizeOrigin(OpFoldResult(compare.getLhs())) == getSizeOrigin(size);
}

/// Returns whether a branch on `condition`, which gives `taken` or the source
/// itself, always gives the source: what is repeated has one position then, and
/// as many as before.
static bool isSource(ImplicitLocOpBuilder &b, Value condition,
                     const ArmRead &taken, const ArmRead &other) {
  return other.repeated.none() &&
         llvm::all_of(taken.repeated.set_bits(), [&](unsigned dim) {
           OpFoldResult size =
               tensor::getMixedSize(b, b.getLoc(), taken.source, dim);
           return saysOne(condition, size) && areEqual(taken.shape[dim], size);
         });
}

/// Returns `taken` where `condition` holds, else `other`, of `type`.
static Value makeRead(ImplicitLocOpBuilder &b, RankedTensorType type,
                      Value condition, const ArmRead &taken,
                      const ArmRead &other) {
  SmallVector<OpFoldResult> shape;
  for (auto [dim, first, second] : llvm::enumerate(taken.shape, other.shape)) {
    if (!type.isDynamicDim(dim) || isa<Attribute>(first) || first == second) {
      shape.push_back(type.isDynamicDim(dim)
                          ? first
                          : OpFoldResult(b.getIndexAttr(type.getDimSize(dim))));
      continue;
    }
    auto toValue = [&](OpFoldResult size) {
      return getValueOrCreateConstantIndexOp(b, b.getLoc(), size);
    };
    shape.push_back(b.createOrFold<arith::SelectOp>(condition, toValue(first),
                                                    toValue(second)));
  }
  Value result =
      makeElements(b, type.getElementType(), shape, [&](ElementBody &body) {
        SmallVector<Value> indices = body.positions(type.getRank());
        Value zero = body.value(body.b.getIndexAttr(0));
        for (auto [dim, index] : llvm::enumerate(indices)) {
          Value first = taken.repeated[dim] ? zero : index;
          Value second = other.repeated[dim] ? zero : index;
          index = first == second ? first
                                  : arith::SelectOp::create(body.b, condition,
                                                            first, second);
        }
        return body.read(taken.source, indices);
      });
  return result.getType() == type ? result
                                  : tensor::CastOp::create(b, type, result);
}

/// Lowers `branch` if its condition is known to the host and each of its
/// results is read from one tensor in both arms.
static void lower(scf::IfOp branch) {
  if (branch.getNumResults() == 0 || !isOfSizes(branch.getCondition()) ||
      !isMemoryEffectFree(branch)) {
    return;
  }
  hoistScalars(branch);
  SmallVector<std::pair<ArmRead, ArmRead>> reads;
  for (auto [first, second] :
       llvm::zip_equal(branch.thenYield().getOperands(),
                       branch.elseYield().getOperands())) {
    std::optional<ArmRead> taken = getRead(branch, first);
    std::optional<ArmRead> other = getRead(branch, second);
    if (!taken || !other || taken->source != other->source) {
      return;
    }
    reads.push_back({*taken, *other});
  }
  ImplicitLocOpBuilder b(branch.getLoc(), branch);
  Value condition = branch.getCondition();
  for (auto [result, read] : llvm::zip_equal(branch.getResults(), reads)) {
    auto &[taken, other] = read;
    auto type = cast<RankedTensorType>(result.getType());
    bool isKept =
        taken.source.getType() == type && isSource(b, condition, taken, other);
    result.replaceAllUsesWith(
        isKept ? taken.source : makeRead(b, type, condition, taken, other));
  }
  branch.erase();
}

void fusion::lowerSizeBranches(func::FuncOp func) {
  llvm::for_each(collectTensorBranches(func), lower);
}
