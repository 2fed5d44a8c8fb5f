// cp.async: bytes move when their group is waited for, and belong to the lane
// that copied them until a barrier.
// RUN: fusion-emulate %s --kernel=copy --block=32 iota:128xf32 unwritten:128xf32 --print=1 --most=6 | FileCheck %s --check-prefix=COPY
// RUN: not fusion-emulate %s --kernel=no_wait --block=32 iota:128xf32 unwritten:128xf32 2>&1 | FileCheck %s --check-prefix=WAIT
// RUN: not fusion-emulate %s --kernel=no_barrier --block=32 iota:128xf32 unwritten:128xf32 2>&1 | FileCheck %s --check-prefix=LANES
// RUN: not fusion-emulate %s --kernel=copy --block=32 iota:120xf32 unwritten:128xf32 2>&1 | FileCheck %s --check-prefix=BOUNDS
// RUN: fusion-emulate %s --kernel=fill --block=32 iota:4xf32 unwritten:128xf32 --print=1 --most=6 | FileCheck %s --check-prefix=FILL

llvm.mlir.global external @smem() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>

// Each lane reads what its neighbour copied.
// COPY: argument 1: 4 5 6 7 0 1 ...
// BOUNDS: access out of bounds: kernel 'copy', 'nvvm.cp.async.shared.global', block (0, 0, 0), thread 30: 16 bytes at global address
llvm.func @copy(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel, fusion.shared_bytes = 512 : i32} {
  %all = arith.constant -1 : i32
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %smem = llvm.mlir.addressof @smem : !llvm.ptr<3>
  %lane = nvvm.read.ptx.sreg.tid.x : i32
  %mine = arith.muli %lane, %c16 : i32
  %next = arith.xori %lane, %c1 : i32
  %other = arith.muli %next, %c16 : i32
  %from = llvm.getelementptr %in[%mine] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i8
  %stage = llvm.getelementptr %smem[%mine] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %theirs = llvm.getelementptr %smem[%other] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %to = llvm.getelementptr %out[%mine] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i8
  nvvm.cp.async.shared.global %stage, %from, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
  nvvm.cp.async.commit.group
  nvvm.cp.async.wait.group 0
  nvvm.bar.warp.sync %all : i32
  %x = llvm.load %theirs : !llvm.ptr<3> -> vector<4xf32>
  llvm.store %x, %to : vector<4xf32>, !llvm.ptr<1>
  llvm.return
}

// WAIT: read of unwritten memory: kernel 'no_wait', 'llvm.load'
llvm.func @no_wait(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel, fusion.shared_bytes = 512 : i32} {
  %c16 = arith.constant 16 : i32
  %smem = llvm.mlir.addressof @smem : !llvm.ptr<3>
  %lane = nvvm.read.ptx.sreg.tid.x : i32
  %mine = arith.muli %lane, %c16 : i32
  %from = llvm.getelementptr %in[%mine] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i8
  %stage = llvm.getelementptr %smem[%mine] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  nvvm.cp.async.shared.global %stage, %from, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
  nvvm.cp.async.commit.group
  nvvm.cp.async.wait.group 1
  %x = llvm.load %stage : !llvm.ptr<3> -> vector<4xf32>
  nvvm.cp.async.wait.group 0
  llvm.return
}

// LANES: data race: kernel 'no_barrier', 'llvm.load', block (0, 0, 0), thread 0 reads shared offset 16, not ordered after 'nvvm.cp.async.shared.global' of thread 1
llvm.func @no_barrier(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel, fusion.shared_bytes = 512 : i32} {
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %smem = llvm.mlir.addressof @smem : !llvm.ptr<3>
  %lane = nvvm.read.ptx.sreg.tid.x : i32
  %mine = arith.muli %lane, %c16 : i32
  %next = arith.xori %lane, %c1 : i32
  %other = arith.muli %next, %c16 : i32
  %from = llvm.getelementptr %in[%mine] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i8
  %stage = llvm.getelementptr %smem[%mine] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %theirs = llvm.getelementptr %smem[%other] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  nvvm.cp.async.shared.global %stage, %from, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
  nvvm.cp.async.commit.group
  nvvm.cp.async.wait.group 0
  %x = llvm.load %theirs : !llvm.ptr<3> -> vector<4xf32>
  llvm.return
}

// Only lane 0 has something to read: others fill with zeros.
// FILL: argument 1: 0 1 2 3 0 0 ...
llvm.func @fill(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel, fusion.shared_bytes = 512 : i32} {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %smem = llvm.mlir.addressof @smem : !llvm.ptr<3>
  %lane = nvvm.read.ptx.sreg.tid.x : i32
  %mine = arith.muli %lane, %c16 : i32
  %first = arith.cmpi eq, %lane, %c0 : i32
  %bytes = arith.select %first, %c16, %c0 : i32
  %from = llvm.getelementptr %in[%mine] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i8
  %stage = llvm.getelementptr %smem[%mine] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %to = llvm.getelementptr %out[%mine] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i8
  nvvm.cp.async.shared.global %stage, %from, 16, cache = cg, %bytes : !llvm.ptr<3>, !llvm.ptr<1>, i32
  nvvm.cp.async.commit.group
  nvvm.cp.async.wait.group 0
  %x = llvm.load %stage : !llvm.ptr<3> -> vector<4xf32>
  llvm.store %x, %to : vector<4xf32>, !llvm.ptr<1>
  llvm.return
}
