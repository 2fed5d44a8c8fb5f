//===- HostTest.cpp - objects of host programs ----------------------------===//

#include "fusion/Target/Host/Host.h"

#include "fusion/Conversion/GroupToCPU/GroupToCPU.h"
#include "fusion/Conversion/HostToLLVM/LowerHost.h"
#include "fusion/InitAllDialects.h"
#include "fusion/Target/Host/HostJit.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Object/ObjectFile.h"
#include "gtest/gtest.h"
#include <set>

using namespace mlir;
using namespace mlir::fusion;

namespace {

/// A group that casts to bf16, which LLVM would do with a function that not
/// every libgcc has, and takes an f64 logarithm from libm.
const char *const kProgram = R"(
func.func @main(%x: memref<100xf64> {fusion.name = "x"},
                %k: memref<3xi1> {fusion.constant = dense<[true, false, true]> : tensor<3xi1>},
                %y: memref<100xbf16> {fusion.name = "y", fusion.result}) {
  func.call @group(%x, %y) : (memref<100xf64>, memref<100xbf16>) -> ()
  return
}
func.func private @group(%x: memref<100xf64>, %y: memref<100xbf16>) {
  %a = bufferization.to_tensor %x restrict : memref<100xf64> to tensor<100xf64>
  %e = tensor.empty() : tensor<100xbf16>
  %r = linalg.generic {indexing_maps = [affine_map<(m) -> (m)>, affine_map<(m) -> (m)>], iterator_types = ["parallel"]}
      ins(%a : tensor<100xf64>) outs(%e : tensor<100xbf16>) {
  ^bb0(%v: f64, %o: bf16):
    %l = math.log %v : f64
    %f = arith.truncf %l : f64 to f32
    %t = arith.truncf %f : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<100xbf16>
  bufferization.materialize_in_destination %r in restrict writable %y : (tensor<100xbf16>, memref<100xbf16>) -> ()
  return
}
)";

class HostTest : public testing::Test {
protected:
  void SetUp() override {
    DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    module = parseSourceString<ModuleOp>(kProgram, &context);
    ASSERT_TRUE(module);
    PassManager pm(&context);
    buildGroupToCPUPipeline(pm);
    buildLowerHostPipeline(pm, "cpu");
    ASSERT_TRUE(succeeded(pm.run(*module)));
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

TEST_F(HostTest, ObjectDefinesTheContractAndNeedsOnlyTheRuntimeAndLibm) {
  FailureOr<std::string> bytes = emitHostObject(*module);
  ASSERT_TRUE(succeeded(bytes));
  auto object = llvm::object::ObjectFile::createObjectFile(
      llvm::MemoryBufferRef(*bytes, "object"));
  ASSERT_TRUE(bool(object)) << llvm::toString(object.takeError());
  std::set<std::string> defined, undefined;
  for (const llvm::object::SymbolRef &symbol : (*object)->symbols()) {
    uint32_t flags = llvm::cantFail(symbol.getFlags());
    std::string name = llvm::cantFail(symbol.getName()).str();
    if (flags & llvm::object::SymbolRef::SF_Undefined) {
      undefined.insert(name);
    } else if (flags & llvm::object::SymbolRef::SF_Global) {
      defined.insert(name);
    }
  }
  undefined.erase("");                      // the null symbol
  undefined.erase("_GLOBAL_OFFSET_TABLE_"); // the linker defines it
  EXPECT_EQ(defined,
            (std::set<std::string>{"fusion_program", "fusion_result_dims",
                                   "fusion_run", "fusion_workspace_size"}));
  undefined.erase("fusionRtParallelFor"); // not where one tile is enough
  EXPECT_EQ(undefined, (std::set<std::string>{"log"}));
}

TEST_F(HostTest, ProgramSaysWhatItTakes) {
  auto jit = HostJit::create(*module);
  ASSERT_TRUE(bool(jit)) << llvm::toString(jit.takeError());
  const FusionProgram &program = *(*jit)->program();
  EXPECT_EQ(program.abi_version, uint32_t(FUSION_ABI_VERSION));
  EXPECT_EQ(program.device, FUSION_CPU);
  EXPECT_STREQ(program.target, "cpu");
  ASSERT_EQ(program.num_arguments, 3);
  EXPECT_STREQ(program.arguments[0].name, "x");
  EXPECT_EQ(program.arguments[0].dtype, FUSION_F64);
  EXPECT_EQ(program.arguments[0].role, FUSION_INPUT);
  EXPECT_EQ(program.arguments[0].dims[0], 100);
  EXPECT_EQ(program.arguments[1].role, FUSION_CONSTANT);
  auto *bools = static_cast<const uint8_t *>(program.arguments[1].data);
  EXPECT_EQ(std::vector<uint8_t>(bools, bools + 3),
            (std::vector<uint8_t>{1, 0, 1}));
  EXPECT_EQ(program.arguments[2].role, FUSION_RESULT);
  EXPECT_EQ(program.arguments[2].data, nullptr);
}

} // namespace
