//===- TabulateParameters.h - parameters in memory --------------*- C++ -*-===//

#ifndef FUSION_CONVERSION_TABULATEPARAMETERS_TABULATEPARAMETERS_H
#define FUSION_CONVERSION_TABULATEPARAMETERS_TABULATEPARAMETERS_H

#include "fusion/Tile/IR/Tile.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::fusion {

/// The bytes that a launch of `arguments` takes of a kernel's parameters.
int64_t getParameterBytes(TypeRange arguments);

/// Makes each kernel of `module`, in stage 5, that takes more than `limit`
/// bytes of parameters read them from a table; see the description of the pass.
LogicalResult tabulateParameters(ModuleOp module, int64_t limit);

} // namespace mlir::fusion

#endif // FUSION_CONVERSION_TABULATEPARAMETERS_TABULATEPARAMETERS_H
