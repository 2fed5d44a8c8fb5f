// Bulk tensor copies: boxes, swizzles, ends of arrays, proxies.
// RUN: fusion-emulate %s --kernel=load --block=32 data:iota:8x64xf16 map:0:8x64:128 unwritten:8x64xf16 i32:0 i32:0 --print=2 --most=80 | FileCheck %s --check-prefix=SWIZZLE
// RUN: fusion-emulate %s --kernel=load --block=32 data:iota:8x64xf16 map:0:8x64:0 unwritten:8x64xf16 i32:60 i32:-1 --print=2 --most=72 | FileCheck %s --check-prefix=FILL
// RUN: fusion-emulate %s --kernel=load --block=32 --seed=2 data:iota:8x64xf16 map:0:8x64:0 unwritten:8x64xf16 i32:60 i32:-1 --print=2 --most=72 | FileCheck %s --check-prefix=FILL
// RUN: fusion-emulate %s --kernel=store --block=32 data:zeros:9x68xf16 map:0:8x64:64 i32:2 i32:1 --print=0 --most=74 | FileCheck %s --check-prefix=STORE
// RUN: not fusion-emulate %s --kernel=store_no_fence --block=32 data:zeros:8x64xf16 map:0:8x64:64 i32:0 i32:0 2>&1 | FileCheck %s --check-prefix=PROXY
// RUN: not fusion-emulate %s --kernel=store_no_wait --block=32 data:zeros:8x64xf16 map:0:8x64:64 i32:0 i32:0 2>&1 | FileCheck %s --check-prefix=FLIGHT
// RUN: not fusion-emulate %s --kernel=load_no_bytes --block=32 data:iota:8x64xf16 map:0:8x64:128 2>&1 | FileCheck %s --check-prefix=BYTES
// RUN: not fusion-emulate %s --kernel=load_no_wait --block=32 data:iota:8x64xf16 map:0:8x64:128 2>&1 | FileCheck %s --check-prefix=RACE

llvm.mlir.global external @smem() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>

// Rows of 128 bytes: in row 1 the chunks of eight change places in pairs.
// SWIZZLE: argument 2: 0 1 2 3 {{.*}} 62 63 72 73 74 75 76 77 78 79 64 65 66 67 68 69 70 71
// Columns 60 on of rows -1 on: zeros outside.
// FILL: argument 2: 0 0 0 {{(0 )*}}60 61 62 63 0 0 0 0
llvm.func @load(%map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant}, %out: !llvm.ptr<1>, %x: i32, %y: i32)
    attributes {nvvm.kernel, fusion.shared_bytes = 2048 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %c0_i64 = arith.constant 0 : i64
  %c1024 = arith.constant 1024 : i64
  %c512 = arith.constant 512 : i64
  %bytes = arith.constant 1024 : i32
  %smem = llvm.mlir.addressof @smem : !llvm.ptr<3>
  %barrier = llvm.getelementptr %smem[1024] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %lane = nvvm.read.ptx.sreg.tid.x : i32
  %first = arith.cmpi eq, %lane, %c0 : i32
  scf.if %first {
    nvvm.mbarrier.init %barrier, %c1 : !llvm.ptr<3>, i32
    nvvm.fence.mbarrier.init
    nvvm.mbarrier.arrive.expect_tx %barrier, %bytes : !llvm.ptr<3>, i32
    %to = llvm.addrspacecast %smem : !llvm.ptr<3> to !llvm.ptr<7>
    nvvm.cp.async.bulk.tensor.shared.cluster.global %to, %map, %barrier, box[%x, %y] : !llvm.ptr<7>, !llvm.ptr
  }
  nvvm.barrier0
  nvvm.mbarrier.try_wait.parity %barrier, %c0, %bytes : !llvm.ptr<3>, i32, i32
  %start = arith.muli %lane, %c8 : i32
  %wide = arith.extui %start : i32 to i64
  %step = arith.constant 256 : i64
  scf.for %at = %wide to %c512 step %step : i64 {
    %from = llvm.getelementptr %smem[%at] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f16
    %p = llvm.getelementptr %out[%at] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
    %v = llvm.load %from : !llvm.ptr<3> -> vector<8xf16>
    llvm.store %v, %p : vector<8xf16>, !llvm.ptr<1>
  }
  llvm.return
}

