//===- Control.cpp - random branches and loops ----------------------------===//

#include "Generator.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::fuzz;

void Generator::inBlock(Block &block, llvm::function_ref<void()> fill) {
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Value> outside = values;
  builder.setInsertionPointToEnd(&block);
  ++depth;
  fill();
  --depth;
  for (Value value : values) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (argument && argument.getOwner() == &entry.getBody().front() &&
        !llvm::is_contained(outside, value)) {
      outside.push_back(value);
    }
  }
  values = outside;
}

Value Generator::addToChain(Value value) {
  if (!isNumber(value)) {
    return addElementwise("xor", {value, getLike(value)}, {});
  }
  if (random.chance(50)) {
    return addFunction(value);
  }
  Value other = getLike(value);
  return addElementwise(random.pick<StringRef>({"add", "mul", "max", "sub"}),
                        {value, other}, {});
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

void Generator::fillArm(Block &block, ArrayRef<Value> starts) {
  inBlock(block, [&] {
    SmallVector<Value> yielded;
    for (Value start : starts) {
      RankedTensorType type = getType(start);
      Shape shape(getShape(start));
      Value result = start;
      for (int64_t i = random.below(4); i > 0; --i) {
        if (depth < 3 && random.chance(10)) {
          addIf();
        } else if (random.chance(15)) {
          step();
        } else {
          result = addToChain(result);
        }
      }
      Value other = pick([&](Value v) {
        return v.getType() == type && getShape(v) == ArrayRef(shape);
      });
      yielded.push_back(other && random.chance(25) ? other : result);
    }
    YieldOp::create(builder, loc, yielded);
  });
}

Value Generator::makeCondition() {
  Value given =
      pick([&](Value v) { return isBool(v) && getRank(v) == 0 && isExact(v); });
  if (given && random.chance(50)) {
    return given;
  }
  Value array = pick(
      [&](Value v) { return isNumber(v) && isExact(v) && getRank(v) > 0; });
  if (!array || random.chance(50)) {
    return makeArgument(builder.getI1Type(), {});
  }
  // Whether something holds of a whole array: its sum, mean or largest element
  // is above a number.
  auto kind =
      random.pick({ReduceKind::max, ReduceKind::min, ReduceKind::sum,
                   isFloat(array) ? ReduceKind::mean : ReduceKind::sum});
  auto reduce =
      ReduceOp::create(builder, loc, kind, array,
                       llvm::to_vector(llvm::seq<int64_t>(0, getRank(array))));
  Value scalar = add(reduce, {});
  if (!isExact(scalar)) {
    return makeArgument(builder.getI1Type(), {});
  }
  auto predicate = random.pick({ComparePredicate::gt, ComparePredicate::le});
  Value limit = makeConstant(double(random.between(0, 1)), scalar);
  return add(CompareOp::create(builder, loc, predicate, scalar, limit), {});
}

bool Generator::addIf() {
  Value condition = makeCondition();
  SmallVector<Value> starts;
  SmallVector<Type> types;
  SmallVector<Shape> known;
  int64_t wanted = random.chance(70) ? 1 : random.between(2, 3);
  for (int64_t i = 0; i < wanted; ++i) {
    Value start = pick([](Value) { return true; });
    starts.push_back(start);
    types.push_back(start.getType());
    known.push_back(Shape(getShape(start)));
  }
  auto branch = IfOp::create(builder, loc, types, condition);
  fillArm(branch.getThenRegion().emplaceBlock(), starts);
  fillArm(branch.getElseRegion().emplaceBlock(), starts);
  exactness.visit(branch);
  for (auto [result, shape] : llvm::zip(branch.getResults(), known)) {
    addValue(result, shape);
  }
  return true;
}

/// The same operations in both arms, on other operands.
bool Generator::addTwinIf() {
  Value value = pickMatrix();
  Shape shape(getShape(value));
  int64_t kind = random.below(4);
  int64_t columns = kind < 2 ? pickColumns(shape[0], shape[1]) : shape[1];
  Shape result{shape[0], columns};
  if (count(result) > mostElements) {
    return false;
  }
  Value second = random.chance(40) ? getLike(value) : value;
  Value condition = makeCondition();
  auto type =
      RankedTensorType::get({getType(value).getDimSize(0),
                             kind < 2 ? columns : getType(value).getDimSize(1)},
                            getElement(value));
  bool hasEpilogue = random.chance(60);
  auto fill = [&](Value operand) {
    Value made;
    if (kind < 2) {
      auto weights = RankedTensorType::get(
          {getType(value).getDimSize(1), columns}, getElement(value));
      made = addProduct(operand, makeArgument(weights, {shape[1], columns}));
    } else if (kind == 2) {
      auto row = RankedTensorType::get(type.getShape().drop_front(),
                                       getElement(value));
      Value scale = makeArgument(row, {shape[1]});
      made = add(RmsNormOp::create(builder, loc, operand, scale,
                                   builder.getI64IntegerAttr(1),
                                   builder.getF32FloatAttr(1e-5f)),
                 shape);
    } else {
      made = addElementwise("mul", {operand, makeArgument(type, shape)}, {});
    }
    YieldOp::create(builder, loc, hasEpilogue ? addFunction(made) : made);
  };
  auto branch = IfOp::create(builder, loc, type, condition);
  inBlock(branch.getThenRegion().emplaceBlock(), [&] { fill(value); });
  inBlock(branch.getElseRegion().emplaceBlock(), [&] { fill(second); });
  Value chosen = add(branch, result);
  if (random.chance(50)) {
    addFunction(chosen);
  }
  return true;
}

void Generator::fillCase(Block &block, Value start, Value number, int64_t index,
                         int64_t count) {
  inBlock(block, [&] {
    Shape shape(getShape(start));
    if (index + 1 == count) {
      YieldOp::create(builder, loc, ValueRange{addToChain(start)});
      return;
    }
    Value wanted = makeConstant(double(index), number);
    Value condition = add(
        CompareOp::create(builder, loc, ComparePredicate::eq, number, wanted),
        {});
    auto branch = IfOp::create(builder, loc, start.getType(), condition);
    inBlock(branch.getThenRegion().emplaceBlock(), [&] {
      Value result = random.chance(15) ? start : addToChain(start);
      YieldOp::create(builder, loc, ValueRange{result});
    });
    fillCase(branch.getElseRegion().emplaceBlock(), start, number, index + 1,
             count);
    exactness.visit(branch);
    addValue(branch.getResult(0), shape);
    YieldOp::create(builder, loc, branch.getResults());
  });
}

/// One of several subgraphs: branches in the other arms of branches.
bool Generator::addCase() {
  Value start = pick([](Value) { return true; });
  Shape shape(getShape(start));
  int64_t count = random.between(3, 6);
  Value number = makeArgument(builder.getI64Type(), {},
                              "index" + std::to_string(count) + "_");
  Value condition = add(CompareOp::create(builder, loc, ComparePredicate::eq,
                                          number, makeConstant(0, number)),
                        {});
  auto branch = IfOp::create(builder, loc, start.getType(), condition);
  inBlock(branch.getThenRegion().emplaceBlock(), [&] {
    YieldOp::create(builder, loc, ValueRange{addToChain(start)});
  });
  fillCase(branch.getElseRegion().emplaceBlock(), start, number, 1, count);
  add(branch, shape);
  return true;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void Generator::fillLoop(LoopOp loop) {
  Block &body = loop.getBody().front();
  inBlock(body, [&] {
    SmallVector<Value> yielded;
    for (BlockArgument argument : body.getArguments().drop_front()) {
      RankedTensorType type = getType(argument);
      Shape shape(getShape(argument));
      Value result = argument;
      if (isFloat(argument) && random.chance(40)) {
        Value number = addCastTo(body.getArgument(0), getElement(argument));
        result = addElementwise("add",
                                {result, broadcast(number, argument, {})}, {});
      }
      for (int64_t i = random.below(4); i > 0; --i) {
        if (random.chance(20) && depth < 3) {
          step();
        } else {
          result = addToChain(result);
        }
      }
      // What was taken to be exact in the body has to stay so.
      bool mustBeExact = isExact(argument);
      Value other = pick([&](Value v) {
        return v.getType() == type && getShape(v) == ArrayRef(shape);
      });
      result = other && random.chance(25) ? other : result;
      yielded.push_back(mustBeExact && !isExact(result) ? Value(argument)
                                                        : result);
    }
    YieldOp::create(builder, loc, yielded);
  });
}

bool Generator::addLoop() {
  if (depth > 1) {
    return false;
  }
  SmallVector<Value> starts;
  SmallVector<Shape> known;
  for (int64_t i = random.between(1, 2); i > 0; --i) {
    Value start = pick([](Value) { return true; });
    starts.push_back(start);
    known.push_back(Shape(getShape(start)));
  }
  auto loop = LoopOp::create(builder, loc, ValueRange(starts).getTypes(),
                             uint64_t(random.below(4)), starts);
  Block &body = loop.getBody().emplaceBlock();
  auto number = RankedTensorType::get({}, builder.getI64Type());
  Value counter = body.addArgument(number, loc);
  shapes[counter] = {};
  exactness.assume(counter, {true, 0});
  SmallVector<Value> carried{counter};
  for (auto [start, shape] : llvm::zip(starts, known)) {
    Value argument = body.addArgument(start.getType(), loc);
    shapes[argument] = shape;
    exactness.assume(argument, {isExact(start), 0});
    carried.push_back(argument);
  }
  values.append(carried);
  fillLoop(loop);
  llvm::erase_if(
      values, [&](Value value) { return llvm::is_contained(carried, value); });
  exactness.visit(loop);
  for (auto [result, shape] : llvm::zip(loop.getResults(), known)) {
    addValue(result, shape);
  }
  return true;
}
