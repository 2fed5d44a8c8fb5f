//===- ScheduleTest.cpp - schedules as attributes -------------------------===//

#include "fusion/Schedule/Schedule.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {
class ScheduleTest : public ::testing::Test {
protected:
  FailureOr<Schedule> parse(DictionaryAttr attr) {
    return parseSchedule(attr,
                         [&] { return emitError(UnknownLoc::get(&context)); });
  }
  MLIRContext context;
};
} // namespace

TEST_F(ScheduleTest, RoundTrip) {
  for (auto kind :
       {Schedule::Kind::WGMMA, Schedule::Kind::MMA, Schedule::Kind::FMA}) {
    Schedule schedule{kind, 128, 96, 32, 3, 8};
    FailureOr<Schedule> read = parse(toAttribute(schedule, &context));
    ASSERT_TRUE(succeeded(read));
    EXPECT_EQ(*read, schedule);
  }
  Schedule multistage{Schedule::Kind::WGMMA, 128, 64, 64, 4, 8, true};
  FailureOr<Schedule> again = parse(toAttribute(multistage, &context));
  ASSERT_TRUE(succeeded(again));
  EXPECT_EQ(*again, multistage);
  EXPECT_FALSE(again->isWarpSpecialized());
  Schedule rows;
  rows.kind = Schedule::Kind::Rows;
  rows.rows = 4;
  rows.columns = 768;
  rows.warps = 2;
  FailureOr<Schedule> read = parse(toAttribute(rows, &context));
  ASSERT_TRUE(succeeded(read));
  EXPECT_EQ(*read, rows);
}

TEST_F(ScheduleTest, RefusesNonsense) {
  Builder b(&context);
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    message = diagnostic.str();
    return success();
  });
  auto with = [&](StringRef name, Attribute value) {
    NamedAttrList list(
        toAttribute({Schedule::Kind::MMA, 64, 64, 32, 3, 4}, &context)
            .getValue());
    list.set(name, value);
    return list.getDictionary(&context);
  };
  EXPECT_TRUE(failed(parse(with("warps", b.getI64IntegerAttr(6)))));
  EXPECT_EQ(message, "expected a positive power of two as 'warps', but got 6");
  EXPECT_TRUE(failed(parse(with("bk", b.getI64IntegerAttr(0)))));
  EXPECT_EQ(message, "expected a positive number as 'bk', but got 0");
  EXPECT_TRUE(failed(parse(with("rows", b.getI64IntegerAttr(1)))));
  EXPECT_EQ(message, "unexpected entry 'rows' in a mma schedule");
  EXPECT_TRUE(failed(parse(with("bn", b.getStringAttr("64")))));
  EXPECT_EQ(message, "expected an integer 'bn' in a mma schedule");
}
