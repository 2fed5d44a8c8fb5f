//===- ReadInits.cpp - destinations that are read, as operands ------------===//
//
// Other compilers update an array in place: an elementwise op reads the element
// that it overwrites. As an operand beside an empty destination it is a read
// like any other, which a kernel can compute.
//
//===----------------------------------------------------------------------===//

#include "fusion/Planner/AdoptLinalg.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fusion;
using linalg::GenericOp;

/// Returns the destinations of `op` that its body reads and a kernel may
/// compute: an argument's memory is read where it lies.
static SmallVector<OpOperand *> findReadInits(GenericOp op) {
  SmallVector<OpOperand *> inits;
  if (!op.hasPureTensorSemantics() ||
      op.getNumParallelLoops() != op.getNumLoops()) {
    return inits;
  }
  for (OpOperand &init : op.getDpsInitsMutable()) {
    AffineMap map = op.getMatchingIndexingMap(&init);
    if (op.payloadUsesValueFromOperand(&init) && map.isPermutation()) {
      inits.push_back(&init);
    }
  }
  return inits;
}

/// Lets `op` read `inits` as operands.
static void readAsOperands(GenericOp op, ArrayRef<OpOperand *> inits) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<Value> inputs = op.getInputs();
  SmallVector<Value> outputs = op.getOutputs();
  SmallVector<unsigned> numbers; // of the destinations
  for (OpOperand *init : inits) {
    numbers.push_back(init->getOperandNumber() - op.getNumDpsInputs());
    maps.insert(maps.begin() + inputs.size(), op.getMatchingIndexingMap(init));
    inputs.push_back(init->get());
    auto type = cast<RankedTensorType>(init->get().getType());
    outputs[numbers.back()] = tensor::EmptyOp::create(
        builder, loc, tensor::getMixedSizes(builder, loc, init->get()),
        type.getElementType(), type.getEncoding());
  }
  auto reader = GenericOp::create(builder, loc, op->getResultTypes(), inputs,
                                  outputs, maps, op.getIteratorTypesArray());
  reader->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  reader.getRegion().takeBody(op.getRegion());
  Block *body = reader.getBlock();
  unsigned numInputs = op.getNumDpsInputs();
  for (auto [added, number] : llvm::enumerate(numbers)) {
    unsigned position = numInputs + added;
    BlockArgument element = body->insertArgument(
        position, body->getArgument(position + number).getType(), loc);
    body->getArgument(position + 1 + number).replaceAllUsesWith(element);
  }
  op->replaceAllUsesWith(reader->getResults());
  op.erase();
}

/// Makes a `linalg.map` that reads its destination a generic op: upstream says
/// of it that it does not.
static void generalizeMaps(func::FuncOp func) {
  SmallVector<linalg::MapOp> maps;
  func.walk([&](linalg::MapOp map) {
    bool reads = !map.getMapper().front().getArguments().back().use_empty();
    if (reads && map.hasPureTensorSemantics()) {
      maps.push_back(map);
    }
  });
  IRRewriter rewriter(func.getContext());
  for (linalg::MapOp map : maps) {
    DictionaryAttr attributes = map->getDiscardableAttrDictionary();
    rewriter.setInsertionPoint(map);
    FailureOr<GenericOp> op = linalg::generalizeNamedOp(rewriter, map);
    if (succeeded(op)) {
      (*op)->setDiscardableAttrs(attributes);
    }
  }
}

void fusion::readInits(func::FuncOp func) {
  generalizeMaps(func);
  SmallVector<GenericOp> ops;
  func.walk([&](GenericOp op) { ops.push_back(op); });
  for (GenericOp op : ops) {
    if (SmallVector<OpOperand *> inits = findReadInits(op); !inits.empty()) {
      readAsOperands(op, inits);
    }
  }
}
