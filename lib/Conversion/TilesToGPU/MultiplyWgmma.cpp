//===- MultiplyWgmma.cpp - tile.mma of kind wgmma -------------------------===//

#include "Multiply.h"
#include "SharedAddress.h"
#include "fusion/Analysis/HalfFloats.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::fusion;

/// k of one instruction on 16-bit elements, and rows of one warpgroup's.
static constexpr int64_t instructionK = 16;
static constexpr int64_t instructionM = 64;
/// Columns of one instruction.
static constexpr int64_t mostColumns = 256;
/// Eight rows of a 128-byte swizzled panel.
static constexpr int64_t coreBytes = 1024;

/// How an operand lies in shared memory, for matrix descriptors.
namespace {
struct WgmmaOperand {
  tile::BufferType type;
  bool kMajor;

  /// Bytes from one step of 16 along k to the next, for step `step`.
  int64_t stepOffset(int64_t step) const {
    int64_t k = step * instructionK;
    if (!kMajor) {
      return k * type.getSwizzle();
    }
    int64_t panel = k / type.getPanelColumns();
    int64_t inPanel = k % type.getPanelColumns();
    return panel * type.getPanelBytes() + inPanel * type.getElementBytes();
  }
  /// Bytes to the 64-row block `block` along m.
  int64_t blockBytes() const {
    return kMajor ? instructionM * type.getSwizzle() : type.getPanelBytes();
  }
  /// The constant bits of the descriptor: leading and stride byte offsets in
  /// units of 16 and the swizzle (PTX ISA, matrix descriptor format). K-major:
  /// eight rows of 128 bytes lie 1024 bytes apart, the leading offset is not
  /// used. MN-major: panels of 64 elements lie a panel apart.
  int64_t descriptorBits() const {
    int64_t leading = kMajor ? 1 : type.getPanelBytes() >> 4;
    return int64_t(1) << 62 | (coreBytes >> 4) << 32 | leading << 16;
  }
};
} // namespace

/// The descriptor of what starts at `pointer`.
static Value emitDescriptor(KernelLowering &lk, Value pointer,
                            const WgmmaOperand &operand) {
  OpBuilder &b = lk.builder;
  Location loc = lk.loc();
  Value address = LLVM::PtrToIntOp::create(b, loc, b.getI32Type(), pointer);
  // 14 bits of address: in a cluster the bits above carry the block's rank.
  address = arith::ShRUIOp::create(b, loc, address, lk.constantI32(4));
  address = arith::AndIOp::create(b, loc, address, lk.constantI32(0x3FFF));
  Value wide = arith::ExtUIOp::create(b, loc, b.getI64Type(), address);
  return arith::OrIOp::create(b, loc, wide,
                              lk.constantI64(operand.descriptorBits()));
}

static Value advance(KernelLowering &lk, Value descriptor, int64_t bytes) {
  if (bytes == 0) {
    return descriptor;
  }
  return arith::AddIOp::create(lk.builder, lk.loc(), descriptor,
                               lk.constantI64(bytes >> 4));
}

/// One instruction on 64 rows of this warpgroup.
static Value emitInstruction(KernelLowering &lk, Value acc, Value a, Value b,
                             int64_t n, Type element, bool aKMajor,
                             bool bKMajor) {
  MLIRContext *context = lk.builder.getContext();
  auto type = NVVM::WGMMATypesAttr::get(context, element.isBF16()
                                                     ? NVVM::WGMMATypes::bf16
                                                     : NVVM::WGMMATypes::f16);
  auto one = NVVM::WGMMAScaleInAttr::get(context, NVVM::WGMMAScaleIn::one);
  auto layout = [&](bool rowMajor) {
    return NVVM::MMALayoutAttr::get(context, rowMajor ? NVVM::MMALayout::row
                                                      : NVVM::MMALayout::col);
  };
  return NVVM::WgmmaMmaAsyncOp::create(
      lk.builder, lk.loc(), acc.getType(), acc, a, b,
      NVVM::MMAShapeAttr::get(context, instructionM, n, instructionK), type,
      type, NVVM::WGMMATypesAttr::get(context, NVVM::WGMMATypes::f32),
      NVVM::WGMMAScaleOutAttr::get(context, NVVM::WGMMAScaleOut::one), one, one,
      layout(aKMajor), layout(!bKMajor), NVVM::MMAIntOverflowAttr());
}

