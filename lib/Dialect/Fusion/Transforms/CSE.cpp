//===- CSE.cpp - common subexpressions, in linear time --------------------===//
//
// Upstream's CSE looks an op up by a hash of its operands and attributes. What
// its regions read from outside is no part of that: of N joined tensors of one
// shape, each would be compared with all the others. Here each such op has, for
// the time of the pass, an attribute that numbers what it reads.
//
//===----------------------------------------------------------------------===//

#include "mlir/Transforms/CSE.h"
#include "fusion/Dialect/Fusion/Transforms/Passes.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::fusion {
#define GEN_PASS_DEF_CSE
#include "fusion/Dialect/Fusion/Transforms/Passes.h.inc"
} // namespace mlir::fusion

using namespace mlir;
using namespace mlir::fusion;

/// The attribute that tells ops of different captured values apart.
static constexpr StringLiteral kCaptures = "fusion.captures";

static bool capturesValues(Operation *op) {
  return op->getNumRegions() != 0 && op->getNumResults() != 0 &&
         !op->hasTrait<OpTrait::IsIsolatedFromAbove>() &&
         isMemoryEffectFree(op);
}

/// Numbers what the regions of each op in `root` read, in the order in which it
/// is met, as attributes. Returns whether two ops that had different numbers
/// before have one now.
static bool numberCaptures(Operation *root) {
  llvm::DenseMap<size_t, int64_t> numbers;    // by the hash of what is read
  llvm::DenseMap<int64_t, Attribute> earlier; // by the number now
  Builder builder(root->getContext());
  bool merged = false;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!capturesValues(op)) {
      return WalkResult::advance();
    }
    SetVector<Value> values;
    getUsedValuesDefinedAbove(op->getRegions(), values);
    if (values.empty()) {
      return WalkResult::skip();
    }
    size_t hash = llvm::hash_combine_range(values.begin(), values.end());
    int64_t number = numbers.insert({hash, numbers.size()}).first->second;
    Attribute before = op->getDiscardableAttr(kCaptures);
    Attribute first = earlier.insert({number, before}).first->second;
    merged |= first != before;
    op->setDiscardableAttr(kCaptures, builder.getI64IntegerAttr(number));
    return WalkResult::skip();
  });
  return merged;
}

namespace {
struct CSE : fusion::impl::CSEBase<CSE> {
  void runOnOperation() override {
    Operation *root = getOperation();
    IRRewriter rewriter(&getContext());
    numberCaptures(root);
    // Ops whose captured values became one are equal only then.
    do {
      auto &dominance = getAnalysis<DominanceInfo>();
      eliminateCommonSubExpressions(rewriter, dominance, root);
    } while (numberCaptures(root));
    root->walk([](Operation *op) { op->removeDiscardableAttr(kCaptures); });
  }
};
} // namespace
