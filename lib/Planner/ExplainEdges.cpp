//===- ExplainEdges.cpp - why launches hand tensors over ------------------===//

#include "Reasons.h"
#include "ReshapedReads.h"
#include "fusion/Dialect/Fusion/IR/Composite.h"
#include "fusion/Planner/Decisions.h"
#include "fusion/Planner/FormGroups.h"
#include "fusion/Planner/Origins.h"
#include "fusion/Planner/PackLaunches.h"
#include "fusion/Planner/Passes.h"
#include "mlir/IR/Remarks.h"
#include <map>
#include <set>

using namespace mlir;
using namespace mlir::fusion;

namespace mlir::fusion {
#define GEN_PASS_DEF_EXPLAINEDGES
#include "fusion/Planner/Passes.h.inc"
} // namespace mlir::fusion

namespace {
/// Where an op is.
struct Place {
  Operation *op = nullptr;
  GroupOp kernel; ///< the group that holds it, which may be a part of a launch
  GroupOp launch;
};

/// Finds the edges between launches of one function that have no reason yet.
class EdgeExplainer {
public:
  explicit EdgeExplainer(func::FuncOp func) : func(func) {}

  void run();

private:
  using Names = std::pair<std::string, std::string>;

  void readKnown();
  void collectPlaces(GroupOp launch);
  void explainReads(const Unit &unit, const Place &reader);
  void explain(Value value, const Place &reader, bool isCondition);
  void record(const Place &producer, const Place &consumer, std::string reason);
  std::string getReason(Value value, const Place &producer,
                        const Place &consumer, Passage passage,
                        bool isCondition) const;
  std::string findDecided(const Place &producer, const Place &consumer) const;

  func::FuncOp func;
  SmallVector<GroupOp> launches;
  SmallVector<UnitGraph, 0> graphs; ///< by launch
  DenseMap<Value, Place> makers;    ///< of the values of units
  DenseMap<Operation *, SmallVector<Operation *>> opsOf; ///< by kernel
  std::map<Names, std::string> known;                    ///< reasons
  std::set<Names> together; ///< what shares a kernel somewhere
  SmallVector<RecordedDecision, 0> records;
};
} // namespace

void EdgeExplainer::readKnown() {
  for (const RecordedDecision &decision : readDecisions(func)) {
    Names names(decision.producer, decision.consumer);
    if (decision.reason.empty()) {
      together.insert(std::move(names));
    } else {
      known.insert({std::move(names), decision.reason});
    }
  }
}

static GroupOp getKernel(Operation *op) {
  return op->getParentOfType<GroupOp>();
}

void EdgeExplainer::collectPlaces(GroupOp launch) {
  launches.push_back(launch);
  graphs.push_back(collectGroupUnits(launch));
  for (const Unit &unit : graphs.back().units) {
    Operation *op = unit.ops.front();
    if (!unit.isOpaque()) {
      opsOf[getKernel(op)].push_back(op);
    }
    for (const UnitValue &made : unit.values) {
      makers[made.value] = {op, getKernel(op), launch};
    }
  }
}

/// Returns whether `kernel` only copies one tensor.
static bool isCopy(GroupOp kernel) {
  Block &body = *kernel.getBodyBlock();
  auto ops = body.getOps<linalg::LinalgOp>();
  if (!llvm::hasSingleElement(ops)) {
    return false;
  }
  auto op = dyn_cast<linalg::GenericOp>((*ops.begin()).getOperation());
  return op && op.getNumDpsInputs() == 1 &&
         llvm::hasSingleElement(*op.getBody()) &&
         op.getBody()->getTerminator()->getOperand(0) ==
             op.getBody()->getArgument(0) &&
         op.getIndexingMapsArray()[0] == op.getIndexingMapsArray()[1];
}

/// Returns whether the function returns what `launch` makes.
static bool isReturned(GroupOp launch) {
  return llvm::any_of(launch->getUsers(), [](Operation *user) {
    return isa<func::ReturnOp>(user);
  });
}

/// Returns the conditions that `kernel` runs under, outermost last.
static SmallVector<Value, 2> getConditions(GroupOp kernel) {
  SmallVector<Value, 2> conditions;
  for (auto branch = kernel->getParentOfType<IfOp>(); branch;
       branch = branch->getParentOfType<IfOp>()) {
    conditions.push_back(branch.getCondition());
  }
  return conditions;
}

/// Returns whether `op` reads `value` in its body, at positions that it
/// computes.
static bool isComputedRead(Value value, Operation *op) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    return isa<tensor::ExtractOp>(user) && op->isProperAncestor(user);
  });
}

