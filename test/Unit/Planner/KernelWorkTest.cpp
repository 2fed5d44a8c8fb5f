//===- KernelWorkTest.cpp -------------------------------------------------===//

#include "fusion/Planner/KernelWork.h"

#include "PlannerFixture.h"

using namespace mlir;
using namespace mlir::fusion;

using KernelWorkTest = PlannerFixture;

static const Unit &getProduct(const UnitGraph &graph) {
  return *llvm::find_if(graph.units, [](const Unit &unit) {
    return unit.space.role == OpRole::Contraction;
  });
}

TEST_F(KernelWorkTest, MatmulsHaveRowsAndColumns) {
  UnitGraph graph = parse(R"(
    func.func @main(%a: tensor<512x1024xf16>, %b: tensor<1024x4096xf16>)
        -> tensor<512x4096xf32> {
      %z = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<512x4096xf32>
      %f = linalg.fill ins(%z : f32) outs(%e : tensor<512x4096xf32>) -> tensor<512x4096xf32>
      %0 = linalg.matmul ins(%a, %b : tensor<512x1024xf16>, tensor<1024x4096xf16>)
                         outs(%f : tensor<512x4096xf32>) -> tensor<512x4096xf32>
      return %0 : tensor<512x4096xf32>
    })");
  std::optional<ProductsShape> found = getProductsShape(&getProduct(graph));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->shape.m, 512);
  EXPECT_EQ(found->shape.n, 4096);
  EXPECT_EQ(found->shape.k, 1024);
  EXPECT_EQ(found->shape.batch, 1);
  EXPECT_TRUE(found->shape.halfFloats && found->shape.bulkCopies);
  KernelWork work;
  work.matmulFlops = 2.0 * 512 * 4096 * 1024;
  addSchedule(&getProduct(graph), nullptr, *getDeviceModel("h200"), work);
  EXPECT_EQ(work.loop.unit, MultiplyUnit::WGMMA);
  EXPECT_EQ(work.loop.steps, 16); // of 64
  KernelWork ampere;
  addSchedule(&getProduct(graph), nullptr, *getDeviceModel("a100"), ampere);
  EXPECT_EQ(ampere.loop.unit, MultiplyUnit::MMA);
  KernelWork cpu;
  addSchedule(&getProduct(graph), nullptr, *getDeviceModel("cpu"), cpu);
  EXPECT_EQ(cpu.loop.tiles, 0);
}

TEST_F(KernelWorkTest, WhatIsReducedIsASideOfTheTile) {
  // Heads of 64 columns; the norm of each reduces what follows from the
  // product.
  UnitGraph graph = parse(R"(
    func.func @main(%a: tensor<512x96xf16>, %b: tensor<96x8x64xf16>, %z: tensor<512x8x64xf32>,
                    %y: tensor<512x8xf32>) -> tensor<512x8xf32> {
      %0 = linalg.generic {indexing_maps = [affine_map<(m, h, d, k) -> (m, k)>, affine_map<(m, h, d, k) -> (k, h, d)>,
                                            affine_map<(m, h, d, k) -> (m, h, d)>],
                           iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
          ins(%a, %b : tensor<512x96xf16>, tensor<96x8x64xf16>) outs(%z : tensor<512x8x64xf32>) {
      ^bb0(%p: f16, %q: f16, %o: f32):
        %3 = arith.extf %p : f16 to f32
        %4 = arith.extf %q : f16 to f32
        %5 = arith.mulf %3, %4 : f32
        %6 = arith.addf %o, %5 : f32
        linalg.yield %6 : f32
      } -> tensor<512x8x64xf32>
      %1 = linalg.square ins(%0 : tensor<512x8x64xf32>) outs(%z : tensor<512x8x64xf32>) -> tensor<512x8x64xf32>
      %2 = linalg.reduce { arith.addf } ins(%1 : tensor<512x8x64xf32>) outs(%y : tensor<512x8xf32>) dimensions = [2]
      return %2 : tensor<512x8xf32>
    })");
  const Unit *product = &getProduct(graph);
  SmallVector<const Unit *> units;
  for (const Unit &unit : graph.units) {
    if (!unit.isOpaque()) {
      units.push_back(&unit);
    }
  }
  SmallVector<unsigned> held = findHeldLoops(units, product);
  EXPECT_EQ(held, SmallVector<unsigned>({2}));
  EXPECT_TRUE(findHeldLoops(product, product).empty());
  std::optional<ProductsShape> found = getProductsShape(product, held);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->shape.wholeN && !found->shape.wholeM);
  EXPECT_EQ(found->shape.n, 64);
  EXPECT_EQ(found->shape.batch, 8);
  EXPECT_EQ(refuseHeldRows(*found, nullptr, *getDeviceModel("h200")), "");
  // Alone the product has tiles across heads.
  EXPECT_EQ(getProductsShape(product)->shape.n, 512);
}

