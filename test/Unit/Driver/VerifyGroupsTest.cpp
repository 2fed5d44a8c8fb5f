//===- VerifyGroupsTest.cpp - wrong kernels are found -----------*- C++ -*-===//
//
// The plan is right, and a later stage is edited: what --verify is there for.
//
//===----------------------------------------------------------------------===//

#include "fusion/Driver/VerifyGroups.h"
#include "fusion/Dialect/Fusion/IR/Fusion.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::fusion;

// Three groups, the last of which reads the two before: a sum, a product with
// it, and a difference.
static constexpr char source[] = R"(
func.func @main(%x: tensor<8x16xf32> {fusion.name = "x"}) -> (tensor<8xf32> {fusion.name = "y"}) {
  %d = tensor.empty() : tensor<8xf32>
  %e = tensor.empty() : tensor<8x16xf32>
  %0 = fusion.group "sum" kinds [] ins(%x : tensor<8x16xf32>) outs(%d : tensor<8xf32>) {
  ^bb0(%a: tensor<8x16xf32>, %o: tensor<8xf32>):
    %c = arith.constant 0.0 : f32
    %f = linalg.fill ins(%c : f32) outs(%o : tensor<8xf32>) -> tensor<8xf32>
    %s = linalg.reduce { arith.addf } ins(%a : tensor<8x16xf32>) outs(%f : tensor<8xf32>) dimensions = [1]
    fusion.yield %s : tensor<8xf32>
  } : tensor<8xf32>
  %1 = fusion.group "scale" kinds [] ins(%x, %0 : tensor<8x16xf32>, tensor<8xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%a: tensor<8x16xf32>, %b: tensor<8xf32>, %o: tensor<8x16xf32>):
    %m = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
                         iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<8x16xf32>, tensor<8xf32>) outs(%o : tensor<8x16xf32>) {
    ^bb1(%p: f32, %q: f32, %r: f32):
      %v = arith.mulf %p, %q : f32
      linalg.yield %v : f32
    } -> tensor<8x16xf32>
    fusion.yield %m : tensor<8x16xf32>
  } : tensor<8x16xf32>
  %2 = fusion.group "last" kinds [] ins(%1, %0 : tensor<8x16xf32>, tensor<8xf32>) outs(%d : tensor<8xf32>) {
  ^bb0(%a: tensor<8x16xf32>, %b: tensor<8xf32>, %o: tensor<8xf32>):
    %m = linalg.generic {indexing_maps = [affine_map<(i) -> (i, 3)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                         iterator_types = ["parallel"]}
      ins(%a, %b : tensor<8x16xf32>, tensor<8xf32>) outs(%o : tensor<8xf32>) {
    ^bb1(%p: f32, %q: f32, %r: f32):
      %v = arith.subf %p, %q : f32
      linalg.yield %v : f32
    } -> tensor<8xf32>
    fusion.yield %m : tensor<8xf32>
  } : tensor<8xf32>
  return %2 : tensor<8xf32>
}
)";

namespace {
/// What one verification says.
struct Verdict {
  bool passed = false;
  std::string lines, errors;
};

class VerifyGroupsTest : public ::testing::Test {
protected:
  VerifyGroupsTest() : context(makeRegistry()) {
    options.target = "cpu";
    llvm::Expected<DeviceHandle> opened = DeviceHandle::open(FUSION_CPU);
    EXPECT_TRUE(bool(opened));
    cpu = std::move(*opened);
    plan = parseSourceString<ModuleOp>(source, &context);
    EXPECT_TRUE(plan);
    inputs.emplace_back(FUSION_F32, ArrayRef<int64_t>{8, 16});
    for (int64_t i = 0; i < 128; ++i) {
      inputs[0].set(i, double(i % 11) / 4 - 1);
    }
  }

  static DialectRegistry makeRegistry() {
    DialectRegistry registry;
    registerForCompilation(registry);
    return registry;
  }

