//===- MultiplyMma.cpp - tile.mma of kind mma (mma.sync) ------------------===//
//
// Each warp holds 16x16 blocks of the accumulator, two m16n8k16 instructions
// side by side. For 16 steps of k one ldmatrix.x4 brings the 16x16 block of a,
// another that of b; a buffer whose columns do not run along the instruction's
// rows is read transposed.
//
//===----------------------------------------------------------------------===//

#include "Multiply.h"
#include "SharedAddress.h"
#include "fusion/Analysis/HalfFloats.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::fusion;

static constexpr int64_t blockSide = 16;

namespace {
/// How a warp reads 16x16 blocks of one operand: `lines` are m or n.
class BlockReader {
public:
  /// `warp` counts the warp along the operand's lines, of `warps`.
  BlockReader(KernelLowering &lk, Value buffer, Value stage, bool kMajor,
              bool isA, Value warp, int64_t warps);

  /// The four 8x8 matrices of block `block` of this warp at step `step` of k.
  SmallVector<Value> read(int64_t block, int64_t step);

  int64_t getLines() const {
    return kMajor ? type.getRows() : type.getColumns();
  }
  int64_t getK() const { return kMajor ? type.getColumns() : type.getRows(); }

private:
  KernelLowering &lk;
  tile::BufferType type;
  bool kMajor, transposed;
  int64_t warps;
  Value stage;
  /// The swizzled offset of this lane's row for block 0, step 0.
  Value base;
};

class MmaEmitter {
public:
  MmaEmitter(tile::MMAOp op, KernelLowering &lk) : op(op), lk(lk) {}
  LogicalResult run();

private:
  LogicalResult check();

  tile::MMAOp op;
  KernelLowering &lk;
  int64_t warpsM = 1, warpsN = 1;
};
} // namespace

/// Row and column within a 16x16 block (or 16x16 transposed) whose address a
/// lane passes to ldmatrix. `rowsFirst`: matrices 0 and 1 lie below each other.
static std::pair<Value, Value> lanePosition(KernelLowering &lk,
                                            bool rowsFirst) {
  OpBuilder &b = lk.builder;
  Location loc = lk.loc();
  Value lane = lk.laneId();
  auto bits = [&](int64_t shift, int64_t mask) -> Value {
    Value shifted = arith::ShRUIOp::create(b, loc, lane, lk.constantI32(shift));
    return arith::AndIOp::create(b, loc, shifted, lk.constantI32(mask));
  };
  auto times8 = [&](Value v) -> Value {
    return arith::MulIOp::create(b, loc, v, lk.constantI32(8));
  };
  if (rowsFirst) {
    return {bits(0, 15), times8(bits(4, 1))};
  }
  Value row = arith::AddIOp::create(b, loc, bits(0, 7), times8(bits(4, 1)));
  return {row, times8(bits(3, 1))};
}

BlockReader::BlockReader(KernelLowering &lk, Value buffer, Value stageIndex,
                         bool kMajor, bool isA, Value warp, int64_t warps)
    : lk(lk), type(cast<tile::BufferType>(buffer.getType())), kMajor(kMajor),
      transposed(!kMajor), warps(warps),
      stage(stagePointer(lk, buffer, stageIndex)) {
  OpBuilder &b = lk.builder;
  Location loc = lk.loc();
  auto binary = [&](auto tag, Value lhs, int64_t rhs) -> Value {
    return decltype(tag)::create(b, loc, lhs, lk.constantI32(rhs));
  };
  // a: matrices (m0 k0) (m8 k0) (m0 k8) (m8 k8); b: (n0 k0) (n0 k8) (n8 k0) ...
  auto [row, column] = lanePosition(lk, /*rowsFirst=*/isA == kMajor);
  Value line = binary(arith::MulIOp(), warp, blockSide);
  Value &moved = kMajor ? row : column;
  moved = arith::AddIOp::create(b, loc, moved, line);

  int64_t rowBytes = type.getPanelBytes() / type.getRows();
  Value linear = binary(arith::MulIOp(), row, rowBytes);
  Value turn = binary(arith::ShRUIOp(), linear, 7);
  turn = binary(arith::AndIOp(), turn, type.getSwizzle() / 16 - 1);
  turn = binary(arith::ShLIOp(), turn, 4);
  Value inPanel = binary(arith::RemUIOp(), column, type.getPanelColumns());
  inPanel = binary(arith::MulIOp(), inPanel, type.getElementBytes());
  inPanel = arith::XOrIOp::create(b, loc, inPanel, turn);
  Value panel = binary(arith::DivUIOp(), column, type.getPanelColumns());
  panel = binary(arith::MulIOp(), panel, type.getPanelBytes());
  base = arith::AddIOp::create(b, loc, linear, inPanel);
  base = arith::AddIOp::create(b, loc, base, panel);
}