// Ones in the first 16 bytes of the stage, zeros elsewhere; row 1 of the array
// gets row 0 from column 2 on, and what leaves the array is dropped.
// STORE: argument 0: 0 0 {{(0 )*}}0 0 1 1 1 1
llvm.func @store(%map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant}, %x: i32, %y: i32)
    attributes {nvvm.kernel, fusion.shared_bytes = 1024 : i32} {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %one = arith.constant dense<1.0> : vector<8xf16>
  %zero = arith.constant dense<0.0> : vector<8xf16>
  %smem = llvm.mlir.addressof @smem : !llvm.ptr<3>
  %lane = nvvm.read.ptx.sreg.tid.x : i32
  %first = arith.cmpi eq, %lane, %c0 : i32
  %bytes = arith.muli %lane, %c32 : i32
  %at = llvm.getelementptr %smem[%bytes] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %next = llvm.getelementptr %at[16] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %v = arith.select %first, %one, %zero : vector<8xf16>
  llvm.store %v, %at : vector<8xf16>, !llvm.ptr<3>
  llvm.store %zero, %next : vector<8xf16>, !llvm.ptr<3>
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
  nvvm.barrier0
  scf.if %first {
    nvvm.cp.async.bulk.tensor.global.shared.cta %map, %smem, box[%x, %y] : !llvm.ptr, !llvm.ptr<3>
    nvvm.cp.async.bulk.commit.group
    nvvm.cp.async.bulk.wait_group 0 {read}
  }
  llvm.return
}

// PROXY: missing proxy fence: kernel 'store_no_fence', 'nvvm.cp.async.bulk.tensor.global.shared.cta', block (0, 0, 0), warp 0: shared offset 0 was written by 'llvm.store' of thread 0
llvm.func @store_no_fence(%map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant}, %x: i32, %y: i32)
    attributes {nvvm.kernel, fusion.shared_bytes = 1024 : i32} {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : vector<8xf16>
  %smem = llvm.mlir.addressof @smem : !llvm.ptr<3>
  %lane = nvvm.read.ptx.sreg.tid.x : i32
  %first = arith.cmpi eq, %lane, %c0 : i32
  %bytes = arith.muli %lane, %c32 : i32
  %at = llvm.getelementptr %smem[%bytes] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %next = llvm.getelementptr %at[16] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  llvm.store %zero, %at : vector<8xf16>, !llvm.ptr<3>
  llvm.store %zero, %next : vector<8xf16>, !llvm.ptr<3>
  nvvm.barrier0
  scf.if %first {
    nvvm.cp.async.bulk.tensor.global.shared.cta %map, %smem, box[%x, %y] : !llvm.ptr, !llvm.ptr<3>
    nvvm.cp.async.bulk.commit.group
    nvvm.cp.async.bulk.wait_group 0 {read}
  }
  llvm.return
}

