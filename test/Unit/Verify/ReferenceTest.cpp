//===- ReferenceTest.cpp - plans taken apart --------------------*- C++ -*-===//

#include "fusion/Verify/Reference.h"
#include "fusion/Dialect/Fusion/IR/Fusion.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::fusion;

// A sum of 16 terms, then an elementwise group whose result is @main's.
static constexpr char plan[] = R"(
func.func @main(%x: tensor<8x16xf32>) -> (tensor<8xf32> {fusion.name = "y"}) {
  %d = tensor.empty() : tensor<8xf32>
  %0 = fusion.group "sum" kinds [] ins(%x : tensor<8x16xf32>) outs(%d : tensor<8xf32>) {
  ^bb0(%a: tensor<8x16xf32>, %e: tensor<8xf32>):
    %c = arith.constant 0.0 : f32
    %f = linalg.fill ins(%c : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %s = linalg.reduce { arith.addf } ins(%a : tensor<8x16xf32>) outs(%f : tensor<8xf32>) dimensions = [1]
    fusion.yield %s : tensor<8xf32>
  } : tensor<8xf32>
  %1 = fusion.group "neg" kinds [] ins(%0 : tensor<8xf32>) outs(%d : tensor<8xf32>) {
  ^bb0(%a: tensor<8xf32>, %e: tensor<8xf32>):
    %n = linalg.negf ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    fusion.yield %n : tensor<8xf32>
  } : tensor<8xf32>
  return %1 : tensor<8xf32>
}
)";

namespace {
class ReferenceTest : public ::testing::Test {
protected:
  void SetUp() override {
    context.loadDialect<FusionDialect, arith::ArithDialect, func::FuncDialect,
                        linalg::LinalgDialect, tensor::TensorDialect>();
    module = parseSourceString<ModuleOp>(plan, &context);
    ASSERT_TRUE(module);
  }
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};
} // namespace

TEST_F(ReferenceTest, ExposesWhatIsNotReturnedYet) {
  SmallVector<GroupOutput> outputs = exposeGroupResults(*module, {0, 2});
  ASSERT_EQ(outputs.size(), 2u);
  EXPECT_EQ(outputs[0].name, "sum");
  EXPECT_EQ(outputs[0].group, 0);
  EXPECT_EQ(outputs[0].result, 1);
  EXPECT_EQ(outputs[0].reductionLength, 16);
  EXPECT_EQ(outputs[0].spacing, 0);
  EXPECT_EQ(outputs[1].name, "neg");
  EXPECT_EQ(outputs[1].result, 0);
  EXPECT_EQ(outputs[1].reductionLength, 1);
  EXPECT_TRUE(succeeded(verify(*module)));
  auto main = module->lookupSymbol<func::FuncOp>("main");
  EXPECT_EQ(main.getNumResults(), 2u);
  EXPECT_EQ(main.getResultAttrOfType<StringAttr>(0, "fusion.name").getValue(),
            "y");
}

TEST_F(ReferenceTest, SaysWhatValuesAreRoundedTo) {
  // In f32 from outside, and rounded on the way.
  constexpr char rounds[] = R"(
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %d = tensor.empty() : tensor<8xf32>
  %0 = fusion.group "rounds" kinds [] ins(%x : tensor<8xf32>) outs(%d : tensor<8xf32>) {
  ^bb0(%a: tensor<8xf32>, %e: tensor<8xf32>):
    %m = linalg.map ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) (%n: f32, %i: f32) {
      %h = arith.truncf %n : f32 to f16
      %w = arith.extf %h : f16 to f32
      linalg.yield %w : f32
    }
    fusion.yield %m : tensor<8xf32>
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}
)";
  module = parseSourceString<ModuleOp>(rounds, &context);
  ASSERT_TRUE(module);
  EXPECT_EQ(exposeGroupResults(*module, {0, 1})[0].spacing, 0x1p-10);
}

TEST_F(ReferenceTest, ExposesWhatTheGroupsOfARangeRead) {
  SmallVector<GroupOutput> outputs = exposeGroupResults(*module, {1, 2});
  ASSERT_EQ(outputs.size(), 2u);
  EXPECT_EQ(outputs[0].group, 0);
  EXPECT_EQ(outputs[0].result, 1);
  outputs = exposeGroupResults(*module, {0, 1});
  ASSERT_EQ(outputs.size(), 1u);
  EXPECT_EQ(outputs[0].name, "sum");
}

TEST_F(ReferenceTest, CutGroupsReadArguments) {
  SmallVector<GroupOutput> reads;
  SmallVector<GroupOutput> outputs = cutAtGroups(*module, {0, 2}, reads);
  EXPECT_TRUE(succeeded(verify(*module)));
  ASSERT_EQ(outputs.size(), 2u);
  EXPECT_EQ(outputs[0].result, 0);
  EXPECT_EQ(outputs[0].reductionLength, 16);
  EXPECT_EQ(outputs[0].ops, "fill, reduce");
  EXPECT_EQ(outputs[1].result, 1);
  EXPECT_EQ(outputs[1].reductionLength, 1);
  ASSERT_EQ(reads.size(), 1u);
  EXPECT_EQ(reads[0].group, 0);
  EXPECT_EQ(reads[0].result, 1);
  auto main = module->lookupSymbol<func::FuncOp>("main");
  EXPECT_EQ(main.getNumArguments(), 2u);
  EXPECT_EQ(main.getNumResults(), 2u);
}

TEST_F(ReferenceTest, CutGroupsOfARangeAreAlone) {
  SmallVector<GroupOutput> reads;
  SmallVector<GroupOutput> outputs = cutAtGroups(*module, {1, 2}, reads);
  EXPECT_TRUE(succeeded(verify(*module)));
  ASSERT_EQ(outputs.size(), 1u);
  EXPECT_EQ(outputs[0].name, "neg");
  EXPECT_EQ(reads.size(), 1u);
  EXPECT_EQ(countGroups(*module), 1);
}

TEST_F(ReferenceTest, DissolvesEveryGroup) {
  dissolveGroups(*module);
  EXPECT_TRUE(succeeded(verify(*module)));
  int64_t groups = 0, ops = 0;
  module->walk([&](GroupOp) { ++groups; });
  module->walk([&](linalg::LinalgOp) { ++ops; });
  EXPECT_EQ(groups, 0);
  EXPECT_EQ(ops, 3);
}
