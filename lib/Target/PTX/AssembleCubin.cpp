//===- AssembleCubin.cpp - PTX to cubin through ptxas, where it is found --===//

#include "fusion/Target/PTX/PTX.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Regex.h"

using namespace mlir;
using namespace mlir::fusion;

std::string fusion::findPtxas() {
  SmallVector<std::string> folders;
  if (auto home = llvm::sys::Process::GetEnv("CUDA_HOME")) {
    folders.push_back(*home + "/bin");
  }
  for (const std::string &folder : folders) {
    if (auto path = llvm::sys::findProgramByName("ptxas", {folder})) {
      return *path;
    }
  }
  if (auto path = llvm::sys::findProgramByName("ptxas")) {
    return *path;
  }
  if (auto path =
          llvm::sys::findProgramByName("ptxas", {"/usr/local/cuda/bin"})) {
    return *path;
  }
  return "";
}

/// The number before `unit` in `line`; 0 if there is none.
static int64_t numberBefore(StringRef line, StringRef unit) {
  llvm::Regex pattern(("([0-9]+) " + unit).str());
  SmallVector<StringRef> groups;
  int64_t number = 0;
  if (pattern.match(line, &groups)) {
    groups[1].getAsInteger(10, number);
  }
  return number;
}

SmallVector<KernelUsage> fusion::parsePtxasUsage(StringRef output) {
  SmallVector<KernelUsage> kernels;
  SmallVector<StringRef> lines;
  output.split(lines, '\n');
  for (StringRef line : lines) {
    if (line.contains("Compiling entry function")) {
      kernels.emplace_back().name =
          line.split('\'').second.split('\'').first.str();
      continue;
    }
    if (kernels.empty()) {
      continue;
    }
    KernelUsage &kernel = kernels.back();
    if (line.contains("bytes stack frame")) {
      kernel.stackBytes = numberBefore(line, "bytes stack frame");
      kernel.spillStoreBytes = numberBefore(line, "bytes spill stores");
      kernel.spillLoadBytes = numberBefore(line, "bytes spill loads");
    } else if (line.contains(": Used ")) {
      kernel.registers = numberBefore(line, "registers");
      kernel.sharedBytes = numberBefore(line, "bytes smem");
    }
  }
  return kernels;
}

namespace {
/// A file that goes away with the object.
struct TemporaryFile {
  SmallString<128> path;
  llvm::FileRemover remover;

  LogicalResult create(Location loc, StringRef suffix) {
    if (auto error =
            llvm::sys::fs::createTemporaryFile("fusion", suffix, path)) {
      return emitError(loc)
             << "cannot create a temporary file: " << error.message();
    }
    remover.setFile(path);
    return success();
  }

  FailureOr<std::string> read(Location loc) {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    if (!buffer) {
      return emitError(loc)
             << "cannot read '" << path << "': " << buffer.getError().message();
    }
    return (*buffer)->getBuffer().str();
  }
};
} // namespace

FailureOr<Cubin> fusion::assembleCubin(Location loc, StringRef ptx,
                                       StringRef chip) {
  std::string ptxas = findPtxas();
  if (ptxas.empty()) {
    return emitError(loc) << "ptxas was not found: set CUDA_HOME or PATH, or "
                             "stop at PTX";
  }
  TemporaryFile input, output, log;
  if (failed(input.create(loc, "ptx")) || failed(output.create(loc, "cubin")) ||
      failed(log.create(loc, "log"))) {
    return failure();
  }
  std::error_code error;
  llvm::raw_fd_ostream stream(input.path, error);
  stream << ptx;
  stream.close();
  if (error || stream.has_error()) {
    return emitError(loc) << "cannot write '" << input.path << "'";
  }
  std::string arch = ("-arch=" + chip).str();
  std::optional<StringRef> redirects[] = {std::nullopt, StringRef(log.path),
                                          StringRef(log.path)};
  std::string message;
  int status = llvm::sys::ExecuteAndWait(
      ptxas, {ptxas, "-v", "-O3", arch, input.path, "-o", output.path},
      std::nullopt, redirects, /*SecondsToWait=*/0, /*MemoryLimit=*/0,
      &message);
  FailureOr<std::string> text = log.read(loc);
  if (status != 0 || failed(text)) {
    return emitError(loc) << "ptxas failed: " << message
                          << (succeeded(text) ? *text : "");
  }
  FailureOr<std::string> image = output.read(loc);
  if (failed(image)) {
    return failure();
  }
  return Cubin{*image, parsePtxasUsage(*text)};
}
