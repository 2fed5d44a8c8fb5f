//===- Memory.cpp - tile.load and tile.store ------------------------------===//

#include "TileAccess.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::fusion;

/// Emits `body` under `condition` if there is one. With `types` both sides
/// yield; `otherwise` may be null where there are none.
static SmallVector<Value> emitIf(KernelLowering &lk, Value condition,
                                 TypeRange types,
                                 function_ref<SmallVector<Value>()> body,
                                 function_ref<SmallVector<Value>()> otherwise) {
  if (!condition) {
    return body();
  }
  OpBuilder &b = lk.builder;
  Location loc = lk.loc();
  auto branch =
      scf::IfOp::create(b, loc, types, condition,
                        /*addThenBlock=*/true,
                        /*addElseBlock=*/static_cast<bool>(otherwise));
  OpBuilder::InsertionGuard guard(b);
  auto fill = [&](Region &region, function_ref<SmallVector<Value>()> build) {
    b.setInsertionPointToEnd(&region.front());
    SmallVector<Value> yielded = build();
    scf::YieldOp::create(b, loc, yielded);
  };
  fill(branch.getThenRegion(), body);
  if (otherwise) {
    fill(branch.getElseRegion(), otherwise);
  }
  return llvm::to_vector_of<Value>(branch.getResults());
}

/// The vector type that moves `width` elements; the element itself for one.
static Type getAccessType(Type element, int64_t width) {
  return width == 1 ? element : VectorType::get(width, element);
}

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

namespace {
/// Emits one `tile.load`.
class LoadEmitter {
public:
  LoadEmitter(tile::LoadOp op, KernelLowering &lk)
      : lk(lk), b(lk.builder), loc(op.getLoc()),
        access(lk, op.getMemref(), op.getIndices(), op.getDims(),
               op.getInBounds(), op.getType()),
        registerType(lk.getRegisterType(op.getType())),
        registers(tile::getLayout(op.getType()).getRegisters()) {
    if (op.getOther()) {
      other = lk.getOne(op.getOther());
    } else {
      other = lk.constant(cast<TypedAttr>(b.getZeroAttr(registerType)));
    }
  }

  SmallVector<Value> emit();

private:
  SmallVector<Value> emitAll(int64_t width, bool masked);
  SmallVector<Value> emitElements(const AccessVector &vector, int64_t first,
                                  int64_t width);
  SmallVector<Value> emitMasked(const AccessVector &vector);
  SmallVector<Value> emitGuarded(const AccessVector &vector);

  KernelLowering &lk;
  OpBuilder &b;
  Location loc;
  TileAccess access;
  Type registerType;
  int64_t registers;
  Value other;
};
} // namespace

/// Loads `width` elements of `vector` from element `first` on.
SmallVector<Value> LoadEmitter::emitElements(const AccessVector &vector,
                                             int64_t first, int64_t width) {
  Type type = getAccessType(access.memoryType, width);
  Value loaded = LLVM::LoadOp::create(
      b, loc, type, access.emitAddress(vector, first), access.bytes * width);
  SmallVector<Value> elements;
  for (int64_t i = 0; i < width; ++i) {
    Value element =
        width == 1 ? loaded
                   : vector::ExtractOp::create(b, loc, loaded, i).getResult();
    elements.push_back(fromMemory(b, loc, element, registerType));
  }
  return elements;
}

/// Loads the elements of `vector` one by one where they are in bounds.
SmallVector<Value> LoadEmitter::emitGuarded(const AccessVector &vector) {
  SmallVector<Value> elements;
  for (int64_t i = 0, e = vector.registers.size(); i < e; ++i) {
    Value inside = access.emitInBounds(vector, i);
    llvm::append_range(elements,
                       emitIf(
                           lk, inside, registerType,
                           [&] { return emitElements(vector, i, 1); },
                           [&] { return SmallVector<Value>{other}; }));
  }
  return elements;
}

SmallVector<Value> LoadEmitter::emitMasked(const AccessVector &vector) {
  int64_t width = vector.registers.size();
  Value inside = access.emitInBounds(vector, 0);
  SmallVector<Type> types(width, registerType);
  if (access.isAllOrNothing(width)) {
    return emitIf(
        lk, inside, types, [&] { return emitElements(vector, 0, width); },
        [&] { return SmallVector<Value>(width, other); });
  }
  // First and last element: what lies between them is in bounds with them.
  inside = emitAnd(b, loc, inside, access.emitInBounds(vector, width - 1));
  return emitIf(
      lk, inside, types, [&] { return emitElements(vector, 0, width); },
      [&] { return emitGuarded(vector); });
}

/// Loads everything in vectors of `width`; returns all registers.
SmallVector<Value> LoadEmitter::emitAll(int64_t width, bool masked) {
  SmallVector<Value> result(registers);
  for (const AccessVector &vector : access.getVectors(width)) {
    SmallVector<Value> elements =
        masked ? emitMasked(vector) : emitElements(vector, 0, width);
    for (auto [element, copies] : llvm::zip(elements, vector.registers)) {
      for (int64_t reg : copies) {
        result[reg] = element;
      }
    }
  }
  return result;
}

