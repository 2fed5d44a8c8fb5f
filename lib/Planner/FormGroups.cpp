//===- FormGroups.cpp - gather linalg ops into groups ---------------------===//

#include "fusion/Planner/FormGroups.h"

#include "fusion/Dialect/Fusion/IR/Directives.h"
#include "fusion/Dialect/Fusion/IR/Fusion.h"
#include "fusion/Planner/Choice.h"
#include "fusion/Planner/PackLaunches.h"
#include "fusion/Planner/Passes.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::fusion;

namespace mlir::fusion {
#define GEN_PASS_DEF_FORMGROUPS
#include "fusion/Planner/Passes.h.inc"
} // namespace mlir::fusion

/// The flag of `options` that the kind of fusion `kind` is; null if none is.
static bool *findKind(StringRef kind, PlannerOptions &options) {
  return llvm::StringSwitch<bool *>(kind)
      .Case("vertical", &options.vertical)
      .Case("horizontal", &options.horizontal)
      .Case("conditional", &options.conditional)
      .Case("prologue", &options.prologue)
      .Default(nullptr);
}

std::optional<std::string> fusion::parseFuseOption(StringRef fuse,
                                                   PlannerOptions &options) {
  options.vertical = options.horizontal = options.conditional = false;
  options.prologue = true;
  SmallVector<StringRef> kinds;
  llvm::SplitString(fuse, kinds, ",");
  for (StringRef kind : kinds) {
    StringRef named = kind;
    bool wanted = !named.consume_front("-");
    if (bool *flag = findKind(named, options)) {
      *flag = wanted;
    } else if (wanted && (kind == "all" || kind == "none")) {
      options.vertical = options.horizontal = options.conditional =
          kind == "all";
    } else {
      return ("expected 'all', 'none' or some of 'vertical', 'horizontal', "
              "'conditional' and 'prologue' to fuse, '-' before what is left "
              "out, but got '" +
              kind + "'")
          .str();
    }
  }
  return std::nullopt;
}

namespace {
/// The answer for one pair of a producer and a consumer.
struct EdgeDecision {
  unsigned producer;
  unsigned consumer;
  FusionDecision decision;
};

/// Asks for each edge of the graph, in program order.
class EdgeFuser {
public:
  EdgeFuser(UnitGraph &graph, Partition &partition)
      : graph(graph), partition(partition) {}

  void run();
  /// Tells remarks and the attribute for reports what was decided.
  void report(func::FuncOp func) const;

private:
  void fuseForced();
  void fuseForced(ArrayRef<unsigned> units);
  void fuseUnit(unsigned consumer);
  bool onlyWidens(unsigned unit) const;
  void fuseSiblings(unsigned consumer);
  void retry();
  void decide(unsigned producer, unsigned consumer);
  void record(unsigned producer, unsigned consumer, FusionDecision decision);

  UnitGraph &graph;
  Partition &partition;
  SmallVector<EdgeDecision, 0> decisions;
  DenseMap<std::pair<unsigned, unsigned>, size_t> decisionOf;
  SmallVector<std::pair<unsigned, unsigned>, 0> postponed; // edges
};
} // namespace

/// Keeps the latest decision for each pair, with times where there were any.
void EdgeFuser::record(unsigned producer, unsigned consumer,
                       FusionDecision decision) {
  auto [it, isNew] =
      decisionOf.try_emplace({producer, consumer}, decisions.size());
  if (isNew) {
    decisions.push_back({producer, consumer, std::move(decision)});
    return;
  }
  FusionDecision &kept = decisions[it->second].decision;
  if (!kept || !decision) {
    kept = std::move(decision);
  }
}

void EdgeFuser::decide(unsigned producer, unsigned consumer) {
  bool together =
      partition.getClusterOf(producer) == partition.getClusterOf(consumer);
  record(producer, consumer,
         together ? FusionDecision::allow()
                  : partition.fuse(producer, consumer));
}

