//===- fusion-emulate.cpp - runs one kernel in the emulator ---------------===//

#include "EmulateKernel.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/PrettyStackTrace.h"

using namespace mlir;
using namespace mlir::fusion::emulator;
namespace cl = llvm::cl;

static cl::opt<std::string> file(cl::Positional, cl::Required,
                                 cl::desc("FILE.mlir"));
static cl::list<std::string> arguments(cl::Positional, cl::desc("ARG..."));
static cl::opt<std::string> kernel("kernel", cl::Required,
                                   cl::desc("The kernel to run"));
static cl::list<int64_t> grid("grid", cl::CommaSeparated,
                              cl::desc("Blocks: X[,Y[,Z]] (default 1)"));
static cl::opt<int64_t> block("block", cl::desc("Threads of a block (default: "
                                                "what the kernel states)"));
static cl::opt<uint64_t> seed("seed",
                              cl::desc("Random order of what is permitted"));
static cl::list<unsigned> shown("print", cl::CommaSeparated,
                                cl::desc("Arguments to print afterwards"));
static cl::opt<unsigned> most("most", cl::init(16),
                              cl::desc("Elements to print"));
static cl::opt<bool> counters("counters", cl::desc("Print the counters"));

int main(int argc, char **argv) {
  llvm::setBugReportMsg("This is a fault in Fusion: please report it with the "
                        "input and the command line.\n");
  cl::AddExtraVersionPrinter(
      [](raw_ostream &os) { os << "Fusion " FUSION_VERSION "\n"; });
  cl::ParseCommandLineOptions(argc, argv,
                              "Fusion: runs a GPU kernel of stage 5\n");
  DialectRegistry registry;
  registerForEmulation(registry);
  MLIRContext context(registry);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(file, &context);
  if (!module) {
    return 1;
  }
  return emulateKernel(
      *module, {kernel, arguments, grid, block, seed, shown, most, counters});
}
