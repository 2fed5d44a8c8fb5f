//===- ExplainTest.cpp ----------------------------------------------------===//

#include "fusion/Report/Report.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {
/// conv -> relu -> pool -> gemm, with the first two in one group; add reads
/// nothing of them.
struct ExplainTest : testing::Test {
  ExplainTest() {
    addGroup("conv+relu", {"vertical"});
    addGroup("pool", {});
    addGroup("gemm", {});
    addGroup("add", {});
    addNode("conv", "feature", 0);
    addNode("relu", "activation", 0);
    addNode("pool", "pooled", 1);
    addNode("gemm", "logits", 2);
    addNode("add", "sum", 3);
    addEdge(0, 1, "");
    addEdge(1, 2, "the windows overlap");
    addEdge(2, 3, "it is slower");
    report.edges.back().times = FusionTimes{9, 7};
    report.fused.push_back({"conv", "relu", "", FusionTimes{3, 5}});
    report.notFused.push_back({"pool", "add", "no common operand", {}});
  }

  void addGroup(std::string name, std::vector<std::string> kinds) {
    GroupReport group;
    group.name = std::move(name);
    group.kinds = std::move(kinds);
    group.estimateUs = 4;
    group.estimateBeforeUs = 6;
    report.groups.push_back(std::move(group));
  }
  void addNode(std::string name, std::string tensor, int64_t group) {
    NodeReport node;
    node.name = std::move(name);
    node.otherNames = {std::move(tensor)};
    node.group = group;
    report.nodes.push_back(std::move(node));
  }
  void addPort(std::string name, std::string kind) {
    NodeReport node;
    node.name = std::move(name);
    node.kind = std::move(kind);
    report.nodes.push_back(std::move(node));
  }
  void addEdge(size_t producer, size_t consumer, std::string reason) {
    report.edges.push_back(
        {producer, consumer, "4xf32", 16, std::move(reason), std::nullopt});
  }
  std::string ask(StringRef producer, StringRef consumer) {
    llvm::Expected<std::string> answer = explain(report, producer, consumer);
    return answer ? *answer : "error: " + llvm::toString(answer.takeError());
  }

  CompilationReport report;
};

TEST_F(ExplainTest, Together) {
  EXPECT_EQ(ask("conv", "relu"),
            "'conv' and 'relu' are together in kernel 1 of 4, 'conv+relu' "
            "(vertical) (estimated 3.0 us fused, 5.0 us apart): that kernel is "
            "estimated at 4.0 us, its operations one by one at 6.0 us");
}

TEST_F(ExplainTest, ApartForAReason) {
  EXPECT_EQ(ask("relu", "pool"), "'relu' (kernel 1 of 4) and 'pool' (kernel 2 "
                                 "of 4) are not together: the windows overlap");
}

TEST_F(ExplainTest, ApartByTheEstimates) {
  EXPECT_EQ(ask("pool", "gemm"),
            "'pool' (kernel 2 of 4) and 'gemm' (kernel 3 of 4) are not "
            "together: it is slower (estimated 9.0 us fused, 7.0 us apart)");
}

TEST_F(ExplainTest, FarApart) {
  EXPECT_EQ(ask("conv", "gemm"),
            "'conv' (kernel 1 of 4) and 'gemm' (kernel 3 of 4) are not "
            "together: 'gemm' does not read 'conv' itself, and on the way "
            "'relu' and 'pool' are apart: the windows overlap");
  EXPECT_EQ(ask("gemm", "conv"),
            "'gemm' (kernel 3 of 4) and 'conv' (kernel 1 of 4) are not "
            "together: 'gemm' does not read 'conv' itself, and on the way "
            "'relu' and 'pool' are apart: the windows overlap");
}

TEST_F(ExplainTest, Neighbours) {
  EXPECT_EQ(ask("add", "pool"), "'add' (kernel 4 of 4) and 'pool' (kernel 2 of "
                                "4) are not together: no common operand");
  EXPECT_EQ(ask("add", "conv"),
            "'add' (kernel 4 of 4) and 'conv' (kernel 1 of 4) are not "
            "together: neither needs the other, and one launch of both kernels "
            "was not tried: a kernel is tried with the nearest of those that "
            "read the same tensor or come after equally many launches");
  // Kernels that may share a launch are known by what is in them.
  report.groups[3].name = "add+sine | other";
  report.notFused.push_back({"add+sine", "conv+relu", "it gains nothing", {}});
  EXPECT_EQ(ask("add", "conv"),
            "'add' (kernel 4 of 4) and 'conv' (kernel 1 of 4) are not "
            "together: neither needs the other, and one launch of both kernels "
            "was refused: it gains nothing");
  // A kernel of two ops, of which one reads what the other kernel makes.
  addNode("sine", "angle", 3);
  addEdge(0, 5, "it is slower (9.0 us)");
  report.edges.back().times = FusionTimes{9, 7};
  EXPECT_EQ(ask("conv", "add"),
            "'conv' (kernel 1 of 4) and 'add' (kernel 4 of 4) are not "
            "together: neither needs the other, but one of their kernels needs "
            "the other, and on the way 'conv' and 'sine' are apart: it is "
            "slower (9.0 us)");
}

