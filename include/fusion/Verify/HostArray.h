//===- HostArray.h - dense arrays in host memory ----------------*- C++ -*-===//
//
// What the tools read, make, run on and compare.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_VERIFY_HOSTARRAY_H
#define FUSION_VERIFY_HOSTARRAY_H

#include "fusion-c/Runtime.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdlib>
#include <memory>
#include <string>

namespace mlir::fusion {

bool isFloatDType(int32_t dtype);

/// "2x?x3:f16"; a dim below 0 prints as "?".
std::string describeShape(ArrayRef<int64_t> dims, int32_t dtype);

/// A dense row-major array in host memory, aligned to 64 bytes.
class HostArray {
public:
  HostArray() = default;
  /// Zero-filled; all of `dims` must be 0 or more.
  HostArray(FusionDType dtype, ArrayRef<int64_t> dims);

  FusionDType getDType() const { return dtype; }
  ArrayRef<int64_t> getDims() const { return dims; }
  int64_t getNumElements() const;
  int64_t getNumBytes() const;
  char *getData() { return data.get(); }
  const char *getData() const { return data.get(); }

  /// Element `index` (in memory order) as a double; 64-bit integers beyond
  /// 2^53 lose low bits.
  double get(int64_t index) const;
  /// Stores `value`, rounded to nearest even for floats.
  void set(int64_t index, double value);

  /// This array as the C contract wants it; valid while this array lives.
  FusionArray getView();

private:
  struct Free {
    void operator()(char *pointer) const { std::free(pointer); }
  };
  FusionDType dtype = FUSION_F32;
  SmallVector<int64_t> dims;
  std::unique_ptr<char, Free> data;
};

} // namespace mlir::fusion

#endif // FUSION_VERIFY_HOSTARRAY_H
