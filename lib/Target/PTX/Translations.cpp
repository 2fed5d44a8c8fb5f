//===- Translations.cpp - PTX and LLVM IR for fusion-translate ------------===//

#include "fusion/Target/PTX/PTX.h"
#include "fusion/Tile/IR/Tile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Tools/mlir-translate/Translation.h"

using namespace mlir;
using namespace mlir::fusion;

static void registerKernelDialects(DialectRegistry &registry) {
  registry.insert<arith::ArithDialect, cf::ControlFlowDialect, DLTIDialect,
                  func::FuncDialect, gpu::GPUDialect, LLVM::LLVMDialect,
                  math::MathDialect, memref::MemRefDialect, NVVM::NVVMDialect,
                  scf::SCFDialect, tile::TileDialect, vector::VectorDialect>();
}

/// The options that the first gpu.module's target asks for.
static PTXOptions getOptions(ModuleOp module) {
  PTXOptions options;
  for (auto gpuModule : module.getOps<gpu::GPUModuleOp>()) {
    ArrayAttr targets = gpuModule.getTargetsAttr();
    for (Attribute target :
         targets ? targets.getValue() : ArrayRef<Attribute>()) {
      if (auto nvvm = dyn_cast<NVVM::NVVMTargetAttr>(target)) {
        options.chip = nvvm.getChip().str();
        return options;
      }
    }
  }
  return options;
}

template <FailureOr<std::string> (*emit)(ModuleOp, const PTXOptions &)>
static LogicalResult translate(ModuleOp module, raw_ostream &os) {
  FailureOr<std::string> text = emit(module, getOptions(module));
  if (failed(text)) {
    return failure();
  }
  os << *text;
  return success();
}

void fusion::registerPTXTranslations() {
  static TranslateFromMLIRRegistration ptx(
      "fusion-to-ptx", "kernels of stage 5 to PTX",
      [](ModuleOp module, raw_ostream &os) {
        return translate<emitPTX>(module, os);
      },
      registerKernelDialects);
  static TranslateFromMLIRRegistration llvmIR(
      "fusion-to-kernel-llvm", "kernels of stage 5 to optimized LLVM IR",
      [](ModuleOp module, raw_ostream &os) {
        return translate<emitKernelLLVM>(module, os);
      },
      registerKernelDialects);
}
