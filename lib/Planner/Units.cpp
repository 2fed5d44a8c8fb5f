//===- Units.cpp - the graph that grouping works on -----------------------===//

#include "fusion/Planner/Units.h"

#include "fusion/Planner/Choice.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::fusion;
using linalg::LinalgOp;

AffineMap Unit::getMapOf(Value value) const {
  for (const UnitValue &made : values) {
    if (made.value == value) {
      return made.map;
    }
  }
  return {};
}

StringRef fusion::getSourceName(Location loc) {
  StringRef name;
  loc->walk([&](Location inner) {
    if (auto named = dyn_cast<NameLoc>(inner)) {
      name = named.getName().getValue();
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return name;
}

std::string fusion::getDisplayName(Operation *op) {
  if (StringRef name = getSourceName(op->getLoc()); !name.empty()) {
    return name.str();
  }
  auto linalgOp = dyn_cast<LinalgOp>(op);
  if (linalgOp && isa<linalg::GenericOp>(op)) {
    return stringifyOpRole(getIterationSpace(linalgOp).role).str();
  }
  return op->getName().stripDialect().str();
}

namespace {
/// Collects units in one walk over the block.
class UnitCollector {
public:
  UnitCollector(Block &block, bool absorbPadding,
                ArrayRef<OnlineSoftmax> softmaxes,
                ArrayRef<ChainedProducts> chains)
      : block(block), absorbPadding(absorbPadding) {
    for (const OnlineSoftmax &softmax : softmaxes) {
      addJoint(softmax.ops);
      softmaxAnchors.insert(softmax.values);
    }
    for (const ChainedProducts &chain : chains) {
      addJoint(chain.ops);
    }
  }
  UnitGraph collect();

private:
  void findCloneable();
  void findRoundings();
  void findPadding();
  bool isCloneable(Operation &op) const;
  bool isClonedFill(Value value) const;
  bool needsFillUnit(linalg::FillOp fill) const;
  bool dependsOnUnit(Operation &op);
  void addJoint(ArrayRef<LinalgOp> ops);
  void addReads(Unit &unit, LinalgOp op, bool isAnchor);
  void addLinalgUnit(LinalgOp op);
  void addOpaqueUnit(Operation &op);
  void addRead(Unit &unit, UnitRead read);
  void addPaddedRead(Unit &unit, OpOperand &operand, const PaddedRead &padded);
  void addShapeDependency(Unit &unit, Value init);
  void addUnit(Unit unit);

  Block &block;
  bool absorbPadding;
  DenseMap<Operation *, ArrayRef<LinalgOp>> jointOf; // second contractions
  DenseSet<Operation *> softmaxAnchors;              // those of softmaxes
  UnitGraph graph;
  DenseMap<Operation *, PaddedRead> paddings;    // absorbed by their readers
  DenseMap<Operation *, Operation *> roundingOf; // of non-elementwise ops
  DenseSet<Operation *> absorbed;                // those roundings
  DenseMap<Operation *, unsigned> unitOf;
  DenseMap<Operation *, IterationSpace> spaces;
};
} // namespace

bool UnitCollector::isCloneable(Operation &op) const {
  auto operandsCloneable = [&](ValueRange operands) {
    return llvm::all_of(operands, [&](Value operand) {
      Operation *def = operand.getDefiningOp();
      return def && graph.cloneable.contains(def);
    });
  };
  if (op.hasTrait<OpTrait::ConstantLike>()) {
    Attribute value;
    matchPattern(&op, m_Constant(&value));
    return !isa<ShapedType>(op.getResult(0).getType()) ||
           isa_and_nonnull<SplatElementsAttr>(value);
  }
  if (auto empty = dyn_cast<tensor::EmptyOp>(op)) {
    return empty.getType().hasStaticShape();
  }
  if (auto fill = dyn_cast<linalg::FillOp>(op)) {
    return fill.hasPureTensorSemantics() &&
           fill.getOutputs()[0].getDefiningOp<tensor::EmptyOp>() &&
           operandsCloneable(fill.getInputs());
  }
  // The tensors that it picks from are no leaves: groups have them as inputs.
  if (isChoiceOp(&op)) {
    return true;
  }
  bool scalars = llvm::none_of(op.getResultTypes(), llvm::IsaPred<ShapedType>);
  return scalars && op.getNumResults() != 0 && op.getNumRegions() == 0 &&
         isPure(&op) && operandsCloneable(op.getOperands());
}

void UnitCollector::findCloneable() {
  for (Operation &op : block) {
    if (isCloneable(op)) {
      graph.cloneable.insert(&op);
    }
  }
}

std::optional<PaddedRead> fusion::getAbsorbedPadding(LinalgOp op) {
  std::optional<PaddedRead> padded = matchPaddedRead(op);
  bool absorbed =
      padded && !op->use_empty() &&
      llvm::all_of(op->getUses(), [&](OpOperand &use) {
        auto user = dyn_cast<LinalgOp>(use.getOwner());
        if (!user || user->getBlock() != op->getBlock() ||
            !user.isDpsInput(&use)) {
          return false;
        }
        // Two operands of one op would want it along different loops.
        AffineMap map = user.getMatchingIndexingMap(&use);
        bool same =
            llvm::all_of(user.getDpsInputOperands(), [&](OpOperand *other) {
              return other->get() != use.get() ||
                     user.getMatchingIndexingMap(other) == map;
            });
        OpRole role = getIterationSpace(user).role;
        return same && (role == OpRole::Contraction || role == OpRole::Window);
      });
  return absorbed ? padded : std::nullopt;
}

/// An op that pads is part of the ops that reduce over it.
void UnitCollector::findPadding() {
  for (Operation &op : block) {
    auto linalgOp = dyn_cast<LinalgOp>(op);
    std::optional<PaddedRead> padded =
        linalgOp ? getAbsorbedPadding(linalgOp) : std::nullopt;
    if (padded) {
      graph.cloneable.insert(&op);
      paddings[&op] = std::move(*padded);
    }
  }
}

/// The first marked rounding that reads the result of a contraction, a
/// reduction or the like belongs to it.
void UnitCollector::findRoundings() {
  for (Operation &op : block) {
    auto rounding = dyn_cast<LinalgOp>(op);
    if (!rounding || !isMarkedRounding(rounding)) {
      continue;
    }
    auto source = rounding.getDpsInputs()[0].getDefiningOp<LinalgOp>();
    if (!source || source->getBlock() != &block) {
      continue;
    }
    OpRole role = spaces.lookup(source).role;
    if (role != OpRole::Elementwise && role != OpRole::Fill &&
        roundingOf.try_emplace(source, &op).second) {
      absorbed.insert(&op);
    }
  }
}

bool UnitCollector::isClonedFill(Value value) const {
  auto fill = value.getDefiningOp<linalg::FillOp>();
  return fill && graph.cloneable.contains(fill);
}

bool fusion::isCopiedInto(OpOperand &fill, Block &block) {
  auto user = dyn_cast<LinalgOp>(fill.getOwner());
  bool isStatic = cast<ShapedType>(fill.get().getType()).hasStaticShape();
  return user && user->getBlock() == &block &&
         (user.isDpsInit(&fill) || isStatic);
}

bool UnitCollector::needsFillUnit(linalg::FillOp fill) const {
  return !graph.cloneable.contains(fill) ||
         llvm::any_of(fill->getUses(), [&](OpOperand &use) {
           return !isCopiedInto(use, block);
         });
}

bool UnitCollector::dependsOnUnit(Operation &op) {
  if (op.hasTrait<OpTrait::IsTerminator>() || !isPure(&op)) {
    return true;
  }
  auto fromUnit = [&](Value value) {
    Operation *def = value.getDefiningOp();
    return def && unitOf.contains(def);
  };
  if (llvm::any_of(op.getOperands(), fromUnit)) {
    return true;
  }
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op.getRegions(), captured);
  return llvm::any_of(captured, fromUnit);
}

void UnitCollector::addRead(Unit &unit, UnitRead read) {
  Operation *def = read.value.getDefiningOp();
  if (!def) {
    unit.reads.push_back(read);
    return;
  }
  // No fusion crosses what a choice picks from.
  if (arith::SelectOp choice = getChoice(read.value)) {
    unit.reads.push_back(read);
    for (Value leaf : getChoiceLeaves(choice)) {
      UnitRead side = {leaf, {}, std::nullopt, read.operandNumber, false};
      side.isSide = true;
      addRead(unit, side);
    }
    return;
  }
  auto it = unitOf.find(def);
  if (it != unitOf.end()) {
    read.producer = it->second;
  } else if (graph.cloneable.contains(def)) {
    return;
  }
  unit.reads.push_back(read);
}

/// Reads what `padded` pads, along the dims that are read whole.
void UnitCollector::addPaddedRead(Unit &unit, OpOperand &operand,
                                  const PaddedRead &padded) {
  auto op = cast<LinalgOp>(operand.getOwner());
  AffineMap map = op.getMatchingIndexingMap(&operand);
  SmallVector<AffineExpr> exprs;
  for (auto [expr, extent] :
       llvm::zip_equal(map.getResults(), padded.extents)) {
    exprs.push_back(extent ? getAffineConstantExpr(0, map.getContext()) : expr);
  }
  map = AffineMap::get(map.getNumDims(), 0, exprs, map.getContext());
  addRead(unit, {padded.source, map, std::nullopt, operand.getOperandNumber(),
                 false});
  SmallVector<Value> scalars(padded.extents);
  scalars.push_back(padded.outside);
  for (Value value : scalars) {
    if (value && !matchPattern(value, m_Constant())) {
      addRead(unit, {value, {}, std::nullopt, 0, false});
    }
  }
}

/// A destination is no data, but its sizes may come from an opaque unit.
void UnitCollector::addShapeDependency(Unit &unit, Value init) {
  if (auto fill = init.getDefiningOp<linalg::FillOp>()) {
    init = fill.getOutputs()[0];
  }
  Operation *def = init.getDefiningOp();
  if (def && unitOf.contains(def)) {
    addRead(unit, {init, {}, std::nullopt, 0, true});
  }
}

void UnitCollector::addUnit(Unit unit) {
  unsigned index = graph.units.size();
  for (Operation *op : unit.ops) {
    unitOf[op] = index;
  }
  for (const UnitRead &read : unit.reads) {
    if (!read.producer) {
      continue;
    }
    SmallVector<unsigned, 2> &users = graph.units[*read.producer].users;
    if (users.empty() || users.back() != index) {
      users.push_back(index);
    }
  }
  graph.units.push_back(std::move(unit));
}

/// The ops from a contraction to a second one belong to the unit of this, the
/// last of `ops`.
void UnitCollector::addJoint(ArrayRef<LinalgOp> ops) {
  jointOf[ops.back()] = ops;
  absorbed.insert(ops.begin(), std::prev(ops.end()));
}

/// Adds what `op` reads from outside of `unit`. No fusion crosses the operands
/// of ops that are not the unit's anchor: they get no maps.
void UnitCollector::addReads(Unit &unit, LinalgOp op, bool isAnchor) {
  auto isInside = [&](Value value) {
    Operation *def = value.getDefiningOp();
    return def && llvm::is_contained(unit.ops, def);
  };
  for (OpOperand &operand : op->getOpOperands()) {
    if (isInside(operand.get())) {
      continue;
    }
    bool isInit = op.isDpsInit(&operand);
    bool reads = op.payloadUsesValueFromOperand(&operand);
    if (isInit && (!reads || isClonedFill(operand.get()))) {
      addShapeDependency(unit, operand.get());
      continue;
    }
    auto padding = paddings.find(operand.get().getDefiningOp());
    if (padding != paddings.end()) {
      addPaddedRead(unit, operand, padding->second);
      continue;
    }
    AffineMap map;
    if (isAnchor && isa<RankedTensorType>(operand.get().getType())) {
      map = op.getMatchingIndexingMap(&operand);
    }
    addRead(unit, {operand.get(), map, std::nullopt, operand.getOperandNumber(),
                   isInit});
  }
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  for (Value value : captured) {
    addRead(unit, {value, {}, std::nullopt, 0, false});
  }
}

void UnitCollector::addLinalgUnit(LinalgOp op) {
  Unit unit;
  unit.anchor = op;
  unit.ops.push_back(op);
  unit.space = spaces.lookup(op);
  unit.work = getOpWork(op);
  unit.firstLoop = graph.numLoops;
  graph.numLoops += op.getNumLoops();
  if (ArrayRef<LinalgOp> joint = jointOf.lookup(op); !joint.empty()) {
    unit.isSoftmax = softmaxAnchors.contains(op);
    unit.isChain = !unit.isSoftmax;
    unit.ops.assign(joint.begin(), joint.end());
    for (LinalgOp part : joint.drop_back()) {
      OpWork work = getOpWork(part);
      unit.work.flops += work.flops;
      unit.work.contractionFlops += work.contractionFlops;
      addReads(unit, part, /*isAnchor=*/false);
    }
  }
  addReads(unit, op, /*isAnchor=*/true);
  for (OpResult result : op->getResults()) {
    unit.values.push_back({result, op.getIndexingMapMatchingResult(result)});
  }
  if (Operation *rounding = roundingOf.lookup(op)) {
    // Its destination's sizes may come from elsewhere.
    addReads(unit, cast<LinalgOp>(rounding), /*isAnchor=*/false);
    unit.ops.push_back(rounding);
    unit.values.push_back({rounding->getResult(0), unit.values[0].map});
  }
  addUnit(std::move(unit));
}

void UnitCollector::addOpaqueUnit(Operation &op) {
  Unit unit;
  unit.ops.push_back(&op);
  llvm::SetVector<Value> values(op.operand_begin(), op.operand_end());
  getUsedValuesDefinedAbove(op.getRegions(), values);
  for (Value value : values) {
    addRead(unit, {value, {}, std::nullopt, 0, false});
  }
  addUnit(std::move(unit));
}

UnitGraph UnitCollector::collect() {
  findCloneable();
  for (Operation &op : block) {
    if (auto linalgOp = dyn_cast<LinalgOp>(op)) {
      spaces[&op] = getIterationSpace(linalgOp);
    }
  }
  findRoundings();
  if (absorbPadding) {
    findPadding();
  }
  for (Operation &op : block) {
    auto linalgOp = dyn_cast<LinalgOp>(op);
    auto fill = dyn_cast<linalg::FillOp>(op);
    if (absorbed.contains(&op) || paddings.contains(&op) || isChoiceOp(&op) ||
        (fill && !needsFillUnit(fill))) {
      continue;
    }
    if (linalgOp && linalgOp.hasPureTensorSemantics()) {
      addLinalgUnit(linalgOp);
    } else if (dependsOnUnit(op)) {
      addOpaqueUnit(op);
    }
  }
  return std::move(graph);
}

UnitGraph fusion::collectUnits(Block &block, bool absorbPadding,
                               ArrayRef<OnlineSoftmax> softmaxes,
                               ArrayRef<ChainedProducts> chains) {
  return UnitCollector(block, absorbPadding, softmaxes, chains).collect();
}
