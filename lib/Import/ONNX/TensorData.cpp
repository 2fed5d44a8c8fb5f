//===- TensorData.cpp - constants of ONNX models --------------------------===//

#include "TensorData.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"
#include <cstring>

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::onnx;
using fusion_onnx::TensorProto;

static_assert(llvm::endianness::native == llvm::endianness::little,
              "the elements of ONNX tensors are little-endian");

/// Constants of at most so many bytes are printed in place.
static constexpr size_t kMaxInlineBytes = 4096;

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

namespace {
/// The numbers of element types in the published format that we can hold.
enum DataType : int32_t {
  kFloat = 1,
  kUInt8 = 2,
  kInt8 = 3,
  kUInt16 = 4,
  kInt16 = 5,
  kInt32 = 6,
  kInt64 = 7,
  kBool = 9,
  kFloat16 = 10,
  kDouble = 11,
  kUInt32 = 12,
  kUInt64 = 13,
  kBFloat16 = 16
};
} // namespace

Type onnx::elementTypeFor(int32_t dataType, MLIRContext *context) {
  auto integer = [&](unsigned width, IntegerType::SignednessSemantics sign) {
    return IntegerType::get(context, width, sign);
  };
  switch (dataType) {
  case kFloat:
    return Float32Type::get(context);
  case kFloat16:
    return Float16Type::get(context);
  case kBFloat16:
    return BFloat16Type::get(context);
  case kDouble:
    return Float64Type::get(context);
  case kBool:
    return integer(1, IntegerType::Signless);
  case kInt8:
    return integer(8, IntegerType::Signless);
  case kInt16:
    return integer(16, IntegerType::Signless);
  case kInt32:
    return integer(32, IntegerType::Signless);
  case kInt64:
    return integer(64, IntegerType::Signless);
  case kUInt8:
    return integer(8, IntegerType::Unsigned);
  case kUInt16:
    return integer(16, IntegerType::Unsigned);
  case kUInt32:
    return integer(32, IntegerType::Unsigned);
  case kUInt64:
    return integer(64, IntegerType::Unsigned);
  default:
    return {};
  }
}

StringRef onnx::elementTypeName(int32_t dataType) {
  static constexpr StringLiteral kNames[] = {
      "undefined",      "float",      "uint8",
      "int8",           "uint16",     "int16",
      "int32",          "int64",      "string",
      "bool",           "float16",    "double",
      "uint32",         "uint64",     "complex64",
      "complex128",     "bfloat16",   "float8e4m3fn",
      "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz",
      "uint4",          "int4",       "float4e2m1",
      "float8e8m0",     "uint2",      "int2"};
  if (dataType < 0 || dataType >= static_cast<int32_t>(std::size(kNames))) {
    return "unknown";
  }
  return kNames[dataType];
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// Packs a typed field into bytes of elements of type T.
template <typename T, typename Field>
static std::string packField(const Field &field) {
  std::string bytes(field.size() * sizeof(T), '\0');
  for (int i = 0, e = field.size(); i < e; ++i) {
    T element = static_cast<T>(field.Get(i));
    std::memcpy(&bytes[i * sizeof(T)], &element, sizeof(T));
  }
  return bytes;
}

/// The elements of a tensor that has no raw data, as bytes.
static std::string packElements(const TensorProto &tensor) {
  switch (tensor.data_type()) {
  case kFloat:
    return packField<float>(tensor.float_data());
  case kDouble:
    return packField<double>(tensor.double_data());
  case kInt64:
    return packField<int64_t>(tensor.int64_data());
  case kUInt64:
    return packField<uint64_t>(tensor.uint64_data());
  case kUInt32:
    return packField<uint32_t>(tensor.uint64_data());
  case kInt32:
    return packField<int32_t>(tensor.int32_data());
  case kUInt16:
  case kInt16:
  case kFloat16:
  case kBFloat16:
    return packField<uint16_t>(tensor.int32_data());
  default:
    return packField<uint8_t>(tensor.int32_data());
  }
}

/// The shape of a tensor, or the reason why it is none.
static llvm::Expected<SmallVector<int64_t>>
checkShape(const TensorProto &tensor, int64_t elementBytes) {
  auto refuse = [](const Twine &why) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(), why);
  };
  SmallVector<int64_t> shape(tensor.dims().begin(), tensor.dims().end());
  if (static_cast<int64_t>(shape.size()) > kMaxRank) {
    return refuse("expected a rank of at most " + Twine(kMaxRank) +
                  ", but got " + Twine(shape.size()));
  }
  int64_t bytes = elementBytes;
  for (int64_t dim : shape) {
    if (dim < 0) {
      return refuse("expected dims that are not negative, but got " +
                    Twine(dim));
    }
    if (dim != 0 && bytes > (INT64_C(1) << 62) / dim) {
      return refuse("its shape is too large");
    }
    bytes *= dim;
  }
  return shape;
}

