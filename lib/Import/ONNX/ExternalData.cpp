//===- ExternalData.cpp - tensors kept in files beside the model ----------===//

#include "TensorData.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::onnx;
namespace sys = llvm::sys;

namespace {
/// Where the bytes of a tensor are, as the model says it.
struct DataReference {
  std::string location;
  uint64_t offset = 0;
  std::optional<uint64_t> length;
};
} // namespace

static llvm::Error refuse(const Twine &why) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), why);
}

static llvm::Expected<DataReference>
parseReference(const fusion_onnx::TensorProto &tensor) {
  DataReference reference;
  for (const fusion_onnx::StringStringEntryProto &entry :
       tensor.external_data()) {
    StringRef key = entry.key(), value = entry.value();
    uint64_t number = 0;
    if (key == "location") {
      reference.location = value.str();
    } else if (key == "offset" || key == "length") {
      if (value.getAsInteger(10, number)) {
        return refuse("expected its " + key +
                      " to be a number of bytes, but got '" + value + "'");
      }
      if (key == "offset") {
        reference.offset = number;
      } else {
        reference.length = number;
      }
    }
  }
  if (reference.location.empty()) {
    return refuse("expected the location of its external data");
  }
  return reference;
}

/// The real path of `location` inside `baseDir`, or why it may not be read.
static llvm::Expected<std::string> resolveInside(StringRef location,
                                                 StringRef baseDir) {
  if (sys::path::is_absolute(location)) {
    return refuse("expected external data at a path relative to the model, "
                  "but got '" +
                  location + "'");
  }
  for (StringRef part :
       llvm::make_range(sys::path::begin(location), sys::path::end(location))) {
    if (part == "..") {
      return refuse("expected external data inside the model's folder, but "
                    "got '" +
                    location + "'");
    }
  }
  if (location.contains('\0')) {
    return refuse("expected a path for its external data");
  }
  SmallString<256> base, path(baseDir.empty() ? "." : baseDir);
  if (std::error_code error = sys::fs::real_path(path, base)) {
    return refuse("cannot open folder '" + path + "': " + error.message());
  }
  sys::path::append(path, location);
  SmallString<256> real;
  if (std::error_code error = sys::fs::real_path(path, real)) {
    return refuse("cannot open '" + path + "': " + error.message());
  }
  if (!base.ends_with("/")) {
    base += '/';
  }
  if (!real.starts_with(base)) {
    return refuse("expected external data inside the model's folder, but '" +
                  path + "' links out of it");
  }
  return real.str().str();
}

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
onnx::readExternalData(const fusion_onnx::TensorProto &tensor,
                       StringRef baseDir, uint64_t size) {
  llvm::Expected<DataReference> reference = parseReference(tensor);
  if (!reference) {
    return reference.takeError();
  }
  llvm::Expected<std::string> path =
      resolveInside(reference->location, baseDir);
  if (!path) {
    return path.takeError();
  }
  if (reference->length.value_or(size) != size) {
    return refuse(llvm::formatv("expected {0} bytes in '{1}', but its length "
                                "is {2}",
                                size, reference->location, *reference->length));
  }
  sys::fs::file_status status;
  if (std::error_code error = sys::fs::status(*path, status)) {
    return refuse("cannot open '" + *path + "': " + error.message());
  }
  if (!sys::fs::is_regular_file(status)) {
    return refuse("expected '" + *path + "' to be a file");
  }
  uint64_t available = status.getSize();
  if (reference->offset > available || size > available - reference->offset) {
    return refuse(llvm::formatv(
        "expected {0} bytes at offset {1} of '{2}', but it has {3} bytes", size,
        reference->offset, *path, available));
  }
  auto buffer =
      llvm::MemoryBuffer::getFileSlice(*path, size, reference->offset);
  if (std::error_code error = buffer.getError()) {
    return refuse("cannot read '" + *path + "': " + error.message());
  }
  return std::move(*buffer);
}