bool mlir::fusion::isWgmmaLayout(KernelLowering &lk, RankedTensorType tile) {
  int64_t warps = lk.partition().warps;
  int64_t m = tile.getDimSize(0), n = tile.getDimSize(1);
  return warps % 4 == 0 && m % (16 * warps) == 0 && n % 8 == 0 &&
         tile::getLayout(tile) ==
             tile::TileLayout::wgmmaAccumulator(m, n, warps);
}

/// (C) what the instruction can do: f16 or bf16, f32 accumulator of the layout
/// of 64-row blocks, 128-byte swizzled operands.
static LogicalResult checkWgmma(tile::MMAOp op, KernelLowering &lk) {
  RankedTensorType acc = op.getResult().getType().getTile();
  if (!isWgmmaLayout(lk, acc) || acc.getDimSize(1) > mostColumns ||
      !acc.getElementType().isF32() ||
      !isHalfFloat(op.getA().getType().getElementType()) ||
      op.getA().getType().getSwizzle() != 128 ||
      op.getB().getType().getSwizzle() != 128) {
    return op.emitOpError(
        "expected f16 or bf16 operands with a 128-byte swizzle "
        "and an f32 accumulator of 64-row blocks, n at most "
        "256");
  }
  return success();
}

LogicalResult mlir::fusion::lowerWgmma(tile::MMAOp op, KernelLowering &lk) {
  if (failed(checkWgmma(op, lk))) {
    return failure();
  }
  RankedTensorType tile = op.getResult().getType().getTile();
  WgmmaOperand a{op.getA().getType(), op.getAKmajor()};
  WgmmaOperand b{op.getB().getType(), op.getBKmajor()};
  int64_t n = tile.getDimSize(1);
  int64_t warpgroups = lk.partition().warps / 4;
  int64_t blocks = tile.getDimSize(0) / (instructionM * warpgroups);
  int64_t k = a.kMajor ? a.type.getColumns() : a.type.getRows();

  Value aStage = stagePointer(lk, op.getA(), lk.getOne(op.getAStage()));
  Value bStage = stagePointer(lk, op.getB(), lk.getOne(op.getBStage()));
  Value mine =
      arith::MulIOp::create(lk.builder, lk.loc(), warpgroupInPartition(lk),
                            lk.constantI32(a.blockBytes()));
  Value aDescriptor = emitDescriptor(lk, offsetPointer(lk, aStage, mine), a);
  Value bDescriptor = emitDescriptor(lk, bStage, b);

  Value acc = lk.getOne(op.getAcc());
  SmallVector<Value> parts = {acc};
  Type partType = acc.getType();
  if (blocks > 1) {
    SmallVector<Value> registers = unpackAcc(lk, acc);
    int64_t size = registers.size() / blocks;
    partType = LLVM::LLVMStructType::getLiteral(
        lk.builder.getContext(),
        SmallVector<Type>(size, registers.front().getType()));
    parts.clear();
    for (int64_t i = 0; i < blocks; ++i) {
      parts.push_back(
          packAcc(lk, partType, ArrayRef(registers).slice(i * size, size)));
    }
  }
  NVVM::WgmmaFenceAlignedOp::create(lk.builder, lk.loc());
  for (int64_t step = 0; step < k / instructionK; ++step) {
    Value bStep = advance(lk, bDescriptor, b.stepOffset(step));
    for (auto [block, part] : llvm::enumerate(parts)) {
      Value aStep =
          advance(lk, aDescriptor,
                  a.stepOffset(step) + static_cast<int64_t>(block) *
                                           warpgroups * a.blockBytes());
      part = emitInstruction(lk, part, aStep, bStep, n, a.type.getElementType(),
                             a.kMajor, b.kMajor);
    }
  }
  // At once: with other code before it, ptxas lets the multiplies run one by
  // one.
  NVVM::WgmmaGroupSyncAlignedOp::create(lk.builder, lk.loc());
  if (blocks == 1) {
    lk.set(op.getResult(), parts);
    return success();
  }
  SmallVector<Value> registers;
  for (Value part : parts) {
    llvm::append_range(registers, unpackAcc(lk, part));
  }
  lk.set(op.getResult(), {packAcc(lk, acc.getType(), registers)});
  return success();
}

