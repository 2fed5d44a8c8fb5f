//===- ElementwiseOps.td - one result element per operand element ---------===//

#ifndef FUSION_DIALECT_FUSION_IR_ELEMENTWISEOPS_TD
#define FUSION_DIALECT_FUSION_IR_ELEMENTWISEOPS_TD

include "fusion/Dialect/Fusion/IR/FusionBase.td"

class Fusion_ElementwiseOp<string mnemonic, list<Trait> traits = []>
    : Fusion_SameShapeOp<mnemonic, traits # [Elementwise]>;

//===----------------------------------------------------------------------===//
// Unary
//===----------------------------------------------------------------------===//

/// `result[i] = formula(input[i])`, both of type `type`. `notes` states what
/// the formula leaves open (NaN, zeros, overflow).
class Fusion_UnaryOp<string mnemonic, Type type, string what, string formula,
                     string notes = "", list<Trait> traits = []>
    : Fusion_ElementwiseOp<mnemonic, traits # [
        AllTypesMatch<["input", "result"]> /*C1*/]> {
  let summary = what # ", element by element";
  let description = "\nComputes `" # formula # "` for each element `x`.\n" #
      notes # "\n\n" #
      "Constraints:\n" #
      "* (C1) `input` and `result` have the same type.\n\n" #
      "Example:\n```mlir\n" #
      "%r = fusion." # mnemonic # " %x : tensor<4x?xf32>\n\n" #
      "// Invalid (C1): the types differ.\n" #
      "%s = \"fusion." # mnemonic # "\"(%x) : (tensor<4x?xf32>) -> tensor<4xf32>\n" #
      "```\n";
  let arguments = (ins type:$input);
  let results = (outs type:$result);
  let assemblyFormat = "$input attr-dict `:` type($result)";
}

def Fusion_NegOp : Fusion_UnaryOp<"neg", Fusion_NumberTensor, "negation", "-x",
    "Integers wrap; the sign of a zero is flipped."> {
  let hasFolder = 1;
}
def Fusion_AbsOp : Fusion_UnaryOp<"abs", Fusion_NumberTensor, "absolute value",
    "|x|", "The smallest signed integer stays itself."> {
  let hasFolder = 1;
}
def Fusion_SignOp : Fusion_UnaryOp<"sign", Fusion_NumberTensor, "sign",
    "x < 0 ? -1 : x > 0 ? 1 : x", "NaN and both zeros stay themselves.">;
def Fusion_ReluOp : Fusion_UnaryOp<"relu", Fusion_NumberTensor,
    "rectified linear unit", "max(x, 0)", "NaN stays NaN."> {
  let hasFolder = 1;
}
def Fusion_NotOp : Fusion_UnaryOp<"not", Fusion_BitsTensor,
    "complement of all bits", "~x"> {
  let description = [{
    Computes `~x` for each element `x`; on `i1` this is the logical complement.

    Constraints:
    * (C1) `input` and `result` have the same type.

    Example:
    ```mlir
    %r = fusion.not %x : tensor<4x?xi1>

    // Invalid (C1): the types differ.
    %s = "fusion.not"(%x) : (tensor<4x?xi1>) -> tensor<4xi1>
    ```
  }];
  let hasFolder = 1;
}

class Fusion_FloatUnaryOp<string mnemonic, string what, string formula,
                          string notes = "">
    : Fusion_UnaryOp<mnemonic, Fusion_FloatTensor, what, formula, notes>;

def Fusion_ExpOp : Fusion_FloatUnaryOp<"exp", "exponential", "e^x">;
def Fusion_LogOp : Fusion_FloatUnaryOp<"log", "natural logarithm", "log(x)">;
def Fusion_SqrtOp : Fusion_FloatUnaryOp<"sqrt", "square root", "sqrt(x)">;
def Fusion_RsqrtOp : Fusion_FloatUnaryOp<"rsqrt", "reciprocal square root",
    "1 / sqrt(x)">;
def Fusion_ReciprocalOp : Fusion_FloatUnaryOp<"reciprocal", "reciprocal",
    "1 / x">;
def Fusion_ErfOp : Fusion_FloatUnaryOp<"erf", "error function", "erf(x)">;
def Fusion_TanhOp : Fusion_FloatUnaryOp<"tanh", "hyperbolic tangent",
    "tanh(x)">;
def Fusion_SigmoidOp : Fusion_FloatUnaryOp<"sigmoid", "logistic function",
    "1 / (1 + e^-x)">;
def Fusion_SiluOp : Fusion_FloatUnaryOp<"silu", "sigmoid linear unit",
    "x * sigmoid(x)">;
