//===- Diagnostics.cpp - how the tools say what is wrong --------*- C++ -*-===//

#include "fusion/Driver/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::fusion;

std::string mlir::fusion::describeLocation(Location loc) {
  // The first one where several were fused.
  Location found = loc;
  loc->walk([&](Location inner) {
    if (isa<FileLineColLoc, NameLoc>(inner)) {
      found = inner;
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto file = dyn_cast<FileLineColLoc>(found)) {
    // Line 0: the file as a whole (a binary model).
    os << file.getFilename().getValue();
    if (file.getLine() != 0) {
      os << ":" << file.getLine() << ":" << file.getColumn();
    }
  } else if (auto name = dyn_cast<NameLoc>(found)) {
    os << "node '" << name.getName().getValue() << "'";
  }
  return text;
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
  std::string location = describeLocation(diagnostic.getLocation());
  os << location << (location.empty() ? "" : ": ")
     << getSeverity(diagnostic.getSeverity()) << diagnostic.str() << "\n";
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
