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
/// exact values only. Most graphs are small; a few have up to a hundred ops,
/// and a few, where no emulator has to run them, large arrays.
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
  /// All steps, with how often each is tried.
  static ArrayRef<std::pair<Step, int>> getSteps();
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

  Type pickFloatType();
  /// A float value of rank 2; a new argument where there is none, or rarely.
  Value pickMatrix();
  /// Columns for a product of `rows` x `terms`, within the limits.
  int64_t pickColumns(int64_t rows, int64_t terms);

  /// Adds what an op of one result computes, or a value, of known shape to what
  /// may be used.
  Value add(Operation *op, ArrayRef<int64_t> shape);
  Value addValue(Value value, ArrayRef<int64_t> shape);
  Value addElementwise(StringRef name, ValueRange operands, Type result);

  // Parts of steps. Elementwise.cpp
  Value makeConstant(double number, Value like);
  Value addFunction(Value value);
  Value addCastTo(Value value, Type element);
  // Movement.cpp
  Value addReshapeTo(Value value, ArrayRef<OpFoldResult> sizes,
                     ArrayRef<int64_t> shape);
  Value addTransposeBy(Value value, ArrayRef<int64_t> perm);
  // Sums.cpp
  Value makeWeights(Type element, ArrayRef<int64_t> shape);
  Value addProduct(Value lhs, Value rhs, bool transposeA = false,
                   bool transposeB = false, Type element = {});
  /// `value` (rank 2) times weights of `columns` columns.
  Value addLinear(Value value, int64_t columns);
  /// Adds an argument along the last dim of `value`.
  Value addBias(Value value);
  /// A reduction over the last dim, repeated along it.
  Value addRowStatistic(ReduceKind kind, Value value);
  // Windows.cpp
  Value addConvOf(Value value, int64_t filters, int64_t groups);
  Value addChannelNorm(Value value);
  Value addDequantizedFilters(Type element, ArrayRef<int64_t> shape);

  // Steps: false where no value fits. Elementwise.cpp
  bool addUnary();
  bool addBinary();
  bool addBits();
  bool addCompare();
  bool addSelect();
  bool addClamp();
  bool addCast();
  // Control.cpp
  bool addIf();
  /// A scalar condition: given, or computed from an array.
  Value makeCondition();
  bool addTwinIf();
  bool addCase();
  bool addLoop();
  /// Runs `fill` with the builder at the end of `block`. What it makes cannot
  /// be used behind it; arguments of the graph can.
  void inBlock(Block &block, llvm::function_ref<void()> fill);
  void fillArm(Block &block, ArrayRef<Value> starts);
  Value addToChain(Value value);
  void fillCase(Block &block, Value start, Value number, int64_t index,
                int64_t count);
  void fillLoop(LoopOp loop);
  // Movement.cpp
  bool addBroadcast();
  bool addTranspose();
  bool addReshape();
  bool addSlice();
  bool addConcat();
  bool addPad();
  bool addIota();
  // Indexed.cpp
  bool addGather();
  bool addGatherElements();
  bool addGatherNd();
  bool addScatterElements();
  bool addScatterNd();
  bool addArgReduce();
  bool addTopK();
  Value makeIndices(ArrayRef<int64_t> shape, int64_t size);
  Value makeIndices(RankedTensorType type, ArrayRef<int64_t> shape,
                    int64_t size);
  Value makeUpdates(RankedTensorType type, ArrayRef<int64_t> shape);
  ScatterKind pickScatterKind(Value value);
  // Sums.cpp
  bool addReduce();
  bool addSoftmax();
  bool addNorm();
  bool addCumsum();
  bool addMatmul();
  // Windows.cpp
  bool addConv();
  bool addConvTranspose();
  bool addPool();
  bool addConvPair();
  // Blocks.cpp
  bool addLowRank();
  bool addDequantized();
  bool addGatedUnit();
  bool addHeads();
  bool addPerceptron();
  bool addStatistics();
  bool addEmbedding();
  bool addSiblings();
  // Attention.cpp
  bool addAttention();
  Value addMask(Value scores);
  Value addWeights(Value scores);
  Value repeatHeads(Value value, int64_t times);

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
  /// The most elements of an array, and multiplications of an op.
  int64_t mostElements, mostWork;
  int numArguments = 0;
  /// Some ops say what they may be fused with.
  bool hasDirectives = false;
  /// How deep the branches and loops around are.
  int depth = 0;
};

} // namespace mlir::fusion::fuzz

#endif // FUSION_TOOLS_FUSION_FUZZ_GENERATOR_H