// FLIGHT: bulk copy in flight: kernel 'store_no_wait', 'nvvm.cp.async.bulk.tensor.global.shared.cta', the block ended before its source was read
llvm.func @store_no_wait(%map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant}, %x: i32, %y: i32)
    attributes {nvvm.kernel, fusion.shared_bytes = 1024 : i32} {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : vector<8xf16>
  %smem = llvm.mlir.addressof @smem : !llvm.ptr<3>
  %lane = nvvm.read.ptx.sreg.tid.x : i32
  %first = arith.cmpi eq, %lane, %c0 : i32
  %bytes = arith.muli %lane, %c32 : i32
  %at = llvm.getelementptr %smem[%bytes] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %next = llvm.getelementptr %at[16] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  llvm.store %zero, %at : vector<8xf16>, !llvm.ptr<3>
  llvm.store %zero, %next : vector<8xf16>, !llvm.ptr<3>
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
  nvvm.barrier0
  scf.if %first {
    nvvm.cp.async.bulk.tensor.global.shared.cta %map, %smem, box[%x, %y] : !llvm.ptr, !llvm.ptr<3>
    nvvm.cp.async.bulk.commit.group
  }
  llvm.return
}

// The barrier expects more bytes than come.
// BYTES: deadlock: kernel 'load_no_bytes', 'nvvm.mbarrier.try_wait.parity', {{.*}}for parity 0 of the mbarrier at shared offset 1024, which is in phase 0 with 0 arrivals and 1 bytes missing
llvm.func @load_no_bytes(%map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant})
    attributes {nvvm.kernel, fusion.shared_bytes = 2048 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %bytes = arith.constant 1025 : i32
  %smem = llvm.mlir.addressof @smem : !llvm.ptr<3>
  %barrier = llvm.getelementptr %smem[1024] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %lane = nvvm.read.ptx.sreg.tid.x : i32
  %first = arith.cmpi eq, %lane, %c0 : i32
  scf.if %first {
    nvvm.mbarrier.init %barrier, %c1 : !llvm.ptr<3>, i32
    nvvm.fence.mbarrier.init
    nvvm.mbarrier.arrive.expect_tx %barrier, %bytes : !llvm.ptr<3>, i32
    %to = llvm.addrspacecast %smem : !llvm.ptr<3> to !llvm.ptr<7>
    nvvm.cp.async.bulk.tensor.shared.cluster.global %to, %map, %barrier, box[%c0, %c0] : !llvm.ptr<7>, !llvm.ptr
  }
  nvvm.barrier0
  nvvm.mbarrier.try_wait.parity %barrier, %c0, %bytes : !llvm.ptr<3>, i32, i32
  llvm.return
}

// A fresh barrier counts the phase of parity 1 as complete: that is no wait.
// RACE: read of unwritten memory: kernel 'load_no_wait', 'llvm.load'
// RACE: data race: kernel 'load_no_wait', 'nvvm.cp.async.bulk.tensor.shared.cluster.global', block (0, 0, 0), warp 0 writes shared offset 0, not ordered after 'llvm.load' of warp 0
llvm.func @load_no_wait(%map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant})
    attributes {nvvm.kernel, fusion.shared_bytes = 2048 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %bytes = arith.constant 1024 : i32
  %smem = llvm.mlir.addressof @smem : !llvm.ptr<3>
  %barrier = llvm.getelementptr %smem[1024] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %lane = nvvm.read.ptx.sreg.tid.x : i32
  %first = arith.cmpi eq, %lane, %c0 : i32
  scf.if %first {
    nvvm.mbarrier.init %barrier, %c1 : !llvm.ptr<3>, i32
    nvvm.fence.mbarrier.init
    nvvm.mbarrier.arrive.expect_tx %barrier, %bytes : !llvm.ptr<3>, i32
    %to = llvm.addrspacecast %smem : !llvm.ptr<3> to !llvm.ptr<7>
    nvvm.cp.async.bulk.tensor.shared.cluster.global %to, %map, %barrier, box[%c0, %c0] : !llvm.ptr<7>, !llvm.ptr
  }
  nvvm.barrier0
  nvvm.mbarrier.try_wait.parity %barrier, %c1, %bytes : !llvm.ptr<3>, i32, i32
  %v = llvm.load %smem : !llvm.ptr<3> -> i32
  nvvm.mbarrier.try_wait.parity %barrier, %c0, %bytes : !llvm.ptr<3>, i32, i32
  llvm.return
}
