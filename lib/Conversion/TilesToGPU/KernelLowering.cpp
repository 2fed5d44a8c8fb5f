//===- KernelLowering.cpp - rebuilds one kernel on registers --------------===//

#include "KernelLowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fusion;

static constexpr int64_t kLanes = 32;
static constexpr unsigned kShared = 3;

const OpLowering *OpLoweringTable::find(Operation *op) const {
  if (auto info = op->getRegisteredInfo()) {
    auto it = ops.find(info->getTypeID());
    if (it != ops.end()) {
      return &it->second;
    }
  }
  auto it = dialects.find(op->getName().getDialectNamespace());
  return it == dialects.end() ? nullptr : &it->second;
}

KernelLowering::KernelLowering(LLVM::LLVMFuncOp kernel, LLVM::GlobalOp smem,
                               int64_t warps, const OpLoweringTable &table)
    : builder(kernel.getContext()), kernel(kernel), smem(smem), table(table),
      currentLoc(kernel.getLoc()) {
  partitions.push_back({0, warps, 0, false});
  builder.setInsertionPointToStart(&kernel.getBody().front());
  threadId =
      NVVM::ThreadIdXOp::create(builder, currentLoc, builder.getI32Type());
  lastOfPrologue = threadId.getDefiningOp();
}

//===----------------------------------------------------------------------===//
// Values and types
//===----------------------------------------------------------------------===//

SmallVector<Value> &KernelLowering::get(Value value) {
  SmallVector<Value> *&slot = lowered[value];
  if (!slot) {
    slot = &storage.emplace_back();
  }
  return *slot;
}

Value KernelLowering::getOne(Value value) {
  SmallVector<Value> &values = get(value);
  assert(values.size() == 1 && "expected a value that became one value");
  return values.front();
}

void KernelLowering::set(Value value, ValueRange to) {
  // `to` may be a view of the very list that is replaced.
  SmallVector<Value> copy(to.begin(), to.end());
  get(value) = std::move(copy);
}

Type KernelLowering::getRegisterType(Type type) const {
  Type element = getElementTypeOrSelf(type);
  return element.isIndex() ? IntegerType::get(type.getContext(), 64) : element;
}

/// The struct of registers that an accumulator is.
static Type getAccumulatorType(tile::AccType acc, Type element) {
  int64_t registers = tile::getLayout(acc.getTile()).getRegisters();
  SmallVector<Type> fields(registers, element);
  return LLVM::LLVMStructType::getLiteral(acc.getContext(), fields);
}

FailureOr<SmallVector<Type>> KernelLowering::getLoweredTypes(Type type) const {
  if (auto tile = dyn_cast<RankedTensorType>(type)) {
    if (!isa_and_nonnull<tile::LayoutAttr>(tile.getEncoding())) {
      emitError(loc()) << "expected a tile with a layout, but got " << type;
      return failure();
    }
    return SmallVector<Type>(tile::getLayout(tile).getRegisters(),
                             getRegisterType(type));
  }
  if (auto acc = dyn_cast<tile::AccType>(type)) {
    return SmallVector<Type>{
        getAccumulatorType(acc, getRegisterType(acc.getTile()))};
  }
  if (isa<tile::BufferType, tile::BarriersType>(type)) {
    return SmallVector<Type>{
        LLVM::LLVMPointerType::get(type.getContext(), kShared)};
  }
  if (type.isIntOrIndexOrFloat()) {
    return SmallVector<Type>{getRegisterType(type)};
  }
  emitError(loc()) << "expected a tile, an accumulator or a scalar, but got "
                   << type;
  return failure();
}

//===----------------------------------------------------------------------===//
// The prologue: constants and thread numbers
//===----------------------------------------------------------------------===//

Value KernelLowering::inPrologue(function_ref<Value()> build) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfter(lastOfPrologue);
  Value value = build();
  // Constants that `build` asked for stand before its own ops: a nested call
  // inserts at the old end, and this one's place is behind it.
  lastOfPrologue = &*std::prev(builder.getInsertionPoint());
  return value;
}

Value KernelLowering::constant(TypedAttr value) {
  Value known = constants.lookup(value);
  if (!known) {
    known = inPrologue([&]() -> Value {
      return arith::ConstantOp::create(builder, kernel.getLoc(), value);
    });
    constants[value] = known;
  }
  return known;
}

Value KernelLowering::constantInt(Type type, int64_t value) {
  return constant(builder.getIntegerAttr(type, value));
}

Value KernelLowering::constantI32(int64_t value) {
  return constantInt(builder.getI32Type(), value);
}

Value KernelLowering::constantI64(int64_t value) {
  return constantInt(builder.getI64Type(), value);
}

Value KernelLowering::laneId() {
  if (!lane) {
    Value mask = constantI32(kLanes - 1);
    lane = inPrologue([&]() -> Value {
      return arith::AndIOp::create(builder, kernel.getLoc(), threadId, mask);
    });
  }
  return lane;
}

Value KernelLowering::threadInPartition() {
  int64_t first = partition().firstWarp;
  if (first == 0) {
    return threadId;
  }
  Value thread = threadAndWarp[first].first;
  if (!thread) {
    Value start = constantI32(first * kLanes);
    thread = inPrologue([&]() -> Value {
      return arith::SubIOp::create(builder, kernel.getLoc(), threadId, start);
    });
    threadAndWarp[first].first = thread;
  }
  return thread;
}

