//===- FusionDecisionTest.cpp ---------------------------------------------===//

#include "fusion/Analysis/FusionDecision.h"

#include "gtest/gtest.h"

using namespace mlir::fusion;

TEST(FusionDecisionTest, AllowHasNoReason) {
  FusionDecision decision = FusionDecision::allow();
  EXPECT_TRUE(static_cast<bool>(decision));
  EXPECT_EQ(decision.getReason(), "");
}

TEST(FusionDecisionTest, ForbidKeepsItsReason) {
  std::string loop = "d3";
  FusionDecision decision = FusionDecision::forbid("loop " + loop + " differs");
  loop = "gone";
  EXPECT_FALSE(static_cast<bool>(decision));
  EXPECT_EQ(decision.getReason(), "loop d3 differs");
}
