//===- fusion-compile.cpp - compiles a model ------------------------------===//

#include "fusion/Driver/CommandLine.h"
#include "fusion/Driver/CompileToFile.h"
#include "fusion/Driver/Diagnostics.h"
#include "fusion/Driver/HugePages.h"
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

namespace {
/// What to write, or to say.
struct OutputFlags {
  explicit OutputFlags(cl::OptionCategory &category)
      : output("o", cl::value_desc("FILE"), cl::cat(category),
               cl::desc("The file to write (- for standard output)")),
        emit("emit", cl::value_desc("STAGE"), cl::cat(category),
             cl::init("package"),
             cl::desc("graph, linalg, groups, tiles, gpu, llvm, ptx, cubin, "
                      "object or package (the default)")),
        report("report", cl::value_desc("FILE.html|FILE.json|-"),
               cl::cat(category),
               cl::desc("Write what was fused, and why the rest was not: a "
                        "page to look at, JSON, or (-) a table")),
        explain("explain", cl::value_desc("PRODUCER CONSUMER"),
                cl::multi_val(2), cl::cat(category),
                cl::desc("Say why these two operations are or are not in one "
                         "kernel, and compile nothing")) {}

  llvm::Error check() const;

  cl::opt<std::string> output, emit, report;
  cl::list<std::string> explain;
};
} // namespace

/// Fails where a flag is given that would be ignored.
llvm::Error OutputFlags::check() const {
  for (const cl::opt<std::string> *flag : {&output, &emit, &report}) {
    bool given = flag->getNumOccurrences() != 0;
    if (given && flag->empty() && flag != &emit) {
      return llvm::createStringError(
          "expected a file, or -, as " +
          Twine(flag == &output ? "-o" : "--report") + ", but got ''");
    }
    if (given && !explain.empty()) {
      return llvm::createStringError(
          "expected no -o, --emit or --report beside --explain, which prints a "
          "sentence and compiles nothing");
    }
  }
  if (explain.size() > 2) {
    return llvm::createStringError("expected one pair for --explain, but got " +
                                   Twine(explain.size() / 2));
  }
  return llvm::Error::success();
}

int main(int argc, char **argv) {
  useHugePages();
  cl::OptionCategory category("Options of fusion-compile");
  cl::opt<std::string> input(cl::Positional, cl::Required, cl::desc("MODEL"),
                             cl::cat(category));
  OutputFlags flags(category);
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
  if (llvm::Error error = flags.check()) {
    return failed(emitError(&context, std::move(error)));
  }
  options->report = flags.report;
  if (remarks.getNumOccurrences() && failed(enableRemarks(&context, remarks))) {
    return 1;
  }
  if (!flags.explain.empty()) {
    return failed(explainModel(input, {flags.explain[0], flags.explain[1]},
                               *options, &context));
  }
  llvm::Expected<Emit> stage = parseEmit(flags.emit);
  if (!stage) {
    return failed(emitError(&context, stage.takeError()));
  }
  return failed(compileToFile(input, *stage, flags.output, *options, &context));
}
