//===- fusion-fuzz.cpp - random graphs, fused and unfused -----------------===//

#include "Fuzzer.h"
#include "fusion/Driver/CommandLine.h"
#include "fusion/Driver/Compile.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::fuzz;

static constexpr char overview[] =
    R"(Fusion: compares fused with unfused programs on random graphs

EXAMPLES:
  a thousand graphs on the CPU, those that fail written to a folder:
    fusion-fuzz --seed=7 --count=1000 --save=failures
  one of them again, from its file (its inputs follow from the seed):
    fusion-fuzz failures/7-123.mlir --seed=7

Exits with 0; with 1 where a graph fails. utils/fuzz reduces what fails.
)";

int main(int argc, char **argv) {
  llvm::cl::OptionCategory category("Options of fusion-fuzz");
  Flags flags(category);
  parseCommandLine(argc, argv, category, overview);
  DialectRegistry registry;
  registerForCompilation(registry);
  // Children inherit the context: it must have no threads.
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  Fuzzer fuzzer(flags, context);
  if (llvm::Error error = fuzzer.configure()) {
    llvm::errs() << "error: " << llvm::toString(std::move(error)) << "\n";
    return 1;
  }
  return fuzzer.run();
}
