//===- RefuseTest.cpp - why a schedule is refused -------------------------===//

#include "fusion/Schedule/Choose.h"

#include "mlir/IR/BuiltinTypes.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::fusion;
using Kind = Schedule::Kind;

namespace {
const ScheduleTarget hopper = ScheduleTarget::get("sm_90a");
const ScheduleTarget ampere = ScheduleTarget::get("sm_80");
const ScheduleTarget turing = ScheduleTarget::get("sm_75");

Schedule multistage(Schedule schedule) {
  schedule.multistage = true;
  return schedule;
}
} // namespace

TEST(RefuseContractionTest, WhatOperandsAndTargetLack) {
  ContractionShape shape;
  shape.m = shape.n = shape.k = 1024;
  shape.elementBytes = 2;
  shape.halfFloats = true;
  shape.bulkCopies = true;
  Schedule wgmma{Kind::WGMMA, 128, 128, 64, 4, 8};
  Schedule mma{Kind::MMA, 64, 64, 32, 3, 4};
  EXPECT_EQ(refuseContraction(wgmma, shape, hopper), "");
  EXPECT_EQ(refuseContraction(wgmma, shape, ampere), "the target has no wgmma");
  EXPECT_EQ(refuseContraction(mma, shape, turing),
            "the target has no mma.sync");
  EXPECT_EQ(refuseContraction({Kind::WGMMA, 128, 128, 24, 4, 8}, shape, hopper),
            "wgmma wants 64 rows a warpgroup, at most 256 columns in eights "
            "and steps of 16");
  shape.blockWarps = 4;
  EXPECT_EQ(refuseContraction(wgmma, shape, hopper),
            "the blocks of its launch have 4 warps to multiply");
  shape.blockWarps = 0;
  shape.blockK = 96;
  EXPECT_EQ(refuseContraction(wgmma, shape, hopper),
            "steps of 64 would cross blocks of k, of 96");
  EXPECT_EQ(refuseContraction(mma, shape, hopper), "");
  shape.bulkCopies = false;
  EXPECT_EQ(refuseContraction(wgmma, shape, hopper),
            "an operand's strides do not allow bulk copies");
  shape.halfFloats = false;
  EXPECT_EQ(refuseContraction(mma, shape, ampere),
            "tensor cores want f16 or bf16 operands and an f32 accumulator");
}

TEST(RefuseOnlineSoftmaxTest, EachReason) {
  OnlineSoftmaxShape shape;
  shape.m = shape.n = 512;
  shape.k = shape.d = 64;
  shape.elementBytes = 2;
  shape.halfFloats = true;
  Schedule wgmma = multistage({Kind::WGMMA, 128, 64, 64, 2, 8});
  Schedule mma{Kind::MMA, 64, 64, 64, 2, 4};
  EXPECT_EQ(refuseOnlineSoftmax(wgmma, shape, hopper), "");
  EXPECT_EQ(refuseOnlineSoftmax(mma, shape, ampere), "");
  EXPECT_EQ(refuseOnlineSoftmax(chooseRows({}, hopper), shape, hopper),
            "the group is a softmax between contractions");
  EXPECT_EQ(refuseOnlineSoftmax(wgmma, shape, ampere),
            "wgmma wants f16 or bf16 operands, and sm_90a");
  EXPECT_EQ(refuseOnlineSoftmax(mma, shape, turing),
            "mma.sync wants f16 or bf16 operands, and sm_80");
  EXPECT_EQ(
      refuseOnlineSoftmax({Kind::WGMMA, 128, 64, 64, 2, 8}, shape, hopper),
      "a softmax between contractions is not warp-specialised");
  EXPECT_EQ(refuseOnlineSoftmax(multistage({Kind::WGMMA, 128, 64, 64, 2, 4}),
                                shape, hopper),
            "wgmma wants 64 rows for each four warps");
  EXPECT_EQ(refuseOnlineSoftmax(multistage({Kind::WGMMA, 128, 96, 64, 2, 8}),
                                shape, hopper),
            "wgmma wants columns in steps of 64, at most 256");
  EXPECT_EQ(refuseOnlineSoftmax({Kind::MMA, 40, 64, 64, 2, 4}, shape, ampere),
            "each warp wants 16 rows, a ring two stages");
  EXPECT_EQ(refuseOnlineSoftmax({Kind::MMA, 64, 64, 64, 1, 4}, shape, ampere),
            "each warp wants 16 rows, a ring two stages");
  shape.d = ShapedType::kDynamic;
  EXPECT_EQ(refuseOnlineSoftmax(mma, shape, ampere),
            "the widths of its operands are not known");
}

TEST(RefuseChainedTest, EachReason) {
  ChainedShape shape;
  shape.m = 512;
  shape.k = shape.n = 64;
  shape.r = 32;
  shape.elementBytes = 2;
  shape.halfFloats = true;
  ChainedSchedule whole{{Kind::MMA, 64, 32, 32, 2, 4}};
  ChainedSchedule streamed{{Kind::MMA, 64, 32, 32, 2, 4}, /*streamed=*/true};
  EXPECT_EQ(refuseChained(whole, shape, ampere), "");
  EXPECT_EQ(refuseChained(streamed, shape, ampere), "");
  EXPECT_EQ(refuseChained({chooseRows({}, ampere)}, shape, ampere),
            "the group is a contraction of a contraction");
  EXPECT_EQ(refuseChained(whole, shape, turing),
            "mma.sync wants f16 or bf16 operands, and sm_80");
  EXPECT_EQ(refuseChained({{Kind::MMA, 64, 32, 24, 2, 4}}, shape, ampere),
            "each warp wants 16 rows, a ring two stages, a step whole "
            "multiplies");
  shape.severalColumns = true;
  EXPECT_EQ(refuseChained(streamed, shape, ampere),
            "the result has several dims of columns");
  shape.n = ShapedType::kDynamic;
  EXPECT_EQ(refuseChained(streamed, shape, ampere),
            "the widths of the first and the last operand are not known");
  EXPECT_EQ(refuseChained(whole, shape, ampere), "");
  shape.r = ShapedType::kDynamic;
  EXPECT_EQ(refuseChained(whole, shape, ampere),
            "the width of what lies between the contractions is not known");
}
