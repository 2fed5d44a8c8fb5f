//===- LowerHost.cpp - the passes from host functions to LLVM -------------===//

#include "fusion/Conversion/HostToLLVM/LowerHost.h"
#include "fusion/Conversion/Passes.h"
#include "fusion/Dialect/Fusion/Transforms/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::fusion;

void fusion::buildLowerHostPipeline(OpPassManager &pm, StringRef target) {
  // 1. Memory.
  pm.addNestedPass<func::FuncOp>(createCanonicalize());
  pm.addNestedPass<func::FuncOp>(createCSEPass());
  pm.addPass(createPlanWorkspace());
  // 2. Arithmetic that LLVM or the C library lacks.
  pm.addNestedPass<func::FuncOp>(createExpandMath());
  pm.addNestedPass<func::FuncOp>(memref::createExpandStridedMetadataPass());
  pm.addNestedPass<func::FuncOp>(createLowerAffinePass());
  pm.addNestedPass<func::FuncOp>(createExpandArithmetic());
  // 3. Branches and vectors.
  pm.addNestedPass<func::FuncOp>(createSCFToControlFlowPass());
  pm.addNestedPass<func::FuncOp>(createConvertVectorToLLVMPass());
  // What is left of math: instructions, then functions of f64.
  pm.addNestedPass<func::FuncOp>(createConvertMathToLLVMPass());
  if (target == "cpu") {
    pm.addPass(createConvertMathToLibmPass());
  }
  // 4. The C contract.
  pm.addPass(createHostToLLVM(HostToLLVMOptions{target.str()}));
  pm.addPass(createCanonicalize());
  pm.addPass(createCSEPass());
}

void fusion::registerLowerHostPipeline() {
  struct Options : PassPipelineOptions<Options> {
    Option<std::string> target{
        *this, "target",
        llvm::cl::desc("What the program is compiled for: cpu, or the GPU, as "
                       "in sm_90a"),
        llvm::cl::init("cpu")};
  };
  PassPipelineRegistration<Options>(
      "fusion-lower-host",
      "Lower host functions on memrefs to the C contract in LLVM",
      [](OpPassManager &pm, const Options &options) {
        buildLowerHostPipeline(pm, options.target);
      });
}
