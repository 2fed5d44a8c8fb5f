/* Compiles a model in memory: compile-model MODEL TARGET PACKAGE [WEIGHTS]. */
#include "fusion-c/Compiler.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print(const FusionDiagnostic *diagnostic, void *user_data) {
  static const char *const names[] = {"note", "remark", "warning", "error"};
  ++*(int *)user_data;
  printf("%s [%s] %s\n", names[diagnostic->severity], diagnostic->location,
         diagnostic->message);
}

static char *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  char *bytes = malloc(1 << 24);
  *size = file ? fread(bytes, 1, 1 << 24, file) : 0;
  if (file) {
    fclose(file);
  }
  return bytes;
}

int main(int argc, char **argv) {
  int diagnostics = 0;
  size_t size = 0, package_size = 0;
  char *model = read_file(argv[1], &size);
  const char *weights[] = {argc > 4 ? argv[4] : ""};
  FusionCompileOptions options = {.struct_size = sizeof options,
                                  .name = "in-memory",
                                  .target = argv[2],
                                  .weights = weights,
                                  .num_weights = argc > 4,
                                  .handler = print,
                                  .user_data = &diagnostics};
  FusionCompiled *compiled;
  int status = fusionCompile(model, size, &options, &compiled);
  free(model);
  printf("status %d, %d diagnostics\n", status, diagnostics);
  if (status != FUSION_COMPILE_OK) {
    return 1;
  }
  fusionCompiledData(compiled, &package_size);
  const char *error = "";
  const char *answer = fusionCompiledExplain(compiled, "add", "none", &error);
  printf("%d bytes, report %.20s, page %.15s\n", package_size > 1000,
         fusionCompiledReport(compiled), fusionCompiledReportPage(compiled));
  printf("explain: %s\n", answer ? answer : error);
  printf("%s", fusionCompiledHeader(compiled));
  int failed = fusionCompiledWrite(compiled, argv[3]);
  fusionCompiledDestroy(compiled);
  fusionCompiledDestroy(NULL);
  return failed;
}
