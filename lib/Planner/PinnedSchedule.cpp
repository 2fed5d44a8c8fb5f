//===- PinnedSchedule.cpp - schedules that the input asks for -------------===//

#include "fusion/Dialect/Fusion/IR/Directives.h"
#include "fusion/Planner/Partition.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::fusion;

/// Returns the form of kernels that `schedule` is for; nothing where it does
/// not say, which whoever reads the schedule diagnoses.
static std::optional<KernelForm> getFormOf(DictionaryAttr schedule) {
  auto kind = schedule.getAs<StringAttr>("kind");
  return llvm::StringSwitch<std::optional<KernelForm>>(kind ? kind.getValue()
                                                            : "")
      .Case("elementwise", KernelForm::Elementwise)
      .Case("rows", KernelForm::Rows)
      .Cases({"wgmma", "mma", "fma"}, KernelForm::Contraction)
      .Default(std::nullopt);
}

DictionaryAttr fusion::getPinnedSchedule(const UnitGraph &graph,
                                         const Cluster &cluster) {
  for (unsigned index : cluster.units) {
    for (Operation *op : graph.units[index].ops) {
      if (auto pinned =
              op->getAttrOfType<DictionaryAttr>(kPinnedScheduleAttr)) {
        return pinned;
      }
    }
  }
  return nullptr;
}

/// A pinned schedule is kept: what it was not made for stays out.
FusionDecision Partition::checkSchedules(const Cluster &merged) const {
  DictionaryAttr first = getPinnedSchedule(graph, merged);
  if (!first) {
    return FusionDecision::allow();
  }
  for (unsigned index : merged.units) {
    for (Operation *op : graph.units[index].ops) {
      auto pinned = op->getAttrOfType<DictionaryAttr>(kPinnedScheduleAttr);
      if (pinned && pinned != first) {
        return FusionDecision::forbid("the operations pin different schedules");
      }
    }
  }
  std::optional<KernelForm> form = getFormOf(first);
  if (form && *form != merged.form) {
    return FusionDecision::forbid(
        "the pinned schedule is for another kind of kernel");
  }
  return FusionDecision::allow();
}
