//===- Passes.td - conversions from one stage to the next -----------------===//

#ifndef FUSION_CONVERSION_PASSES_TD
#define FUSION_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// Graph to linalg
//===----------------------------------------------------------------------===//

def FusionToLinalg : Pass<"fusion-to-linalg", "::mlir::ModuleOp"> {
  let summary = "Lower the graph to linalg, one operation per operation";
  let description = [{
    Rewrites every operation of the fusion dialect but `group` and `yield` as
    one operation of linalg on tensors (docs/Architecture.md, stage 2); nothing
    is fused. What is computed on f16 and bf16 is computed in f32, with the
    rounding at the end marked `fusion.rounding`; contractions and reductions of
    them have an f32 result, and an operation that only rounds follows. A
    transposed operand of a matmul is read through its indexing map.

    Unsigned integers become signless, function signatures included, which keep
    the type in `fusion.dtype`. Scalar constants and fills enter the bodies that
    use them.

    Fails on operations that `fusion-decompose` takes apart.

    ```mlir
    %r = fusion.exp %x : tensor<?xf32>
    // becomes
    %n = tensor.dim %x, %c0 : tensor<?xf32>
    %d = tensor.empty(%n) : tensor<?xf32>
    %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
         ins(%x : tensor<?xf32>) outs(%d : tensor<?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %e = math.exp %in : f32
      linalg.yield %e : f32
    } -> tensor<?xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

//===----------------------------------------------------------------------===//
// Groups to functions
//===----------------------------------------------------------------------===//

def OutlineGroups : Pass<"fusion-outline-groups", "ModuleOp"> {
  let summary = "Outline groups into functions on memrefs";
  let description = [{
    Turns `@main` on tensors, which consists of groups (docs/Architecture.md, stage
    3), into the host program on memrefs with one private function for each
    distinct group: equal bodies, whatever their names, share one. Dead groups are
    dropped. The arguments of `@main` are the graph's, then one for each constant
    (`fusion.constant`), then one for each result (`fusion.result`), which the
    group that makes it writes in place. An argument, a constant, or a value that
    is returned twice is copied by a group of its own. Adds `@main_result_dims`.

    Fails with a diagnostic if there is no `@main`, or an op in it that may not
    stand outside of groups.

    Example:
    ```mlir
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %e = tensor.empty() : tensor<4xf32>
      %y = fusion.group "neg" kinds [] ins(%x : tensor<4xf32>)
           outs(%e : tensor<4xf32>) { ... } : tensor<4xf32>
      return %y : tensor<4xf32>
    }
    ```
    becomes
    ```mlir
    func.func @main(%x: memref<4xf32>, %y: memref<4xf32> {fusion.result}) {
      call @group_0(%x, %y) : (memref<4xf32>, memref<4xf32>) -> ()
      return
    }
    func.func @main_result_dims(%d: index) -> index { ... }
    func.func private @group_0(%a: memref<4xf32>, %d: memref<4xf32>) { ... }
    ```
  }];
  let dependentDialects = ["affine::AffineDialect", "arith::ArithDialect",
                           "bufferization::BufferizationDialect",
                           "func::FuncDialect", "linalg::LinalgDialect",
                           "memref::MemRefDialect", "scf::SCFDialect",
                           "tensor::TensorDialect"];
}

//===----------------------------------------------------------------------===//
// Tiles to GPU
//===----------------------------------------------------------------------===//

def TilesToGPU : Pass<"fusion-tiles-to-gpu", "gpu::GPUModuleOp"> {
  let summary = "Rebuild tile programs as the code of one thread";
  let description = [{
    Each `gpu.func` of the module, a tile program whose tiles have layouts,
    becomes an `llvm.func` in llvm, nvvm, arith, math, scf and vector: tiles are
    registers, memrefs are pointers and dims, shared memory is carved out of the
    external `@smem`. Fails with a diagnostic on an op without a lowering, on a
    tile without a layout, and where a kernel needs more shared memory than a
    block may have on the target.
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"sm_90a\"",
           "GPU whose limits hold; the default is the main target">
  ];
  let dependentDialects = ["LLVM::LLVMDialect", "NVVM::NVVMDialect",
                           "arith::ArithDialect", "math::MathDialect",
                           "scf::SCFDialect", "vector::VectorDialect"];
}

def MergeLaunches : Pass<"fusion-merge-launches", "ModuleOp"> {
  let summary = "Make the launches of a composite one";
  let description = [{
    A function with the attribute `fusion.composite` calls one function for each
    of its parts, some under an `scf.if` on a predicate in memory. The calls are
    inlined, and their launches become one of a kernel with all the bodies: its
    blocks are given out to the bodies in order, as many as each had. A predicate
    is read by the kernel: the two sides of an `scf.if` get the same blocks, and
    each block runs the body that the predicate names, or nothing. The host reads
    none.

    A call with `fusion.each_block = n` computes n predicates, its last operands,
    for others of the composite. Where its kernel is code of one block, without
    roles of its warps, each block of the launch runs it first, and hands what it
    stores to all its threads through shared memory; else it gets a launch before
    the others, and a remark says why.

    Launches are split where one kernel cannot hold all: beyond 4096 bytes of
    tensor maps (other parameters may go to a table, see
    `fusion-tabulate-parameters`) or what `fusion.limits` allows, beyond the largest
    grid, and warp-specialised bodies of unequal block size. A remark says why, and
    the attribute `fusion.apart` of the function which parts are together. Kernels
    and functions that nothing uses any more are erased.

    ```mlir
    func.func private @group_2(%x: memref<8xf32>, %y: memref<8xf32>,
                               %p: memref<i1>) attributes {fusion.composite} {
      call @group_0(%x) : (memref<8xf32>) -> ()
      %c = memref.load %p[] : memref<i1>
      scf.if %c {
        call @group_1(%y) : (memref<8xf32>) -> ()
      }
      return
    }
    // becomes
    func.func private @group_2(%x: memref<8xf32>, %y: memref<8xf32>,
                               %p: memref<i1>) attributes {fusion.composite} {
      tile.launch @kernels::@group_2 grid(%c2, %c1, %c1) args(%x, %y, %p : ...)
      return
    }
    ```
  }];
  let dependentDialects = ["LLVM::LLVMDialect", "NVVM::NVVMDialect",
                           "arith::ArithDialect", "scf::SCFDialect"];
}

def TabulateParameters : Pass<"fusion-tabulate-parameters", "ModuleOp"> {
  let summary = "Put parameters that a kernel cannot take into memory";
  let description = [{
    A kernel of stage 5 whose parameters take more bytes than `limit` reads them
    from a table in device memory: it takes the table's address, and each of its
    loads stands where the value is used, in the branch or loop that uses it. Tensor
    maps stay parameters. `@main` allocates the table, of 8 bytes for each value;
    the launch fills it (`fusionRtParameterTable`).

    ```mlir
    tile.launch @kernels::@k grid(%c1, %c1, %c1) args(%x0, %x1, ... : ...)
    llvm.func @k(%x0: !llvm.ptr<1>, %x1: !llvm.ptr<1>, ...)
    // becomes
    %table = memref.alloc() : memref<600xi64>
    tile.launch @kernels::@k grid(%c1, %c1, %c1) table(%table : memref<600xi64>)
                args(%x0, %x1, ... : ...)
    llvm.func @k(%table: !llvm.ptr<1> {llvm.noalias, llvm.readonly})
    ```
  }];
  let options = [
    Option<"limit", "limit", "unsigned", /*default=*/"0",
           "Bytes of parameters that a kernel may take; 0 stands for those of "
           "`fusion.limits`, or the 4096 that every driver allows">
  ];
  let dependentDialects = ["LLVM::LLVMDialect", "memref::MemRefDialect"];
}

def ExpandMath : Pass<"fusion-expand-math"> {
  let summary = "Expand math functions into arithmetic";
  let description = [{
    Rewrites the functions of the math dialect on f32, f16 and bf16 (scalars and
    vectors) into `arith` and `math.fma`, without branches or tables, also
    `arith.remf` and the integer divisions that round up or down. Errors are
    listed in docs/Numerics.md; NaN, infinities, signed zeros and denormals are
    as in IEEE 754-2019 and C. Halves are widened to f32 and rounded back. f64
    functions but `math.expm1`, `math.log1p` and `math.powf` stay without
    `expand-f64`; with it they become formulas of the accuracy of f64 (`arith.remf`
    a loop).
  }];
  let options = [
    Option<"hardwareExp", "hardware-exp", "bool", /*default=*/"false",
           "Use the GPU's 2^x instruction on reduced arguments. Off by default: "
           "the CPU has none">,
    Option<"expandF64", "expand-f64", "bool", /*default=*/"false",
           "Expand functions on f64 too. Off by default: the CPU has them in "
           "its library">
  ];
  let dependentDialects = ["arith::ArithDialect", "math::MathDialect",
                           "LLVM::LLVMDialect", "scf::SCFDialect"];
}

def RelaxDivisions : Pass<"fusion-relax-divisions"> {
  let summary = "Divide approximate values by the GPU's faster division";
  let description = [{
    Replaces `arith.divf` on f32 by PTX's `div.full` (error 2 ulp over the whole
    range, denormals included) where a side is approximate already: it comes,
    through arithmetic only, from a function of `math` that is not correctly
    rounded (exp, tanh, ...). A quotient of exact values, which a
    later `floor` may look at, stays a correctly rounded division. Softmax and
    sigmoid are such divisions. Not run under `--numerics=strict`.

    Example:
    ```mlir
    %e = math.exp %x : f32
    %d = arith.addf %e, %one : f32
    %r = arith.divf %one, %d : f32
    // becomes
    %r = llvm.call_intrinsic "llvm.nvvm.div.full"(%one, %d) : (f32, f32) -> f32
    ```
  }];
  let dependentDialects = ["LLVM::LLVMDialect"];
}

def VerifyPTXLegal : Pass<"fusion-verify-ptx-legal"> {
  let summary = "Refuse what LLVM's PTX back end cannot select";
  let description = [{
    Emits an error at each op that would reach LLVM as a libcall, an intrinsic or
    a type that the NVPTX back end does not select: there LLVM ends the process.
    Changes nothing.
  }];
}

//===----------------------------------------------------------------------===//
// Groups to tiles
//===----------------------------------------------------------------------===//

def SetLimits : Pass<"fusion-set-limits", "ModuleOp"> {
  let summary = "Say what kernels may take of the device";
  let description = [{
    Puts the limits on the module, as the attribute `fusion.limits`, which code
    generation keeps to: `shared` (bytes of shared memory of a block), `registers`
    (of 32 bits, of a thread, for tiles), `parameters` (bytes), `grid` (blocks) and
    `threads` (of a block). What is not named stays as the device has it.
    `fusion-fit-groups` then splits what takes more.

    ```mlir
    module { ... }
    // becomes, with limits=shared=49152,grid=65535
    module attributes {fusion.limits = {grid = 65535 : i64, shared = 49152 : i64}} { ... }
    ```
  }];
  let options = [
    Option<"limits", "limits", "std::string", /*default=*/"\"\"",
           "shared=BYTES, registers=N, parameters=BYTES, grid=BLOCKS and threads=N, "
           "some of these, separated by commas; empty: the module keeps its own">
  ];
}

def FitGroups : Pass<"fusion-fit-groups", "ModuleOp"> {
  let summary = "Split groups that no kernel can hold";
  let description = [{
    Compiles each distinct group for itself, up to stage 5. One that is refused (too
    much shared memory, reductions that no schedule holds together, whatever the
    passes on the way have to say, more than `fusion.limits` of the module allows) is
    split where the least bytes cross, and its parts are tried again, down to single
    ops. Of a composite the parts that are refused are taken out and split, under
    their conditions; where the parts do not fit together it becomes several
    launches. A remark gives the reason, and `@main` keeps it for reports.

    A single op that is refused gets a schedule that takes less: smaller tiles, fewer
    warps, scalar multiplies. Where none keeps to `fusion.limits` the simplest is
    taken, with a remark. A group whose schedule is pinned is left alone.

    Runs after groups are formed, where composites may be that were read from a file,
    and again, for composites, after launches are packed. Fails on composites that
    stage 3 does not allow: parts that write one destination in one run, that read
    what the launch writes, or read one another's arrays.

    ```mlir
    // x - max of rows - max of columns, too large for the registers of a block
    %r = fusion.group "rows+columns" kinds ["vertical"] ins(%x) outs(%d) {...}
    // becomes
    %0 = fusion.group "rows" kinds [] ins(%x) outs(%e) {...}
    %r = fusion.group "columns" kinds [] ins(%0) outs(%d) {...}
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"sm_90a\"",
           "GPU that kernels are made for; the default is the main target">,
    Option<"strict", "strict", "bool", /*default=*/"false",
           "Round every value to its type, as in `fusion-group-to-tiles`">,
    Option<"compositesOnly", "composites-only", "bool", /*default=*/"false",
           "Take other groups as they are, since they were fitted before; without "
           "`fusion.limits` all but those with predicates, since the planner knows "
           "the device. Off by default: groups may come from anywhere">
  ];
  let dependentDialects = [
    "LLVM::LLVMDialect", "NVVM::NVVMDialect", "arith::ArithDialect",
    "bufferization::BufferizationDialect", "func::FuncDialect", "gpu::GPUDialect",
    "linalg::LinalgDialect", "math::MathDialect", "memref::MemRefDialect",
    "scf::SCFDialect", "tensor::TensorDialect", "tile::TileDialect",
    "vector::VectorDialect"];
}

