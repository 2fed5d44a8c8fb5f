//===- Package.cpp - shared libraries of compiled programs ------*- C++ -*-===//

#include "Package.h"
#include "fusion/Driver/Diagnostics.h"
#include "fusion/Driver/OutputFile.h"
#include "fusion/Driver/Version.h"
#include "fusion/Target/Host/Host.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace mlir;
using namespace mlir::fusion;

//===----------------------------------------------------------------------===//
// The header
//===----------------------------------------------------------------------===//

/// `text` as part of a C name in capitals.
static std::string getCName(StringRef text) {
  std::string name;
  for (char c : text) {
    name += llvm::isAlnum(c) ? llvm::toUpper(c) : '_';
  }
  return name;
}

static StringRef getRole(func::FuncOp main, unsigned index) {
  if (main.getArgAttr(index, "fusion.constant")) {
    return "";
  }
  if (main.getArgAttr(index, "fusion.result")) {
    return "RESULT";
  }
  return main.getArgAttr(index, "fusion.weight") ? "WEIGHT" : "INPUT";
}

static void printEnum(func::FuncOp main, StringRef role, StringRef prefix,
                      raw_ostream &os) {
  os << "enum {\n";
  int64_t position = 0;
  for (unsigned i = 0; i < main.getNumArguments(); ++i) {
    if (getRole(main, i) != role) {
      continue;
    }
    auto name = main.getArgAttrOfType<StringAttr>(i, "fusion.name");
    os << "  " << prefix << "_" << role << "_"
       << (name ? getCName(name.getValue()) : std::to_string(position)) << " = "
       << position++ << ", /* ";
    auto type = cast<MemRefType>(main.getArgumentTypes()[i]);
    for (int64_t dim : type.getShape()) {
      os << (ShapedType::isDynamic(dim) ? "?" : std::to_string(dim)) << "x";
    }
    os << type.getElementType() << " */\n";
  }
  os << "  " << prefix << "_NUM_" << role << "S = " << position << "\n};\n";
}

std::string mlir::fusion::makePackageHeader(ModuleOp module, StringRef path) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  std::string prefix = getCName(llvm::sys::path::stem(path)), text;
  llvm::raw_string_ostream os(text);
  os << "/* Positions in the arrays that " << llvm::sys::path::filename(path)
     << " is given (fusion-c/Runtime.h). Made by Fusion " << getVersion()
     << ". */\n#ifndef FUSION_PACKAGE_" << prefix
     << "_H\n#define FUSION_PACKAGE_" << prefix << "_H\n\n";
  for (StringRef role : {"INPUT", "WEIGHT", "RESULT"}) {
    printEnum(main, role, prefix, os);
  }
  os << "\n#endif\n";
  return text;
}

//===----------------------------------------------------------------------===//
// The library
//===----------------------------------------------------------------------===//

/// Finds what can make a shared library of an object; empty if nothing can.
static std::string findLinker() {
  for (StringRef name : {"ld.lld-22", "ld.lld", "ld", "cc", "clang-22"}) {
    if (auto program = llvm::sys::findProgramByName(name)) {
      return *program;
    }
  }
  return "";
}

static LogicalResult link(MLIRContext *context, StringRef object,
                          StringRef output) {
  std::string linker = findLinker();
  if (linker.empty()) {
    return emitError(context,
                     "expected a linker (ld.lld, ld or cc) on PATH to make "
                     "a package, but found none");
  }
  SmallVector<StringRef> arguments = {linker, "-shared", "-o", output, object};
  std::string message;
  SmallString<64> log;
  if (llvm::sys::fs::createTemporaryFile("fusion-link", "log", log)) {
    return emitError(context, "cannot write to the temporary folder");
  }
  llvm::FileRemover removeLog(log);
  std::optional<StringRef> redirects[] = {StringRef(""), StringRef(""),
                                          StringRef(log)};
  int code = llvm::sys::ExecuteAndWait(linker, arguments, std::nullopt,
                                       redirects, 0, 0, &message);
  if (code == 0) {
    return success();
  }
  if (auto buffer = llvm::MemoryBuffer::getFile(log)) {
    message += (*buffer)->getBuffer().split('\n').first;
  }
  return emitError(context, linker + ": " + message);
}

/// Writes what the file `from` holds to the device or pipe `path`.
static llvm::Error pour(StringRef from, StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(from, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer) {
    return llvm::createFileError(from, buffer.getError());
  }
  return writeOutputFile(path, (*buffer)->getBuffer());
}

LogicalResult mlir::fusion::writePackage(ModuleOp module, StringRef header,
                                         StringRef path) {
  MLIRContext *context = module.getContext();
  FailureOr<std::string> object = emitHostObject(module);
  if (failed(object)) {
    return failure();
  }
  SmallString<64> objectPath;
  if (std::error_code error =
          llvm::sys::fs::createTemporaryFile("fusion", "o", objectPath)) {
    return emitError(context, "cannot write to the temporary folder: " +
                                  error.message());
  }
  llvm::FileRemover removeObject(objectPath);
  if (llvm::Error error = writeOutputFile(objectPath, *object)) {
    return emitError(context, std::move(error));
  }
  // Linked under another name first: a failed link leaves nothing behind.
  // What a link names is written, not the link.
  std::string target = followLinks(path);
  bool replaces = isReplaceable(target);
  std::string unfinished =
      (replaces ? StringRef(target) : objectPath.str()).str() + ".unfinished";
  llvm::FileRemover removeUnfinished(unfinished);
  if (failed(link(context, objectPath, unfinished))) {
    return failure();
  }
  if (!replaces) {
    llvm::Error error = pour(unfinished, target); // a header has no place there
    return error ? emitError(context, std::move(error)) : success();
  }
  SmallString<128> headerPath(target);
  llvm::sys::path::replace_extension(headerPath, "h");
  if (llvm::Error error = writeOutputFile(headerPath, header)) {
    return emitError(context, std::move(error));
  }
  if (std::error_code error = llvm::sys::fs::rename(unfinished, target)) {
    llvm::sys::fs::remove(headerPath);
    return emitError(context, path + ": " + error.message());
  }
  return success();
}
