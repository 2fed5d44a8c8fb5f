//===- CompileToFile.cpp - what fusion-compile does -------------*- C++ -*-===//

#include "fusion/Driver/CompileToFile.h"
#include "CompilationReports.h"
#include "Package.h"
#include "fusion/Driver/Diagnostics.h"
#include "fusion/Driver/OutputFile.h"
#include "fusion/Target/Host/Host.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::fusion;

llvm::Expected<Emit> mlir::fusion::parseEmit(StringRef text) {
  auto emit = llvm::StringSwitch<std::optional<Emit>>(text)
                  .Case("graph", Emit::Graph)
                  .Case("linalg", Emit::Linalg)
                  .Case("groups", Emit::Groups)
                  .Case("tiles", Emit::Tiles)
                  .Case("gpu", Emit::GPU)
                  .Case("llvm", Emit::LLVM)
                  .Case("ptx", Emit::PTX)
                  .Case("cubin", Emit::Cubin)
                  .Case("object", Emit::Object)
                  .Case("package", Emit::Package)
                  .Default(std::nullopt);
  if (!emit) {
    return llvm::createStringError(
        "expected --emit=graph, linalg, groups, tiles, gpu, llvm, ptx, cubin, "
        "object or package, but got '" +
        text + "'");
  }
  return *emit;
}

/// The last stage of MLIR on the way to `emit`.
static Stage getStage(Emit emit) {
  switch (emit) {
  case Emit::Graph:
    return Stage::Graph;
  case Emit::Linalg:
    return Stage::Linalg;
  case Emit::Groups:
    return Stage::Groups;
  case Emit::Tiles:
    return Stage::Tiles;
  case Emit::GPU:
  case Emit::PTX:
  case Emit::Cubin:
    return Stage::GPU;
  case Emit::LLVM:
  case Emit::Object:
  case Emit::Package:
    return Stage::LLVM;
  }
  llvm_unreachable("expected a stage");
}

/// Checks what needs no compilation to be known wrong.
static LogicalResult checkRequest(Emit emit, StringRef output,
                                  const CompileOptions &options,
                                  MLIRContext *context) {
  bool isBinary = emit == Emit::Cubin || emit == Emit::Object;
  if (options.pipeline.isCPU() && (emit == Emit::PTX || emit == Emit::Cubin)) {
    return emitError(context, "expected a GPU as --target for --emit=ptx and "
                              "cubin, but got --target=cpu");
  }
  if (emit == Emit::Cubin && findPtxas().empty()) {
    return emitError(context, "--emit=cubin: expected ptxas on PATH or in "
                              "$CUDA_HOME/bin, but found none");
  }
  if (emit == Emit::Package && output.empty() && options.report.empty()) {
    return emitError(context,
                     "expected -o FILE for a package, or --emit=STAGE, "
                     "or --report=FILE");
  }
  if ((emit == Emit::Package && output == "-") ||
      (isBinary && (output.empty() || output == "-"))) {
    return emitError(context, "expected -o FILE for binary output");
  }
  return success();
}

static LogicalResult writeFile(MLIRContext *context, StringRef path,
                               StringRef bytes) {
  if (path.empty() || path == "-") {
    llvm::outs() << bytes;
    return success();
  }
  llvm::Error error = writeOutputFile(path, bytes);
  return error ? emitError(context, std::move(error)) : success();
}

namespace {
/// One compilation, stage by stage.
class Compilation {
public:
  Compilation(Emit emit, StringRef output, const CompileOptions &options,
              MLIRContext *context)
      : emit(emit), output(output), options(options), context(context) {}

  /// Takes `loaded`, called `path`, as far as asked for.
  LogicalResult run(OwningOpRef<ModuleOp> loaded, StringRef path);
  /// Writes what was asked for to the output.
  LogicalResult write();
  /// The bytes of what was asked for; not for packages.
  FailureOr<std::string> makeBytes();

  const CompilationReport &getReport() const { return report; }
  StringRef getHeader() const { return header; }

private:
  LogicalResult advance(Stage to);

  Emit emit;
  StringRef output;
  const CompileOptions &options;
  MLIRContext *context;
  OwningOpRef<ModuleOp> module;
  Stage reached = Stage::Input;
  CompilationReport report;
  std::string header;
};
} // namespace

/// Runs the stages up to `to`, but not beyond the one that is asked for.
LogicalResult Compilation::advance(Stage to) {
  to = std::min(to, std::max(reached, getStage(emit)));
  if (failed(runStages(*module, reached, to, options.pipeline))) {
    return failure();
  }
  reached = to;
  return success();
}

