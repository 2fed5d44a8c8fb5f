//===- TileAccess.cpp - how a tile lies in global memory ------------------===//

#include "TileAccess.h"
#include "fusion/Tile/Divisibility.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::fusion;

/// The widest access of one thread, and what the C contract aligns arrays to.
static constexpr int64_t kMaxBytes = 16;

Type fusion::getMemoryType(Type type) {
  unsigned bits = type.getIntOrFloatBitWidth();
  bool needsByte = bits < 8 || (isa<FloatType>(type) && bits == 8);
  return needsByte ? IntegerType::get(type.getContext(), 8) : type;
}

Value fusion::fromMemory(OpBuilder &b, Location loc, Value value,
                         Type registerType) {
  if (value.getType() == registerType) {
    return value;
  }
  if (isa<FloatType>(registerType)) {
    return arith::BitcastOp::create(b, loc, registerType, value);
  }
  if (registerType.isInteger(1)) {
    Value zero = arith::ConstantIntOp::create(b, loc, 0, 8);
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, value, zero);
  }
  return arith::TruncIOp::create(b, loc, registerType, value);
}

Value fusion::toMemory(OpBuilder &b, Location loc, Value value) {
  Type memory = getMemoryType(value.getType());
  if (value.getType() == memory) {
    return value;
  }
  if (isa<FloatType>(value.getType())) {
    return arith::BitcastOp::create(b, loc, memory, value);
  }
  return arith::ExtUIOp::create(b, loc, memory, value);
}

Value fusion::emitAnd(OpBuilder &b, Location loc, Value lhs, Value rhs) {
  if (!lhs || !rhs) {
    return lhs ? lhs : rhs;
  }
  return arith::AndIOp::create(b, loc, lhs, rhs);
}

/// The mask of the bits of a thread number whose bases do not move along
/// `dims`.
static int64_t getCopyBits(ArrayRef<tile::Coords> bases,
                           ArrayRef<int64_t> dims) {
  int64_t mask = 0;
  for (size_t bit = 0; bit < bases.size(); ++bit) {
    const tile::Coords &base = bases[bit];
    if (llvm::all_of(dims, [&](int64_t dim) { return base[dim] == 0; })) {
      mask |= int64_t(1) << bit;
    }
  }
  return mask;
}

Value fusion::emitIsFirstCopy(KernelLowering &lk,
                              const tile::TileLayout &layout,
                              ArrayRef<int64_t> dims) {
  OpBuilder &b = lk.builder;
  Location loc = lk.loc();
  auto isZero = [&](Value id, int64_t mask) -> Value {
    if (mask == 0) {
      return Value();
    }
    Value bits = arith::AndIOp::create(b, loc, id, lk.constantI32(mask));
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, bits,
                                 lk.constantI32(0));
  };
  int64_t warpMask = getCopyBits(layout.warp, dims);
  // Warps beyond the layout's hold copies too.
  for (int64_t warp = layout.getWarps(); warp < lk.partition().warps;
       warp *= 2) {
    warpMask |= warp;
  }
  return emitAnd(b, loc, isZero(lk.laneId(), getCopyBits(layout.lane, dims)),
                 isZero(lk.warpInPartition(), warpMask));
}

//===----------------------------------------------------------------------===//
// Shape
//===----------------------------------------------------------------------===//

TileAccess::TileAccess(KernelLowering &lk, Value memref, ValueRange indices,
                       ArrayRef<int64_t> dims, ArrayRef<bool> inBounds,
                       RankedTensorType tile)
    : lk(lk), loc(lk.loc()), sourceIndices(indices.begin(), indices.end()),
      dims(dims), inBounds(inBounds), layout(tile::getLayout(tile)),
      type(cast<MemRefType>(memref.getType())) {
  memoryType = getMemoryType(lk.getRegisterType(tile));
  bytes = memoryType.getIntOrFloatBitWidth() / 8;
  for (Value index : indices) {
    this->indices.push_back(lk.getOne(index));
  }
  ArrayRef<Value> parts = lk.get(memref);
  pointer = parts.front();
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (type.isDynamicDim(dim)) {
      sizes.push_back({std::nullopt, parts[1 + type.getDynamicDimIndex(dim)]});
    } else {
      sizes.push_back({type.getDimSize(dim), Value()});
    }
  }
  ends = sizes;
  strides.resize(sizes.size());
  Size stride{1, Value()};
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
    strides[dim] = stride;
    const Size &size = sizes[dim];
    if (stride.known && size.known) {
      stride.known = *stride.known * *size.known;
    } else {
      Value product =
          stride.known == 1
              ? get(size)
              : arith::MulIOp::create(lk.builder, loc, get(stride), get(size))
                    .getResult();
      stride = {std::nullopt, product};
    }
  }
  for (int64_t reg = 0, e = layout.getRegisters(); reg < e; ++reg) {
    tile::Coords coords = layout.atRegister(reg);
    SmallVector<int64_t, 4> key;
    for (int64_t dim : dims) {
      key.push_back(dim < 0 ? 0 : coords[dim]);
    }
    elements[key].push_back(reg);
  }
  contiguous = getContiguousDim();
  positions.resize(sizes.size());
  base = emitBase();
}

