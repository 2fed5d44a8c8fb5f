//===- Npy.h - numpy's array files ------------------------------*- C++ -*-===//
//
// Reads and writes .npy files (format versions 1 to 3), for the tools. The
// format is described in numpy's documentation of numpy.lib.format.
//
// numpy has no bfloat16: BF16 is written with the descriptor '<V2', as numpy
// itself writes the arrays of ml_dtypes. '<V2' reads as BF16 and '<u2' as U16;
// a tool that wants BF16 may take U16 for it (holdsElementsOf).
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_RUNTIME_NPY_H
#define FUSION_RUNTIME_NPY_H

#include "fusion-c/Runtime.h"

#include <cstddef>
#include <string>
#include <vector>

namespace mlir::fusion {

/// A dense, row-major array.
struct NpyArray {
  FusionDType dtype = FUSION_F32;
  std::vector<int64_t> dims;
  std::vector<char> data;
};

/// Whether an array file with elements of type `stored` may be given where
/// `wanted` is expected: equal types, and U16 for BF16.
bool holdsElementsOf(FusionDType stored, FusionDType wanted);

/// Reads the contents of a file. Arrays in Fortran order are made row-major.
/// Returns false and says why in `error` where they are not one whole array of
/// a FusionDType in little-endian order.
bool parseNpy(const char *contents, size_t size, NpyArray &array,
              std::string &error);
/// Reads a file; `error` names it.
bool readNpy(const std::string &path, NpyArray &array, std::string &error);

/// Writes an array of the host as version 1 (2 where the header is long).
/// Returns false and says why in `error`, and leaves no file, where that fails.
bool writeNpy(const std::string &path, const FusionArray &array,
              std::string &error);

} // namespace mlir::fusion

#endif // FUSION_RUNTIME_NPY_H
