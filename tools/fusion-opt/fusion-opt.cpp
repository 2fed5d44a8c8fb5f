//===- fusion-opt.cpp - runs passes over MLIR files -----------------------===//

#include "fusion/InitAllDialects.h"
#include "fusion/InitAllPasses.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Debug.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/raw_ostream.h"

/// LLVM's own -debug-only is missing where LLVM was built without assertions;
/// our libraries print all the same where they have them.
static llvm::cl::list<std::string> debugTypes(
    "debug-types", llvm::cl::CommaSeparated, llvm::cl::value_desc("type,..."),
    llvm::cl::desc("Print the debug output of these types: source files "
                   "by name (Reshape.cpp), unless they say otherwise"),
    llvm::cl::callback([](const std::string &) {
#ifndef NDEBUG
      llvm::SmallVector<const char *> names;
      for (const std::string &name : debugTypes) {
        names.push_back(name.c_str());
      }
      llvm::DebugFlag = true;
      llvm::setCurrentDebugTypes(names.data(), names.size());
#endif
    }));

static constexpr char overview[] =
    R"(Fusion: runs passes over MLIR files

EXAMPLES:
  the plan of linalg on tensors, and why the rest was not fused:
    fusion-opt in.mlir -pass-pipeline='builtin.module(fusion-linalg-to-groups{target=sm_90a})' \
      -remarks-filter='fusion.*' -remark-format=emitRemark
  one pass:
    fusion-opt in.mlir -fusion-sink-reshapes
  on from a plan: fusion-groups-to-tiles, fusion-tile-programs-to-gpu (docs/Debugging.md)

Exits with 0, or with 1 after an error.
)";

int main(int argc, char **argv) {
  llvm::setBugReportMsg("This is a fault in Fusion: please report it with the "
                        "input and the command line.\n");
  llvm::cl::AddExtraVersionPrinter(
      [](llvm::raw_ostream &os) { os << "Fusion " FUSION_VERSION "\n"; });
  mlir::DialectRegistry registry;
  mlir::fusion::registerAllDialects(registry);
  mlir::fusion::registerAllPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, overview, registry));
}
