//===- OutputFlags.cpp - what fusion-compile is to write --------*- C++ -*-===//

#include "fusion/Driver/OutputFlags.h"
#include "fusion/Driver/CompileToFile.h"
#include "fusion/Driver/Diagnostics.h"

using namespace mlir;
using namespace mlir::fusion;
namespace cl = llvm::cl;

struct OutputFlags::Flags {
  explicit Flags(cl::OptionCategory &category)
      : output("o", cl::value_desc("FILE"), cl::cat(category),
               cl::desc("The file to write (- for standard output)")),
        emit("emit", cl::value_desc("STAGE"), cl::cat(category),
             cl::init("package"),
             cl::desc("graph, linalg, groups, tiles, gpu, llvm, ptx, cubin, "
                      "object or package (the default)")),
        emitLocations("emit-locations", cl::cat(category),
                      cl::desc("With --emit, write locations too: who goes on "
                               "from there knows the names of the model's "
                               "nodes")),
        report("report", cl::value_desc("FILE.html|FILE.json|-"),
               cl::cat(category),
               cl::desc("Write what was fused, and why the rest was not: a "
                        "page to look at, JSON, or (-) a table")),
        explain("explain", cl::value_desc("PRODUCER CONSUMER"),
                cl::multi_val(2), cl::cat(category),
                cl::desc("Say why these two operations are or are not in one "
                         "kernel, and compile nothing")) {}

  llvm::Error check() const;

  cl::opt<std::string> output, emit;
  cl::opt<bool> emitLocations;
  cl::opt<std::string> report;
  cl::list<std::string> explain;
};

OutputFlags::OutputFlags(cl::OptionCategory &category)
    : flags(std::make_unique<Flags>(category)) {}
OutputFlags::~OutputFlags() = default;

/// Fails where a flag is given that would be ignored.
llvm::Error OutputFlags::Flags::check() const {
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
  if (emitLocations && !emit.getNumOccurrences()) {
    return llvm::createStringError("expected --emit for --emit-locations");
  }
  if (explain.size() > 2) {
    return llvm::createStringError("expected one pair for --explain, but got " +
                                   Twine(explain.size() / 2));
  }
  return llvm::Error::success();
}

LogicalResult OutputFlags::run(StringRef path, CompileOptions options,
                               MLIRContext *context) const {
  if (llvm::Error error = flags->check()) {
    return emitError(context, std::move(error));
  }
  if (!flags->explain.empty()) {
    return explainModel(path, {flags->explain[0], flags->explain[1]}, options,
                        context);
  }
  llvm::Expected<Emit> stage = parseEmit(flags->emit);
  if (!stage) {
    return emitError(context, stage.takeError());
  }
  options.report = flags->report;
  options.emitLocations = flags->emitLocations;
  return compileToFile(path, *stage, flags->output, options, context);
}
