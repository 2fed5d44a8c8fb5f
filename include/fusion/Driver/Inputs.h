//===- Inputs.h - arrays to run a program on --------------------*- C++ -*-===//

#ifndef FUSION_DRIVER_INPUTS_H
#define FUSION_DRIVER_INPUTS_H

#include "fusion/Verify/HostArray.h"
#include "llvm/Support/Error.h"
#include <map>
#include <optional>
#include <vector>

namespace mlir::fusion {

/// Where the values of one input come from.
struct InputSpec {
  enum class Kind { Random, RandInt, Zeros, Ones, File };
  Kind kind = Kind::Random;
  uint64_t seed = 0;
  /// RandInt: low <= value < high.
  int64_t low = 0, high = 2;
  std::string file;
};

/// What a person says about inputs.
struct InputOptions {
  /// By the name of the argument; others get seeded random values.
  std::map<std::string, InputSpec> specs;
  /// Sizes of named dynamic dims.
  std::map<std::string, int64_t> dims;
};

/// Parses `FILE.npy`, `FILE.pb`, `random[:SEED]`, `randint:LO:HI[:SEED]`,
/// `zeros` or `ones`.
llvm::Expected<InputSpec> parseInputSpec(StringRef text);

/// Makes one array for each input and weight of `program`, in its order.
///
/// Dynamic dims come from the files given, else from `options.dims`; arguments
/// that share a dim's name share its size. Random floats are about normal with
/// deviation 1, those of rank 2 and up divided by the root of their fan-in (the
/// last dim of an input; all dims but the first of a weight); random integers
/// are 0 or 1. They depend on the seed, the argument's name and nothing else.
///
/// Errors name the argument and what was expected: unknown names, files of
/// another type or shape, dims without a size.
llvm::Expected<std::vector<HostArray>> makeInputs(const FusionProgram &program,
                                                  const InputOptions &options);

} // namespace mlir::fusion

#endif // FUSION_DRIVER_INPUTS_H
