//===- CompilationReports.cpp - reports, filled in stage by stage ---------===//

#include "CompilationReports.h"
#include "fusion/Driver/Diagnostics.h"
#include "fusion/Driver/OutputFile.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileUtilities.h"

using namespace mlir;
using namespace mlir::fusion;

CompilationReport mlir::fusion::startReport(ModuleOp module, StringRef model,
                                            const PipelineOptions &options) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  return collectReport(main, model, *getDeviceModel(options.getDevice()));
}

void mlir::fusion::addSchedules(CompilationReport &report, ModuleOp module) {
  if (report.groups.empty()) {
    return;
  }
  attachFunctions(report, module);
  for (GroupReport &group : report.groups) {
    auto function = module.lookupSymbol<func::FuncOp>(group.function);
    Attribute schedule =
        function ? function->getAttr("fusion.schedule") : nullptr;
    if (schedule) {
      group.schedule.clear(); // a pinned one, which the plan has already
      llvm::raw_string_ostream(group.schedule) << schedule;
    }
  }
}

LogicalResult mlir::fusion::addKernelUsage(CompilationReport &report,
                                           ModuleOp module,
                                           const PipelineOptions &options) {
  llvm::StringMap<int64_t> sharedBytes;
  module.walk([&](LLVM::LLVMFuncOp kernel) {
    if (auto bytes =
            kernel->getAttrOfType<IntegerAttr>("fusion.shared_bytes")) {
      sharedBytes[kernel.getName()] = bytes.getInt();
    }
  });
  llvm::StringMap<KernelUsage> usages;
  if (!options.isCPU() && !findPtxas().empty()) {
    FailureOr<std::string> ptx = emitPTX(module, getPTXOptions(options));
    FailureOr<Cubin> cubin =
        failed(ptx) ? FailureOr<Cubin>()
                    : assembleCubin(module.getLoc(), *ptx, options.target);
    if (failed(cubin)) {
      return failure();
    }
    for (const KernelUsage &usage : cubin->kernels) {
      usages[usage.name] = usage;
    }
  }
  for (GroupReport &group : report.groups) {
    if (auto found = sharedBytes.find(group.function);
        found != sharedBytes.end()) {
      group.sharedBytes = found->second;
    }
    if (auto found = usages.find(group.function); found != usages.end()) {
      group.registers = found->second.registers;
      group.spillBytes =
          found->second.spillStoreBytes + found->second.spillLoadBytes;
    }
  }
  return success();
}

LogicalResult mlir::fusion::writeReport(MLIRContext *context,
                                        const CompilationReport &report,
                                        StringRef path) {
  if (path == "-") {
    printTable(report, llvm::outs());
    return success();
  }
  llvm::Error error = writeOutputFile(
      path, path.ends_with(".html") ? toHtml(report) : toJson(report));
  return error ? emitError(context, std::move(error)) : success();
}