Value KernelLowering::warpInPartition() {
  int64_t first = partition().firstWarp;
  Value warp = threadAndWarp[first].second;
  if (!warp) {
    Value thread = threadInPartition();
    Value bits = constantI32(llvm::Log2_64(kLanes));
    warp = inPrologue([&]() -> Value {
      return arith::ShRUIOp::create(builder, kernel.getLoc(), thread, bits);
    });
    threadAndWarp[first].second = warp;
  }
  return warp;
}

//===----------------------------------------------------------------------===//
// Coordinates
//===----------------------------------------------------------------------===//

/// Adds to `sum` the part of a coordinate that the bits of `id` contribute:
/// runs of bits whose bases double are moved together.
static Value addBits(KernelLowering &lk, Location loc, Value sum, Value id,
                     ArrayRef<tile::Coords> bases, int64_t dim) {
  OpBuilder &b = lk.builder;
  for (size_t bit = 0; bit < bases.size();) {
    int64_t base = bases[bit][dim];
    if (base == 0) {
      ++bit;
      continue;
    }
    size_t end = bit + 1;
    while (end < bases.size() && bases[end][dim] == base << (end - bit)) {
      ++end;
    }
    Value part = id;
    if (bit != 0) {
      part = arith::ShRUIOp::create(b, loc, part, lk.constantI32(bit));
    }
    part = arith::AndIOp::create(
        b, loc, part, lk.constantI32((int64_t(1) << (end - bit)) - 1));
    part = arith::MulIOp::create(b, loc, part, lk.constantI32(base));
    sum = sum ? arith::AddIOp::create(b, loc, sum, part).getResult() : part;
    bit = end;
  }
  return sum;
}

Value KernelLowering::threadCoordinate(const tile::TileLayout &layout,
                                       int64_t dim) {
  Value lane = laneId(), warp = warpInPartition();
  Location at = kernel.getLoc();
  return inPrologue([&]() -> Value {
    Value sum = addBits(*this, at, Value(), lane, layout.lane, dim);
    sum = addBits(*this, at, sum, warp, layout.warp, dim);
    return sum ? arith::ExtUIOp::create(builder, at, builder.getI64Type(), sum)
                     .getResult()
               : Value();
  });
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

/// The place of a scratch area is known only at the end.
static constexpr int32_t kUnplaced = 0;

Value KernelLowering::allocShared(int64_t bytes, int64_t alignment) {
  assert(alignment <= 1024 && "expected no more than @smem's own alignment");
  int64_t offset = llvm::alignTo(sharedBytes, alignment);
  sharedBytes = offset + bytes;
  return inPrologue([&]() -> Value {
    if (!smemBase) {
      smemBase = LLVM::AddressOfOp::create(builder, kernel.getLoc(), smem);
    }
    return LLVM::GEPOp::create(builder, kernel.getLoc(), smemBase.getType(),
                               builder.getI8Type(), smemBase,
                               LLVM::GEPArg(static_cast<int32_t>(offset)));
  });
}

Value KernelLowering::allocScratch(int64_t bytes) {
  Scratch &scratch = scratches[{partition().firstWarp, partition().warps}];
  scratch.bytes = std::max(scratch.bytes, bytes);
  if (!scratch.pointer) {
    Value pointer = allocShared(0, 1);
    scratch.pointer = pointer.getDefiningOp<LLVM::GEPOp>();
    scratch.pointer.setRawConstantIndices({kUnplaced});
  }
  return scratch.pointer;
}

int64_t KernelLowering::finish() {
  for (auto &[warps, scratch] : scratches) {
    sharedBytes = llvm::alignTo(sharedBytes, 16);
    scratch.pointer.setRawConstantIndices({static_cast<int32_t>(sharedBytes)});
    sharedBytes += scratch.bytes;
  }
  return sharedBytes;
}

void KernelLowering::syncPartition() {
  const Partition &p = partition();
  assert(!p.singleThread && "expected code that whole warps run");
  if (p.warps == 1) {
    NVVM::SyncWarpOp::create(builder, loc(), constantI32(-1));
  } else if (p.namedBarrier == 0) {
    NVVM::Barrier0Op::create(builder, loc());
  } else {
    NVVM::BarrierOp::create(
        builder, loc(), TypeRange(), constantI32(p.namedBarrier),
        constantI32(p.warps * kLanes), NVVM::BarrierReductionAttr(), Value());
  }
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

LogicalResult KernelLowering::lowerOp(Operation *op) {
  Location saved = currentLoc;
  currentLoc = op->getLoc();
  const OpLowering *lowering = table.find(op);
  LogicalResult result =
      lowering
          ? (*lowering)(op, *this)
          : op->emitError("expected an op that has a lowering to a thread's "
                          "registers, but got '")
                << op->getName() << "'";
  currentLoc = saved;
  return result;
}

LogicalResult KernelLowering::lowerBlock(Block &block, bool skipTerminator) {
  auto ops = skipTerminator && block.mightHaveTerminator()
                 ? block.without_terminator()
                 : llvm::make_range(block.begin(), block.end());
  for (Operation &op : ops) {
    if (failed(lowerOp(&op))) {
      return failure();
    }
  }
  return success();
}
