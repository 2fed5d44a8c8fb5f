//===- IterationSpaceTest.cpp ---------------------------------------------===//

#include "fusion/Analysis/IterationSpace.h"

#include "LinalgFixture.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {
struct IterationSpaceTest : LinalgFixture {
  /// The space of a generic on f32 with one input of `shape` read by `in`,
  /// one result `result` written by `out`; `body` yields.
  IterationSpace get(StringRef in, StringRef out, StringRef iterators,
                     StringRef shape, StringRef result,
                     StringRef body = "linalg.yield %a : f32") {
    return getIterationSpace(parse(
        ("func.func @f(%x: tensor<" + shape + "xf32>, %o: tensor<" + result +
         "xf32>) -> tensor<" + result +
         "xf32> {\n"
         "%0 = linalg.generic {indexing_maps = [affine_map<" +
         in + ">, affine_map<" + out + ">], iterator_types = [" + iterators +
         "]} ins(%x : tensor<" + shape + "xf32>) outs(%o : tensor<" + result +
         "xf32>) {\n^bb0(%a: f32, %b: f32):\n" + body + "\n} -> tensor<" +
         result + "xf32>\nreturn %0 : tensor<" + result + "xf32>\n}")
            .str()));
  }
};
constexpr StringRef kSum = "%s = arith.addf %a, %b : f32\n"
                           "linalg.yield %s : f32";
} // namespace

TEST_F(IterationSpaceTest, ElementwiseIsCanonicalised) {
  // Loops named the other way round are still in the order of the result.
  IterationSpace space = get("(i, j) -> (j, i)", "(i, j) -> (j, i)",
                             R"("parallel", "parallel")", "4x8", "4x8");
  EXPECT_EQ(space.role, OpRole::Elementwise);
  EXPECT_EQ(space.parallel, (SmallVector<unsigned>{1, 0}));
  EXPECT_EQ(space.sizes, (SmallVector<int64_t>{8, 4}));
}

TEST_F(IterationSpaceTest, UnitLoopsAreDropped) {
  IterationSpace space = get("(i, j) -> (i, 0)", "(i, j) -> (i, j)",
                             R"("parallel", "parallel")", "4x1", "4x1");
  EXPECT_EQ(space.role, OpRole::Elementwise);
  EXPECT_FALSE(space.transposed);
  EXPECT_EQ(space.parallel, (SmallVector<unsigned>{0}));
}

TEST_F(IterationSpaceTest, TransposeReadsAcrossRows) {
  IterationSpace space = get("(i, j) -> (j, i)", "(i, j) -> (i, j)",
                             R"("parallel", "parallel")", "8x4", "4x8");
  EXPECT_EQ(space.role, OpRole::Elementwise);
  EXPECT_TRUE(space.transposed);
}

TEST_F(IterationSpaceTest, SliceOfPositionZeroIsAlone) {
  IterationSpace space =
      get("(i) -> (i, 0)", "(i) -> (i)", R"("parallel")", "4x5", "4");
  EXPECT_EQ(space.role, OpRole::Other);
  EXPECT_EQ(space.reason, "an operand is read at computed positions");
}

TEST_F(IterationSpaceTest, RowReduction) {
  IterationSpace space = get("(i, j) -> (i, j)", "(i, j) -> (i)",
                             R"("parallel", "reduction")", "4x?", "4", kSum);
  EXPECT_EQ(space.role, OpRole::Reduction);
  EXPECT_EQ(space.parallel, (SmallVector<unsigned>{0}));
  EXPECT_EQ(space.reduced, (SmallVector<unsigned>{1}));
  EXPECT_EQ(space.sizes, (SmallVector<int64_t>{4, ShapedType::kDynamic}));
}

TEST_F(IterationSpaceTest, RowReductionThatKeepsDims) {
  IterationSpace space = get("(i, j) -> (i, j)", "(i, j) -> (i, 0)",
                             R"("parallel", "reduction")", "4x8", "4x1", kSum);
  EXPECT_EQ(space.role, OpRole::Reduction);
}

TEST_F(IterationSpaceTest, ColumnReduction) {
  IterationSpace space = get("(i, j) -> (i, j)", "(i, j) -> (j)",
                             R"("reduction", "parallel")", "4x8", "8", kSum);
  EXPECT_EQ(space.role, OpRole::Reduction);
  EXPECT_EQ(space.parallel, (SmallVector<unsigned>{1}));
  EXPECT_EQ(space.reduced, (SmallVector<unsigned>{0}));
  EXPECT_EQ(space.getParts(), 1);
}

