//===- LinalgFixture.h - parses linalg for tests ----------------*- C++ -*-===//

#ifndef FUSION_TEST_UNIT_ANALYSIS_LINALGFIXTURE_H
#define FUSION_TEST_UNIT_ANALYSIS_LINALGFIXTURE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

namespace mlir::fusion {

/// Parses a module and hands out its linalg ops in order.
struct LinalgFixture : testing::Test {
  LinalgFixture() {
    context.loadDialect<arith::ArithDialect, func::FuncDialect,
                        linalg::LinalgDialect, math::MathDialect,
                        tensor::TensorDialect>();
  }
  linalg::LinalgOp parse(StringRef text) {
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    linalg::LinalgOp last;
    module->walk([&](linalg::LinalgOp op) { last = op; });
    return last;
  }
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

} // namespace mlir::fusion

#endif // FUSION_TEST_UNIT_ANALYSIS_LINALGFIXTURE_H
