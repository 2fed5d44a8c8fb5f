//===- FusionDecision.cpp - a yes, or a no with its reason ----------------===//

#include "fusion/Analysis/FusionDecision.h"

using namespace mlir::fusion;

FusionDecision FusionDecision::forbid(const llvm::Twine &why) {
  FusionDecision decision;
  decision.reason = why.str();
  assert(!decision.reason->empty() && "a refusal needs a reason");
  return decision;
}
