//===- TileLoopTest.cpp ---------------------------------------------------===//

#include "fusion/Cost/TileLoop.h"

#include "fusion/Cost/Roofline.h"
#include "gtest/gtest.h"

using namespace mlir::fusion;

namespace {
/// An f16 matmul of m x n x k with tiles of bm x bn x bk.
KernelWork makeProduct(double m, double n, double k, double bm, double bn,
                       double bk, MultiplyUnit unit, unsigned warps) {
  KernelWork work;
  work.bytesRead = 2 * (m * k + k * n);
  work.bytesWritten = 2 * m * n;
  work.matmulFlops = 2 * m * n * k;
  work.tensorCores = true;
  work.loop.unit = unit;
  work.loop.bulkCopies = unit == MultiplyUnit::WGMMA;
  work.loop.tiles = std::ceil(m / bm) * std::ceil(n / bn);
  work.loop.steps = std::ceil(k / bk);
  work.loop.multiplyFlops = 2 * bm * bn * bk;
  work.loop.lineBytes = 2 * (bm + bn) * bk;
  work.loop.block = {warps * 32, 128, unsigned(work.loop.lineBytes * 3)};
  work.loopBeside = work.loop;
  work.blocks = work.loop.tiles;
  return work;
}

DeviceModel getH200() { return *getDeviceModel("h200"); }

/// Expects `us` within a factor of 1.5 of what an H200 took.
void expectClose(double us, double measured) {
  EXPECT_LT(us, measured * 1.5);
  EXPECT_GT(us, measured / 1.5);
}
} // namespace

TEST(TileLoopTest, NoLoopTakesNoTime) {
  EXPECT_EQ(estimateLoops({}, getH200()), 0);
  EXPECT_EQ(estimateLoops(TileLoop(), getH200()), 0);
}

TEST(TileLoopTest, MatmulsAsMeasured) {
  // docs/results/2026-11-30-h200-bench.md and -gpu-tests.md.
  auto wgmma = [](double size, double bm, double bn) {
    return estimateKernel(makeProduct(size, size, size, bm, bn, 64,
                                      MultiplyUnit::WGMMA, 8),
                          getH200())
        .us;
  };
  expectClose(wgmma(8192, 128, 256), 1488);
  expectClose(wgmma(4096, 128, 256), 193);
  expectClose(wgmma(1024, 128, 64), 7.9);
  // An odd row length: every element is fetched for itself.
  KernelWork odd =
      makeProduct(4095, 4095, 4095, 128, 128, 32, MultiplyUnit::MMA, 8);
  odd.loop.lineBytes = 0;
  odd.loop.strayElements = 256 * 32;
  expectClose(estimateKernel(odd, getH200()).us, 1390);
  // A narrow product: each block waits for its steps.
  KernelWork narrow =
      makeProduct(129, 127, 4095, 32, 64, 32, MultiplyUnit::MMA, 4);
  narrow.loop.lineBytes = 0;
  narrow.loop.strayElements = 96 * 32;
  expectClose(estimateKernel(narrow, getH200()).us, 107);
}

TEST(TileLoopTest, WgmmaMultipliesWhileAllWarpsFetch) {
  TileLoop loop =
      makeProduct(128 * 132, 128, 4096, 128, 128, 64, MultiplyUnit::WGMMA, 8)
          .loop;
  loop.bulkCopies = false;
  double lines = estimateLoops(loop, getH200());
  // What threads do beside is hidden up to the time of the multiplies.
  loop.lineBytes = 0;
  loop.vectorOps = 5e4;
  EXPECT_LE(estimateLoops(loop, getH200()), lines);
  loop.vectorOps = 5e5;
  EXPECT_GT(estimateLoops(loop, getH200()), 2 * lines);
  // mma.sync does one after the other.
  loop.vectorOps = 5e4;
  double overlapped = estimateLoops(loop, getH200());
  loop.unit = MultiplyUnit::MMA;
  EXPECT_GT(estimateLoops(loop, getH200()), 1.5 * overlapped);
}

TEST(TileLoopTest, PartialWavesCountAsWhole) {
  // 133 tiles on 132 multiprocessors take as long as 264.
  TileLoop loop =
      makeProduct(128 * 133, 128, 4096, 128, 128, 64, MultiplyUnit::WGMMA, 8)
          .loop;
  double partial = estimateLoops(loop, getH200());
  loop.tiles = 264;
  EXPECT_EQ(estimateLoops(loop, getH200()), partial);
  loop.tiles = 132;
  EXPECT_LT(estimateLoops(loop, getH200()), 0.6 * partial);
}

