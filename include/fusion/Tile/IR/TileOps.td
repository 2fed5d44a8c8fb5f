//===- TileOps.td - ops on tiles, shared memory and warps -----------------===//

#ifndef FUSION_TILE_IR_TILEOPS_TD
#define FUSION_TILE_IR_TILEOPS_TD

include "fusion/Tile/IR/TileDialect.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Tile_Op<string mnemonic, list<Trait> traits = []>
    : Op<Tile_Dialect, mnemonic, traits>;

def Tile_Tile : StaticShapeTensorOf<[AnyFloat, AnySignlessInteger, Index]>;
def Tile_Scalar : AnyTypeOf<[AnyFloat, AnySignlessInteger, Index]>;

//===----------------------------------------------------------------------===//
// Global memory
//===----------------------------------------------------------------------===//

def Tile_LoadOp : Tile_Op<"load", [AttrSizedOperandSegments,
    MemoryEffects<[MemRead]>]> {
  let summary = "Loads a tile from global memory";
  let description = [{
    Element `(c0, c1, ...)` of the tile is element `indices[j] + c[dims[j]]` of
    the memref along its dim `j`, or `indices[j]` where `dims[j]` is -1. A tile
    dim that no memref dim names is a broadcast. Where `in_bounds[j]` is false the
    sum is compared with the memref's size and an element outside reads `other`
    (zero if not given). An `i1` is one byte in memory.

    ```mlir
    %b = tile.load %bias[%n] dims [1] in_bounds [false]
         : memref<1000xf16> -> tensor<128x256xf16>
    ```
    Constraints:
    (C1) `indices`, `dims` and `in_bounds` have one entry for each memref dim.
    (C2) `dims` entries are -1 or a tile dim, each at most once.
    (C3) memref, tile and `other` have one element type.
  }];
  let arguments = (ins AnyMemRef:$memref, Variadic<Index>:$indices,
                       Optional<Tile_Scalar>:$other, DenseI64ArrayAttr:$dims,
                       DenseBoolArrayAttr:$in_bounds);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $memref `[` $indices `]` `dims` $dims `in_bounds` $in_bounds
    (`other` $other^ `:` type($other))? attr-dict
    `:` type($memref) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_StoreOp : Tile_Op<"store", [MemoryEffects<[MemWrite]>]> {
  let summary = "Stores a tile to global memory";
  let description = [{
    The inverse of `tile.load`: elements out of bounds are not written. A tile
    dim that no memref dim names must have size 1 or hold equal elements.
    `limits` says where what may be written ends, where that is before the end
    of the memref: `limits[j]` along its dim `j`, -1 for its size. This writes a
    part of an array beside others, as a concatenation has them:

    ```mlir
    tile.store %t, %all[%c24, %n] dims [0, 1] in_bounds [false, false]
        limits [40, -1] : tensor<64x64xf32>, memref<96x1000xf32>
    ```
    (C1), (C2), (C3) as for `tile.load`.
    (C4) `limits`, if given, has one entry for each memref dim: -1, or not
         negative and not above its static size.
  }];
  let arguments = (ins Tile_Tile:$value, AnyMemRef:$memref,
                       Variadic<Index>:$indices, DenseI64ArrayAttr:$dims,
                       DenseBoolArrayAttr:$in_bounds,
                       OptionalAttr<DenseI64ArrayAttr>:$limits);
  let assemblyFormat = [{
    $value `,` $memref `[` $indices `]` `dims` $dims `in_bounds` $in_bounds
    (`limits` $limits^)? attr-dict `:` type($value) `,` type($memref)
  }];
  let hasVerifier = 1;
}

def Tile_GatherOp : Tile_Op<"gather", [AttrSizedOperandSegments,
    MemoryEffects<[MemRead]>]> {
  let summary = "Loads elements at computed positions of global memory";
  let description = [{
    Element `c` of the tile is the element of the memref at `indices[0][c],
    indices[1][c], ...`. Where `mask[c]` is false it is `other[c]`, and memory is
    not read. All positions that are read must exist.

    ```mlir
    %g = tile.gather %table[%row, %column] mask(%inside, %zero)
         : memref<?x64xf16> [tensor<8x64xindex>, tensor<8x64xindex>]
           mask(tensor<8x64xi1>, tensor<8x64xf16>) -> tensor<8x64xf16>
    ```
    Constraints:
    (C1) `indices` has one tile for each memref dim.
    (C2) All tiles have one shape.
    (C3) memref, result and `other` have one element type; `mask` is of i1.
    (C4) `mask` and `other` are given together.
  }];
  let arguments = (ins AnyMemRef:$memref,
                       Variadic<StaticShapeTensorOf<[Index]>>:$indices,
                       Optional<StaticShapeTensorOf<[I1]>>:$mask,
                       Optional<Tile_Tile>:$other);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $memref `[` $indices `]` (`mask` `(` $mask^ `,` $other `)`)? attr-dict
    `:` type($memref) (`[` type($indices)^ `]`)?
    (`mask` `(` type($mask)^ `,` type($other) `)`)? `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_LoadWindowOp : Tile_Op<"load_window", [AttrSizedOperandSegments,
    MemoryEffects<[MemRead]>]> {
  let summary = "Loads a tile through a linear map of coordinates";
  let description = [{
    Along tile dim `d`, element `c[d]` stands for position `offsets[d] + c[d]` of
    a space that `parts[d]` coordinates share, row-major: `sizes` has the size of
    each coordinate of each tile dim in turn, the first of a tile dim standing for
    as many as there are (its size is not looked at). Along dim `j` of the memref
    the element lies at `indices[j] + map_j(all coordinates)`. It is `other` (zero
    if not given) where

    * `in_bounds[d]` is false and the position is not below `limits[d]`, or
    * `checked[j]` is true and the place along dim `j` is not in [0, `extents[j]`).

    This is what a convolution reads (tile dims over channels and window elements
    and over places), and any other padded, strided or split access.

    ```mlir
    %x = tile.load_window %image[%n, %zero, %top, %left] extents [%n1, %c, %h, %w]
         checked [false, false, true, true] along [%k, %p] limits [%kk, %pp]
         in_bounds [true, true] parts [3, 2] sizes [64, 3, 3, 56, 56]
         map affine_map<(c, kh, kw, y, x) -> (0, c, y + kh, x + kw)>
         : memref<?x64x56x56xf16> -> tensor<32x128xf16>
    ```
    Constraints:
    (C1) `indices`, `extents` and `checked` have one entry for each memref dim.
    (C2) `offsets`, `limits`, `in_bounds` and `parts` have one for each tile dim;
         `parts` are positive.
    (C3) `sizes` has one entry for each coordinate, positive but for the first of
         a tile dim; `map` has as many dims, no symbols, a result for each memref
         dim, and is linear (sums of multiples of coordinates).
    (C4) memref, tile and `other` have one element type.
  }];
  let arguments = (ins AnyMemRef:$memref, Variadic<Index>:$indices,
                       Variadic<Index>:$extents, Variadic<Index>:$offsets,
                       Variadic<Index>:$limits, Optional<Tile_Scalar>:$other,
                       DenseBoolArrayAttr:$checked,
                       DenseBoolArrayAttr:$in_bounds,
                       DenseI64ArrayAttr:$parts, DenseI64ArrayAttr:$sizes,
                       AffineMapAttr:$map);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $memref `[` $indices `]` `extents` `[` $extents `]` `checked` $checked
    `along` `[` $offsets `]` `limits` `[` $limits `]` `in_bounds` $in_bounds
    `parts` $parts `sizes` $sizes `map` $map (`other` $other^ `:` type($other))?
    attr-dict `:` type($memref) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_StoreWindowOp : Tile_Op<"store_window", [AttrSizedOperandSegments,
    MemoryEffects<[MemWrite]>]> {
  let summary = "Stores a tile through a linear map of coordinates";
  let description = [{
    The inverse of `tile.load_window`: nothing is written where that would read
    what is outside. No two elements of the tile may lie at one place. This writes
    arrays in which what one tile dim runs along is apart: heads of 5 columns, each
    an array of its own, of 7 rows for each of many batches.

    ```mlir
    tile.store_window %t, %heads[%zero, %zero, %zero, %zero]
        extents [%zero, %zero, %zero, %zero] checked [false, false, false, false]
        along [%m, %n] limits [%mm, %nn] in_bounds [false, false]
        parts [2, 2] sizes [2, 7, 3, 5]
        map affine_map<(b, s, h, d) -> (b, h, s, d)>
        : tensor<64x64xf32>, memref<2x3x7x5xf32>
    ```
    (C1), (C2), (C3) as for `tile.load_window`.
    (C4) memref and tile have one element type.
  }];
  let arguments = (ins Tile_Tile:$value, AnyMemRef:$memref,
                       Variadic<Index>:$indices, Variadic<Index>:$extents,
                       Variadic<Index>:$offsets, Variadic<Index>:$limits,
                       DenseBoolArrayAttr:$checked,
                       DenseBoolArrayAttr:$in_bounds,
                       DenseI64ArrayAttr:$parts, DenseI64ArrayAttr:$sizes,
                       AffineMapAttr:$map);
  let assemblyFormat = [{
    $value `,` $memref `[` $indices `]` `extents` `[` $extents `]`
    `checked` $checked `along` `[` $offsets `]` `limits` `[` $limits `]`
    `in_bounds` $in_bounds `parts` $parts `sizes` $sizes `map` $map
    attr-dict `:` type($value) `,` type($memref)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

def Tile_SplatOp : Tile_Op<"splat", [Pure]> {
  let summary = "A tile with one value everywhere";
  let arguments = (ins Tile_Scalar:$value);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$value attr-dict `:` type($value) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_BroadcastOp : Tile_Op<"broadcast", [Pure]> {
  let summary = "Repeats a tile along new dims";
  let description = [{
    Source dim `i` becomes result dim `dims[i]`; along the other result dims all
    elements are equal. With layouts, the source's is the result's slice.

    (C1) `dims` are increasing result dims of the source dims' sizes.
    (C2) One element type.
  }];
  let arguments = (ins Tile_Tile:$source, DenseI64ArrayAttr:$dims);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat =
      "$source `dims` $dims attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_ReduceOp : Tile_Op<"reduce", [Pure, SingleBlock]> {
  let summary = "Combines the elements of a tile along one dim";
  let description = [{
    The region combines two scalars; it must be associative and commutative up
    to rounding. All elements take part: mask those out of bounds first
    (`tile.mask`) with the combiner's identity. The order is fixed by shape and
    layout: registers of a thread in increasing coordinate, then lanes, then
    warps, each as a balanced tree.

    (C1) The result has the source's shape without `dim`, and its element type.
    (C2) The region has two arguments and yields one value of that type.
  }];
  let arguments = (ins Tile_Tile:$source, I64Attr:$dim);
  let results = (outs Tile_Tile:$result);
  let regions = (region SizedRegion<1>:$combiner);
  let assemblyFormat = [{
    $source `dim` $dim attr-dict `:` type($source) `->` type($result) $combiner
  }];
  let hasVerifier = 1;
}

def Tile_YieldOp : Tile_Op<"yield", [Pure, Terminator, ReturnLike]> {
  let summary = "Ends a region of a tile op";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ValueRange()); }]>];
}

def Tile_IndexOp : Tile_Op<"index", [Pure]> {
  let summary = "The coordinate of each element along one dim";
  let description = [{
    Element `c` is `offset + c[dim]`.

    (C1) `dim` is a dim of the result.
  }];
  let arguments = (ins Index:$offset, I64Attr:$dim);
  let results = (outs StaticShapeTensorOf<[Index]>:$result);
  let assemblyFormat = "$offset `dim` $dim attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Tile_MaskOp : Tile_Op<"mask", [Pure, AllTypesMatch<["source", "result"]>,
    SameVariadicOperandSize]> {
  let summary = "Replaces the elements out of bounds";
  let description = [{
    Element `c` keeps its value where `offsets[d] + c[d] < sizes[d]` for every
    dim `d`, and becomes `padding` elsewhere.

    (C1) One offset and one size for each dim.
    (C2) `padding` has the tile's element type.
  }];
  let arguments = (ins Tile_Tile:$source, Tile_Scalar:$padding,
                       Variadic<Index>:$offsets, Variadic<Index>:$sizes);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $source `,` $padding `offsets` `[` $offsets `]` `sizes` `[` $sizes `]` attr-dict
    `:` type($result) `,` type($padding)
  }];
  let hasVerifier = 1;
}

def Tile_MaskWindowOp : Tile_Op<"mask_window", [AttrSizedOperandSegments, Pure,
    AllTypesMatch<["source", "result"]>]> {
  let summary = "Replaces the elements outside of a window's bounds";
  let description = [{
    An element keeps its value where a `tile.load_window` with the same operands
    and attributes, of an array with one dim for each of `indices`, would read the
    array, and becomes `other` elsewhere. It is what a padded window needs whose
    elements are computed: the padding is not computed from.

    ```mlir
    %y = tile.mask_window %x [%zero, %c, %top, %left] extents [%n1, %c1, %h, %w]
         checked [false, false, true, true] along [%k, %p] limits [%kk, %pp]
         in_bounds [true, true] parts [3, 2] sizes [64, 3, 3, 56, 56]
         map affine_map<(c, kh, kw, y, x) -> (0, c, y + kh, x + kw)>
         other %z : tensor<32x128xf16>, f16
    ```
    (C1), (C2), (C3) as for `tile.load_window`.
    (C4) `other` has the tile's element type.
  }];
  let arguments = (ins Tile_Tile:$source, Variadic<Index>:$indices,
                       Variadic<Index>:$extents, Variadic<Index>:$offsets,
                       Variadic<Index>:$limits, Tile_Scalar:$other,
                       DenseBoolArrayAttr:$checked,
                       DenseBoolArrayAttr:$in_bounds,
                       DenseI64ArrayAttr:$parts, DenseI64ArrayAttr:$sizes,
                       AffineMapAttr:$map);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $source `[` $indices `]` `extents` `[` $extents `]` `checked` $checked
    `along` `[` $offsets `]` `limits` `[` $limits `]` `in_bounds` $in_bounds
    `parts` $parts `sizes` $sizes `map` $map `other` $other
    attr-dict `:` type($result) `,` type($other)
  }];
  let hasVerifier = 1;
}

def Tile_DotOp : Tile_Op<"dot", [Pure, AllTypesMatch<["acc", "result"]>]> {
  let summary = "Multiplies two tiles and adds to a third";
  let description = [{
    `result[m, n] = acc[m, n] + sum over k of a[m, k] * b[k, n]`, in the type of
    `acc`, each product and addition fused. The abstract form: the operands come
    from `tile.load`s in the same loop over k, which `tile-pipeline-copies` turns
    into a ring of shared memory and `tile.mma`.

    (C1) a is MxK, b is KxN, acc is MxN.
    (C2) a and b have one element type.
  }];
  let arguments = (ins Tile_Tile:$a, Tile_Tile:$b, Tile_Tile:$acc);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $a `,` $b `,` $acc attr-dict `:` type($a) `,` type($b) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_ConvertLayoutOp : Tile_Op<"convert_layout", [Pure]> {
  let summary = "Moves elements between threads to fit another layout";
  let description = [{
    (C1) Source and result differ in nothing but their layouts.
  }];
  let arguments = (ins Tile_Tile:$source);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Shared memory, barriers and copies
//===----------------------------------------------------------------------===//

def Tile_AllocOp : Tile_Op<"alloc", [MemoryEffects<[MemAlloc]>]> {
  let summary = "Shared memory for the whole kernel, aligned to 1024 bytes";
  let results = (outs Tile_Buffer:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def Tile_BarriersOp : Tile_Op<"alloc_barriers", [MemoryEffects<[MemAlloc]>]> {
  let summary = "mbarriers, initialised before any partition starts";
  let description = "Each completes a phase after `arrivals` arrivals.";
  let arguments = (ins I64Attr:$arrivals);
  let results = (outs Tile_Barriers:$result);
  let assemblyFormat = "`arrivals` $arrivals attr-dict `:` type($result)";
}

class Tile_BarrierOp<string mnemonic, dag more = (ins)> : Tile_Op<mnemonic,
    [MemoryEffects<[MemRead, MemWrite]>]> {
  let arguments = !con((ins Tile_Barriers:$barriers, Index:$stage), more);
}

def Tile_WaitOp : Tile_BarrierOp<"wait", (ins I32:$parity)> {
  let summary = "Blocks until the barrier's phase of this parity is complete";
  let assemblyFormat =
      "$barriers `[` $stage `]` `parity` $parity attr-dict `:` type($barriers)";
}

def Tile_ArriveOp : Tile_BarrierOp<"arrive"> {
  let summary = "One arrival from each warpgroup of the partition";
  let description = [{
    All earlier accesses of the warpgroup to the stage come before it. In a
    single-thread partition, one arrival.
  }];
  let assemblyFormat = "$barriers `[` $stage `]` attr-dict `:` type($barriers)";
}

def Tile_ExpectOp : Tile_BarrierOp<"expect", (ins I64Attr:$bytes)> {
  let summary = "Arrives, and expects this many bytes from bulk copies";
  let assemblyFormat = [{
    $barriers `[` $stage `]` `bytes` $bytes attr-dict `:` type($barriers)
  }];
}

def Tile_CopyTMAOp : Tile_Op<"copy_tma",
    [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Bulk tensor copy of one stage, signalled on a barrier";
  let description = [{
    Issued by one thread (the op belongs in a single-thread partition). Fills all
    of stage `stage`, panel by panel, from the array behind the map at `indices`
    (outermost first, one for each dim of the array). The box is one panel: its
    innermost dim the panel's columns, one other dim its rows, the rest 1.
    Elements out of bounds are zero. With `columns` (else 0) it fills only a part
    of the stage: the box's rows from row `row`, `columns` columns from `column`,
    both at panel boundaries.
  }];
  let arguments = (ins Tile_TensorMap:$map, Variadic<Index>:$indices,
                       Tile_Buffer:$buffer, Index:$stage,
                       Tile_Barriers:$barriers, Index:$barrier,
                       DefaultValuedAttr<I64Attr, "0">:$row,
                       DefaultValuedAttr<I64Attr, "0">:$column,
                       DefaultValuedAttr<I64Attr, "0">:$columns);
  let assemblyFormat = [{
    $map `[` $indices `]` `to` $buffer `[` $stage `]` `signals` $barriers
    `[` $barrier `]` attr-dict
    `:` type($map) `,` type($buffer) `,` type($barriers)
  }];
}

def Tile_CopyAsyncOp : Tile_Op<"copy_async",
    [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Copies a tile of global memory to a stage, by all threads";
  let description = [{
    Row `r`, column `c` of the stage is element `indices[j] + {r, c}[dims[j]]` of
    the memref along its dim `j` (as for `tile.load`, with tile dims 0 = rows and
    1 = columns); out of bounds is zero. Uses `cp.async` in pieces of 16, 8 or 4
    bytes where alignment allows, else plain loads and stores: `alignment` is
    what is known of a row's address in bytes. Complete after `tile.copy_wait`
    and `tile.sync`.
  }];
  let arguments = (ins AnyMemRef:$memref, Variadic<Index>:$indices,
                       Tile_Buffer:$buffer, Index:$stage,
                       DenseI64ArrayAttr:$dims, DenseBoolArrayAttr:$in_bounds,
                       I64Attr:$alignment);
  let assemblyFormat = [{
    $memref `[` $indices `]` `to` $buffer `[` $stage `]` `dims` $dims
    `in_bounds` $in_bounds `alignment` $alignment attr-dict
    `:` type($memref) `,` type($buffer)
  }];
  let hasVerifier = 1;
}

def Tile_StoreSharedOp : Tile_Op<"store_shared",
    [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Writes a tile from registers to a stage";
  let description = [{
    Element `(r, c)` of the tile becomes row `r`, column `c` of the stage
    (`transposed`: row `c`, column `r`). Other threads see it after a `tile.sync`.

    (C1) The tile has the stage's sides, and its element type.
  }];
  let arguments = (ins Tile_Tile:$value, Tile_Buffer:$buffer, Index:$stage,
                       UnitAttr:$transposed);
  let assemblyFormat = [{
    $value `to` $buffer `[` $stage `]` (`transposed` $transposed^)? attr-dict
    `:` type($value) `,` type($buffer)
  }];
  let hasVerifier = 1;
}

def Tile_CopyWindowOp : Tile_Op<"copy_window", [AttrSizedOperandSegments,
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Copies what `tile.load_window` reads to a stage, by all threads";
  let description = [{
    Row `r`, column `c` of the stage is the element of a `tile.load_window` with
    tile dims 0 = rows and 1 = columns, zero where that is `other`. Uses
    `cp.async` in pieces of up to 16 bytes where alignment is known, else plain
    loads and stores. Complete after `tile.copy_wait` and `tile.sync`.

    (C1), (C2), (C3) as for `tile.load_window`.
    (C4) memref and buffer have one element type.
  }];
  let arguments = (ins AnyMemRef:$memref, Variadic<Index>:$indices,
                       Variadic<Index>:$extents, Variadic<Index>:$offsets,
                       Variadic<Index>:$limits, Tile_Buffer:$buffer,
                       Index:$stage, DenseBoolArrayAttr:$checked,
                       DenseBoolArrayAttr:$in_bounds,
                       DenseI64ArrayAttr:$parts, DenseI64ArrayAttr:$sizes,
                       AffineMapAttr:$map);
  let assemblyFormat = [{
    $memref `[` $indices `]` `extents` `[` $extents `]` `checked` $checked
    `along` `[` $offsets `]` `limits` `[` $limits `]` `in_bounds` $in_bounds
    `parts` $parts `sizes` $sizes `map` $map `to` $buffer `[` $stage `]`
    attr-dict `:` type($memref) `,` type($buffer)
  }];
  let hasVerifier = 1;
}

def Tile_CopyCommitOp : Tile_Op<"copy_commit",
    [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Closes the group of `tile.copy_async`s issued so far";
  let assemblyFormat = "attr-dict";
}

def Tile_CopyWaitOp : Tile_Op<"copy_wait",
    [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Waits until at most `pending` groups of copies are in flight";
  let arguments = (ins I64Attr:$pending);
  let assemblyFormat = "`pending` $pending attr-dict";
}

def Tile_SyncOp : Tile_Op<"sync", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "A barrier of all threads of the partition";
  let assemblyFormat = "attr-dict";
}

def Tile_FenceAsyncOp : Tile_Op<"fence_async",
    [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Shows what the threads wrote to asynchronous multiplies";
  let description = [{
    `tile.mma` of kind `wgmma` and bulk copies reach shared memory another way
    than threads do. What the partition's threads wrote before, and their
    `tile.copy_async`s that were waited for, is seen by those that start behind
    this and a `tile.sync`.
  }];
  let assemblyFormat = "attr-dict";
}

def Tile_StoreTMAOp : Tile_Op<"store_tma",
    [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Stores a tile through shared memory and bulk tensor copies";
  let description = [{
    Each warpgroup of the partition owns one stage group of `buffer`
    (`2 * warpgroups` stages of 64 rows and one panel): it writes its rows panel
    by panel in the swizzled form, then one thread issues the copy. Elements out
    of bounds are not written. `tile.store_wait` must follow before the kernel
    ends.
  }];
  let arguments = (ins Tile_Tile:$value, Tile_TensorMap:$map,
                       Variadic<Index>:$indices, Tile_Buffer:$buffer);
  let assemblyFormat = [{
    $value `,` $map `[` $indices `]` `through` $buffer attr-dict
    `:` type($value) `,` type($map) `,` type($buffer)
  }];
}

def Tile_StoreWaitOp : Tile_Op<"store_wait",
    [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Waits for all bulk stores of the partition";
  let assemblyFormat = "attr-dict";
}

//===----------------------------------------------------------------------===//
// Multiplies on shared memory
//===----------------------------------------------------------------------===//

def Tile_AccZeroOp : Tile_Op<"acc_zero", [Pure]> {
  let summary = "An accumulator of zeros";
  let results = (outs Tile_Acc:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def Tile_MMAOp : Tile_Op<"mma", [MemoryEffects<[MemRead]>,
    AllTypesMatch<["acc", "result"]>]> {
  let summary = "Multiplies two stages of shared memory into an accumulator";
  let description = [{
    `a_kmajor`: the buffer of a is MxK (else KxM); `b_kmajor`: the buffer of b is
    NxK (else KxN). What instruction it becomes follows from `kind`: `wgmma`
    (asynchronous: complete after `tile.mma_wait`), `mma` (`mma.sync`) or `fma`.

    (C1) The buffers' sides agree with the accumulator's.
    (C2) `kind` is `wgmma`, `mma` or `fma`.
  }];
  let arguments = (ins Tile_Buffer:$a, Index:$a_stage, Tile_Buffer:$b,
                       Index:$b_stage, Tile_Acc:$acc, StrAttr:$kind,
                       BoolAttr:$a_kmajor, BoolAttr:$b_kmajor);
  let results = (outs Tile_Acc:$result);
  let assemblyFormat = [{
    $kind $a `[` $a_stage `]` `kmajor` $a_kmajor `,` $b `[` $b_stage `]` `kmajor`
    $b_kmajor `,` $acc attr-dict `:` type($a) `,` type($b) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_MMARegistersOp : Tile_Op<"mma_registers", [MemoryEffects<[MemRead]>,
    AllTypesMatch<["acc", "result"]>]> {
  let summary = "Multiplies a tile in registers with a stage of shared memory";
  let description = [{
    As `tile.mma` of kind `mma` (`mma.sync`), with an MxK tile of f16 or bf16 as
    a. Each warp multiplies the rows that it holds: the tile and the accumulator
    are in layouts of `mma.sync`'s accumulator, all warps along their rows.

    (C1) a is MxK, the buffer of b KxN (`b_kmajor`: NxK), acc MxN.
    (C2) a and b have one element type.
  }];
  let arguments = (ins Tile_Tile:$a, Tile_Buffer:$b, Index:$b_stage,
                       Tile_Acc:$acc, BoolAttr:$b_kmajor);
  let results = (outs Tile_Acc:$result);
  let assemblyFormat = [{
    $a `,` $b `[` $b_stage `]` `kmajor` $b_kmajor `,` $acc attr-dict
    `:` type($a) `,` type($b) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_AccInitOp : Tile_Op<"acc_init", [Pure]> {
  let summary = "An accumulator that starts at a tile";
  let description = [{
    (C1) The accumulator's tile has the source's type.
  }];
  let arguments = (ins Tile_Tile:$source);
  let results = (outs Tile_Acc:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_MMAWaitOp : Tile_Op<"mma_wait",
    [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Waits until at most `pending` multiplies are in flight";
  let description = [{
    `tile.mma`s end in their order; all but the last `pending` ones have. The
    results are the accumulators, tied to the wait so that no use moves above it.
  }];
  let arguments = (ins Variadic<Tile_Acc>:$accs, I64Attr:$pending);
  let results = (outs Variadic<Tile_Acc>:$results);
  let assemblyFormat =
      "$accs `pending` $pending attr-dict `:` type($accs) `->` type($results)";
}

def Tile_AccReadOp : Tile_Op<"acc_read", [Pure]> {
  let summary = "The accumulator, or columns of it, as a tile";
  let description = [{
    The result's columns are the accumulator's from `column` on; each thread must
    hold them already.

    (C1) The result fits within the accumulator, and has its element type.
  }];
  let arguments = (ins Tile_Acc:$acc,
                       DefaultValuedAttr<I64Attr, "0">:$column);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$acc attr-dict `:` type($acc) `->` type($result)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Partitions, and the host's side
//===----------------------------------------------------------------------===//

def Tile_WarpSpecializeOp : Tile_Op<"warp_specialize", [
    RecursiveMemoryEffects, SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "Gives each region its own warps and registers";
  let description = [{
    Region `i` is run by `warps[i]` warps, the first region by the lowest. Where
    `registers` is given it is the registers a thread may use in that region; all
    warp counts are then multiples of four. `single_thread[i]`: one thread of the
    partition runs the region (no tiles in it).

    (C1) `warps`, `registers` and `single_thread` have one entry a region
         (`registers` may be empty).
    (C2) With `registers`, warp counts are multiples of four.
  }];
  let arguments = (ins DenseI64ArrayAttr:$warps, DenseI64ArrayAttr:$registers,
                       DenseBoolArrayAttr:$single_thread);
  let regions = (region VariadicRegion<SizedRegion<1>>:$partitions);
  let assemblyFormat = [{
    `warps` $warps `registers` $registers `single_thread` $single_thread
    attr-dict-with-keyword $partitions
  }];
  let hasVerifier = 1;
}

def Tile_TensorMapOp : Tile_Op<"tensor_map", [Pure]> {
  let summary = "Host: the descriptor of a dense global array";
  let description = [{
    (C1) The box has the memref's rank, at most 5, and its element type.
  }];
  let arguments = (ins AnyMemRef:$memref);
  let results = (outs Tile_TensorMap:$result);
  let assemblyFormat = "$memref attr-dict `:` type($memref) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_MultiprocessorsOp : Tile_Op<"multiprocessors", [Pure]> {
  let summary = "Host: the number of multiprocessors of the GPU";
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict";
}

def Tile_LaunchOp : Tile_Op<"launch", [MemoryEffects<[MemRead, MemWrite]>,
                                       AttrSizedOperandSegments]> {
  let summary = "Host: launches a kernel";
  let description = [{
    A grid with a zero in it launches nothing. Block size and shared memory are
    the kernel's own. An argument becomes parameters as docs/Architecture.md says.

    With a `table`, room in device memory for 8-byte entries, the kernel's first
    parameter is a pointer to a table: its entries are what the arguments that are
    no tensor maps become, in order; the tensor maps are parameters behind it.
  }];
  let arguments = (ins SymbolRefAttr:$kernel, Index:$grid_x, Index:$grid_y,
                       Index:$grid_z, Variadic<AnyType>:$args,
                       Optional<MemRefRankOf<[I64], [1]>>:$table);
  let assemblyFormat = [{
    $kernel `grid` `(` $grid_x `,` $grid_y `,` $grid_z `)`
    (`table` `(` $table^ `:` type($table) `)`)?
    `args` `(` ($args^ `:` type($args))? `)` attr-dict
  }];
  let builders = [OpBuilder<(ins "SymbolRefAttr":$kernel, "Value":$gridX,
                                 "Value":$gridY, "Value":$gridZ,
                                 "ValueRange":$args), [{
    build($_builder, $_state, kernel, gridX, gridY, gridZ, args, Value());
  }]>];
}

#endif // FUSION_TILE_IR_TILEOPS_TD
