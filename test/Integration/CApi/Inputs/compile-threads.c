/* Compiles for several targets at the same time, some of it wrong, and compares
   with what each gives alone. */
#include "fusion-c/Compiler.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char model[] =
    "func.func @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {\n"
    "  %e = tensor.empty() : tensor<8x4xf32>\n"
    "  %0 = linalg.exp ins(%x : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) "
    "-> tensor<8x4xf32>\n"
    "  return %0 : tensor<8x4xf32>\n"
    "}\n";

static const char *const targets[] = {"cpu", "sm_80", "sm_90a", "sm_1"};
static const char *const emits[] = {"object", "ptx", "ptx", "ptx"};

static char *compile(int which) {
  FusionCompileOptions options = {.struct_size = sizeof options,
                                  .target = targets[which],
                                  .emit = emits[which]};
  FusionCompiled *compiled;
  size_t size = 0;
  if (fusionCompile(model, sizeof model - 1, &options, &compiled) != 0) {
    return strdup("refused");
  }
  const void *data = fusionCompiledData(compiled, &size);
  char *text = calloc(1, size + 1);
  memcpy(text, data, size);
  fusionCompiledDestroy(compiled);
  return text;
}

static void *work(void *which) { return compile((int)(size_t)which); }

int main(void) {
  enum { THREADS = 8 };
  pthread_t threads[THREADS];
  int different = 0;
  for (size_t i = 0; i < THREADS; ++i) {
    pthread_create(&threads[i], NULL, work, (void *)(i % 4));
  }
  for (size_t i = 0; i < THREADS; ++i) {
    void *made;
    pthread_join(threads[i], &made);
    char *alone = compile(i % 4);
    different += strcmp(made, alone) != 0;
    if (i < 4) {
      char *start = strstr(made, ".target");
      printf("%s: %s\n", targets[i], start ? start + 8 : (char *)made);
    }
    free(made);
    free(alone);
  }
  printf("%d differ, version %s\n", different, fusionCompilerVersion());
  return different;
}
