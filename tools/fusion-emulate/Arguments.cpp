//===- Arguments.cpp - arguments of a kernel from a command line ----------===//

#include "Arguments.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>
#include <random>

using namespace mlir;
using namespace mlir::fusion::emulator;

/// The format of a float type, or null.
static const llvm::fltSemantics *getFormat(StringRef type) {
  if (type == "f16") {
    return &llvm::APFloat::IEEEhalf();
  }
  if (type == "bf16") {
    return &llvm::APFloat::BFloat();
  }
  if (type == "f32") {
    return &llvm::APFloat::IEEEsingle();
  }
  return type == "f64" ? &llvm::APFloat::IEEEdouble() : nullptr;
}

/// Bytes of a type, 0 if it is not known.
static unsigned getBytes(StringRef type) {
  unsigned bits = 0;
  if (type.drop_while(llvm::isAlpha).getAsInteger(10, bits) || bits % 8 != 0 ||
      bits > 64 || (!getFormat(type) && type[0] != 'i')) {
    return 0;
  }
  return bits / 8;
}

static int64_t signExtend(uint64_t bits, unsigned width) {
  return static_cast<int64_t>(bits << (64 - width)) >> (64 - width);
}

static uint64_t encode(StringRef type, double value) {
  if (const llvm::fltSemantics *format = getFormat(type)) {
    llvm::APFloat number(value);
    bool exact = false;
    number.convert(*format, llvm::APFloat::rmNearestTiesToEven, &exact);
    return number.bitcastToAPInt().getZExtValue();
  }
  return static_cast<uint64_t>(static_cast<int64_t>(value));
}

static double decode(StringRef type, uint64_t bits) {
  unsigned width = getBytes(type) * 8;
  if (const llvm::fltSemantics *format = getFormat(type)) {
    llvm::APFloat number(*format, llvm::APInt(width, bits));
    bool exact = false;
    number.convert(llvm::APFloat::IEEEdouble(),
                   llvm::APFloat::rmNearestTiesToEven, &exact);
    return number.convertToDouble();
  }
  return static_cast<double>(signExtend(bits, width));
}

static llvm::Error refuse(StringRef text, const Twine &expected) {
  return llvm::createStringError("expected " + expected + ", but got '" + text +
                                 "'");
}

llvm::Error Arguments::addArray(StringRef kind, StringRef shape, Value &value) {
  StringRef rest = shape;
  int64_t count = 1, dim = 0;
  while (!rest.empty() && llvm::isDigit(rest[0])) {
    if (rest.consumeInteger(10, dim) || !rest.consume_front("x")) {
      return refuse(shape, "a shape such as 4x8xf32");
    }
    value.dims.push_back(dim);
    count *= dim;
  }
  value.type = rest.str();
  value.isArray = true;
  unsigned bytes = rest.empty() ? 0 : getBytes(rest);
  if (bytes == 0) {
    return refuse(shape, "a shape such as 4x8xf32");
  }
  void *data = memory.allocate(static_cast<size_t>(count) * bytes);
  value.bits = reinterpret_cast<uint64_t>(data);
  if (kind == "unwritten") {
    return llvm::Error::success();
  }
  unsigned seed = 0;
  if (kind.consume_front("random") &&
      (kind.empty() || !kind.getAsInteger(10, seed))) {
    kind = "random";
  }
  // Multiples of 1/8 in [-1, 1]: sums of products are exact for a while.
  std::mt19937 random(seed);
  for (int64_t i = 0; i < count; ++i) {
    double number = 0;
    if (kind == "iota") {
      number = static_cast<double>(i);
    } else if (kind == "ones") {
      number = 1;
    } else if (kind == "nan") {
      number = std::nan("");
    } else if (kind == "random") {
      number = (static_cast<int>(random() % 17) - 8) / 8.0;
    } else if (kind != "zeros") {
      return refuse(kind, "iota, zeros, ones, random, nan or unwritten");
    }
    uint64_t bits = encode(rest, number);
    std::memcpy(static_cast<char *>(data) + i * bytes, &bits, bytes);
  }
  memory.markWritten(data, static_cast<size_t>(count) * bytes);
  return llvm::Error::success();
}

