//===- Explain.cpp - why two ops are or are not together ------------------===//

#include "ReportLaunches.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <set>

using namespace mlir;
using namespace mlir::fusion;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

namespace {
/// How well a node's names fit what was asked for.
enum class Fit { None, Part, Tensor, Exact };

/// All nodes of one source node.
struct NamedOps {
  StringRef name;
  SmallVector<size_t> nodes;
};
} // namespace

/// Returns what tells the source node of `node` from others: its name, or its
/// place where it only has that of its kind.
static StringRef getSource(const NodeReport &node) {
  return node.places.empty() ? node.name : node.places.front();
}

static Fit getFit(const NodeReport &node, StringRef wanted) {
  if (getSource(node) == wanted || llvm::is_contained(node.places, wanted)) {
    return Fit::Exact;
  }
  if (node.name == wanted || llvm::is_contained(node.otherNames, wanted)) {
    return Fit::Tensor;
  }
  auto contains = [&](StringRef name) { return name.contains(wanted); };
  return contains(node.name) || llvm::any_of(node.otherNames, contains) ||
                 llvm::any_of(node.places, contains)
             ? Fit::Part
             : Fit::None;
}

/// Lists the few names nearest to `wanted`.
static std::string getSimilarNames(const CompilationReport &report,
                                   StringRef wanted) {
  constexpr size_t kMaxNames = 3;
  std::set<std::pair<unsigned, StringRef>> names;
  for (const NodeReport &node : report.nodes) {
    if (node.group >= 0) {
      StringRef source = getSource(node);
      names.insert({wanted.edit_distance(source), source});
    }
  }
  SmallVector<std::string> nearest;
  for (auto &[distance, name] : names) {
    if (nearest.size() < kMaxNames) {
      nearest.push_back("'" + name.str() + "'");
    }
  }
  return llvm::join(nearest, ", ");
}

static llvm::Error makeAmbiguous(StringRef wanted,
                                 SmallVector<std::string> names) {
  constexpr size_t kMaxNames = 5;
  size_t count = names.size();
  if (count > kMaxNames) {
    names.truncate(kMaxNames);
    names.push_back("...");
  }
  return llvm::createStringError(
      llvm::formatv("expected the name of one operation, but '{0}' may mean "
                    "{1} of them: {2}",
                    wanted, count, llvm::join(names, ", ")));
}

/// The ops of a report by the names of their source nodes.
using OpsByName = llvm::MapVector<StringRef, SmallVector<size_t>>;

/// Returns the one entry of `found`, which `wanted` means.
static llvm::Expected<NamedOps> getOnly(const OpsByName &found,
                                        StringRef wanted) {
  if (found.size() == 1) {
    return NamedOps{found.front().first, found.front().second};
  }
  SmallVector<std::string> names;
  for (auto &[name, nodes] : found) {
    names.push_back("'" + name.str() + "'");
  }
  return makeAmbiguous(wanted, std::move(names));
}

/// Returns the ops that make the result of the model called `wanted`.
static OpsByName findMakers(const CompilationReport &report, StringRef wanted) {
  OpsByName found;
  for (const EdgeReport &edge : report.edges) {
    const NodeReport &from = report.nodes[edge.producer];
    const NodeReport &to = report.nodes[edge.consumer];
    if (to.kind == "result" && to.name == wanted && from.group >= 0) {
      found[getSource(from)].push_back(edge.producer);
    }
  }
  return found;
}

/// Says that there is no op `wanted`, and what is.
static llvm::Error makeUnknown(const CompilationReport &report,
                               StringRef wanted) {
  auto port = llvm::find_if(report.nodes, [&](const NodeReport &node) {
    return node.group < 0 && node.name == wanted;
  });
  std::string what =
      port == report.nodes.end() ? "got '" + wanted.str() + "'"
      : port->kind == "input"
          ? "'" + wanted.str() + "' is an input"
          : "no operation makes the result '" + wanted.str() + "'";
  std::string near = getSimilarNames(report, wanted);
  return llvm::createStringError(llvm::formatv(
      "expected the name of an operation, but {0}; {1} (folded operations are "
      "gone)",
      what,
      near.empty() ? "the plan has no operations" : "near it are " + near));
}

/// Finds the ops that `wanted` names: all that came of one source node.
static llvm::Expected<NamedOps> findOps(const CompilationReport &report,
                                        StringRef wanted) {
  for (Fit least : {Fit::Exact, Fit::Tensor, Fit::Part}) {
    OpsByName found;
    for (auto [index, node] : llvm::enumerate(report.nodes)) {
      if (node.group >= 0 && getFit(node, wanted) >= least) {
        found[getSource(node)].push_back(index);
      }
    }
    if (least == Fit::Part) {
      OpsByName makers = findMakers(report, wanted);
      found = makers.empty() ? found : makers;
    }
    if (!found.empty()) {
      return getOnly(found, wanted);
    }
  }
  return makeUnknown(report, wanted);
}