/// Fuses the units that `fusion.fuse_with` gives one name.
void EdgeFuser::fuseForced() {
  llvm::MapVector<Attribute, SmallVector<unsigned>> sets;
  for (auto [index, unit] : llvm::enumerate(graph.units)) {
    Attribute name =
        unit.anchor ? unit.anchor->getAttr(kFuseWithAttr) : nullptr;
    if (name) {
      sets[name].push_back(index);
    }
  }
  for (auto &[name, units] : sets) {
    fuseForced(units);
  }
}

/// Tries each pair of neighbours in program order until nothing changes: what
/// is refused at first may be legal once others have joined.
void EdgeFuser::fuseForced(ArrayRef<unsigned> units) {
  SmallVector<EdgeDecision, 0> pairs;
  for (size_t i = 1; i < units.size(); ++i) {
    pairs.push_back({units[i - 1], units[i], FusionDecision::allow()});
    for (const UnitRead &read : graph.units[units[i]].reads) {
      if (read.producer && *read.producer != units[i - 1] &&
          llvm::is_contained(units, *read.producer)) {
        pairs.push_back({*read.producer, units[i], FusionDecision::allow()});
      }
    }
  }
  bool changed = true;
  while (changed) {
    changed = false;
    for (EdgeDecision &pair : pairs) {
      if (partition.getClusterOf(pair.producer) !=
          partition.getClusterOf(pair.consumer)) {
        pair.decision =
            partition.fuse(pair.producer, pair.consumer, /*force=*/true);
        changed |= bool(pair.decision);
      }
    }
  }
  for (EdgeDecision &pair : pairs) {
    record(pair.producer, pair.consumer, std::move(pair.decision));
  }
}

/// Returns whether `unit` reads one tensor and makes a larger one of equal
/// shape, as a cast to a wider type does.
bool EdgeFuser::onlyWidens(unsigned index) const {
  const Unit &unit = graph.units[index];
  if (unit.space.role != OpRole::Elementwise || unit.reads.size() != 1) {
    return false;
  }
  auto from = dyn_cast<RankedTensorType>(unit.reads[0].value.getType());
  auto to = cast<RankedTensorType>(unit.values[0].value.getType());
  return from && from.getShape() == to.getShape() &&
         getTensorBytes(from) < getTensorBytes(to);
}

/// Fuses `consumer` with each unit that it reads from. A unit that only widens
/// joins its readers first: where it cannot be with its producer and them, the
/// narrow value should cross memory.
void EdgeFuser::fuseUnit(unsigned consumer) {
  SmallVector<unsigned> producers;
  for (const UnitRead &read : graph.units[consumer].reads) {
    if (read.producer && !graph.units[*read.producer].isOpaque() &&
        !llvm::is_contained(producers, *read.producer)) {
      producers.push_back(*read.producer);
    }
  }
  bool later = onlyWidens(consumer);
  for (unsigned producer : producers) {
    if (later) {
      postponed.emplace_back(producer, consumer);
    } else {
      decide(producer, consumer);
    }
  }
}

/// Contractions that meet in an elementwise `consumer` may share a kernel even
/// where it does not join them.
void EdgeFuser::fuseSiblings(unsigned consumer) {
  if (graph.units[consumer].space.role != OpRole::Elementwise) {
    return;
  }
  std::optional<unsigned> first;
  for (const UnitRead &read : graph.units[consumer].reads) {
    if (!read.producer ||
        graph.units[*read.producer].space.role != OpRole::Contraction) {
      continue;
    }
    if (first && partition.getClusterOf(*first) !=
                     partition.getClusterOf(*read.producer)) {
      (void)partition.fuse(*first, *read.producer);
    }
    first = first ? first : read.producer;
  }
}

/// A refusal may rest on what was not merged yet: ask once more.
void EdgeFuser::retry() {
  for (EdgeDecision &edge : decisions) {
    if (edge.decision) {
      continue;
    }
    bool together = partition.getClusterOf(edge.producer) ==
                    partition.getClusterOf(edge.consumer);
    edge.decision = together ? FusionDecision::allow()
                             : partition.fuse(edge.producer, edge.consumer);
  }
}