FailureOr<std::string> Compilation::makeBytes() {
  PTXOptions ptxOptions = getPTXOptions(options.pipeline);
  if (emit == Emit::Object) {
    return emitHostObject(*module);
  }
  if (emit == Emit::PTX) {
    return emitPTX(*module, ptxOptions);
  }
  if (emit == Emit::Cubin) {
    FailureOr<std::string> ptx = emitPTX(*module, ptxOptions);
    if (failed(ptx)) {
      return failure();
    }
    FailureOr<Cubin> cubin =
        assembleCubin(module->getLoc(), *ptx, ptxOptions.chip);
    return failed(cubin) ? FailureOr<std::string>() : cubin->image;
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os, OpPrintingFlags().enableDebugInfo(options.emitLocations));
  return text;
}

LogicalResult Compilation::write() {
  if (emit != Emit::Package) {
    FailureOr<std::string> bytes = makeBytes();
    return failed(bytes) ? failure() : writeFile(context, output, *bytes);
  }
  return output.empty() ? success() : writePackage(*module, header, output);
}

LogicalResult Compilation::run(OwningOpRef<ModuleOp> loaded, StringRef path) {
  module = std::move(loaded);
  if (!module || failed(advance(Stage::Groups))) {
    return failure();
  }
  bool wantsReport = !options.report.empty();
  if (wantsReport && reached >= Stage::Groups) {
    report = startReport(*module, path, options.pipeline);
  }
  if (failed(advance(Stage::Tiles))) {
    return failure();
  }
  if (reached >= Stage::Tiles) {
    // Later stages no longer know the arguments and groups by name.
    header = makePackageHeader(*module, output);
    addSchedules(report, *module);
  }
  if (failed(advance(Stage::GPU))) {
    return failure();
  }
  if (wantsReport && reached >= Stage::GPU &&
      failed(addKernelUsage(report, *module, options.pipeline))) {
    return failure();
  }
  return advance(Stage::LLVM);
}

LogicalResult mlir::fusion::compileToFile(StringRef path, Emit emit,
                                          StringRef output,
                                          const CompileOptions &options,
                                          MLIRContext *context) {
  if (failed(checkRequest(emit, output, options, context))) {
    return failure();
  }
  if (!options.report.empty() && getStage(emit) < Stage::Groups) {
    return emitError(context, "expected --emit=groups or a later stage for "
                              "--report, which is about the plan");
  }
  for (StringRef file : {output, StringRef(options.report)}) {
    if (!file.empty() && file != "-") {
      if (llvm::Error error = checkOutputFile(file)) {
        return emitError(context, std::move(error));
      }
    }
  }
  Compilation compilation(emit, output, options, context);
  if (failed(compilation.run(loadModel(path, options.load, context), path)) ||
      failed(compilation.write())) {
    return failure();
  }
  return options.report.empty()
             ? success()
             : writeReport(context, compilation.getReport(), options.report);
}

LogicalResult mlir::fusion::explainModel(StringRef path,
                                         std::pair<StringRef, StringRef> names,
                                         const CompileOptions &options,
                                         MLIRContext *context) {
  OwningOpRef<ModuleOp> module = loadModel(path, options.load, context);
  if (!module || failed(runStages(*module, Stage::Input, Stage::Groups,
                                  options.pipeline))) {
    return failure();
  }
  llvm::Expected<std::string> answer = explain(
      startReport(*module, path, options.pipeline), names.first, names.second);
  if (!answer) {
    return emitError(context, answer.takeError());
  }
  llvm::outs() << *answer << "\n";
  return success();
}

/// Makes a package in a temporary file and returns its bytes.
static FailureOr<std::string>
makePackage(MLIRContext *context, Compilation &compilation, StringRef path) {
  if (failed(compilation.write())) {
    return failure();
  }
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer) {
    return emitError(context, path + ": " + buffer.getError().message());
  }
  return (*buffer)->getBuffer().str();
}

FailureOr<CompiledModel>
mlir::fusion::compileInMemory(OwningOpRef<ModuleOp> module, StringRef name,
                              Emit emit, const CompileOptions &options) {
  MLIRContext *context = module->getContext();
  CompileOptions withReport = options;
  withReport.report = "-";
  SmallString<64> library;
  std::optional<llvm::FileRemover> removeLibrary, removeHeader;
  if (emit == Emit::Package) {
    if (std::error_code error =
            llvm::sys::fs::createTemporaryFile("fusion", "so", library)) {
      return emitError(context, "cannot write to the temporary folder: " +
                                    error.message());
    }
    SmallString<64> header(library);
    llvm::sys::path::replace_extension(header, "h");
    removeLibrary.emplace(library);
    removeHeader.emplace(header);
  }
  StringRef output = emit == Emit::Package ? StringRef(library) : name;
  if (failed(checkRequest(emit, output, withReport, context))) {
    return failure();
  }
  Compilation compilation(emit, output, withReport, context);
  if (failed(compilation.run(std::move(module), name))) {
    return failure();
  }
  FailureOr<std::string> bytes =
      emit == Emit::Package ? makePackage(context, compilation, library)
                            : compilation.makeBytes();
  if (failed(bytes)) {
    return failure();
  }
  return CompiledModel{std::move(*bytes), compilation.getHeader().str(),
                       compilation.getReport()};
}
