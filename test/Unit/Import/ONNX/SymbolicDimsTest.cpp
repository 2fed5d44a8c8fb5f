//===- SymbolicDimsTest.cpp - sizes as polynomials ------------------------===//

#include "SymbolicDims.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::fusion::onnx;

namespace {
/// A function of one tensor with the dynamic dims n and m.
class SymbolicDimsTest : public ::testing::Test {
protected:
  SymbolicDimsTest() : builder(&context), table(builder) {
    context.loadDialect<func::FuncDialect, arith::ArithDialect,
                        tensor::TensorDialect>();
    module = ModuleOp::create(UnknownLoc::get(&context));
    auto type = RankedTensorType::get(
        {ShapedType::kDynamic, ShapedType::kDynamic}, builder.getF32Type());
    builder.setInsertionPointToEnd(module->getBody());
    auto function = func::FuncOp::create(builder, builder.getUnknownLoc(), "f",
                                         builder.getFunctionType({type}, {}));
    Block *block = function.addEntryBlock();
    builder.setInsertionPointToEnd(block);
    n = table.inputDim("n", block->getArgument(0), 0);
    m = table.inputDim("m", block->getArgument(0), 1);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  OpBuilder builder;
  DimTable table;
  Dim n, m;
};
} // namespace

TEST_F(SymbolicDimsTest, NormalForm) {
  EXPECT_EQ(table.mul(n, m), table.mul(m, n));
  EXPECT_EQ(table.add(table.add(n, 1), m), table.add(m, table.add(1, n)));
  EXPECT_EQ(table.sub(table.add(n, m), n), m);
  EXPECT_EQ(table.sub(n, n), Dim(0));
  Dim square = table.mul(table.add(n, 1), table.sub(n, 1));
  EXPECT_EQ(square, table.sub(table.mul(n, n), 1));
  EXPECT_NE(n, m);
  EXPECT_EQ(table.toString(table.add(table.mul(2, table.mul(n, m)), 3)),
            "2*n*m + 3");
}

TEST_F(SymbolicDimsTest, Quotients) {
  Dim elements = table.mul(table.mul(n, m), 1024);
  EXPECT_EQ(table.div(elements, table.mul(n, m)), Dim(1024));
  EXPECT_EQ(table.div(elements, table.mul(n, 64)), table.mul(m, 16));
  EXPECT_EQ(table.rem(elements, n), Dim(0));
  EXPECT_EQ(table.div(-7, 2), Dim(-3));
  EXPECT_EQ(table.rem(-7, 2), Dim(-1));
  EXPECT_EQ(table.exactQuotient(n, 2), std::nullopt);
  EXPECT_EQ(table.toString(*table.div(n, 2)), "(n / 2)");
  EXPECT_EQ(table.div(n, 2), table.div(n, 2));
}

TEST_F(SymbolicDimsTest, DivisorsThatMayBeZeroAreRefused) {
  EXPECT_EQ(table.div(7, 0), std::nullopt);
  EXPECT_EQ(table.rem(n, 0), std::nullopt);
  EXPECT_EQ(table.div(7, n), std::nullopt);
  EXPECT_EQ(table.div(INT64_MIN, -1), Dim(INT64_MIN));
  EXPECT_EQ(table.rem(INT64_MIN, -1), Dim(0));
}

TEST_F(SymbolicDimsTest, ComparisonsKnowThatSizesAreNotNegative) {
  EXPECT_EQ(table.equal(n, n), true);
  EXPECT_EQ(table.equal(n, m), std::nullopt);
  EXPECT_EQ(table.equal(n, -1), false);
  EXPECT_EQ(table.equal(n, 0), std::nullopt);
  EXPECT_EQ(table.equal(table.add(n, 1), n), false);
  EXPECT_EQ(table.less(-1, n), true);
  EXPECT_EQ(table.less(n, 0), false);
  EXPECT_EQ(table.less(n, table.add(n, m)), std::nullopt);
  EXPECT_EQ(table.max(n, 0), n);
  EXPECT_EQ(table.min(n, -1), Dim(-1));
  EXPECT_EQ(table.toString(table.min(n, 8)), "(n min 8)");
}

TEST_F(SymbolicDimsTest, ArithmeticWrapsAndStaysBounded) {
  EXPECT_EQ(table.add(INT64_MAX, 1), Dim(INT64_MIN));
  EXPECT_EQ(table.mul(INT64_MIN, -1), Dim(INT64_MIN));
  EXPECT_TRUE(checkedProduct(table, {n, m, Dim(1), 4096}).has_value());
  EXPECT_EQ(checkedProduct(table, {INT64_C(1) << 40, n, INT64_C(1) << 40}),
            std::nullopt);
  // 2^64 terms and factors, if nothing stopped it.
  Dim dim = table.add(n, m);
  for (int i = 0; i < 64; ++i) {
    dim = table.mul(dim, dim);
  }
  EXPECT_LT(dim.getTerms().size(), 32u);
  EXPECT_LT(table.toString(dim).size(), 200u);
}

TEST_F(SymbolicDimsTest, ValuesComputeTheText) {
  Value value =
      table.materialize(table.add(table.mul(3, n), 5), builder.getUnknownLoc());
  auto sum = value.getDefiningOp<arith::AddIOp>();
  ASSERT_TRUE(sum);
  EXPECT_TRUE(sum.getLhs().getDefiningOp<arith::ConstantIndexOp>());
  EXPECT_TRUE(sum.getRhs().getDefiningOp<arith::MulIOp>());
  Value zero = table.materialize(0, builder.getUnknownLoc());
  EXPECT_EQ(zero.getDefiningOp<arith::ConstantIndexOp>().value(), 0);
}