def Fusion_SinOp : Fusion_FloatUnaryOp<"sin", "sine", "sin(x)">;
def Fusion_CosOp : Fusion_FloatUnaryOp<"cos", "cosine", "cos(x)">;
def Fusion_TanOp : Fusion_FloatUnaryOp<"tan", "tangent", "tan(x)">;
def Fusion_AsinOp : Fusion_FloatUnaryOp<"asin", "inverse sine", "asin(x)",
    "NaN beyond -1 and 1.">;
def Fusion_AcosOp : Fusion_FloatUnaryOp<"acos", "inverse cosine", "acos(x)",
    "NaN beyond -1 and 1.">;
def Fusion_AtanOp : Fusion_FloatUnaryOp<"atan", "inverse tangent", "atan(x)">;
def Fusion_SinhOp : Fusion_FloatUnaryOp<"sinh", "hyperbolic sine", "sinh(x)">;
def Fusion_CoshOp : Fusion_FloatUnaryOp<"cosh", "hyperbolic cosine",
    "cosh(x)">;
def Fusion_AsinhOp : Fusion_FloatUnaryOp<"asinh", "inverse hyperbolic sine",
    "asinh(x)">;
def Fusion_AcoshOp : Fusion_FloatUnaryOp<"acosh", "inverse hyperbolic cosine",
    "acosh(x)", "NaN below 1.">;
def Fusion_AtanhOp : Fusion_FloatUnaryOp<"atanh", "inverse hyperbolic tangent",
    "atanh(x)", "NaN beyond -1 and 1.">;
def Fusion_ExpM1Op : Fusion_FloatUnaryOp<"expm1", "exponential minus one",
    "e^x - 1", "Exact to the last places near zero too.">;
def Fusion_Log1pOp : Fusion_FloatUnaryOp<"log1p", "logarithm of one more",
    "log(1 + x)", "Exact to the last places near zero too.">;
def Fusion_FloorOp : Fusion_FloatUnaryOp<"floor",
    "largest integer that is not above", "floor(x)">;
def Fusion_CeilOp : Fusion_FloatUnaryOp<"ceil",
    "smallest integer that is not below", "ceil(x)">;
def Fusion_RoundOp : Fusion_FloatUnaryOp<"round", "nearest integer",
    "round(x)", "Halfway cases go to the even neighbour.">;

def Fusion_GeluOp : Fusion_ElementwiseOp<"gelu", [
    AllTypesMatch<["input", "result"]> /*C1*/]> {
  let summary = "Gaussian error linear unit, element by element";
  let description = [{
    Computes, for each element `x`, `0.5 * x * (1 + erf(x / sqrt(2)))`, or with
    `approximate = tanh`
    `0.5 * x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3)))`.

    Constraints:
    * (C1) `input` and `result` have the same type.

    Example:
    ```mlir
    %r = fusion.gelu %x approximate = tanh : tensor<4x?xf16>

    // Invalid (C1): the types differ.
    %s = "fusion.gelu"(%x) : (tensor<4x?xf16>) -> tensor<4xf16>
    ```
  }];
  let arguments = (ins
    Fusion_FloatTensor:$input,
    DefaultValuedAttr<Fusion_GeluApproximationAttr,
                      "::mlir::fusion::GeluApproximation::none">:$approximate);
  let results = (outs Fusion_FloatTensor:$result);
  let assemblyFormat = [{
    $input (`approximate` `=` $approximate^)? attr-dict `:` type($result)
  }];
}

//===----------------------------------------------------------------------===//
// Binary
//===----------------------------------------------------------------------===//

