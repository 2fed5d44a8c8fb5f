//===- FusionDecision.h - a yes, or a no with its reason --------*- C++ -*-===//
//
// Every question about legality or profit is answered with a FusionDecision,
// so that remarks, reports and tests see why something was not fused.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_ANALYSIS_FUSIONDECISION_H
#define FUSION_ANALYSIS_FUSIONDECISION_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include <optional>
#include <string>

namespace mlir::fusion {

/// Estimated times of one kernel for two sides, and of a kernel for each.
struct FusionTimes {
  double fusedUs = 0;
  double apartUs = 0;
};

/// The answer to "may these be fused?"; a refusal always carries its reason.
class [[nodiscard]] FusionDecision {
public:
  static FusionDecision allow() { return {}; }
  /// Refuses; `why` is a clause in lower case without a period.
  static FusionDecision forbid(const llvm::Twine &why);
  /// The same decision, made by comparing `times`.
  FusionDecision withTimes(FusionTimes times) && {
    this->times = times;
    return std::move(*this);
  }

  explicit operator bool() const { return !reason; }
  /// The reason of a refusal; empty where allowed.
  llvm::StringRef getReason() const {
    return reason ? llvm::StringRef(*reason) : llvm::StringRef();
  }

  /// What the cost model compared; nothing where it was not asked.
  const std::optional<FusionTimes> &getTimes() const { return times; }

private:
  std::optional<std::string> reason;
  std::optional<FusionTimes> times;
};

} // namespace mlir::fusion

#endif // FUSION_ANALYSIS_FUSIONDECISION_H
