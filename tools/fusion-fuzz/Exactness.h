//===- Exactness.h - which results must agree to the bit --------*- C++ -*-===//

#ifndef FUSION_TOOLS_FUSION_FUZZ_EXACTNESS_H
#define FUSION_TOOLS_FUSION_FUZZ_EXACTNESS_H

#include "fusion/Pipelines/Pipelines.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::fusion::fuzz {

/// What is known of a value, however its graph is fused.
struct Knowledge {
  /// Every bit follows from the inputs.
  bool exact = true;
  /// All elements are integers of at most this size (0: nothing is known). Sums
  /// of such numbers do not depend on their order.
  double integers = 0;
};

/// Follows ops in program order. Under strict numerics only sums and products
/// over floats are not exact, and functions of f64 that are computed on a GPU;
/// under the default rules neither are functions, and arithmetic on f16 and
/// bf16, whose roundings may be left out. Arguments whose name begins with
/// `intN_` hold integers of at most N.
class Exactness {
public:
  explicit Exactness(const PipelineOptions &pipeline)
      : strict(pipeline.numerics == Numerics::Strict),
        onGPU(!pipeline.isCPU()) {}

  void visitArgument(Value argument, StringRef name);
  /// What an argument of a loop's body holds, until the loop is visited.
  void assume(Value value, Knowledge knowledge) { known[value] = knowledge; }
  /// Also what is in its regions.
  void visit(Operation *op);
  Knowledge get(Value value) const { return known.lookup(value); }

private:
  Knowledge judge(Operation *op, Type type) const;
  Knowledge judgeSum(Operation *op, Type type) const;
  Knowledge meet(ValueRange values) const;
  void visitBody(Block &block);
  void visitLoop(Operation *op);

  bool strict, onGPU;
  llvm::DenseMap<Value, Knowledge> known;
};

/// Whether `op` adds or multiplies many floats in an order that is open.
bool isOpenSum(Operation *op);

/// Whether `op` is of f64 and comes from the C library on the CPU.
bool isDoubleFunction(Operation *op);

/// Whether `op` computes nothing new: each element of its result is one of its
/// operands' elements, or one but for the sign.
bool isMovement(Operation *op);

} // namespace mlir::fusion::fuzz

#endif // FUSION_TOOLS_FUSION_FUZZ_EXACTNESS_H
