//===- FuseKinds.h - which kinds of fusion are wanted -----------*- C++ -*-===//

#ifndef FUSION_PLANNER_FUSEKINDS_H
#define FUSION_PLANNER_FUSEKINDS_H

#include "mlir/Support/LLVM.h"
#include <optional>
#include <string>

namespace mlir::fusion {

/// Which kinds of fusion may form groups.
struct FuseKinds {
  bool vertical = true;
  bool horizontal = true;
  bool conditional = true;
  /// Vertical, into contractions: their operands may be computed.
  bool prologue = true;
  /// Vertical, where values have several readers: these may compute them.
  bool recompute = true;
};

/// Parses `text` into `kinds`: all, none, or some of vertical, horizontal,
/// conditional, prologue and recompute, separated by commas, each with '-'
/// before it to leave it out; the last two are on where vertical is. On failure
/// returns the message.
std::optional<std::string> parseFuseKinds(StringRef text, FuseKinds &kinds);

/// Returns what parseFuseKinds() reads as `kinds`.
std::string getText(const FuseKinds &kinds);

} // namespace mlir::fusion

#endif // FUSION_PLANNER_FUSEKINDS_H