SmallVector<Value> LoadEmitter::emit() {
  int64_t width = access.getWidth(/*assumePitch=*/false);
  int64_t fastWidth = access.getWidth(/*assumePitch=*/true);
  bool masked = access.needsMask();
  bool oneVector = access.getVectors(fastWidth).size() == 1;
  if (fastWidth == width && (!masked || oneVector)) {
    return emitAll(width, masked);
  }
  return emitIf(
      lk, access.emitInterior(fastWidth),
      SmallVector<Type>(registers, registerType),
      [&] { return emitAll(fastWidth, /*masked=*/false); },
      [&] { return emitAll(width, masked); });
}

static LogicalResult lowerLoad(Operation *op, KernelLowering &lk) {
  auto load = cast<tile::LoadOp>(op);
  if (failed(lk.getLoweredTypes(load.getType()))) {
    return failure();
  }
  lk.set(load, LoadEmitter(load, lk).emit());
  return success();
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

namespace {
/// Emits one `tile.store`.
class StoreEmitter {
public:
  StoreEmitter(tile::StoreOp op, KernelLowering &lk)
      : lk(lk), b(lk.builder), loc(op.getLoc()),
        access(lk, op.getMemref(), op.getIndices(), op.getDims(),
               op.getInBounds(),
               cast<RankedTensorType>(op.getValue().getType())),
        values(lk.get(op.getValue())) {}

  void emit();

private:
  void emitAll(int64_t width, bool masked);
  void emitElements(const AccessVector &vector, int64_t first, int64_t width);
  void emitGuarded(const AccessVector &vector);
  void emitMasked(const AccessVector &vector);
  void emitUnder(Value condition, function_ref<void()> body,
                 function_ref<void()> otherwise = nullptr);

  KernelLowering &lk;
  OpBuilder &b;
  Location loc;
  TileAccess access;
  ArrayRef<Value> values;
};
} // namespace

void StoreEmitter::emitUnder(Value condition, function_ref<void()> body,
                             function_ref<void()> otherwise) {
  auto thenBody = [&] {
    body();
    return SmallVector<Value>();
  };
  auto elseBody = [&] {
    otherwise();
    return SmallVector<Value>();
  };
  function_ref<SmallVector<Value>()> none;
  emitIf(lk, condition, {}, thenBody,
         otherwise ? function_ref<SmallVector<Value>()>(elseBody) : none);
}

void StoreEmitter::emitElements(const AccessVector &vector, int64_t first,
                                int64_t width) {
  SmallVector<Value> elements;
  for (int64_t i = first; i < first + width; ++i) {
    elements.push_back(toMemory(b, loc, values[vector.registers[i].front()]));
  }
  Value stored = elements.front();
  if (width > 1) {
    stored = vector::FromElementsOp::create(
        b, loc, VectorType::get(width, access.memoryType), elements);
  }
  LLVM::StoreOp::create(b, loc, stored, access.emitAddress(vector, first),
                        access.bytes * width);
}

void StoreEmitter::emitGuarded(const AccessVector &vector) {
  for (int64_t i = 0, e = vector.registers.size(); i < e; ++i) {
    emitUnder(access.emitInBounds(vector, i),
              [&] { emitElements(vector, i, 1); });
  }
}

void StoreEmitter::emitMasked(const AccessVector &vector) {
  int64_t width = vector.registers.size();
  Value inside = access.emitInBounds(vector, 0);
  auto whole = [&] { emitElements(vector, 0, width); };
  if (access.isAllOrNothing(width)) {
    return emitUnder(inside, whole);
  }
  inside = emitAnd(b, loc, inside, access.emitInBounds(vector, width - 1));
  emitUnder(inside, whole, [&] { emitGuarded(vector); });
}

void StoreEmitter::emitAll(int64_t width, bool masked) {
  for (const AccessVector &vector : access.getVectors(width)) {
    if (masked) {
      emitMasked(vector);
    } else {
      emitElements(vector, 0, width);
    }
  }
}

void StoreEmitter::emit() {
  int64_t width = access.getWidth(/*assumePitch=*/false);
  int64_t fastWidth = access.getWidth(/*assumePitch=*/true);
  bool masked = access.needsMask();
  bool oneVector = access.getVectors(fastWidth).size() == 1;
  if (fastWidth == width && (!masked || oneVector)) {
    return emitAll(width, masked);
  }
  emitUnder(
      access.emitInterior(fastWidth),
      [&] { emitAll(fastWidth, /*masked=*/false); },
      [&] { emitAll(width, masked); });
}

static LogicalResult lowerStore(Operation *op, KernelLowering &lk) {
  auto store = cast<tile::StoreOp>(op);
  auto tileType = cast<RankedTensorType>(store.getValue().getType());
  if (failed(lk.getLoweredTypes(tileType))) {
    return failure();
  }
  SmallVector<int64_t> moving;
  llvm::copy_if(store.getDims(), std::back_inserter(moving),
                [](int64_t dim) { return dim >= 0; });
  Value first = emitIsFirstCopy(lk, tile::getLayout(tileType), moving);
  emitIf(
      lk, first, {},
      [&] {
        StoreEmitter(store, lk).emit();
        return SmallVector<Value>();
      },
      nullptr);
  return success();
}

void fusion::addMemoryLowerings(OpLoweringTable &table) {
  table.add<tile::LoadOp>(lowerLoad);
  table.add<tile::StoreOp>(lowerStore);
}
