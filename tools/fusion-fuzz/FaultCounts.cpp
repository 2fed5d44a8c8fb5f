//===- FaultCounts.cpp - which faults are noticed -------------------------===//

#include "FaultCounts.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::fuzz;

void FaultCounts::add(int64_t number, const CheckResult &result,
                      raw_ostream &os) {
  numGraphs += result.kind == CheckResult::Agrees;
  if (result.kind != CheckResult::Agrees) {
    // A process that ends over a fault has noticed it.
    numCrashes += result.kind == CheckResult::Fails;
    return;
  }
  SmallVector<StringRef> lines;
  StringRef(result.message).split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef line : lines) {
    auto [verdict, rest] = line.split('\t');
    auto [kind, more] = rest.split('\t');
    Counts &counts = kinds[kind.str()];
    counts.noticed += verdict == "noticed";
    counts.same += verdict == "same";
    counts.refused += verdict == "refused";
    if (verdict == "missed") {
      ++counts.missed;
      auto [place, reason] = more.split('\t');
      os << "missed in graph " << number << ": " << kind << ": " << reason
         << "\n    " << place << "\n";
    }
  }
}

int FaultCounts::print(double least, raw_ostream &os) const {
  Counts all;
  os << " noticed   missed     same  refused  fault\n";
  auto printLine = [&](const Counts &counts, StringRef name) {
    os << llvm::format("%8lld %8lld %8lld %8lld  ",
                       static_cast<long long>(counts.noticed),
                       static_cast<long long>(counts.missed),
                       static_cast<long long>(counts.same),
                       static_cast<long long>(counts.refused))
       << name << "\n";
  };
  for (const auto &[kind, counts] : kinds) {
    printLine(counts, kind);
    all.noticed += counts.noticed;
    all.missed += counts.missed;
    all.same += counts.same;
    all.refused += counts.refused;
  }
  all.noticed += numCrashes;
  printLine({numCrashes}, "(the process ended)");
  int64_t visible = all.noticed + all.missed;
  double share = visible == 0 ? 100
                              : 100 * static_cast<double>(all.noticed) /
                                    static_cast<double>(visible);
  os << all.noticed << " of " << visible << " faults noticed"
     << llvm::format(" (%.1f %%)", share) << ", " << all.same
     << " changed no result, in " << numGraphs << " graphs\n";
  return share < least;
}