void TileAccess::setLimits(ArrayRef<int64_t> limits) {
  for (auto [end, limit] : llvm::zip_equal(ends, limits)) {
    if (limit >= 0) {
      end = {limit, Value()};
    }
  }
}

Value TileAccess::get(const Size &size) {
  return size.known ? lk.constantI64(*size.known) : size.value;
}

int TileAccess::getContiguousDim() const {
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
    if (strides[dim].known != 1) {
      break;
    }
    if (dims[dim] >= 0 && layout.getShape()[dims[dim]] > 1) {
      return dim;
    }
  }
  return -1;
}

bool TileAccess::hasOuterDims(int dim) const {
  for (int outer = 0; outer < dim; ++outer) {
    if (sizes[outer].known != 1) {
      return true;
    }
  }
  return false;
}

/// Whether the thread's elements fall into aligned runs of `width`.
bool TileAccess::splitsInto(int64_t width) const {
  for (const auto &[key, registers] : elements) {
    SmallVector<int64_t, 4> other(key);
    int64_t first = key[contiguous] / width * width;
    for (int64_t i = 0; i < width; ++i) {
      other[contiguous] = first + i;
      if (elements.find(other) == elements.end()) {
        return false;
      }
    }
  }
  return true;
}

int64_t TileAccess::getWidth(bool assumePitch) const {
  if (contiguous < 0) {
    return 1;
  }
  // All the numbers that the address is a sum of, in elements.
  SmallVector<int64_t> terms{tile::getKnownDivisor(sourceIndices[contiguous])};
  for (ArrayRef<tile::Coords> bases : {ArrayRef<tile::Coords>(layout.lane),
                                       ArrayRef<tile::Coords>(layout.warp)}) {
    for (const tile::Coords &base : bases) {
      terms.push_back(base[dims[contiguous]]);
    }
  }
  if (hasOuterDims(contiguous)) {
    std::optional<int64_t> pitch = sizes[contiguous].known;
    if (pitch || !assumePitch) {
      terms.push_back(pitch.value_or(1));
    }
  }
  // Dims of one element behind the contiguous one may still have an offset.
  for (int64_t dim = contiguous + 1; dim < type.getRank(); ++dim) {
    terms.push_back(tile::getKnownDivisor(sourceIndices[dim]));
  }
  int64_t width = std::max<int64_t>(kMaxBytes / bytes, 1);
  auto fits = [&](int64_t width) {
    return llvm::all_of(terms, [&](int64_t t) { return t % width == 0; }) &&
           splitsInto(width);
  };
  while (width > 1 && !fits(width)) {
    width /= 2;
  }
  return width;
}

SmallVector<AccessVector> TileAccess::getVectors(int64_t width) const {
  SmallVector<AccessVector> vectors;
  for (auto &[key, registers] : elements) {
    bool starts = width == 1 || key[contiguous] % width == 0;
    if (starts) {
      vectors.push_back({key, {}});
    }
    // In the order of positions a vector's elements follow its first: dims
    // behind the contiguous one have a single element.
    vectors.back().registers.push_back(registers);
  }
  return vectors;
}

