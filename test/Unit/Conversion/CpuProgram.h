//===- CpuProgram.h - group functions compiled and run ----------*- C++ -*-===//

#ifndef TEST_UNIT_CONVERSION_CPUPROGRAM_H
#define TEST_UNIT_CONVERSION_CPUPROGRAM_H

#include "fusion/Target/Host/HostJit.h"
#include "mlir/IR/MLIRContext.h"
#include <vector>

/// A module of stage 3b, compiled by the CPU back end.
class CpuProgram {
public:
  /// Compiles `text`; a failure fails the test and leaves `isValid()` false.
  explicit CpuProgram(const std::string &text, int64_t vectorBits = 0);

  bool isValid() const { return jit != nullptr; }
  const FusionProgram &get() const { return *jit->program(); }

  /// Runs on arrays of f32 in the order of the arguments, results included;
  /// `dims` are those of all arguments that are not results. Checks that
  /// nothing beyond the workspace is written.
  void run(std::vector<std::vector<float>> &arrays,
           const std::vector<int64_t> &dims);

private:
  mlir::MLIRContext context;
  std::unique_ptr<mlir::fusion::HostJit> jit;
};

/// `count` values in [-1, 1), the same in every run.
std::vector<float> makeValues(size_t count, unsigned seed);

/// The text of a module whose @main calls `@group` on its arguments, the last
/// of which is the result. `types` are their memref types without `memref<>`,
/// `body` the group on tensors %t0, %t1, ..., whose value is %r; `resultDims`
/// the body of @main_result_dims on %d0, %d1, ....
std::string makeModule(const std::vector<std::string> &types,
                       const std::string &body, const std::string &resultDims);

#endif // TEST_UNIT_CONVERSION_CPUPROGRAM_H
