//===- ImportTest.cpp - damaged ONNX models -------------------------------===//

#include "fusion/Import/ONNX/Import.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {
/// What an import gave.
struct Outcome {
  bool imported;
  unsigned errors;
};
} // namespace

static std::string readModel(StringRef name) {
  auto buffer = llvm::MemoryBuffer::getFile(FUSION_TEST_MODELS "/" + name);
  EXPECT_TRUE(bool(buffer));
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

static Outcome tryImport(StringRef bytes) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  Outcome outcome{false, 0};
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    outcome.errors += diagnostic.getSeverity() == DiagnosticSeverity::Error;
    return success();
  });
  outcome.imported = bool(importOnnx(bytes, &context));
  return outcome;
}

/// The models that have the most different things in them.
static constexpr const char *kModels[] = {"dynamic_shapes.onnx",
                                          "functions.onnx", "norms.onnx"};

TEST(OnnxImport, CutAtEveryByteIsAnError) {
  for (const char *name : kModels) {
    std::string bytes = readModel(name);
    ASSERT_TRUE(tryImport(bytes).imported) << name;
    for (size_t size = 0; size < bytes.size(); ++size) {
      Outcome outcome = tryImport(StringRef(bytes).take_front(size));
      EXPECT_FALSE(outcome.imported) << name << " cut to " << size;
      EXPECT_GT(outcome.errors, 0u) << name << " cut to " << size;
    }
  }
}

TEST(OnnxImport, AnyByteMayBeWrong) {
  for (const char *name : kModels) {
    std::string bytes = readModel(name);
    for (size_t at = 0; at < bytes.size(); ++at) {
      for (unsigned char flip : {0x01, 0xff}) {
        std::string damaged = bytes;
        damaged[at] ^= flip;
        Outcome outcome = tryImport(damaged);
        EXPECT_EQ(outcome.imported, outcome.errors == 0)
            << name << " at " << at << " with " << unsigned(flip);
      }
    }
  }
}

TEST(OnnxImport, TellsModelsFromTextAndBytecode) {
  for (const char *name : kModels) {
    std::string bytes = readModel(name);
    EXPECT_TRUE(looksLikeOnnx(bytes));
    EXPECT_TRUE(looksLikeOnnx(StringRef(bytes).take_front(40)));
  }
  for (StringRef text :
       {"", "module {\n}\n", "func.func @main() {\n  return\n}\n",
        "// A comment.\nmodule {}", "#map = affine_map<(d0) -> (d0)>",
        "\"builtin.module\"() ({\n}) : () -> ()\n", "\n\n  module {}",
        "!t = tensor<4xf32>", "{-#\n#-}", "ML\xefR\x06MLIR22.1.8"}) {
    EXPECT_FALSE(looksLikeOnnx(text)) << text.str();
  }
}
