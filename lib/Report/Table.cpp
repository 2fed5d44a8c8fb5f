//===- Table.cpp - reports for people -------------------------------------===//

#include "fusion/Report/Report.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::fusion;

/// Returns `bytes` with a unit, three digits long.
static std::string formatBytes(double bytes) {
  const char *units[] = {"B", "KB", "MB", "GB", "TB"};
  unsigned unit = 0;
  while (bytes >= 1000 && unit + 1 < std::size(units)) {
    bytes /= 1000;
    ++unit;
  }
  return unit == 0 || bytes >= 100
             ? llvm::formatv("{0:F0} {1}", bytes, units[unit]).str()
             : llvm::formatv("{0:F1} {1}", bytes, units[unit]).str();
}

static std::string join(ArrayRef<std::string> names, StringRef none) {
  return names.empty() ? none.str() : llvm::join(names, ", ");
}

/// Prints rows with columns as wide as they need; the last one is not padded.
static void printRows(ArrayRef<std::vector<std::string>> rows,
                      raw_ostream &os) {
  std::vector<size_t> widths(rows.front().size());
  for (const std::vector<std::string> &row : rows) {
    for (auto [width, cell] : llvm::zip_equal(widths, row)) {
      width = std::max(width, cell.size());
    }
  }
  for (const std::vector<std::string> &row : rows) {
    os << "  ";
    for (size_t column = 0; column + 1 < row.size(); ++column) {
      os << llvm::left_justify(row[column], widths[column] + 2);
    }
    os << row.back() << "\n";
  }
}

/// Prints the pairs with their reasons and what the cost model compared. That
/// parts of one node are together goes without saying.
static void printPairs(StringRef title, ArrayRef<DecisionReport> pairs,
                       raw_ostream &os) {
  std::vector<std::vector<std::string>> rows;
  for (const DecisionReport &pair : pairs) {
    std::string text = pair.reason;
    if (text.empty() && pair.producer == pair.consumer) {
      continue;
    }
    // A refusal by the cost model names both times itself.
    bool named = StringRef(pair.reason).contains(" us)");
    if (pair.times && !named) {
      text += llvm::formatv("{0}estimated {1:F1} us fused, {2:F1} us apart",
                            text.empty() ? "" : "; ", pair.times->fusedUs,
                            pair.times->apartUs);
    }
    rows.push_back({pair.producer + " -> " + pair.consumer,
                    text.empty() ? "not estimated" : text});
  }
  if (!rows.empty()) {
    os << title << "\n";
    printRows(rows, os);
  }
}

void fusion::printTable(const CompilationReport &report, raw_ostream &os) {
  os << llvm::formatv("{0} for {1}: {2} launches become {3}, {4} become {5}\n",
                      report.model, report.target, report.launchesBefore,
                      report.launchesAfter, formatBytes(report.bytesBefore),
                      formatBytes(report.bytesAfter));
  if (report.hasDynamicSizes) {
    os << "(sizes known only at run time count as 1)\n";
  }
  std::vector<std::vector<std::string>> rows;
  rows.push_back(
      {"#", "fused", "launches", "reads", "writes", "estimate", "operations"});
  for (auto [index, group] : llvm::enumerate(report.groups)) {
    rows.push_back({std::to_string(index), join(group.kinds, "alone"),
                    std::to_string(group.launchesBefore) + " -> 1",
                    formatBytes(group.bytesRead),
                    formatBytes(group.bytesWritten),
                    llvm::formatv("{0:F1} us", group.estimateUs).str(),
                    join(group.ops, "-")});
  }
  printRows(rows, os);
  printPairs("not fused:", report.notFused, os);
  printPairs("fused:", report.fused, os);
}
