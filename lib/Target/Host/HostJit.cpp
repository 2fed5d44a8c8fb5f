//===- HostJit.cpp - host programs compiled in the process ----------------===//

#include "fusion/Target/Host/HostJit.h"
#include "fusion/Target/Host/Host.h"

#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/CompileUtils.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace mlir::fusion;

HostEffort fusion::getEffortForFewRuns(int64_t largestArray) {
  // Products of such arrays have at most 2^24 terms or so: a tenth of a second
  // without optimizations, which would take that long themselves.
  constexpr int64_t most = INT64_C(1) << 16;
  return largestArray <= most ? HostEffort::Least : HostEffort::Full;
}

HostJit::HostJit() = default;
HostJit::~HostJit() = default;

/// Lets compiled code call the runtime of this process, whatever its symbols'
/// visibility.
static llvm::Error defineRuntime(llvm::orc::LLJIT &jit) {
  llvm::orc::SymbolMap symbols;
  auto add = [&](StringRef name, auto *function) {
    symbols[jit.mangleAndIntern(name)] = {
        llvm::orc::ExecutorAddr::fromPtr(function),
        llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  };
  add("fusionRtLaunch", &fusionRtLaunch);
  add("fusionRtParameterTable", &fusionRtParameterTable);
  add("fusionRtTensorMap", &fusionRtTensorMap);
  add("fusionRtParallelFor", &fusionRtParallelFor);
  add("fusionRtMultiprocessors", &fusionRtMultiprocessors);
  return jit.getMainJITDylib().define(
      llvm::orc::absoluteSymbols(std::move(symbols)));
}

llvm::Expected<std::unique_ptr<HostJit>> HostJit::create(ModuleOp module,
                                                         HostEffort effort) {
  auto machine = createHostMachine(effort);
  if (!machine) {
    return machine.takeError();
  }
  auto context = std::make_unique<llvm::LLVMContext>();
  auto translated = translateHostModule(module, *context, **machine, effort);
  if (failed(translated)) {
    return llvm::createStringError("the host program cannot be compiled");
  }
  auto result = std::unique_ptr<HostJit>(new HostJit());
  auto compile = [&machine](llvm::orc::JITTargetMachineBuilder)
      -> llvm::Expected<
          std::unique_ptr<llvm::orc::IRCompileLayer::IRCompiler>> {
    return std::make_unique<llvm::orc::TMOwningSimpleCompiler>(
        std::move(*machine));
  };
  auto jit =
      llvm::orc::LLJITBuilder().setCompileFunctionCreator(compile).create();
  if (!jit) {
    return jit.takeError();
  }
  result->jit = std::move(*jit);
  auto process = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      result->jit->getDataLayout().getGlobalPrefix());
  if (!process) {
    return process.takeError();
  }
  result->jit->getMainJITDylib().addGenerator(std::move(*process));
  if (llvm::Error error = defineRuntime(*result->jit)) {
    return error;
  }
  if (llvm::Error error = result->jit->addIRModule(llvm::orc::ThreadSafeModule(
          std::move(*translated), std::move(context)))) {
    return error;
  }
  auto program = result->jit->lookup("fusion_program");
  if (!program) {
    return program.takeError();
  }
  result->compiled = program->toPtr<const FusionProgram *>();
  return result;
}
