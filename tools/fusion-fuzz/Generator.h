//===- Generator.h - random graphs ------------------------------*- C++ -*-===//

#ifndef FUSION_TOOLS_FUSION_FUZZ_GENERATOR_H
#define FUSION_TOOLS_FUSION_FUZZ_GENERATOR_H

#include "Exactness.h"
#include "Random.h"
#include "fusion/Dialect/Fusion/IR/Fusion.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OwningOpRef.h"
#include <optional>

namespace mlir::fusion::fuzz {

/// Makes one graph of the fusion dialect, whose @main has names as
/// Inputs.h wants them. All choices follow from the seed. Ops that are not
/// continuous (comparisons, roundings, conversions to integers, searches) read
/// exact values only.
class Generator {
public:
  Generator(MLIRContext *context, uint64_t seed,
            const PipelineOptions &pipeline);

  OwningOpRef<ModuleOp> generate();

private:
  using Shape = SmallVector<int64_t, 4>;
  using Step = bool (Generator::*)();
  using Filter = llvm::function_ref<bool(Value)>;

  // The graph (Generator.cpp).
  void step();
  void returnValues();

  // Values.
  RankedTensorType getType(Value value) const {
    return cast<RankedTensorType>(value.getType());
  }
  Type getElement(Value value) const { return getType(value).getElementType(); }
  int64_t getRank(Value value) const { return getType(value).getRank(); }
  ArrayRef<int64_t> getShape(Value value) const {
    return shapes.find(value)->second;
  }
  bool isExact(Value value) const { return exactness.get(value).exact; }
  bool isFloat(Value value) const { return isa<FloatType>(getElement(value)); }
  bool isBool(Value value) const { return getElement(value).isInteger(1); }
  bool isNumber(Value value) const { return !isBool(value); }
  static int64_t count(ArrayRef<int64_t> shape);
  /// A value in scope for which `filter` holds, the later ones more often; null
  /// if there is none.
  Value pick(Filter filter);
  /// Another value of the type and shape of `value`; perhaps itself.
  Value getLike(Value value, bool exactOnly = false);
  Value makeArgument(RankedTensorType type, ArrayRef<int64_t> shape,
                     StringRef prefix = "");
  Value makeArgument(Type element, ArrayRef<int64_t> shape,
                     StringRef prefix = "");
  Value makeSplat(Value like);
  Value broadcast(Value value, Value like, ArrayRef<int64_t> dims);
  Attribute makeNumber(Type element);

  // Choices.
  Type pickElement();
  int64_t pickSize();
  Shape pickShape(int64_t least, int64_t most);

  /// Adds what an op of one result computes, or a value, of known shape to what
  /// may be used.
  Value add(Operation *op, ArrayRef<int64_t> shape);
  Value addValue(Value value, ArrayRef<int64_t> shape);
  Value addElementwise(StringRef name, ValueRange operands, Type result);

  // Steps: false where no value fits. Elementwise.cpp
  bool addUnary();
  bool addBinary();
  bool addBits();
  bool addCompare();
  bool addSelect();
  bool addClamp();
  bool addCast();
  bool addIf();
  void fillBranch(Block &block, Value start);
  // Movement.cpp
  bool addBroadcast();
  bool addTranspose();
  bool addReshape();
  bool addSlice();
  bool addConcat();
  bool addPad();
  bool addGather();
  bool addGatherElements();
  bool addIota();
  // Sums.cpp
  bool addReduce();
  bool addSoftmax();
  bool addNorm();
  bool addCumsum();
  bool addMatmul();
  bool addConv();
  bool addPool();
  bool addAttention();

  MLIRContext *context;
  Random random;
  OpBuilder builder;
  Location loc;
  Exactness exactness;
  func::FuncOp entry;
  SmallVector<Value> values;
  llvm::DenseMap<Value, Shape> shapes;
  /// Sizes that are dynamic in most arguments.
  SmallVector<int64_t> dynamicSizes;
  /// The graph's favourite types and sizes, so that values meet.
  SmallVector<Type> elements;
  SmallVector<int64_t> sizes;
  int numArguments = 0;
  /// How deep the branches around are.
  int depth = 0;
};

} // namespace mlir::fusion::fuzz

#endif // FUSION_TOOLS_FUSION_FUZZ_GENERATOR_H