void EdgeFuser::run() {
  fuseForced();
  for (unsigned unit = 0, e = graph.units.size(); unit < e; ++unit) {
    if (graph.units[unit].isOpaque()) {
      continue;
    }
    fuseUnit(unit);
    fuseSiblings(unit);
  }
  for (auto [producer, consumer] : postponed) {
    decide(producer, consumer);
  }
  retry();
}

void EdgeFuser::report(func::FuncOp func) const {
  SmallVector<RecordedDecision, 0> records;
  for (const EdgeDecision &edge : decisions) {
    Operation *producer = graph.units[edge.producer].ops.front();
    Operation *consumer = graph.units[edge.consumer].ops.front();
    RecordedDecision record = {getDisplayName(producer),
                               getDisplayName(consumer), "",
                               edge.decision.getTimes()};
    auto opts = remark::RemarkOpts::name("FormGroups")
                    .category("fusion")
                    .function(func.getName());
    bool together = partition.getClusterOf(edge.producer) ==
                    partition.getClusterOf(edge.consumer);
    if (together) {
      remark::passed(consumer->getLoc(), opts)
          << remark::add("fused with {0}", record.producer);
    } else {
      record.reason = edge.decision.getReason().str();
      remark::missed(consumer->getLoc(), opts)
          << remark::reason("{0}", record.reason)
          << remark::metric("Producer", record.producer);
    }
    records.push_back(std::move(record));
  }
  appendDecisions(func, records);
}

/// Puts the linalg ops of `block`, of `func`, into groups.
static void formGroupsIn(Block &block, func::FuncOp func,
                         const PlannerOptions &options) {
  // On a CPU a padded copy is cheap, and lets inner loops run without bounds.
  bool onGPU = options.vertical && !options.device.isCPU();
  // A sum that is rescaled on its way has other roundings than strict ones.
  SmallVector<OnlineSoftmax, 0> softmaxes;
  if (onGPU && !options.strict) {
    softmaxes = findOnlineSoftmaxes(block, options.device);
  }
  FoundChains found;
  if (options.vertical) {
    found = findChainedProducts(block, options, softmaxes);
  }
  UnitGraph graph = collectUnits(block, onGPU, softmaxes, found.chains);
  graph.chainRefusals = std::move(found.refusals);
  Partition partition(graph, options);
  EdgeFuser fuser(graph, partition);
  if (options.vertical || options.horizontal) {
    fuser.run();
    fuser.report(func);
  }
  buildGroups(block, graph, partition);
}

void fusion::formGroups(func::FuncOp func, const PlannerOptions &options) {
  // The body, and before it the regions of its branches.
  SmallVector<Block *> blocks;
  {
    DirectiveKeeper keeper(func);
    lowerPads(func);
    if (options.vertical) {
      sinkTransposes(func);
      sinkReshapes(func);
      if (!options.device.isCPU()) {
        inlineReads(func);
        expandRepeats(func);
      }
      foldTransposes(func);
    }
    settleChoices(func);
    settleBranchResults(func);
    func.walk([&](IfOp branch) {
      blocks.push_back(&branch.getThenRegion().front());
      blocks.push_back(&branch.getElseRegion().front());
    });
    blocks.push_back(&func.getBody().front());
    for (Block *block : blocks) {
      prepareForGrouping(*block);
    }
  }
  for (Block *block : blocks) {
    formGroupsIn(*block, func, options);
  }
  copySharedResults(func);
}

namespace {
struct FormGroupsPass : mlir::fusion::impl::FormGroupsBase<FormGroupsPass> {
  using FormGroupsBase::FormGroupsBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isExternal()) {
      return;
    }
    if (!func.getBody().hasOneBlock()) {
      func.emitError("expected one block, but got ")
          << func.getBody().getBlocks().size();
      return signalPassFailure();
    }
    PlannerOptions options;
    std::optional<DeviceModel> device = getDeviceModel(target);
    if (!device) {
      func.emitError("expected a known target, but got '") << target << "'";
      return signalPassFailure();
    }
    options.device = *device;
    options.strict = strict;
    if (std::optional<std::string> error = parseFuseOption(fuse, options)) {
      func.emitError(*error);
      return signalPassFailure();
    }
    formGroups(func, options);
  }
};
} // namespace
