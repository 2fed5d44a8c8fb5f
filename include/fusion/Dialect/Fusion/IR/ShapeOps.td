//===- ShapeOps.td - constants and operations that move elements ----------===//

#ifndef FUSION_DIALECT_FUSION_IR_SHAPEOPS_TD
#define FUSION_DIALECT_FUSION_IR_SHAPEOPS_TD

include "fusion/Dialect/Fusion/IR/FusionBase.td"

def Fusion_ConstantOp : Fusion_TensorOp<"constant", [
    ConstantLike, AllTypesMatch<["value", "result"]> /*C1*/]> {
  let summary = "constant tensor";
  let description = [{
    Constraints:
    * (C1) `value` has the type of `result`.

    Example:
    ```mlir
    %r = fusion.constant dense<[1, 2]> : tensor<2xui8>

    // Invalid (C1): the value has another type.
    %s = "fusion.constant"() {value = dense<1> : tensor<2xi32>}
         : () -> tensor<3xi32>
    ```
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Fusion_Tensor:$result);
  let assemblyFormat = "attr-dict $value";
  let hasFolder = 1;
}

def Fusion_BroadcastOp : Fusion_TensorOp<"broadcast"> {
  let summary = "repetition along dims";
  let description = [{
    Dim `i` of `input` becomes dim `dims[i]` of `result`; along all other dims,
    and along those where `input` has the static size 1, elements repeat.
    `sizes` gives the sizes of the dynamic dims of `result`, in their order. A
    dynamic dim of `input` does not repeat: its size equals the one in `result`.

    Constraints:
    * (C1) `dims` has one entry per dim of `input`, ascending, each a dim of
      `result`.
    * (C2) A static dim of `input` is 1 or agrees with the dim of `result`.
    * (C3) `sizes` has one entry per dynamic dim of `result`.
    * (C4) `input` and `result` have the same element type.

    Example:
    ```mlir
    %r = fusion.broadcast %x dims = [1] sizes(%n)
         : tensor<8xf32> to tensor<?x8xf32>

    // Invalid (C2): 3 does not become 8.
    %s = fusion.broadcast %y dims = [1] : tensor<3xf32> to tensor<2x8xf32>
    ```
  }];
  let arguments = (ins Fusion_Tensor:$input, DenseI64ArrayAttr:$dims,
                       Variadic<Index>:$sizes);
  let results = (outs Fusion_Tensor:$result);
  let builders = [
    /// Repeats `input` to the shape `shape`, one size per dim of the result.
    OpBuilder<(ins "::mlir::Value":$input,
                   "::llvm::ArrayRef<::mlir::OpFoldResult>":$shape,
                   "::llvm::ArrayRef<int64_t>":$dims)>
  ];
  let assemblyFormat = [{
    $input `dims` `=` $dims (`sizes` `(` $sizes^ `)`)? attr-dict `:`
    type($input) `to` type($result)
  }];
  let hasFolder = 1;
  let hasCanonicalizer = 1;
  let hasVerifier = 1;
}

def Fusion_TransposeOp : Fusion_TensorOp<"transpose", [InferTypeOpAdaptor]> {
  let summary = "permutation of dims";
  let description = [{
    Dim `i` of `result` is dim `perm[i]` of `input`.

    Constraints:
    * (C1) `perm` is a permutation of the dims of `input`.
    * (C2) `result` has the permuted type of `input`.

    Example:
    ```mlir
    %r = fusion.transpose %x perm = [1, 0] : tensor<4x?xf32> to tensor<?x4xf32>

    // Invalid (C1): dim 1 comes twice.
    %s = fusion.transpose %x perm = [1, 1] : tensor<4x?xf32> to tensor<?x?xf32>
    ```
  }];
  let arguments = (ins Fusion_Tensor:$input, DenseI64ArrayAttr:$perm);
  let results = (outs Fusion_Tensor:$result);
  let assemblyFormat = [{
    $input `perm` `=` $perm attr-dict `:` type($input) `to` type($result)
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Fusion_ReshapeOp : Fusion_TensorOp<"reshape"> {
  let summary = "other shape, same elements in row-major order";
  let description = [{
    `sizes` gives the sizes of the dynamic dims of `result`, in their order. The
    product of the sizes must be the number of elements of `input`; where it is
    not, the result is undefined.

    Constraints:
    * (C1) `sizes` has one entry per dynamic dim of `result`.
    * (C2) Where both shapes are static, they have the same number of elements.
    * (C3) `input` and `result` have the same element type.

    Example:
    ```mlir
    %r = fusion.reshape %x sizes(%n) : tensor<?x12xf32> to tensor<?x3x4xf32>

    // Invalid (C2): 12 elements do not become 10.
    %s = fusion.reshape %y : tensor<12xf32> to tensor<2x5xf32>
    ```
  }];
  let arguments = (ins Fusion_Tensor:$input, Variadic<Index>:$sizes);
  let results = (outs Fusion_Tensor:$result);
  let builders = [
    /// Reshapes `input` to `shape`, one size per dim of the result.
    OpBuilder<(ins "::mlir::Value":$input,
                   "::llvm::ArrayRef<::mlir::OpFoldResult>":$shape)>
  ];
  let assemblyFormat = [{
    $input (`sizes` `(` $sizes^ `)`)? attr-dict `:` type($input) `to`
    type($result)
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
}

#endif // FUSION_DIALECT_FUSION_IR_SHAPEOPS_TD
