//===- WindowOps.td - convolutions, pooling and running sums --------------===//

#ifndef FUSION_DIALECT_FUSION_IR_WINDOWOPS_TD
#define FUSION_DIALECT_FUSION_IR_WINDOWOPS_TD

include "fusion/Dialect/Fusion/IR/FusionBase.td"

def Fusion_ConvOp : Fusion_TensorOp<"conv", [InferTypeOpAdaptor]> {
  let summary = "convolution";
  let description = [{
    `input` is batch x channels x spatial dims, `weights` is filters x channels of
    one group x window. Each spatial dim is padded with zeros, `low` before and
    `high` after; the window moves over it in steps of `strides`, its elements
    `dilations` apart, and is not mirrored. Channels and filters fall into
    `groups` of equal size that do not mix. Products of f16 and bf16 are summed in
    f32 and rounded once. A window that is larger than the padded input is not
    allowed.

    Constraints:
    * (C1) `input` and `weights` have the same rank, 3 or more, and element type.
    * (C2) `strides`, `dilations`, `low` and `high` have one entry per spatial
      dim; strides and dilations are positive, paddings not negative.
    * (C3) The window is static. Where `groups` is not 1, so are channels and
      filters, and `groups` divides both.
    * (C4) The channels of `input` are `groups` times those of `weights`.
    * (C5) `result` is batch x filters x number of places of the window.

    Example:
    ```mlir
    %r = fusion.conv %x, %w strides = [2, 2] dilations = [1, 1] low = [1, 1]
         high = [1, 1] groups = 1
         : tensor<?x3x224x224xf32>, tensor<64x3x3x3xf32> -> tensor<?x64x112x112xf32>

    // Invalid (C4): 3 channels are not 4.
    %s = fusion.conv %x, %v strides = [2, 2] dilations = [1, 1] low = [1, 1]
         high = [1, 1] groups = 1
         : tensor<?x3x224x224xf32>, tensor<64x4x3x3xf32> -> tensor<?x64x112x112xf32>
    ```
  }];
  let arguments = (ins Fusion_NumberTensor:$input, Fusion_NumberTensor:$weights,
                       DenseI64ArrayAttr:$strides,
                       DenseI64ArrayAttr:$dilations, DenseI64ArrayAttr:$low,
                       DenseI64ArrayAttr:$high, I64Attr:$groups);
  let results = (outs Fusion_NumberTensor:$result);
  let assemblyFormat = [{
    $input `,` $weights `strides` `=` $strides `dilations` `=` $dilations
    `low` `=` $low `high` `=` $high `groups` `=` $groups attr-dict `:`
    type($input) `,` type($weights) `->` type($result)
  }];
  let extraClassDeclaration = [{
    /// The sizes of the window.
    ::llvm::ArrayRef<int64_t> getWindow() {
      return getWeights().getType().getShape().drop_front(2);
    }
  }];
  let hasVerifier = 1;
}

def Fusion_ConvTransposeOp
    : Fusion_TensorOp<"conv_transpose", [InferTypeOpAdaptor]> {
  let summary = "transposed convolution";
  let description = [{
    `input` is batch x channels x spatial dims, `weights` is channels x filters of
    one group x window. Element `i` of a spatial dim adds its products with the
    window to the places from `i * stride` on, `dilation` apart; of these places
    `low` are left away before and `high` after, where a negative number adds
    places that hold 0. Channels and filters fall into `groups` of equal size that
    do not mix. Products of f16 and bf16 are summed in f32 and rounded once.

    Constraints:
    * (C1) `input` and `weights` have the same rank, 3 or more, and element type.
    * (C2) `strides`, `dilations`, `low` and `high` have one entry per spatial
      dim; strides and dilations are positive.
    * (C3) `weights` is static, and `groups` divides its channels.
    * (C4) The channels of `input` are those of `weights`.
    * (C5) `result` is batch x filters x number of places, which is `(size - 1) *
      stride + dilation * (window - 1) + 1 - low - high` and positive.

    Example:
    ```mlir
    %r = fusion.conv_transpose %x, %w strides = [2, 2] dilations = [1, 1]
         low = [1, 1] high = [1, 1] groups = 1
         : tensor<?x64x56x56xf32>, tensor<64x3x4x4xf32> -> tensor<?x3x112x112xf32>

    // Invalid (C4): 64 channels are not 32.
    %s = fusion.conv_transpose %x, %v strides = [2, 2] dilations = [1, 1]
         low = [1, 1] high = [1, 1] groups = 1
         : tensor<?x64x56x56xf32>, tensor<32x3x4x4xf32> -> tensor<?x3x112x112xf32>
    ```
  }];
  let arguments = (ins Fusion_NumberTensor:$input, Fusion_NumberTensor:$weights,
                       DenseI64ArrayAttr:$strides,
                       DenseI64ArrayAttr:$dilations, DenseI64ArrayAttr:$low,
                       DenseI64ArrayAttr:$high, I64Attr:$groups);
  let results = (outs Fusion_NumberTensor:$result);
  let assemblyFormat = [{
    $input `,` $weights `strides` `=` $strides `dilations` `=` $dilations
    `low` `=` $low `high` `=` $high `groups` `=` $groups attr-dict `:`
    type($input) `,` type($weights) `->` type($result)
  }];
  let extraClassDeclaration = [{
    /// The sizes of the window.
    ::llvm::ArrayRef<int64_t> getWindow() {
      return getWeights().getType().getShape().drop_front(2);
    }
  }];
  let hasVerifier = 1;
}

