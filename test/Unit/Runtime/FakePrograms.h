//===- FakePrograms.h - compiled programs written by hand -------*- C++ -*-===//

#ifndef FUSION_TEST_UNIT_RUNTIME_FAKEPROGRAMS_H
#define FUSION_TEST_UNIT_RUNTIME_FAKEPROGRAMS_H

#include "fusion-c/Runtime.h"

#include <memory>
#include <string>
#include <vector>

namespace fusion_test {

/// On the CPU, all f32: inputs x[batch, 3], offset[batch] and a mask[?] that
/// is not read, weight w[3], constant k[3] = {100, 200, 300}; results
/// y[batch, 3] = x * w + k + offset and sum[] of y. Takes a workspace of y's
/// size; refuses a batch of more than 1000 (status 7).
const FusionProgram &getAffineProgram();

/// Takes x[2] and `state`[2], which it may overwrite; fails with status 5 and
/// without a message.
const FusionProgram &getFailingProgram();

/// On CUDA: input x[batch, 4], weight w[4], result y[batch, 4] = x + w in f32.
/// Fills its workspace, then launches the kernel `add` with 64 KiB of shared
/// memory and blocks of 128 threads.
const FusionProgram &getCudaProgram();

struct ContextDeleter {
  void operator()(FusionContext *context) const {
    fusionContextDestroy(context);
  }
};
using ContextPtr = std::unique_ptr<FusionContext, ContextDeleter>;

struct ModelDeleter {
  void operator()(FusionModel *model) const { fusionModelDestroy(model); }
};
using ModelPtr = std::unique_ptr<FusionModel, ModelDeleter>;

/// An f32 array that owns its dims.
class Floats {
public:
  Floats(std::vector<float> values, std::vector<int64_t> dims)
      : values(std::move(values)), dims(std::move(dims)) {}

  FusionArray view() {
    return {values.data(), FUSION_F32, static_cast<int32_t>(dims.size()),
            dims.data()};
  }

  std::vector<float> values;
  std::vector<int64_t> dims;
};

} // namespace fusion_test

#endif // FUSION_TEST_UNIT_RUNTIME_FAKEPROGRAMS_H
