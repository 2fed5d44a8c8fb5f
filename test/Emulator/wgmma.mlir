// A multiply of a warpgroup on operands that bulk copies brought, and what
// happens when one of its synchronizations is taken away.
// RUN: fusion-emulate %s --kernel=multiply data:iota:64x64xf16 data:ones:8x64xf16 map:0:64x64:128 map:1:8x64:128 unwritten:64x8xf32 --print=4 --most=17 | FileCheck %s --check-prefix=A
// RUN: fusion-emulate %s --kernel=multiply data:ones:64x64xf16 data:iota:8x64xf16 map:0:64x64:128 map:1:8x64:128 unwritten:64x8xf32 --print=4 --most=10 | FileCheck %s --check-prefix=B
// RUN: fusion-emulate %s --kernel=multiply --seed=7 data:ones:64x64xf16 data:iota:8x64xf16 map:0:64x64:128 map:1:8x64:128 unwritten:64x8xf32 --print=4 --most=10 | FileCheck %s --check-prefix=B
// RUN: sed -e '/wgmma.fence/d' %s | not fusion-emulate - --kernel=multiply data:iota:64x64xf16 data:ones:8x64xf16 map:0:64x64:128 map:1:8x64:128 unwritten:64x8xf32 2>&1 | FileCheck %s --check-prefix=FENCE
// RUN: sed -e 's/wait_group.sync.aligned 0/wait_group.sync.aligned 1/' %s | not fusion-emulate - --kernel=multiply data:iota:64x64xf16 data:ones:8x64xf16 map:0:64x64:128 map:1:8x64:128 unwritten:64x8xf32 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: sed -e '/try_wait/d' %s | not fusion-emulate - --kernel=multiply data:iota:64x64xf16 data:ones:8x64xf16 map:0:64x64:128 map:1:8x64:128 unwritten:64x8xf32 2>&1 | FileCheck %s --check-prefix=STAGE
// RUN: sed -e '/fence.mbarrier/d' %s | not fusion-emulate - --kernel=multiply data:iota:64x64xf16 data:ones:8x64xf16 map:0:64x64:128 map:1:8x64:128 unwritten:64x8xf32 2>&1 | FileCheck %s --check-prefix=INIT
// RUN: sed -e '/barrier0/d' %s | not fusion-emulate - --kernel=multiply data:iota:64x64xf16 data:ones:8x64xf16 map:0:64x64:128 map:1:8x64:128 unwritten:64x8xf32 2>&1 | FileCheck %s --check-prefix=BARRIER

// 64 m + 0, ..., 64 m + 15.
// A: argument 4: 120 120 120 120 120 120 120 120 1144 1144 1144 1144 1144 1144 1144 1144 2168
// B: argument 4: 120 1144 2168 3192 4216 5240 6264 7288 120 1144
// FENCE: missing wgmma.fence: kernel 'multiply', 'nvvm.wgmma.mma_async', block (0, 0, 0), thread {{[0-9]+}}
// EARLY: register read too early: kernel 'multiply', 'llvm.store', block (0, 0, 0), thread {{[0-9]+}}: the wgmma that writes it was not waited for
// STAGE: read of unwritten memory: kernel 'multiply', 'nvvm.wgmma.mma_async'
// INIT: missing fence: kernel 'multiply', 'nvvm.cp.async.bulk.tensor.shared.cluster.global', block (0, 0, 0), thread 0: no fence.mbarrier_init
// BARRIER: {{data race|mbarrier}}: kernel 'multiply', 'nvvm.mbarrier.try_wait.parity'
llvm.mlir.global external @smem() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>