def GroupToTiles : Pass<"fusion-group-to-tiles", "ModuleOp"> {
  let summary = "Turn group functions into tile programs and launches";
  let description = [{
    The body of each function with the attribute `fusion.group` (linalg on tensors
    between `bufferization.to_tensor` and `materialize_in_destination`) becomes
    host code that computes the grid and a `tile.launch`; the kernel of the same
    name is made in `gpu.module @kernels`. Groups of matrix products, groups with
    reductions and elementwise groups differ only in which dims of the group's
    common iteration space get tiles and loops. The schedule is the pinned
    `fusion.schedule` or is chosen, and stands on both functions afterwards.

    Fails where an indexing map is more than dims and zeros, where a body holds
    an op that does not map elementwise, where a reduction has no neutral element,
    and where a pinned schedule does not fit.
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"sm_90a\"",
           "GPU for which schedules are chosen; the default is the main target">,
    Option<"strict", "strict", "bool", /*default=*/"false",
           "Round every graph value to its type. Off: a value that stays inside "
           "the kernel keeps the precision of its computation">
  ];
  let dependentDialects = ["arith::ArithDialect", "gpu::GPUDialect",
                           "linalg::LinalgDialect", "math::MathDialect",
                           "memref::MemRefDialect", "scf::SCFDialect",
                           "tile::TileDialect"];
}

//===----------------------------------------------------------------------===//
// Groups to CPU
//===----------------------------------------------------------------------===//

def MergeElementwise : Pass<"fusion-merge-elementwise", "func::FuncOp"> {
  let summary = "Merge chains of elementwise linalg ops";
  let description = [{
    An elementwise op on tensors with one use moves into the body of its
    elementwise consumer; one that only repeats or moves elements moves into
    all. Reductions take nothing in, so that the roundings of every value stay
    where they are. Contractions take in what makes one of their operands, to
    compute it while they pack it, and are marked `fusion.computes_operands`.
  }];
  let dependentDialects = ["linalg::LinalgDialect"];
}

def TileGroupForCPU : Pass<"fusion-tile-group-for-cpu", "func::FuncOp"> {
  let summary = "Tile the linalg ops of a group into parallel loops";
  let description = [{
    From the last linalg op to the first, each op that no later nest has taken
    becomes the root of one `scf.forall` over tiles, and the producers whose
    tiles follow from the root's are computed in it. A producer of which several
    tiles would need the same elements stays a nest of its own: no value is
    computed twice. Reduction loops are not tiled.
  }];
  let dependentDialects = ["affine::AffineDialect", "arith::ArithDialect",
                           "scf::SCFDialect", "tensor::TensorDialect"];
}

def BufferizeGroup : Pass<"fusion-bufferize-group", "func::FuncOp"> {
  let summary = "Bufferize the tensors of a group";
  let description = [{
    The boundary of the function is on memrefs already. Results are computed in
    their destination where that is legal; other copies are `memref.copy`.
  }];
  let dependentDialects = ["bufferization::BufferizationDialect",
                           "linalg::LinalgDialect", "memref::MemRefDialect"];
}

def LowerGroupToVectorLoops : Pass<"fusion-lower-group-to-vector-loops",
                                   "func::FuncOp"> {
  let summary = "Turn linalg ops on memrefs into loops on vectors";
  let description = [{
    Contractions, convolutions included, become packed and register-blocked
    loops; other ops become loops on vectors along a contiguous dimension, or
    scalar loops where there is none. The order of every sum is fixed: the terms
    of a contraction in the order of its reduction loops; those of a reduction
    along contiguous elements lane by lane, then the lanes pairwise.
  }];
  let options = [
    Option<"vectorBits", "vector-bits", "int64_t", /*default=*/"0",
           "Width of a vector register; 0, the default, is this machine's">
  ];
  let dependentDialects = ["affine::AffineDialect", "arith::ArithDialect",
                           "linalg::LinalgDialect", "math::MathDialect",
                           "memref::MemRefDialect", "scf::SCFDialect",
                           "vector::VectorDialect"];
}

def PlaceGroupBuffers : Pass<"fusion-place-group-buffers", "ModuleOp"> {
  let summary = "Give the temporary buffers of groups a place";
  let description = [{
    In each private function: a `memref.alloc` inside a loop becomes stack memory
    of the thread if it has a small bound, else it is freed at the end of its
    block. One at the top level becomes an argument, allocated by the caller,
    whose workspace plan then covers it.
  }];
  let dependentDialects = ["arith::ArithDialect", "memref::MemRefDialect"];
}

def OutlineParallelLoops : Pass<"fusion-outline-parallel-loops", "ModuleOp"> {
  let summary = "Outline scf.forall loops into functions over a range";
  let description = [{
    Each `scf.forall` without results becomes a call, with the unit attribute
    `fusion.parallel`, of a private function `(begin, end, captures...)` that runs
    the iterations [begin, end) of the linearized loop. Calls for disjoint ranges
    may run at the same time.
  }];
  let dependentDialects = ["arith::ArithDialect", "func::FuncDialect",
                           "scf::SCFDialect"];
}

//===----------------------------------------------------------------------===//
// Host program
//===----------------------------------------------------------------------===//

def PlanWorkspace : Pass<"fusion-plan-workspace", "ModuleOp"> {
  let summary = "Place the intermediates of @main in one workspace";
  let description = [{
    Each `memref.alloc` of `@main` becomes a view into a new last argument, an i8
    memref with the attribute `fusion.workspace`. Buffers whose lifetimes (first
    to last call that uses them) do not overlap share memory: first fit among the
    static sizes, and among buffers of the same dynamic size. All offsets are
    multiples of 256. Adds `@main_workspace_size`, which computes the number of
    bytes from all dims of the arguments that are not results.
  }];
  let dependentDialects = ["arith::ArithDialect", "func::FuncDialect",
                           "memref::MemRefDialect"];
}

def ExpandArithmetic : Pass<"fusion-expand-arithmetic"> {
  let summary = "Expand arithmetic that LLVM or its run-time library lacks";
  let description = [{
    Rewrites the conversions between f32 and bf16, which would call functions
    that not every C library has, and the divisions that round up or down. What
    LLVM has stays: `arith.maximumf` and `minimumf` too, which MLIR's
    `arith-expand` rewrites to comparisons that lose the sign of zero.

    ```mlir
    %q = arith.ceildivui %n, %m : index
    // becomes
    %p = arith.subi %n, %c1 : index
    %d = arith.divui %p, %m : index
    %e = arith.addi %d, %c1 : index
    %z = arith.cmpi eq, %n, %c0 : index
    %q = arith.select %z, %c0, %e : index
    ```
  }];
  let dependentDialects = ["arith::ArithDialect"];
}

def HostToLLVM : Pass<"fusion-host-to-llvm", "ModuleOp"> {
  let summary = "Lower the host program to the C contract";
  let description = [{
    Makes `fusion_run`, `fusion_workspace_size`, `fusion_result_dims` and the data
    `fusion_program` of include/fusion-c/Runtime.h out of `@main`,
    `@main_workspace_size` and `@main_result_dims`, and lowers all host functions
    to the LLVM dialect. Calls marked `fusion.parallel` go through
    `fusionRtParallelFor`, `tile.launch` through `fusionRtLaunch`,
    `tile.tensor_map` through `fusionRtTensorMap`; a status other than zero ends
    `fusion_run` with it. The kernels are read from `gpu.module @kernels`, which
    is erased, and their image from the attribute `fusion.image` of the module.
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"cpu\"",
           "What the program is compiled for: `cpu`, or the GPU, as in `sm_90a`">
  ];
  let dependentDialects = ["LLVM::LLVMDialect", "arith::ArithDialect",
                           "cf::ControlFlowDialect", "func::FuncDialect",
                           "memref::MemRefDialect"];
}

#endif // FUSION_CONVERSION_PASSES_TD
