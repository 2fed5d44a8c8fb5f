//===- RegisterDemand.cpp - registers that the tiles of a kernel take -----===//

#include "RegisterDemand.h"

#include "fusion/Tile/IR/Tile.h"
#include "mlir/Analysis/Liveness.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::fusion;

/// The registers of 32 bits that hold a thread's part of `value`: none for what
/// is no tile, or costs nothing to make again.
static int64_t countRegisters(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  auto layout = type ? dyn_cast_or_null<tile::LayoutAttr>(type.getEncoding())
                     : tile::LayoutAttr();
  Operation *def = value.getDefiningOp();
  if (!layout || isa_and_nonnull<arith::ConstantOp, tile::SplatOp,
                                 tile::IndexOp, tile::BroadcastOp>(def)) {
    return 0;
  }
  Type element = type.getElementType();
  int64_t bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
  return tile::getLayout(type).getRegisters() * llvm::divideCeil(bits, 32);
}

int64_t fusion::countTileRegisters(gpu::GPUFuncOp func) {
  Liveness liveness(func);
  int64_t most = 0;
  func.walk([&](Operation *op) {
    const LivenessBlockInfo *info = liveness.getLiveness(op->getBlock());
    if (!info || op == func) {
      return;
    }
    int64_t sum = 0;
    for (Value value : info->currentlyLiveValues(op)) {
      sum += countRegisters(value);
    }
    most = std::max(most, sum);
  });
  return most;
}
