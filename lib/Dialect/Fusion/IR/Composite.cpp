//===- Composite.cpp - launches that hold several groups ------------------===//

#include "fusion/Dialect/Fusion/IR/Composite.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::fusion;

bool fusion::isComposite(GroupOp group) {
  return llvm::any_of(*group.getBodyBlock(),
                      [](Operation &op) { return isa<GroupOp, IfOp>(op); });
}

static bool isReshapeOp(Operation *op) {
  return isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op);
}

bool fusion::areOneReshapeApart(Type from, Type to) {
  auto source = cast<RankedTensorType>(from);
  auto target = cast<RankedTensorType>(to);
  return from == to || (source.hasStaticShape() && target.hasStaticShape() &&
                        source.getRank() != target.getRank() &&
                        getReassociationIndicesForReshape(source, target));
}

Value fusion::reshapeTo(OpBuilder &builder, Location loc, Value value,
                        Type to) {
  auto source = cast<RankedTensorType>(value.getType());
  auto target = cast<RankedTensorType>(to);
  if (source == target) {
    return value;
  }
  if (value.getDefiningOp<tensor::EmptyOp>()) {
    return tensor::EmptyOp::create(builder, loc, target.getShape(),
                                   target.getElementType());
  }
  assert(areOneReshapeApart(source, target) && "expected one reshape");
  SmallVector<ReassociationIndices> dims =
      *getReassociationIndicesForReshape(source, target);
  if (source.getRank() < target.getRank()) {
    return tensor::ExpandShapeOp::create(builder, loc, target, value, dims);
  }
  return tensor::CollapseShapeOp::create(builder, loc, target, value, dims);
}

bool fusion::hasReshapedDestinations(GroupOp launch) {
  WalkResult found =
      launch.getBody().walk<WalkOrder::PreOrder>([](Operation *op) {
        return isReshapeOp(op)    ? WalkResult::interrupt()
               : isa<GroupOp>(op) ? WalkResult::skip()
                                  : WalkResult::advance();
      });
  return isComposite(launch) && found.wasInterrupted();
}

SmallVector<IfOp> fusion::getBranches(Operation *root, WalkOrder order) {
  SmallVector<IfOp> branches;
  auto add = [&](IfOp branch) {
    if (!branch->getParentOfType<GroupOp>()) {
      branches.push_back(branch);
    }
  };
  order == WalkOrder::PreOrder ? root->walk<WalkOrder::PreOrder>(add)
                               : root->walk<WalkOrder::PostOrder>(add);
  return branches;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
/// Collects the parts of one composite.
class PartReader {
public:
  explicit PartReader(GroupOp launch);
  FailureOr<SmallVector<LaunchPart, 0>> read();

private:
  LogicalResult readBlock(Block &block);
  LogicalResult readGroup(GroupOp group);
  LogicalResult readIf(IfOp branch);
  LogicalResult readReshape(Operation *op);

  GroupOp launch;
  /// Input arguments to inputs, what parts make to results of the launch.
  DenseMap<Value, Value> outside;
  DenseMap<Value, unsigned> slots; // values of destinations
  SmallVector<PartCondition, 1> conditions;
  SmallVector<LaunchPart, 0> parts;
};
} // namespace

PartReader::PartReader(GroupOp launch) : launch(launch) {
  for (auto [argument, operand] :
       llvm::zip_equal(launch.getInputArguments(), launch.getInputs())) {
    outside[argument] = operand;
  }
  for (auto [slot, argument] : llvm::enumerate(launch.getInitArguments())) {
    slots[argument] = slot;
  }
}

LogicalResult PartReader::readGroup(GroupOp group) {
  if (isComposite(group)) {
    return group.emitOpError("expected no parts inside of a part");
  }
  LaunchPart part{group, conditions, {}, {}, {}};
  for (Value input : group.getInputs()) {
    Value operand = outside.lookup(input);
    if (!operand) {
      return group.emitOpError("expected inputs that are arguments of the "
                               "enclosing group, or of rank 0 and made before");
    }
    part.inputs.push_back(operand);
  }
  for (auto [init, result] :
       llvm::zip_equal(group.getInits(), group.getResults())) {
    auto slot = slots.find(init);
    if (slot == slots.end()) {
      return group.emitOpError("expected destinations of the enclosing group");
    }
    unsigned number = slot->second;
    part.slots.push_back(number);
    part.results.push_back(launch->getResult(number));
    slots[result] = number;
    if (cast<RankedTensorType>(result.getType()).getRank() == 0) {
      outside[result] = launch->getResult(number);
    }
  }
  parts.push_back(std::move(part));
  return success();
}

