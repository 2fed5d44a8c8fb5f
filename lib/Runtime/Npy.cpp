//===- Npy.cpp - numpy's array files --------------------------------------===//

#include "fusion/Runtime/Npy.h"

#include "Outcome.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

using namespace mlir::fusion;
using mlir::fusion::runtime::format;
using mlir::fusion::runtime::Outcome;

static constexpr char magic[] = "\x93NUMPY";
static constexpr size_t magicSize = sizeof(magic) - 1;

namespace {
struct Descriptor {
  const char *text; /// without the byte order
  FusionDType dtype;
};

/// What the header's dictionary says.
struct Header {
  std::string descriptor;
  bool isFortranOrder = false;
  std::vector<int64_t> dims;
};
} // namespace

static constexpr Descriptor descriptors[] = {
    {"f4", FUSION_F32}, {"f2", FUSION_F16}, {"V2", FUSION_BF16},
    {"f8", FUSION_F64}, {"b1", FUSION_I1},  {"i1", FUSION_I8},
    {"i2", FUSION_I16}, {"i4", FUSION_I32}, {"i8", FUSION_I64},
    {"u1", FUSION_U8},  {"u2", FUSION_U16}, {"u4", FUSION_U32},
    {"u8", FUSION_U64}};

bool mlir::fusion::holdsElementsOf(FusionDType stored, FusionDType wanted) {
  return stored == wanted || (stored == FUSION_U16 && wanted == FUSION_BF16);
}

//===----------------------------------------------------------------------===//
// The header: a dictionary in Python's notation
//===----------------------------------------------------------------------===//

namespace {
/// Reads {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }.
class HeaderParser {
public:
  HeaderParser(const char *begin, const char *end) : at(begin), end(end) {}

  Outcome parse(Header &header);

private:
  Outcome parseEntry(Header &header);
  Outcome parseShape(std::vector<int64_t> &dims);
  bool parseString(std::string &text);
  bool parseInteger(int64_t &value);
  bool consume(const char *token);
  void skipSpace() {
    while (at != end && strchr(" \t\n\r", *at) && *at != '\0') {
      ++at;
    }
  }
  Outcome expected(const char *what) const {
    return Outcome::failure("expected %s in the header, but got '%.*s'", what,
                            static_cast<int>(end - at < 20 ? end - at : 20),
                            at);
  }

  const char *at;
  const char *const end;
  int entries = 0;
};
} // namespace

bool HeaderParser::consume(const char *token) {
  skipSpace();
  size_t length = strlen(token);
  if (static_cast<size_t>(end - at) < length ||
      strncmp(at, token, length) != 0) {
    return false;
  }
  at += length;
  return true;
}

bool HeaderParser::parseString(std::string &text) {
  skipSpace();
  if (at == end || (*at != '\'' && *at != '"')) {
    return false;
  }
  char quote = *at;
  const char *close = at + 1;
  while (close != end && *close != quote) {
    ++close;
  }
  if (close == end) {
    return false;
  }
  text.assign(at + 1, close);
  at = close + 1;
  return true;
}

bool HeaderParser::parseInteger(int64_t &value) {
  skipSpace();
  const char *begin = at;
  value = 0;
  while (at != end && *at >= '0' && *at <= '9') {
    if (__builtin_mul_overflow(value, 10, &value) ||
        __builtin_add_overflow(value, *at - '0', &value)) {
      return false;
    }
    ++at;
  }
  bool found = at != begin;
  consume("L"); // Python 2 wrote long integers so.
  return found;
}

Outcome HeaderParser::parseShape(std::vector<int64_t> &dims) {
  if (!consume("(")) {
    return expected("a shape");
  }
  while (!consume(")")) {
    int64_t dim = 0;
    if (!parseInteger(dim)) {
      return expected("a dim");
    }
    dims.push_back(dim);
    if (!consume(",")) {
      if (consume(")")) {
        break;
      }
      return expected("',' or ')'");
    }
  }
  return Outcome::success();
}

Outcome HeaderParser::parseEntry(Header &header) {
  std::string key;
  if (!parseString(key) || !consume(":")) {
    return expected("a key");
  }
  ++entries;
  if (key == "descr") {
    return parseString(header.descriptor)
               ? Outcome::success()
               : expected("a plain element type (no record)");
  }
  if (key == "fortran_order") {
    header.isFortranOrder = consume("True");
    return header.isFortranOrder || consume("False")
               ? Outcome::success()
               : expected("True or False");
  }
  if (key == "shape") {
    return parseShape(header.dims);
  }
  return Outcome::failure("expected the keys descr, fortran_order and shape in "
                          "the header, but got '%s'",
                          key.c_str());
}

