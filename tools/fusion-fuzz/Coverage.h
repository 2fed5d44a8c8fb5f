//===- Coverage.h - which operations random graphs hold ---------*- C++ -*-===//

#ifndef FUSION_TOOLS_FUSION_FUZZ_COVERAGE_H
#define FUSION_TOOLS_FUSION_FUZZ_COVERAGE_H

#include "mlir/IR/BuiltinOps.h"
#include <map>
#include <string>

namespace mlir::fusion::fuzz {

/// Counts in how many graphs each operation of the fusion dialect is.
class Coverage {
public:
  void add(ModuleOp graph);
  /// Prints a line for each registered operation, with each kind of it, and for
  /// properties of whole graphs; closes with a summary. Returns 1 where an
  /// operation is in no graph that should be in some, else 0.
  int print(MLIRContext &context, raw_ostream &os) const;

private:
  int64_t numGraphs = 0;
  std::map<std::string, int64_t> ops, kinds, properties;
};

} // namespace mlir::fusion::fuzz

#endif // FUSION_TOOLS_FUSION_FUZZ_COVERAGE_H
