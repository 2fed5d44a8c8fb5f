//===- DivisibilityTest.cpp - what divides an index -----------------------===//

#include "fusion/Tile/Divisibility.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;

namespace {

/// The divisor of the operand of the op named "test.use" in `body`.
int64_t divisorIn(StringRef body) {
  MLIRContext context;
  context.allowUnregisteredDialects();
  context
      .loadDialect<arith::ArithDialect, func::FuncDialect, scf::SCFDialect>();
  std::string text =
      ("func.func @f(%x: index, %y: index, %p: i1) {\n" + body + "\nreturn }")
          .str();
  auto module = parseSourceString<ModuleOp>(text, &context);
  EXPECT_TRUE(module);
  int64_t divisor = -1;
  module->walk([&](Operation *op) {
    if (op->getName().getStringRef() == "test.use") {
      divisor = fusion::tile::getKnownDivisor(op->getOperand(0));
    }
  });
  return divisor;
}

TEST(DivisibilityTest, ConstantsAndUnknowns) {
  EXPECT_EQ(divisorIn("%c = arith.constant 24 : index\n"
                      "\"test.use\"(%c) : (index) -> ()"),
            24);
  EXPECT_EQ(divisorIn("\"test.use\"(%x) : (index) -> ()"), 1);
  // Zero is divisible by any power of two that one may ask for.
  EXPECT_EQ(divisorIn("%c = arith.constant 0 : index\n"
                      "\"test.use\"(%c) : (index) -> ()") %
                4096,
            0);
}

TEST(DivisibilityTest, SumsAndProducts) {
  EXPECT_EQ(divisorIn("%a = arith.constant 12 : index\n"
                      "%b = arith.constant 32 : index\n"
                      "%m = arith.muli %x, %a : index\n"
                      "%q = arith.muli %y, %b : index\n"
                      "%s = arith.addi %m, %q : index\n"
                      "\"test.use\"(%s) : (index) -> ()"),
            4);
  EXPECT_EQ(divisorIn("%a = arith.constant 12 : index\n"
                      "%q = arith.muli %x, %a : index\n"
                      "%r = arith.muli %q, %a : index\n"
                      "\"test.use\"(%r) : (index) -> ()"),
            144);
}

TEST(DivisibilityTest, SelectsTakeBothSides) {
  EXPECT_EQ(divisorIn("%a = arith.constant 8 : index\n"
                      "%b = arith.constant 20 : index\n"
                      "%s = arith.select %p, %a, %b : index\n"
                      "\"test.use\"(%s) : (index) -> ()"),
            4);
}

TEST(DivisibilityTest, LoopsStepFromTheirLowerBound) {
  EXPECT_EQ(divisorIn("%l = arith.constant 48 : index\n"
                      "%s = arith.constant 64 : index\n"
                      "scf.for %i = %l to %x step %s {\n"
                      "  \"test.use\"(%i) : (index) -> ()\n}"),
            16);
  // A carried value is not an induction variable.
  EXPECT_EQ(divisorIn("%l = arith.constant 0 : index\n"
                      "%s = arith.constant 64 : index\n"
                      "%r = scf.for %i = %l to %x step %s iter_args(%c = %s)"
                      " -> (index) {\n"
                      "  \"test.use\"(%c) : (index) -> ()\n"
                      "  scf.yield %c : index\n}"),
            1);
}

} // namespace
