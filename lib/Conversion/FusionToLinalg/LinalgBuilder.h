//===- LinalgBuilder.h - what the lowerings of all families share -*- C++
//-*-===//

#ifndef FUSION_LIB_CONVERSION_FUSIONTOLINALG_LINALGBUILDER_H
#define FUSION_LIB_CONVERSION_FUSIONTOLINALG_LINALGBUILDER_H

#include "fusion/Dialect/Fusion/IR/Fusion.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mlir::fusion {

// One function per op family; together they are populateFusionToLinalgPatterns.
void populateBranchPatterns(const TypeConverter &converter,
                            RewritePatternSet &patterns);
void populateContractionPatterns(const TypeConverter &converter,
                                 RewritePatternSet &patterns);
void populateCumulativeSumPatterns(const TypeConverter &converter,
                                   RewritePatternSet &patterns);
void populateElementwisePatterns(const TypeConverter &converter,
                                 RewritePatternSet &patterns);
void populateIndexedPatterns(const TypeConverter &converter,
                             RewritePatternSet &patterns);
void populateMovementPatterns(const TypeConverter &converter,
                              RewritePatternSet &patterns);
void populateOrderPatterns(const TypeConverter &converter,
                           RewritePatternSet &patterns);
void populateReductionPatterns(const TypeConverter &converter,
                               RewritePatternSet &patterns);
void populateReshapePatterns(const TypeConverter &converter,
                             RewritePatternSet &patterns);
void populateShapePatterns(const TypeConverter &converter,
                           RewritePatternSet &patterns);
void populateWindowPatterns(const TypeConverter &converter,
                            RewritePatternSet &patterns);

/// The type in which values of the element type `type` are computed: f32 for
/// f16 and bf16, signless for unsigned integers, else `type`.
Type getComputeType(Type type);

/// Converts the scalar `value` to the wider (or same) type `type`; integers
/// extend as `isUnsigned` says. Exact.
Value widenScalar(ImplicitLocOpBuilder &b, Value value, Type type,
                  bool isUnsigned = false);

/// Rounds the scalar `value` to the narrower (or same) float type `type`.
/// `marked`: the rounding is there only because the graph's value has that
/// type (`fusion.rounding`).
Value narrowScalar(ImplicitLocOpBuilder &b, Value value, Type type,
                   bool marked = true);

/// The shape of `converted`, which stands for the graph's value `original`.
/// Sizes that a reshape was given are used again: a `tensor.dim` of what it
/// becomes does not fold.
SmallVector<OpFoldResult> getShape(ImplicitLocOpBuilder &b, Value original,
                                   Value converted);

/// Makes a `tensor.empty` of this shape.
Value makeEmpty(ImplicitLocOpBuilder &b, ArrayRef<OpFoldResult> shape,
                Type elementType);

/// Makes a tensor of this shape that holds the scalar `value` everywhere.
Value makeFilled(ImplicitLocOpBuilder &b, ArrayRef<OpFoldResult> shape,
                 Value value);

/// Emits the body for the elements of the operands; returns the result's.
using ScalarFunction =
    llvm::function_ref<Value(ImplicitLocOpBuilder &, ValueRange)>;

/// Makes one parallel `linalg.generic` of the result shape `shape` whose inputs
/// are read through `maps` (all identities where `maps` is empty).
Value makeParallel(ImplicitLocOpBuilder &b, ValueRange inputs,
                   ArrayRef<AffineMap> maps, ArrayRef<OpFoldResult> shape,
                   Type elementType, ScalarFunction body);

/// Emits the combination of two scalars.
using ScalarCombiner =
    llvm::function_ref<Value(ImplicitLocOpBuilder &, Value, Value)>;

/// Makes a reduction to the shape `shape`, with the maps of inputs and result:
/// `value` gives what an element contributes, `combine` joins two of these;
/// `identity` is what nothing gives.
Value makeReduction(ImplicitLocOpBuilder &b, ValueRange inputs,
                    ArrayRef<AffineMap> maps,
                    ArrayRef<utils::IteratorType> iterators,
                    ArrayRef<OpFoldResult> shape, TypedAttr identity,
                    ScalarFunction value, ScalarCombiner combine);

/// Makes a contraction of two `operands` to the shape `shape`, with the maps of
/// operands and result: products in the type `accumulator`, summed from zero.
Value makeContraction(ImplicitLocOpBuilder &b, ValueRange operands,
                      ArrayRef<AffineMap> maps,
                      ArrayRef<utils::IteratorType> iterators,
                      ArrayRef<OpFoldResult> shape, Type accumulator,
                      bool isUnsigned);

/// The neutral element, of type `compute`, of a reduction of elements of the
/// graph's type `element`.
TypedAttr getReductionIdentity(ReduceKind kind, Type element, Type compute);

/// Combines two scalars as a reduction of elements of the graph's type
/// `element` does. A mean sums.
Value combineScalars(ImplicitLocOpBuilder &b, ReduceKind kind, Type element,
                     Value lhs, Value rhs);

/// Rounds the tensor `value` to `elementType`, marked, where that is not its
/// type yet.
Value narrowTensor(ImplicitLocOpBuilder &b, Value value, Type elementType);

} // namespace mlir::fusion

#endif // FUSION_LIB_CONVERSION_FUSIONTOLINALG_LINALGBUILDER_H