//===----------------------------------------------------------------------===//
// Answers
//===----------------------------------------------------------------------===//

namespace {
/// Answers for one pair.
class Explanation {
public:
  Explanation(const CompilationReport &report, NamedOps producer,
              NamedOps consumer)
      : report(report), producer(std::move(producer)),
        consumer(std::move(consumer)) {}

  std::string get() const;

private:
  std::string getKernel(size_t node) const;
  std::string explainTogether(size_t node) const;
  std::string explainApart(const Twine &reason,
                           const std::optional<FusionTimes> &times) const;
  const DecisionReport *findDecision(ArrayRef<DecisionReport> decisions) const;
  NamedOps getKernelOf(const NamedOps &ops) const;
  std::optional<std::string> explainKernels() const;
  std::string explainLaunches() const;
  std::optional<std::string> explainEdge() const;
  const EdgeReport *findCut(const NamedOps &from, const NamedOps &to) const;
  std::optional<std::string> explainPath(const NamedOps &from,
                                         const NamedOps &to) const;

  const CompilationReport &report;
  NamedOps producer, consumer;
};
} // namespace

static std::string getText(const std::optional<FusionTimes> &times) {
  return times ? llvm::formatv(" (estimated {0:F1} us fused, {1:F1} us apart)",
                               times->fusedUs, times->apartUs)
                     .str()
               : "";
}

std::string Explanation::getKernel(size_t node) const {
  int64_t group = report.nodes[node].group;
  return llvm::formatv("kernel {0} of {1}", group + 1, report.groups.size());
}

/// Finds what the planner decided about the pair, in whichever order it asked.
const DecisionReport *
Explanation::findDecision(ArrayRef<DecisionReport> decisions) const {
  StringRef from = report.nodes[producer.nodes.back()].name;
  StringRef to = report.nodes[consumer.nodes.front()].name;
  for (const DecisionReport &decision : decisions) {
    bool same = decision.producer == from && decision.consumer == to;
    bool swapped = decision.producer == to && decision.consumer == from;
    if (same || swapped) {
      return &decision;
    }
  }
  return nullptr;
}

std::string Explanation::explainTogether(size_t node) const {
  const GroupReport &group = report.groups[report.nodes[node].group];
  const DecisionReport *decision = findDecision(report.fused);
  std::string kinds =
      group.kinds.empty() ? "" : " (" + llvm::join(group.kinds, ", ") + ")";
  return llvm::formatv(
      "'{0}' and '{1}' are together in {2}, '{3}'{4}{5}: that kernel is "
      "estimated at {6:F1} us, its operations one by one at {7:F1} us",
      producer.name, consumer.name, getKernel(node), group.name, kinds,
      getText(decision ? decision->times : std::nullopt), group.estimateUs,
      group.estimateBeforeUs);
}

std::string
Explanation::explainApart(const Twine &reason,
                          const std::optional<FusionTimes> &times) const {
  // Some reasons name the times themselves.
  std::string why = reason.str();
  return llvm::formatv("'{0}' ({1}) and '{2}' ({3}) are not together: {4}{5}",
                       producer.name, getKernel(producer.nodes.back()),
                       consumer.name, getKernel(consumer.nodes.front()), why,
                       StringRef(why).contains(" us") ? "" : getText(times));
}

constexpr StringLiteral kOutside =
    "what passes between them is renamed, picked or handed over outside of "
    "kernels, where nothing is fused";

/// Answers where one of them reads the other.
std::optional<std::string> Explanation::explainEdge() const {
  bool found = false;
  for (const EdgeReport &edge : report.edges) {
    bool between = llvm::is_contained(producer.nodes, edge.producer) &&
                   llvm::is_contained(consumer.nodes, edge.consumer);
    if (between && !edge.reason.empty()) {
      return explainApart(edge.reason, edge.times);
    }
    found |= between;
  }
  if (!found) {
    return std::nullopt;
  }
  const DecisionReport *decision = findDecision(report.notFused);
  return decision ? explainApart(decision->reason, decision->times)
                  : explainApart(kOutside, std::nullopt);
}