llvm.func @multiply(%mapA: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant},
                    %mapB: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant}, %out: !llvm.ptr<1>)
    attributes {nvvm.kernel, nvvm.maxntid = array<i32: 128, 1, 1>, fusion.shared_bytes = 9224 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  %c5 = arith.constant 5 : i32
  %c8 = arith.constant 8 : i32
  %c16 = arith.constant 16 : i32
  %c31 = arith.constant 31 : i32
  %bytes = arith.constant 9216 : i32
  %addressBits = arith.constant 16383 : i32
  // 128-byte swizzle, stride 1024, leading offset unused.
  %bits = arith.constant 4611686293305360384 : i64
  %smem = llvm.mlir.addressof @smem : !llvm.ptr<3>
  %stageB = llvm.getelementptr %smem[8192] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %barrier = llvm.getelementptr %smem[9216] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %thread = nvvm.read.ptx.sreg.tid.x : i32
  %first = arith.cmpi eq, %thread, %c0 : i32
  scf.if %first {
    nvvm.mbarrier.init %barrier, %c1 : !llvm.ptr<3>, i32
    nvvm.fence.mbarrier.init
    nvvm.mbarrier.arrive.expect_tx %barrier, %bytes : !llvm.ptr<3>, i32
    %toA = llvm.addrspacecast %smem : !llvm.ptr<3> to !llvm.ptr<7>
    %toB = llvm.addrspacecast %stageB : !llvm.ptr<3> to !llvm.ptr<7>
    nvvm.cp.async.bulk.tensor.shared.cluster.global %toA, %mapA, %barrier, box[%c0, %c0] : !llvm.ptr<7>, !llvm.ptr
    nvvm.cp.async.bulk.tensor.shared.cluster.global %toB, %mapB, %barrier, box[%c0, %c0] : !llvm.ptr<7>, !llvm.ptr
  }
  nvvm.barrier0
  nvvm.mbarrier.try_wait.parity %barrier, %c0, %bytes : !llvm.ptr<3>, i32, i32
  %addressA = llvm.ptrtoint %smem : !llvm.ptr<3> to i32
  %addressB = llvm.ptrtoint %stageB : !llvm.ptr<3> to i32
  %shiftedA = arith.shrui %addressA, %c4 : i32
  %shiftedB = arith.shrui %addressB, %c4 : i32
  %wideA = arith.extui %shiftedA : i32 to i64
  %wideB = arith.extui %shiftedB : i32 to i64
  %a = arith.ori %wideA, %bits : i64
  %b = arith.ori %wideB, %bits : i64
  %zero = llvm.mlir.zero : !llvm.struct<(f32, f32, f32, f32)>
  nvvm.wgmma.fence.aligned
  %sums = nvvm.wgmma.mma_async %a, %b, %zero, <m = 64, n = 8, k = 16>, D[<f32>, <one>], A[<f16>, <one>, <row>], B[<f16>, <one>, <col>] : !llvm.struct<(f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32)>
  nvvm.wgmma.commit.group.sync.aligned
  %s0 = llvm.extractvalue %sums[0] : !llvm.struct<(f32, f32, f32, f32)>
  %s1 = llvm.extractvalue %sums[1] : !llvm.struct<(f32, f32, f32, f32)>
  %s2 = llvm.extractvalue %sums[2] : !llvm.struct<(f32, f32, f32, f32)>
  %s3 = llvm.extractvalue %sums[3] : !llvm.struct<(f32, f32, f32, f32)>
  %done = llvm.inline_asm has_side_effects "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,0,1,2,3,~{memory}" %s0, %s1, %s2, %s3 : (f32, f32, f32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  %d0 = llvm.extractvalue %done[0] : !llvm.struct<(f32, f32, f32, f32)>
  %d1 = llvm.extractvalue %done[1] : !llvm.struct<(f32, f32, f32, f32)>
  %d2 = llvm.extractvalue %done[2] : !llvm.struct<(f32, f32, f32, f32)>
  %d3 = llvm.extractvalue %done[3] : !llvm.struct<(f32, f32, f32, f32)>
  %lane = arith.andi %thread, %c31 : i32
  %warp = arith.shrui %thread, %c5 : i32
  %group = arith.shrui %lane, %c2 : i32
  %pair = arith.andi %lane, %c3 : i32
  %top = arith.muli %warp, %c16 : i32
  %row = arith.addi %top, %group : i32
  %line = arith.muli %row, %c8 : i32
  %column = arith.muli %pair, %c2 : i32
  %place = arith.addi %line, %column : i32
  %to = llvm.getelementptr %out[%place] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  %below = llvm.getelementptr %to[64] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  %upper = vector.from_elements %d0, %d1 : vector<2xf32>
  %lower = vector.from_elements %d2, %d3 : vector<2xf32>
  llvm.store %upper, %to : vector<2xf32>, !llvm.ptr<1>
  llvm.store %lower, %below : vector<2xf32>, !llvm.ptr<1>
  llvm.return
}