/// Returns what was said of another edge from `producer` into the kernel of
/// `consumer`: a decision is one about all that the two hold. Where the two
/// share another kernel the consumer is here a second time.
std::string EdgeExplainer::findDecided(const Place &producer,
                                       const Place &consumer) const {
  std::string from = getDisplayName(producer.op);
  for (Operation *op : opsOf.lookup(consumer.kernel)) {
    auto decided = known.find({from, getDisplayName(op)});
    if (decided != known.end()) {
      return decided->second;
    }
  }
  bool isCopied = together.count({from, getDisplayName(consumer.op)}) != 0;
  return isCopied ? "what reads it is computed again in this kernel, from the "
                    "value in memory"
                  : "";
}

/// Says why `consumer` is in another launch than `producer`, whose tensor it
/// gets by `passage` and reads as `value`; "" where that is a question for
/// fusion.
std::string EdgeExplainer::getReason(Value value, const Place &producer,
                                     const Place &consumer, Passage passage,
                                     bool isCondition) const {
  GroupOp from = producer.kernel, to = consumer.kernel;
  if (isCondition) {
    auto placed = known.find({from.getName().str(), to.getName().str()});
    return placed != known.end() ? placed->second
                                 : "a predicate is computed once, and read "
                                   "from memory by what runs under it";
  }
  if (passage == Passage::Chosen) {
    return kChosenInMemory.str();
  }
  if (isCopy(to)) {
    return isReturned(consumer.launch)
               ? "each result has an array of its own, and this value is "
                 "returned or needed in another form too: it is copied"
               : "both sides of a branch write one array, and the value is in "
                 "another one: it is copied";
  }
  if (passage == Passage::Joined) {
    return "what reads a joined tensor waits for all of its parts";
  }
  if (passage == Passage::Branch || !getConditions(from).empty() ||
      !getConditions(to).empty()) {
    return "what crosses the border of a branch lies in memory";
  }
  auto reader = dyn_cast<linalg::LinalgOp>(consumer.op);
  if (passage == Passage::Renamed && reader) {
    return explainReshapedRead(from, to, reader).str();
  }
  return isComputedRead(value, consumer.op)
             ? "the value is read at computed positions: it lies in memory "
               "unless it is computed again at each of them"
             : findDecided(producer, consumer);
}

void EdgeExplainer::record(const Place &producer, const Place &consumer,
                           std::string reason) {
  auto opts = remark::RemarkOpts::name("ExplainEdges")
                  .category("fusion")
                  .function(func.getName());
  std::string from = getDisplayName(producer.op);
  std::string to = getDisplayName(consumer.op);
  remark::missed(consumer.op->getLoc(), opts)
      << remark::reason("{0}", reason) << remark::metric("Producer", from);
  known.insert({{from, to}, reason});
  records.push_back({from, to, std::move(reason), std::nullopt});
}

/// Explains each way from what another launch makes to `value`, which `reader`
/// reads.
void EdgeExplainer::explain(Value value, const Place &reader,
                            bool isCondition) {
  walkOrigins(value, [&](Value origin, Passage passage) {
    auto maker = makers.find(origin);
    if (maker == makers.end()) {
      return false;
    }
    const Place &producer = maker->second;
    bool isApart = producer.launch != reader.launch;
    if (isApart && known.count({getDisplayName(producer.op),
                                getDisplayName(reader.op)}) == 0) {
      std::string reason =
          getReason(value, producer, reader, passage, isCondition);
      if (!reason.empty()) {
        record(producer, reader, std::move(reason));
      }
    }
    return true;
  });
}

void EdgeExplainer::explainReads(const Unit &unit, const Place &reader) {
  for (const UnitRead &read : unit.reads) {
    explain(read.value, reader, read.isSide);
  }
  for (Value condition : getConditions(reader.kernel)) {
    explain(condition, reader, /*isCondition=*/true);
  }
}

void EdgeExplainer::run() {
  readKnown();
  func.walk<WalkOrder::PreOrder>([&](GroupOp group) {
    collectPlaces(group);
    return WalkResult::skip(); // parts come with their launches
  });
  for (auto [launch, graph] : llvm::zip_equal(launches, graphs)) {
    for (const Unit &unit : graph.units) {
      Operation *op = unit.ops.front();
      GroupOp kernel = getKernel(op);
      // Fills belong to what accumulates into them, if anything does.
      bool isPart =
          unit.space.role == OpRole::Fill && opsOf.lookup(kernel).size() > 1;
      if (!unit.isOpaque() && !isPart) {
        explainReads(unit, {op, kernel, launch});
      }
    }
  }
  if (!records.empty()) {
    appendDecisions(func, records);
  }
}

void fusion::explainEdges(func::FuncOp func) { EdgeExplainer(func).run(); }

namespace {
struct ExplainEdgesPass
    : mlir::fusion::impl::ExplainEdgesBase<ExplainEdgesPass> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (!func.isExternal() && func.getBody().hasOneBlock()) {
      // Launches of equal code became one.
      copySharedResults(func);
      explainEdges(func);
    }
  }
};
} // namespace