TEST(TileLoopTest, BlocksSideBySideHideLatency) {
  TileLoop loop =
      makeProduct(32 * 132, 64, 4096, 32, 64, 32, MultiplyUnit::MMA, 4).loop;
  double one = estimateLoops(loop, getH200());
  loop.tiles *= 2;
  EXPECT_LT(estimateLoops(loop, getH200()), 1.5 * one);
}

TEST(TileLoopTest, WhatIsFetchedElementByElementTakesLonger) {
  TileLoop lines =
      makeProduct(4096, 4096, 4096, 128, 128, 32, MultiplyUnit::MMA, 8).loop;
  TileLoop windows = lines;
  windows.lineBytes /= 2;
  windows.windowElements = 128 * 32;
  EXPECT_GT(estimateLoops(windows, getH200()), estimateLoops(lines, getH200()));
}

TEST(TileLoopTest, WindowsByPieceTakeLittleLongerThanLines) {
  TileLoop lines =
      makeProduct(4096, 4096, 4096, 128, 128, 64, MultiplyUnit::WGMMA, 8).loop;
  lines.bulkCopies = false;
  TileLoop pieces = lines, elements = lines;
  pieces.windowPieces = 128 * 64 / 8;
  elements.lineBytes /= 2;
  elements.windowElements = 128 * 64;
  double ofLines = estimateLoops(lines, getH200());
  EXPECT_LT(estimateLoops(pieces, getH200()), 1.3 * ofLines);
  EXPECT_GT(estimateLoops(elements, getH200()), 3 * ofLines);
}

TEST(TileLoopTest, ConvolutionsAsMeasured) {
  // 3x3 of 32 images, channels apart, with their launches.
  auto estimate = [](double filters, double places, double k, double rows,
                     MultiplyUnit unit, unsigned warps) {
    bool wgmma = unit == MultiplyUnit::WGMMA;
    double depth = wgmma ? 64 : 32;
    KernelWork work =
        makeProduct(filters, places, k, rows, 64, depth, unit, warps);
    work.loop.tiles = 32 * std::ceil(filters / rows) * std::ceil(places / 64);
    work.loop.bulkCopies = false;
    work.loop.lineBytes = rows * depth * 2;
    work.loop.windowElements = 64 * depth;
    return estimateKernel(work, getH200()).us;
  };
  double mma = estimate(64, 3136, 576, 64, MultiplyUnit::MMA, 4);
  double wgmma = estimate(64, 3136, 576, 64, MultiplyUnit::WGMMA, 4);
  expectClose(mma, 102);
  expectClose(wgmma, 119);
  EXPECT_LT(mma, wgmma);
  mma = estimate(128, 784, 1152, 128, MultiplyUnit::MMA, 8);
  wgmma = estimate(128, 784, 1152, 128, MultiplyUnit::WGMMA, 8);
  expectClose(wgmma, 66);
  EXPECT_LT(wgmma, mma);
}

TEST(TileLoopTest, LoopsShareRounds) {
  // A third of the device each: together one round, apart three.
  TileLoop loop =
      makeProduct(128 * 44, 128, 4096, 128, 128, 64, MultiplyUnit::WGMMA, 8)
          .loop;
  double one = estimateLoops(loop, getH200());
  EXPECT_NEAR(estimateLoops({loop, loop, loop}, getH200()), one, 1e-9);
  EXPECT_GT(estimateLoops({loop, loop, loop, loop}, getH200()), 1.9 * one);
}

TEST(TileLoopTest, SlowerDevicesTakeLonger) {
  TileLoop loop =
      makeProduct(4096, 4096, 4096, 128, 128, 32, MultiplyUnit::MMA, 8).loop;
  double a100 = estimateLoops(loop, *getDeviceModel("a100"));
  EXPECT_GT(estimateLoops(loop, *getDeviceModel("l4")), a100);
}

TEST(TileLoopTest, PiecesOfRowsComeBeforeTheSteps) {
  // One tile for each multiprocessor: it waits for its pieces once.
  TileLoop loop =
      makeProduct(128, 128 * 132, 1024, 128, 128, 32, MultiplyUnit::MMA, 8)
          .loop;
  double without = estimateLoops(loop, getH200());
  loop.pieces = 6;
  EXPECT_NEAR(estimateLoops(loop, getH200()), without + 3, 1e-9);
}
