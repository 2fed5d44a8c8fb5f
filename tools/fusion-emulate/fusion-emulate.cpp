//===- fusion-emulate.cpp - runs one kernel in the emulator ---------------===//

#include "Arguments.h"
#include "fusion/Tile/IR/Tile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/PrettyStackTrace.h"

using namespace mlir;
namespace cl = llvm::cl;
namespace emulator = mlir::fusion::emulator;

static cl::opt<std::string> file(cl::Positional, cl::Required,
                                 cl::desc("FILE.mlir"));
static cl::list<std::string> texts(cl::Positional, cl::desc("ARG..."));
static cl::opt<std::string> kernelName("kernel", cl::Required,
                                       cl::desc("The kernel to run"));
static cl::list<int64_t> grid("grid", cl::CommaSeparated,
                              cl::desc("Blocks: X[,Y[,Z]] (default 1)"));
static cl::opt<int64_t> block("block", cl::init(0),
                              cl::desc("Threads of a block (default: what the "
                                       "kernel states)"));
static cl::opt<uint64_t> seed("seed", cl::init(0),
                              cl::desc("Random order of what is permitted"));
static cl::list<unsigned> shown("print", cl::CommaSeparated,
                                cl::desc("Arguments to print afterwards"));
static cl::opt<unsigned> most("most", cl::init(16),
                              cl::desc("Elements to print"));
static cl::opt<bool> counters("counters", cl::desc("Print the counters"));

static int fail(const Twine &message) {
  llvm::errs() << "error: " << message << "\n";
  return 1;
}

static int run(ModuleOp module) {
  std::unique_ptr<emulator::Image> image = emulator::Image::load(module);
  if (!image) {
    return 1;
  }
  const emulator::Image::Kernel *kernel = image->find(kernelName);
  if (!kernel) {
    return fail("expected a kernel of the file, but got '" + kernelName + "'");
  }
  emulator::GlobalMemory memory;
  emulator::Arguments arguments(memory);
  for (const std::string &text : texts) {
    if (llvm::Error error = arguments.add(text)) {
      return fail(llvm::toString(std::move(error)));
    }
  }
  std::vector<void *> pointers = arguments.getPointers();
  int64_t wanted = emulator::Image::getNumParameters(*kernel);
  if (static_cast<int64_t>(pointers.size()) != wanted) {
    return fail("expected " + Twine(wanted) + " arguments, but got " +
                Twine(pointers.size()));
  }
  emulator::LaunchShape shape;
  std::copy_n(grid.begin(), std::min<size_t>(grid.size(), 3),
              shape.grid.begin());
  shape.block = block ? int64_t(block) : emulator::Image::getBlockSize(*kernel);
  shape.sharedBytes = emulator::Image::getSharedBytes(*kernel);
  emulator::Options options;
  options.seed = seed;
  emulator::LaunchResult result =
      emulator::launch(*kernel, shape, pointers.data(), memory, options);
  for (unsigned index : shown) {
    if (llvm::Error error = arguments.print(index, most, llvm::outs())) {
      return fail(llvm::toString(std::move(error)));
    }
  }
  if (counters) {
    result.counters.print(llvm::outs());
  }
  llvm::outs().flush();
  llvm::errs() << result.describe();
  return result.faults.empty() ? 0 : 2;
}

int main(int argc, char **argv) {
  llvm::setBugReportMsg("This is a fault in Fusion: please report it with the "
                        "input and the command line.\n");
  cl::AddExtraVersionPrinter(
      [](raw_ostream &os) { os << "Fusion " FUSION_VERSION "\n"; });
  cl::ParseCommandLineOptions(argc, argv,
                              "Fusion: runs a GPU kernel of stage 5\n");
  // The kernels' dialects, and those of the host code that may stand beside.
  DialectRegistry registry;
  registry.insert<arith::ArithDialect, func::FuncDialect, gpu::GPUDialect,
                  LLVM::LLVMDialect, math::MathDialect, memref::MemRefDialect,
                  NVVM::NVVMDialect, scf::SCFDialect, ub::UBDialect,
                  vector::VectorDialect, mlir::fusion::tile::TileDialect>();
  MLIRContext context(registry);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(file, &context);
  return module ? run(*module) : 1;
}
