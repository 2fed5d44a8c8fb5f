//===- fusion-run.cpp - runs, verifies and times a model ------------------===//

#include "fusion/Driver/CommandLine.h"
#include "fusion/Driver/Diagnostics.h"

using namespace mlir;
using namespace mlir::fusion;
namespace cl = llvm::cl;

static constexpr char overview[] =
    R"(Fusion: runs a model (ONNX or MLIR), or a package that fusion-compile wrote

EXAMPLES:
  on random inputs, every group checked against the unfused reference:
    fusion-run model.onnx --weights='*,!x' --verify
  on a GPU, with an input of one's own, timed, results kept:
    fusion-run model.onnx --device=cuda --input x=x.npy --bench --save-outputs out
  a package, with a size for its dynamic dim:
    fusion-run model.so --dim batch=7 --input x=random:42

Exits with 0; with 1 on bad input or results that do not agree, after a line
that says what was expected.
)";

int main(int argc, char **argv) {
  cl::OptionCategory category("Options of fusion-run");
  cl::opt<std::string> input(cl::Positional, cl::Required,
                             cl::desc("MODEL|PACKAGE"), cl::cat(category));
  CompileFlags compile(category, "");
  RunFlags run(category);
  parseCommandLine(argc, argv, category, overview);

  DialectRegistry registry;
  registerForCompilation(registry);
  MLIRContext context(registry);
  DiagnosticPrinter printer(&context, llvm::errs());
  llvm::Expected<CompileOptions> compileOptions =
      compile.getOptions(/*dimsAtRunTime=*/!run.isStatic());
  if (!compileOptions) {
    return failed(emitError(&context, compileOptions.takeError()));
  }
  llvm::Expected<RunOptions> runOptions = run.getOptions(compile);
  if (!runOptions) {
    return failed(emitError(&context, runOptions.takeError()));
  }
  return failed(
      runFile(input, *compileOptions, *runOptions, &context, llvm::outs()));
}
