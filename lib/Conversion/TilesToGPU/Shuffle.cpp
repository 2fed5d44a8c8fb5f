//===- Shuffle.cpp - values of any type between the lanes of a warp -------===//

#include "Shuffle.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::fusion;

/// The shuffle itself: a 32-bit integer or f32.
static Value emitWordShuffle(KernelLowering &lk, Value word, int64_t laneMask) {
  return NVVM::ShflOp::create(lk.builder, lk.loc(), word.getType(),
                              lk.constantI32(-1), word,
                              lk.constantI32(laneMask), lk.constantI32(31),
                              NVVM::ShflKind::bfly, UnitAttr());
}

/// Moves a 64-bit integer in two halves.
static Value emitWideShuffle(KernelLowering &lk, Value bits, int64_t laneMask) {
  OpBuilder &b = lk.builder;
  Location loc = lk.loc();
  Type i32 = b.getI32Type(), i64 = b.getI64Type();
  Value half = lk.constantI64(32);
  Value low = arith::TruncIOp::create(b, loc, i32, bits);
  Value high = arith::TruncIOp::create(
      b, loc, i32, arith::ShRUIOp::create(b, loc, bits, half));
  low = arith::ExtUIOp::create(b, loc, i64, emitWordShuffle(lk, low, laneMask));
  high =
      arith::ExtUIOp::create(b, loc, i64, emitWordShuffle(lk, high, laneMask));
  return arith::OrIOp::create(b, loc, low,
                              arith::ShLIOp::create(b, loc, high, half));
}

Value fusion::emitShuffleXor(KernelLowering &lk, Value value,
                             int64_t laneMask) {
  OpBuilder &b = lk.builder;
  Location loc = lk.loc();
  Type type = value.getType();
  if (type.isF32() || type.isInteger(32)) {
    return emitWordShuffle(lk, value, laneMask);
  }
  unsigned width = type.getIntOrFloatBitWidth();
  Type integer = b.getIntegerType(width);
  Value bits = value;
  if (isa<FloatType>(type)) {
    bits = arith::BitcastOp::create(b, loc, integer, value);
  }
  if (width == 64) {
    bits = emitWideShuffle(lk, bits, laneMask);
  } else {
    Value word = arith::ExtUIOp::create(b, loc, b.getI32Type(), bits);
    word = emitWordShuffle(lk, word, laneMask);
    bits = arith::TruncIOp::create(b, loc, integer, word);
  }
  return isa<FloatType>(type)
             ? arith::BitcastOp::create(b, loc, type, bits).getResult()
             : bits;
}
