//===- CompositeFunctions.cpp - functions that call their parts -----------===//
//
// A composite becomes a function that calls one function for each part, under
// an `scf.if` on its condition, which is loaded from memory:
//
//   func.func private @group_2(%p: memref<i1>, %x: .., %d: .., %e: ..)
//       attributes {fusion.composite, ...} {
//     call @group_0(%x, %d)
//     %c = memref.load %p[]
//     scf.if %c {
//       call @group_1(%x, %e)
//     }
//     return
//   }
//
// The call of a part that others of the same composite read, a predicate, has
// the number of its results, which are its last operands: {fusion.each_block =
// 1}.
//
//===----------------------------------------------------------------------===//

#include "fusion/Analysis/Renaming.h"
#include "fusion/Conversion/OutlineGroups/OutlineGroups.h"
#include "fusion/Dialect/Fusion/IR/Composite.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {
/// Writes the calls of one composite.
class CompositeBuilder {
public:
  CompositeBuilder(GroupFunctions &functions, func::FuncOp function,
                   ArrayRef<ResultPlace> places)
      : functions(functions), places(places),
        builder(OpBuilder::atBlockEnd(function.addEntryBlock())) {}

  void build(GroupOp launch, ValueRange buffers);

private:
  void emitBlock(Block &block);
  void emitCall(GroupOp part);
  void emitIf(IfOp branch);
  void emitReshape(Operation &op);
  ResultPlace getPlaceOf(Value init);

  GroupFunctions &functions;
  ArrayRef<ResultPlace> places; // of the composite's results
  OpBuilder builder;
  IRMapping buffers; // body arguments, and results by their destinations
};
} // namespace

/// Returns where a result of the composite lies that a part makes in `init`.
ResultPlace CompositeBuilder::getPlaceOf(Value init) {
  auto argument = dyn_cast<BlockArgument>(init);
  if (!argument) {
    return {};
  }
  unsigned inputs = argument.getOwner()->getNumArguments() - places.size();
  return argument.getArgNumber() < inputs
             ? ResultPlace()
             : places[argument.getArgNumber() - inputs];
}

void CompositeBuilder::emitCall(GroupOp part) {
  SmallVector<Value> operands;
  for (Value operand : part->getOperands()) {
    operands.push_back(buffers.lookup(operand));
  }
  auto own = llvm::map_to_vector(part.getInits(),
                                 [&](Value init) { return getPlaceOf(init); });
  func::FuncOp function = functions.getOrCreate(part, own);
  function->setAttr(kPartAttr, builder.getUnitAttr());
  auto call = func::CallOp::create(builder, part.getLoc(), function, operands);
  if (isReadByParts(part)) {
    call->setAttr(kEachBlockAttr,
                  builder.getI64IntegerAttr(part.getNumResults()));
  }
  for (auto [result, init] :
       llvm::zip_equal(part.getResults(), part.getInits())) {
    buffers.map(result, buffers.lookup(init));
  }
}

void CompositeBuilder::emitIf(IfOp branch) {
  Location loc = branch.getLoc();
  Value condition = memref::LoadOp::create(
      builder, loc, buffers.lookup(branch.getCondition()), ValueRange());
  auto lowered =
      scf::IfOp::create(builder, loc, condition, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(lowered.thenYield());
  emitBlock(branch.getThenRegion().front());
  builder.setInsertionPoint(lowered.elseYield());
  emitBlock(branch.getElseRegion().front());
  for (auto [result, value] : llvm::zip_equal(
           branch.getResults(), branch.getThenYield().getValues())) {
    buffers.map(result, buffers.lookup(value));
  }
}

/// Lets a part see a destination in another shape; what it made there is the
/// destination.
void CompositeBuilder::emitReshape(Operation &op) {
  Value source = op.getOperand(0);
  if (auto part = source.getDefiningOp<GroupOp>()) {
    Value view = part.getInits()[cast<OpResult>(source).getResultNumber()];
    Value destination = view.getDefiningOp()->getOperand(0);
    buffers.map(op.getResult(0), buffers.lookup(destination));
    return;
  }
  auto tensor = cast<RankedTensorType>(op.getResult(0).getType());
  auto type = MemRefType::get(tensor.getShape(), tensor.getElementType());
  Value buffer = buffers.lookup(source);
  Value view;
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    view = memref::ExpandShapeOp::create(builder, op.getLoc(), type, buffer,
                                         expand.getReassociationIndices());
  } else {
    auto collapse = cast<tensor::CollapseShapeOp>(op);
    view = memref::CollapseShapeOp::create(builder, op.getLoc(), type, buffer,
                                           collapse.getReassociationIndices());
  }
  buffers.map(op.getResult(0), view);
}

void CompositeBuilder::emitBlock(Block &block) {
  for (Operation &op : block.without_terminator()) {
    if (auto part = dyn_cast<GroupOp>(op)) {
      emitCall(part);
    } else if (isReshape(&op)) {
      emitReshape(op);
    } else {
      emitIf(cast<IfOp>(op));
    }
  }
}

void CompositeBuilder::build(GroupOp launch, ValueRange arguments) {
  buffers.map(launch.getBodyBlock()->getArguments(), arguments);
  emitBlock(*launch.getBodyBlock());
  func::ReturnOp::create(builder, launch.getLoc());
}

/// Returns what equal composites have in common, as text: all but their names.
static std::string describe(func::FuncOp function) {
  std::string text;
  llvm::raw_string_ostream os(text);
  function->print(os, OpPrintingFlags().useLocalScope());
  return text;
}

func::FuncOp
GroupFunctions::getOrCreateComposite(GroupOp launch,
                                     ArrayRef<ResultPlace> places) {
  Location loc = launch.getLoc();
  SmallVector<Type> types = getArgumentTypes(launch, places);
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  auto function = func::FuncOp::create(builder, loc, "composite",
                                       builder.getFunctionType(types, {}));
  function.setPrivate();
  function->setAttr(kCompositeAttr, builder.getUnitAttr());
  function->setAttr(kKindsAttr, launch.getKindsAttr());
  CompositeBuilder(*this, function, places)
      .build(launch, function.getArguments());
  auto [known, isNew] = composites.try_emplace(describe(function), function);
  if (!isNew) {
    function.erase();
    return known->second;
  }
  // After its parts, which may be new.
  function->moveBefore(module.getBody(), module.getBody()->end());
  function.setName("group_" + std::to_string(count++));
  function->setAttr(kGroupAttr, launch.getNameAttr());
  return function;
}
