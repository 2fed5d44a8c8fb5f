//===- fusion-translate.cpp - other formats to MLIR, and back -------------===//

#include "fusion/Import/ONNX/Import.h"
#include "fusion/Target/PTX/PTX.h"

#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

namespace cl = llvm::cl;

static cl::list<std::string>
    weights("weights", cl::CommaSeparated, cl::value_desc("GLOB,..."),
            cl::desc("With --import-onnx: inputs that are weights; a leading "
                     "'!' excludes, as in '*,!x'"));
static cl::list<std::string>
    dims("dim", cl::value_desc("NAME=N"),
         cl::desc("With --import-onnx: the size of a named dynamic dim"));

/// Imports the main file of `sources` with the options of the command line.
static mlir::OwningOpRef<mlir::Operation *>
importFile(const std::shared_ptr<llvm::SourceMgr> &sources,
           mlir::MLIRContext *context) {
  const llvm::MemoryBuffer *buffer =
      sources->getMemoryBuffer(sources->getMainFileID());
  mlir::fusion::OnnxImportOptions options;
  options.weights.assign(weights.begin(), weights.end());
  options.baseDir =
      llvm::sys::path::parent_path(buffer->getBufferIdentifier()).str();
  for (llvm::StringRef dim : dims) {
    auto [name, size] = dim.rsplit('=');
    if (name.empty() || size.getAsInteger(10, options.dims[name.str()])) {
      mlir::emitError(mlir::UnknownLoc::get(context))
          << "expected --dim=NAME=N, but got '" << dim << "'";
      return {};
    }
  }
  return mlir::fusion::importOnnx(buffer->getBuffer(), context, options);
}

static constexpr char overview[] =
    R"(Fusion: translates other formats to MLIR, and kernels to PTX

EXAMPLES:
  an ONNX model, as fusion-compile begins with it:
    fusion-translate --import-onnx model.onnx --weights='*,!x' --dim batch=8
  kernels that fusion-compile --emit=gpu wrote:
    fusion-translate --fusion-to-ptx kernels.mlir

Exits with 0, or with 1 after an error.
)";

int main(int argc, char **argv) {
  llvm::setBugReportMsg("This is a fault in Fusion: please report it with the "
                        "input and the command line.\n");
  cl::AddExtraVersionPrinter(
      [](llvm::raw_ostream &os) { os << "Fusion " FUSION_VERSION "\n"; });
  mlir::TranslateToMLIRRegistration onnx("import-onnx", "Import an ONNX model",
                                         importFile);
  mlir::fusion::registerPTXTranslations();
  return failed(mlir::mlirTranslateMain(argc, argv, overview));
}
