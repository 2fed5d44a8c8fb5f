//===- WindowAccess.cpp - where a window lies in global memory ------------===//

#include "WindowAccess.h"

#include "TileAccess.h"
#include "fusion/Tile/Divisibility.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::fusion;

/// The widest access of one thread.
static constexpr int64_t kMaxBytes = 16;
/// Places and tiles are smaller than this; less it, nothing is inside.
static constexpr int64_t kFarAway = int64_t(1) << 30;

//===----------------------------------------------------------------------===//
// Shape
//===----------------------------------------------------------------------===//

int64_t WindowRead::getFirst(int64_t dim) const {
  int64_t first = 0;
  for (int64_t part : ArrayRef(parts).take_front(dim)) {
    first += part;
  }
  return first;
}

int64_t WindowRead::getInnerSize(int64_t dim) const {
  int64_t size = 1;
  for (int64_t i = 1; i < parts[dim]; ++i) {
    size *= sizes[getFirst(dim) + i];
  }
  return size;
}

int64_t WindowRead::getWidth(int64_t dim) const {
  MemRefType type = getType();
  int64_t rank = type.getRank();
  if (rank == 0 || checked.back()) {
    return 1;
  }
  // Neighbours: one step along the last dim and along no other.
  unsigned inner = getFirst(dim) + parts[dim] - 1;
  SmallVector<int64_t> steps = tile::getSteps(map, inner);
  bool neighbours = steps.back() == 1;
  for (int64_t step : ArrayRef(steps).drop_back()) {
    neighbours &= step == 0;
  }
  if (!neighbours) {
    return 1;
  }
  // Everything that a vector's address is a sum of, in elements.
  SmallVector<int64_t> terms = {tile::getKnownDivisor(indices.back()),
                                tile::getKnownDivisor(offsets[dim])};
  int64_t last = type.getShape().back();
  if (rank > 1) {
    terms.push_back(ShapedType::isDynamic(last) ? 1 : last);
  }
  for (unsigned number = 0; number < map.getNumDims(); ++number) {
    if (number != inner) {
      terms.push_back(tile::getSteps(map, number).back());
    }
  }
  // No vector may cross the end of the coordinate or of the tile dim.
  if (parts[dim] > 1) {
    terms.push_back(sizes[inner]);
  }
  if (!inBounds[dim]) {
    terms.push_back(tile::getKnownDivisor(limits[dim]));
  }
  int64_t width = std::max<int64_t>(
      kMaxBytes / tile::getElementBytes(type.getElementType()), 1);
  while (width > 1 &&
         !llvm::all_of(terms, [&](int64_t t) { return t % width == 0; })) {
    width /= 2;
  }
  return width;
}

WindowAccess::WindowAccess(KernelLowering &lk, WindowRead window,
                           tile::TileLayout tile)
    : lk(lk), b(lk.builder), loc(lk.loc()), read(std::move(window)),
      layout(std::move(tile)) {
  if (read.memref) {
    memoryType =
        getMemoryType(lk.getRegisterType(read.getType().getElementType()));
    bytes = memoryType.getIntOrFloatBitWidth() / 8;
    collectStrides();
  } else {
    strides.resize(read.checked.size(), Stride{0, Value()});
  }
  chooseTypes();
  emitStarts();
}

void WindowAccess::collectStrides() {
  MemRefType type = read.getType();
  ArrayRef<Value> values = lk.get(read.memref);
  pointer = values.front();
  strides.resize(type.getRank());
  Stride stride{1, Value()};
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
    strides[dim] = stride;
    if (!type.isDynamicDim(dim) && stride.known) {
      stride.known = *stride.known * type.getDimSize(dim);
      continue;
    }
    Value size = type.isDynamicDim(dim)
                     ? values[1 + type.getDynamicDimIndex(dim)]
                     : lk.constantI64(type.getDimSize(dim));
    Value product =
        stride.known == 1
            ? size
            : arith::MulIOp::create(b, loc, emitStride(stride), size)
                  .getResult();
    stride = {std::nullopt, product};
  }
}

Value WindowAccess::emitStride(const Stride &stride) {
  return stride.known ? lk.constantI64(*stride.known) : stride.value;
}

/// Elements that one step of `coordinate` moves in memory, if that is known.
std::optional<int64_t> WindowAccess::getKnownStep(unsigned coordinate) {
  int64_t sum = 0;
  for (auto [step, stride] :
       llvm::zip_equal(tile::getSteps(read.map, coordinate), strides)) {
    if (step != 0 && !stride.known) {
      return std::nullopt;
    }
    sum += step == 0 ? 0 : step * *stride.known;
  }
  return sum;
}

