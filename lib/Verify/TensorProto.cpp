//===- TensorProto.cpp - ONNX's arrays --------------------------*- C++ -*-===//
//
// A message is a list of fields: a key (number << 3 | wire type) and a value.
// Only the few fields of TensorProto are read, so that whoever links this
// library needs no protobuf.
//
//===----------------------------------------------------------------------===//

#include "TensorProto.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>
#include <vector>

using namespace mlir;
using namespace mlir::fusion;

namespace {
enum WireType { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };

// Numbers of TensorProto's fields.
enum FieldNumber {
  Dims = 1,
  DataType = 2,
  FloatData = 4,
  Int32Data = 5,
  Int64Data = 7,
  RawData = 9,
  DoubleData = 10,
  Uint64Data = 11,
  ExternalData = 13
};

struct Field {
  uint64_t number = 0;
  uint64_t type = 0;
  uint64_t value = 0; // of the number types
  StringRef bytes;    // of Bytes
};

/// Reads one field after the other.
class FieldReader {
public:
  explicit FieldReader(StringRef bytes) : rest(bytes) {}
  /// False at the end, and where the message is damaged.
  bool next(Field &field);
  bool readVarint(uint64_t &value);
  bool isDamaged() const { return failed; }

private:
  bool take(size_t count, StringRef &taken);
  bool fail() {
    failed = true;
    return false;
  }
  StringRef rest;
  bool failed = false;
};

/// The tensor before its elements are gathered.
struct Tensor {
  SmallVector<int64_t> dims;
  uint64_t dataType = 0;
  StringRef raw;
  bool hasRaw = false, isExternal = false;
  /// Elements of the typed fields, as bits.
  std::vector<uint64_t> elements;
};
} // namespace

bool FieldReader::readVarint(uint64_t &value) {
  value = 0;
  bool isCut = false;
  for (unsigned shift = 0; !rest.empty() && shift < 64; shift += 7) {
    auto byte = uint8_t(rest.front());
    rest = rest.drop_front();
    value |= uint64_t(byte & 0x7f) << shift;
    if (!(byte & 0x80)) {
      return true;
    }
    isCut = true;
  }
  return isCut ? fail() : false;
}

bool FieldReader::take(size_t count, StringRef &taken) {
  if (count > rest.size()) {
    return fail();
  }
  taken = rest.take_front(count);
  rest = rest.drop_front(count);
  return true;
}

bool FieldReader::next(Field &field) {
  uint64_t key, length;
  if (rest.empty() || !readVarint(key)) {
    return false;
  }
  field = {key >> 3, key & 7, 0, {}};
  switch (field.type) {
  case Varint:
    return readVarint(field.value) || fail();
  case Bytes:
    return (readVarint(length) || fail()) && take(length, field.bytes);
  case Fixed32:
    if (take(4, field.bytes)) {
      field.value = llvm::support::endian::read32le(field.bytes.data());
    }
    return !failed;
  case Fixed64:
    if (take(8, field.bytes)) {
      field.value = llvm::support::endian::read64le(field.bytes.data());
    }
    return !failed;
  default:
    return fail();
  }
}

static FusionDType getDType(uint64_t dataType) {
  // By ONNX's number of a type; 0 where there is none of ours.
  static constexpr int table[] = {
      0,          FUSION_F32, FUSION_U8, FUSION_I8, FUSION_U16, FUSION_I16,
      FUSION_I32, FUSION_I64, 0,         FUSION_I1, FUSION_F16, FUSION_F64,
      FUSION_U32, FUSION_U64, 0,         0,         FUSION_BF16};
  return FusionDType(dataType < std::size(table) ? table[dataType] : 0);
}

/// Appends the elements of a repeated number field, packed or not.
static bool appendNumbers(const Field &field, std::vector<uint64_t> &numbers) {
  if (field.type != Bytes) {
    numbers.push_back(field.value);
    return true;
  }
  bool isFloat = field.number == FloatData,
       isDouble = field.number == DoubleData;
  if (isFloat || isDouble) {
    size_t size = isFloat ? 4 : 8;
    for (size_t at = 0; at + size <= field.bytes.size(); at += size) {
      const char *data = field.bytes.data() + at;
      numbers.push_back(isFloat ? llvm::support::endian::read32le(data)
                                : llvm::support::endian::read64le(data));
    }
    return field.bytes.size() % size == 0;
  }
  FieldReader reader(field.bytes);
  uint64_t value;
  while (reader.readVarint(value)) {
    numbers.push_back(value);
  }
  return !reader.isDamaged();
}

static bool parse(StringRef bytes, Tensor &tensor) {
  FieldReader reader(bytes);
  Field field;
  std::vector<uint64_t> dims;
  bool ok = true;
  while (reader.next(field)) {
    switch (field.number) {
    case Dims:
      ok &= appendNumbers(field, dims);
      break;
    case DataType:
      tensor.dataType = field.value;
      break;
    case RawData:
      tensor.raw = field.bytes;
      tensor.hasRaw = true;
      break;
    case ExternalData:
      tensor.isExternal = true;
      break;
    case FloatData:
    case Int32Data:
    case Int64Data:
    case DoubleData:
    case Uint64Data:
      ok &= appendNumbers(field, tensor.elements);
      break;
    }
  }
  tensor.dims.assign(dims.begin(), dims.end());
  return ok && !reader.isDamaged();
}

llvm::Expected<HostArray> mlir::fusion::parseTensorProto(StringRef bytes) {
  Tensor tensor;
  FusionDType dtype = FusionDType(0);
  if (parse(bytes, tensor)) {
    dtype = getDType(tensor.dataType);
  }
  int64_t elementBytes = fusionDTypeSize(dtype), size = elementBytes;
  bool isBad = elementBytes == 0 || tensor.isExternal;
  for (int64_t dim : tensor.dims) {
    isBad |= dim < 0 || llvm::MulOverflow(size, dim, size);
  }
  int64_t found = tensor.hasRaw
                      ? int64_t(tensor.raw.size())
                      : int64_t(tensor.elements.size()) * elementBytes;
  if (isBad || found != size) {
    return llvm::createStringError(
        "expected a TensorProto of numbers with its data in it");
  }
  HostArray array(dtype, tensor.dims);
  if (tensor.hasRaw) {
    std::memcpy(array.getData(), tensor.raw.data(), size);
    return array;
  }
  // Little-endian: the low bytes of an element come first.
  for (size_t i = 0; i < tensor.elements.size(); ++i) {
    std::memcpy(array.getData() + i * elementBytes, &tensor.elements[i],
                elementBytes);
  }
  return array;
}
