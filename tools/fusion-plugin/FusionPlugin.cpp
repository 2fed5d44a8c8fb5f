//===- FusionPlugin.cpp - our dialects and passes in mlir-opt -------------===//
//
//   mlir-opt --load-dialect-plugin=FusionPlugin.so
//            --load-pass-plugin=FusionPlugin.so --pass-pipeline=...
//
// What is MLIR's own the host has registered already.
//
//===----------------------------------------------------------------------===//

#include "fusion/InitAllDialects.h"
#include "fusion/InitAllPasses.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

extern "C" LLVM_ATTRIBUTE_WEAK mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Fusion", FUSION_VERSION,
          [](mlir::DialectRegistry *registry) {
            mlir::fusion::registerFusionDialects(*registry);
          }};
}

extern "C" LLVM_ATTRIBUTE_WEAK mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Fusion", FUSION_VERSION,
          [] { mlir::fusion::registerFusionPasses(); }};
}
