//===- Host.cpp - host programs to LLVM IR and objects --------------------===//

#include "fusion/Target/Host/Host.h"

#include "BF16AsBits.h"
#include "OneLaneStores.h"

#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace mlir::fusion;

llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
fusion::createHostMachine(HostEffort effort) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder) {
    return builder.takeError();
  }
  // These instructions make zeros of denormal bf16 numbers, and LLVM uses them
  // even where values only move.
  for (StringRef feature : {"avx512bf16", "avxneconvert", "avx10.2"}) {
    if (builder->getTargetTriple().isX86()) {
      builder->getFeatures().AddFeature(feature, /*Enable=*/false);
    }
  }
  builder->setCodeGenOptLevel(
      effort == HostEffort::Full     ? llvm::CodeGenOptLevel::Aggressive
      : effort == HostEffort::Little ? llvm::CodeGenOptLevel::Less
                                     : llvm::CodeGenOptLevel::None);
  builder->setRelocationModel(llvm::Reloc::PIC_);
  builder->getOptions().AllowFPOpFusion = llvm::FPOpFusion::Strict;
  return builder->createTargetMachine();
}

/// Lets no loop around other loops be unrolled. LLVM unrolls what has few steps
/// from the inside out, so that a nest of small constant sizes becomes one
/// block of thousands of instructions, whose selection takes minutes.
static void keepOuterLoops(llvm::Module &module) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration()) {
      continue;
    }
    llvm::DominatorTree dominators(function);
    llvm::LoopInfo loops(dominators);
    for (llvm::Loop *loop : loops.getLoopsInPreorder()) {
      if (!loop->isInnermost()) {
        loop->setLoopAlreadyUnrolled();
      }
    }
  }
}

/// Runs LLVM's -O3 on `module`, or -O1 for little effort, without any fast-math
/// and without its passes between functions: group functions are called once
/// each, and those passes need time quadratic in the arguments of a call, of
/// which @main has thousands.
static void optimize(llvm::Module &module, llvm::TargetMachine &machine,
                     HostEffort effort) {
  bool isFull = effort == HostEffort::Full;
  auto level =
      isFull ? llvm::OptimizationLevel::O3 : llvm::OptimizationLevel::O1;
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = isFull;
  tuning.SLPVectorization = isFull;
  llvm::PassBuilder builder(&machine, tuning);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  constexpr auto phase = llvm::ThinOrFullLTOPhase::None;
  llvm::ModulePassManager passes;
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(
      builder.buildFunctionSimplificationPipeline(level, phase)));
  passes.addPass(builder.buildModuleOptimizationPipeline(level, phase));
  passes.run(module, modules);
}

/// Lets the functions with a block of so many instructions that selecting the
/// best ones for it, which is quadratic in them, would take minutes be selected
/// the fast way. Code of that form only hands arguments on.
static void selectHugeBlocksFast(llvm::Module &module) {
  constexpr size_t most = 8192;
  for (llvm::Function &function : module) {
    if (llvm::any_of(function, [](const llvm::BasicBlock &block) {
          return block.size() > most;
        })) {
      function.addFnAttr(llvm::Attribute::OptimizeNone);
      function.addFnAttr(llvm::Attribute::NoInline);
    }
  }
}

FailureOr<std::unique_ptr<llvm::Module>>
fusion::translateHostModule(ModuleOp module, llvm::LLVMContext &context,
                            llvm::TargetMachine &machine, HostEffort effort) {
  DialectRegistry registry;
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  module->getContext()->appendDialectRegistry(registry);
  storeBF16AsBits(module);
  std::unique_ptr<llvm::Module> result =
      translateModuleToLLVMIR(module, context, "fusion");
  if (!result) {
    return module.emitError("expected a host program in the LLVM dialect");
  }
  result->setDataLayout(machine.createDataLayout());
  result->setTargetTriple(machine.getTargetTriple());
  if (effort != HostEffort::Least) {
    keepOuterLoops(*result);
    optimize(*result, machine, effort);
  }
  llvm::for_each(*result, scalarizeOneLaneStores);
  selectHugeBlocksFast(*result);
  return result;
}

FailureOr<std::string> fusion::emitHostObject(ModuleOp module) {
  auto machine = createHostMachine();
  if (!machine) {
    return module.emitError(llvm::toString(machine.takeError()));
  }
  llvm::LLVMContext context;
  auto translated = translateHostModule(module, context, **machine);
  if (failed(translated)) {
    return failure();
  }
  llvm::SmallVector<char> bytes;
  llvm::raw_svector_ostream os(bytes);
  llvm::legacy::PassManager passes;
  if ((*machine)->addPassesToEmitFile(passes, os, nullptr,
                                      llvm::CodeGenFileType::ObjectFile)) {
    return module.emitError("expected a back end that writes objects");
  }
  passes.run(**translated);
  return std::string(bytes.begin(), bytes.end());
}
