//===- FusionToLinalg.h - graph operations to linalg ------------*- C++ -*-===//
//
// Stage 1 to stage 2: one linalg operation per graph operation, nothing fused.
// docs/Architecture.md says what the result looks like.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_CONVERSION_FUSIONTOLINALG_FUSIONTOLINALG_H
#define FUSION_CONVERSION_FUSIONTOLINALG_FUSIONTOLINALG_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mlir::fusion {

/// Makes tensors of unsigned integers tensors of signless ones; every other
/// type stays. From there on the signedness is in the operations (`divui`).
class SignlessTypeConverter : public TypeConverter {
public:
  SignlessTypeConverter();
};

/// Adds patterns for all operations of the fusion dialect that
/// `fusion-decompose` leaves, but `fusion.group`. A `fusion.if` stays one.
void populateFusionToLinalgPatterns(const TypeConverter &converter,
                                    RewritePatternSet &patterns);

/// Converts all of `module`, signatures included: an argument or result of
/// unsigned integers becomes signless, with its type in `fusion.dtype`. Then
/// scalars enter the bodies that use them. Fails with a diagnostic on an
/// operation of the dialect without a lowering (a composite one that
/// `fusion-decompose` has not taken apart).
LogicalResult convertFusionToLinalg(ModuleOp module);

} // namespace mlir::fusion

#endif // FUSION_CONVERSION_FUSIONTOLINALG_FUSIONTOLINALG_H
