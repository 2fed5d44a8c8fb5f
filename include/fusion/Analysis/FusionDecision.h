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

/// The answer to "may these be fused?"; a refusal always carries its reason.
class [[nodiscard]] FusionDecision {
public:
  static FusionDecision allow() { return {}; }
  /// Refuses; `why` is a clause in lower case without a period.
  static FusionDecision forbid(const llvm::Twine &why);

  explicit operator bool() const { return !reason; }
  /// The reason of a refusal; empty where allowed.
  llvm::StringRef getReason() const {
    return reason ? llvm::StringRef(*reason) : llvm::StringRef();
  }

private:
  std::optional<std::string> reason;
};

} // namespace mlir::fusion

#endif // FUSION_ANALYSIS_FUSIONDECISION_H
