//===- GroupFunctions.cpp - one function for each distinct group ----------===//

#include "fusion/Conversion/OutlineGroups/OutlineGroups.h"
#include "fusion/Dialect/Fusion/IR/Composite.h"
#include "fusion/Planner/Choice.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::fusion;

/// Returns the buffer type of a tensor, other types as they are.
static Type getBufferType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? MemRefType::get(tensor.getShape(), tensor.getElementType())
                : type;
}

SmallVector<Type>
GroupFunctions::getArgumentTypes(GroupOp group, ArrayRef<ResultPlace> places) {
  auto types = llvm::map_to_vector(group->getOperandTypes(), getBufferType);
  for (auto [type, place] : llvm::zip_equal(
           MutableArrayRef(types).take_back(places.size()), places)) {
    type = place.whole ? Type(place.whole) : type;
  }
  return types;
}

/// Hashes what equal groups have in common; names and locations are not.
static unsigned hashGroup(GroupOp group) {
  llvm::hash_code hash = llvm::hash_combine_range(
      group->getOperandTypes().begin(), group->getOperandTypes().end());
  group.getBody().walk([&](Operation *op) {
    hash =
        llvm::hash_combine(hash, OperationEquivalence::computeHash(
                                     op, OperationEquivalence::ignoreHashValue,
                                     OperationEquivalence::ignoreHashValue,
                                     OperationEquivalence::IgnoreLocations));
  });
  return static_cast<unsigned>(static_cast<size_t>(hash));
}

static bool areEqual(GroupOp a, GroupOp b) {
  return a.getInputs().getTypes() == b.getInputs().getTypes() &&
         a.getInits().getTypes() == b.getInits().getTypes() &&
         a.getKinds() == b.getKinds() &&
         a.getScheduleAttr() == b.getScheduleAttr() &&
         OperationEquivalence::isRegionEquivalentTo(
             &a.getBody(), &b.getBody(), OperationEquivalence::IgnoreLocations);
}

func::FuncOp GroupFunctions::getOrCreate(GroupOp group,
                                         ArrayRef<ResultPlace> places) {
  if (isComposite(group)) {
    return getOrCreateComposite(group, places);
  }
  auto &sameHash = known[hashGroup(group)];
  for (const Known &other : sameHash) {
    if (areEqual(group, other.group) &&
        ArrayRef<ResultPlace>(other.places) == places) {
      return other.function;
    }
  }
  func::FuncOp function = create(group, places);
  sameHash.push_back({group,
                      SmallVector<ResultPlace, 1>(places.begin(), places.end()),
                      function});
  return function;
}

/// Returns the part of `array` at `place` that a tensor of `type` fills.
static Value makePart(OpBuilder &builder, Location loc, Value array,
                      const ResultPlace &place, RankedTensorType type) {
  SmallVector<OpFoldResult> sizes = memref::getMixedSizes(builder, loc, array);
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    if (type.getDimSize(dim) != place.whole.getDimSize(dim)) {
      size = builder.getIndexAttr(type.getDimSize(dim));
    }
  }
  SmallVector<OpFoldResult> steps(sizes.size(), builder.getIndexAttr(1));
  return memref::SubViewOp::create(
      builder, loc, array,
      getAsIndexOpFoldResult(builder.getContext(), place.starts), sizes, steps);
}

/// Puts the choices of `function` on its arguments: pointers are picked, not
/// tensors. Sizes are those of the first side.
static void chooseBuffers(func::FuncOp function) {
  SmallVector<arith::SelectOp> choices;
  for (auto op : function.getOps<arith::SelectOp>()) {
    if (getChoice(op.getResult())) {
      choices.push_back(op);
    }
  }
  auto getBuffer = [](Value tensor) {
    return tensor.getDefiningOp<bufferization::ToTensorOp>().getBuffer();
  };
  for (arith::SelectOp choice : choices) {
    for (Operation *user : llvm::make_early_inc_range(choice->getUsers())) {
      if (auto dimOp = dyn_cast<tensor::DimOp>(user)) {
        dimOp.getSourceMutable().assign(choice.getTrueValue());
      }
    }
    OpBuilder builder(choice);
    Location loc = choice.getLoc();
    Value holds = memref::LoadOp::create(
        builder, loc, getBuffer(getPredicate(choice)), ValueRange());
    Value buffer = arith::SelectOp::create(builder, loc, holds,
                                           getBuffer(choice.getTrueValue()),
                                           getBuffer(choice.getFalseValue()));
    Value tensor = bufferization::ToTensorOp::create(
        builder, loc, choice.getType(), buffer, /*restrict=*/true);
    Operation *read = choice.getCondition().getDefiningOp();
    choice.replaceAllUsesWith(tensor);
    choice.erase();
    if (read->use_empty()) {
      read->erase();
    }
  }
}

func::FuncOp GroupFunctions::create(GroupOp group,
                                    ArrayRef<ResultPlace> places) {
  Location loc = group.getLoc();
  SmallVector<Type> types = getArgumentTypes(group, places);
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  auto function =
      func::FuncOp::create(builder, loc, "group_" + std::to_string(count++),
                           builder.getFunctionType(types, {}));
  function.setPrivate();
  function->setAttr(kGroupAttr, group.getNameAttr());
  function->setAttr(kKindsAttr, group.getKindsAttr());
  if (DictionaryAttr schedule = group.getScheduleAttr()) {
    function->setAttr(kScheduleAttr, schedule);
  }
  builder.setInsertionPointToStart(function.addEntryBlock());
  IRMapping mapping;
  unsigned numInputs = group.getInputs().size();
  SmallVector<Value> destinations;
  for (auto [index, inside] :
       llvm::enumerate(group.getBodyBlock()->getArguments())) {
    Value argument = function.getArgument(index);
    auto type = dyn_cast<RankedTensorType>(inside.getType());
    Value value = argument;
    if (type && index < numInputs) {
      value = bufferization::ToTensorOp::create(builder, loc, type, argument,
                                                /*restrict=*/true);
    } else if (type) {
      const ResultPlace &place = places[index - numInputs];
      if (place.whole) {
        argument = makePart(builder, loc, argument, place, type);
      }
      destinations.push_back(argument);
      value = tensor::EmptyOp::create(
          builder, loc, memref::getMixedSizes(builder, loc, argument),
          type.getElementType(), type.getEncoding());
    }
    mapping.map(inside, value);
  }
  for (Operation &op : group.getBodyBlock()->without_terminator()) {
    builder.clone(op, mapping);
  }
  for (auto [value, buffer] :
       llvm::zip_equal(group.getYield().getValues(), destinations)) {
    bufferization::MaterializeInDestinationOp::create(
        builder, loc, Type(), mapping.lookup(value), buffer,
        /*restrict=*/true, /*writable=*/true);
  }
  func::ReturnOp::create(builder, loc);
  chooseBuffers(function);
  return function;
}