LogicalResult PartReader::readIf(IfOp branch) {
  Value condition = outside.lookup(branch.getCondition());
  if (!condition) {
    return branch.emitOpError("expected a condition that is an argument of the "
                              "enclosing group, or made before");
  }
  for (bool holds : {true, false}) {
    conditions.push_back({condition, holds});
    Region &region = holds ? branch.getThenRegion() : branch.getElseRegion();
    if (failed(readBlock(region.front()))) {
      return failure();
    }
    conditions.pop_back();
  }
  for (auto [a, b, result] : llvm::zip_equal(branch.getThenYield().getValues(),
                                             branch.getElseYield().getValues(),
                                             branch.getResults())) {
    auto slotA = slots.find(a), slotB = slots.find(b);
    if (slotA == slots.end() || slotB == slots.end() ||
        slotA->second != slotB->second) {
      return branch.emitOpError("expected both regions to yield the same "
                                "destination of the enclosing group");
    }
    unsigned slot = slotA->second;
    slots[result] = slot;
  }
  return success();
}

/// Reads a reshape of a destination, or of what a part made in one, back.
LogicalResult PartReader::readReshape(Operation *op) {
  Value source = op->getOperand(0);
  auto slot = slots.find(source);
  auto part = source.getDefiningOp<GroupOp>();
  Value view = part ? part.getInits()[cast<OpResult>(source).getResultNumber()]
                    : Value();
  bool isBack = view && isReshapeOp(view.getDefiningOp()) &&
                view.getDefiningOp()->getOperand(0).getType() ==
                    op->getResult(0).getType();
  bool isDestination = llvm::is_contained(launch.getInitArguments(), source);
  if (slot == slots.end() || (!isDestination && !isBack)) {
    return op->emitOpError("expected a reshape of a destination of the "
                           "enclosing group, or of a part's result back");
  }
  unsigned number = slot->second;
  slots[op->getResult(0)] = number;
  return success();
}

LogicalResult PartReader::readBlock(Block &block) {
  for (Operation &op : block.without_terminator()) {
    auto group = dyn_cast<GroupOp>(op);
    auto branch = dyn_cast<IfOp>(op);
    bool reshapes = isReshapeOp(&op);
    if (!group && !branch && !reshapes) {
      return op.emitOpError("expected only groups and branches beside groups");
    }
    if (failed(reshapes ? readReshape(&op)
               : group  ? readGroup(group)
                        : readIf(branch))) {
      return failure();
    }
  }
  return success();
}

FailureOr<SmallVector<LaunchPart, 0>> PartReader::read() {
  if (failed(readBlock(*launch.getBodyBlock()))) {
    return failure();
  }
  for (auto [index, value] : llvm::enumerate(launch.getYield().getValues())) {
    auto slot = slots.find(value);
    if (slot == slots.end() || slot->second != index) {
      return launch.emitOpError("expected result ")
             << index << " to be what its destination became";
    }
  }
  return std::move(parts);
}

FailureOr<SmallVector<LaunchPart, 0>> fusion::getLaunchParts(GroupOp group) {
  if (isComposite(group)) {
    return PartReader(group).read();
  }
  LaunchPart whole{group, {}, llvm::to_vector(group.getInputs()), {}, {}};
  llvm::append_range(whole.slots, llvm::seq<unsigned>(group.getNumResults()));
  llvm::append_range(whole.results, group->getResults());
  SmallVector<LaunchPart, 0> parts;
  parts.push_back(std::move(whole));
  return parts;
}

bool fusion::isReadByParts(GroupOp group) {
  return llvm::any_of(group->getUses(), [](OpOperand &use) {
    auto reader = dyn_cast<GroupOp>(use.getOwner());
    return isa<IfOp>(use.getOwner()) || (reader && !reader.isDpsInit(&use));
  });
}

bool fusion::hasPartsThatAreRead(GroupOp launch) {
  WalkResult found =
      launch.getBody().walk<WalkOrder::PreOrder>([](GroupOp part) {
        return isReadByParts(part) ? WalkResult::interrupt()
                                   : WalkResult::skip();
      });
  return found.wasInterrupted();
}

bool fusion::staysInside(OpResult result) {
  auto launch = cast<GroupOp>(result.getOwner());
  // Asked of each result, of which there are hundreds, and rarely so.
  if (!isComposite(launch) || !hasPartsThatAreRead(launch)) {
    return false;
  }
  FailureOr<SmallVector<LaunchPart, 0>> parts = getLaunchParts(launch);
  return succeeded(parts) && llvm::any_of(*parts, [&](const LaunchPart &part) {
           return part.group != launch && isReadByParts(part.group) &&
                  llvm::is_contained(part.slots, result.getResultNumber());
         });
}

