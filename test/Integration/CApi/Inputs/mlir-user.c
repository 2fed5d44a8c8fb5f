/* A program on MLIR's own C API that uses our dialects and passes. */
#include "fusion-c/Dialects.h"
#include "fusion-c/Passes.h"
#include "mlir-c/Pass.h"
#include <stdio.h>

static const char source[] =
    "func.func @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {\n"
    "  %0 = fusion.exp %x : tensor<8x4xf32>\n"
    "  %1 = fusion.neg %0 : tensor<8x4xf32>\n"
    "  return %1 : tensor<8x4xf32>\n"
    "}\n";

static void print(MlirStringRef text, void *user_data) {
  (void)user_data;
  fwrite(text.data, 1, text.length, stdout);
}

int main(int argc, char **argv) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirDialectHandleInsertDialect(mlirGetDialectHandle__fusion__(), registry);
  mlirDialectHandleInsertDialect(mlirGetDialectHandle__tile__(), registry);
  mlirRegisterFusionDialects(registry);
  mlirRegisterFusionPasses();
  mlirRegisterFusionPasses();
  MlirContext context = mlirContextCreateWithRegistry(registry, 0);
  MlirStringRef name =
      mlirDialectHandleGetNamespace(mlirGetDialectHandle__fusion__());
  printf("%.*s\n", (int)name.length, name.data);
  MlirModule module =
      mlirModuleCreateParse(context, mlirStringRefCreateFromCString(source));
  MlirPassManager passes = mlirPassManagerCreate(context);
  MlirOpPassManager top = mlirPassManagerGetAsOpPassManager(passes);
  MlirLogicalResult parsed = mlirParsePassPipeline(
      top, mlirStringRefCreateFromCString(argc > 1 ? argv[1] : ""), print, 0);
  MlirOperation root = mlirModuleGetOperation(module);
  int failed = mlirLogicalResultIsFailure(parsed) ||
               mlirLogicalResultIsFailure(mlirPassManagerRunOnOp(passes, root));
  mlirOperationPrint(root, print, 0);
  mlirPassManagerDestroy(passes);
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
  mlirDialectRegistryDestroy(registry);
  return failed;
}