bool TileAccess::isAllOrNothing(int64_t width) const {
  if (width == 1 || inBounds[contiguous]) {
    return true;
  }
  std::optional<int64_t> end = ends[contiguous].known;
  return end && *end % width == 0;
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

/// The first element of the thread along `dim` of the memref.
Value TileAccess::emitPosition(unsigned dim) {
  if (!positions[dim]) {
    Value position = indices[dim];
    Value thread =
        dims[dim] < 0 ? Value() : lk.threadCoordinate(layout, dims[dim]);
    if (thread) {
      position = arith::AddIOp::create(lk.builder, loc, position, thread);
    }
    positions[dim] = position;
  }
  return positions[dim];
}

/// The address of the thread's element at register coordinates zero.
Value TileAccess::emitBase() {
  Value offset;
  for (size_t dim = 0; dim < sizes.size(); ++dim) {
    Value term = emitPosition(dim);
    if (strides[dim].known != 1) {
      term = arith::MulIOp::create(lk.builder, loc, term, get(strides[dim]));
    }
    offset =
        offset ? arith::AddIOp::create(lk.builder, loc, offset, term) : term;
  }
  if (!offset) {
    return pointer;
  }
  return LLVM::GEPOp::create(lk.builder, loc, pointer.getType(), memoryType,
                             pointer, LLVM::GEPArg(offset));
}

Value TileAccess::emitInterior(int64_t width) {
  OpBuilder &b = lk.builder;
  Value interior;
  auto require = [&](arith::CmpIPredicate predicate, Value lhs, Value rhs) {
    Value holds = arith::CmpIOp::create(b, loc, predicate, lhs, rhs);
    interior = emitAnd(b, loc, interior, holds);
  };
  for (size_t dim = 0; dim < sizes.size(); ++dim) {
    if (inBounds[dim]) {
      continue;
    }
    int64_t extent = dims[dim] < 0 ? 1 : layout.getShape()[dims[dim]];
    Value end =
        arith::AddIOp::create(b, loc, indices[dim], lk.constantI64(extent));
    require(arith::CmpIPredicate::sge, indices[dim], lk.constantI64(0));
    require(arith::CmpIPredicate::sle, end, get(ends[dim]));
  }
  if (width > getWidth(/*assumePitch=*/false)) {
    Value rest = arith::RemUIOp::create(b, loc, get(sizes[contiguous]),
                                        lk.constantI64(width));
    require(arith::CmpIPredicate::eq, rest, lk.constantI64(0));
  }
  return interior;
}

Value TileAccess::emitInBounds(const AccessVector &vector, int64_t element) {
  OpBuilder &b = lk.builder;
  Value inside;
  for (size_t dim = 0; dim < sizes.size(); ++dim) {
    if (inBounds[dim]) {
      continue;
    }
    Value position = emitPosition(dim);
    int64_t offset =
        vector.start[dim] + (static_cast<int>(dim) == contiguous ? element : 0);
    if (offset != 0) {
      position =
          arith::AddIOp::create(b, loc, position, lk.constantI64(offset));
    }
    // Unsigned: a position before the start is outside too.
    Value holds = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                        position, get(ends[dim]));
    inside = emitAnd(b, loc, inside, holds);
  }
  return inside;
}

Value TileAccess::emitAddress(const AccessVector &vector, int64_t element) {
  OpBuilder &b = lk.builder;
  int64_t known = 0;
  Value offset;
  for (size_t dim = 0; dim < sizes.size(); ++dim) {
    int64_t steps =
        vector.start[dim] + (static_cast<int>(dim) == contiguous ? element : 0);
    if (strides[dim].known) {
      known += steps * *strides[dim].known;
    } else if (steps != 0) {
      Value term = arith::MulIOp::create(b, loc, get(strides[dim]),
                                         lk.constantI64(steps));
      offset = offset ? arith::AddIOp::create(b, loc, offset, term) : term;
    }
  }
  Value address = base;
  if (offset) {
    address = LLVM::GEPOp::create(b, loc, address.getType(), memoryType,
                                  address, LLVM::GEPArg(offset));
  }
  if (known == 0) {
    return address;
  }
  // A constant of the op has fewer bits than its type says.
  LLVM::GEPArg step = llvm::isInt<LLVM::kGEPConstantBitWidth>(known)
                          ? LLVM::GEPArg(static_cast<int32_t>(known))
                          : LLVM::GEPArg(lk.constantI64(known));
  return LLVM::GEPOp::create(b, loc, address.getType(), memoryType, address,
                             step);
}
