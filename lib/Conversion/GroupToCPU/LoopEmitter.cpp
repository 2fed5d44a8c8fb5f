//===- LoopEmitter.cpp - indices, masks and loops on vectors --------------===//

#include "LoopEmitter.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::fusion;

/// Whether the last dimension of `type` has stride one.
static bool hasUnitStride(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  return type.getRank() > 0 &&
         succeeded(type.getStridesAndOffset(strides, offset)) &&
         strides.back() == 1;
}

bool fusion::hasVectorMemory(Type type) {
  return type.isIntOrFloat() && type.getIntOrFloatBitWidth() % 8 == 0;
}

bool Access::isContiguousIn(unsigned dim) const {
  auto type = dyn_cast<MemRefType>(source.getType());
  if (!type || !hasUnitStride(type) ||
      !hasVectorMemory(type.getElementType())) {
    return false;
  }
  for (AffineExpr expr : map.getResults().drop_back()) {
    if (expr.isFunctionOfDim(dim)) {
      return false;
    }
  }
  AffineExpr last = map.getResults().back();
  AffineExpr d = getAffineDimExpr(dim, map.getContext());
  AffineExpr step = simplifyAffineExpr(last.replace(d, d + 1) - last,
                                       map.getNumDims(), map.getNumSymbols());
  auto constant = dyn_cast<AffineConstantExpr>(step);
  return constant && constant.getValue() == 1;
}

Value LoopEmitter::index(int64_t value) {
  return arith::ConstantIndexOp::create(b, value);
}

Value LoopEmitter::add(Value lhs, Value rhs) {
  return b.createOrFold<arith::AddIOp>(lhs, rhs);
}

Value LoopEmitter::sub(Value lhs, Value rhs) {
  return b.createOrFold<arith::SubIOp>(lhs, rhs);
}

Value LoopEmitter::min(Value lhs, Value rhs) {
  return b.createOrFold<arith::MinSIOp>(lhs, rhs);
}

Value LoopEmitter::roundUp(Value value, int64_t factor) {
  Value quotient = b.createOrFold<arith::CeilDivUIOp>(value, index(factor));
  return b.createOrFold<arith::MulIOp>(quotient, index(factor));
}

SmallVector<Value> LoopEmitter::indices(const Access &access, ValueRange ivs) {
  SmallVector<Value> result;
  for (AffineExpr expr : access.map.getResults()) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      result.push_back(ivs[dim.getPosition()]);
      continue;
    }
    auto map = AffineMap::get(access.map.getNumDims(), 0, expr);
    SmallVector<OpFoldResult> operands(ivs.begin(), ivs.end());
    result.push_back(getValueOrCreateConstantIndexOp(
        b, b.getLoc(),
        affine::makeComposedFoldedAffineApply(b, b.getLoc(), map, operands)));
  }
  return result;
}

void LoopEmitter::loop(Value lb, Value ub, int64_t step,
                       llvm::function_ref<void(Value)> body) {
  loop(lb, ub, step, {}, [&](Value iv, ValueRange) -> SmallVector<Value> {
    body(iv);
    return {};
  });
}

SmallVector<Value> LoopEmitter::loop(
    Value lb, Value ub, int64_t step, ValueRange inits,
    llvm::function_ref<SmallVector<Value>(Value, ValueRange)> body) {
  auto forOp = scf::ForOp::create(
      b, lb, ub, index(step), inits,
      [&](OpBuilder &nested, Location loc, Value iv, ValueRange carried) {
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPoint(nested.getBlock(), nested.getInsertionPoint());
        scf::YieldOp::create(b, body(iv, carried));
      });
  return llvm::to_vector_of<Value>(forOp.getResults());
}

Value LoopEmitter::splat(Value scalar) {
  return vector::BroadcastOp::create(b, vectorType(scalar.getType()), scalar);
}

Value LoopEmitter::zeros(Type element) {
  VectorType type = vectorType(element);
  return arith::ConstantOp::create(b, type, b.getZeroAttr(type));
}

Value LoopEmitter::mask(Value count) {
  // Masks are computed in 32 bits.
  count = min(count, index(lanes));
  return vector::CreateMaskOp::create(b, vectorType(b.getI1Type()), count);
}

Value LoopEmitter::load(const Access &access, ValueRange ivs, Value mask) {
  VectorType type = vectorType(access.getElementType());
  SmallVector<Value> at = indices(access, ivs);
  if (!mask) {
    return vector::LoadOp::create(b, type, access.source, at);
  }
  return vector::MaskedLoadOp::create(b, type, access.source, at, mask,
                                      zeros(access.getElementType()));
}

void LoopEmitter::store(Value vector, const Access &access, ValueRange ivs,
                        Value mask) {
  SmallVector<Value> at = indices(access, ivs);
  if (!mask) {
    vector::StoreOp::create(b, vector, access.source, at);
    return;
  }
  vector::MaskedStoreOp::create(b, access.source, at, mask, vector);
}

SmallVector<Value> LoopEmitter::transpose(SmallVector<Value> rows) {
  // Each round interleaves line i with line i + lanes / 2. Seen as bits of
  // (line, lane) that rotates the position of every element by one bit; after
  // log2(lanes) rounds line and lane have changed places.
  int64_t half = lanes / 2;
  SmallVector<int64_t> low, high;
  for (int64_t i = 0; i < half; ++i) {
    low.append({i, i + lanes});
    high.append({i + half, i + half + lanes});
  }
  for (int64_t round = 1; round < lanes; round *= 2) {
    SmallVector<Value> next;
    for (int64_t i = 0; i < half; ++i) {
      for (ArrayRef<int64_t> lanes : {ArrayRef(low), ArrayRef(high)}) {
        next.push_back(
            vector::ShuffleOp::create(b, rows[i], rows[i + half], lanes));
      }
    }
    rows = std::move(next);
  }
  return rows;
}

Value LoopEmitter::loadScalar(const Access &access, ValueRange ivs) {
  if (access.isScalar()) {
    return access.source;
  }
  return memref::LoadOp::create(b, access.source, indices(access, ivs));
}

Operation *LoopEmitter::cloneElementwise(Operation &op, IRMapping &mapping,
                                         int64_t length) {
  if (length == 0 || op.hasTrait<OpTrait::ConstantLike>()) {
    return b.clone(op, mapping);
  }
  SmallVector<Value> operands;
  for (Value operand : op.getOperands()) {
    Value value = mapping.lookupOrDefault(operand);
    if (!isa<VectorType>(value.getType())) {
      auto type = VectorType::get({length}, value.getType());
      value = vector::BroadcastOp::create(b, type, value);
    }
    operands.push_back(value);
  }
  OperationState state(op.getLoc(), op.getName());
  state.addOperands(operands);
  state.addAttributes(op.getAttrs());
  for (Type type : op.getResultTypes()) {
    state.addTypes(VectorType::get({length}, type));
  }
  Operation *clone = b.create(state);
  mapping.map(op.getResults(), clone->getResults());
  return clone;
}
