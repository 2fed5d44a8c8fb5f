//===- MovementOps.td - operations that select and arrange elements -------===//

#ifndef FUSION_DIALECT_FUSION_IR_MOVEMENTOPS_TD
#define FUSION_DIALECT_FUSION_IR_MOVEMENTOPS_TD

include "fusion/Dialect/Fusion/IR/FusionBase.td"

def Fusion_IotaOp : Fusion_TensorOp<"iota"> {
  let summary = "positions along one dim";
  let description = [{
    Each element is its index along `dim`, converted to the element type.
    `sizes` gives the sizes of the dynamic dims of `result`, in their order.

    Constraints:
    * (C1) `dim` is a dim of `result`.
    * (C2) `sizes` has one entry per dynamic dim of `result`.

    Example:
    ```mlir
    %r = fusion.iota dim = 1 sizes(%n) : tensor<4x?xi64>

    // Invalid (C1): there is no dim 1.
    %s = fusion.iota dim = 1 : tensor<4xi64>
    ```
  }];
  let arguments = (ins I64Attr:$dim, Variadic<Index>:$sizes);
  let results = (outs Fusion_NumberTensor:$result);
  let builders = [
    /// Makes a result of shape `shape`, one size per dim.
    OpBuilder<(ins "::mlir::Type":$elementType,
                   "::llvm::ArrayRef<::mlir::OpFoldResult>":$shape,
                   "int64_t":$dim)>
  ];
  let assemblyFormat = [{
    `dim` `=` $dim (`sizes` `(` $sizes^ `)`)? attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

def Fusion_SliceOp : Fusion_TensorOp<"slice", [AttrSizedOperandSegments]> {
  let summary = "every so many elements of each dim";
  let description = [{
    Element `i` along a dim of `result` is element `start + i * step` of `input`.
    All such positions must exist; where one does not, the result is undefined.
    `sizes` gives the sizes of the dynamic dims of `result`, in their order.

    Constraints:
    * (C1) `starts` and `steps` have one entry per dim; no step is 0.
    * (C2) `result` has the rank and element type of `input`.
    * (C3) `sizes` has one entry per dynamic dim of `result`.
    * (C4) Where start, size and the dim of `input` are static, the first and the
      last position exist.

    Example:
    ```mlir
    %r = fusion.slice %x starts = [0, 7] steps = [1, -1]
         : tensor<4x8xf32> to tensor<4x8xf32>

    // Invalid (C4): there is no element 8.
    %s = fusion.slice %x starts = [0, 1] steps = [1, 1]
         : tensor<4x8xf32> to tensor<4x8xf32>
    ```
  }];
  let arguments = (ins Fusion_Tensor:$input, Variadic<Index>:$starts,
                       Variadic<Index>:$sizes,
                       DenseI64ArrayAttr:$static_starts,
                       DenseI64ArrayAttr:$steps);
  let results = (outs Fusion_Tensor:$result);
  let builders = [
    /// Takes `shape` elements from `starts` on, one entry per dim.
    OpBuilder<(ins "::mlir::Value":$input,
                   "::llvm::ArrayRef<::mlir::OpFoldResult>":$starts,
                   "::llvm::ArrayRef<::mlir::OpFoldResult>":$shape,
                   "::llvm::ArrayRef<int64_t>":$steps)>
  ];
  let assemblyFormat = [{
    $input `starts` `=` custom<DynamicIndexList>($starts, $static_starts)
    `steps` `=` $steps (`sizes` `(` $sizes^ `)`)? attr-dict `:` type($input)
    `to` type($result)
  }];
  let extraClassDeclaration = [{
    /// The first position along each dim.
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedStarts() {
      return ::mlir::getMixedValues(getStaticStarts(), getStarts(),
                                    getContext());
    }
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Fusion_ConcatOp : Fusion_TensorOp<"concat", [InferTypeOpAdaptor]> {
  let summary = "tensors one after the other";
  let description = [{
    Joins `inputs` along `dim`.

    Constraints:
    * (C1) There is an input, and `dim` is a dim of it.
    * (C2) All inputs have the same rank and element type, and agree in the other
      dims.
    * (C3) `result` has the sum of the sizes along `dim`.

    Example:
    ```mlir
    %r = fusion.concat %x, %y dim = 1
         : tensor<4x?xf32>, tensor<4x8xf32> -> tensor<4x?xf32>

    // Invalid (C2): 4 and 5 differ.
    %s = fusion.concat %x, %z dim = 1
         : tensor<4x?xf32>, tensor<5x8xf32> -> tensor<4x?xf32>
    ```
  }];
  let arguments = (ins Variadic<Fusion_Tensor>:$inputs, I64Attr:$dim);
  let results = (outs Fusion_Tensor:$result);
  let assemblyFormat = [{
    $inputs `dim` `=` $dim attr-dict `:` type($inputs) `->` type($result)
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Fusion_PadMode : I32Enum<"PadMode", "what stands outside of a tensor", [
    I32EnumCase<"constant", 0>, I32EnumCase<"edge", 1>,
    I32EnumCase<"reflect", 2>, I32EnumCase<"wrap", 3>]> {
  let cppNamespace = "::mlir::fusion";
}
def Fusion_PadModeAttr : EnumAttr<Fusion_Dialect, Fusion_PadMode, "pad_mode">;

def Fusion_PadOp : Fusion_TensorOp<"pad", [InferTypeOpAdaptor]> {
  let summary = "elements added before and after each dim";
  let description = [{
    Along each dim, `low` elements come before those of `input` and `high` after;
    negative numbers take elements away. What is added is `value` (`constant`), the
    outermost element (`edge`), the input mirrored at its outermost element
    (`reflect`, by less than its size), or the input again (`wrap`). Except in
    mode `constant` the padded dims must not be empty.

    Constraints:
    * (C1) `low` and `high` have one entry per dim of `input`.
    * (C2) `value` is a scalar of the element type, given exactly for `constant`.
    * (C3) `result` has the padded sizes, none negative.
    * (C4) For `reflect`, a static dim is larger than what is added at each end.

    Example:
    ```mlir
    %r = fusion.pad constant, %x value(%v : tensor<f32>) low = [0, 1]
         high = [0, 2] : tensor<4x?xf32> to tensor<4x?xf32>

    // Invalid (C2): no value.
    %s = fusion.pad constant, %x low = [0, 1] high = [0, 2]
         : tensor<4x?xf32> to tensor<4x?xf32>
    ```
  }];
  let arguments = (ins Fusion_PadModeAttr:$mode, Fusion_Tensor:$input,
                       Optional<Fusion_Tensor>:$value,
                       DenseI64ArrayAttr:$low, DenseI64ArrayAttr:$high);
  let results = (outs Fusion_Tensor:$result);
  let assemblyFormat = [{
    $mode `,` $input (`value` `(` $value^ `:` type($value) `)`)? `low` `=` $low
    `high` `=` $high attr-dict `:` type($input) `to` type($result)
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Fusion_GatherOp : Fusion_TensorOp<"gather", [InferTypeOpAdaptor]> {
  let summary = "slices at computed places along one dim";
  let description = [{
    Dim `dim` of `input` is replaced by the dims of `indices`; along it the
    element at the given index is taken. A negative index counts from the end; one
    that is still outside of the dim reads its nearest element.

    Constraints:
    * (C1) `dim` is a dim of `input`.
    * (C2) `result` has the dims of `input` with those of `indices` in the place
      of `dim`.

    Example:
    ```mlir
    %r = fusion.gather %table, %ids dim = 0
         : tensor<1000x64xf16>, tensor<2x?xi64> -> tensor<2x?x64xf16>

    // Invalid (C1): there is no dim 2.
    %s = fusion.gather %table, %ids dim = 2
         : tensor<1000x64xf16>, tensor<2x?xi64> -> tensor<2x?x64xf16>
    ```
  }];
  let arguments = (ins Fusion_Tensor:$input,
                       RankedTensorOf<[Fusion_Int]>:$indices, I64Attr:$dim);
  let results = (outs Fusion_Tensor:$result);
  let assemblyFormat = [{
    $input `,` $indices `dim` `=` $dim attr-dict `:` type($input) `,`
    type($indices) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Fusion_GatherElementsOp
    : Fusion_TensorOp<"gather_elements", [InferTypeOpAdaptor]> {
  let summary = "elements at computed places along one dim";
  let description = [{
    Each element of `result` is the one of `input` at the same position, but along
    `dim` at the index that `indices` holds there. Indices out of range are read
    as by `fusion.gather`.

    Constraints:
    * (C1) `input` and `indices` have the same rank, and `dim` is a dim of them.
    * (C2) Along the other dims `indices` is not larger than `input`.
    * (C3) `result` has the shape of `indices` and the element type of `input`.

    Example:
    ```mlir
    %r = fusion.gather_elements %x, %i dim = 1
         : tensor<4x8xf32>, tensor<4x3xi64> -> tensor<4x3xf32>

    // Invalid (C2): there are no rows 4 and 5.
    %s = fusion.gather_elements %x, %j dim = 1
         : tensor<4x8xf32>, tensor<6x3xi64> -> tensor<6x3xf32>
    ```
  }];
  let arguments = (ins Fusion_Tensor:$input,
                       RankedTensorOf<[Fusion_Int]>:$indices, I64Attr:$dim);
  let results = (outs Fusion_Tensor:$result);
  let assemblyFormat = [{
    $input `,` $indices `dim` `=` $dim attr-dict `:` type($input) `,`
    type($indices) `->` type($result)
  }];
  let hasVerifier = 1;
}

#endif // FUSION_DIALECT_FUSION_IR_MOVEMENTOPS_TD
