//===- SizeOrigin.cpp - where a size comes from ---------------------------===//

#include "SizeOrigin.h"

#include "fusion/Planner/Choice.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include <variant>

using namespace mlir;
using namespace mlir::fusion;
using linalg::LinalgOp;

/// The name that the function gives the dim of an argument, or null.
static Attribute getDimName(BlockArgument argument, int64_t dim) {
  auto func = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
  auto names = func ? func.getArgAttrOfType<ArrayAttr>(argument.getArgNumber(),
                                                       "fusion.dims")
                    : ArrayAttr();
  auto name = names && dim < int64_t(names.size())
                  ? dyn_cast<StringAttr>(names[dim])
                  : StringAttr();
  return name && !name.getValue().empty() ? Attribute(name) : Attribute();
}

namespace {
/// One dim of a tensor.
struct TensorDim {
  Value tensor;
  int64_t dim;
};

/// A size that is followed backwards.
using Size = std::variant<TensorDim, OpFoldResult>;
} // namespace

/// Follows `at` through the op that makes the tensor: to a dim of another one
/// or to a size; nothing where that op says neither.
static std::optional<Size> stepBack(TensorDim at) {
  Operation *def = at.tensor.getDefiningOp();
  if (auto op = dyn_cast_or_null<LinalgOp>(def)) {
    unsigned result = cast<OpResult>(at.tensor).getResultNumber();
    return TensorDim{op.getDpsInits()[result], at.dim};
  }
  if (auto cast = dyn_cast_or_null<tensor::CastOp>(def)) {
    return TensorDim{cast.getSource(), at.dim};
  }
  if (arith::SelectOp choice = getChoice(at.tensor)) {
    return TensorDim{choice.getTrueValue(), at.dim};
  }
  if (def && OpTrait::hasElementwiseMappableTraits(def)) {
    auto operands = def->getOperands();
    auto found = llvm::find_if(operands, [](Value operand) {
      return isa<RankedTensorType>(operand.getType());
    });
    return found == operands.end()
               ? std::nullopt
               : std::optional<Size>(TensorDim{*found, at.dim});
  }
  if (auto empty = dyn_cast_or_null<tensor::EmptyOp>(def)) {
    return empty.getMixedSizes()[at.dim];
  }
  if (auto expand = dyn_cast_or_null<tensor::ExpandShapeOp>(def)) {
    return expand.getMixedOutputShape()[at.dim];
  }
  if (auto collapse = dyn_cast_or_null<tensor::CollapseShapeOp>(def)) {
    ReassociationIndices dims = collapse.getReassociationIndices()[at.dim];
    if (dims.size() == 1) {
      return TensorDim{collapse.getSrc(), dims.front()};
    }
  }
  return std::nullopt;
}

/// Follows `size` as far as it goes.
static SizeOrigin findOrigin(Size size) {
  while (true) {
    if (auto *number = std::get_if<OpFoldResult>(&size)) {
      if (std::optional<int64_t> constant = getConstantIntValue(*number)) {
        return {constant, {}, {}, -1};
      }
      auto index = cast<Value>(*number);
      auto dimOp = index.getDefiningOp<tensor::DimOp>();
      if (!dimOp || !dimOp.getConstantIndex()) {
        return {std::nullopt, {}, index, -1};
      }
      size = TensorDim{dimOp.getSource(), *dimOp.getConstantIndex()};
    }
    TensorDim at = std::get<TensorDim>(size);
    auto type = dyn_cast<RankedTensorType>(at.tensor.getType());
    if (type && !type.isDynamicDim(at.dim)) {
      return {type.getDimSize(at.dim), {}, {}, -1};
    }
    std::optional<Size> before = stepBack(at);
    if (!before) {
      auto argument = dyn_cast<BlockArgument>(at.tensor);
      Attribute name = argument ? getDimName(argument, at.dim) : Attribute();
      return name ? SizeOrigin{std::nullopt, name, {}, -1}
                  : SizeOrigin{std::nullopt, {}, at.tensor, at.dim};
    }
    size = *before;
  }
}

SizeOrigin fusion::getSizeOrigin(Value tensor, int64_t dim) {
  return findOrigin(TensorDim{tensor, dim});
}

SizeOrigin fusion::getSizeOrigin(OpFoldResult size) { return findOrigin(size); }
