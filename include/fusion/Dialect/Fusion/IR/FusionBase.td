//===- FusionBase.td - the fusion dialect, its types and base classes -----===//

#ifndef FUSION_DIALECT_FUSION_IR_FUSIONBASE_TD
#define FUSION_DIALECT_FUSION_IR_FUSIONBASE_TD

include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Fusion_Dialect : Dialect {
  let name = "fusion";
  let cppNamespace = "::mlir::fusion";
  let summary = "Compute graphs of named tensor operations, and fused groups";
  let description = [{
    The graph that a model is imported into: operations on ranked tensors of any
    rank (0 included) with static and dynamic dims, of the element types f16,
    bf16, f32, f64, i1, signed integers (written signless, `i8` to `i64`) and
    unsigned integers (`ui8` to `ui64`). Operations keep the intent of the model
    readable (`softmax`, `layer_norm`); they have no side effects, broadcast
    nothing implicitly and round as docs/Numerics.md says.

    `fusion.group` belongs to a later stage: it holds what becomes one kernel.

    The dialect also defines these discardable attributes:

    | attribute | on | meaning |
    | --- | --- | --- |
    | `fusion.name` | argument, result of a function | string: its name in the model |
    | `fusion.weight` | argument | unit: a weight, handed over once |
    | `fusion.dims` | argument, result | array of strings: names of the dynamic dims, `""` elsewhere |
    | `fusion.donated` | argument | unit: a run may overwrite it |
    | `fusion.dtype` | argument, result | string (`"u8"`): the element type where lowering made it signless |
    | `fusion.rounding` | `arith.truncf` | unit: rounds only because the graph value has that type |
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let extraClassDeclaration = [{
    /// Names of the dialect's discardable attributes.
    static constexpr ::llvm::StringLiteral kNameAttr = "fusion.name";
    static constexpr ::llvm::StringLiteral kWeightAttr = "fusion.weight";
    static constexpr ::llvm::StringLiteral kDimsAttr = "fusion.dims";
    static constexpr ::llvm::StringLiteral kDonatedAttr = "fusion.donated";
    static constexpr ::llvm::StringLiteral kDTypeAttr = "fusion.dtype";
    static constexpr ::llvm::StringLiteral kRoundingAttr = "fusion.rounding";

  private:
    void registerAttributes();
    void registerOps();
  public:
  }];
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

def Fusion_Float : AnyTypeOf<[F16, BF16, F32, F64],
                             "floating-point (f16, bf16, f32 or f64)">;
def Fusion_Int : AnyTypeOf<[I8, I16, I32, I64, UI8, UI16, UI32, UI64],
                           "8, 16, 32 or 64-bit integer">;
def Fusion_Bool : TypeAlias<I1, "i1">;

def Fusion_FloatTensor : RankedTensorOf<[Fusion_Float]>;
def Fusion_BoolTensor : RankedTensorOf<[Fusion_Bool]>;
def Fusion_NumberTensor : RankedTensorOf<[Fusion_Float, Fusion_Int]>;
def Fusion_BitsTensor : RankedTensorOf<[Fusion_Bool, Fusion_Int]>;
def Fusion_Tensor : RankedTensorOf<[Fusion_Float, Fusion_Int, Fusion_Bool]>;

//===----------------------------------------------------------------------===//
// Enums
//===----------------------------------------------------------------------===//

def Fusion_ReduceKind : I32Enum<"ReduceKind", "what a reduction computes", [
    I32EnumCase<"sum", 0>, I32EnumCase<"mean", 1>, I32EnumCase<"max", 2>,
    I32EnumCase<"min", 3>, I32EnumCase<"prod", 4>]> {
  let cppNamespace = "::mlir::fusion";
}
def Fusion_ReduceKindAttr
    : EnumAttr<Fusion_Dialect, Fusion_ReduceKind, "reduce_kind">;

def Fusion_ComparePredicate : I32Enum<"ComparePredicate", "comparison", [
    I32EnumCase<"eq", 0>, I32EnumCase<"ne", 1>, I32EnumCase<"lt", 2>,
    I32EnumCase<"le", 3>, I32EnumCase<"gt", 4>, I32EnumCase<"ge", 5>]> {
  let cppNamespace = "::mlir::fusion";
}
def Fusion_ComparePredicateAttr
    : EnumAttr<Fusion_Dialect, Fusion_ComparePredicate, "predicate">;

def Fusion_GeluApproximation
    : I32Enum<"GeluApproximation", "how GELU's error function is computed", [
    I32EnumCase<"none", 0>, I32EnumCase<"tanh", 1>]> {
  let cppNamespace = "::mlir::fusion";
}
def Fusion_GeluApproximationAttr
    : EnumAttr<Fusion_Dialect, Fusion_GeluApproximation, "gelu_approximation">;

//===----------------------------------------------------------------------===//
// Base classes
//===----------------------------------------------------------------------===//

class Fusion_Op<string mnemonic, list<Trait> traits = []>
    : Op<Fusion_Dialect, mnemonic, traits>;

/// An operation on tensors without effects that can say its result's shape.
class Fusion_TensorOp<string mnemonic, list<Trait> traits = []>
    : Fusion_Op<mnemonic, traits # [
        Pure, DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                                  ["reifyResultShapes"]>]>;

/// A tensor operation whose result has the shape of its first operand.
class Fusion_SameShapeOp<string mnemonic, list<Trait> traits = []>
    : Fusion_TensorOp<mnemonic, traits> {
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::reifyResultShapes(
        ::mlir::OpBuilder &builder,
        ::mlir::ReifiedRankedShapedTypeDims &shapes) {
      shapes.push_back(::mlir::tensor::getMixedSizes(
          builder, getLoc(), getOperation()->getOperand(0)));
      return ::mlir::success();
    }
  }];
}

#endif // FUSION_DIALECT_FUSION_IR_FUSIONBASE_TD