/// Finds the first place on a shortest way where it leaves a kernel; null where
/// there is no way.
const EdgeReport *Explanation::findCut(const NamedOps &from,
                                       const NamedOps &to) const {
  SmallVector<SmallVector<size_t, 2>> edgesFrom(report.nodes.size());
  for (auto [index, edge] : llvm::enumerate(report.edges)) {
    edgesFrom[edge.producer].push_back(index);
  }
  SmallVector<std::optional<size_t>> reachedBy(report.nodes.size());
  llvm::SetVector<size_t> queue(from.nodes.begin(), from.nodes.end());
  for (size_t i = 0; i < queue.size(); ++i) {
    for (size_t edge : edgesFrom[queue[i]]) {
      if (queue.insert(report.edges[edge].consumer)) {
        reachedBy[report.edges[edge].consumer] = edge;
      }
    }
  }
  auto end = llvm::find_if(to.nodes,
                           [&](size_t node) { return queue.contains(node); });
  if (end == to.nodes.end()) {
    return nullptr;
  }
  const EdgeReport *cut = nullptr;
  for (std::optional<size_t> step = reachedBy[*end]; step;
       step = reachedBy[report.edges[*step].producer]) {
    const EdgeReport &edge = report.edges[*step];
    if (report.nodes[edge.producer].group !=
        report.nodes[edge.consumer].group) {
      cut = &edge;
    }
  }
  return cut;
}

std::optional<std::string> Explanation::explainPath(const NamedOps &from,
                                                    const NamedOps &to) const {
  const EdgeReport *cut = findCut(from, to);
  if (!cut) {
    return std::nullopt;
  }
  return explainApart(
      llvm::formatv("'{0}' does not read '{1}' itself, and on the way '{2}' "
                    "and '{3}' are apart: {4}",
                    to.name, from.name, getSource(report.nodes[cut->producer]),
                    getSource(report.nodes[cut->consumer]),
                    cut->reason.empty() ? StringRef(kOutside)
                                        : StringRef(cut->reason))
          .str(),
      cut->times);
}

NamedOps Explanation::getKernelOf(const NamedOps &ops) const {
  NamedOps all{ops.name, {}};
  for (auto [index, node] : llvm::enumerate(report.nodes)) {
    if (node.group == report.nodes[ops.nodes.front()].group) {
      all.nodes.push_back(index);
    }
  }
  return all;
}

/// Answers where neither needs the other, but other ops of their kernels do.
std::optional<std::string> Explanation::explainKernels() const {
  NamedOps ours = getKernelOf(producer), theirs = getKernelOf(consumer);
  const EdgeReport *cut = findCut(ours, theirs);
  cut = cut ? cut : findCut(theirs, ours);
  if (!cut) {
    return std::nullopt;
  }
  return explainApart(
      llvm::formatv("neither needs the other, but one of their kernels needs "
                    "the other, and on the way '{0}' and '{1}' are apart: {2}",
                    getSource(report.nodes[cut->producer]),
                    getSource(report.nodes[cut->consumer]),
                    cut->reason.empty() ? StringRef(kOutside)
                                        : StringRef(cut->reason))
          .str(),
      cut->times);
}

/// Answers where neither kernel needs the other: what was decided about the
/// launches of both, which have the names that these had before some were
/// merged.
std::string Explanation::explainLaunches() const {
  const DecisionReport *decision =
      LaunchDecisions(report).find(report.nodes[producer.nodes.back()].group,
                                   report.nodes[consumer.nodes.front()].group);
  if (decision) {
    return explainApart("neither needs the other, and one launch of both "
                        "kernels was refused: " +
                            decision->reason,
                        std::nullopt);
  }
  return explainApart(
      "neither needs the other, and one launch of both kernels was not tried: "
      "a kernel is tried with the nearest of those that read the same tensor "
      "or come after equally many launches",
      std::nullopt);
}

std::string Explanation::get() const {
  for (size_t from : producer.nodes) {
    for (size_t to : consumer.nodes) {
      if (report.nodes[from].group == report.nodes[to].group) {
        return explainTogether(from);
      }
    }
  }
  if (auto answer = explainEdge()) {
    return *answer;
  }
  if (const DecisionReport *decision = findDecision(report.notFused)) {
    return explainApart(decision->reason, decision->times);
  }
  if (auto answer = explainPath(producer, consumer)) {
    return *answer;
  }
  if (auto answer = explainPath(consumer, producer)) {
    return *answer;
  }
  if (auto answer = explainKernels()) {
    return *answer;
  }
  return explainLaunches();
}

llvm::Expected<std::string>
mlir::fusion::explain(const CompilationReport &report, StringRef producer,
                      StringRef consumer) {
  llvm::Expected<NamedOps> from = findOps(report, producer);
  if (!from) {
    return from.takeError();
  }
  llvm::Expected<NamedOps> to = findOps(report, consumer);
  if (!to) {
    return to.takeError();
  }
  if (from->name == to->name) {
    return llvm::createStringError(
        "expected two operations, but both names mean '" + from->name + "'");
  }
  return Explanation(report, std::move(*from), std::move(*to)).get();
}
