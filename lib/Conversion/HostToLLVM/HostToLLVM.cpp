//===- HostToLLVM.cpp - the host program to the C contract ----------------===//

#include "fusion/Conversion/HostToLLVM/HostToLLVM.h"
#include "fusion/Conversion/Passes.h"

#include "HostCalls.h"
#include "HostEntry.h"
#include "ProgramData.h"
#include "mlir/Analysis/DataLayoutAnalysis.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::fusion;

namespace mlir::fusion {
#define GEN_PASS_DEF_HOSTTOLLVM
#include "fusion/Conversion/Passes.h.inc"
} // namespace mlir::fusion

/// The CUDA driver that the PTX of a program needs if it does not say: 12.0,
/// the first with sm_90a.
static constexpr int32_t kLeastDriver = 12000;

/// The kernels of `gpu.module`, in order.
static FailureOr<SmallVector<ProgramKernel>> readKernels(ModuleOp module) {
  SmallVector<ProgramKernel> kernels;
  for (auto gpuModule : module.getOps<gpu::GPUModuleOp>()) {
    for (auto function : gpuModule.getOps<LLVM::LLVMFuncOp>()) {
      if (!function->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName())) {
        continue;
      }
      auto threads = function->getAttrOfType<DenseI32ArrayAttr>(
          NVVM::NVVMDialect::getMaxntidAttrName());
      if (!threads || threads.empty()) {
        return function.emitOpError("expected a kernel with the attribute ")
               << NVVM::NVVMDialect::getMaxntidAttrName();
      }
      auto shared = function->getAttrOfType<IntegerAttr>("fusion.shared_bytes");
      kernels.push_back({function.getName().str(), threads[0],
                         shared ? int32_t(shared.getInt()) : 0});
    }
  }
  return kernels;
}

static LogicalResult convertToLLVM(ModuleOp module,
                                   LLVMTypeConverter &converter) {
  RewritePatternSet patterns(module.getContext());
  arith::populateArithToLLVMConversionPatterns(converter, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
  index::populateIndexToLLVMConversionPatterns(converter, patterns);
  populateMathToLLVMConversionPatterns(converter, patterns);
  populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns);
  populateFuncToLLVMConversionPatterns(converter, patterns);
  populateVectorToLLVMConversionPatterns(converter, patterns);
  ub::populateUBToLLVMConversionPatterns(converter, patterns);
  LLVMConversionTarget target(*module.getContext());
  target.addLegalOp<ModuleOp, UnrealizedConversionCastOp>();
  if (failed(applyFullConversion(module, target, std::move(patterns)))) {
    return failure();
  }
  SmallVector<UnrealizedConversionCastOp> casts, remaining;
  module.walk([&](UnrealizedConversionCastOp op) { casts.push_back(op); });
  reconcileUnrealizedCasts(casts, &remaining);
  if (!remaining.empty()) {
    return remaining.front().emitError(
        "expected a value whose type has a form in LLVM");
  }
  return success();
}

/// Only the C contract is visible from outside.
static void setLinkage(ModuleOp module) {
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    StringRef name = function.getName();
    if (!function.isExternal() && name != kRunEntry &&
        name != kWorkspaceEntry && name != kResultDimsEntry) {
      function.setLinkage(LLVM::Linkage::Internal);
      // Stack memory of a group is given back when it ends.
      function.setNoInline(function->hasAttr(kGroupAttr));
    }
  }
}

LogicalResult fusion::hostToLLVM(ModuleOp module, StringRef target) {
  auto main = module.lookupSymbol<func::FuncOp>(kMainFunction);
  if (!main || main.isExternal()) {
    return module.emitError("expected a function @main");
  }
  ProgramData data;
  data.target = target.str();
  FailureOr<SmallVector<ProgramData::Argument>> arguments =
      readProgramArguments(main);
  FailureOr<SmallVector<ProgramKernel>> kernels = readKernels(module);
  if (failed(arguments) || failed(kernels)) {
    return failure();
  }
  data.arguments = *arguments;
  data.kernels = *kernels;
  if (auto image = module->getAttrOfType<StringAttr>("fusion.image")) {
    data.image = image.str();
    module->removeAttr("fusion.image");
  }
  if (target != "cpu") {
    auto driver = module->getAttrOfType<IntegerAttr>("fusion.least_driver");
    data.leastDriver = driver ? driver.getInt() : kLeastDriver;
  }
  KernelNumbers numbers;
  for (auto [number, kernel] : llvm::enumerate(*kernels)) {
    numbers[kernel.name] = number;
  }
  LowerToLLVMOptions llvmOptions(module.getContext());
  LLVMTypeConverter converter(module.getContext(), llvmOptions);
  HostSignature signature(main);
  if (failed(lowerHostCalls(main, numbers, converter)) ||
      failed(createHostEntries(main, signature, converter))) {
    return failure();
  }
  if (auto dims = module.lookupSymbol<func::FuncOp>(kResultDimsFunction)) {
    passResultDimsInMemory(dims);
  }
  for (auto gpuModule :
       llvm::make_early_inc_range(module.getOps<gpu::GPUModuleOp>())) {
    gpuModule.erase();
  }
  if (failed(convertToLLVM(module, converter))) {
    return failure();
  }
  setLinkage(module);
  return createProgramData(module, data);
}

namespace {
struct HostToLLVM : fusion::impl::HostToLLVMBase<HostToLLVM> {
  using HostToLLVMBase::HostToLLVMBase;

  void runOnOperation() override {
    if (failed(hostToLLVM(getOperation(), target))) {
      signalPassFailure();
    }
  }
};
} // namespace
