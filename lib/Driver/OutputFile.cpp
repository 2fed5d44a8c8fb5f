//===- OutputFile.cpp - files that users name for results -----------------===//

#include "fusion/Driver/OutputFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

std::string mlir::fusion::followLinks(StringRef path) {
  SmallString<128> real;
  return llvm::sys::fs::real_path(path, real) ? path.str() : real.str().str();
}

bool mlir::fusion::isReplaceable(StringRef path) {
  llvm::sys::fs::file_status status;
  (void)llvm::sys::fs::status(path, status);
  return !llvm::sys::fs::exists(status) ||
         llvm::sys::fs::is_regular_file(status);
}

llvm::Error mlir::fusion::writeOutputFile(StringRef path, StringRef bytes) {
  std::string target = followLinks(path);
  if (isReplaceable(target)) {
    return llvm::writeToOutput(target, [&](raw_ostream &os) {
      os << bytes;
      return llvm::Error::success();
    });
  }
  std::error_code error;
  llvm::raw_fd_ostream os(target, error);
  if (!error) {
    os << bytes;
    os.close();
    error = os.error();
    os.clear_error();
  }
  return error ? llvm::createFileError(path, error) : llvm::Error::success();
}

llvm::Error mlir::fusion::checkOutputFile(StringRef path) {
  using llvm::sys::fs::AccessMode;
  std::string target = followLinks(path);
  if (llvm::sys::fs::is_directory(target)) {
    return llvm::createFileError(
        path, std::make_error_code(std::errc::is_a_directory));
  }
  // A plain file is replaced by another one of its folder.
  StringRef place = target;
  if (isReplaceable(target)) {
    place = llvm::sys::path::parent_path(target);
    place = place.empty() ? "." : place;
  }
  std::error_code error = llvm::sys::fs::access(place, AccessMode::Exist);
  error = error ? error : llvm::sys::fs::access(place, AccessMode::Write);
  return error ? llvm::createFileError(path, error) : llvm::Error::success();
}
