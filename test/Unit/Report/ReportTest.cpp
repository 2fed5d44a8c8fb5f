//===- ReportTest.cpp -----------------------------------------------------===//

#include "fusion/Report/Report.h"

#include "fusion/Dialect/Fusion/IR/Fusion.h"
#include "fusion/Planner/FormGroups.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

// Tests are built without exceptions.
#define JSON_NOEXCEPTION
#include <nlohmann/json.hpp>

using namespace mlir;
using namespace mlir::fusion;

namespace {
// Two elementwise ops that fuse, then a transpose that the user keeps alone.
constexpr StringRef kModule = R"(
  func.func @main(%x: tensor<?x4xf32>) -> tensor<4x?xf32> {
    %c0 = arith.constant 0 : index
    %n = tensor.dim %x, %c0 : tensor<?x4xf32>
    %e = tensor.empty(%n) : tensor<?x4xf32>
    %t = tensor.empty(%n) : tensor<4x?xf32>
    %0 = linalg.exp ins(%x : tensor<?x4xf32>) outs(%e : tensor<?x4xf32>)
         -> tensor<?x4xf32> loc("Exp_0")
    %1 = linalg.negf ins(%0 : tensor<?x4xf32>) outs(%e : tensor<?x4xf32>)
         -> tensor<?x4xf32> loc("Neg_1")
    %2 = linalg.transpose ins(%1 : tensor<?x4xf32>) outs(%t : tensor<4x?xf32>)
         permutation = [1, 0] {fusion.no_fuse} loc("Transpose_2")
    return %2 : tensor<4x?xf32>
  })";

struct ReportTest : testing::Test {
  ReportTest() {
    context.loadDialect<arith::ArithDialect, func::FuncDialect, FusionDialect,
                        linalg::LinalgDialect, math::MathDialect,
                        tensor::TensorDialect>();
    module = parseSourceString<ModuleOp>(kModule, &context);
    auto main = module->lookupSymbol<func::FuncOp>("main");
    PlannerOptions options;
    options.device = *getDeviceModel("h200");
    formGroups(main, options);
    report = collectReport(main, "model.onnx", options.device);
  }
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  CompilationReport report;
};
} // namespace

TEST_F(ReportTest, CountsLaunchesAndBytes) {
  EXPECT_EQ(report.launchesBefore, 3);
  EXPECT_EQ(report.launchesAfter, 2);
  EXPECT_EQ(report.bytesBefore, 3 * 2 * 16); // one row of four f32 each
  EXPECT_EQ(report.bytesAfter, 2 * 2 * 16);
  EXPECT_TRUE(report.hasDynamicSizes);
}

TEST_F(ReportTest, NamesSourceNodes) {
  ASSERT_EQ(report.groups.size(), 2u);
  EXPECT_EQ(report.groups[0].ops, (std::vector<std::string>{"Exp_0", "Neg_1"}));
  EXPECT_EQ(report.groups[0].kinds, (std::vector<std::string>{"vertical"}));
  EXPECT_EQ(report.groups[1].ops, (std::vector<std::string>{"Transpose_2"}));
  EXPECT_TRUE(report.groups[1].kinds.empty());
}

TEST_F(ReportTest, SaysWhyNot) {
  ASSERT_EQ(report.notFused.size(), 1u);
  EXPECT_EQ(report.notFused[0].producer, "Neg_1");
  EXPECT_EQ(report.notFused[0].consumer, "Transpose_2");
  EXPECT_NE(report.notFused[0].reason.find("marked with"), std::string::npos);
}

TEST_F(ReportTest, JsonHasTheSchema) {
  report.groups[0].registers = 40;
  auto json = nlohmann::json::parse(toJson(report), nullptr,
                                    /*allow_exceptions=*/false);
  ASSERT_FALSE(json.is_discarded());
  EXPECT_EQ(json["model"], "model.onnx");
  EXPECT_EQ(json["target"], "sm_90a");
  EXPECT_EQ(json["launches_before"], 3);
  EXPECT_EQ(json["launches_after"], 2);
  EXPECT_EQ(json["bytes_after"], 64);
  EXPECT_TRUE(json.contains("note"));
  for (const char *key : {"name", "kinds", "ops", "launches", "bytes_read",
                          "bytes_written", "flops", "schedule", "registers",
                          "spill_bytes", "shared_bytes", "estimate_us"}) {
    EXPECT_TRUE(json["groups"][0].contains(key)) << key;
  }
  EXPECT_EQ(json["groups"][0]["registers"], 40);
  EXPECT_TRUE(json["groups"][1]["registers"].is_null());
  EXPECT_EQ(json["not_fused"][0]["consumer"], "Transpose_2");
}

TEST_F(ReportTest, NamesThatAreNoUtf8AreReplaced) {
  report.model = "bad\xff";
  auto json = nlohmann::json::parse(toJson(report), nullptr, false);
  ASSERT_FALSE(json.is_discarded());
  EXPECT_EQ(json["model"], "bad\xEF\xBF\xBD");
}

TEST_F(ReportTest, TableNamesGroupsAndReasons) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printTable(report, os);
  EXPECT_NE(text.find("3 launches become 2, 96 B become 64 B"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("Exp_0, Neg_1"), std::string::npos) << text;
  EXPECT_NE(text.find("Neg_1 -> Transpose_2"), std::string::npos) << text;
}

TEST(ReportTableTest, PartsOfOneNodeAreNoPair) {
  CompilationReport report;
  DecisionReport parts, other;
  parts.producer = parts.consumer = other.producer = "Gemm_0";
  other.consumer = "Relu_1";
  auto print = [&] {
    std::string text;
    llvm::raw_string_ostream os(text);
    printTable(report, os);
    return text;
  };
  report.fused = {parts};
  EXPECT_EQ(print().find("fused:"), std::string::npos) << print();
  report.fused = {parts, other};
  std::string text = print();
  EXPECT_EQ(text.find("Gemm_0 -> Gemm_0"), std::string::npos) << text;
  EXPECT_NE(text.find("fused:\n  Gemm_0 -> Relu_1  not estimated\n"),
            std::string::npos)
      << text;
  // Parts that are apart are worth a line.
  parts.reason = "too large";
  report.notFused = {parts};
  EXPECT_NE(print().find("Gemm_0 -> Gemm_0  too large"), std::string::npos);
}
