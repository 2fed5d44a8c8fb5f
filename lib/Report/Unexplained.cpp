//===- Unexplained.cpp - what a report has no reason for ------------------===//
//
// Every launch beside another one is a decision: a tensor that crosses memory,
// a kernel that is not in the launch of its sibling. This checks, on reports,
// that each has a reason.
//
//===----------------------------------------------------------------------===//

#include "ReportLaunches.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {
/// Looks through one report.
class ReasonChecker {
public:
  explicit ReasonChecker(const CompilationReport &report);

  std::vector<std::string> run();

private:
  void checkEdges();
  void checkNodes();
  void checkReaders();
  void checkLevels();
  void checkSiblings(ArrayRef<size_t> siblings, const Twine &what);
  bool areIndependent(size_t a, size_t b) const {
    return !needs[a].test(b) && !needs[b].test(a);
  }

  const CompilationReport &report;
  LaunchDecisions launches;
  SmallVector<llvm::BitVector, 0> needs; ///< launches, by launch
  SmallVector<unsigned> levels;          ///< launches that must end before
  std::vector<std::string> found;
};
} // namespace

ReasonChecker::ReasonChecker(const CompilationReport &report)
    : report(report), launches(report),
      needs(report.groups.size(), llvm::BitVector(report.groups.size())),
      levels(report.groups.size(), 0) {
  SmallVector<llvm::SmallSetVector<size_t, 4>> producers(report.groups.size());
  for (const EdgeReport &edge : report.edges) {
    int64_t from = report.nodes[edge.producer].group;
    int64_t to = report.nodes[edge.consumer].group;
    if (from >= 0 && to >= 0 && from != to) {
      producers[to].insert(from);
    }
  }
  // Groups are in the order of their launches.
  for (size_t group = 0; group < producers.size(); ++group) {
    for (size_t producer : producers[group]) {
      needs[group] |= needs[producer];
      needs[group].set(producer);
      levels[group] = std::max(levels[group], levels[producer] + 1);
    }
  }
}

/// Each tensor that one launch writes and another reads.
void ReasonChecker::checkEdges() {
  for (const EdgeReport &edge : report.edges) {
    const NodeReport &from = report.nodes[edge.producer];
    const NodeReport &to = report.nodes[edge.consumer];
    if (from.group >= 0 && to.group >= 0 && from.group != to.group &&
        edge.reason.empty()) {
      found.push_back(llvm::formatv("no reason why '{0}' ({1}) and '{2}' ({3}) "
                                    "are in different launches",
                                    from.name, from.kind, to.name, to.kind));
    }
  }
}

/// Each launch does something that can be asked about.
void ReasonChecker::checkNodes() {
  llvm::BitVector hasNode(report.groups.size());
  for (const NodeReport &node : report.nodes) {
    if (node.group >= 0) {
      hasNode.set(node.group);
    }
  }
  for (auto [index, group] : llvm::enumerate(report.groups)) {
    if (!hasNode.test(index)) {
      found.push_back(
          llvm::formatv("launch '{0}' has no operation", group.name));
    }
  }
}

/// Checks launches of which none needs another: of the nearest of them each
/// pair was decided, of the rest each launch was tried with some.
void ReasonChecker::checkSiblings(ArrayRef<size_t> siblings,
                                  const Twine &what) {
  for (auto [index, ours] : llvm::enumerate(siblings)) {
    bool isAlone = true, isDecided = false;
    for (size_t theirs : siblings) {
      if (theirs != ours && areIndependent(ours, theirs)) {
        isAlone = false;
        isDecided |= launches.find(ours, theirs) != nullptr;
      }
    }
    if (!isAlone && !isDecided) {
      found.push_back(llvm::formatv(
          "no reason why launch '{0}' is apart from all others that {1}",
          report.groups[ours].name, what.str()));
    }
  }
}

/// Launches that read one tensor.
void ReasonChecker::checkReaders() {
  SmallVector<llvm::SmallSetVector<size_t, 4>> readers(report.nodes.size());
  for (const EdgeReport &edge : report.edges) {
    int64_t group = report.nodes[edge.consumer].group;
    if (group >= 0 && group != report.nodes[edge.producer].group) {
      readers[edge.producer].insert(group);
    }
  }
  for (auto [node, groups] : llvm::enumerate(readers)) {
    checkSiblings(groups.getArrayRef(),
                  "read '" + report.nodes[node].name + "'");
  }
}

/// Launches that may run at the same time.
void ReasonChecker::checkLevels() {
  SmallVector<SmallVector<size_t>> byLevel(report.groups.size());
  for (auto [group, level] : llvm::enumerate(levels)) {
    byLevel[level].push_back(group);
  }
  for (auto [level, groups] : llvm::enumerate(byLevel)) {
    checkSiblings(groups, "come after " + Twine(level));
  }
}

std::vector<std::string> ReasonChecker::run() {
  checkEdges();
  checkNodes();
  checkReaders();
  checkLevels();
  return std::move(found);
}

std::vector<std::string>
fusion::findUnexplained(const CompilationReport &report) {
  return ReasonChecker(report).run();
}
