//===- OpWorkTest.cpp -----------------------------------------------------===//

#include "fusion/Analysis/OpWork.h"

#include "LinalgFixture.h"

using namespace mlir;
using namespace mlir::fusion;

using OpWorkTest = LinalgFixture;

TEST_F(OpWorkTest, MatmulCountsTwoPerStep) {
  OpWork work = getOpWork(parse(R"(
    func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>,
                 %c: tensor<4x16xf32>) -> tensor<4x16xf32> {
      %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>)
                         outs(%c : tensor<4x16xf32>) -> tensor<4x16xf32>
      return %0 : tensor<4x16xf32>
    })"));
  EXPECT_EQ(work.contractionFlops, 2 * 4 * 8 * 16);
  EXPECT_EQ(work.flops, 0);
}

TEST_F(OpWorkTest, CastsAreFreeAndFunctionsAreNot) {
  OpWork work = getOpWork(parse(R"(
    func.func @f(%x: tensor<?x2xf16>, %o: tensor<?x2xf16>) -> tensor<?x2xf16> {
      %0 = linalg.generic {
          indexing_maps = [affine_map<(a, b) -> (a, b)>,
                           affine_map<(a, b) -> (a, b)>],
          iterator_types = ["parallel", "parallel"]}
          ins(%x : tensor<?x2xf16>) outs(%o : tensor<?x2xf16>) {
      ^bb0(%p: f16, %q: f16):
        %1 = arith.extf %p : f16 to f32
        %2 = math.exp %1 : f32
        %3 = arith.addf %2, %1 : f32
        %4 = arith.truncf %3 : f32 to f16
        linalg.yield %4 : f16
      } -> tensor<?x2xf16>
      return %0 : tensor<?x2xf16>
    })"),
                          /*dynamicSize=*/10);
  EXPECT_EQ(work.iterations, 20);
  EXPECT_EQ(work.flops, 20 * (kTranscendentalFlops + 1));
}

TEST_F(OpWorkTest, BytesOfTypes) {
  Builder builder(&context);
  auto bytes = [&](ArrayRef<int64_t> shape, Type element) {
    return getTensorBytes(RankedTensorType::get(shape, element), 10);
  };
  EXPECT_EQ(bytes({3, 5}, builder.getF16Type()), 30);
  EXPECT_EQ(bytes({3, 5}, builder.getI1Type()), 15); // one byte each
  EXPECT_EQ(bytes({}, builder.getF32Type()), 4);
  EXPECT_EQ(bytes({ShapedType::kDynamic, 2}, builder.getF64Type()), 160);
  EXPECT_EQ(bytes({0, 4}, builder.getF32Type()), 0);
  EXPECT_EQ(getTensorBytes(builder.getF32Type()), 0);
}