TEST_F(IterationSpaceTest, ReductionInParts) {
  IterationSpace space = get("(i, j) -> (i, j)", "(i, j) -> (i floordiv 4, j)",
                             R"("reduction", "parallel")", "10x8", "3x8", kSum);
  EXPECT_EQ(space.role, OpRole::Reduction);
  EXPECT_EQ(space.reduced, (SmallVector<unsigned>{0}));
  EXPECT_EQ(space.split, 0u);
  EXPECT_EQ(space.partSize, 4);
  EXPECT_EQ(space.getParts(), 3);
}

TEST_F(IterationSpaceTest, PartsOfAParallelLoopAreAlone) {
  IterationSpace space = get("(i, j) -> (i, j)", "(i, j) -> (i floordiv 4)",
                             R"("parallel", "reduction")", "10x8", "3", kSum);
  EXPECT_EQ(space.role, OpRole::Other);
  EXPECT_EQ(space.partSize, 0);
}

TEST_F(IterationSpaceTest, TwoCombinersAreAlone) {
  IterationSpace space =
      get("(i, j) -> (i, j)", "(i, j) -> (i)", R"("parallel", "reduction")",
          "4x8", "4",
          "%s = arith.mulf %b, %b : f32\n%t = arith.addf %s, %a : f32\n"
          "linalg.yield %t : f32");
  EXPECT_EQ(space.role, OpRole::Other);
  EXPECT_EQ(space.reason, "its body has no single combiner");
}

TEST_F(IterationSpaceTest, ContractionByItsMaps) {
  linalg::LinalgOp op = parse(R"(
    func.func @f(%a: tensor<4x8xf16>, %b: tensor<16x8xf16>,
                 %c: tensor<4x16xf32>) -> tensor<4x16xf32> {
      %0 = linalg.generic {
          indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                           affine_map<(m, n, k) -> (n, k)>,
                           affine_map<(m, n, k) -> (m, n)>],
          iterator_types = ["parallel", "parallel", "reduction"]}
          ins(%a, %b : tensor<4x8xf16>, tensor<16x8xf16>)
          outs(%c : tensor<4x16xf32>) {
      ^bb0(%p: f16, %q: f16, %s: f32):
        %1 = arith.extf %p : f16 to f32
        %2 = arith.extf %q : f16 to f32
        %3 = arith.mulf %1, %2 : f32
        %4 = arith.addf %s, %3 : f32
        linalg.yield %4 : f32
      } -> tensor<4x16xf32>
      return %0 : tensor<4x16xf32>
    })");
  IterationSpace space = getIterationSpace(op);
  EXPECT_EQ(space.role, OpRole::Contraction);
  EXPECT_EQ(space.parallel, (SmallVector<unsigned>{0, 1}));
  EXPECT_EQ(space.reduced, (SmallVector<unsigned>{2}));
}

TEST_F(IterationSpaceTest, RowDotProductIsAReduction) {
  linalg::LinalgOp op = parse(R"(
    func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>, %c: tensor<4xf32>)
        -> tensor<4xf32> {
      %0 = linalg.generic {
          indexing_maps = [affine_map<(m, k) -> (m, k)>,
                           affine_map<(m, k) -> (m, k)>,
                           affine_map<(m, k) -> (m)>],
          iterator_types = ["parallel", "reduction"]}
          ins(%a, %b : tensor<4x8xf32>, tensor<4x8xf32>)
          outs(%c : tensor<4xf32>) {
      ^bb0(%p: f32, %q: f32, %s: f32):
        %1 = arith.mulf %p, %q : f32
        %2 = arith.addf %s, %1 : f32
        linalg.yield %2 : f32
      } -> tensor<4xf32>
      return %0 : tensor<4xf32>
    })");
  EXPECT_EQ(getIterationSpace(op).role, OpRole::Reduction);
}

// What reads the gathered value may join it; the tensor that is read at
// computed positions is not an operand, and its producer stays apart.
TEST_F(IterationSpaceTest, GatherIsElementwise) {
  linalg::LinalgOp op = parse(R"(
    func.func @f(%i: tensor<4xindex>, %t: tensor<9xf32>, %o: tensor<4xf32>)
        -> tensor<4xf32> {
      %0 = linalg.generic {
          indexing_maps = [affine_map<(d) -> (d)>, affine_map<(d) -> (d)>],
          iterator_types = ["parallel"]}
          ins(%i : tensor<4xindex>) outs(%o : tensor<4xf32>) {
      ^bb0(%p: index, %q: f32):
        %1 = tensor.extract %t[%p] : tensor<9xf32>
        linalg.yield %1 : f32
      } -> tensor<4xf32>
      return %0 : tensor<4xf32>
    })");
  IterationSpace space = getIterationSpace(op);
  EXPECT_EQ(space.role, OpRole::Elementwise);
  EXPECT_EQ(space.reason, "");
}

