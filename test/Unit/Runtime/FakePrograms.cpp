//===- FakePrograms.cpp - compiled programs written by hand ---------------===//

#include "FakePrograms.h"

#include <cstring>

//===----------------------------------------------------------------------===//
// On the CPU
//===----------------------------------------------------------------------===//

static const int64_t rowsDims[] = {-1, 3}, batchDims[] = {-1}, rowDims[] = {3};
static const char *const rowsNames[] = {"batch", ""};
static const char *const batchNames[] = {"batch"};
static const char *const noNames[] = {""};
static const float affineConstant[] = {100, 200, 300};

static const FusionArgument affineArguments[] = {
    {"x", FUSION_F32, 2, rowsDims, rowsNames, FUSION_INPUT, 0, nullptr},
    {"w", FUSION_F32, 1, rowDims, noNames, FUSION_WEIGHT, 0, nullptr},
    {"offset", FUSION_F32, 1, batchDims, batchNames, FUSION_INPUT, 0, nullptr},
    {"mask", FUSION_F32, 1, batchDims, noNames, FUSION_INPUT, 0, nullptr},
    {"k", FUSION_F32, 1, rowDims, noNames, FUSION_CONSTANT, 0, affineConstant},
    {"y", FUSION_F32, 2, rowsDims, rowsNames, FUSION_RESULT, 0, nullptr},
    {"sum", FUSION_F32, 0, nullptr, nullptr, FUSION_RESULT, 0, nullptr}};

// The dims are x0 x1 w0 offset0 mask0 k0.
static int64_t getAffineWorkspace(const int64_t *dims) {
  return dims[0] * dims[1] * 4;
}

static int32_t getAffineResults(const int64_t *dims, int64_t *results) {
  results[0] = dims[0];
  results[1] = dims[1];
  return dims[0] > 1000 ? 7 : 0;
}

namespace {
struct AffineEnv {
  void *const *args;
  float *workspace;
};
} // namespace

static void computeRows(void *env, int64_t begin, int64_t end) {
  auto *affine = static_cast<AffineEnv *>(env);
  auto get = [&](int i) { return static_cast<float *>(affine->args[i]); };
  for (int64_t row = begin; row < end; ++row) {
    for (int64_t i = 0; i < 3; ++i) {
      affine->workspace[3 * row + i] =
          get(0)[3 * row + i] * get(1)[i] + get(4)[i] + get(2)[row];
    }
  }
}

static int32_t runAffine(FusionContext *context, void *const *args,
                         const int64_t *dims, void *workspace, void *stream) {
  AffineEnv env = {args, static_cast<float *>(workspace)};
  if (int32_t status =
          fusionRtParallelFor(context, dims[0], computeRows, &env)) {
    return status;
  }
  size_t count = static_cast<size_t>(dims[0]) * 3;
  float sum = 0;
  for (size_t i = 0; i < count; ++i) {
    static_cast<float *>(args[5])[i] = env.workspace[i];
    sum += env.workspace[i];
  }
  *static_cast<float *>(args[6]) = sum;
  return 0;
}

const FusionProgram &fusion_test::getAffineProgram() {
  static const FusionProgram program = {FUSION_ABI_VERSION,
                                        FUSION_CPU,
                                        "by hand",
                                        "cpu",
                                        /*least_driver=*/0,
                                        7,
                                        affineArguments,
                                        0,
                                        nullptr,
                                        nullptr,
                                        0,
                                        getAffineWorkspace,
                                        getAffineResults,
                                        runAffine};
  return program;
}

static const int64_t pairDims[] = {2};
static const FusionArgument failingArguments[] = {
    {"x", FUSION_F32, 1, pairDims, noNames, FUSION_INPUT, 0, nullptr},
    {"state", FUSION_F32, 1, pairDims, noNames, FUSION_INPUT, 1, nullptr}};

const FusionProgram &fusion_test::getFailingProgram() {
  static const FusionProgram program = {
      FUSION_ABI_VERSION,
      FUSION_CPU,
      "by hand",
      "cpu",
      /*least_driver=*/0,
      2,
      failingArguments,
      0,
      nullptr,
      nullptr,
      0,
      [](const int64_t *) -> int64_t { return 0; },
      [](const int64_t *, int64_t *) -> int32_t { return 0; },
      [](FusionContext *, void *const *, const int64_t *, void *,
         void *) -> int32_t { return 5; }};
  return program;
}

//===----------------------------------------------------------------------===//
// On CUDA
//===----------------------------------------------------------------------===//

static const char ptx[] = R"(.version 7.0
.target sm_80
.address_size 64
.visible .entry add(.param .u64 x, .param .u64 w, .param .u64 y, .param .u64 n)
{
  .reg .pred %past;
  .reg .b32 %r<5>;
  .reg .f32 %f<4>;
  .reg .b64 %rd<12>;
  ld.param.u64 %rd1, [x];
  ld.param.u64 %rd2, [w];
  ld.param.u64 %rd3, [y];
  ld.param.u64 %rd4, [n];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.s32 %r4, %r1, %r2, %r3;
  cvt.s64.s32 %rd5, %r4;
  setp.ge.s64 %past, %rd5, %rd4;
  @%past bra done;
  shl.b64 %rd6, %rd5, 2;
  and.b64 %rd7, %rd6, 12;
  add.s64 %rd8, %rd1, %rd6;
  add.s64 %rd9, %rd2, %rd7;
  add.s64 %rd10, %rd3, %rd6;
  ld.f32 %f1, [%rd8];
  ld.f32 %f2, [%rd9];
  add.rn.f32 %f3, %f1, %f2;
  st.f32 [%rd10], %f3;
done:
  ret;
}
)";

static const int64_t quadsDims[] = {-1, 4}, quadDims[] = {4};
static const FusionArgument cudaArguments[] = {
    {"x", FUSION_F32, 2, quadsDims, rowsNames, FUSION_INPUT, 0, nullptr},
    {"w", FUSION_F32, 1, quadDims, noNames, FUSION_WEIGHT, 0, nullptr},
    {"y", FUSION_F32, 2, quadsDims, rowsNames, FUSION_RESULT, 0, nullptr}};
static const FusionKernel cudaKernels[] = {{"add", 128, 64 * 1024}};

static int64_t getCudaWorkspace(const int64_t *dims) { return dims[0] * 16; }

static int32_t getCudaResults(const int64_t *dims, int64_t *results) {
  results[0] = dims[0];
  results[1] = 4;
  return 0;
}

static int32_t runCuda(FusionContext *context, void *const *args,
                       const int64_t *dims, void *workspace, void *stream) {
  int64_t n = dims[0] * 4;
  if (int32_t status =
          fusionFill(context, workspace, 0, dims[0] * 16, stream)) {
    return status;
  }
  void *x = args[0], *w = args[1], *y = args[2];
  void *params[] = {&x, &w, &y, &n};
  return fusionRtLaunch(context, 0, (n + 127) / 128, 1, 1, params, stream);
}

const FusionProgram &fusion_test::getCudaProgram() {
  static const FusionProgram program = {FUSION_ABI_VERSION,
                                        FUSION_CUDA,
                                        "by hand",
                                        "sm_80",
                                        /*least_driver=*/11000,
                                        3,
                                        cudaArguments,
                                        1,
                                        cudaKernels,
                                        ptx,
                                        sizeof(ptx),
                                        getCudaWorkspace,
                                        getCudaResults,
                                        runCuda};
  return program;
}
