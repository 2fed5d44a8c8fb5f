//===- OpRegistryTest.cpp - versions of ops -------------------------------===//

#include "OpRegistry.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::fusion::onnx;

TEST(OpRegistry, TheNewestVersionUpToTheOpsetIsInForce) {
  const OpRegistry &registry = getOpRegistry();
  const OpEntry *oldSoftmax = registry.lookup("", "Softmax", 12);
  const OpEntry *newSoftmax = registry.lookup("", "Softmax", 13);
  ASSERT_TRUE(oldSoftmax && newSoftmax);
  EXPECT_EQ(oldSoftmax->since, 1);
  EXPECT_EQ(newSoftmax->since, 13);
  EXPECT_NE(oldSoftmax->convert, newSoftmax->convert);
  EXPECT_EQ(registry.lookup("", "Softmax", kNewestOpset), newSoftmax);
}

TEST(OpRegistry, DomainsAndTooOldOpsetsAreTold) {
  const OpRegistry &registry = getOpRegistry();
  EXPECT_EQ(registry.lookup("", "Gelu", 19), nullptr);
  EXPECT_EQ(registry.getFirstOpset("", "Gelu"), 20);
  EXPECT_TRUE(registry.lookup("com.microsoft", "Gelu", 1));
  EXPECT_EQ(registry.lookup("com.example", "Gelu", 1), nullptr);
  EXPECT_EQ(registry.getFirstOpset("", "Quantum"), std::nullopt);
}

TEST(OpRegistry, EveryOpIsDocumented) {
  auto buffer = llvm::MemoryBuffer::getFile(FUSION_TEST_DOCS "/OnnxImport.md");
  ASSERT_TRUE(bool(buffer));
  StringRef text = (*buffer)->getBuffer();
  for (const std::string &name : getOpRegistry().getOpNames()) {
    EXPECT_TRUE(text.contains("`" + name + "`"))
        << "docs/OnnxImport.md does not name " << name;
  }
}
