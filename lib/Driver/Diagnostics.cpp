//===- Diagnostics.cpp - how the tools say what is wrong --------*- C++ -*-===//

#include "fusion/Driver/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::fusion;

/// The location that says most to a person: a place in a file, or a node's
/// name; the first one where several were fused.
static void printLocation(Location loc, raw_ostream &os) {
  Location found = loc;
  loc->walk([&](Location inner) {
    if (isa<FileLineColLoc, NameLoc>(inner)) {
      found = inner;
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  if (auto file = dyn_cast<FileLineColLoc>(found)) {
    // Line 0: the file as a whole (a binary model).
    os << file.getFilename().getValue() << ":";
    if (file.getLine() != 0) {
      os << file.getLine() << ":" << file.getColumn() << ":";
    }
    os << " ";
  } else if (auto name = dyn_cast<NameLoc>(found)) {
    os << "node '" << name.getName().getValue() << "': ";
  }
}

static StringRef getSeverity(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Note:
    return "note: ";
  case DiagnosticSeverity::Warning:
    return "warning: ";
  case DiagnosticSeverity::Error:
    return "error: ";
  case DiagnosticSeverity::Remark:
    return "remark: ";
  }
  llvm_unreachable("expected a severity");
}

static void print(Diagnostic &diagnostic, raw_ostream &os) {
  printLocation(diagnostic.getLocation(), os);
  os << getSeverity(diagnostic.getSeverity()) << diagnostic.str() << "\n";
}

DiagnosticPrinter::DiagnosticPrinter(MLIRContext *context, raw_ostream &os)
    : ScopedDiagnosticHandler(context, [&os](Diagnostic &diagnostic) {
        print(diagnostic, os);
        for (Diagnostic &note : diagnostic.getNotes()) {
          os << "  ";
          print(note, os);
        }
        return success();
      }) {
  context->printOpOnDiagnostic(false);
}

LogicalResult mlir::fusion::emitError(MLIRContext *context, llvm::Error error) {
  return mlir::emitError(UnknownLoc::get(context),
                         llvm::toString(std::move(error)));
}

LogicalResult mlir::fusion::emitError(MLIRContext *context,
                                      const Twine &message) {
  return mlir::emitError(UnknownLoc::get(context), message);
}