def Fusion_PoolOp : Fusion_TensorOp<"pool", [InferTypeOpAdaptor]> {
  let summary = "reduction of a moving window";
  let description = [{
    `input` is batch x channels x spatial dims. A window moves over the spatial
    dims as in `fusion.conv`; each of its places gives one element, which combines
    the elements of `input` that the window covers. What is padded takes no part.
    f16 and bf16 are combined in f32 and rounded once; in `max` and `min` a NaN
    wins.

    Constraints:
    * (C1) `input` has rank 3 or more.
    * (C2) `window`, `strides`, `dilations`, `low` and `high` have one entry per
      spatial dim; window, strides and dilations are positive, paddings not
      negative.
    * (C3) `kind` is not `mean`; `i1` takes only `max` and `min`.
    * (C4) `result` is batch x channels x number of places of the window.

    Example:
    ```mlir
    %r = fusion.pool max, %x window = [3, 3] strides = [2, 2] dilations = [1, 1]
         low = [1, 1] high = [1, 1]
         : tensor<?x64x112x112xf32> to tensor<?x64x56x56xf32>

    // Invalid (C3): a mean would have to say what it counts.
    %s = fusion.pool mean, %x window = [3, 3] strides = [2, 2]
         dilations = [1, 1] low = [1, 1] high = [1, 1]
         : tensor<?x64x112x112xf32> to tensor<?x64x56x56xf32>
    ```
  }];
  let arguments = (ins Fusion_ReduceKindAttr:$kind, Fusion_Tensor:$input,
                       DenseI64ArrayAttr:$window, DenseI64ArrayAttr:$strides,
                       DenseI64ArrayAttr:$dilations, DenseI64ArrayAttr:$low,
                       DenseI64ArrayAttr:$high);
  let results = (outs Fusion_Tensor:$result);
  let assemblyFormat = [{
    $kind `,` $input `window` `=` $window `strides` `=` $strides `dilations` `=`
    $dilations `low` `=` $low `high` `=` $high attr-dict `:` type($input) `to`
    type($result)
  }];
  let hasVerifier = 1;
}

def Fusion_CumsumOp : Fusion_SameShapeOp<"cumsum", [
    AllTypesMatch<["input", "result"]> /*C1*/]> {
  let summary = "running sum along one dim";
  let description = [{
    Each element is the sum of the elements up to it along `dim`, itself included
    unless `exclusive`; with `reverse`, of those from it on. f16 and bf16 are
    summed in f32 and rounded once; integers wrap.

    Constraints:
    * (C1) `input` and `result` have the same type.
    * (C2) `dim` is a dim of `input`.

    Example:
    ```mlir
    %r = fusion.cumsum %x dim = 1 {exclusive} : tensor<4x?xf32>

    // Invalid (C2): there is no dim 2.
    %s = fusion.cumsum %x dim = 2 : tensor<4x?xf32>
    ```
  }];
  let arguments = (ins Fusion_NumberTensor:$input, I64Attr:$dim,
                       UnitAttr:$exclusive, UnitAttr:$reverse);
  let results = (outs Fusion_NumberTensor:$result);
  let assemblyFormat = "$input `dim` `=` $dim attr-dict `:` type($result)";
  let hasVerifier = 1;
}

#endif // FUSION_DIALECT_FUSION_IR_WINDOWOPS_TD
