//===- KernelLoop.cpp - the loop that a schedule makes --------------------===//

#include "fusion/Schedule/KernelLoop.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fusion;

/// Registers of a thread beside accumulators: addresses, operands, counters.
static constexpr unsigned kOtherRegisters = 80, kMostRegisters = 255;

static MultiplyUnit getUnit(Schedule::Kind kind) {
  return kind == Schedule::Kind::WGMMA ? MultiplyUnit::WGMMA
         : kind == Schedule::Kind::MMA ? MultiplyUnit::MMA
                                       : MultiplyUnit::FMA;
}

static double countTiles(double size, int64_t tile) {
  return std::max(1.0, std::ceil(size / tile));
}

static unsigned getRegisters(double accumulators, const Schedule &schedule) {
  double perThread = accumulators / (schedule.warps * 32) + kOtherRegisters;
  return std::min<double>(perThread, kMostRegisters);
}

/// Adds the fetch of `tiles` tiles of side x depth elements.
static void addFetch(TileLoop &loop, FetchKind kind, double tiles, double side,
                     const Schedule &schedule, int64_t elementBytes) {
  double elements = tiles * side * schedule.depth;
  switch (kind) {
  case FetchKind::Lines:
    loop.lineBytes += elements * elementBytes;
    return;
  case FetchKind::Stray:
    loop.strayElements += elements;
    return;
  case FetchKind::Window:
    loop.windowElements += elements;
    return;
  case FetchKind::WindowLines:
    loop.lineBytes += elements * elementBytes;
    loop.windowPieces += elements * elementBytes / 16;
    return;
  }
}

TileLoop mlir::fusion::describeLoop(const ContractionShape &shape,
                                    const Schedule &schedule) {
  TileLoop loop;
  loop.unit = getUnit(schedule.kind);
  loop.bulkCopies = schedule.isWarpSpecialized();
  loop.tiles = shape.batch * countTiles(shape.m, schedule.rows) *
               countTiles(shape.n, schedule.columns);
  loop.steps = countTiles(shape.k, schedule.depth);
  double results = double(schedule.rows) * schedule.columns * shape.count;
  loop.multiplyFlops = 2 * results * schedule.depth;
  // What lies outside of an array is not fetched.
  double rows = schedule.rows, columns = schedule.columns;
  if (schedule.multistage) {
    rows = std::min(rows, std::max(1.0, double(shape.m)));
    columns = std::min(columns, std::max(1.0, double(shape.n)));
  }
  addFetch(loop, shape.fetchM, shape.operandsM, rows, schedule,
           shape.elementBytes);
  addFetch(loop, shape.fetchN, shape.operandsN, columns, schedule,
           shape.elementBytes);
  double ring =
      (schedule.rows * shape.operandsM + schedule.columns * shape.operandsN) *
      double(schedule.depth * shape.elementBytes * schedule.stages);
  loop.block = {unsigned(schedule.warps * 32), getRegisters(results, schedule),
                unsigned(ring)};
  return loop;
}

TileLoop mlir::fusion::describeLoop(const OnlineSoftmaxShape &shape,
                                    const Schedule &schedule,
                                    double vectorOps) {
  TileLoop loop;
  loop.unit = getUnit(schedule.kind);
  loop.tiles = shape.batch * countTiles(shape.m, schedule.rows);
  loop.steps = countTiles(shape.n, schedule.columns);
  double k = getOperandWidth(shape.k, schedule.kind);
  double d = getOperandWidth(shape.d, schedule.kind);
  double scores = double(schedule.rows) * schedule.columns;
  loop.multiplyFlops = 2 * scores * (k + d);
  // What lies outside of the rows and columns is computed too.
  loop.vectorOps =
      vectorOps / (shape.batch * double(shape.m) * shape.n) * scores;
  loop.lineBytes = schedule.columns * (k + d) * shape.elementBytes;
  double accumulators = schedule.rows * (d + 1.5 * schedule.columns);
  double ring =
      schedule.rows * k * shape.elementBytes + loop.lineBytes * schedule.stages;
  loop.block = {unsigned(schedule.warps * 32),
                getRegisters(accumulators, schedule), unsigned(ring)};
  return loop;
}

int64_t mlir::fusion::getRowPiece(const Schedule &schedule, int64_t rows,
                                  int64_t size) {
  // Registers of a thread for elements, and as many for what they add up to.
  constexpr int64_t kElements = 32;
  int64_t piece = std::max<int64_t>(schedule.warps * 32 * kElements / rows, 32);
  if (!ShapedType::isDynamic(size)) {
    piece = std::min<int64_t>(piece,
                              llvm::PowerOf2Ceil(std::max<int64_t>(size, 32)));
  }
  // Layouts go by shape, and that of accumulators is none for loads.
  bool taken = piece == schedule.columns || piece == schedule.rows;
  return taken ? piece * 2 : piece;
}

double mlir::fusion::countPieces(const RowsShape &shape,
                                 const Schedule &schedule) {
  return countTiles(shape.columns, schedule.columns);
}

double mlir::fusion::countBlocks(const RowsShape &shape,
                                 const Schedule &schedule) {
  return shape.outerRows * countTiles(shape.rows, schedule.rows);
}