Outcome HeaderParser::parse(Header &header) {
  if (!consume("{")) {
    return expected("'{'");
  }
  while (!consume("}")) {
    Outcome outcome = parseEntry(header);
    if (outcome.failed()) {
      return outcome;
    }
    if (!consume(",")) {
      if (consume("}")) {
        break;
      }
      return expected("',' or '}'");
    }
  }
  skipSpace();
  return entries == 3 && at == end
             ? Outcome::success()
             : expected("descr, fortran_order and shape, and no more");
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Finds the header's text: `data` is where it ends and the elements begin.
static Outcome findHeader(const char *contents, size_t size, size_t &begin,
                          size_t &data) {
  if (size < magicSize + 4 || memcmp(contents, magic, magicSize) != 0) {
    return Outcome::failure("expected a .npy file, but it does not begin as "
                            "one");
  }
  auto byte = [&](size_t i) {
    return static_cast<size_t>(static_cast<unsigned char>(contents[i]));
  };
  size_t version = byte(magicSize);
  if (version < 1 || version > 3) {
    return Outcome::failure("expected .npy version 1, 2 or 3, but got %zu",
                            version);
  }
  size_t lengthSize = version == 1 ? 2 : 4;
  size_t length = 0;
  begin = magicSize + 2 + lengthSize;
  for (size_t i = 0; i < lengthSize && begin <= size; ++i) {
    length |= byte(magicSize + 2 + i) << (8 * i);
  }
  if (begin > size || length > size - begin) {
    return Outcome::failure("expected a header of %zu bytes, but the file ends "
                            "after %zu",
                            length, size > begin ? size - begin : 0);
  }
  data = begin + length;
  return Outcome::success();
}

static Outcome findType(const std::string &descriptor, FusionDType &dtype) {
  if (descriptor.size() > 1 && strchr("<|=", descriptor[0])) {
    for (const Descriptor &known : descriptors) {
      if (descriptor.compare(1, std::string::npos, known.text) == 0) {
        dtype = known.dtype;
        return Outcome::success();
      }
    }
  }
  return Outcome::failure("expected elements b1, i1 to i8, u1 to u8, f2 to f8 "
                          "or V2 (bf16) in little-endian order, but got '%s'",
                          descriptor.c_str());
}

/// Copies column-major `source` to row-major `target`.
static void transpose(const char *source, char *target,
                      const std::vector<int64_t> &dims, size_t elementSize,
                      size_t count) {
  std::vector<int64_t> index(dims.size(), 0);
  for (size_t element = 0; element < count; ++element) {
    size_t position = 0;
    for (size_t i = dims.size(); i-- > 0;) {
      position = position * static_cast<size_t>(dims[i]) +
                 static_cast<size_t>(index[i]);
    }
    memcpy(target + element * elementSize, source + position * elementSize,
           elementSize);
    for (size_t i = dims.size(); i-- > 0 && ++index[i] == dims[i];) {
      index[i] = 0;
    }
  }
}

static Outcome parse(const char *contents, size_t size, NpyArray &array) {
  size_t begin = 0, data = 0;
  Outcome outcome = findHeader(contents, size, begin, data);
  Header header;
  if (!outcome.failed()) {
    outcome = HeaderParser(contents + begin, contents + data).parse(header);
  }
  if (!outcome.failed()) {
    outcome = findType(header.descriptor, array.dtype);
  }
  if (outcome.failed()) {
    return outcome;
  }
  auto elementSize = static_cast<size_t>(fusionDTypeSize(array.dtype));
  size_t bytes = elementSize;
  bool isEmpty = false, overflows = false;
  for (int64_t dim : header.dims) {
    isEmpty |= dim == 0;
    overflows |=
        __builtin_mul_overflow(bytes, static_cast<size_t>(dim), &bytes);
  }
  bytes = isEmpty ? 0 : bytes;
  if ((overflows && !isEmpty) || bytes != size - data) {
    return Outcome::failure("expected %zu bytes of elements, but got %zu",
                            overflows && !isEmpty ? SIZE_MAX : bytes,
                            size - data);
  }
  array.dims = std::move(header.dims);
  array.data.resize(bytes);
  if (header.isFortranOrder) {
    transpose(contents + data, array.data.data(), array.dims, elementSize,
              bytes / elementSize);
  } else if (bytes > 0) {
    memcpy(array.data.data(), contents + data, bytes);
  }
  return outcome;
}

bool mlir::fusion::parseNpy(const char *contents, size_t size, NpyArray &array,
                            std::string &error) {
  Outcome outcome = parse(contents, size, array);
  error = outcome.getMessage();
  return !outcome.failed();
}

static Outcome readFile(const std::string &path, std::vector<char> &contents) {
  FILE *file = fopen(path.c_str(), "rb");
  if (!file) {
    return Outcome::failure("%s", strerror(errno));
  }
  errno = 0;
  size_t size = 0, got = 0;
  do {
    size += got;
    contents.resize(size + size / 2 + (1 << 16));
    got = fread(contents.data() + size, 1, contents.size() - size, file);
  } while (got > 0);
  contents.resize(size);
  bool failed = ferror(file) != 0;
  int reason = errno;
  fclose(file);
  return failed ? Outcome::failure("%s", strerror(reason)) : Outcome::success();
}

bool mlir::fusion::readNpy(const std::string &path, NpyArray &array,
                           std::string &error) {
  std::vector<char> contents;
  Outcome outcome = readFile(path, contents);
  if (!outcome.failed()) {
    outcome = parse(contents.data(), contents.size(), array);
  }
  outcome = std::move(outcome).within(format("cannot read '%s'", path.c_str()));
  error = outcome.getMessage();
  return !outcome.failed();
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// Returns everything before the elements, padded to a multiple of 64 bytes.
static std::string makeHeader(const FusionArray &array, const char *type) {
  std::string shape;
  for (int32_t i = 0; i < array.rank; ++i) {
    shape += format(i == 0 ? "%lld" : ", %lld",
                    static_cast<long long>(array.dims[i]));
  }
  bool hasNoOrder = fusionDTypeSize(array.dtype) == 1;
  std::string text = format(
      "{'descr': '%c%s', 'fortran_order': False, 'shape': (%s%s), }",
      hasNoOrder ? '|' : '<', type, shape.c_str(), array.rank == 1 ? "," : "");
  size_t lengthSize = text.size() < 65000 ? 2 : 4;
  size_t begin = magicSize + 2 + lengthSize;
  size_t end = (begin + text.size() + 1 + 63) / 64 * 64;
  text.append(end - begin - text.size() - 1, ' ');
  text += '\n';
  std::string header(magic, magicSize);
  header += lengthSize == 2 ? '\1' : '\2';
  header += '\0';
  for (size_t i = 0; i < lengthSize; ++i) {
    header += static_cast<char>(text.size() >> (8 * i) & 0xff);
  }
  return header + text;
}

static Outcome write(const std::string &path, const FusionArray &array) {
  const char *type = nullptr;
  for (const Descriptor &known : descriptors) {
    type = known.dtype == array.dtype ? known.text : type;
  }
  if (!type) {
    return Outcome::failure("expected an element type, but got %d",
                            array.dtype);
  }
  auto bytes = static_cast<size_t>(fusionDTypeSize(array.dtype));
  for (int32_t i = 0; i < array.rank; ++i) {
    bytes *= static_cast<size_t>(array.dims[i]);
  }
  FILE *file = fopen(path.c_str(), "wb");
  if (!file) {
    return Outcome::failure("%s", strerror(errno));
  }
  std::string header = makeHeader(array, type);
  errno = 0;
  bool written = fwrite(header.data(), 1, header.size(), file) == header.size();
  written =
      written && (bytes == 0 || fwrite(array.data, 1, bytes, file) == bytes);
  written = (fclose(file) == 0) && written;
  if (!written) {
    Outcome outcome = Outcome::failure("%s", strerror(errno));
    struct stat status;
    if (stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode)) {
      unlink(path.c_str());
    }
    return outcome;
  }
  return Outcome::success();
}

bool mlir::fusion::writeNpy(const std::string &path, const FusionArray &array,
                            std::string &error) {
  Outcome outcome =
      write(path, array).within(format("cannot write '%s'", path.c_str()));
  error = outcome.getMessage();
  return !outcome.failed();
}
