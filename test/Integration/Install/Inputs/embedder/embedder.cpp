//===- embedder.cpp - the passes in another compiler ----------------------===//

#include "fusion/Dialect/Fusion/IR/Fusion.h"
#include "fusion/Pipelines/Pipelines.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

static constexpr char source[] = R"(
  func.func @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
    %e = tensor.empty() : tensor<8x4xf32>
    %0 = linalg.exp ins(%x : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
    %1 = linalg.negf ins(%0 : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
    return %1 : tensor<8x4xf32>
  }
)";

int main() {
  mlir::MLIRContext context;
  context
      .loadDialect<mlir::fusion::FusionDialect, mlir::func::FuncDialect,
                   mlir::linalg::LinalgDialect, mlir::tensor::TensorDialect>();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(source, &context);
  mlir::PassManager pm(&context);
  mlir::fusion::PipelineOptions options;
  options.target = "sm_80";
  mlir::fusion::buildLinalgToGroups(pm, options);
  if (!module || failed(pm.run(*module))) {
    return 1;
  }
  module->print(llvm::outs());
  return 0;
}
