//===- embedder.cpp - the passes in another compiler ----------------------===//

#include "fusion/InitAllDialects.h"
#include "fusion/InitAllPasses.h"
#include "fusion/Pipelines/Pipelines.h"
#include "fusion/Target/PTX/PTX.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassRegistry.h"

static constexpr char source[] = R"(
  func.func @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
    %e = tensor.empty() : tensor<8x4xf32>
    %0 = linalg.exp ins(%x : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
    %1 = linalg.negf ins(%0 : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
    return %1 : tensor<8x4xf32>
  }
)";

int main() {
  mlir::DialectRegistry registry;
  mlir::fusion::registerAllDialects(registry);
  mlir::fusion::registerAllPasses();
  mlir::MLIRContext context(registry);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(source, &context);
  if (!module) {
    return 1;
  }
  // A pass by its name, in a pipeline as text.
  mlir::PassManager plan(&context);
  if (failed(mlir::parsePassPipeline(
          "func.func(fusion-form-groups{target=sm_80})", plan)) ||
      failed(plan.run(*module))) {
    return 1;
  }
  module->print(llvm::outs());
  // The stages after it, from C++.
  mlir::fusion::PipelineOptions options;
  options.target = "sm_80";
  mlir::PassManager lower(&context);
  mlir::fusion::buildStages(lower, mlir::fusion::Stage::Groups,
                            mlir::fusion::Stage::GPU, options);
  if (failed(lower.run(*module))) {
    return 1;
  }
  mlir::fusion::PTXOptions ptxOptions;
  ptxOptions.chip = options.target;
  mlir::FailureOr<std::string> ptx = mlir::fusion::emitPTX(*module, ptxOptions);
  if (failed(ptx)) {
    return 1;
  }
  llvm::outs() << *ptx;
  return 0;
}
