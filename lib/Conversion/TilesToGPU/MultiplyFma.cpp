//===- MultiplyFma.cpp - tile.mma of kind fma -----------------------------===//
//
// Scalar multiply-adds, for any element types. A thread holds blocks of 4x4
// elements; for four steps of k it loads four elements of each of its lines of
// a and b: along k where the buffer is k-major, along the lines elsewhere, if
// its lines are neighbours.
//
//===----------------------------------------------------------------------===//

#include "Multiply.h"
#include "SharedAddress.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <numeric>

using namespace mlir;
using namespace mlir::fusion;

/// Lines of a block, and steps of k at a time.
static constexpr int64_t group = 4;

namespace {
/// Reads one operand's lines (rows of a, columns of b).
class LineReader {
public:
  /// The thread's lines are `stride` apart, from `firstLine`.
  LineReader(KernelLowering &lk, Value buffer, Value stage, bool kMajor,
             Value firstLine, int64_t stride);
  /// Elements [line][k] of the four lines from `line` (beyond the thread's
  /// first) and four steps from `k`.
  SmallVector<SmallVector<Value>> read(int64_t line, int64_t k);

private:
  /// Four elements from (row, column), `stride` columns apart.
  SmallVector<Value> readRow(int64_t row, int64_t column, int64_t stride);

  KernelLowering &lk;
  tile::BufferType type;
  bool kMajor;
  int64_t stride, rowBytes;
  /// Where the thread's first line starts.
  Value start;
};
} // namespace

LineReader::LineReader(KernelLowering &lk, Value buffer, Value stage,
                       bool kMajor, Value firstLine, int64_t stride)
    : lk(lk), type(cast<tile::BufferType>(buffer.getType())), kMajor(kMajor),
      stride(stride), rowBytes(type.getPanelBytes() / type.getRows()) {
  int64_t bytes = kMajor ? rowBytes : type.getElementBytes();
  Value offset = arith::MulIOp::create(lk.builder, lk.loc(), firstLine,
                                       lk.constantI32(bytes));
  start = offsetPointer(lk, stagePointer(lk, buffer, stage), offset);
}

SmallVector<Value> LineReader::readRow(int64_t row, int64_t column,
                                       int64_t stride) {
  OpBuilder &b = lk.builder;
  int64_t bytes = type.getElementBytes();
  auto load = [&](Type loaded, int64_t at, int64_t alignment) -> Value {
    Value pointer = offsetPointer(lk, start, row * rowBytes + at * bytes);
    return LLVM::LoadOp::create(b, lk.loc(), loaded, pointer, alignment);
  };
  SmallVector<Value> elements;
  if (stride != 1) {
    for (int64_t i = 0; i < group; ++i) {
      elements.push_back(
          load(type.getElementType(), column + i * stride, bytes));
    }
    return elements;
  }
  auto vectorType = VectorType::get({group}, type.getElementType());
  Value vector = load(vectorType, column, std::gcd<int64_t>(16, group * bytes));
  for (int64_t i = 0; i < group; ++i) {
    elements.push_back(vector::ExtractOp::create(b, lk.loc(), vector, i));
  }
  return elements;
}

SmallVector<SmallVector<Value>> LineReader::read(int64_t line, int64_t k) {
  SmallVector<SmallVector<Value>> result(group, SmallVector<Value>(group));
  for (int64_t i = 0; i < group; ++i) {
    SmallVector<Value> elements = kMajor ? readRow(line + i * stride, k, 1)
                                         : readRow(k + i, line, stride);
    for (int64_t j = 0; j < group; ++j) {
      (kMajor ? result[i][j] : result[j][i]) = elements[j];
    }
  }
  return result;
}

/// `value` in the accumulator's type: widening of floats and integers is exact.
static Value widen(KernelLowering &lk, Value value, Type type) {
  if (value.getType() == type) {
    return value;
  }
  if (isa<FloatType>(type)) {
    return arith::ExtFOp::create(lk.builder, lk.loc(), type, value);
  }
  return arith::ExtSIOp::create(lk.builder, lk.loc(), type, value);
}

static Value multiplyAdd(KernelLowering &lk, Value a, Value b, Value acc) {
  Type type = acc.getType();
  a = widen(lk, a, type);
  b = widen(lk, b, type);
  if (isa<FloatType>(type)) {
    return math::FmaOp::create(lk.builder, lk.loc(), a, b, acc);
  }
  Value product = arith::MulIOp::create(lk.builder, lk.loc(), a, b);
  return arith::AddIOp::create(lk.builder, lk.loc(), product, acc);
}

/// acc[i][j] += a[i] * b[j] for four steps of k, in their order.
static void emitBlock(KernelLowering &lk, ArrayRef<SmallVector<Value>> a,
                      ArrayRef<SmallVector<Value>> b,
                      MutableArrayRef<Value> acc) {
  for (int64_t k = 0; k < group; ++k) {
    for (int64_t i = 0; i < group; ++i) {
      for (int64_t j = 0; j < group; ++j) {
        Value &element = acc[i * group + j];
        element = multiplyAdd(lk, a[i][k], b[j][k], element);
      }
    }
  }
}

LogicalResult mlir::fusion::lowerFma(tile::MMAOp op, KernelLowering &lk) {
  RankedTensorType tile = op.getResult().getType().getTile();
  tile::TileLayout layout = tile::getLayout(tile);
  int64_t warpsM = 1, warpsN = 1;
  for (const tile::Coords &basis : layout.warp) {
    (basis[0] ? warpsM : warpsN) *= 2;
  }
  tile::BufferType aType = op.getA().getType(), bType = op.getB().getType();
  int64_t k = op.getAKmajor() ? aType.getColumns() : aType.getRows();
  int64_t m = tile.getDimSize(0), n = tile.getDimSize(1);
  int64_t stepM = 16 * warpsM, stepN = 32 * warpsN;
  if (m % stepM != 0 || n % stepN != 0 || k % group != 0 ||
      !(layout == tile::TileLayout::fmaAccumulator(m, n, warpsM, warpsN)) ||
      aType.getSwizzle() != 0 || bType.getSwizzle() != 0) {
    return op.emitOpError(
        "expected operands without swizzle, k a multiple of 4 "
        "and an accumulator of 4x4 blocks");
  }
  auto first = [&](int64_t dim) {
    return toI32(lk, lk.threadCoordinate(layout, dim));
  };
  LineReader aReader(lk, op.getA(), lk.getOne(op.getAStage()), op.getAKmajor(),
                     first(0), /*stride=*/1);
  LineReader bReader(lk, op.getB(), lk.getOne(op.getBStage()), op.getBKmajor(),
                     first(1), /*stride=*/8);
  Value acc = lk.getOne(op.getAcc());
  SmallVector<Value> registers = unpackAcc(lk, acc);
  int64_t blocksN = n / stepN;
  for (int64_t step = 0; step < k; step += group) {
    SmallVector<SmallVector<SmallVector<Value>>> b;
    for (int64_t j = 0; j < blocksN; ++j) {
      b.push_back(bReader.read(j * stepN, step));
    }
    for (int64_t i = 0; i < m / stepM; ++i) {
      auto a = aReader.read(i * stepM, step);
      for (int64_t j = 0; j < blocksN; ++j) {
        emitBlock(lk, a, b[j],
                  MutableArrayRef(registers).slice(
                      (i * blocksN + j) * group * group, group * group));
      }
    }
  }
  lk.set(op.getResult(), {packAcc(lk, acc.getType(), registers)});
  return success();
}
