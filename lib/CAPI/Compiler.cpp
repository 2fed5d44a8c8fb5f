//===- Compiler.cpp - the compiler, from C --------------------------------===//

#include "fusion-c/Compiler.h"
#include "fusion/Driver/CompileToFile.h"
#include "fusion/Driver/Diagnostics.h"
#include "fusion/Driver/OutputFile.h"
#include "fusion/Driver/Remarks.h"
#include "fusion/Driver/Version.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/TargetSelect.h"
#include <cstring>
#include <mutex>

using namespace mlir;
using namespace mlir::fusion;

extern "C" {
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

struct FusionCompiled {
  CompiledModel model;
  // What was asked for last, kept for the caller.
  std::string report, page, explanation, error;
};

//===----------------------------------------------------------------------===//
// Diagnostics
//===----------------------------------------------------------------------===//

static FusionSeverity getSeverity(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Note:
    return FUSION_NOTE;
  case DiagnosticSeverity::Remark:
    return FUSION_REMARK;
  case DiagnosticSeverity::Warning:
    return FUSION_WARNING;
  case DiagnosticSeverity::Error:
    return FUSION_ERROR;
  }
  llvm_unreachable("expected a severity");
}

static void hand(const Diagnostic &diagnostic,
                 const FusionCompileOptions &options) {
  std::string location = describeLocation(diagnostic.getLocation());
  std::string message = diagnostic.str();
  FusionDiagnostic handed = {getSeverity(diagnostic.getSeverity()),
                             location.c_str(), message.c_str()};
  options.handler(&handed, options.user_data);
}

/// Hands each diagnostic of a context, then its notes, to the caller's handler.
static void handOver(Diagnostic &diagnostic,
                     const FusionCompileOptions &options) {
  if (!options.handler) {
    return;
  }
  hand(diagnostic, options);
  for (Diagnostic &note : diagnostic.getNotes()) {
    hand(note, options);
  }
}

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

/// Copies what a caller, who may know an older and smaller struct, has set.
static FusionCompileOptions complete(const FusionCompileOptions *given) {
  FusionCompileOptions options = {};
  if (given) {
    std::memcpy(&options, given,
                std::min(given->struct_size, sizeof(FusionCompileOptions)));
  }
  auto setDefault = [](const char *&field, const char *value) {
    field = field ? field : value;
  };
  setDefault(options.name, "model");
  setDefault(options.target, "cpu");
  setDefault(options.emit, "package");
  setDefault(options.fuse, "all");
  setDefault(options.numerics, "default");
  return options;
}

static llvm::Expected<CompileOptions>
parseOptions(const FusionCompileOptions &given) {
  CompileOptions options;
  if (llvm::Error error = checkTarget(given.target)) {
    return error;
  }
  options.pipeline.target = given.target;
  llvm::Expected<FuseKinds> fuse = parseFuse(given.fuse);
  if (!fuse) {
    return fuse.takeError();
  }
  options.pipeline.fuse = *fuse;
  llvm::Expected<Numerics> numerics = parseNumerics(given.numerics);
  if (!numerics) {
    return numerics.takeError();
  }
  options.pipeline.numerics = *numerics;
  for (size_t i = 0; i < given.num_weights; ++i) {
    options.load.weights.emplace_back(given.weights[i]);
  }
  for (size_t i = 0; i < given.num_dims; ++i) {
    if (given.dims[i].size < 0) {
      return llvm::createStringError("expected a size of 0 or more for dim '" +
                                     Twine(given.dims[i].name) + "', but got " +
                                     Twine(given.dims[i].size));
    }
    options.load.dims[given.dims[i].name] = given.dims[i].size;
  }
  return options;
}

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

/// LLVM's lists of back ends are filled without a lock: once, before any use.
static void initializeBackEnds() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
}

static FusionCompileStatus compile(StringRef model,
                                   const FusionCompileOptions &given,
                                   FusionCompiled *&result) {
  DialectRegistry registry;
  registerForCompilation(registry);
  MLIRContext context(registry, given.single_threaded
                                    ? MLIRContext::Threading::DISABLED
                                    : MLIRContext::Threading::ENABLED);
  context.printOpOnDiagnostic(false);
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    handOver(diagnostic, given);
    return success();
  });
  llvm::Expected<CompileOptions> options = parseOptions(given);
  if (!options) {
    (void)emitError(&context, options.takeError());
    return FUSION_COMPILE_INVALID_OPTION;
  }
  llvm::Expected<Emit> emit = parseEmit(given.emit);
  if (!emit) {
    (void)emitError(&context, emit.takeError());
    return FUSION_COMPILE_INVALID_OPTION;
  }
  if (given.remarks && failed(enableRemarks(&context, ""))) {
    return FUSION_COMPILE_FAILED;
  }
  OwningOpRef<ModuleOp> module =
      loadModelFromMemory(model, given.name, options->load, &context);
  if (!module) {
    return FUSION_COMPILE_INVALID_MODEL;
  }
  FailureOr<CompiledModel> compiled =
      compileInMemory(std::move(module), given.name, *emit, *options);
  if (failed(compiled)) {
    return FUSION_COMPILE_FAILED;
  }
  result = new FusionCompiled{std::move(*compiled), "", "", "", ""};
  return FUSION_COMPILE_OK;
}

const char *fusionCompilerVersion(void) {
  static const std::string version = getVersion().str();
  return version.c_str();
}

FusionCompileStatus fusionCompile(const void *model, size_t size,
                                  const FusionCompileOptions *options,
                                  FusionCompiled **result) {
  if (!result) {
    return FUSION_COMPILE_INVALID_OPTION;
  }
  *result = nullptr;
  if (!model && size != 0) {
    return FUSION_COMPILE_INVALID_MODEL;
  }
  initializeBackEnds();
  return compile(StringRef(static_cast<const char *>(model), size),
                 complete(options), *result);
}

void fusionCompiledDestroy(FusionCompiled *compiled) { delete compiled; }

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

const void *fusionCompiledData(const FusionCompiled *compiled, size_t *size) {
  *size = compiled->model.bytes.size();
  return compiled->model.bytes.data();
}

int32_t fusionCompiledWrite(const FusionCompiled *compiled, const char *path) {
  llvm::Error error = writeOutputFile(path, compiled->model.bytes);
  return error ? llvm::errorToErrorCode(std::move(error)).value() : 0;
}

const char *fusionCompiledHeader(const FusionCompiled *compiled) {
  return compiled->model.header.c_str();
}

const char *fusionCompiledReport(FusionCompiled *compiled) {
  compiled->report = toJson(compiled->model.report);
  return compiled->report.c_str();
}

const char *fusionCompiledReportPage(FusionCompiled *compiled) {
  compiled->page = toHtml(compiled->model.report);
  return compiled->page.c_str();
}

const char *fusionCompiledExplain(FusionCompiled *compiled,
                                  const char *producer, const char *consumer,
                                  const char **error) {
  llvm::Expected<std::string> answer =
      explain(compiled->model.report, producer, consumer);
  if (answer) {
    compiled->explanation = std::move(*answer);
    return compiled->explanation.c_str();
  }
  compiled->error = llvm::toString(answer.takeError());
  if (error) {
    *error = compiled->error.c_str();
  }
  return nullptr;
}
