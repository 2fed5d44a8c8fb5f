//===- Npy.cpp - NumPy's array files ----------------------------*- C++ -*-===//
//
// The format: "\x93NUMPY", two version bytes, the length of the header (2 bytes
// in version 1, else 4), a Python dictionary with descr, fortran_order and
// shape, then the elements.
//
//===----------------------------------------------------------------------===//

#include "fusion/Verify/Npy.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstring>

using namespace mlir;
using namespace mlir::fusion;

namespace {
struct TypeCode {
  StringLiteral code;
  FusionDType dtype;
};
struct Header {
  FusionDType dtype = FUSION_F32;
  SmallVector<int64_t> dims;
  size_t dataOffset = 0;
};
} // namespace

static constexpr StringLiteral magic = "\x93NUMPY";

// The first code of a type is the one that is written.
static constexpr TypeCode typeCodes[] = {
    {"<f4", FUSION_F32},  {"<f2", FUSION_F16}, {"|V2", FUSION_BF16},
    {"<V2", FUSION_BF16}, {"<f8", FUSION_F64}, {"|b1", FUSION_I1},
    {"|i1", FUSION_I8},   {"<i2", FUSION_I16}, {"<i4", FUSION_I32},
    {"<i8", FUSION_I64},  {"|u1", FUSION_U8},  {"<u2", FUSION_U16},
    {"<u4", FUSION_U32},  {"<u8", FUSION_U64}};

static llvm::Error makeError(StringRef path, const Twine &text) {
  return llvm::createStringError(path + ": " + text);
}

/// The text behind `'key':` in a header, up to the end of the header.
static std::optional<StringRef> findValue(StringRef header, StringRef key) {
  std::string quoted = ("'" + key + "':").str();
  size_t at = header.find(quoted);
  if (at == StringRef::npos) {
    return std::nullopt;
  }
  return header.substr(at + quoted.size()).ltrim();
}

/// Reads "(2, 3)", "(4,)" or "()".
static bool parseShape(StringRef text, SmallVectorImpl<int64_t> &dims) {
  if (!text.consume_front("(")) {
    return false;
  }
  StringRef inner = text.take_until([](char c) { return c == ')'; });
  if (inner.size() == text.size()) {
    return false;
  }
  SmallVector<StringRef> parts;
  inner.split(parts, ',', -1, /*KeepEmpty=*/false);
  for (StringRef part : parts) {
    int64_t dim;
    if (part.trim().empty()) {
      continue;
    }
    if (part.trim().getAsInteger(10, dim) || dim < 0) {
      return false;
    }
    dims.push_back(dim);
  }
  return true;
}

static llvm::Expected<Header> parseHeader(StringRef path, StringRef bytes) {
  if (!bytes.starts_with(magic) || bytes.size() < 12) {
    return makeError(path, "expected a .npy file, but its first bytes are not");
  }
  bool isVersion1 = bytes[6] == 1;
  size_t start = isVersion1 ? 10 : 12;
  size_t length = isVersion1
                      ? llvm::support::endian::read16le(bytes.data() + 8)
                      : llvm::support::endian::read32le(bytes.data() + 8);
  if (bytes.size() - start < length) {
    return makeError(path, "the file ends inside its header");
  }
  StringRef text = bytes.substr(start, length);
  std::optional<StringRef> descr = findValue(text, "descr");
  std::optional<StringRef> order = findValue(text, "fortran_order");
  std::optional<StringRef> shape = findValue(text, "shape");
  Header header;
  header.dataOffset = start + length;
  if (!descr || !order || !shape || !parseShape(*shape, header.dims)) {
    return makeError(path, "expected descr, fortran_order and shape in the "
                           "header of the .npy file");
  }
  if (order->starts_with("True")) {
    return makeError(path, "expected a row-major array, but it is column-major "
                           "(save numpy.ascontiguousarray(x))");
  }
  StringRef code =
      descr->drop_front().take_until([](char c) { return c == '\''; });
  const auto *found = llvm::find_if(
      typeCodes, [&](const TypeCode &type) { return type.code == code; });
  if (found == std::end(typeCodes)) {
    return makeError(path, "unknown element type '" + code + "'");
  }
  header.dtype = found->dtype;
  return header;
}

llvm::Expected<HostArray> mlir::fusion::readNpy(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer) {
    return makeError(path, buffer.getError().message());
  }
  StringRef bytes = (*buffer)->getBuffer();
  llvm::Expected<Header> header = parseHeader(path, bytes);
  if (!header) {
    return header.takeError();
  }
  // Sizes are checked before memory is taken: a header can claim anything.
  int64_t expected = fusionDTypeSize(header->dtype);
  bool overflows = false;
  for (int64_t dim : header->dims) {
    overflows |= llvm::MulOverflow(expected, dim, expected);
  }
  StringRef data = bytes.drop_front(header->dataOffset);
  if (overflows || int64_t(data.size()) != expected) {
    return makeError(path,
                     llvm::formatv("expected {0} of data, but got {1} bytes",
                                   describeShape(header->dims, header->dtype),
                                   data.size()));
  }
  HostArray array(header->dtype, header->dims);
  std::memcpy(array.getData(), data.data(), data.size());
  return array;
}

llvm::Error mlir::fusion::writeNpy(StringRef path, const HostArray &array) {
  const auto *code = llvm::find_if(typeCodes, [&](const TypeCode &type) {
    return type.dtype == array.getDType();
  });
  std::string shape;
  for (int64_t dim : array.getDims()) {
    shape += std::to_string(dim) + ",";
  }
  std::string header = llvm::formatv(
      "{{'descr': '{0}', 'fortran_order': False, 'shape': ({1}), }", code->code,
      shape);
  // The data starts at a multiple of 64 bytes; the header ends in a newline.
  size_t padded = llvm::alignTo(magic.size() + 4 + header.size() + 1, 64);
  header.append(padded - (magic.size() + 4 + header.size() + 1), ' ');
  header += '\n';
  return llvm::writeToOutput(path, [&](llvm::raw_ostream &os) {
    char length[2];
    llvm::support::endian::write16le(length, uint16_t(header.size()));
    os << magic << '\1' << '\0' << StringRef(length, 2) << header;
    os.write(array.getData(), array.getNumBytes());
    return llvm::Error::success();
  });
}
