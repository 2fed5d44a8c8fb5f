//===- PlannerFixture.h - graphs of linalg ops from text --------*- C++ -*-===//

#ifndef TEST_UNIT_PLANNER_PLANNERFIXTURE_H
#define TEST_UNIT_PLANNER_PLANNERFIXTURE_H

#include "fusion/Planner/Units.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

/// Parses functions whose last line returns values of type f32 tensors.
class PlannerFixture : public ::testing::Test {
protected:
  PlannerFixture() {
    context.loadDialect<mlir::func::FuncDialect, mlir::linalg::LinalgDialect,
                        mlir::math::MathDialect, mlir::tensor::TensorDialect,
                        mlir::arith::ArithDialect>();
  }

  /// Returns the units of the one function in `text`.
  mlir::fusion::UnitGraph parse(const std::string &text) {
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text;
    auto func = *module->getOps<mlir::func::FuncOp>().begin();
    mlir::Block &block = func.getBody().front();
    mlir::fusion::prepareForGrouping(block);
    return mlir::fusion::collectUnits(block, /*absorbPadding=*/true);
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

#endif // TEST_UNIT_PLANNER_PLANNERFIXTURE_H