SmallVector<Value> BlockReader::read(int64_t block, int64_t step) {
  OpBuilder &b = lk.builder;
  Location loc = lk.loc();
  int64_t line = block * blockSide * warps, k = step * blockSide;
  int64_t row = kMajor ? line : k, column = kMajor ? k : line;
  // Rows move by multiples of 16, which leaves the swizzle alone; columns set
  // bits of the offset within the panel that the lane's part leaves zero.
  int64_t inPanel = column % type.getPanelColumns() * type.getElementBytes();
  Value offset = base;
  if (inPanel != 0) {
    offset = arith::XOrIOp::create(b, loc, base, lk.constantI32(inPanel));
  }
  Value pointer = offsetPointer(lk, stage, offset);
  pointer =
      offsetPointer(lk, pointer,
                    row * (type.getPanelBytes() / type.getRows()) +
                        column / type.getPanelColumns() * type.getPanelBytes());
  Type word = b.getI32Type();
  auto words = LLVM::LLVMStructType::getLiteral(b.getContext(),
                                                {word, word, word, word});
  Value loaded = NVVM::LdMatrixOp::create(
      b, loc, words, pointer, 4,
      transposed ? NVVM::MMALayout::col : NVVM::MMALayout::row,
      NVVM::LdStMatrixShapeAttr::get(b.getContext(), 8, 8),
      NVVM::LdStMatrixEltType::B16);
  return unpackAcc(lk, loaded);
}

/// Two instructions: registers acc[0..3] and acc[4..7] of one 16x16 block, from
/// words of `element`.
static void emitBlock(KernelLowering &lk, Type element, ArrayRef<Value> a,
                      ArrayRef<Value> b, MutableArrayRef<Value> acc) {
  OpBuilder &builder = lk.builder;
  bool isBF16 = element.isBF16();
  auto type = isBF16 ? NVVM::MMATypes::bf16 : NVVM::MMATypes::f16;
  auto operand = [&](Value word) -> Value {
    return isBF16 ? word
                  : LLVM::BitcastOp::create(
                        builder, lk.loc(),
                        VectorType::get({2}, builder.getF16Type()), word)
                        .getResult();
  };
  SmallVector<Value> aWords = llvm::map_to_vector(a, operand);
  Type f32 = builder.getF32Type();
  auto result = LLVM::LLVMStructType::getLiteral(builder.getContext(),
                                                 {f32, f32, f32, f32});
  for (int64_t half = 0; half < 2; ++half) {
    SmallVector<Value> bWords =
        llvm::map_to_vector(b.slice(2 * half, 2), operand);
    MutableArrayRef<Value> c = acc.slice(4 * half, 4);
    Value d = NVVM::MmaOp::create(
        builder, lk.loc(), result, aWords, bWords, ValueRange(c),
        ArrayRef<int64_t>{16, 8, 16}, std::nullopt, std::nullopt,
        std::array<NVVM::MMATypes, 2>{type, type},
        std::array<NVVM::MMALayout, 2>{NVVM::MMALayout::row,
                                       NVVM::MMALayout::col});
    llvm::copy(unpackAcc(lk, d), c.begin());
  }
}

LogicalResult MmaEmitter::check() {
  RankedTensorType acc = op.getResult().getType().getTile();
  tile::TileLayout layout = tile::getLayout(acc);
  for (const tile::Coords &basis : layout.warp) {
    (basis[0] ? warpsM : warpsN) *= 2;
  }
  tile::BufferType a = op.getA().getType(), b = op.getB().getType();
  Type element = a.getElementType();
  int64_t k = op.getAKmajor() ? a.getColumns() : a.getRows();
  bool shaped = acc.getDimSize(0) % (blockSide * warpsM) == 0 &&
                acc.getDimSize(1) % (blockSide * warpsN) == 0 &&
                k % blockSide == 0;
  if (!shaped ||
      !(layout == tile::TileLayout::mmaAccumulator(
                      acc.getDimSize(0), acc.getDimSize(1), warpsM, warpsN)) ||
      !acc.getElementType().isF32() || !isHalfFloat(element) ||
      a.getSwizzle() == 0 || b.getSwizzle() == 0) {
    return op.emitOpError("expected swizzled f16 or bf16 operands with k a "
                          "multiple of 16 and an f32 accumulator of 16x16 "
                          "blocks");
  }
  return success();
}

