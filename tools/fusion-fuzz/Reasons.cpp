//===- Reasons.cpp - plans say why ops are apart --------------------------===//

#include "Reasons.h"
#include "fusion/Driver/Compile.h"
#include "fusion/Planner/Units.h"
#include "fusion/Report/Report.h"
#include "fusion/Tile/IR/Tile.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::fuzz;

/// Names ops that have no name.
static void nameOps(ModuleOp graph) {
  auto main = graph.lookupSymbol<func::FuncOp>("main");
  unsigned number = 0;
  main.getBody().walk([&](Operation *op) {
    if (getSourceName(op->getLoc()).empty()) {
      std::string name =
          op->getName().stripDialect().str() + "_" + std::to_string(number++);
      op->setLoc(NameLoc::get(StringAttr::get(op->getContext(), name)));
    }
  });
}

/// Counts the launches of @main: of kernels on a GPU, else of groups.
static int64_t countLaunches(ModuleOp module, bool isCPU) {
  int64_t count = 0;
  module.lookupSymbol<func::FuncOp>("main").walk([&](func::CallOp call) {
    auto group = module.lookupSymbol<func::FuncOp>(call.getCallee());
    if (isCPU) {
      ++count;
      return;
    }
    group.walk([&](tile::LaunchOp) { ++count; });
  });
  return count;
}

CheckResult fuzz::checkReasons(ModuleOp graph,
                               const PipelineOptions &pipeline) {
  std::string error;
  ScopedDiagnosticHandler handler(
      graph.getContext(), [&](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
            error.empty()) {
          llvm::raw_string_ostream(error) << diagnostic;
        }
      });
  nameOps(graph);
  if (failed(runStages(graph, Stage::Input, Stage::Groups, pipeline))) {
    return {CheckResult::Refused, error};
  }
  CompilationReport report =
      collectReport(graph.lookupSymbol<func::FuncOp>("main"), "random",
                    *getDeviceModel(pipeline.getDevice()));
  std::vector<std::string> found = findUnexplained(report);
  if (!found.empty()) {
    return {CheckResult::Fails, llvm::join(found, "; ")};
  }
  if (failed(runStages(graph, Stage::Groups, Stage::GPU, pipeline))) {
    return {CheckResult::Refused, error};
  }
  int64_t launches = countLaunches(graph, pipeline.isCPU());
  if (launches != report.launchesAfter) {
    return {CheckResult::Fails, "launches: expected those of the report, " +
                                    std::to_string(report.launchesAfter) +
                                    ", but got " + std::to_string(launches)};
  }
  return {};
}
