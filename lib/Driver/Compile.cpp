//===- Compile.cpp - from a model to what is asked for ----------*- C++ -*-===//

#include "fusion/Driver/Compile.h"
#include "Package.h"
#include "fusion/Driver/Diagnostics.h"
#include "fusion/InitAllDialects.h"
#include "fusion/Target/Host/Host.h"
#include "fusion/Target/PTX/PTX.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileUtilities.h"

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

void mlir::fusion::registerForCompilation(DialectRegistry &registry) {
  registerAllDialects(registry);
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

static LogicalResult
runPasses(ModuleOp module, llvm::function_ref<void(OpPassManager &)> build) {
  PassManager pm(module.getContext());
  build(pm);
  return pm.run(module);
}

static PTXOptions getPTXOptions(const PipelineOptions &options) {
  PTXOptions ptx;
  ptx.chip = options.target;
  ptx.hardwareExp = options.numerics != Numerics::Strict;
  return ptx;
}

/// The least CUDA driver that reads this PTX, as 1000 * major + 10 * minor. PTX
/// 7, 8 and 9 came with CUDA 11, 12 and 13, and their minor numbers kept step,
/// but for a gap: PTX 8.6 came with CUDA 12.7.
static int64_t getLeastDriver(StringRef ptx) {
  int64_t major = 0, minor = 0;
  StringRef version = ptx.split(".version").second.ltrim();
  (void)version.consumeInteger(10, major);
  (void)version.consume_front(".");
  (void)version.consumeInteger(10, minor);
  minor += major == 8 && minor >= 6;
  return 1000 * (major + 4) + 10 * minor;
}

LogicalResult mlir::fusion::runStages(ModuleOp module, Stage from, Stage to,
                                      const PipelineOptions &options) {
  Stage last = std::min(to, Stage::GPU);
  if (failed(runPasses(module, [&](OpPassManager &pm) {
        buildStages(pm, from, last, options);
      }))) {
    return failure();
  }
  if (to == last) {
    return success();
  }
  // The kernels become the image that the host program carries.
  if (!options.isCPU()) {
    FailureOr<std::string> ptx = emitPTX(module, getPTXOptions(options));
    if (failed(ptx)) {
      return failure();
    }
    Builder builder(module.getContext());
    module->setAttr("fusion.image", builder.getStringAttr(*ptx));
    module->setAttr("fusion.least_driver",
                    builder.getI32IntegerAttr(getLeastDriver(*ptx)));
  }
  return runPasses(module, [&](OpPassManager &pm) {
    buildStages(pm, std::max(from, Stage::GPU), Stage::LLVM, options);
  });
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

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static FailureOr<std::string> makeCubin(ModuleOp module,
                                        const PTXOptions &options) {
  FailureOr<std::string> ptx = emitPTX(module, options);
  if (failed(ptx)) {
    return failure();
  }
  FailureOr<Cubin> cubin = assembleCubin(module.getLoc(), *ptx, options.chip);
  if (failed(cubin)) {
    return failure();
  }
  return cubin->image;
}

/// The bytes of what `emit` asks for, but for a package.
static FailureOr<std::string> makeOutput(ModuleOp module, Emit emit,
                                         const PipelineOptions &options) {
  switch (emit) {
  case Emit::PTX:
    return emitPTX(module, getPTXOptions(options));
  case Emit::Cubin:
    return makeCubin(module, getPTXOptions(options));
  case Emit::Object:
    return emitHostObject(module);
  default:
    std::string text;
    llvm::raw_string_ostream os(text);
    module.print(os);
    return text;
  }
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
  if ((emit == Emit::Package || isBinary) && output == "-") {
    return emitError(context, "expected -o FILE for binary output, but got -");
  }
  if (isBinary && output.empty()) {
    return emitError(context, "expected -o FILE for binary output");
  }
  return success();
}

static llvm::Error writeFile(StringRef path, StringRef bytes) {
  if (path.empty() || path == "-") {
    llvm::outs() << bytes;
    return llvm::Error::success();
  }
  // Through a temporary file: a failed write leaves nothing behind.
  return llvm::writeToOutput(path, [&](llvm::raw_ostream &os) {
    os << bytes;
    return llvm::Error::success();
  });
}

LogicalResult mlir::fusion::compileToFile(StringRef path, Emit emit,
                                          StringRef output,
                                          const CompileOptions &options,
                                          MLIRContext *context) {
  if (failed(checkRequest(emit, output, options, context))) {
    return failure();
  }
  OwningOpRef<ModuleOp> module = loadModel(path, options.load, context);
  Stage last = getStage(emit), half = std::min(last, Stage::Tiles);
  if (!module ||
      failed(runStages(*module, Stage::Input, half, options.pipeline))) {
    return failure();
  }
  // Later stages no longer know the arguments by name.
  std::string header;
  if (emit == Emit::Package) {
    header = makePackageHeader(*module, output);
  }
  if (failed(runStages(*module, half, last, options.pipeline))) {
    return failure();
  }
  if (emit == Emit::Package) {
    return output.empty() ? success() : writePackage(*module, header, output);
  }
  FailureOr<std::string> bytes = makeOutput(*module, emit, options.pipeline);
  if (failed(bytes)) {
    return failure();
  }
  if (llvm::Error error = writeFile(output, *bytes)) {
    return emitError(context, std::move(error));
  }
  return success();
}