/// 32 bits wherever the numbers are known to fit.
void WindowAccess::chooseTypes() {
  tile::Coords shape = layout.getShape();
  bool narrow = true;
  int64_t reach = 0;
  for (int64_t dim = 0, e = read.parts.size(); dim < e; ++dim) {
    int64_t inner = read.getInnerSize(dim);
    narrow &= inner < kFarAway;
    for (int64_t i = 0; i < read.parts[dim]; ++i) {
      unsigned coordinate = read.getFirst(dim) + i;
      int64_t most = i == 0 ? (inner == 1 ? shape[dim] : shape[dim] / inner + 2)
                            : read.sizes[coordinate];
      std::optional<int64_t> step = getKnownStep(coordinate);
      bool fits = step && std::abs(*step) < kFarAway && most < kFarAway;
      reach = fits ? std::min(reach + most * std::abs(*step), kFarAway * 4)
                   : kFarAway * 4;
    }
  }
  coordinateType = narrow ? b.getI32Type() : b.getI64Type();
  offsetType = narrow && reach < kFarAway ? b.getI32Type() : b.getI64Type();
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

Value WindowAccess::add(Value x, Value y) {
  if (!x || !y) {
    return x ? x : y;
  }
  return arith::AddIOp::create(b, loc, x, y);
}

Value WindowAccess::mul(Value x, int64_t factor) {
  if (!x || factor == 0) {
    return Value();
  }
  if (factor == 1) {
    return x;
  }
  return arith::MulIOp::create(b, loc, x, lk.constantInt(x.getType(), factor));
}

Value WindowAccess::convert(Value value, Type type) {
  if (!value || value.getType() == type) {
    return value;
  }
  if (value.getType().getIntOrFloatBitWidth() > type.getIntOrFloatBitWidth()) {
    return arith::TruncIOp::create(b, loc, type, value);
  }
  return arith::ExtSIOp::create(b, loc, type, value);
}

//===----------------------------------------------------------------------===//
// What all elements share
//===----------------------------------------------------------------------===//

/// Splits the offset of tile dim `dim`: whole steps of its first coordinate
/// belong to the base, the rest stays.
void WindowAccess::split(int64_t dim) {
  Value offset = lk.getOne(read.offsets[dim]);
  int64_t inner = read.getInnerSize(dim);
  Value rest;
  if (inner != 1) {
    Value size = lk.constantI64(inner);
    rest =
        convert(arith::RemUIOp::create(b, loc, offset, size), coordinateType);
    offset = arith::DivUIOp::create(b, loc, offset, size);
  }
  rests.push_back(rest);
  SmallVector<int64_t> steps = tile::getSteps(read.map, read.getFirst(dim));
  for (auto [start, step] : llvm::zip_equal(starts, steps)) {
    start = add(start, mul(offset, step));
  }
}

void WindowAccess::emitStarts() {
  for (Value index : read.indices) {
    starts.push_back(lk.getOne(index));
  }
  for (int64_t dim = 0, e = read.parts.size(); dim < e; ++dim) {
    split(dim);
    Value left;
    if (!read.inBounds[dim]) {
      left = arith::SubIOp::create(b, loc, lk.getOne(read.limits[dim]),
                                   lk.getOne(read.offsets[dim]));
      left = arith::MinSIOp::create(b, loc, left, lk.constantI64(kFarAway));
    }
    lefts.push_back(convert(left, coordinateType));
  }
  Value position;
  for (auto [start, stride] : llvm::zip_equal(starts, strides)) {
    Value term = stride.known
                     ? mul(start, *stride.known)
                     : arith::MulIOp::create(b, loc, start, emitStride(stride))
                           .getResult();
    position = add(position, term);
    start = convert(start, coordinateType);
  }
  base = !position ? pointer
                   : LLVM::GEPOp::create(b, loc, pointer.getType(), memoryType,
                                         pointer, LLVM::GEPArg(position))
                         .getResult();
}

//===----------------------------------------------------------------------===//
// What a coordinate adds
//===----------------------------------------------------------------------===//

/// The thread's position along tile dim `dim`, from the tile's offset.
Value WindowAccess::emitPosition(int64_t dim, int64_t at) {
  Value position = convert(lk.threadCoordinate(layout, dim), coordinateType);
  if (at != 0 || !position) {
    position = add(position, lk.constantInt(coordinateType, at));
  }
  return position;
}

/// The coordinates of tile dim `dim` at `position`, less what is in the base.
SmallVector<Value> WindowAccess::emitCoordinates(int64_t dim, Value position) {
  int64_t first = read.getFirst(dim), count = read.parts[dim];
  SmallVector<Value> coordinates(count);
  Value rest = add(rests[dim], position);
  for (int64_t i = count - 1; i > 0; --i) {
    int64_t size = read.sizes[first + i];
    if (size == 1) {
      continue;
    }
    Value divisor = lk.constantInt(coordinateType, size);
    coordinates[i] = arith::RemUIOp::create(b, loc, rest, divisor);
    rest = arith::DivUIOp::create(b, loc, rest, divisor);
  }
  coordinates[0] = rest;
  return coordinates;
}

/// Adds what coordinate `number` moves in memory to the part's offset.
void WindowAccess::addOffset(Part &part, Value coordinate, unsigned number) {
  if (std::optional<int64_t> step = getKnownStep(number)) {
    part.offset = add(part.offset, mul(convert(coordinate, offsetType), *step));
    return;
  }
  for (auto [step, stride] :
       llvm::zip_equal(tile::getSteps(read.map, number), strides)) {
    if (step != 0) {
      Value scaled = mul(convert(coordinate, b.getI64Type()), step);
      part.offset = add(part.offset, arith::MulIOp::create(b, loc, scaled,
                                                           emitStride(stride)));
    }
  }
}

const WindowAccess::Part &WindowAccess::getPart(int64_t dim, int64_t at) {
  auto [it, isNew] = parts.try_emplace({dim, at});
  Part &part = it->second;
  if (!isNew) {
    return part;
  }
  Value position = emitPosition(dim, at);
  part.places.resize(strides.size());
  for (auto [i, coordinate] : llvm::enumerate(emitCoordinates(dim, position))) {
    if (!coordinate) {
      continue;
    }
    unsigned number = read.getFirst(dim) + i;
    addOffset(part, coordinate, number);
    SmallVector<int64_t> steps = tile::getSteps(read.map, number);
    for (auto [place, step] : llvm::zip_equal(part.places, steps)) {
      place = add(place, mul(coordinate, step));
    }
  }
  if (dim == 0) {
    for (auto [place, start] : llvm::zip_equal(part.places, starts)) {
      place = add(place, start);
    }
  }
  if (lefts[dim]) {
    part.valid = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                       position, lefts[dim]);
  }
  // A place far away says the same in a comparison that is made anyway.
  auto checked = llvm::find(read.checked, true);
  if (part.valid && checked != read.checked.end()) {
    Value &place = part.places[checked - read.checked.begin()];
    Value here = place ? place : lk.constantInt(coordinateType, 0);
    place = arith::SelectOp::create(b, loc, part.valid, here,
                                    lk.constantInt(coordinateType, -kFarAway));
    part.valid = Value();
  }
  return part;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

Value WindowAccess::emitInside(ArrayRef<int64_t> at) {
  Value inside;
  for (auto [dim, coordinate] : llvm::enumerate(at)) {
    inside = emitAnd(b, loc, inside, getPart(dim, coordinate).valid);
  }
  for (size_t j = 0; j < strides.size(); ++j) {
    if (!read.checked[j]) {
      continue;
    }
    Value place;
    for (auto [dim, coordinate] : llvm::enumerate(at)) {
      place = add(place, getPart(dim, coordinate).places[j]);
    }
    Value extent = convert(lk.getOne(read.extents[j]), coordinateType);
    // Unsigned: a place before the start is outside too.
    Value holds =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, place, extent);
    inside = emitAnd(b, loc, inside, holds);
  }
  return inside;
}

Value WindowAccess::emitAddress(ArrayRef<int64_t> at) {
  Value offset;
  for (auto [dim, coordinate] : llvm::enumerate(at)) {
    offset = add(offset, convert(getPart(dim, coordinate).offset, offsetType));
  }
  if (!offset) {
    return base;
  }
  return LLVM::GEPOp::create(b, loc, base.getType(), memoryType, base,
                             LLVM::GEPArg(convert(offset, b.getI64Type())));
}

Value WindowAccess::emitSafeAddress(ArrayRef<int64_t> at, Value inside) {
  Value address = emitAddress(at);
  if (!inside) {
    return address;
  }
  // Of an array without elements nothing may be read.
  MemRefType type = read.getType();
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (type.getDimSize(dim) == 0 ||
        (type.isDynamicDim(dim) && read.checked[dim])) {
      return Value();
    }
  }
  return arith::SelectOp::create(b, loc, inside, address, pointer);
}
