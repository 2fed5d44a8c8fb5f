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

/// The elements of a value of getAccessType.
static SmallVector<Value> unpack(OpBuilder &b, Location loc, Value access) {
  auto type = dyn_cast<VectorType>(access.getType());
  if (!type) {
    return {access};
  }
  SmallVector<Value> elements;
  for (int64_t i = 0; i < type.getNumElements(); ++i) {
    elements.push_back(vector::ExtractOp::create(b, loc, access, i));
  }
  return elements;
}

static Value pack(OpBuilder &b, Location loc, ArrayRef<Value> elements) {
  if (elements.size() == 1) {
    return elements.front();
  }
  Type element = elements.front().getType();
  return vector::FromElementsOp::create(
      b, loc, getAccessType(element, elements.size()), elements);
}

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

namespace {
/// Emits one `tile.load`. Elements stay in the vectors that they come in (and
/// narrow ones share registers) until both sides of a branch have met.
class LoadEmitter {
public:
  LoadEmitter(tile::LoadOp op, KernelLowering &lk)
      : lk(lk), b(lk.builder), loc(op.getLoc()),
        access(lk, op.getMemref(), op.getIndices(), op.getDims(),
               op.getInBounds(), op.getType()),
        registerType(lk.getRegisterType(op.getType())),
        registers(tile::getLayout(op.getType()).getRegisters()) {
    if (op.getOther()) {
      other = toMemory(b, loc, lk.getOne(op.getOther()));
    } else {
      other = lk.constant(cast<TypedAttr>(b.getZeroAttr(access.memoryType)));
    }
  }

  SmallVector<Value> emit();

private:
  SmallVector<Value> emitAll(int64_t width, bool masked);
  Value emitWhole(const AccessVector &vector, int64_t first, int64_t width);
  Value emitMasked(const AccessVector &vector);
  Value emitGuarded(const AccessVector &vector);
  SmallVector<Value> repack(ArrayRef<Value> vectors, int64_t width);

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
Value LoadEmitter::emitWhole(const AccessVector &vector, int64_t first,
                             int64_t width) {
  Type type = getAccessType(access.memoryType, width);
  return LLVM::LoadOp::create(b, loc, type, access.emitAddress(vector, first),
                              access.bytes * width);
}

/// Loads the elements of `vector` one by one where they are in bounds.
Value LoadEmitter::emitGuarded(const AccessVector &vector) {
  SmallVector<Value> elements;
  for (int64_t i = 0, e = vector.registers.size(); i < e; ++i) {
    Value inside = access.emitInBounds(vector, i);
    llvm::append_range(
        elements,
        emitIf(
            lk, inside, access.memoryType,
            [&] { return SmallVector<Value>{emitWhole(vector, i, 1)}; },
            [&] { return SmallVector<Value>{other}; }));
  }
  return pack(b, loc, elements);
}

Value LoadEmitter::emitMasked(const AccessVector &vector) {
  int64_t width = vector.registers.size();
  Value inside = access.emitInBounds(vector, 0);
  Type type = getAccessType(access.memoryType, width);
  auto whole = [&] { return SmallVector<Value>{emitWhole(vector, 0, width)}; };
  if (access.isAllOrNothing(width)) {
    Value outside = pack(b, loc, SmallVector<Value>(width, other));
    return emitIf(lk, inside, type, whole,
                  [&] { return SmallVector<Value>{outside}; })
        .front();
  }
  // First and last element: what lies between them is in bounds with them.
  inside = emitAnd(b, loc, inside, access.emitInBounds(vector, width - 1));
  return emitIf(lk, inside, type, whole,
                [&] { return SmallVector<Value>{emitGuarded(vector)}; })
      .front();
}

/// Loads everything, a value for each vector of `width`.
SmallVector<Value> LoadEmitter::emitAll(int64_t width, bool masked) {
  SmallVector<Value> result;
  for (const AccessVector &vector : access.getVectors(width)) {
    result.push_back(masked ? emitMasked(vector) : emitWhole(vector, 0, width));
  }
  return result;
}

/// The elements of `vectors`, in the same order, in vectors of `width`.
SmallVector<Value> LoadEmitter::repack(ArrayRef<Value> vectors, int64_t width) {
  SmallVector<Value> elements, result;
  for (Value vector : vectors) {
    llvm::append_range(elements, unpack(b, loc, vector));
  }
  for (size_t i = 0; i < elements.size(); i += width) {
    result.push_back(pack(b, loc, ArrayRef<Value>(elements).slice(i, width)));
  }
  return result;
}

SmallVector<Value> LoadEmitter::emit() {
  int64_t width = access.getWidth(/*assumePitch=*/false);
  int64_t fastWidth = access.getWidth(/*assumePitch=*/true);
  bool masked = access.needsMask();
  SmallVector<AccessVector> vectors = access.getVectors(fastWidth);
  SmallVector<Value> loaded;
  if (fastWidth == width && (!masked || vectors.size() == 1)) {
    loaded = emitAll(width, masked);
  } else {
    Type type = getAccessType(access.memoryType, fastWidth);
    loaded = emitIf(
        lk, access.emitInterior(fastWidth),
        SmallVector<Type>(vectors.size(), type),
        [&] { return emitAll(fastWidth, /*masked=*/false); },
        [&] { return repack(emitAll(width, masked), fastWidth); });
  }
  SmallVector<Value> result(registers);
  for (auto [value, vector] : llvm::zip(loaded, vectors)) {
    for (auto [element, copies] :
         llvm::zip(unpack(b, loc, value), vector.registers)) {
      Value converted = fromMemory(b, loc, element, registerType);
      for (int64_t reg : copies) {
        result[reg] = converted;
      }
    }
  }
  return result;
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
        values(lk.get(op.getValue())) {
    if (std::optional<ArrayRef<int64_t>> limits = op.getLimits()) {
      access.setLimits(*limits);
    }
  }

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
  Value stored = pack(b, loc, elements);
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
  addGatherLowering(table);
}
