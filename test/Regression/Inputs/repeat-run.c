/* Runs a package of static f32 arguments again and again:
 *   repeat-run PACKAGE RUNS FILL...
 * FILL is for each input, then each weight: a number, or "ramp" for 0, 1, 2...
 * Every run must give the same bits and leave inputs, weights and constants
 * alone. Then, for each donated input and a result of its type: what a run says
 * that is to write over the input, and that a run of host arrays, which copies,
 * may.
 */
#include "fusion-c/Runtime.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16 };

typedef struct {
  FusionArray arrays[MOST];
  void *copies[MOST];
  const FusionArgument *arguments[MOST];
  int count;
} Arrays;

static size_t size_of(const FusionArgument *argument) {
  int64_t bytes = fusionDTypeSize(argument->dtype);
  for (int i = 0; i < argument->rank; ++i) {
    bytes *= argument->dims[i];
  }
  return (size_t)bytes;
}

static Arrays allocate(const FusionProgram *program, int role) {
  Arrays all = {0};
  for (int i = 0; i < program->num_arguments; ++i) {
    const FusionArgument *argument = &program->arguments[i];
    if (argument->role == role) {
      size_t padded = (size_of(argument) + 255) / 256 * 256;
      FusionArray array = {aligned_alloc(256, padded), argument->dtype,
                           argument->rank, argument->dims};
      all.copies[all.count] = calloc(1, padded);
      all.arguments[all.count] = argument;
      all.arrays[all.count++] = array;
    }
  }
  return all;
}

static void fill(Arrays *all, char ***specs) {
  for (int k = 0; k < all->count; ++k) {
    float *data = all->arrays[k].data;
    size_t count = size_of(all->arguments[k]) / sizeof(float);
    for (size_t i = 0; i < count; ++i) {
      data[i] = strcmp(**specs, "ramp") ? strtof(**specs, NULL) : (float)i;
    }
    ++*specs;
  }
}

static void keep(Arrays *all) {
  for (int k = 0; k < all->count; ++k) {
    memcpy(all->copies[k], all->arrays[k].data, size_of(all->arguments[k]));
  }
}

/* The number of arrays that are no longer what was kept. */
static int count_changed(const Arrays *all) {
  int changed = 0;
  for (int k = 0; k < all->count; ++k) {
    changed += memcmp(all->copies[k], all->arrays[k].data,
                      size_of(all->arguments[k])) != 0;
  }
  return changed;
}

static int run(FusionModel *model, Arrays *in, Arrays *out) {
  return fusionModelRunHost(model, in->arrays, in->count, out->arrays,
                            out->count);
}

/* Lets result `r` be input `k`. */
static void run_in_place(FusionModel *model, Arrays *in, Arrays *out, int k,
                         int r) {
  int64_t bytes = 0;
  fusionModelWorkspaceSize(model, in->arrays, in->count, &bytes);
  void *workspace = aligned_alloc(256, (size_t)(bytes + 255) / 256 * 256 + 256);
  void *own = out->arrays[r].data;
  out->arrays[r].data = in->arrays[k].data;
  int status = fusionModelRun(model, in->arrays, in->count, out->arrays,
                              out->count, workspace, NULL);
  printf("in place: %s\n", status ? fusionLastError(NULL) : "done");
  printf("%d inputs changed\n", count_changed(in));
  run(model, in, out);
  printf("of the host, in place: %d results changed\n", count_changed(out));
  out->arrays[r].data = own;
  free(workspace);
}

int main(int argc, char **argv) {
  FusionContext *context = fusionContextCreate(FUSION_CPU, 0);
  FusionModel *model = fusionModelLoad(context, argc > 3 ? argv[1] : "");
  if (!model) {
    printf("%s\n", fusionLastError(NULL));
    return 1;
  }
  const FusionProgram *program = fusionModelProgram(model);
  Arrays in = allocate(program, FUSION_INPUT);
  Arrays weights = allocate(program, FUSION_WEIGHT);
  Arrays out = allocate(program, FUSION_RESULT);
  char **specs = argv + 3;
  fill(&in, &specs);
  fill(&weights, &specs);
  keep(&in);
  keep(&weights);
  int failed =
      weights.count && fusionModelPrepare(model, weights.arrays, weights.count);
  int changed = 0;
  for (int i = 0; i < atoi(argv[2]) && !failed; ++i) {
    for (int k = 0; k < out.count; ++k) {
      memset(out.arrays[k].data, 0x7f, size_of(out.arguments[k]));
    }
    failed = run(model, &in, &out);
    if (i == 0) {
      keep(&out);
    }
    changed +=
        count_changed(&in) + count_changed(&weights) + count_changed(&out);
  }
  printf("%s%s runs: %d arrays changed\n", failed ? fusionLastError(NULL) : "",
         argv[2], changed);
  for (int k = 0; k < out.count; ++k) {
    float *data = out.arrays[k].data;
    size_t count = size_of(out.arguments[k]) / sizeof(float);
    printf("%s: first %g, second %g, last %g\n", out.arguments[k]->name,
           data[0], data[1 % count], data[count - 1]);
  }
  for (int k = 0; k < in.count && !failed; ++k) {
    for (int r = 0; r < out.count && in.arguments[k]->donated; ++r) {
      if (size_of(in.arguments[k]) == size_of(out.arguments[r])) {
        run_in_place(model, &in, &out, k, r);
        break;
      }
    }
  }
  fusionModelDestroy(model);
  fusionContextDestroy(context);
  return failed;
}
