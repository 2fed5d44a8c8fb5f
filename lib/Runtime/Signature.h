//===- Signature.h - the arguments that a program wants ---------*- C++ -*-===//

#ifndef FUSION_LIB_RUNTIME_SIGNATURE_H
#define FUSION_LIB_RUNTIME_SIGNATURE_H

#include "Outcome.h"

#include "fusion-c/Runtime.h"

#include <string>
#include <vector>

namespace mlir::fusion::runtime {

/// The dims of one call, as they become known. A symbol is a name of dynamic
/// dims; dims of equal names have equal values.
struct Binding {
  std::vector<int64_t> dims;       /// all but the results', flattened
  std::vector<int64_t> symbols;    /// the value of each symbol, or -1
  std::vector<int64_t> resultDims; /// the results', flattened
};

/// The arguments of a program, sorted by role, and the checks of the arrays
/// that are given for them. Does not change once made.
class Signature {
public:
  /// Reads the program's table; fails where that is not well formed.
  static Outcome create(const FusionProgram &program, Signature &signature);

  /// The numbers of the arguments of a role, in the program's order.
  const std::vector<int32_t> &getArguments(FusionRole role) const {
    return roles[role];
  }
  const FusionArgument &getArgument(int32_t number) const {
    return program->arguments[number];
  }
  /// What is known before any array is: static dims, and -1.
  const Binding &getInitialBinding() const { return initial; }
  /// Where the dims of an argument begin among those of its kind.
  int64_t getDimsOffset(int32_t number) const { return offsets[number]; }

  /// Checks the number, types and dims of the arrays for the inputs or the
  /// weights, and writes their dims to `binding`.
  Outcome bind(FusionRole role, const FusionArray *arrays, int32_t count,
               Binding &binding) const;
  /// Asks the program for the dims of the results; the inputs and weights are
  /// bound.
  Outcome inferResults(Binding &binding) const;
  /// Checks the arrays for the results; their dims are inferred.
  Outcome checkResults(const FusionArray *arrays, int32_t count,
                       const Binding &binding) const;

  /// "input 'x'": how messages name an argument.
  std::string describe(int32_t number) const;

private:
  Outcome addArgument(int32_t number);
  int32_t internSymbol(const char *name);
  Outcome checkCount(FusionRole role, const FusionArray *arrays,
                     int32_t count) const;
  Outcome checkType(int32_t number, const FusionArray &array) const;
  Outcome bindArray(int32_t number, const FusionArray &array,
                    Binding &binding) const;
  std::string describeSymbol(int32_t symbol, int32_t reader) const;

  const FusionProgram *program = nullptr;
  std::vector<int32_t> roles[4];
  std::vector<int64_t> offsets;
  Binding initial;
  /// The symbol of each of the flattened dims, or -1.
  std::vector<int32_t> symbolOfDim;
  std::vector<std::string> symbolNames;
};

/// Bytes of a dense array; fails where they do not fit 63 bits.
Outcome getByteSize(const FusionArray &array, int64_t &bytes);
/// The same, and checks that an array of elements has data.
Outcome checkData(const FusionArray &array, int64_t &bytes);

} // namespace mlir::fusion::runtime

#endif // FUSION_LIB_RUNTIME_SIGNATURE_H