bool fusion::mayKeepDestination(OpResult result) {
  auto launch = cast<GroupOp>(result.getOwner());
  if (!isComposite(launch)) {
    return false;
  }
  SmallVector<Value> worklist{
      launch.getYield().getValues()[result.getResultNumber()]};
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    auto branch = value.getDefiningOp<IfOp>();
    if (isa<BlockArgument>(value)) {
      return true;
    }
    if (branch) {
      unsigned number = cast<OpResult>(value).getResultNumber();
      worklist.push_back(branch.getThenYield().getValues()[number]);
      worklist.push_back(branch.getElseYield().getValues()[number]);
    }
  }
  return false;
}

/// Returns whether one of `paths`, each a row of conditions, holds in each run.
static bool coverAll(SmallVector<ArrayRef<PartCondition>> paths) {
  // Splits by one condition after the other, no deeper than branches nest.
  if (llvm::any_of(paths, [](auto path) { return path.empty(); })) {
    return true;
  }
  if (paths.empty()) {
    return false;
  }
  Value condition = paths.front().front().value;
  for (bool holds : {true, false}) {
    SmallVector<ArrayRef<PartCondition>> rest;
    for (ArrayRef<PartCondition> path : paths) {
      if (path.front().value != condition) {
        rest.push_back(path);
      } else if (path.front().holds == holds) {
        rest.push_back(path.drop_front());
      }
    }
    // A path that starts with another condition holds on both sides.
    if (!coverAll(rest)) {
      return false;
    }
  }
  return true;
}

bool fusion::isAlwaysWritten(OpResult result) {
  if (staysInside(result)) {
    return false;
  }
  SmallVector<FailureOr<SmallVector<LaunchPart, 0>>> launches;
  SmallVector<ArrayRef<PartCondition>> paths;
  while (mayKeepDestination(result)) {
    auto launch = cast<GroupOp>(result.getOwner());
    launches.push_back(getLaunchParts(launch));
    if (failed(launches.back())) {
      return false;
    }
    for (const LaunchPart &part : *launches.back()) {
      if (llvm::is_contained(part.slots, result.getResultNumber())) {
        paths.push_back(part.conditions);
      }
    }
    result = dyn_cast<OpResult>(launch.getInits()[result.getResultNumber()]);
    if (!result || !isa<GroupOp>(result.getOwner())) {
      return coverAll(paths);
    }
  }
  return true;
}

bool fusion::areExclusive(const LaunchPart &a, const LaunchPart &b) {
  return llvm::any_of(a.conditions, [&](const PartCondition &condition) {
    return llvm::is_contained(b.conditions,
                              PartCondition{condition.value, !condition.holds});
  });
}

bool fusion::areExclusive(GroupOp a, GroupOp b) {
  FailureOr<SmallVector<LaunchPart, 0>> parts = getLaunchParts(a);
  FailureOr<SmallVector<LaunchPart, 0>> others = getLaunchParts(b);
  return succeeded(parts) && succeeded(others) &&
         llvm::all_of(*parts, [&](const LaunchPart &part) {
           return llvm::all_of(*others, [&](const LaunchPart &other) {
             return areExclusive(part, other);
           });
         });
}