/// Whether `bytes` repeat their first `elementBytes`.
static bool isSplat(StringRef bytes, size_t elementBytes) {
  return bytes.size() >= elementBytes &&
         bytes.drop_front(elementBytes) == bytes.drop_back(elementBytes);
}

/// A dense attribute of `bytes`, one per boolean.
static ElementsAttr makeDense(RankedTensorType type, StringRef bytes) {
  if (type.getElementType().isInteger(1)) {
    SmallVector<bool> bits;
    bits.reserve(bytes.size());
    for (char byte : bytes) {
      bits.push_back(byte != 0);
    }
    return DenseElementsAttr::get(type, bits);
  }
  return DenseElementsAttr::getFromRawBuffer(
      type, ArrayRef<char>(bytes.data(), bytes.size()));
}

/// A blob that keeps `owner` alive; copied only if it is not aligned.
template <typename Owner>
static ElementsAttr makeBlob(RankedTensorType type, StringRef name,
                             StringRef bytes, size_t elementBytes,
                             Owner owner) {
  ArrayRef<char> data(bytes.data(), bytes.size());
  if (reinterpret_cast<uintptr_t>(data.data()) % elementBytes != 0) {
    return DenseResourceElementsAttr::get(
        type, name,
        HeapAsmResourceBlob::allocateAndCopyWithAlign(data, /*align=*/64,
                                                      /*dataIsMutable=*/false));
  }
  AsmResourceBlob blob(
      data, elementBytes, [owner = std::move(owner)](void *, size_t, size_t) {},
      /*dataIsMutable=*/false);
  return DenseResourceElementsAttr::get(type, name, std::move(blob));
}

/// The attribute for `bytes`, which live as long as `owner`.
template <typename Owner>
static ElementsAttr makeElements(RankedTensorType type, StringRef name,
                                 StringRef bytes, size_t elementBytes,
                                 Owner owner) {
  bool isBool = type.getElementType().isInteger(1);
  if (!isBool && isSplat(bytes, elementBytes)) {
    return makeDense(type, bytes.take_front(elementBytes));
  }
  if (isBool || bytes.size() <= kMaxInlineBytes) {
    return makeDense(type, bytes);
  }
  return makeBlob(type, name, bytes, elementBytes, std::move(owner));
}

FailureOr<ElementsAttr> onnx::readTensor(TensorProto &tensor, StringRef baseDir,
                                         Location loc) {
  StringRef name = tensor.name();
  auto emit = [&] { return emitError(loc) << "tensor '" << name << "': "; };
  Type elementType = elementTypeFor(tensor.data_type(), loc.getContext());
  if (!elementType) {
    return emit() << "element type " << elementTypeName(tensor.data_type())
                  << " is not supported";
  }
  if (tensor.has_segment()) {
    return emit() << "tensors in segments are not supported";
  }
  size_t elementBytes =
      llvm::divideCeil(elementType.getIntOrFloatBitWidth(), 8);
  llvm::Expected<SmallVector<int64_t>> shape = checkShape(tensor, elementBytes);
  if (!shape) {
    return emit() << llvm::toString(shape.takeError());
  }
  auto type = RankedTensorType::get(*shape, elementType);
  uint64_t size = static_cast<uint64_t>(type.getNumElements()) * elementBytes;
  if (tensor.data_location() == TensorProto::EXTERNAL) {
    auto buffer = readExternalData(tensor, baseDir, size);
    if (!buffer) {
      return emit() << llvm::toString(buffer.takeError());
    }
    StringRef bytes = (*buffer)->getBuffer();
    return makeElements(type, name, bytes, elementBytes, std::move(*buffer));
  }
  auto bytes = std::make_unique<std::string>(
      tensor.has_raw_data() ? std::move(*tensor.mutable_raw_data())
                            : packElements(tensor));
  if (bytes->size() != size) {
    return emit() << "expected " << size << " bytes of elements, but got "
                  << bytes->size();
  }
  StringRef view = *bytes;
  return makeElements(type, name, view, elementBytes, std::move(bytes));
}
