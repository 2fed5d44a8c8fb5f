//===- Window.cpp - tiles of arrays through linear maps -------------------===//

#include "SharedAddress.h"
#include "TileAccess.h"
#include "WindowAccess.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::fusion;

/// What `cp.async` can copy.
static constexpr int64_t kLeastAsyncBytes = 4, kMostAsyncBytes = 16;

/// The value of type `type` at the register coordinates `at`, or `other`. Loads
/// are not put into branches where some address may always be read: they can
/// then be in flight together.
static Value emitLoad(KernelLowering &lk, WindowAccess &access, Type type,
                      ArrayRef<int64_t> at, Value other, int64_t bytes) {
  OpBuilder &b = lk.builder;
  Location loc = lk.loc();
  Value inside = access.emitInside(at);
  auto load = [&](Value address) -> Value {
    return LLVM::LoadOp::create(b, loc, type, address, bytes);
  };
  if (Value address = access.emitSafeAddress(at, inside)) {
    Value value = load(address);
    return inside ? arith::SelectOp::create(b, loc, inside, value, other)
                        .getResult()
                  : value;
  }
  auto branch = scf::IfOp::create(b, loc, type, inside,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(branch.thenBlock());
  scf::YieldOp::create(b, loc, load(access.emitAddress(at)));
  b.setInsertionPointToEnd(branch.elseBlock());
  scf::YieldOp::create(b, loc, other);
  return branch.getResult(0);
}

//===----------------------------------------------------------------------===//
// load_window
//===----------------------------------------------------------------------===//

/// Elements that consecutive registers hold and one access can read; the tile
/// dim that they lie along.
static int64_t chooseWidth(const WindowRead &read,
                           const tile::TileLayout &layout) {
  int64_t best = 1;
  for (int64_t dim = 0; dim < layout.getRank(); ++dim) {
    best = std::max(best,
                    std::min(read.getWidth(dim), layout.getVectorWidth(dim)));
  }
  return best;
}

static LogicalResult lowerLoadWindow(Operation *op, KernelLowering &lk) {
  auto load = cast<tile::LoadWindowOp>(op);
  if (failed(lk.getLoweredTypes(load.getType()))) {
    return failure();
  }
  OpBuilder &b = lk.builder;
  Location loc = lk.loc();
  tile::TileLayout layout = tile::getLayout(load.getResult());
  WindowRead read = WindowRead::get(load);
  int64_t width = chooseWidth(read, layout);
  WindowAccess access(lk, std::move(read), layout);
  Type registerType = lk.getRegisterType(load.getType());
  Value other =
      load.getOther()
          ? toMemory(b, loc, lk.getOne(load.getOther()))
          : lk.constant(cast<TypedAttr>(b.getZeroAttr(access.memoryType)));
  Type type = access.memoryType;
  if (width > 1) {
    auto vector = VectorType::get(width, access.memoryType);
    type = vector;
    other = vector::BroadcastOp::create(b, loc, vector, other);
  }
  SmallVector<Value> registers;
  for (int64_t reg = 0, e = layout.getRegisters(); reg < e; reg += width) {
    Value value = emitLoad(lk, access, type, layout.atRegister(reg), other,
                           access.bytes * width);
    for (int64_t i = 0; i < width; ++i) {
      Value element =
          width == 1 ? value
                     : vector::ExtractOp::create(b, loc, value, i).getResult();
      registers.push_back(fromMemory(b, loc, element, registerType));
    }
  }
  lk.set(load, registers);
  return success();
}

/// Calls `build` under `condition`, which may be null: always.
static void emitWhere(KernelLowering &lk, Value condition,
                      function_ref<void()> build) {
  condition ? emitIf(lk, condition, build) : build();
}

/// Stores the `width` elements from register `reg` on, where they exist.
static void emitStore(KernelLowering &lk, WindowAccess &access,
                      const tile::TileLayout &layout, ArrayRef<Value> registers,
                      int64_t reg, int64_t width) {
  OpBuilder &b = lk.builder;
  Location loc = lk.loc();
  tile::Coords at = layout.atRegister(reg);
  SmallVector<Value> elements;
  for (Value value : registers.slice(reg, width)) {
    elements.push_back(toMemory(b, loc, value));
  }
  emitWhere(lk, access.emitInside(at), [&] {
    Value stored = elements.front();
    if (width > 1) {
      auto type = VectorType::get(width, access.memoryType);
      stored = vector::FromElementsOp::create(b, loc, type, elements);
    }
    LLVM::StoreOp::create(b, loc, stored, access.emitAddress(at),
                          access.bytes * width);
  });
}

static LogicalResult lowerStoreWindow(Operation *op, KernelLowering &lk) {
  auto store = cast<tile::StoreWindowOp>(op);
  if (failed(lk.getLoweredTypes(store.getValue().getType()))) {
    return failure();
  }
  tile::TileLayout layout = tile::getLayout(store.getValue());
  WindowRead window = WindowRead::get(store);
  int64_t width = chooseWidth(window, layout);
  SmallVector<Value> registers(lk.get(store.getValue()));
  auto emit = [&] {
    WindowAccess access(lk, std::move(window), layout);
    for (int64_t reg = 0, e = layout.getRegisters(); reg < e; reg += width) {
      emitStore(lk, access, layout, registers, reg, width);
    }
  };
  // Copies of an element are stored once.
  SmallVector<int64_t> dims =
      llvm::to_vector(llvm::seq<int64_t>(0, layout.getRank()));
  emitWhere(lk, emitIsFirstCopy(lk, layout, dims), emit);
  return success();
}

static LogicalResult lowerMaskWindow(Operation *op, KernelLowering &lk) {
  auto mask = cast<tile::MaskWindowOp>(op);
  OpBuilder &b = lk.builder;
  tile::TileLayout layout = tile::getLayout(mask.getResult());
  WindowAccess access(lk, WindowRead::get(mask, Value()), layout);
  Value other = lk.getOne(mask.getOther());
  SmallVector<Value> registers(lk.get(mask.getSource()));
  for (auto [reg, value] : llvm::enumerate(registers)) {
    if (Value inside = access.emitInside(layout.atRegister(reg))) {
      value = arith::SelectOp::create(b, lk.loc(), inside, value, other);
    }
  }
  lk.set(mask, registers);
  return success();
}

//===----------------------------------------------------------------------===//
// copy_window
//===----------------------------------------------------------------------===//

/// Shares a stage among the threads: lanes lie along the columns, warps along
/// the rows, so that a thread has few columns, whose part of the addresses
/// stays the same from step to step.
static tile::TileLayout makeLayout(tile::BufferType buffer, int64_t warps,
                                   int64_t width) {
  SmallVector<int64_t> shape = {buffer.getRows(), buffer.getColumns()};
  SmallVector<int64_t> used = {1, 1};
  auto take = [&](ArrayRef<int64_t> order) {
    tile::Coords basis(2, 0);
    for (int64_t dim : order) {
      if (shape[dim] % (used[dim] * 2) == 0) {
        basis[dim] = used[dim];
        used[dim] *= 2;
        break;
      }
    }
    return basis;
  };
  tile::TileLayout layout;
  for (int64_t v = 1; v < width; v *= 2) {
    layout.reg.push_back(take({1}));
  }
  for (int64_t lane = 1; lane < 32; lane *= 2) {
    layout.lane.push_back(take({1, 0}));
  }
  for (int64_t warp = 1; warp < warps; warp *= 2) {
    layout.warp.push_back(take({0, 1}));
  }
  layout.repeat = {shape[0] / used[0], shape[1] / used[1]};
  return layout;
}

namespace {
class WindowCopy {
public:
  WindowCopy(tile::CopyWindowOp op, KernelLowering &lk)
      : lk(lk), buffer(op.getBuffer().getType()), width(chooseWidth(op)),
        layout(makeLayout(buffer, lk.partition().warps, width)),
        access(lk, WindowRead::get(op), layout),
        stage(stagePointer(lk, op.getBuffer(), lk.getOne(op.getStage()))) {}
  void emit();

private:
  static int64_t chooseWidth(tile::CopyWindowOp op);
  Value sharedPointer(int64_t reg) {
    return elementPointer(lk, buffer, stage, layout, layout.atRegister(reg));
  }
  void emitAsync(int64_t reg);
  void emitPlain();

  KernelLowering &lk;
  tile::BufferType buffer;
  int64_t width;
  tile::TileLayout layout;
  WindowAccess access;
  Value stage;
};
} // namespace

/// Elements that one thread copies at once.
int64_t WindowCopy::chooseWidth(tile::CopyWindowOp op) {
  tile::BufferType buffer = op.getBuffer().getType();
  int64_t bytes = buffer.getElementBytes();
  int64_t width = WindowRead::get(op).getWidth(/*dim=*/1);
  while (width > 1 && (buffer.getColumns() % width != 0 ||
                       width * bytes > kMostAsyncBytes)) {
    width /= 2;
  }
  return width * bytes < kLeastAsyncBytes ? 1 : width;
}

void WindowCopy::emitAsync(int64_t reg) {
  OpBuilder &b = lk.builder;
  int64_t bytes = width * buffer.getElementBytes();
  tile::Coords at = layout.atRegister(reg);
  Value filled;
  if (Value inside = access.emitInside(at)) {
    filled = arith::SelectOp::create(b, lk.loc(), inside, lk.constantI32(bytes),
                                     lk.constantI32(0));
  }
  auto modifier = bytes == kMostAsyncBytes ? NVVM::LoadCacheModifierKind::CG
                                           : NVVM::LoadCacheModifierKind::CA;
  NVVM::CpAsyncOp::create(b, lk.loc(), sharedPointer(reg),
                          access.emitAddress(at), bytes, modifier, filled);
}

/// Loads everything, then stores everything.
void WindowCopy::emitPlain() {
  OpBuilder &b = lk.builder;
  Value zero = lk.constant(cast<TypedAttr>(b.getZeroAttr(access.memoryType)));
  SmallVector<Value> values;
  for (int64_t reg = 0, e = layout.getRegisters(); reg < e; ++reg) {
    values.push_back(emitLoad(lk, access, access.memoryType,
                              layout.atRegister(reg), zero, access.bytes));
  }
  for (auto [reg, value] : llvm::enumerate(values)) {
    LLVM::StoreOp::create(b, lk.loc(), value, sharedPointer(reg), access.bytes);
  }
}

void WindowCopy::emit() {
  auto copy = [&] {
    if (width * buffer.getElementBytes() < kLeastAsyncBytes) {
      emitPlain();
      return;
    }
    for (int64_t reg = 0, e = layout.getRegisters(); reg < e; reg += width) {
      emitAsync(reg);
    }
  };
  // A stage smaller than the partition: each piece is copied by one thread.
  emitWhere(lk, emitIsFirstCopy(lk, layout, {0, 1}), copy);
}

void fusion::addWindowLowerings(OpLoweringTable &table) {
  table.add<tile::LoadWindowOp>(lowerLoadWindow);
  table.add<tile::MaskWindowOp>(lowerMaskWindow);
  table.add<tile::StoreWindowOp>(lowerStoreWindow);
  table.add<tile::CopyWindowOp>([](Operation *op, KernelLowering &lk) {
    WindowCopy(cast<tile::CopyWindowOp>(op), lk).emit();
    return success();
  });
}
