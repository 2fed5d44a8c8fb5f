//===- WindowTest.cpp -----------------------------------------------------===//

#include "fusion/Analysis/Window.h"

#include "LinalgFixture.h"
#include "fusion/Analysis/IterationSpace.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {
struct WindowTest : LinalgFixture {
  WindowTest() { context.loadDialect<scf::SCFDialect>(); }

  AffineMap map(StringRef text) {
    Attribute attr =
        parseAttribute(("affine_map<" + text + ">").str(), &context);
    return cast<AffineMapAttr>(attr).getValue();
  }
  /// A 1-D convolution whose image and filters are read by `in` and `by`.
  linalg::LinalgOp parseConv(StringRef in, StringRef by, StringRef filters) {
    return parse(
        ("func.func @f(%x: tensor<2x8x18xf32>, %w: tensor<" + filters +
         "xf32>, %o: tensor<2x8x16xf32>) -> tensor<2x8x16xf32> {\n"
         "%0 = linalg.generic {indexing_maps = [affine_map<" +
         in + ">, affine_map<" + by +
         ">, affine_map<(n, f, w, c, i) -> (n, f, w)>], iterator_types = "
         "[\"parallel\", \"parallel\", \"parallel\", \"reduction\", "
         "\"reduction\"]} ins(%x, %w : tensor<2x8x18xf32>, tensor<" +
         filters +
         "xf32>) outs(%o : tensor<2x8x16xf32>) {\n"
         "^bb0(%a: f32, %b: f32, %c: f32):\n"
         "%p = arith.mulf %a, %b : f32\n%s = arith.addf %c, %p : f32\n"
         "linalg.yield %s : f32\n} -> tensor<2x8x16xf32>\n"
         "return %0 : tensor<2x8x16xf32>\n}")
            .str());
  }
  /// A tensor of 8 elements, padded by two before; `index` is compared.
  linalg::LinalgOp parsePad(StringRef index, StringRef predicate) {
    return parse(
        ("func.func @f(%x: tensor<8xf32>, %o: tensor<10xf32>, %v: f32) -> "
         "tensor<10xf32> {\n"
         "%two = arith.constant 2 : index\n%eight = arith.constant 8 : index\n"
         "%0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], "
         "iterator_types = [\"parallel\"]} outs(%o : tensor<10xf32>) {\n"
         "^bb0(%a: f32):\n%i = linalg.index 0 : index\n"
         "%j = arith.subi %i, %two : index\n"
         "%in = arith.cmpi " +
         predicate + ", " + index +
         ", %eight : index\n"
         "%r = scf.if %in -> (f32) {\n"
         "%t = tensor.extract %x[%j] : tensor<8xf32>\nscf.yield %t : f32\n"
         "} else {\nscf.yield %v : f32\n}\nlinalg.yield %r : f32\n"
         "} -> tensor<10xf32>\nreturn %0 : tensor<10xf32>\n}")
            .str());
  }
};
} // namespace

TEST_F(WindowTest, PositionsAreSumsOfLoops) {
  auto positions = matchWindow(map("(a, b, c) -> (a, b * 2 + c * 3 - 1, 4)"));
  ASSERT_TRUE(positions);
  ASSERT_EQ(positions->size(), 3u);
  EXPECT_EQ((*positions)[0].terms.size(), 1u);
  ASSERT_EQ((*positions)[1].terms.size(), 2u);
  EXPECT_EQ((*positions)[1].terms[0].loop, 1u);
  EXPECT_EQ((*positions)[1].terms[0].step, 2);
  EXPECT_EQ((*positions)[1].terms[1].step, 3);
  EXPECT_EQ((*positions)[1].start, -1);
  EXPECT_TRUE((*positions)[2].terms.empty());
  EXPECT_EQ((*positions)[2].start, 4);
}

TEST_F(WindowTest, QuotientsAreNoWindows) {
  EXPECT_FALSE(matchWindow(map("(a) -> (a floordiv 2)")));
  EXPECT_FALSE(matchWindow(map("(a) -> (a mod 2)")));
  EXPECT_FALSE(matchWindow(map("(a)[s] -> (a + s)")));
}

TEST_F(WindowTest, RolesOfConvolutions) {
  EXPECT_EQ(
      getIterationSpace(parseConv("(n, f, w, c, i) -> (n, c, w + i)",
                                  "(n, f, w, c, i) -> (f, c, i)", "8x8x3"))
          .role,
      OpRole::Contraction);
  // A filter for each channel: no matrix product.
  EXPECT_EQ(
      getIterationSpace(parseConv("(n, f, w, c, i) -> (n, f, w + i)",
                                  "(n, f, w, c, i) -> (f, c, i)", "8x1x3"))
          .role,
      OpRole::Window);
  EXPECT_EQ(getIterationSpace(
                parseConv("(n, f, w, c, i) -> (n, c, (w + i) floordiv 2)",
                          "(n, f, w, c, i) -> (f, c, i)", "8x8x3"))
                .role,
            OpRole::Other);
}

TEST_F(WindowTest, PaddingIsRecognised) {
  std::optional<PaddedRead> padded = matchPaddedRead(parsePad("%j", "ult"));
  ASSERT_TRUE(padded);
  EXPECT_EQ(padded->low, (SmallVector<int64_t>{2}));
  EXPECT_TRUE(matchPattern(padded->extents[0], m_Constant()));
  EXPECT_FALSE(padded->constant);
}

TEST_F(WindowTest, OtherGuardsAreNoPadding) {
  // Signed: what comes before is inside; another index: something else is.
  EXPECT_FALSE(matchPaddedRead(parsePad("%j", "slt")));
  EXPECT_FALSE(matchPaddedRead(parsePad("%i", "ult")));
}