TEST_F(KernelWorkTest, ConvolutionsAreReadInWindows) {
  // Images are the batch, filters the rows, pixels of an image the columns.
  UnitGraph graph = parse(R"(
    func.func @main(%x: tensor<8x16x30x30xf32>, %w: tensor<32x16x3x3xf32>)
        -> tensor<8x32x28x28xf32> {
      %z = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<8x32x28x28xf32>
      %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x32x28x28xf32>) -> tensor<8x32x28x28xf32>
      %0 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<8x16x30x30xf32>, tensor<32x16x3x3xf32>)
                         outs(%f : tensor<8x32x28x28xf32>) -> tensor<8x32x28x28xf32>
      return %0 : tensor<8x32x28x28xf32>
    })");
  std::optional<ProductsShape> found = getProductsShape(&getProduct(graph));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->shape.batch, 8);
  EXPECT_EQ(found->shape.m, 32);
  EXPECT_EQ(found->shape.n, 28 * 28);
  EXPECT_EQ(found->shape.k, 16 * 3 * 3);
  EXPECT_TRUE(found->windowN && !found->windowM);
  EXPECT_TRUE(found->alignedM); // the filter's 144 values follow each other
  EXPECT_FALSE(found->shape.bulkCopies || found->shape.halfFloats);
}

TEST_F(KernelWorkTest, AVectorIsNoTile) {
  UnitGraph graph = parse(R"(
    func.func @main(%a: tensor<512x1024xf16>, %b: tensor<1024xf16>) -> tensor<512xf32> {
      %z = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<512xf32>
      %f = linalg.fill ins(%z : f32) outs(%e : tensor<512xf32>) -> tensor<512xf32>
      %0 = linalg.matvec ins(%a, %b : tensor<512x1024xf16>, tensor<1024xf16>)
                         outs(%f : tensor<512xf32>) -> tensor<512xf32>
      return %0 : tensor<512xf32>
    })");
  EXPECT_FALSE(getProductsShape(&getProduct(graph)));
  KernelWork work;
  work.tensorCores = true;
  addSchedule(&getProduct(graph), nullptr, *getDeviceModel("h200"), work);
  EXPECT_EQ(work.loop.tiles, 0);
  EXPECT_FALSE(work.tensorCores);
  EXPECT_GT(work.blocks, 64);
}

TEST_F(KernelWorkTest, PinnedSchedulesCount) {
  UnitGraph graph = parse(R"(
    func.func @main(%a: tensor<256x256xf16>, %b: tensor<256x256xf16>)
        -> tensor<256x256xf32> {
      %z = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<256x256xf32>
      %f = linalg.fill ins(%z : f32) outs(%e : tensor<256x256xf32>) -> tensor<256x256xf32>
      %0 = linalg.matmul {fusion.schedule = {kind = "mma", bm = 32, bn = 64, bk = 32, stages = 3, warps = 4}}
                         ins(%a, %b : tensor<256x256xf16>, tensor<256x256xf16>)
                         outs(%f : tensor<256x256xf32>) -> tensor<256x256xf32>
      return %0 : tensor<256x256xf32>
    })");
  auto pinned = getProduct(graph).anchor->getAttrOfType<DictionaryAttr>(
      "fusion.schedule");
  KernelWork work;
  addSchedule(&getProduct(graph), pinned, *getDeviceModel("h200"), work);
  EXPECT_EQ(work.loop.unit, MultiplyUnit::MMA);
  EXPECT_EQ(work.loop.tiles, 8 * 4);
}
