//===- Multiply.cpp - accumulators and multiplies -------------------------===//

#include "Multiply.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::fusion;

SmallVector<Value> mlir::fusion::unpackAcc(KernelLowering &lk, Value acc) {
  auto type = cast<LLVM::LLVMStructType>(acc.getType());
  SmallVector<Value> registers;
  for (int64_t i = 0, e = type.getBody().size(); i < e; ++i) {
    registers.push_back(
        LLVM::ExtractValueOp::create(lk.builder, lk.loc(), acc, i));
  }
  return registers;
}

Value mlir::fusion::packAcc(KernelLowering &lk, Type type,
                            ArrayRef<Value> registers) {
  Value acc = LLVM::PoisonOp::create(lk.builder, lk.loc(), type);
  for (auto [i, value] : llvm::enumerate(registers)) {
    acc = LLVM::InsertValueOp::create(lk.builder, lk.loc(), acc, value, i);
  }
  return acc;
}

static LogicalResult lowerAccZero(tile::AccZeroOp op, KernelLowering &lk) {
  FailureOr<SmallVector<Type>> types = lk.getLoweredTypes(op.getType());
  if (failed(types)) {
    return failure();
  }
  lk.set(op.getResult(),
         {LLVM::ZeroOp::create(lk.builder, lk.loc(), types->front())});
  return success();
}

static LogicalResult lowerAccInit(tile::AccInitOp op, KernelLowering &lk) {
  FailureOr<SmallVector<Type>> types =
      lk.getLoweredTypes(op.getResult().getType());
  if (failed(types)) {
    return failure();
  }
  SmallVector<Value> registers(lk.get(op.getSource()));
  lk.set(op.getResult(), {packAcc(lk, types->front(), registers)});
  return success();
}

static LogicalResult lowerAccRead(tile::AccReadOp op, KernelLowering &lk) {
  SmallVector<Value> held = unpackAcc(lk, lk.getOne(op.getAcc()));
  tile::TileLayout from = tile::getLayout(op.getAcc().getType().getTile());
  tile::TileLayout to = tile::getLayout(op.getResult());
  SmallVector<Value> registers;
  for (int64_t r = 0, e = to.getRegisters(); r < e; ++r) {
    tile::Coords at = to.atRegister(r);
    at.back() += op.getColumn();
    std::optional<int64_t> source = from.findRegister(at);
    if (!source || to.lane != from.lane || to.warp != from.warp) {
      return op.emitOpError("expected a layout in which each thread holds the "
                            "columns that it reads");
    }
    registers.push_back(held[*source]);
  }
  lk.set(op.getResult(), registers);
  return success();
}

static LogicalResult lowerMMA(tile::MMAOp op, KernelLowering &lk) {
  if (op.getKind() == "wgmma") {
    return lowerWgmma(op, lk);
  }
  return op.getKind() == "mma" ? lowerMmaSync(op, lk) : lowerFma(op, lk);
}

/// Ties one accumulator to a wait, so that nothing moves its uses above it: the
/// wait is inline asm whose outputs are the accumulator's own registers.
static Value tieToWait(KernelLowering &lk, Value acc, StringRef text) {
  auto type = cast<LLVM::LLVMStructType>(acc.getType());
  std::string constraints;
  for (size_t i = 0, e = type.getBody().size(); i < e; ++i) {
    constraints += "=f,";
  }
  for (size_t i = 0, e = type.getBody().size(); i < e; ++i) {
    constraints += std::to_string(i) + ",";
  }
  constraints += "~{memory}";
  return LLVM::InlineAsmOp::create(
             lk.builder, lk.loc(), type, unpackAcc(lk, acc), text, constraints,
             /*has_side_effects=*/true, /*is_align_stack=*/false,
             LLVM::TailCallKind::None,
             LLVM::AsmDialectAttr::get(lk.builder.getContext(),
                                       LLVM::AsmDialect::AD_ATT),
             ArrayAttr())
      .getResult(0);
}

/// What a wait for the multiplies that a loop has left in flight adds to its
/// text, for `count` registers: x plus -0 is x. Without it ptxas 13 takes
/// maxima with 0 that are then rounded for reads before the wait, and lets the
/// multiplies run one by one.
static std::string getBarrierText(int64_t count) {
  std::string text;
  for (int64_t i = 0; i < count; ++i) {
    std::string name = "$" + std::to_string(i);
    text += "\nadd.f32 " + name + ", " + name + ", 0f80000000;";
  }
  return text;
}

static LogicalResult lowerMMAWait(tile::MMAWaitOp op, KernelLowering &lk) {
  std::string text =
      "wgmma.wait_group.sync.aligned " + std::to_string(op.getPending()) + ";";
  // Partitions that only multiply have come to no harm.
  bool mixed = op.getPending() == 0 && lk.partition().namedBarrier == 0;
  for (auto [acc, result] : llvm::zip(op.getAccs(), op.getResults())) {
    Value held = lk.getOne(acc);
    int64_t count = cast<LLVM::LLVMStructType>(held.getType()).getBody().size();
    bool ofLoop = mixed && acc.getDefiningOp<scf::ForOp>();
    lk.set(result,
           {tieToWait(lk, held, ofLoop ? text + getBarrierText(count) : text)});
  }
  return success();
}

void mlir::fusion::addMultiplyLowerings(OpLoweringTable &table) {
  table.add<tile::AccZeroOp>([](Operation *op, KernelLowering &lk) {
    return lowerAccZero(cast<tile::AccZeroOp>(op), lk);
  });
  table.add<tile::AccInitOp>([](Operation *op, KernelLowering &lk) {
    return lowerAccInit(cast<tile::AccInitOp>(op), lk);
  });
  table.add<tile::MMARegistersOp>([](Operation *op, KernelLowering &lk) {
    auto mma = cast<tile::MMARegistersOp>(op);
    return isWgmmaLayout(lk, mma.getAcc().getType().getTile())
               ? lowerWgmmaRegisters(mma, lk)
               : lowerMmaRegisters(mma, lk);
  });
  table.add<tile::StoreSharedOp>([](Operation *op, KernelLowering &lk) {
    return lowerStoreShared(cast<tile::StoreSharedOp>(op), lk);
  });
  table.add<tile::AccReadOp>([](Operation *op, KernelLowering &lk) {
    return lowerAccRead(cast<tile::AccReadOp>(op), lk);
  });
  table.add<tile::MMAOp>([](Operation *op, KernelLowering &lk) {
    return lowerMMA(cast<tile::MMAOp>(op), lk);
  });
  table.add<tile::MMAWaitOp>([](Operation *op, KernelLowering &lk) {
    return lowerMMAWait(cast<tile::MMAWaitOp>(op), lk);
  });
}