TEST_F(ExplainTest, NamesOfTensorsAndParts) {
  EXPECT_EQ(ask("activation", "ool"), ask("relu", "pool"));
  // A whole name goes before a part of another.
  report.nodes[4].name = "pool_2";
  EXPECT_EQ(ask("activation", "pool"), ask("relu", "pool"));
}

TEST_F(ExplainTest, NamesThatDoNotHelp) {
  EXPECT_EQ(ask("l", "conv"),
            "error: expected the name of one operation, but 'l' may mean 3 of "
            "them: 'relu', 'pool', 'gemm'");
  EXPECT_EQ(ask("gelu", "pool"),
            "error: expected the name of an operation, but got 'gelu'; near it "
            "are 'relu', 'gemm', 'add' (folded operations are gone)");
  EXPECT_EQ(ask("relu", "activation"),
            "error: expected two operations, but both names mean 'relu'");
}

TEST_F(ExplainTest, NamesOfResultsAndInputs) {
  addPort("y", "result");
  addEdge(2, 5, "");
  EXPECT_EQ(ask("relu", "y"), ask("relu", "pool"));
  addEdge(3, 5, "");
  EXPECT_EQ(ask("y", "conv"),
            "error: expected the name of one operation, but 'y' may mean 2 of "
            "them: 'pool', 'gemm'");
  addPort("x", "input");
  EXPECT_EQ(ask("x", "conv"),
            "error: expected the name of an operation, but 'x' is an input; "
            "near it are 'add', 'conv', 'gemm' (folded operations are gone)");
  addPort("kept", "result");
  EXPECT_EQ(ask("kept", "conv"),
            "error: expected the name of an operation, but no operation makes "
            "the result 'kept'; near it are 'gemm', 'relu', 'add' (folded "
            "operations are gone)");
  report = {};
  EXPECT_EQ(ask("x", "y"),
            "error: expected the name of an operation, but got 'x'; the plan "
            "has no operations (folded operations are gone)");
}

TEST_F(ExplainTest, PlacesInMLIRWithoutNames) {
  for (auto [index, node] : llvm::enumerate(report.nodes)) {
    node.name = "elementwise";
    node.places = {"a.mlir:" + std::to_string(index + 2)};
  }
  report.nodes[2].places.push_back("a.mlir:17");
  report.fused.clear();
  EXPECT_EQ(ask("a.mlir:3", "a.mlir:17"),
            "'a.mlir:3' (kernel 1 of 4) and 'a.mlir:4' (kernel 2 of 4) are not "
            "together: the windows overlap");
  EXPECT_EQ(ask("a.mlir:2", "a.mlir:5"),
            "'a.mlir:2' (kernel 1 of 4) and 'a.mlir:5' (kernel 3 of 4) are not "
            "together: 'a.mlir:5' does not read 'a.mlir:2' itself, and on the "
            "way 'a.mlir:3' and 'a.mlir:4' are apart: the windows overlap");
  EXPECT_EQ(ask("elementwise", "a.mlir:2"),
            "error: expected the name of one operation, but 'elementwise' may "
            "mean 5 of them: 'a.mlir:2', 'a.mlir:3', 'a.mlir:4', 'a.mlir:5', "
            "'a.mlir:6'");
  EXPECT_EQ(ask("a.mlir:4", "a.mlir:17"),
            "error: expected two operations, but both names mean 'a.mlir:4'");
}

TEST_F(ExplainTest, WhatHasNoReason) {
  // Nothing was decided about 'add' and what it could run beside.
  report.notFused.clear();
  EXPECT_EQ(findUnexplained(report),
            (std::vector<std::string>{
                "no reason why launch 'conv+relu' is apart from all others "
                "that come after 0",
                "no reason why launch 'add' is apart from all others that "
                "come after 0"}));
  report.notFused.push_back({"conv+relu", "add", "it gains nothing", {}});
  EXPECT_EQ(findUnexplained(report), std::vector<std::string>());
  report.edges[1].reason = "";
  EXPECT_EQ(findUnexplained(report),
            (std::vector<std::string>{"no reason why 'relu' () and 'pool' () "
                                      "are in different launches"}));
  report.edges[1].reason = "the windows overlap";
  addGroup("copy", {});
  EXPECT_EQ(findUnexplained(report).front(), "launch 'copy' has no operation");
}

TEST_F(ExplainTest, LaunchesAreKnownByTheirKernels) {
  // The name of a launch has few of the kernels that it is made of.
  report.groups[3].name = "sine | cosine | 7 more";
  report.nodes[4].kernel = "add+scale";
  report.notFused.push_back({"conv+relu", "add+scale", "it gains nothing", {}});
  EXPECT_EQ(ask("conv", "add"),
            "'conv' (kernel 1 of 4) and 'add' (kernel 4 of 4) are not "
            "together: neither needs the other, and one launch of both kernels "
            "was refused: it gains nothing");
}

TEST_F(ExplainTest, PageHoldsItsData) {
  report.model = "</script><b>";
  report.nodes[0].name = "<!--";
  std::string page = toHtml(report);
  EXPECT_EQ(page.find("</script><b>"), std::string::npos);
  EXPECT_EQ(page.find("<!--"), std::string::npos);
  EXPECT_NE(page.find("\\u003c!--"), std::string::npos);
  EXPECT_NE(page.find("\"reason\":\"the windows overlap\""), std::string::npos);
}
} // namespace
