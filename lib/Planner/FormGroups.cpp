//===- FormGroups.cpp - gather linalg ops into groups ---------------------===//

#include "fusion/Planner/FormGroups.h"

#include "fusion/Planner/Passes.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace mlir::fusion;

namespace mlir::fusion {
#define GEN_PASS_DEF_FORMGROUPS
#include "fusion/Planner/Passes.h.inc"
} // namespace mlir::fusion

std::optional<std::string> fusion::parseFuseOption(StringRef fuse,
                                                   PlannerOptions &options) {
  options.vertical = options.horizontal = fuse == "all";
  if (fuse == "all" || fuse == "none") {
    return std::nullopt;
  }
  SmallVector<StringRef> kinds;
  llvm::SplitString(fuse, kinds, ",");
  for (StringRef kind : kinds) {
    if (kind == "vertical") {
      options.vertical = true;
    } else if (kind == "horizontal") {
      options.horizontal = true;
    } else if (kind != "conditional") {
      return ("expected 'all', 'none' or some of 'vertical', 'horizontal' and "
              "'conditional' to fuse, but got '" +
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
  void fuseUnit(unsigned consumer);
  bool onlyWidens(unsigned unit) const;
  void fuseSiblings(unsigned consumer);
  void retry();
  void decide(unsigned producer, unsigned consumer);

  UnitGraph &graph;
  Partition &partition;
  SmallVector<EdgeDecision, 0> decisions;
  SmallVector<std::pair<unsigned, unsigned>, 0> postponed; // edges
};
} // namespace

void EdgeFuser::decide(unsigned producer, unsigned consumer) {
  if (partition.getClusterOf(producer) == partition.getClusterOf(consumer)) {
    decisions.push_back({producer, consumer, FusionDecision::allow()});
    return;
  }
  decisions.push_back({producer, consumer, partition.fuse(producer, consumer)});
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
  Builder builder(func.getContext());
  SmallVector<Attribute> notFused;
  for (const EdgeDecision &edge : decisions) {
    Operation *producer = graph.units[edge.producer].ops.front();
    Operation *consumer = graph.units[edge.consumer].ops.front();
    std::string producerName = getDisplayName(producer);
    std::string consumerName = getDisplayName(consumer);
    auto opts = remark::RemarkOpts::name("FormGroups")
                    .category("fusion")
                    .function(func.getName());
    bool together = partition.getClusterOf(edge.producer) ==
                    partition.getClusterOf(edge.consumer);
    if (together) {
      remark::passed(consumer->getLoc(), opts)
          << remark::add("fused with {0}", producerName);
      continue;
    }
    std::string reason = edge.decision.getReason().str();
    remark::missed(consumer->getLoc(), opts)
        << remark::reason("{0}", reason)
        << remark::metric("Producer", producerName);
    notFused.push_back(builder.getDictionaryAttr(
        {builder.getNamedAttr("producer", builder.getStringAttr(producerName)),
         builder.getNamedAttr("consumer", builder.getStringAttr(consumerName)),
         builder.getNamedAttr("reason", builder.getStringAttr(reason))}));
  }
  if (!notFused.empty()) {
    func->setAttr(kNotFusedAttr, builder.getArrayAttr(notFused));
  }
}

void fusion::formGroups(func::FuncOp func, const PlannerOptions &options) {
  if (options.vertical) {
    sinkReshapes(func);
  }
  Block &block = func.getBody().front();
  prepareForGrouping(block);
  UnitGraph graph = collectUnits(block);
  Partition partition(graph, options);
  EdgeFuser fuser(graph, partition);
  if (options.vertical || options.horizontal) {
    fuser.run();
    fuser.report(func);
  }
  buildGroups(block, graph, partition);
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
    if (std::optional<std::string> error = parseFuseOption(fuse, options)) {
      func.emitError(*error);
      return signalPassFailure();
    }
    formGroups(func, options);
  }
};
} // namespace
