//===- Generator.cpp - random graphs --------------------------------------===//

#include "Generator.h"
#include "fusion/Dialect/Fusion/IR/Directives.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::fuzz;

Generator::Generator(MLIRContext *context, uint64_t seed,
                     const PipelineOptions &pipeline)
    : context(context), random(seed), builder(context),
      loc(builder.getUnknownLoc()), exactness(pipeline), mostElements(3000),
      mostWork(200000) {
  // What an emulator runs stays small.
  if (random.chance(5) && !pipeline.emulate) {
    mostElements = 60000;
    mostWork = 4000000;
  }
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

int64_t Generator::count(ArrayRef<int64_t> shape) {
  int64_t elements = 1;
  for (int64_t size : shape) {
    elements *= size;
  }
  return elements;
}

Type Generator::pickElement() {
  if (!elements.empty() && random.chance(75)) {
    return random.pick(ArrayRef<Type>(elements));
  }
  auto integer = [&](unsigned width, bool isUnsigned) -> Type {
    return IntegerType::get(context, width,
                            isUnsigned ? IntegerType::Unsigned
                                       : IntegerType::Signless);
  };
  switch (random.below(16)) {
  case 0:
  case 1:
  case 2:
    return builder.getF16Type();
  case 3:
  case 4:
    return builder.getBF16Type();
  case 5:
    return builder.getF64Type();
  case 6:
    return integer(32, false);
  case 7:
    return integer(64, random.chance(30));
  case 8:
    return integer(8, random.chance(50));
  case 9:
    return integer(random.pick({16u, 32u}), random.chance(50));
  case 10:
    return integer(1, false);
  default:
    return builder.getF32Type();
  }
}

Type Generator::pickFloatType() {
  for (int attempt = 0; attempt < 4; ++attempt) {
    Type element = pickElement();
    if (isa<FloatType>(element)) {
      return element;
    }
  }
  return builder.getF32Type();
}

int64_t Generator::pickSize() {
  if (!sizes.empty() && random.chance(70)) {
    return random.pick(ArrayRef<int64_t>(sizes));
  }
  if (random.chance(3)) {
    return 0;
  }
  return random.pick<int64_t>(
      {1, 1, 2, 3, 4, 5, 7, 8, 13, 16, 17, 31, 32, 33, 64, 65, 100, 129, 257});
}

int64_t Generator::pickColumns(int64_t rows, int64_t terms) {
  int64_t columns = pickSize();
  bool fits = rows * terms * columns <= mostWork &&
              rows * columns <= mostElements && terms * columns <= mostElements;
  return fits ? columns : random.between(1, 8);
}

Generator::Shape Generator::pickShape(int64_t least, int64_t most) {
  Shape shape;
  int64_t rank = random.between(least, most);
  while (static_cast<int64_t>(shape.size()) < rank) {
    int64_t size = pickSize();
    shape.push_back(count(shape) * size > mostElements ? random.between(1, 2)
                                                       : size);
  }
  return shape;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value Generator::add(Operation *op, ArrayRef<int64_t> shape) {
  exactness.visit(op);
  if (hasDirectives && op->getNumRegions() == 0 && random.chance(20)) {
    bool together = random.chance(50);
    op->setAttr(together ? kFuseWithAttr : kNoFuseAttr,
                together ? Attribute(builder.getStringAttr("set"))
                         : Attribute(builder.getUnitAttr()));
  }
  return addValue(op->getResult(0), shape);
}

Value Generator::addValue(Value value, ArrayRef<int64_t> shape) {
  shapes[value] = Shape(shape);
  values.push_back(value);
  return value;
}

Value Generator::pick(Filter filter) {
  SmallVector<Value> fitting;
  for (Value value : values) {
    if (filter(value)) {
      fitting.push_back(value);
    }
  }
  if (fitting.empty()) {
    return {};
  }
  auto size = static_cast<int64_t>(fitting.size());
  int64_t first = random.chance(60) ? std::max<int64_t>(0, size - 3) : 0;
  return fitting[random.between(first, size - 1)];
}

/// Names the dynamic dims by their sizes, "" elsewhere.
static SmallVector<Attribute> nameDims(Builder &builder, RankedTensorType type,
                                       ArrayRef<int64_t> shape) {
  SmallVector<Attribute> names;
  for (int64_t i = 0, e = type.getRank(); i < e; ++i) {
    names.push_back(builder.getStringAttr(
        type.isDynamicDim(i) ? "size" + std::to_string(shape[i]) : ""));
  }
  return names;
}

Value Generator::makeArgument(RankedTensorType type, ArrayRef<int64_t> shape,
                              StringRef prefix) {
  std::string name = prefix.str();
  if (name.empty() && isa<FloatType>(type.getElementType()) &&
      random.chance(35)) {
    name = "int" + std::to_string(random.between(1, 4)) + "_";
  }
  name += "x" + std::to_string(numArguments++);
  SmallVector<NamedAttribute> attributes{builder.getNamedAttr(
      FusionDialect::kNameAttr, builder.getStringAttr(name))};
  if (!type.hasStaticShape()) {
    attributes.push_back(builder.getNamedAttr(
        FusionDialect::kDimsAttr,
        builder.getArrayAttr(nameDims(builder, type, shape))));
  }
  if (int64_t role = random.below(100); role < 25) {
    attributes.push_back(builder.getNamedAttr(
        role < 20 ? FusionDialect::kWeightAttr : FusionDialect::kDonatedAttr,
        builder.getUnitAttr()));
  }
  unsigned index = entry.getNumArguments();
  (void)entry.insertArgument(index, type, builder.getDictionaryAttr(attributes),
                             loc);
  Value argument = entry.getArgument(index);
  exactness.visitArgument(argument, name);
  return addValue(argument, shape);
}

Value Generator::makeArgument(Type element, ArrayRef<int64_t> shape,
                              StringRef prefix) {
  SmallVector<int64_t> dims(shape);
  for (int64_t &dim : dims) {
    if (llvm::is_contained(dynamicSizes, dim) && random.chance(80)) {
      dim = ShapedType::kDynamic;
    }
  }
  return makeArgument(RankedTensorType::get(dims, element), shape, prefix);
}

Attribute Generator::makeNumber(Type element) {
  if (isa<FloatType>(element)) {
    double value = random.pick({0.0, 1.0, -1.0, 0.5, 2.0, 3.0, -0.0, -0.25});
    return builder.getFloatAttr(element, value);
  }
  int64_t most = element.isInteger(1) ? 1 : 5;
  return IntegerAttr::get(element, random.between(0, most));
}

Value Generator::broadcast(Value value, Value like, ArrayRef<int64_t> dims) {
  Shape shape(getShape(like));
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, like);
  return add(BroadcastOp::create(builder, loc, value, sizes, dims), shape);
}

Value Generator::makeSplat(Value like) {
  Type element = getElement(like);
  Shape shape(getShape(like));
  if (getType(like).hasStaticShape() && count(shape) < 20 &&
      random.chance(30)) {
    SmallVector<Attribute> numbers;
    for (int64_t i = 0; i < count(shape); ++i) {
      numbers.push_back(makeNumber(element));
    }
    return add(
        ConstantOp::create(builder, loc,
                           DenseElementsAttr::get(getType(like), numbers)),
        shape);
  }
  auto type = RankedTensorType::get({}, element);
  auto number = DenseElementsAttr::get(type, makeNumber(element));
  auto constant = ConstantOp::create(builder, loc, number);
  exactness.visit(constant);
  shapes[constant.getResult()] = {};
  return broadcast(constant, like, {});
}

Value Generator::getLike(Value value, bool exactOnly) {
  Shape shape(getShape(value));
  RankedTensorType type = getType(value);
  Value found = pick([&](Value other) {
    return other.getType() == type && getShape(other) == ArrayRef(shape) &&
           (!exactOnly || isExact(other));
  });
  int64_t choice = random.below(10);
  if (found && choice < 6) {
    return found;
  }
  if (choice < 8) {
    return makeSplat(value);
  }
  auto rank = static_cast<int64_t>(shape.size());
  if (choice < 9 && rank > 0) {
    // One of the trailing dims, as biases are.
    int64_t first = random.between(0, rank - 1);
    SmallVector<int64_t> dims =
        llvm::to_vector(llvm::seq<int64_t>(first, rank));
    auto narrow = RankedTensorType::get(type.getShape().drop_front(first),
                                        type.getElementType());
    Value bias =
        makeArgument(narrow, ArrayRef<int64_t>(shape).drop_front(first));
    return broadcast(bias, value, dims);
  }
  return makeArgument(type, shape);
}

//===----------------------------------------------------------------------===//
// The graph
//===----------------------------------------------------------------------===//

ArrayRef<std::pair<Generator::Step, int>> Generator::getSteps() {
  static const std::pair<Step, int> steps[] = {
      {&Generator::addUnary, 22},
      {&Generator::addBinary, 26},
      {&Generator::addBits, 5},
      {&Generator::addCompare, 4},
      {&Generator::addSelect, 5},
      {&Generator::addClamp, 2},
      {&Generator::addCast, 7},
      {&Generator::addIf, 4},
      {&Generator::addTwinIf, 2},
      {&Generator::addCase, 1},
      {&Generator::addLoop, 2},
      {&Generator::addBroadcast, 4},
      {&Generator::addTranspose, 6},
      {&Generator::addReshape, 6},
      {&Generator::addSlice, 5},
      {&Generator::addConcat, 4},
      {&Generator::addPad, 3},
      {&Generator::addGather, 3},
      {&Generator::addGatherElements, 2},
      {&Generator::addGatherNd, 2},
      {&Generator::addScatterNd, 2},
      {&Generator::addScatterElements, 2},
      {&Generator::addArgReduce, 3},
      {&Generator::addTopK, 3},
      {&Generator::addIota, 1},
      {&Generator::addReduce, 12},
      {&Generator::addSoftmax, 4},
      {&Generator::addNorm, 4},
      {&Generator::addCumsum, 2},
      {&Generator::addMatmul, 10},
      {&Generator::addConv, 3},
      {&Generator::addConvTranspose, 3},
      {&Generator::addPool, 3},
      {&Generator::addConvPair, 2},
      {&Generator::addLowRank, 2},
      {&Generator::addDequantized, 2},
      {&Generator::addGatedUnit, 2},
      {&Generator::addHeads, 1},
      {&Generator::addPerceptron, 2},
      {&Generator::addStatistics, 3},
      {&Generator::addEmbedding, 1},
      {&Generator::addSiblings, 1},
      {&Generator::addAttention, 3},
  };
  return steps;
}

void Generator::step() {
  ArrayRef<std::pair<Step, int>> steps = getSteps();
  int total = 0;
  for (const auto &[step, weight] : steps) {
    total += weight;
  }
  for (int attempt = 0; attempt < 20; ++attempt) {
    int64_t choice = random.below(total);
    for (const auto &[step, weight] : steps) {
      choice -= weight;
      if (choice < 0) {
        if ((this->*step)()) {
          return;
        }
        break;
      }
    }
  }
}

void Generator::returnValues() {
  SmallVector<Value> returned;
  for (Value value : values) {
    if (isa<BlockArgument>(value)) {
      continue;
    }
    if (value.use_empty() || random.chance(8)) {
      returned.push_back(value);
    }
  }
  if (returned.empty()) {
    returned.push_back(values.back());
  }
  SmallVector<Attribute> attributes;
  for (auto [index, value] : llvm::enumerate(returned)) {
    SmallVector<NamedAttribute> result{builder.getNamedAttr(
        FusionDialect::kNameAttr,
        builder.getStringAttr("y" + std::to_string(index)))};
    RankedTensorType type = getType(value);
    if (!type.hasStaticShape()) {
      result.push_back(builder.getNamedAttr(
          FusionDialect::kDimsAttr,
          builder.getArrayAttr(nameDims(builder, type, getShape(value)))));
    }
    attributes.push_back(builder.getDictionaryAttr(result));
  }
  func::ReturnOp::create(builder, loc, returned);
  entry.setType(FunctionType::get(context, entry.getArgumentTypes(),
                                  TypeRange(ValueRange(returned))));
  entry.setResAttrsAttr(builder.getArrayAttr(attributes));
}

OwningOpRef<ModuleOp> Generator::generate() {
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  builder.setInsertionPointToEnd(module->getBody());
  entry = func::FuncOp::create(builder, loc, "main",
                               builder.getFunctionType({}, {}));
  builder.setInsertionPointToEnd(entry.addEntryBlock());
  hasDirectives = random.chance(5);
  for (int i = 0; i < 2; ++i) {
    elements.push_back(pickElement());
  }
  for (int i = 0; i < 3; ++i) {
    sizes.push_back(pickSize());
  }
  if (random.chance(45)) {
    dynamicSizes.push_back(sizes[0]);
  }
  if (random.chance(20)) {
    dynamicSizes.push_back(sizes[1]);
  }
  for (int64_t i = random.between(1, 3); i > 0; --i) {
    makeArgument(pickElement(), pickShape(0, 4));
  }
  int64_t kind = random.below(100);
  int64_t numSteps = kind < 80   ? random.between(1, 6)
                     : kind < 97 ? random.between(7, 16)
                                 : random.between(17, 45);
  for (int64_t i = 0; i < numSteps; ++i) {
    step();
  }
  if (llvm::all_of(values, [](Value v) { return isa<BlockArgument>(v); })) {
    addElementwise("neg", makeArgument(builder.getF32Type(), {3}), {});
  }
  returnValues();
  return module;
}