LogicalResult MmaEmitter::run() {
  if (failed(check())) {
    return failure();
  }
  OpBuilder &b = lk.builder;
  Value warpM = arith::AndIOp::create(b, lk.loc(), lk.warpInPartition(),
                                      lk.constantI32(warpsM - 1));
  Value warpN = arith::DivUIOp::create(b, lk.loc(), lk.warpInPartition(),
                                       lk.constantI32(warpsM));
  BlockReader aReader(lk, op.getA(), lk.getOne(op.getAStage()), op.getAKmajor(),
                      /*isA=*/true, warpM, warpsM);
  BlockReader bReader(lk, op.getB(), lk.getOne(op.getBStage()), op.getBKmajor(),
                      /*isA=*/false, warpN, warpsN);
  Value acc = lk.getOne(op.getAcc());
  SmallVector<Value> registers = unpackAcc(lk, acc);
  int64_t blocksM = aReader.getLines() / (blockSide * warpsM);
  int64_t blocksN = bReader.getLines() / (blockSide * warpsN);
  for (int64_t step = 0; step < aReader.getK() / blockSide; ++step) {
    SmallVector<SmallVector<Value>> a;
    for (int64_t m = 0; m < blocksM; ++m) {
      a.push_back(aReader.read(m, step));
    }
    for (int64_t n = 0; n < blocksN; ++n) {
      SmallVector<Value> bWords = bReader.read(n, step);
      for (int64_t m = 0; m < blocksM; ++m) {
        emitBlock(lk, op.getA().getType().getElementType(), a[m], bWords,
                  MutableArrayRef(registers).slice((m * blocksN + n) * 8, 8));
      }
    }
  }
  lk.set(op.getResult(), {packAcc(lk, acc.getType(), registers)});
  return success();
}

LogicalResult mlir::fusion::lowerMmaSync(tile::MMAOp op, KernelLowering &lk) {
  return MmaEmitter(op, lk).run();
}

//===----------------------------------------------------------------------===//
// a in registers
//===----------------------------------------------------------------------===//

/// Whether `tile` lies in the accumulator's layout, all warps along its rows.
static bool isRowsOfWarps(KernelLowering &lk, RankedTensorType tile) {
  int64_t m = tile.getDimSize(0), n = tile.getDimSize(1);
  int64_t warps = lk.partition().warps;
  return m % (blockSide * warps) == 0 && n % blockSide == 0 &&
         tile::getLayout(tile) ==
             tile::TileLayout::mmaAccumulator(m, n, warps, 1);
}

SmallVector<Value> mlir::fusion::packOperand(KernelLowering &lk, Value tile) {
  // The accumulator's registers of two rows and two columns are, in pairs, the
  // words that the instruction wants of a.
  SmallVector<Value> words;
  ArrayRef<Value> elements = lk.get(tile);
  for (size_t i = 0; i < elements.size(); i += 2) {
    words.push_back(packPair(lk, elements[i], elements[i + 1]));
  }
  return words;
}

LogicalResult mlir::fusion::lowerMmaRegisters(tile::MMARegistersOp op,
                                              KernelLowering &lk) {
  auto aTile = cast<RankedTensorType>(op.getA().getType());
  Type element = aTile.getElementType();
  if (!isRowsOfWarps(lk, aTile) ||
      !isRowsOfWarps(lk, op.getAcc().getType().getTile()) ||
      !isHalfFloat(element) || op.getB().getType().getSwizzle() == 0) {
    return op.emitOpError(
        "expected f16 or bf16 operands, b swizzled, and 16x16 "
        "blocks of rows in each warp");
  }
  SmallVector<Value> words = packOperand(lk, op.getA());
  BlockReader bReader(lk, op.getB(), lk.getOne(op.getBStage()), op.getBKmajor(),
                      /*isA=*/false, lk.constantI32(0), /*warps=*/1);
  Value acc = lk.getOne(op.getAcc());
  SmallVector<Value> registers = unpackAcc(lk, acc);
  int64_t steps = bReader.getK() / blockSide;
  int64_t blocksN = bReader.getLines() / blockSide;
  int64_t blocksM = words.size() / (4 * steps);
  for (int64_t step = 0; step < steps; ++step) {
    for (int64_t n = 0; n < blocksN; ++n) {
      SmallVector<Value> bWords = bReader.read(n, step);
      for (int64_t m = 0; m < blocksM; ++m) {
        emitBlock(lk, element, ArrayRef(words).slice((m * steps + step) * 4, 4),
                  bWords,
                  MutableArrayRef(registers).slice((m * blocksN + n) * 8, 8));
      }
    }
  }
  lk.set(op.getResult(), {packAcc(lk, acc.getType(), registers)});
  return success();
}
