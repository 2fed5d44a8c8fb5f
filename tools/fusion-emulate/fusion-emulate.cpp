//===- fusion-emulate.cpp - runs one kernel in the emulator ---------------===//

#include "EmulateKernel.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/PrettyStackTrace.h"

using namespace mlir;
using namespace mlir::fusion::emulator;
namespace cl = llvm::cl;

static constexpr char overview[] =
    R"(Fusion: runs a GPU kernel of stage 5, with checkers (docs/Emulator.md)

EXAMPLE:
  a kernel on 64x64 random numbers; its results, and what it did:
    fusion-compile model.mlir --target=sm_80 --emit=gpu -o kernels.mlir
    fusion-emulate kernels.mlir --kernel=group_0 --grid=4 \\
      random:64x64xf32 unwritten:64x64xf32 --print=1 --counters

An ARG is a parameter: zeros:, ones:, iota:, random[SEED]:, nan: or unwritten:
before the type of an array; i64:12 or f32:0.5; array:0 for the array of argument
0 once more; map:0:64x64:128 for a tensor map of it (box, swizzle).
Exits with 0; with 1 on bad input; with 2 where the kernel has faults.
)";

static cl::OptionCategory category("Options of fusion-emulate");
static cl::opt<std::string> file(cl::Positional, cl::Required,
                                 cl::desc("FILE.mlir"), cl::cat(category));
static cl::list<std::string> arguments(cl::Positional, cl::desc("ARG..."),
                                       cl::cat(category));
static cl::opt<std::string> kernel("kernel", cl::Required,
                                   cl::desc("The kernel to run"),
                                   cl::cat(category));
static cl::list<int64_t> grid("grid", cl::CommaSeparated,
                              cl::desc("Blocks: X[,Y[,Z]] (default 1)"),
                              cl::cat(category));
static cl::opt<int64_t> block("block",
                              cl::desc("Threads of a block (default: what the "
                                       "kernel states)"),
                              cl::cat(category));
static cl::opt<uint64_t> seed("seed",
                              cl::desc("Random order of what is permitted"),
                              cl::cat(category));
static cl::list<unsigned> shown("print", cl::CommaSeparated,
                                cl::desc("Arguments to print afterwards"),
                                cl::cat(category));
static cl::opt<unsigned> most("most", cl::init(16),
                              cl::desc("Elements to print (default 16)"),
                              cl::cat(category));
static cl::opt<bool> counters("counters", cl::desc("Print the counters"),
                              cl::cat(category));

int main(int argc, char **argv) {
  llvm::setBugReportMsg("This is a fault in Fusion: please report it with the "
                        "input and the command line.\n");
  cl::AddExtraVersionPrinter(
      [](raw_ostream &os) { os << "Fusion " FUSION_VERSION "\n"; });
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, overview);
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