llvm::Error Arguments::addMap(StringRef text, Value &value) {
  auto [number, rest] = text.split(':');
  auto [box, swizzle] = rest.split(':');
  TensorMapFields fields;
  size_t index = 0;
  if (number.getAsInteger(10, index) || index >= values.size() ||
      !values[index].isArray || swizzle.getAsInteger(10, fields.swizzle)) {
    return refuse(text, "a map such as map:0:64x64:128");
  }
  const Value &array = values[index];
  fields.base = array.bits;
  fields.elementBytes = getBytes(array.type);
  fields.rank = static_cast<uint32_t>(array.dims.size());
  SmallVector<StringRef> sides;
  box.split(sides, 'x');
  if (sides.size() != fields.rank || fields.rank > 5) {
    return refuse(box, "a side of the box for each dim");
  }
  uint64_t stride = fields.elementBytes;
  for (uint32_t i = 0; i < fields.rank; ++i) {
    size_t outer = fields.rank - 1 - i;
    fields.dims[i] = static_cast<uint64_t>(array.dims[outer]);
    if (sides[outer].getAsInteger(10, fields.box[i])) {
      return refuse(box, "a side of the box for each dim");
    }
    stride *= fields.dims[i];
    if (i < 4) {
      fields.strides[i] = stride;
    }
  }
  value.isMap = true;
  encodeTensorMap(fields, value.map.data());
  return llvm::Error::success();
}

llvm::Error Arguments::add(StringRef text) {
  Value value;
  value.isParameter = !text.consume_front("data:");
  auto [kind, rest] = text.split(':');
  if (kind == "array") {
    size_t index = 0;
    if (rest.getAsInteger(10, index) || index >= values.size() ||
        !values[index].isArray) {
      return refuse(text, "the number of an array before");
    }
    value = values[index];
    value.isParameter = true;
  } else if (kind == "map") {
    if (llvm::Error error = addMap(rest, value)) {
      return error;
    }
  } else if (getBytes(kind) != 0) {
    double number = 0;
    if (rest.getAsDouble(number)) {
      return refuse(text, "a number");
    }
    value.type = kind.str();
    value.bits = encode(kind, number);
  } else if (llvm::Error error = addArray(kind, rest, value)) {
    return error;
  }
  values.push_back(std::move(value));
  return llvm::Error::success();
}

std::vector<void *> Arguments::getPointers() {
  std::vector<void *> pointers;
  for (Value &value : values) {
    if (value.isParameter) {
      pointers.push_back(value.isMap ? static_cast<void *>(value.map.data())
                                     : static_cast<void *>(&value.bits));
    }
  }
  return pointers;
}

llvm::Error Arguments::print(size_t index, size_t most, raw_ostream &os) const {
  if (index >= values.size() || !values[index].isArray) {
    return refuse(std::to_string(index), "the number of an array");
  }
  const Value &value = values[index];
  unsigned bytes = getBytes(value.type);
  size_t count = 1;
  for (int64_t dim : value.dims) {
    count *= static_cast<size_t>(dim);
  }
  os << "argument " << index << ":";
  for (size_t i = 0; i < std::min(count, most); ++i) {
    uint64_t bits = 0;
    std::memcpy(&bits, reinterpret_cast<const char *>(value.bits) + i * bytes,
                bytes);
    if (getFormat(value.type)) {
      os << llvm::format(" %.6g", decode(value.type, bits));
    } else {
      os << " " << signExtend(bits, bytes * 8);
    }
  }
  os << (count > most ? " ...\n" : "\n");
  return llvm::Error::success();
}
