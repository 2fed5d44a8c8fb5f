//===- IndexedOps.td - positions as values: scatter, search, order --------===//

#ifndef FUSION_DIALECT_FUSION_IR_INDEXEDOPS_TD
#define FUSION_DIALECT_FUSION_IR_INDEXEDOPS_TD

include "fusion/Dialect/Fusion/IR/FusionBase.td"

def Fusion_ScatterKind
    : I32Enum<"ScatterKind", "how a scattered value meets what is there", [
    I32EnumCase<"replace", 0>, I32EnumCase<"add", 1>, I32EnumCase<"mul", 2>,
    I32EnumCase<"max", 3>, I32EnumCase<"min", 4>]> {
  let cppNamespace = "::mlir::fusion";
}
def Fusion_ScatterKindAttr
    : EnumAttr<Fusion_Dialect, Fusion_ScatterKind, "scatter_kind">;

//===----------------------------------------------------------------------===//
// Gather and scatter
//===----------------------------------------------------------------------===//

def Fusion_GatherNdOp : Fusion_TensorOp<"gather_nd", [InferTypeOpAdaptor]> {
  let summary = "slices at computed places along several dims";
  let description = [{
    The last dim of `indices` holds positions along as many dims of `input`, from
    dim `batch_dims` on; the dims before them are the same in `input`, `indices`
    and `result`. A negative index counts from the end; one that is still outside
    of its dim reads the nearest element.

    Constraints:
    * (C1) `indices` has a last dim, of static size `k`; `batch_dims` is less than
      its rank and at least 0, and `batch_dims + k` is at most the rank of
      `input`.
    * (C2) The first `batch_dims` dims of `input` and `indices` agree.
    * (C3) `result` has the dims of `indices` without the last, then those of
      `input` from dim `batch_dims + k` on.

    Example:
    ```mlir
    %r = fusion.gather_nd %x, %i batch_dims = 1
         : tensor<2x5x7x3xf32>, tensor<2x?x2xi64> -> tensor<2x?x3xf32>

    // Invalid (C1): there are just two dims to index.
    %s = fusion.gather_nd %y, %j batch_dims = 0
         : tensor<5x7xf32>, tensor<4x3xi64> -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Fusion_Tensor:$input,
                       RankedTensorOf<[Fusion_Int]>:$indices,
                       I64Attr:$batch_dims);
  let results = (outs Fusion_Tensor:$result);
  let assemblyFormat = [{
    $input `,` $indices `batch_dims` `=` $batch_dims attr-dict `:` type($input)
    `,` type($indices) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Fusion_ScatterElementsOp : Fusion_SameShapeOp<"scatter_elements", [
    AllTypesMatch<["input", "result"]> /*C1*/]> {
  let summary = "elements put at computed places along one dim";
  let description = [{
    `result` is `input`, in which each element of `updates` met the one at the same
    position, but along `dim` at the index that `indices` holds there: it replaces
    it, is added, multiplied, or the larger or smaller of both stays. Where several
    updates meet one element, `replace` leaves the last one in the order of `dim`;
    the others combine all of them, in f32 where the type is f16 or bf16. A
    negative index counts from the end; one that is still outside of the dim
    changes nothing.

    Constraints:
    * (C1) `input` and `result` have the same type.
    * (C2) `indices` and `updates` have the same shape, and the rank of `input`;
      `dim` is a dim of it.
    * (C3) Along the other dims `indices` is not larger than `input`.
    * (C4) `input` and `updates` have the same element type; on `i1` only
      `replace`, `max` and `min` are defined.

    Example:
    ```mlir
    %r = fusion.scatter_elements add, %x, %i, %u dim = 1
         : tensor<4x8xf32>, tensor<4x3xi64>, tensor<4x3xf32>

    // Invalid (C3): there are no rows 4 and 5.
    %s = fusion.scatter_elements add, %x, %j, %v dim = 1
         : tensor<4x8xf32>, tensor<6x3xi64>, tensor<6x3xf32>
    ```
  }];
  let arguments = (ins Fusion_ScatterKindAttr:$kind, Fusion_Tensor:$input,
                       RankedTensorOf<[Fusion_Int]>:$indices,
                       Fusion_Tensor:$updates, I64Attr:$dim);
  let results = (outs Fusion_Tensor:$result);
  let assemblyFormat = [{
    $kind `,` $input `,` $indices `,` $updates `dim` `=` $dim attr-dict `:`
    type($input) `,` type($indices) `,` type($updates)
  }];
  let hasVerifier = 1;
}

def Fusion_ScatterNdOp : Fusion_SameShapeOp<"scatter_nd", [
    AllTypesMatch<["input", "result"]> /*C1*/]> {
  let summary = "slices put at computed places along several dims";
  let description = [{
    The last dim of `indices` holds positions along the first dims of `input`. Each
    of them takes the slice that `updates` holds for it, as
    `fusion.scatter_elements` takes elements: where several meet, `replace` leaves
    the last one in the (row-major) order of `indices`.

    Constraints:
    * (C1) `input` and `result` have the same type.
    * (C2) `indices` has a last dim, of static size `k`, at most the rank of
      `input`.
    * (C3) `updates` has the dims of `indices` without the last, then those of
      `input` from dim `k` on.
    * (C4) `input` and `updates` have the same element type; on `i1` only
      `replace`, `max` and `min` are defined.

    Example:
    ```mlir
    %r = fusion.scatter_nd replace, %x, %i, %u
         : tensor<5x7x3xf32>, tensor<?x2xi64>, tensor<?x3xf32>

    // Invalid (C3): slices have 3 elements.
    %s = fusion.scatter_nd replace, %x, %i, %v
         : tensor<5x7x3xf32>, tensor<?x2xi64>, tensor<?x4xf32>
    ```
  }];
  let arguments = (ins Fusion_ScatterKindAttr:$kind, Fusion_Tensor:$input,
                       RankedTensorOf<[Fusion_Int]>:$indices,
                       Fusion_Tensor:$updates);
  let results = (outs Fusion_Tensor:$result);
  let assemblyFormat = [{
    $kind `,` $input `,` $indices `,` $updates attr-dict `:` type($input) `,`
    type($indices) `,` type($updates)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Search and order
//===----------------------------------------------------------------------===//

def Fusion_ArgReduceOp : Fusion_TensorOp<"arg_reduce", [InferTypeOpAdaptor]> {
  let summary = "where the largest or smallest element of a row stands";
  let description = [{
    The position along `dim` of the largest (`max`) or smallest (`min`) element; of
    equal ones the first, or with `last` the last. The zeros are equal. A NaN wins
    over every number. Over no elements the result is undefined.

    Constraints:
    * (C1) `dim` is a dim of `input`.
    * (C2) `kind` is `max` or `min`.
    * (C3) `result` has the shape of `input` without `dim`, and elements of i64.

    Example:
    ```mlir
    %r = fusion.arg_reduce max, %x dim = 1 : tensor<4x?xf32> to tensor<4xi64>

    // Invalid (C2): a sum stands nowhere.
    %s = fusion.arg_reduce sum, %x dim = 1 : tensor<4x?xf32> to tensor<4xi64>
    ```
  }];
  let arguments = (ins Fusion_ReduceKindAttr:$kind, Fusion_Tensor:$input,
                       I64Attr:$dim, UnitAttr:$last);
  let results = (outs RankedTensorOf<[I64]>:$result);
  let assemblyFormat = [{
    $kind `,` $input `dim` `=` $dim (`last` $last^)? attr-dict `:` type($input)
    `to` type($result)
  }];
  let hasVerifier = 1;
}

def Fusion_TopKOp : Fusion_TensorOp<"top_k"> {
  let summary = "the largest or smallest elements of each row, in order";
  let description = [{
    Sorts along `dim`, from the largest down or with `smallest` from the smallest
    up, and keeps as many elements as the results have along `dim`: `values`, and
    at which positions of `input` they stood. Of equal elements the one that stood
    first comes first. A NaN counts as larger than every number; the zeros are
    equal. With all elements kept this is a stable sort.

    Constraints:
    * (C1) `dim` is a dim of `input`.
    * (C2) `values` has the element type of `input`, `indices` elements of i64;
      both have the shape of `input` but for `dim`.
    * (C3) `count` is given exactly where the results are dynamic along `dim`, and
      is their size there. It is at most the size of `input`.

    Example:
    ```mlir
    %v, %i = fusion.top_k %x dim = 1
             : tensor<?x50xf32> to tensor<?x8xf32>, tensor<?x8xi64>

    // Invalid (C3): there are just 50.
    %w, %j = fusion.top_k %x dim = 1
             : tensor<?x50xf32> to tensor<?x60xf32>, tensor<?x60xi64>
    ```
  }];
  let arguments = (ins Fusion_Tensor:$input, I64Attr:$dim, UnitAttr:$smallest,
                       Optional<Index>:$count);
  let results = (outs Fusion_Tensor:$values, RankedTensorOf<[I64]>:$indices);
  let builders = [
    /// Keeps `count` elements.
    OpBuilder<(ins "::mlir::Value":$input, "int64_t":$dim, "bool":$smallest,
                   "::mlir::OpFoldResult":$count)>
  ];
  let assemblyFormat = [{
    $input `dim` `=` $dim (`smallest` $smallest^)? (`count` `(` $count^ `)`)?
    attr-dict `:` type($input) `to` type($values) `,` type($indices)
  }];
  let hasVerifier = 1;
}

#endif // FUSION_DIALECT_FUSION_IR_INDEXEDOPS_TD
