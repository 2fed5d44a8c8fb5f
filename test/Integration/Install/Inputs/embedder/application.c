/* Compiles a model with the installed compiler and runs it. */
#include "fusion-c/Compiler.h"
#include "fusion-c/Runtime.h"
#include <stdio.h>
#include <string.h>

static const char model[] =
    "func.func @main(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {\n"
    "  %0 = fusion.add %x, %x : tensor<2x2xf32>\n"
    "  return %0 : tensor<2x2xf32>\n"
    "}\n";

int main(int argc, char **argv) {
  const char *path = argc > 1 ? argv[1] : "model.so";
  FusionCompiled *compiled;
  int failed = fusionCompile(model, strlen(model), NULL, &compiled) ||
               fusionCompiledWrite(compiled, path);
  fusionCompiledDestroy(compiled);
  float x[4] = {1, 2, 3, 4}, y[4] = {0};
  int64_t dims[] = {2, 2};
  FusionArray input = {x, FUSION_F32, 2, dims},
              result = {y, FUSION_F32, 2, dims};
  FusionContext *context = fusionContextCreate(FUSION_CPU, 0);
  FusionModel *loaded = fusionModelLoad(context, path);
  failed = failed || fusionModelPrepare(loaded, NULL, 0) ||
           fusionModelRunHost(loaded, &input, 1, &result, 1);
  printf("%s%g %g\n", failed ? fusionLastError(0) : "", y[0], y[3]);
  fusionModelDestroy(loaded);
  fusionContextDestroy(context);
  return failed;
}