  /// Compiles a plan, with `edit` made to the group functions.
  std::unique_ptr<CompiledProgram>
  compile(ModuleOp module, llvm::function_ref<void(ModuleOp)> edit) {
    if (failed(runStages(module, Stage::Groups, Stage::Tiles, options))) {
      return nullptr;
    }
    edit(module);
    return compileInProcess(module, Stage::Tiles, options);
  }

  Verdict verifyWith(llvm::function_ref<void(ModuleOp)> edit,
                     int64_t batchBytes = 1 << 20) {
    OwningOpRef<ModuleOp> copy = plan->clone();
    std::unique_ptr<CompiledProgram> program = compile(*copy, edit);
    llvm::Expected<Session> session =
        Session::create(cpu, program->getProgram());
    std::vector<HostArray> results = std::move(*session->run(inputs));
    Verdict verdict;
    llvm::raw_string_ostream os(verdict.lines);
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      verdict.errors += diagnostic.str() + "\n";
    });
    verdict.passed = succeeded(
        verifyGroups(plan->clone(),
                     {options, cpu, *session, inputs, results, batchBytes,
                      [&](ModuleOp module) { return compile(module, edit); }},
                     os));
    return verdict;
  }

  MLIRContext context;
  PipelineOptions options;
  DeviceHandle cpu;
  OwningOpRef<ModuleOp> plan;
  std::vector<HostArray> inputs;
};
} // namespace

/// Makes a sum of the product in group "scale".
static void breakScale(ModuleOp module) {
  module.walk([](arith::MulFOp op) {
    OpBuilder builder(op);
    op.replaceAllUsesWith(
        arith::AddFOp::create(builder, op.getLoc(), op.getLhs(), op.getRhs())
            .getResult());
    op.erase();
  });
}

TEST_F(VerifyGroupsTest, ARightProgramPasses) {
  Verdict verdict = verifyWith([](ModuleOp) {});
  EXPECT_TRUE(verdict.passed) << verdict.errors;
  EXPECT_NE(verdict.lines.find("all 3 results of groups agree"),
            std::string::npos);
  EXPECT_NE(verdict.lines.find("differs from the unfused one by at most 0.00"),
            std::string::npos);
}

TEST_F(VerifyGroupsTest, AWrongGroupIsNamedAndOnlyThat) {
  Verdict verdict = verifyWith(breakScale);
  EXPECT_FALSE(verdict.passed);
  EXPECT_NE(verdict.errors.find("group 1 'scale' is the first beyond its "
                                "tolerance; it computes generic"),
            std::string::npos)
      << verdict.errors;
  EXPECT_NE(verdict.lines.find("group 0 'sum' 8:f32: largest error 0.00e+00 "
                               "absolute, 0.00e+00 relative, ok"),
            std::string::npos)
      << verdict.lines;
  EXPECT_NE(verdict.lines.find("WRONG in 128 elements, first at [0, 0]: "
                               "expected"),
            std::string::npos)
      << verdict.lines;
  // It got the wrong operand that the program gave it, and did its own right.
  EXPECT_NE(verdict.lines.find("group 2 'last' 8:f32: largest error 0.00e+00 "
                               "absolute, 0.00e+00 relative, ok"),
            std::string::npos)
      << verdict.lines;
}

TEST_F(VerifyGroupsTest, OneGroupAtATimeSaysTheSame) {
  Verdict together = verifyWith(breakScale), alone = verifyWith(breakScale, 0);
  EXPECT_EQ(together.lines, alone.lines);
  EXPECT_EQ(together.errors, alone.errors);
  EXPECT_TRUE(verifyWith([](ModuleOp) {}, 0).passed);
}

TEST_F(VerifyGroupsTest, ResultsThatDependOnWhatIsKeptAreFound) {
  // The program as such is wrong, with its groups' results kept it is not.
  int compiled = 0;
  Verdict verdict = verifyWith([&](ModuleOp module) {
    if (compiled++ == 0) {
      breakScale(module);
    }
  });
  EXPECT_FALSE(verdict.passed);
  EXPECT_NE(verdict.errors.find("result 0 of the program changes when the "
                                "results of its groups are kept"),
            std::string::npos)
      << verdict.errors;
}
