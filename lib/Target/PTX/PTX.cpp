//===- PTX.cpp - kernels through LLVM's NVPTX back end --------------------===//

#include "fusion/Target/PTX/PTX.h"
#include "AssemblerFaults.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace mlir::fusion;

static constexpr StringLiteral kTriple = "nvptx64-nvidia-cuda";
/// PTX 8.0 is what CUDA 12.0 drivers read; it has all of sm_90a that we use.
static constexpr StringLiteral kFeatures = "+ptx80";

/// Turns LLVM's errors into diagnostics; they would end the process.
static void reportDiagnostic(const llvm::DiagnosticInfo *info, void *context) {
  auto *errors = static_cast<std::string *>(context);
  if (info->getSeverity() != llvm::DS_Error) {
    return;
  }
  llvm::raw_string_ostream stream(*errors);
  llvm::DiagnosticPrinterRawOStream printer(stream);
  info->print(printer);
  stream << "; ";
}

static std::unique_ptr<llvm::TargetMachine>
createTargetMachine(Location loc, StringRef chip) {
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  llvm::Triple triple{kTriple.str()};
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target) {
    emitError(loc) << "LLVM has no PTX back end: " << error;
    return nullptr;
  }
  std::unique_ptr<llvm::MCSubtargetInfo> known(
      target->createMCSubtargetInfo(triple, "", ""));
  if (!known->isCPUStringValid(chip)) {
    emitError(loc) << "expected a GPU that LLVM knows, but got '" << chip
                   << "'";
    return nullptr;
  }
  llvm::TargetOptions options;
  // Multiplies and additions of the graph stay apart (docs/Numerics.md).
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, chip, kFeatures, options, llvm::Reloc::PIC_, std::nullopt,
      llvm::CodeGenOptLevel::Aggressive));
}

/// Inline assembly may hold a barrier or a warp-wide instruction: no call may
/// be moved under a branch, and translation does not say so.
static void markConvergent(llvm::Module &module) {
  for (llvm::Function &function : module) {
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      auto *call = dyn_cast<llvm::CallInst>(&instruction);
      if (call && call->isInlineAsm()) {
        call->setConvergent();
      }
    }
  }
}

/// Whether a pass is worth its time on an IR unit. Constraint elimination takes
/// the square of the number of nested conditions, and removes next to nothing
/// in a kernel of many bodies.
static bool isWorthRunning(StringRef pass, const llvm::Any &unit) {
  constexpr size_t kManyBlocks = 200;
  const auto *function = llvm::any_cast<const llvm::Function *>(&unit);
  return pass != "ConstraintEliminationPass" || !function ||
         (*function)->size() <= kManyBlocks;
}

static void optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::PassInstrumentationCallbacks callbacks;
  callbacks.registerShouldRunOptionalPassCallback(
      [](StringRef pass, const llvm::Any &unit) {
        return isWorthRunning(pass, unit);
      });
  llvm::PassBuilder builder(&machine, llvm::PipelineTuningOptions(),
                            std::nullopt, &callbacks);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager calls;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(calls);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, calls, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3)
      .run(module, modules);
}

namespace {
/// One run of LLVM over the kernels of a module.
struct Compilation {
  llvm::LLVMContext context;
  std::string errors;
  std::unique_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<llvm::Module> module;
};
} // namespace

/// Fills `run` with the optimized LLVM IR of the kernels in `module`.
static LogicalResult compile(ModuleOp module, const PTXOptions &options,
                             Compilation &run) {
  run.context.setDiagnosticHandlerCallBack(reportDiagnostic, &run.errors);
  FailureOr<OwningOpRef<ModuleOp>> kernels = lowerKernels(module, options);
  if (failed(kernels)) {
    return failure();
  }
  DialectRegistry registry;
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
  module.getContext()->appendDialectRegistry(registry);
  run.machine = createTargetMachine(module.getLoc(), options.chip);
  run.module = translateModuleToLLVMIR(**kernels, run.context, "kernels");
  if (!run.machine || !run.module) {
    return failure();
  }
  run.module->setTargetTriple(run.machine->getTargetTriple());
  run.module->setDataLayout(run.machine->createDataLayout());
  markConvergent(*run.module);
  llvm::raw_string_ostream broken(run.errors);
  if (!llvm::verifyModule(*run.module, &broken)) {
    optimize(*run.module, *run.machine);
    avoidAssemblerFaults(*run.module);
  }
  if (!run.errors.empty()) {
    return module.emitError("LLVM refused the kernels: ") << run.errors;
  }
  return success();
}

FailureOr<std::string> fusion::emitKernelLLVM(ModuleOp module,
                                              const PTXOptions &options) {
  Compilation run;
  if (failed(compile(module, options, run))) {
    return failure();
  }
  std::string text;
  llvm::raw_string_ostream stream(text);
  run.module->print(stream, nullptr);
  return text;
}

FailureOr<std::string> fusion::emitPTX(ModuleOp module,
                                       const PTXOptions &options) {
  Compilation run;
  if (failed(compile(module, options, run))) {
    return failure();
  }
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager passes;
  if (run.machine->addPassesToEmitFile(passes, stream, nullptr,
                                       llvm::CodeGenFileType::AssemblyFile)) {
    return module.emitError("LLVM cannot write PTX");
  }
  passes.run(*run.module);
  if (!run.errors.empty()) {
    return module.emitError("LLVM refused the kernels: ") << run.errors;
  }
  return text.str().str();
}