/// `result[i] = formula(lhs[i], rhs[i])`, all of one type.
class Fusion_BinaryOp<string mnemonic, Type type, string element, string what,
                      string formula, string notes = "",
                      list<Trait> traits = []>
    : Fusion_ElementwiseOp<mnemonic, traits # [
        AllTypesMatch<["lhs", "rhs", "result"]> /*C1*/]> {
  let summary = what # ", element by element";
  let description = "\nComputes `" # formula #
      "` for each pair of elements `x` of `lhs` and `y` of `rhs`. Nothing is " #
      "broadcast.\n" # notes # "\n\n" #
      "Constraints:\n" #
      "* (C1) `lhs`, `rhs` and `result` have the same type.\n\n" #
      "Example:\n```mlir\n" #
      "%r = fusion." # mnemonic # " %x, %y : tensor<4x?x" # element # ">\n\n" #
      "// Invalid (C1): the types differ.\n" #
      "%s = \"fusion." # mnemonic # "\"(%x, %z) : (tensor<4x?x" # element #
      ">, tensor<?x" # element # ">) -> tensor<4x?x" # element # ">\n" #
      "```\n";
  let arguments = (ins type:$lhs, type:$rhs);
  let results = (outs type:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
}

class Fusion_NumberBinaryOp<string mnemonic, string what, string formula,
                            string notes = "", list<Trait> traits = []>
    : Fusion_BinaryOp<mnemonic, Fusion_NumberTensor, "f32", what, formula,
                      notes, traits>;

def Fusion_AddOp : Fusion_NumberBinaryOp<"add", "sum", "x + y",
    "Integers wrap at their width.", [Commutative]> {
  let hasFolder = 1;
}
def Fusion_SubOp : Fusion_NumberBinaryOp<"sub", "difference", "x - y",
    "Integers wrap at their width."> {
  let hasFolder = 1;
}
def Fusion_MulOp : Fusion_NumberBinaryOp<"mul", "product", "x * y",
    "Integers wrap at their width.", [Commutative]> {
  let hasFolder = 1;
}
def Fusion_DivOp : Fusion_NumberBinaryOp<"div", "quotient", "x / y", [{
Integers: the quotient is rounded towards zero; `x / 0` has all bits set
(-1, or the largest unsigned value), and the smallest integer by -1 is itself.}]> {
  let hasFolder = 1;
}
def Fusion_RemOp : Fusion_NumberBinaryOp<"rem", "remainder of the division",
    "x - trunc(x / y) * y", [{
The result has the sign of `x`. Integers: `x rem 0` is `x`, and the remainder of
the smallest integer by -1 is 0. Floats: as C's `fmod`, without rounding error.}]> {
  let hasFolder = 1;
}
def Fusion_MinOp : Fusion_NumberBinaryOp<"min", "smaller value", "min(x, y)",
    "NaN if either is NaN; -0 is below +0.", [Commutative]> {
  let hasFolder = 1;
}
def Fusion_MaxOp : Fusion_NumberBinaryOp<"max", "larger value", "max(x, y)",
    "NaN if either is NaN; +0 is above -0.", [Commutative]> {
  let hasFolder = 1;
}
def Fusion_PowOp : Fusion_BinaryOp<"pow", Fusion_FloatTensor, "f32", "power",
    "x^y", "As C's `pow`: `pow(x, 0)` and `pow(1, y)` are 1, NaN included.">;

class Fusion_BitsBinaryOp<string mnemonic, string what, string formula>
    : Fusion_BinaryOp<mnemonic, Fusion_BitsTensor, "i1", what, formula,
                      "On `i1` these are the logical operations.",
                      [Commutative]> {
  let hasFolder = 1;
}
def Fusion_AndOp : Fusion_BitsBinaryOp<"and", "conjunction of all bits",
                                       "x & y">;
def Fusion_OrOp : Fusion_BitsBinaryOp<"or", "disjunction of all bits", "x | y">;
def Fusion_XorOp : Fusion_BitsBinaryOp<"xor", "difference of all bits",
                                       "x ^ y">;

class Fusion_ShiftOp<string mnemonic, string what, string formula,
                     string notes>
    : Fusion_BinaryOp<mnemonic, RankedTensorOf<[Fusion_Int]>, "i32", what,
                      formula, notes>;
def Fusion_ShlOp : Fusion_ShiftOp<"shl", "bits moved up", "x << y",
    "0 where `y`, as an unsigned number, is not below the width.">;
def Fusion_ShrOp : Fusion_ShiftOp<"shr", "bits moved down", "x >> y", [{
What comes in is the sign of signed integers, else 0; it fills the result where
`y`, as an unsigned number, is not below the width.}]>;

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

def Fusion_CompareOp : Fusion_ElementwiseOp<"compare", [
    AllTypesMatch<["lhs", "rhs"]> /*C1*/,
    TypesMatchWith<"result has the shape of the operands and element type i1",
                   "lhs", "result",
                   "::mlir::fusion::getBoolTypeLike($_self)"> /*C2*/]> {
  let summary = "comparison, element by element";
  let description = [{
    Compares each pair of elements with `eq`, `ne`, `lt`, `le`, `gt` or `ge`.
    With a NaN every comparison is false, but `ne` is true. The two zeros are
    equal.

    Constraints:
    * (C1) `lhs` and `rhs` have the same type.
    * (C2) `result` has their shape, and element type `i1`.

    Example:
    ```mlir
    %r = fusion.compare lt, %x, %y : tensor<4x?xf32>

    // Invalid (C2): the result is not of i1.
    %s = "fusion.compare"(%x, %y) {predicate = #fusion<predicate lt>}
         : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Fusion_ComparePredicateAttr:$predicate,
                       Fusion_Tensor:$lhs, Fusion_Tensor:$rhs);
  let results = (outs Fusion_BoolTensor:$result);
  let assemblyFormat = [{
    $predicate `,` $lhs `,` $rhs attr-dict `:` type($lhs)
  }];
  let hasFolder = 1;
}

def Fusion_SelectOp : Fusion_ElementwiseOp<"select", [
    AllTypesMatch<["true_value", "false_value", "result"]> /*C1*/,
    TypesMatchWith<"condition has the shape of the result and element type i1",
                   "result", "condition",
                   "::mlir::fusion::getBoolTypeLike($_self)"> /*C2*/]> {
  let summary = "choice between two values, element by element";
  let description = [{
    Takes each element from `true_value` where `condition` holds, else from
    `false_value`.

    Constraints:
    * (C1) `true_value`, `false_value` and `result` have the same type.
    * (C2) `condition` has their shape, and element type `i1`.

    Example:
    ```mlir
    %r = fusion.select %c, %x, %y : tensor<4x?xf32>

    // Invalid (C2): the condition has another shape.
    %s = "fusion.select"(%d, %x, %y)
         : (tensor<4xi1>, tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
    ```
  }];
  let arguments = (ins Fusion_BoolTensor:$condition, Fusion_Tensor:$true_value,
                       Fusion_Tensor:$false_value);
  let results = (outs Fusion_Tensor:$result);
  let assemblyFormat = [{
    $condition `,` $true_value `,` $false_value attr-dict `:` type($result)
  }];
  let hasFolder = 1;
}

def Fusion_ClampOp : Fusion_ElementwiseOp<"clamp", [
    AllTypesMatch<["input", "min", "max", "result"]> /*C1*/]> {
  let summary = "value limited to a range, element by element";
  let description = [{
    Computes `min(max(x, lo), hi)` for the elements `x` of `input`, `lo` of
    `min` and `hi` of `max`. NaN if any of the three is NaN.

    Constraints:
    * (C1) `input`, `min`, `max` and `result` have the same type.

    Example:
    ```mlir
    %r = fusion.clamp %x, %lo, %hi : tensor<4x?xf32>

    // Invalid (C1): the limits are not broadcast.
    %s = "fusion.clamp"(%x, %a, %b)
         : (tensor<4xf32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Fusion_NumberTensor:$input, Fusion_NumberTensor:$min,
                       Fusion_NumberTensor:$max);
  let results = (outs Fusion_NumberTensor:$result);
  let assemblyFormat = "$input `,` $min `,` $max attr-dict `:` type($result)";
}

def Fusion_CastOp : Fusion_ElementwiseOp<"cast"> {
  let summary = "conversion to another element type";
  let description = [{
    Converts each element. A conversion that the model asks for always rounds
    (to nearest, ties to even), also inside a fused kernel. With `rounding` it
    rounds only because the graph's value has that type: decompositions that
    compute in f32 end so, and a fused kernel may leave it out.

    Float to integer rounds towards zero; what does not fit becomes the nearest
    value that does, and NaN becomes 0. To `i1`: whether `x` differs from zero
    (NaN does). From `i1`: 0 or 1. Integer to integer keeps the low bits, and
    extends by the sign of the type that it comes from. An integer or f64 goes
    to f16 and bf16 through f32.

    Constraints:
    * (C1) `input` and `result` have the same shape.
    * (C2) `rounding` stands only on a conversion from a wider to a narrower
      floating-point type.

    Example:
    ```mlir
    %r = fusion.cast %x : tensor<4x?xf32> to tensor<4x?xf16>
    %s = fusion.cast %x rounding : tensor<4x?xf32> to tensor<4x?xf16>

    // Invalid (C2): nothing is rounded.
    %t = fusion.cast %r rounding : tensor<4x?xf16> to tensor<4x?xf32>
    ```
  }];
  let arguments = (ins Fusion_Tensor:$input, UnitAttr:$rounding);
  let results = (outs Fusion_Tensor:$result);
  let builders = [
    /// Converts `input` to `elementType`.
    OpBuilder<(ins "::mlir::Value":$input, "::mlir::Type":$elementType,
                   CArg<"bool", "false">:$rounding)>
  ];
  let assemblyFormat = [{
    $input (`rounding` $rounding^)? attr-dict `:` type($input) `to`
    type($result)
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
}

#endif // FUSION_DIALECT_FUSION_IR_ELEMENTWISEOPS_TD