TEST_F(IterationSpaceTest, OnlyMarkedRoundingsAreRoundings) {
  auto rounding = [&](StringRef attr) {
    return parse(("func.func @f(%x: tensor<4xf32>, %o: tensor<4xf16>) -> "
                  "tensor<4xf16> {\n%0 = linalg.generic {indexing_maps = "
                  "[affine_map<(d) -> (d)>, affine_map<(d) -> (d)>], "
                  "iterator_types = [\"parallel\"]} ins(%x : tensor<4xf32>) "
                  "outs(%o : tensor<4xf16>) {\n^bb0(%a: f32, %b: f16):\n%1 = "
                  "arith.truncf %a " +
                  attr +
                  ": f32 to f16\nlinalg.yield %1 : f16\n} -> tensor<4xf16>\n"
                  "return %0 : tensor<4xf16>\n}")
                     .str());
  };
  EXPECT_TRUE(isMarkedRounding(rounding("{fusion.rounding}")));
  EXPECT_FALSE(isMarkedRounding(rounding("")));
}

TEST_F(IterationSpaceTest, ResultsThatLoopsDoNotIndexOnce) {
  EXPECT_EQ(get("(i, j) -> (i, j)", "(i, j) -> (i)",
                R"("parallel", "parallel")", "4x8", "4")
                .reason,
            "its result is not indexed by each loop once");
  IterationSpace two = getIterationSpace(parse(R"(
    func.func @f(%x: tensor<4x4xf32>, %e: tensor<4x4xf32>) {
      %0:2 = linalg.generic {indexing_maps = [
          affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>,
          affine_map<(i, j) -> (j, i)>],
          iterator_types = ["parallel", "parallel"]}
          ins(%x : tensor<4x4xf32>) outs(%e, %e : tensor<4x4xf32>, tensor<4x4xf32>) {
        ^bb0(%a: f32, %b: f32, %c: f32):
          linalg.yield %a, %a : f32, f32
      } -> (tensor<4x4xf32>, tensor<4x4xf32>)
      return
    })"));
  EXPECT_EQ(two.reason, "its results have different maps");
}

TEST_F(IterationSpaceTest, WhatKeepsAnOpAlone) {
  context.loadDialect<scf::SCFDialect>();
  EXPECT_EQ(get("(i) -> (i)", "(i) -> (i)", R"("parallel")", "4", "4", R"(
                %zero = arith.constant 0.0 : f32
                %p = arith.cmpf olt, %a, %zero : f32
                %r = scf.if %p -> f32 {
                  %e = math.exp %a : f32
                  scf.yield %e : f32
                } else {
                  scf.yield %a : f32
                }
                linalg.yield %r : f32)")
                .reason,
            "its body is not straight-line code");
  EXPECT_EQ(get("(i, j) -> (i, j)", "(i, j) -> (i)",
                R"("parallel", "reduction")", "4x8", "4", R"(
                %i = linalg.index 0 : index
                %t = tensor.extract %x[%i, %i] : tensor<4x8xf32>
                %s = arith.addf %t, %b : f32
                linalg.yield %s : f32)")
                .reason,
            "its body reads a tensor at computed positions");
  EXPECT_EQ(getIterationSpace(parse(R"(
              func.func @f(%x: memref<4xf32>, %y: memref<4xf32>) {
                linalg.exp ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
                return
              })"))
                .reason,
            "it is not on tensors");
  EXPECT_EQ(getIterationSpace(parse(R"(
              func.func @f(%x: tensor<4xf32>) {
                linalg.generic {indexing_maps = [affine_map<(i) -> (i)>],
                    iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) {
                  ^bb0(%a: f32):
                    linalg.yield
                }
                return
              })"))
                .reason,
            "it has no result");
  IterationSpace fill = getIterationSpace(parse(R"(
    func.func @f(%z: f32, %e: tensor<4xf32>) -> tensor<4xf32> {
      %0 = linalg.fill ins(%z : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    })"));
  EXPECT_EQ(fill.role, OpRole::Fill);
  EXPECT_EQ(fill.reason,
            "a fill whose users have no copy of it is a kernel by itself");
}