//===----------------------------------------------------------------------===//
// a in registers
//===----------------------------------------------------------------------===//

/// One instruction on 64 rows of this warpgroup whose a is four words of each
/// thread. The nvvm dialect has no op for this form.
static Value emitInstruction(KernelLowering &lk, Value acc,
                             ArrayRef<Value> words, Value descriptor, int64_t n,
                             Type element, bool bKMajor) {
  SmallVector<Value> registers = unpackAcc(lk, acc);
  size_t count = registers.size();
  auto list = [](size_t first, size_t size) {
    std::string text = "{$" + std::to_string(first);
    for (size_t i = first + 1; i < first + size; ++i) {
      text += ", $" + std::to_string(i);
    }
    return text + "}";
  };
  std::string type = element.isBF16() ? "bf16" : "f16";
  std::string text = "wgmma.mma_async.sync.aligned.m64n" + std::to_string(n) +
                     "k16.f32." + type + "." + type + " " + list(0, count) +
                     ", " + list(count, words.size()) + ", $" +
                     std::to_string(count + words.size()) + ", 1, 1, 1, " +
                     (bKMajor ? "0;" : "1;");
  SmallVector<Value> operands(words);
  operands.push_back(descriptor);
  llvm::append_range(operands, registers);
  std::string constraints;
  for (size_t i = 0; i < count; ++i) {
    constraints += "=f,";
  }
  for (size_t i = 0; i < words.size(); ++i) {
    constraints += "r,";
  }
  constraints += "l,";
  for (size_t i = 0; i < count; ++i) {
    constraints += std::to_string(i) + ",";
  }
  constraints += "~{memory}";
  return LLVM::InlineAsmOp::create(
             lk.builder, lk.loc(), acc.getType(), operands, text, constraints,
             /*has_side_effects=*/true, /*is_align_stack=*/false,
             LLVM::TailCallKind::None,
             LLVM::AsmDialectAttr::get(lk.builder.getContext(),
                                       LLVM::AsmDialect::AD_ATT),
             ArrayAttr())
      .getResult(0);
}

LogicalResult mlir::fusion::lowerWgmmaRegisters(tile::MMARegistersOp op,
                                                KernelLowering &lk) {
  auto aTile = cast<RankedTensorType>(op.getA().getType());
  RankedTensorType accTile = op.getAcc().getType().getTile();
  WgmmaOperand b{op.getB().getType(), op.getBKmajor()};
  int64_t n = accTile.getDimSize(1), k = aTile.getDimSize(1);
  int64_t rows = instructionM * (lk.partition().warps / 4);
  if (!isWgmmaLayout(lk, aTile) || aTile.getDimSize(0) != rows ||
      k % instructionK != 0 || n > mostColumns ||
      !accTile.getElementType().isF32() ||
      !isHalfFloat(aTile.getElementType()) || b.type.getSwizzle() != 128) {
    return op.emitOpError(
        "expected f16 or bf16 operands, a of 64 rows for each warpgroup, b "
        "with a 128-byte swizzle, and an f32 accumulator of at most 256 "
        "columns");
  }
  SmallVector<Value> words = packOperand(lk, op.getA());
  Value stage = stagePointer(lk, op.getB(), lk.getOne(op.getBStage()));
  Value descriptor = emitDescriptor(lk, stage, b);
  Value acc = lk.getOne(op.getAcc());
  NVVM::WgmmaFenceAlignedOp::create(lk.builder, lk.loc());
  for (int64_t step = 0; step < k / instructionK; ++step) {
    acc = emitInstruction(lk, acc, ArrayRef(words).slice(4 * step, 4),
                          advance(lk, descriptor, b.stepOffset(step)), n,
                          aTile.getElementType(), b.kMajor);
  }
  NVVM::WgmmaGroupSyncAlignedOp::create(lk.builder, lk.loc());
  lk.set(op.getResult(), {acc});
  return success();
}
