//===- Report.cpp - what was fused, and why the rest was not --------------===//

#include "fusion/Report/Report.h"

#include "fusion/Cost/Roofline.h"
#include "fusion/Dialect/Fusion/IR/Fusion.h"
#include "fusion/Planner/FormGroups.h"

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

/// Estimates the kernel of `group`, whose units are `graph`.
static Estimate estimateGroup(GroupOp group, const UnitGraph &graph,
                              const DeviceModel &device) {
  KernelWork work;
  work.bytesRead = sumBytes(group.getInputs(), kNominalDynamicSize);
  work.bytesWritten = sumBytes(group.getInits(), kNominalDynamicSize);
  for (const Unit &unit : graph.units) {
    work.flops += unit.work.flops;
    work.matmulFlops += unit.work.contractionFlops;
    if (unit.space.role == OpRole::Contraction) {
      Type type = getElementTypeOrSelf(unit.reads.front().value.getType());
      work.tensorCores |= type.isF16() || type.isBF16();
    }
  }
  double elements = 0;
  for (Value init : group.getInits()) {
    auto type = cast<RankedTensorType>(init.getType());
    elements =
        std::max(elements,
                 getTensorBytes(RankedTensorType::get(
                     type.getShape(), IntegerType::get(type.getContext(), 8))));
  }
  double perBlock = work.matmulFlops > 0 ? 128 * 128 : 1024;
  work.blocks = std::max(1.0, elements / perBlock);
  return estimateKernel(work, device);
}

/// Adds what the units of `group` would cost one by one.
static void addUnfused(GroupReport &report, const UnitGraph &graph) {
  for (const Unit &unit : graph.units) {
    if (unit.isOpaque()) {
      continue;
    }
    ++report.launchesBefore;
    llvm::SmallDenseSet<Value> counted;
    for (const UnitRead &read : unit.reads) {
      if (counted.insert(read.value).second) {
        report.bytesBefore += getTensorBytes(read.value.getType(), 1);
      }
    }
    report.bytesBefore += getTensorBytes(unit.values.back().value.getType(), 1);
  }
}

static GroupReport reportGroup(GroupOp group, const UnitGraph &graph,
                               const DeviceModel &device) {
  GroupReport report;
  report.name = group.getName().str();
  for (Attribute kind : group.getKinds()) {
    report.kinds.push_back(cast<StringAttr>(kind).str());
  }
  for (const Unit &unit : graph.units) {
    if (!unit.isOpaque()) {
      std::string name = getDisplayName(unit.ops.front());
      if (!llvm::is_contained(report.ops, name)) {
        report.ops.push_back(std::move(name));
      }
      OpWork work = getOpWork(unit.anchor, /*dynamicSize=*/1);
      report.flops += work.flops + work.contractionFlops;
    }
  }
  addUnfused(report, graph);
  report.bytesRead = sumBytes(group.getInputs(), 1);
  report.bytesWritten = sumBytes(group.getInits(), 1);
  Estimate estimate = estimateGroup(group, graph, device);
  report.estimateUs = estimate.us;
  report.bound = stringifyBound(estimate.bound).str();
  if (DictionaryAttr schedule = group.getScheduleAttr()) {
    llvm::raw_string_ostream(report.schedule) << schedule;
  }
  return report;
}

CompilationReport fusion::collectReport(func::FuncOp main, StringRef model,
                                        const DeviceModel &device) {
  CompilationReport report;
  report.model = model.str();
  report.target = device.chip.str();
  for (GroupOp group : main.getOps<GroupOp>()) {
    UnitGraph graph = collectUnits(*group.getBodyBlock());
    GroupReport entry = reportGroup(group, graph, device);
    report.launchesBefore += entry.launchesBefore;
    report.bytesBefore += entry.bytesBefore;
    ++report.launchesAfter;
    report.bytesAfter += entry.bytesRead + entry.bytesWritten;
    report.groups.push_back(std::move(entry));
    report.hasDynamicSizes |= llvm::any_of(group->getOperandTypes(), isDynamic);
  }
  if (auto refused = main->getAttrOfType<ArrayAttr>(kNotFusedAttr)) {
    for (auto entry : refused.getAsRange<DictionaryAttr>()) {
      auto get = [&](StringRef key) {
        auto value = entry.getAs<StringAttr>(key);
        return value ? value.str() : std::string();
      };
      report.notFused.push_back(
          {get("producer"), get("consumer"), get("reason")});
    }
  }
  return report;
}

void fusion::attachFunctions(CompilationReport &report, ModuleOp module) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!main) {
    return;
  }
  for (auto [group, call] :
       llvm::zip(report.groups, main.getOps<func::CallOp>())) {
    group.function = call.getCallee().str();
  }
}
