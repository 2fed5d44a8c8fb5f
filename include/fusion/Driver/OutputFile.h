//===- OutputFile.h - files that users name for results ---------*- C++ -*-===//

#ifndef FUSION_DRIVER_OUTPUTFILE_H
#define FUSION_DRIVER_OUTPUTFILE_H

#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"
#include <string>

namespace mlir::fusion {

/// Returns the file that `path` leads to where it is a link, else `path`.
std::string followLinks(StringRef path);

/// Whether another file may take the place of `path`: none is there, or a plain
/// one. A device (/dev/null) or a pipe is written to and stays what it is.
bool isReplaceable(StringRef path);

/// Fails where writeOutputFile() to `path` could not succeed: known before the
/// work that is to be written.
llvm::Error checkOutputFile(StringRef path);

/// Writes `bytes` to the file `path`, or to what it leads to: a plain file
/// through a temporary one, so that a failed write leaves nothing behind.
llvm::Error writeOutputFile(StringRef path, StringRef bytes);

} // namespace mlir::fusion

#endif // FUSION_DRIVER_OUTPUTFILE_H
