//===- fusion-lsp-server.cpp - help for editors of .mlir files ------------===//

#include "fusion/InitAllDialects.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/Support/PrettyStackTrace.h"

int main(int argc, char **argv) {
  llvm::setBugReportMsg("This is a fault in Fusion: please report it with the "
                        "file that was edited.\n");
  mlir::DialectRegistry registry;
  mlir::fusion::registerAllDialects(registry);
  return failed(mlir::MlirLspServerMain(argc, argv, registry));
}
