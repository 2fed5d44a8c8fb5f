//===- Trials.h - compiles groups alone -------------------------*- C++ -*-===//

#ifndef LIB_CONVERSION_FITGROUPS_TRIALS_H
#define LIB_CONVERSION_FITGROUPS_TRIALS_H

#include "fusion/Conversion/FitGroups/FitGroups.h"
#include "fusion/Schedule/Schedule.h"
#include "llvm/ADT/StringMap.h"
#include <optional>

namespace mlir::fusion {

/// What limits a trial keeps to: those that the module says, or only what the
/// device has.
enum class TrialLimits { OfModule, OfDevice };

/// What came out of compiling a group alone.
struct Trial {
  /// Parts of a composite that have a launch of their own, by their numbers.
  struct Apart {
    SmallVector<int64_t> parts;
    std::string reason; ///< why they are not in the launches before
  };

  std::string refusal; ///< why no kernel holds the group; empty if one does
  /// There is a kernel, but it takes more than the limits say.
  bool isOverLimits = false;
  std::optional<Schedule> schedule; ///< of a group that is no composite
  SmallVector<Apart, 0> apart;      ///< the launches, where they are several
};

/// Compiles groups, each distinct one once.
class Trials {
public:
  Trials(ModuleOp module, StringRef target, RunTrial run)
      : module(module), target(target), run(run) {}

  /// Compiles `group`, whose operands are tensors or sizes.
  const Trial &compile(GroupOp group,
                       TrialLimits limits = TrialLimits::OfModule);

private:
  Trial compileAnew(GroupOp group, TrialLimits limits);

  ModuleOp module;
  StringRef target;
  RunTrial run;
  llvm::StringMap<Trial> known; // by what the group is
};

} // namespace mlir::fusion

#endif // LIB_CONVERSION_FITGROUPS_TRIALS_H
