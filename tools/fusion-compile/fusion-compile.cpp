//===- fusion-compile.cpp - compiles a model ------------------------------===//

#include "fusion/Driver/CommandLine.h"
#include "fusion/Driver/Diagnostics.h"
#include "fusion/Driver/HugePages.h"
#include "fusion/Driver/OutputFlags.h"
#include "fusion/Driver/Remarks.h"

using namespace mlir;
using namespace mlir::fusion;
namespace cl = llvm::cl;

static constexpr char overview[] =
    R"(Fusion: compiles a model (ONNX or MLIR) to few, fast kernels

EXAMPLES:
  a package for an H200, and a header that names its inputs:
    fusion-compile model.onnx --weights='*,!x' --target=sm_90a -o model.so
  the plan: which operations share a kernel, and why the others do not:
    fusion-compile model.onnx --target=sm_90a --emit=groups
    fusion-compile model.onnx --target=sm_90a --report=plan.html
  why two operations are or are not in one kernel:
    fusion-compile model.onnx --target=sm_90a --explain gelu matmul
  stop after any stage, edit the IR, and go on from there (docs/Debugging.md):
    fusion-compile model.onnx --emit=linalg -o model.mlir
    fusion-compile model.mlir --target=sm_80 --emit=ptx

Exits with 0, or with 1 after a line that says what was expected.
)";

int main(int argc, char **argv) {
  useHugePages();
  cl::OptionCategory category("Options of fusion-compile");
  cl::opt<std::string> input(cl::Positional, cl::Required, cl::desc("MODEL"),
                             cl::cat(category));
  OutputFlags output(category);
  cl::opt<std::string> remarks(
      "remarks", cl::value_desc("CATEGORY"), cl::ValueOptional,
      cl::cat(category),
      cl::desc("Print what the passes decided, for each pair of operations "
               "whether it was fused (default: fusion)"));
  CompileFlags compile(category, "cpu");
  parseCommandLine(argc, argv, category, overview);
  DialectRegistry registry;
  registerForCompilation(registry);
  MLIRContext context(registry);
  DiagnosticPrinter printer(&context, llvm::errs());
  llvm::Expected<CompileOptions> options = compile.getOptions();
  if (!options) {
    return failed(emitError(&context, options.takeError()));
  }
  if (remarks.getNumOccurrences() && failed(enableRemarks(&context, remarks))) {
    return 1;
  }
  return failed(output.run(input, *options, &context));
}
