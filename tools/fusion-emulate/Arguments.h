//===- Arguments.h - arguments of a kernel from a command line --*- C++ -*-===//

#ifndef FUSION_TOOLS_FUSIONEMULATE_ARGUMENTS_H
#define FUSION_TOOLS_FUSIONEMULATE_ARGUMENTS_H

#include "fusion/Emulator/Emulator.h"
#include "llvm/Support/Error.h"
#include <deque>

namespace mlir::fusion::emulator {

/// Values for the parameters of one launch. One argument of the command line
/// is one parameter, except for those that begin with data:
///
///   iota:4x8xf32        0, 1, 2... (also zeros, ones, random[SEED], nan)
///   unwritten:4x8xf32   memory that nothing has written
///   i64:12  f32:0.5     a scalar
///   data:iota:4x8xf16   an array that no parameter names, for a map
///   array:0             the array of argument 0 once more
///   map:0:64x64:128     a tensor map of argument 0 with this box (outermost
///                       dim first) and a swizzle of so many bytes
class Arguments {
public:
  explicit Arguments(GlobalMemory &memory) : memory(memory) {}

  llvm::Error add(StringRef text);
  /// What launch() takes: an entry for each parameter.
  std::vector<void *> getPointers();
  /// Prints the first `most` elements of argument `index`, an array.
  llvm::Error print(size_t index, size_t most, raw_ostream &os) const;

private:
  struct Value {
    std::string type;
    std::vector<int64_t> dims;
    /// The array's address; a scalar's bits; a map.
    uint64_t bits = 0;
    std::array<uint8_t, 128> map = {};
    bool isMap = false, isArray = false, isParameter = true;
  };
  llvm::Error addArray(StringRef kind, StringRef shape, Value &value);
  llvm::Error addMap(StringRef text, Value &value);

  GlobalMemory &memory;
  std::deque<Value> values;
};

} // namespace mlir::fusion::emulator

#endif // FUSION_TOOLS_FUSIONEMULATE_ARGUMENTS_H
