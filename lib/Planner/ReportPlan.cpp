//===- ReportPlan.cpp - what a plan decided, for people -------------------===//

#include "fusion/Planner/Decisions.h"
#include "fusion/Planner/SearchFusions.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace mlir::fusion;

/// Returns the op of `unit` that others read: of two contractions the second.
static Operation *getMaker(const Unit &unit) {
  linalg::LinalgOp anchor = unit.anchor;
  return unit.hasTwoContractions() ? anchor.getOperation() : unit.ops.front();
}

namespace {
/// Says which ops the pairs of a plan are about. Looks once at each op: one may
/// have as many operands as the graph has ops.
class PairOps {
public:
  explicit PairOps(const UnitGraph &graph) : graph(graph) {}

  /// Returns the op of `pair.consumer` that reads what `pair.producer` makes:
  /// an attention, say, has several.
  Operation *getReader(UnitPair pair);
  /// Returns getDisplayName(op).
  StringRef getName(Operation *op);

private:
  void addReaders(unsigned consumer);

  const UnitGraph &graph;
  DenseSet<unsigned> seen; ///< consumers of several ops
  DenseMap<std::pair<unsigned, unsigned>, Operation *> readers;
  DenseMap<Operation *, std::string> names;
};
} // namespace

void PairOps::addReaders(unsigned consumer) {
  const Unit &unit = graph.units[consumer];
  DenseMap<Value, unsigned> makers;
  for (const UnitRead &read : unit.reads) {
    if (read.producer) {
      makers[read.value] = *read.producer;
    }
  }
  for (Operation *op : unit.ops) {
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands()) {
        auto maker = makers.find(operand);
        if (maker != makers.end()) {
          readers.try_emplace({maker->second, consumer}, op);
        }
      }
    });
  }
}

Operation *PairOps::getReader(UnitPair pair) {
  const Unit &consumer = graph.units[pair.consumer];
  if (consumer.ops.size() == 1) {
    return consumer.ops.front();
  }
  if (seen.insert(pair.consumer).second) {
    addReaders(pair.consumer);
  }
  Operation *reader = readers.lookup({pair.producer, pair.consumer});
  return reader ? reader : consumer.ops.front();
}

StringRef PairOps::getName(Operation *op) {
  auto [name, isNew] = names.try_emplace(op);
  if (isNew) {
    name->second = getDisplayName(op);
  }
  return name->second;
}

void fusion::reportPlan(const FusionPlan &plan, const UnitGraph &graph,
                        func::FuncOp func,
                        SmallVectorImpl<RecordedDecision> &records) {
  PairOps ops(graph);
  for (const auto &[pair, decision, recomputed] : plan.decisions) {
    Operation *producer = getMaker(graph.units[pair.producer]);
    Operation *consumer = ops.getReader(pair);
    RecordedDecision record = {ops.getName(producer).str(),
                               ops.getName(consumer).str(), "",
                               decision.getTimes()};
    auto opts = remark::RemarkOpts::name("FormGroups")
                    .category("fusion")
                    .function(func.getName());
    bool together = plan.partition.getClusterOf(pair.producer) ==
                    plan.partition.getClusterOf(pair.consumer);
    if (recomputed) {
      remark::passed(consumer->getLoc(), opts)
          << remark::add("computes {0} again", record.producer);
    } else if (together) {
      remark::passed(consumer->getLoc(), opts)
          << remark::add("fused with {0}", record.producer);
    } else {
      record.reason = decision.getReason().str();
      remark::missed(consumer->getLoc(), opts)
          << remark::reason("{0}", record.reason)
          << remark::metric("Producer", record.producer);
    }
    records.push_back(std::move(record));
  }
}
