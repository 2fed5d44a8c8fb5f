//===- LowerKernels.cpp - stage 5 to the LLVM dialect ---------------------===//

#include "fusion/Conversion/Passes.h"
#include "fusion/Target/PTX/PTX.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::fusion;

void fusion::buildKernelLegalization(OpPassManager &pm,
                                     const PTXOptions &options) {
  if (options.hardwareExp) {
    pm.addPass(createRelaxDivisions());
  }
  ExpandMathOptions math;
  math.hardwareExp = options.hardwareExp;
  math.expandF64 = true;
  pm.addPass(createExpandMath(math));
  pm.addPass(createVerifyPTXLegal());
}

void fusion::buildGPUToLLVM(OpPassManager &pm, const PTXOptions &options) {
  // 1. Only what PTX has.
  buildKernelLegalization(pm, options);
  // 2. To the LLVM dialect.
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createConvertNVVMToLLVMPass());
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertVectorToLLVMPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
}

/// A module with what the gpu.modules of `module` hold.
static FailureOr<OwningOpRef<ModuleOp>> extractKernels(ModuleOp module) {
  OwningOpRef<ModuleOp> kernels = ModuleOp::create(module.getLoc());
  OpBuilder b = OpBuilder::atBlockEnd(kernels->getBody());
  SymbolTable symbols(*kernels);
  for (auto gpuModule : module.getOps<gpu::GPUModuleOp>()) {
    for (Operation &op : *gpuModule.getBody()) {
      auto symbol = dyn_cast<SymbolOpInterface>(&op);
      if (symbol && symbols.lookup(symbol.getName())) {
        return op.emitError("expected one kernel of each name, but got '")
               << symbol.getName() << "' again";
      }
      Operation *clone = b.clone(op);
      if (symbol) {
        symbols.insert(clone);
      }
    }
  }
  return kernels;
}

/// A copy of the kernels of `module` after the passes that `build` adds.
static FailureOr<OwningOpRef<ModuleOp>>
runOnKernels(ModuleOp module, const PTXOptions &options,
             void (*build)(OpPassManager &, const PTXOptions &)) {
  FailureOr<OwningOpRef<ModuleOp>> kernels = extractKernels(module);
  if (failed(kernels)) {
    return failure();
  }
  PassManager pm(module.getContext());
  build(pm, options);
  if (failed(pm.run(**kernels))) {
    return failure();
  }
  return kernels;
}

FailureOr<OwningOpRef<ModuleOp>>
fusion::legalizeKernels(ModuleOp module, const PTXOptions &options) {
  return runOnKernels(module, options, buildKernelLegalization);
}

/// Takes the amount of `shift` modulo its width, which is the amount wherever
/// the result means anything. PTX shifts by 32 bits; LLVM takes a shift and a
/// select of zero for larger amounts to be one instruction, of the lower half
/// of an amount of 64 bits.
static void wrapAmount(Operation *shift) {
  Value amount = shift->getOperand(1);
  auto type = dyn_cast<IntegerType>(amount.getType());
  if (!type || type.getWidth() <= 32 ||
      amount.getDefiningOp<LLVM::ConstantOp>()) {
    return;
  }
  OpBuilder b(shift);
  Value most = LLVM::ConstantOp::create(
      b, shift->getLoc(), type, b.getIntegerAttr(type, type.getWidth() - 1));
  shift->setOperand(1, LLVM::AndOp::create(b, shift->getLoc(), amount, most));
}

FailureOr<OwningOpRef<ModuleOp>>
fusion::lowerKernels(ModuleOp module, const PTXOptions &options) {
  FailureOr<OwningOpRef<ModuleOp>> kernels =
      runOnKernels(module, options, buildGPUToLLVM);
  if (succeeded(kernels)) {
    (*kernels)->walk([](Operation *op) {
      if (isa<LLVM::ShlOp, LLVM::LShrOp, LLVM::AShrOp>(op)) {
        wrapAmount(op);
      }
    });
  }
  return kernels;
}
