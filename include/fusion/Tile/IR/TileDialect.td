//===- TileDialect.td - the tile dialect, its types and attributes --------===//

#ifndef FUSION_TILE_IR_TILEDIALECT_TD
#define FUSION_TILE_IR_TILEDIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"

def Tile_Dialect : Dialect {
  let name = "tile";
  let cppNamespace = "::mlir::fusion::tile";
  let summary = "The program of one GPU block, on tiles";
  let description = [{
    Every fused group becomes a block's program in this dialect: loads of tiles
    from global memory, `arith` and `math` on them as they are, multiplies,
    reductions, stores. A tile is a builtin tensor, `tensor<128x64xf32>`; once
    `tile-assign-layouts` has run its encoding says which thread holds which
    element. Concurrency (partitions of warps, rings of shared memory, barriers,
    asynchronous copies and multiplies) is ops, so that each lowering looks at
    its own op alone.

    Only `arith`, `math`, `scf` and the ops of this dialect touch tiles.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = ["::mlir::gpu::GPUDialect",
                           "::mlir::arith::ArithDialect"];
}

class Tile_Type<string name, string typeMnemonic> : TypeDef<Tile_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Tile_LayoutAttr : AttrDef<Tile_Dialect, "Layout"> {
  let mnemonic = "layout";
  let summary = "Which element of a tile each register of each thread holds";
  let description = [{
    A linear map over bits for an atom whose sides are powers of two, repeated
    along each dim. `reg`, `lane` and `warp` list one basis vector for each bit
    of the register number, the lane (always five) and the warp number within
    its partition: element coordinates of the atom that the bit adds. A zero
    vector means that the bit does not move: several threads hold the same
    element. `repeat` says how many atoms lie along each dim; repeats are
    register numbers above the atom's, the last dim fastest.

    Example, the accumulator of one warpgroup's `wgmma` with n = 256:
    ```mlir
    #tile.layout<reg = [[0, 1], [8, 0]],
                 lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]],
                 warp = [[16, 0], [32, 0]], repeat = [1, 32]>
    ```
  }];
  // Bases are flattened, rank = repeat.size() numbers each.
  let parameters = (ins ArrayRefParameter<"int64_t">:$reg,
                        ArrayRefParameter<"int64_t">:$lane,
                        ArrayRefParameter<"int64_t">:$warp,
                        ArrayRefParameter<"int64_t">:$repeat);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Tile_Buffer : Tile_Type<"Buffer", "buffer"> {
  let summary = "Stages of a tile in shared memory";
  let description = [{
    `!tile.buffer<4x128x64xf16, swizzle = 128>`: the first dim counts stages,
    the others are rows and columns of one stage. Columns are cut into panels as
    wide as the swizzle (64 f16 for 128 bytes); a panel holds its rows one after
    the other, 16-byte chunk `c` of row `r` at chunk `c ^ (r % 8)` (128 bytes;
    fewer bits for 64 and 32). Without swizzle a row is `columns` elements plus
    `padding` bytes.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "Type":$elementType,
                        "int64_t":$swizzle, "int64_t":$padding);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getStages() const { return getShape()[0]; }
    int64_t getRows() const { return getShape()[1]; }
    int64_t getColumns() const { return getShape()[2]; }
    /// Bytes of one element.
    int64_t getElementBytes() const;
    /// Columns of one panel: the swizzle's width, or all of them.
    int64_t getPanelColumns() const;
    /// Bytes of one panel, one stage, all stages.
    int64_t getPanelBytes() const;
    int64_t getStageBytes() const;
    int64_t getBytes() const { return getStages() * getStageBytes(); }
  }];
}

def Tile_Barriers : Tile_Type<"Barriers", "barriers"> {
  let summary = "A row of mbarriers in shared memory";
  let parameters = (ins "int64_t":$count);
  let assemblyFormat = "`<` $count `>`";
}

def Tile_Acc : Tile_Type<"Acc", "acc"> {
  let summary = "The accumulator of a multiply, possibly still in flight";
  let description = [{
    `!tile.acc<tensor<128x256xf32>>`. Its elements may be read only through
    `tile.acc_read`, after a `tile.mma_wait` when the multiply is asynchronous.
  }];
  let parameters = (ins "RankedTensorType":$tile);
  let assemblyFormat = "`<` $tile `>`";
}

def Tile_TensorMap : Tile_Type<"TensorMap", "tensor_map"> {
  let summary = "A descriptor of a global array for bulk tensor copies";
  let description = [{
    `!tile.tensor_map<1x128x64xf16, swizzle = 128>`: the box that one copy moves,
    outermost dim first as in the memref, and the swizzle in shared memory.
    Elements out of bounds read as zero and are not written.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$box, "Type":$elementType,
                        "int64_t":$swizzle);
  let hasCustomAssemblyFormat = 1;
}

#endif // FUSION_TILE_IR_TILEDIALECT_TD
