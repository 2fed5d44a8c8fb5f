//===- FaultCounts.h - which faults are noticed -----------------*- C++ -*-===//

#ifndef FUSION_TOOLS_FUSION_FUZZ_FAULTCOUNTS_H
#define FUSION_TOOLS_FUSION_FUZZ_FAULTCOUNTS_H

#include "Check.h"
#include <map>
#include <string>

namespace mlir::fusion::fuzz {

/// Counts what checkFaults() says of many graphs.
class FaultCounts {
public:
  /// Also prints what was missed in graph `number`.
  void add(int64_t number, const CheckResult &result, raw_ostream &os);
  /// Prints a line for each kind of fault, and a summary: of the faults that
  /// changed a result, how many were noticed. Returns 1 where these are fewer
  /// than `least` percent, else 0.
  int print(double least, raw_ostream &os) const;

private:
  struct Counts {
    int64_t noticed = 0, missed = 0, same = 0, refused = 0;
  };
  std::map<std::string, Counts> kinds;
  int64_t numGraphs = 0, numCrashes = 0;
};

} // namespace mlir::fusion::fuzz

#endif // FUSION_TOOLS_FUSION_FUZZ_FAULTCOUNTS_H
