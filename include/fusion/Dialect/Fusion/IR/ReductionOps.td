//===- ReductionOps.td - contractions, reductions and normalizations ------===//

#ifndef FUSION_DIALECT_FUSION_IR_REDUCTIONOPS_TD
#define FUSION_DIALECT_FUSION_IR_REDUCTIONOPS_TD

include "fusion/Dialect/Fusion/IR/FusionBase.td"

def Fusion_MatmulOp
    : Fusion_TensorOp<"matmul", [InferTypeOpAdaptorWithIsCompatible]> {
  let summary = "product of matrices, batched";
  let description = [{
    Multiplies the matrices in the last two dims, for each index of the leading
    (batch) dims. With `transpose_a` the last two dims of `lhs` are swapped
    first, with `transpose_b` those of `rhs`: `M x K` times `K x N`. Products of
    f16 and bf16 are summed in f32 and rounded once; integers wrap at the width
    of the result.

    Constraints:
    * (C1) `lhs` and `rhs` have the same rank, 2 or more.
    * (C2) `lhs` and `rhs` have the same element type.
    * (C3) The batch dims of `lhs` and `rhs` agree.
    * (C4) The contracted dims of `lhs` and `rhs` agree.
    * (C5) `result` has the shape batch x `M` x `N` (a batch dim that one
      operand leaves dynamic is the other's).
    * (C6) The element type of `result` is that of the operands, or a wider one
      of the same kind (float, signed, unsigned).

    Example:
    ```mlir
    %r = fusion.matmul %a, %b {transpose_b}
         : tensor<?x1536xf16>, tensor<8960x1536xf16> -> tensor<?x8960xf16>

    // Invalid (C4): 8 and 9 do not agree.
    %s = fusion.matmul %c, %d
         : tensor<4x8xf32>, tensor<9x5xf32> -> tensor<4x5xf32>
    ```
  }];
  let arguments = (ins Fusion_NumberTensor:$lhs, Fusion_NumberTensor:$rhs,
                       UnitAttr:$transpose_a, UnitAttr:$transpose_b);
  let results = (outs Fusion_NumberTensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)
  }];
  let extraClassDeclaration = [{
    /// The dims of `lhs` and `rhs` that hold M, K and K, N.
    int64_t getDimM() { return getLhs().getType().getRank() - (getTransposeA() ? 1 : 2); }
    int64_t getLhsDimK() { return getLhs().getType().getRank() - (getTransposeA() ? 2 : 1); }
    int64_t getRhsDimK() { return getRhs().getType().getRank() - (getTransposeB() ? 1 : 2); }
    int64_t getDimN() { return getRhs().getType().getRank() - (getTransposeB() ? 2 : 1); }
  }];
  let hasCanonicalizer = 1;
  let hasVerifier = 1;
}

