/* A package by hand: y[batch, 2] = x[batch, 2] + w[2] in f32 on the CPU. */
#include "fusion-c/Runtime.h"

static const int64_t rows_dims[] = {-1, 2}, weight_dims[] = {2};
static const char *const rows_names[] = {"batch", ""};
static const char *const weight_names[] = {""};

static const FusionArgument arguments[] = {
    {"x", FUSION_F32, 2, rows_dims, rows_names, FUSION_INPUT, 0, 0},
    {"w", FUSION_F32, 1, weight_dims, weight_names, FUSION_WEIGHT, 0, 0},
    {"y", FUSION_F32, 2, rows_dims, rows_names, FUSION_RESULT, 0, 0}};

static int64_t workspace_size(const int64_t *dims) {
  (void)dims;
  return 0;
}

static int32_t result_dims(const int64_t *dims, int64_t *result) {
  result[0] = dims[0];
  result[1] = 2;
  return 0;
}

static void add_rows(void *env, int64_t begin, int64_t end) {
  float *const *args = (float *const *)env;
  for (int64_t i = 2 * begin; i < 2 * end; ++i) {
    args[2][i] = args[0][i] + args[1][i % 2];
  }
}

static int32_t run(FusionContext *context, void *const *args,
                   const int64_t *dims, void *workspace, void *stream) {
  (void)workspace;
  (void)stream;
  return fusionRtParallelFor(context, dims[0], add_rows, (void *)args);
}

#ifndef PACKAGE_ABI_VERSION
#define PACKAGE_ABI_VERSION FUSION_ABI_VERSION
#endif

FUSION_API const FusionProgram fusion_program = {
    PACKAGE_ABI_VERSION, FUSION_CPU, "by hand", "cpu", 0, 3,
    arguments,           0,          0,         0,     0, workspace_size,
    result_dims,         run};
