//===- Report.cpp - what was fused, and why the rest was not --------------===//

#include "ReportGraph.h"

#include "fusion/Cost/Concurrent.h"
#include "fusion/Dialect/Fusion/IR/Composite.h"
#include "fusion/Dialect/Fusion/IR/Fusion.h"
#include "fusion/Planner/FormGroups.h"
#include "fusion/Planner/PackLaunches.h"

using namespace mlir;
using namespace mlir::fusion;

static double sumBytes(ValueRange values, int64_t dynamicSize) {
  double bytes = 0;
  for (Value value : values) {
    bytes += getTensorBytes(value.getType(), dynamicSize);
  }
  return bytes;
}

static bool isDynamic(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && !tensor.hasStaticShape();
}

/// Returns the bytes of the distinct tensors among `values`: what several
/// renamings of one tensor read is read once.
static double sumInputBytes(ValueRange values, int64_t dynamicSize) {
  double bytes = 0;
  llvm::SmallDenseSet<Value> counted;
  for (Value value : values) {
    if (counted.insert(getRenamedSource(value)).second) {
      bytes += getTensorBytes(value.getType(), dynamicSize);
    }
  }
  return bytes;
}

/// Estimates the kernel of `group`.
static Estimate estimateGroup(GroupOp group, const DeviceModel &device) {
  if (!isComposite(group)) {
    return estimateKernel(getGroupWork(group, device), device);
  }
  SmallVector<KernelWork, 0> parts;
  group.getBodyBlock()->walk(
      [&](GroupOp part) { parts.push_back(getGroupWork(part, device)); });
  return estimateConcurrent(parts, device);
}

/// Gathers the work of `graph` by the graph ops that it came from: a softmax,
/// say, is several units.
static SmallVector<SmallVector<const Unit *>>
gatherGraphOps(const UnitGraph &graph) {
  SmallVector<SmallVector<const Unit *>> graphOps;
  llvm::StringMap<size_t> numbers;
  for (const Unit &unit : graph.units) {
    if (!isWork(unit)) {
      continue;
    }
    StringRef name = getSourceName(unit.ops.front()->getLoc());
    size_t number = graphOps.size();
    if (!name.empty()) {
      number = numbers.try_emplace(name, number).first->second;
    }
    graphOps.resize(std::max(graphOps.size(), number + 1));
    graphOps[number].push_back(&unit);
  }
  return graphOps;
}

/// Returns whether `units` only copy parts of a concatenation, not the first.
static bool isFurtherPart(ArrayRef<const Unit *> units) {
  return llvm::all_of(units, [](const Unit *unit) {
    return unit->ops.front()->hasAttr(kFurtherPartAttr);
  });
}

static GroupReport reportGroup(GroupOp group, const UnitGraph &graph,
                               const DeviceModel &device) {
  GroupReport report;
  report.name = group.getName().str();
  for (Attribute kind : group.getKinds()) {
    report.kinds.push_back(cast<StringAttr>(kind).str());
  }
  for (const Unit &unit : graph.units) {
    if (isWork(unit)) {
      std::string name = getDisplayName(unit.ops.front());
      if (!llvm::is_contained(report.ops, name)) {
        report.ops.push_back(std::move(name));
      }
      OpWork work = getOpWork(unit.anchor, /*dynamicSize=*/1);
      report.flops += work.flops + work.contractionFlops;
    }
  }
  for (ArrayRef<const Unit *> units : gatherGraphOps(graph)) {
    // The launch is counted where the first part of a concatenation is made.
    report.launchesBefore += !isFurtherPart(units);
    report.bytesBefore += getBytesAlone(units, /*dynamicSize=*/1);
    report.estimateBeforeUs += estimateAlone(units, device);
  }
  report.bytesRead = sumInputBytes(group.getInputs(), 1);
  report.bytesWritten = sumBytes(group.getInits(), 1);
  Estimate estimate = estimateGroup(group, device);
  report.estimateUs = estimate.us;
  report.bound = stringifyBound(estimate.bound).str();
  if (DictionaryAttr schedule = group.getScheduleAttr()) {
    llvm::raw_string_ostream(report.schedule) << schedule;
  }
  return report;
}

/// Hashes what `group` computes; not what it is called.
static llvm::hash_code hashCode(GroupOp group) {
  llvm::hash_code code(0);
  auto hashType = [](Value value) {
    return llvm::hash_value(value.getType().getAsOpaquePointer());
  };
  group->walk([&](Operation *op) {
    if (op != group && !isa<GroupOp>(op)) {
      code = llvm::hash_combine(
          code, OperationEquivalence::computeHash(
                    op, hashType, OperationEquivalence::ignoreHashValue,
                    OperationEquivalence::IgnoreLocations));
    }
  });
  return code;
}

CompilationReport fusion::collectReport(func::FuncOp main, StringRef model,
                                        const DeviceModel &device) {
  CompilationReport report;
  report.model = model.str();
  report.target = device.chip.str();
  SmallVector<UnitGraph> graphs;
  DenseMap<size_t, size_t> kernels; // by hash, numbered as they come
  // The parts of a composite belong to its launch.
  SmallVector<GroupOp> groups;
  main.walk<WalkOrder::PreOrder>([&](GroupOp group) {
    groups.push_back(group);
    return WalkResult::skip();
  });
  for (GroupOp group : groups) {
    graphs.push_back(collectGroupUnits(group));
    GroupReport entry = reportGroup(group, graphs.back(), device);
    entry.kernel =
        kernels.try_emplace(hashCode(group), kernels.size()).first->second;
    report.launchesBefore += entry.launchesBefore;
    report.bytesBefore += entry.bytesBefore;
    report.estimateBeforeUs += entry.estimateBeforeUs;
    ++report.launchesAfter;
    report.bytesAfter += entry.bytesRead + entry.bytesWritten;
    report.estimateAfterUs += entry.estimateUs;
    report.groups.push_back(std::move(entry));
    report.hasDynamicSizes |= llvm::any_of(group->getOperandTypes(), isDynamic);
  }
  for (const RecordedDecision &decision : readDecisions(main)) {
    auto &list = decision.reason.empty() ? report.fused : report.notFused;
    list.push_back({decision.producer, decision.consumer, decision.reason,
                    decision.times});
  }
  collectGraph(report, main, graphs, device);
  return report;
}

void fusion::attachFunctions(CompilationReport &report, ModuleOp module) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!main) {
    return;
  }
  size_t next = 0;
  main.walk([&](func::CallOp call) {
    if (next < report.groups.size()) {
      report.groups[next++].function = call.getCallee().str();
    }
  });
}