def Fusion_ReduceOp : Fusion_TensorOp<"reduce", [InferTypeOpAdaptor]> {
  let summary = "reduction of dims";
  let description = [{
    Reduces `dims` of `input` by `sum`, `mean`, `max`, `min` or `prod`, and
    drops them. f16 and bf16 are reduced in f32 and rounded once; integers wrap
    at their width. In `max` and `min` a NaN wins. Over no elements the result
    is 0, NaN (`mean`), the smallest value (`max`), the largest (`min`) or 1;
    the extreme values of floats are the infinities. On `i1` `max` is "any" and
    `min` is "all".

    Constraints:
    * (C1) `dims` are ascending dims of `input`.
    * (C2) `result` has the type of `input` without `dims`.
    * (C3) `mean` takes floats; `i1` takes only `max` and `min`.

    Example:
    ```mlir
    %r = fusion.reduce sum, %x dims = [1] : tensor<4x?xf32> to tensor<4xf32>

    // Invalid (C1): there is no dim 2.
    %s = fusion.reduce sum, %x dims = [2] : tensor<4x?xf32> to tensor<4x?xf32>
    ```
  }];
  let arguments = (ins Fusion_ReduceKindAttr:$kind, Fusion_Tensor:$input,
                       DenseI64ArrayAttr:$dims);
  let results = (outs Fusion_Tensor:$result);
  let assemblyFormat = [{
    $kind `,` $input `dims` `=` $dims attr-dict `:` type($input) `to`
    type($result)
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Normalizations: what fusion-decompose takes apart
//===----------------------------------------------------------------------===//

class Fusion_SoftmaxLikeOp<string mnemonic, string what, string formula>
    : Fusion_SameShapeOp<mnemonic, [
        AllTypesMatch<["input", "result"]> /*C1*/]> {
  let summary = what # " along one dim";
  let description = "\nComputes `" # formula # "` along `dim`, where `m` is " #
      "the largest element and the sum runs over the elements of the same " #
      "row. The computation is in f32 where the type is f16 or bf16. A row " #
      "that holds only -inf (every element masked), +inf or a NaN gives NaN.\n\n" #
      "Constraints:\n" #
      "* (C1) `input` and `result` have the same type.\n" #
      "* (C2) `dim` is a dim of `input`.\n\n" #
      "Example:\n```mlir\n" #
      "%r = fusion." # mnemonic # " %x dim = 1 : tensor<4x?xf32>\n\n" #
      "// Invalid (C2): there is no dim 2.\n" #
      "%s = fusion." # mnemonic # " %x dim = 2 : tensor<4x?xf32>\n" #
      "```\n";
  let arguments = (ins Fusion_FloatTensor:$input, I64Attr:$dim);
  let results = (outs Fusion_FloatTensor:$result);
  let assemblyFormat = "$input `dim` `=` $dim attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Fusion_SoftmaxOp : Fusion_SoftmaxLikeOp<"softmax", "softmax",
    "e^(x - m) / sum(e^(x - m))">;
def Fusion_LogSoftmaxOp : Fusion_SoftmaxLikeOp<"log_softmax",
    "logarithm of softmax", "(x - m) - log(sum(e^(x - m)))">;

def Fusion_LayerNormOp : Fusion_SameShapeOp<"layer_norm", [
    AttrSizedOperandSegments, AllTypesMatch<["input", "result"]> /*C1*/]> {
  let summary = "layer normalization over the trailing dims";
  let description = [{
    Over the dims from `axis` on: `(x - mean) / sqrt(variance + eps)`, times
    `scale` and plus `bias` where given. The variance is the mean of
    `(x - mean)^2`, computed after the mean (it is never negative). The
    computation is in f32 where the type is f16 or bf16.

    Constraints:
    * (C1) `input` and `result` have the same type.
    * (C2) `axis` is a dim of `input`.
    * (C3) `scale` and `bias` have the shape of `input` from dim `axis` on, and
      its element type.

    Example:
    ```mlir
    %r = fusion.layer_norm %x scale(%g : tensor<8xf32>) bias(%b : tensor<8xf32>)
         axis = 1 eps = 1.0e-05 : tensor<?x8xf32>

    // Invalid (C3): the scale is wider than the row.
    %s = fusion.layer_norm %x scale(%h : tensor<4x8xf32>)
         axis = 1 eps = 1.0e-05 : tensor<?x8xf32>
    ```
  }];
  let arguments = (ins Fusion_FloatTensor:$input,
                       Optional<Fusion_FloatTensor>:$scale,
                       Optional<Fusion_FloatTensor>:$bias, I64Attr:$axis,
                       F32Attr:$eps);
  let results = (outs Fusion_FloatTensor:$result);
  let assemblyFormat = [{
    $input (`scale` `(` $scale^ `:` type($scale) `)`)?
    (`bias` `(` $bias^ `:` type($bias) `)`)? `axis` `=` $axis `eps` `=` $eps
    attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

def Fusion_RmsNormOp : Fusion_SameShapeOp<"rms_norm", [
    AllTypesMatch<["input", "result"]> /*C1*/]> {
  let summary = "root mean square normalization over the trailing dims";
  let description = [{
    Over the dims from `axis` on: `x / sqrt(mean(x^2) + eps)`, times `scale`
    where given. The computation is in f32 where the type is f16 or bf16.

    Constraints:
    * (C1) `input` and `result` have the same type.
    * (C2) `axis` is a dim of `input`.
    * (C3) `scale` has the shape of `input` from dim `axis` on, and its element
      type.

    Example:
    ```mlir
    %r = fusion.rms_norm %x scale(%g : tensor<8xf32>) axis = 1 eps = 1.0e-06
         : tensor<?x8xf32>

    // Invalid (C2): there is no dim 2.
    %s = fusion.rms_norm %x axis = 2 eps = 1.0e-06 : tensor<?x8xf32>
    ```
  }];
  let arguments = (ins Fusion_FloatTensor:$input,
                       Optional<Fusion_FloatTensor>:$scale, I64Attr:$axis,
                       F32Attr:$eps);
  let results = (outs Fusion_FloatTensor:$result);
  let assemblyFormat = [{
    $input (`scale` `(` $scale^ `:` type($scale) `)`)? `axis` `=` $axis `eps`
    `=` $eps attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

#endif // FUSION_DIALECT_FUSION_IR_REDUCTIONOPS_TD
