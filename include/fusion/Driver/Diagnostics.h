//===- Diagnostics.h - how the tools say what is wrong ----------*- C++ -*-===//

#ifndef FUSION_DRIVER_DIAGNOSTICS_H
#define FUSION_DRIVER_DIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/Error.h"

namespace mlir::fusion {

/// While it lives, prints each diagnostic of the context as one line, notes
/// below it: `[LOCATION: ]error: TEXT`. No source is quoted and no operation
/// printed, so that a script can read the line.
class DiagnosticPrinter : public ScopedDiagnosticHandler {
public:
  DiagnosticPrinter(MLIRContext *context, raw_ostream &os);
};

/// Returns what of `loc` says most to a person: a place in a file
/// ("model.mlir:3:7"), a node's name ("node 'conv1'"), or nothing.
std::string describeLocation(Location loc);

/// Emits `error` as a diagnostic without a location; fails always.
LogicalResult emitError(MLIRContext *context, llvm::Error error);

/// The same for a message.
LogicalResult emitError(MLIRContext *context, const Twine &message);

} // namespace mlir::fusion

#endif // FUSION_DRIVER_DIAGNOSTICS_H
