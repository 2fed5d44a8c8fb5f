//===- OneLaneStoresTest.cpp - what lies behind an array stays ------------===//
//
// Vectors of one tail element whose values are truncations: LLVM 22 stored the
// wider element on processors with AVX-512.
//
//===----------------------------------------------------------------------===//

#include "fusion/Conversion/GroupToCPU/GroupToCPU.h"
#include "fusion/Conversion/HostToLLVM/LowerHost.h"
#include "fusion/InitAllDialects.h"
#include "fusion/Target/Host/Host.h"
#include "fusion/Target/Host/HostJit.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Target/TargetMachine.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {

/// A program that makes `to` of 17 elements `from` by the body `code`, whose
/// operand is %v and whose value is %t.
std::string makeProgram(StringRef from, StringRef to, StringRef code) {
  std::string text = R"(
func.func @main(%x: memref<17xFROM> {fusion.name = "x"},
                %y: memref<17xTO> {fusion.name = "y", fusion.result}) {
  func.call @group(%x, %y) : (memref<17xFROM>, memref<17xTO>) -> ()
  return
}
func.func private @group(%x: memref<17xFROM>, %y: memref<17xTO>) {
  %a = bufferization.to_tensor %x restrict : memref<17xFROM> to tensor<17xFROM>
  %e = tensor.empty() : tensor<17xTO>
  %r = linalg.generic {indexing_maps = [affine_map<(m) -> (m)>, affine_map<(m) -> (m)>], iterator_types = ["parallel"]}
      ins(%a : tensor<17xFROM>) outs(%e : tensor<17xTO>) {
  ^bb0(%v: FROM, %o: TO):
    CODE
    linalg.yield %t : TO
  } -> tensor<17xTO>
  bufferization.materialize_in_destination %r in restrict writable %y : (tensor<17xTO>, memref<17xTO>) -> ()
  return
}
)";
  auto replace = [&text](StringRef what, StringRef by) {
    for (size_t at; (at = text.find(what)) != std::string::npos;) {
      text.replace(at, what.size(), by);
    }
  };
  replace("CODE", code);
  replace("FROM", from);
  replace("TO", to);
  return text;
}

class OneLaneStores : public testing::Test {
protected:
  void SetUp() override {
    DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
  }

  /// Runs makeProgram(...) on ones and expects that nothing behind the result,
  /// whose elements have `bytes` bytes, is written.
  void expectNothingBehind(StringRef from, StringRef to, StringRef code,
                           size_t bytes);

  MLIRContext context;
};

void OneLaneStores::expectNothingBehind(StringRef from, StringRef to,
                                        StringRef code, size_t bytes) {
  SCOPED_TRACE((from + " to " + to).str());
  auto module =
      parseSourceString<ModuleOp>(makeProgram(from, to, code), &context);
  ASSERT_TRUE(module);
  PassManager pm(&context);
  buildGroupToCPUPipeline(pm);
  buildLowerHostPipeline(pm, "cpu");
  ASSERT_TRUE(succeeded(pm.run(*module)));
  auto jit = HostJit::create(*module);
  ASSERT_TRUE(bool(jit)) << llvm::toString(jit.takeError());
  const FusionProgram &program = *(*jit)->program();
  const int64_t dims[] = {17};
  constexpr unsigned char untouched = 0xa5;
  alignas(64) unsigned char input[17 * 8], output[17 * 8 + 64];
  std::fill(std::begin(input), std::end(input), 1);
  std::fill(std::begin(output), std::end(output), untouched);
  std::vector<char> workspace(size_t(program.workspace_size(dims)) + 1);
  void *args[] = {input, output};
  ASSERT_EQ(program.run(nullptr, args, dims, workspace.data(), nullptr), 0);
  for (size_t i = 17 * bytes; i < sizeof(output); ++i) {
    ASSERT_EQ(output[i], untouched) << "byte " << i - 17 * bytes << " behind";
  }
  // The last element is written, as the first is.
  for (size_t i = 0; i < bytes; ++i) {
    EXPECT_EQ(output[16 * bytes + i], output[i]);
  }
}

TEST_F(OneLaneStores, TruncationsWriteNothingBehindTheirArray) {
  expectNothingBehind("i8", "bf16",
                      "%f = arith.sitofp %v : i8 to f32\n"
                      "%t = arith.truncf %f : f32 to bf16",
                      2);
  expectNothingBehind("f32", "bf16", "%t = arith.truncf %v : f32 to bf16", 2);
  expectNothingBehind("f32", "f16", "%t = arith.truncf %v : f32 to f16", 2);
  expectNothingBehind("i32", "i8", "%t = arith.trunci %v : i32 to i8", 1);
  expectNothingBehind("i32", "i16", "%t = arith.trunci %v : i32 to i16", 2);
  expectNothingBehind("i64", "i32", "%t = arith.trunci %v : i64 to i32", 4);
  expectNothingBehind("i64", "i8", "%t = arith.trunci %v : i64 to i8", 1);
}

/// Stores of the first, of the third and of two lanes, and of lanes that are
/// known at run time only.
const char *const kStores = R"(
llvm.func @stores(%p: !llvm.ptr, %v: vector<4xi32>, %m: vector<4xi1>) {
  %t = llvm.trunc %v : vector<4xi32> to vector<4xi16>
  %first = llvm.mlir.constant(dense<[true, false, false, false]> : vector<4xi1>) : vector<4xi1>
  %third = llvm.mlir.constant(dense<[false, false, true, false]> : vector<4xi1>) : vector<4xi1>
  %two = llvm.mlir.constant(dense<[true, true, false, false]> : vector<4xi1>) : vector<4xi1>
  %p1 = llvm.getelementptr %p[32] : (!llvm.ptr) -> !llvm.ptr, i8
  %p2 = llvm.getelementptr %p[64] : (!llvm.ptr) -> !llvm.ptr, i8
  %p3 = llvm.getelementptr %p[96] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.intr.masked.store %t, %p, %first {alignment = 8 : i32} : vector<4xi16>, vector<4xi1> into !llvm.ptr
  llvm.intr.masked.store %t, %p1, %third {alignment = 8 : i32} : vector<4xi16>, vector<4xi1> into !llvm.ptr
  llvm.intr.masked.store %t, %p2, %two {alignment = 2 : i32} : vector<4xi16>, vector<4xi1> into !llvm.ptr
  llvm.intr.masked.store %t, %p3, %m {alignment = 2 : i32} : vector<4xi16>, vector<4xi1> into !llvm.ptr
  llvm.return
}
)";

TEST_F(OneLaneStores, StoresOfOneLaneAreScalars) {
  auto module = parseSourceString<ModuleOp>(kStores, &context);
  ASSERT_TRUE(module);
  auto machine = createHostMachine();
  ASSERT_TRUE(bool(machine)) << llvm::toString(machine.takeError());
  llvm::LLVMContext llvmContext;
  auto translated = translateHostModule(*module, llvmContext, **machine);
  ASSERT_TRUE(succeeded(translated));
  int masked = 0;
  SmallVector<unsigned> alignments;
  for (llvm::Instruction &instruction :
       llvm::instructions((*translated)->getFunction("stores"))) {
    auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    masked +=
        call && call->getIntrinsicID() == llvm::Intrinsic::masked_store ? 1 : 0;
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      EXPECT_TRUE(store->getValueOperand()->getType()->isIntegerTy(16));
      alignments.push_back(store->getAlign().value());
    }
  }
  EXPECT_EQ(masked, 2);
  EXPECT_EQ(alignments, (SmallVector<unsigned>{8, 4}));
}

} // namespace
