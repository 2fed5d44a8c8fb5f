//===- Poles.cpp - operands where small differences become large ----------===//

#include "Poles.h"
#include "Noise.h"
#include "fusion/Dialect/Fusion/IR/Fusion.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringSwitch.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::fuzz;

std::string fuzz::getPoleName(size_t number) {
  return "pole" + std::to_string(number);
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

static bool flatten(IfOp branch) {
  Operation *op = branch;
  for (auto [type, one, two] :
       llvm::zip_equal(op->getResultTypes(), branch.getThenYield().getValues(),
                       branch.getElseYield().getValues())) {
    if (one.getType() != type || two.getType() != type) {
      return false;
    }
  }
  SmallVector<Value> first(branch.getThenYield().getValues());
  SmallVector<Value> second(branch.getElseYield().getValues());
  for (Region *region : {&branch.getThenRegion(), &branch.getElseRegion()}) {
    region->front().getTerminator()->erase();
    op->getBlock()->getOperations().splice(Block::iterator(op),
                                           region->front().getOperations());
  }
  OpBuilder builder(op);
  for (auto [result, one, two] :
       llvm::zip_equal(op->getResults(), first, second)) {
    Value condition =
        makeBroadcast(builder, op->getLoc(), branch.getCondition(), one);
    result.replaceAllUsesWith(SelectOp::create(
        builder, op->getLoc(), one.getType(), condition, one, two));
  }
  op->erase();
  return true;
}

void fuzz::flattenBranches(func::FuncOp entry) {
  Block &body = entry.getBody().front();
  bool changed = true;
  while (changed) {
    changed = false;
    for (IfOp branch : llvm::make_early_inc_range(body.getOps<IfOp>())) {
      changed |= flatten(branch);
    }
  }
}

//===----------------------------------------------------------------------===//
// Poles
//===----------------------------------------------------------------------===//

namespace {
/// Where a pole is: where `measure` of the operand (itself if it is null) is
/// `at`.
struct Pole {
  unsigned operand;
  double at;
  Value (*measure)(OpBuilder &, Location, Value);
};
} // namespace

static Value makeAbs(OpBuilder &builder, Location loc, Value value) {
  return AbsOp::create(builder, loc, value);
}

static Value makeCos(OpBuilder &builder, Location loc, Value value) {
  return CosOp::create(builder, loc, value);
}

static std::optional<Pole> getPole(Operation *op) {
  using Result = std::optional<Pole>;
  return llvm::StringSwitch<Result>(op->getName().getStringRef())
      .Case("fusion.div", Pole{1, 0, nullptr})
      .Cases({"fusion.reciprocal", "fusion.rsqrt"}, Pole{0, 0, nullptr})
      .Cases({"fusion.log", "fusion.sqrt", "fusion.pow"}, Pole{0, 0, nullptr})
      .Case("fusion.log1p", Pole{0, -1, nullptr})
      .Case("fusion.acosh", Pole{0, 1, nullptr})
      .Cases({"fusion.atanh", "fusion.asin", "fusion.acos"},
             Pole{0, 1, makeAbs})
      .Case("fusion.tan", Pole{0, 0, makeCos})
      .Default(std::nullopt);
}

SmallVector<OpOperand *> fuzz::findPoles(Block &body,
                                         const Exactness &exactness) {
  SmallVector<OpOperand *> poles;
  for (Operation &op : body) {
    std::optional<Pole> pole = getPole(&op);
    if (!pole) {
      continue;
    }
    OpOperand &operand = op.getOpOperand(pole->operand);
    if (isa<FloatType>(getElementTypeOrSelf(operand.get())) &&
        !exactness.get(operand.get()).exact) {
      poles.push_back(&operand);
    }
  }
  return poles;
}

static DictionaryAttr nameValue(Builder &builder, StringRef name) {
  return builder.getDictionaryAttr(builder.getNamedAttr(
      FusionDialect::kNameAttr, builder.getStringAttr(name)));
}

void fuzz::returnPoles(func::FuncOp entry, ArrayRef<OpOperand *> poles) {
  Operation *end = entry.getBody().front().getTerminator();
  OpBuilder builder(end);
  Location loc = entry.getLoc();
  for (auto [number, operand] : llvm::enumerate(poles)) {
    Pole pole = *getPole(operand->getOwner());
    Type wide = builder.getF64Type();
    Value value = operand->get();
    if (getElementTypeOrSelf(value) != wide) {
      value = CastOp::create(builder, loc, value, wide);
    }
    if (pole.measure) {
      value = pole.measure(builder, loc, value);
    }
    value = SubOp::create(builder, loc, value,
                          makeSplat(builder, loc, pole.at, value));
    unsigned index = end->getNumOperands();
    end->insertOperands(index, value);
    (void)entry.insertResult(index, value.getType(),
                             nameValue(builder, getPoleName(number)));
  }
}

/// Whether element `index` may reach zero: it moves by a quarter of the least
/// distance, or is finite in some of the runs only.
static bool reachesPole(ArrayRef<const HostArray *> runs, int64_t index) {
  double least = std::numeric_limits<double>::infinity(), most = -least;
  double distance = least;
  size_t finite = 0;
  for (const HostArray *run : runs) {
    double value = run->get(index);
    if (std::isfinite(value)) {
      least = std::min(least, value);
      most = std::max(most, value);
      distance = std::min(distance, std::fabs(value));
      ++finite;
    }
  }
  if (finite < runs.size()) {
    return finite > 0;
  }
  return most > least && 4 * (most - least) >= distance;
}

std::vector<HostArray>
fuzz::findNearPoles(ArrayRef<std::vector<HostArray>> distances) {
  std::vector<HostArray> near;
  bool any = false;
  for (size_t number = 0; number < distances.front().size(); ++number) {
    SmallVector<const HostArray *> runs;
    for (const std::vector<HostArray> &run : distances) {
      runs.push_back(&run[number]);
    }
    near.emplace_back(FUSION_I1, runs.front()->getDims());
    for (int64_t i = 0, e = runs.front()->getNumElements(); i < e; ++i) {
      bool reaches = reachesPole(runs, i);
      near.back().set(i, reaches);
      any |= reaches;
    }
  }
  return any ? std::move(near) : std::vector<HostArray>();
}

void fuzz::poisonPoles(func::FuncOp entry, ArrayRef<OpOperand *> poles,
                       ArrayRef<HostArray> near, const Noise &noise) {
  Location loc = entry.getLoc();
  for (auto [number, operand] : llvm::enumerate(poles)) {
    OpBuilder builder(operand->getOwner());
    Value value = operand->get();
    auto type = cast<RankedTensorType>(value.getType());
    SmallVector<Attribute> names;
    for (auto [dim, size] : llvm::enumerate(near[number].getDims())) {
      names.push_back(builder.getStringAttr(
          type.isDynamicDim(dim) ? "size" + std::to_string(size) : ""));
    }
    unsigned index = entry.getNumArguments();
    auto attributes = builder.getDictionaryAttr(
        {builder.getNamedAttr(FusionDialect::kNameAttr,
                              builder.getStringAttr(getPoleName(number))),
         builder.getNamedAttr(FusionDialect::kDimsAttr,
                              builder.getArrayAttr(names))});
    (void)entry.insertArgument(index, type.clone(builder.getI1Type()),
                               attributes, loc);
    // Far from every pole and inside of every domain, in some phases.
    Value instead = noise.getAnything();
    if (getElementTypeOrSelf(instead) != type.getElementType()) {
      instead = CastOp::create(builder, loc, instead, type.getElementType());
    }
    double inside = isa<AcoshOp>(operand->getOwner()) ? 2 : 0.5;
    instead = MulOp::create(builder, loc, instead,
                            makeSplat(builder, loc, inside, instead));
    instead = makeBroadcast(builder, loc, instead, value);
    operand->set(SelectOp::create(builder, loc, type, entry.getArgument(index),
                                  instead, value));
  }
}