SmallVector<StringRef> fusion::getLaunchKinds(ArrayRef<LaunchPart> parts) {
  bool conditional = false, horizontal = false, vertical = false;
  for (auto [index, part] : llvm::enumerate(parts)) {
    conditional |= !part.conditions.empty();
    for (const LaunchPart &other : parts.take_front(index)) {
      horizontal |= !areExclusive(part, other);
    }
    GroupOp group = part.group;
    for (Attribute kind : group.getKinds()) {
      vertical |= cast<StringAttr>(kind).getValue() == "vertical";
      horizontal |= cast<StringAttr>(kind).getValue() == "horizontal";
    }
  }
  SmallVector<StringRef> kinds;
  for (auto [holds, kind] : {std::make_pair(vertical, "vertical"),
                             std::make_pair(horizontal, "horizontal"),
                             std::make_pair(conditional, "conditional")}) {
    if (holds) {
      kinds.push_back(kind);
    }
  }
  return kinds;
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

namespace {
/// Writes the body of a composite.
class PartWriter {
public:
  PartWriter(GroupOp launch, OpBuilder &builder)
      : launch(launch), builder(builder) {
    for (auto [operand, argument] : llvm::zip_equal(
             launch->getOperands(), launch.getBodyBlock()->getArguments())) {
      inside.try_emplace(operand, argument);
    }
    llvm::append_range(current, launch.getInitArguments());
  }
  void write(ArrayRef<const LaunchPart *> parts, unsigned depth);
  ArrayRef<Value> getValues() const { return current; }

private:
  using Arms = std::array<SmallVector<const LaunchPart *>, 2>;
  void writeGroup(const LaunchPart &part);
  void writeIf(Value condition, const Arms &arms, unsigned depth);

  GroupOp launch;
  OpBuilder &builder;
  DenseMap<Value, Value> inside; // operands, and what parts made
  SmallVector<Value> current;    // of each destination
};
} // namespace

void PartWriter::writeGroup(const LaunchPart &part) {
  // By position: an operand may occur twice.
  SmallVector<Value> operands;
  for (Value input : part.inputs) {
    operands.push_back(inside.lookup(input));
  }
  GroupOp group = part.group;
  Location loc = group.getLoc();
  for (auto [slot, init] : llvm::zip_equal(part.slots, group.getInits())) {
    operands.push_back(reshapeTo(builder, loc, launch.getInitArguments()[slot],
                                 init.getType()));
  }
  Operation *clone = builder.clone(*group);
  clone->setOperands(operands);
  for (auto [slot, result] : llvm::zip_equal(part.slots, clone->getResults())) {
    current[slot] = reshapeTo(builder, loc, result, current[slot].getType());
  }
  for (auto [name, result] : llvm::zip(part.results, clone->getResults())) {
    inside[name] = result;
  }
}

void PartWriter::writeIf(Value condition, const Arms &arms, unsigned depth) {
  llvm::SetVector<unsigned, SmallVector<unsigned>> written;
  for (const auto &arm : arms) {
    for (const LaunchPart *part : arm) {
      written.insert(part->slots.begin(), part->slots.end());
    }
  }
  SmallVector<Value> before = current;
  SmallVector<Type> types;
  for (unsigned slot : written) {
    types.push_back(before[slot].getType());
  }
  GroupOp first = arms[arms[0].empty()].front()->group;
  Location loc = first.getLoc();
  auto branch = IfOp::create(builder, loc, types, inside.lookup(condition));
  for (auto [arm, region] :
       llvm::zip_equal(arms, std::array{&branch.getThenRegion(),
                                        &branch.getElseRegion()})) {
    OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(region);
    current = before;
    write(arm, depth + 1);
    SmallVector<Value> yielded;
    for (unsigned slot : written) {
      yielded.push_back(current[slot]);
    }
    YieldOp::create(builder, loc, yielded);
  }
  current = before;
  for (auto [slot, result] : llvm::zip_equal(written, branch.getResults())) {
    current[slot] = result;
  }
}

/// Writes `parts`, whose first `depth` conditions are fulfilled here.
void PartWriter::write(ArrayRef<const LaunchPart *> parts, unsigned depth) {
  llvm::MapVector<Value, Arms> branches;
  for (const LaunchPart *part : parts) {
    if (part->conditions.size() == depth) {
      writeGroup(*part);
    } else {
      const PartCondition &condition = part->conditions[depth];
      branches[condition.value][condition.holds ? 0 : 1].push_back(part);
    }
  }
  for (auto &[condition, arms] : branches) {
    writeIf(condition, arms, depth);
  }
}

GroupOp fusion::createComposite(OpBuilder &builder, Location loc,
                                StringRef name, ArrayRef<StringRef> kinds,
                                ArrayRef<LaunchPart> parts, ValueRange inits) {
  llvm::SetVector<Value> inputs;
  llvm::SmallDenseSet<Value> made;
  for (const LaunchPart &part : parts) {
    for (const PartCondition &condition : part.conditions) {
      inputs.insert(condition.value);
    }
    inputs.insert(part.inputs.begin(), part.inputs.end());
    made.insert(part.results.begin(), part.results.end());
  }
  inputs.remove_if([&](Value value) { return made.contains(value); });
  auto launch =
      GroupOp::create(builder, loc, name, kinds, inputs.getArrayRef(), inits);
  OpBuilder inner = OpBuilder::atBlockEnd(launch.getBodyBlock());
  PartWriter writer(launch, inner);
  auto pointers =
      llvm::map_to_vector(parts, [](const LaunchPart &part) { return &part; });
  writer.write(pointers, 0);
  YieldOp::create(inner, loc, writer.getValues());
  return launch;
}
