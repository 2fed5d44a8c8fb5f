// Threads that talk through shared memory: ordered, and not.
// RUN: fusion-emulate %s --kernel=reverse --block=64 iota:64xf32 unwritten:64xf32 --print=1 --most=4 | FileCheck %s --check-prefix=REVERSE
// RUN: fusion-emulate %s --kernel=reverse --block=64 --seed=3 iota:64xf32 unwritten:64xf32 --print=1 --most=4 | FileCheck %s --check-prefix=REVERSE
// RUN: not fusion-emulate %s --kernel=no_barrier --block=64 iota:64xf32 unwritten:64xf32 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not fusion-emulate %s --kernel=no_warp_barrier --block=32 iota:64xf32 unwritten:64xf32 2>&1 | FileCheck %s --check-prefix=LANES
// RUN: fusion-emulate %s --kernel=warp_barrier --block=32 iota:64xf32 unwritten:64xf32 --print=1 --most=4 | FileCheck %s --check-prefix=WARP
// RUN: not fusion-emulate %s --kernel=overwrite --block=64 iota:64xf32 unwritten:64xf32 2>&1 | FileCheck %s --check-prefix=OVERWRITE
// RUN: not fusion-emulate %s --kernel=divergent --block=64 2>&1 | FileCheck %s --check-prefix=DIVERGENT
// RUN: not fusion-emulate %s --kernel=half_barrier --block=64 2>&1 | FileCheck %s --check-prefix=DEADLOCK
// RUN: not fusion-emulate %s --kernel=unwritten --block=32 2>&1 | FileCheck %s --check-prefix=UNWRITTEN
// RUN: fusion-emulate %s --kernel=halves --block=32 unwritten:32xi32 --print=0 --most=2 | FileCheck %s --check-prefix=HALVES
// RUN: fusion-emulate %s --kernel=conflicts --block=32 --counters | FileCheck %s --check-prefix=CONFLICTS
// RUN: not fusion-emulate %s --kernel=same_address --grid=2 --block=32 unwritten:4xf32 2>&1 | FileCheck %s --check-prefix=GLOBAL

llvm.mlir.global external @smem() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>

// REVERSE: argument 1: 63 62 61 60 ...
llvm.func @reverse(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>)
    attributes {nvvm.kernel, fusion.shared_bytes = 256 : i32} {
  %last = arith.constant 63 : i32
  %smem = llvm.mlir.addressof @smem : !llvm.ptr<3>
  %thread = nvvm.read.ptx.sreg.tid.x : i32
  %from = llvm.getelementptr %in[%thread] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  %to = llvm.getelementptr %out[%thread] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  %mine = llvm.getelementptr %smem[%thread] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
  %other = arith.subi %last, %thread : i32
  %theirs = llvm.getelementptr %smem[%other] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
  %x = llvm.load %from : !llvm.ptr<1> -> f32
  llvm.store %x, %mine : f32, !llvm.ptr<3>
  nvvm.barrier0
  %y = llvm.load %theirs : !llvm.ptr<3> -> f32
  llvm.store %y, %to : f32, !llvm.ptr<1>
  llvm.return
}

// RACE: {{data race|read of unwritten memory}}: kernel 'no_barrier', 'llvm.load', block (0, 0, 0), thread
llvm.func @no_barrier(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>)
    attributes {nvvm.kernel, fusion.shared_bytes = 256 : i32} {
  %last = arith.constant 63 : i32
  %smem = llvm.mlir.addressof @smem : !llvm.ptr<3>
  %thread = nvvm.read.ptx.sreg.tid.x : i32
  %from = llvm.getelementptr %in[%thread] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  %mine = llvm.getelementptr %smem[%thread] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
  %other = arith.subi %last, %thread : i32
  %theirs = llvm.getelementptr %smem[%other] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
  %x = llvm.load %from : !llvm.ptr<1> -> f32
  llvm.store %x, %mine : f32, !llvm.ptr<3>
  %y = llvm.load %theirs : !llvm.ptr<3> -> f32
  llvm.return
}

// LANES: data race: kernel 'no_warp_barrier', 'llvm.load', block (0, 0, 0), thread {{[0-9]+}} reads shared offset {{[0-9]+}}, not ordered after 'llvm.store' of thread
llvm.func @no_warp_barrier(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>)
    attributes {nvvm.kernel, fusion.shared_bytes = 256 : i32} {
  %last = arith.constant 31 : i32
  %smem = llvm.mlir.addressof @smem : !llvm.ptr<3>
  %thread = nvvm.read.ptx.sreg.tid.x : i32
  %mine = llvm.getelementptr %smem[%thread] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  %other = arith.subi %last, %thread : i32
  %theirs = llvm.getelementptr %smem[%other] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  llvm.store %thread, %mine : i32, !llvm.ptr<3>
  %y = llvm.load %theirs : !llvm.ptr<3> -> i32
  llvm.return
}

// WARP: argument 1: 31 30 29 28 ...
llvm.func @warp_barrier(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>)
    attributes {nvvm.kernel, fusion.shared_bytes = 256 : i32} {
  %last = arith.constant 31 : i32
  %all = arith.constant -1 : i32
  %smem = llvm.mlir.addressof @smem : !llvm.ptr<3>
  %thread = nvvm.read.ptx.sreg.tid.x : i32
  %to = llvm.getelementptr %out[%thread] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  %mine = llvm.getelementptr %smem[%thread] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
  %other = arith.subi %last, %thread : i32
  %theirs = llvm.getelementptr %smem[%other] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
  %x = arith.sitofp %thread : i32 to f32
  llvm.store %x, %mine : f32, !llvm.ptr<3>
  nvvm.bar.warp.sync %all : i32
  %y = llvm.load %theirs : !llvm.ptr<3> -> f32
  llvm.store %y, %to : f32, !llvm.ptr<1>
  llvm.return
}

// The second store may come before another warp has read.
// OVERWRITE: data race: kernel 'overwrite', 'llvm.store', block (0, 0, 0), thread {{[0-9]+}} writes shared offset {{[0-9]+}}, not ordered after 'llvm.load' of thread
llvm.func @overwrite(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>)
    attributes {nvvm.kernel, fusion.shared_bytes = 256 : i32} {
  %last = arith.constant 63 : i32
  %smem = llvm.mlir.addressof @smem : !llvm.ptr<3>
  %thread = nvvm.read.ptx.sreg.tid.x : i32
  %mine = llvm.getelementptr %smem[%thread] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  %other = arith.subi %last, %thread : i32
  %theirs = llvm.getelementptr %smem[%other] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  llvm.store %thread, %mine : i32, !llvm.ptr<3>
  nvvm.barrier0
  %y = llvm.load %theirs : !llvm.ptr<3> -> i32
  llvm.store %y, %mine : i32, !llvm.ptr<3>
  llvm.return
}

// DIVERGENT: divergent warp-synchronous op: kernel 'divergent', 'nvvm.barrier0', block (0, 0, 0), thread 0: expected all lanes of the warp, but only 0xFFFF are here
llvm.func @divergent() attributes {nvvm.kernel} {
  %c16 = arith.constant 16 : i32
  %thread = nvvm.read.ptx.sreg.tid.x : i32
  %low = arith.cmpi ult, %thread, %c16 : i32
  scf.if %low {
    nvvm.barrier0
  }
  llvm.return
}

// DEADLOCK: deadlock: kernel 'half_barrier', 'nvvm.barrier0', block (0, 0, 0): warp 0 at 'nvvm.barrier0' waits at barrier 0, where 32 of 64 threads are ({{.*}}); warp 1 has ended
llvm.func @half_barrier() attributes {nvvm.kernel} {
  %c32 = arith.constant 32 : i32
  %thread = nvvm.read.ptx.sreg.tid.x : i32
  %low = arith.cmpi ult, %thread, %c32 : i32
  scf.if %low {
    nvvm.barrier0
  }
  llvm.return
}

// UNWRITTEN: read of unwritten memory: kernel 'unwritten', 'llvm.load', block (0, 0, 0), thread 0: shared offset 0
llvm.func @unwritten() attributes {nvvm.kernel, fusion.shared_bytes = 256 : i32} {
  %smem = llvm.mlir.addressof @smem : !llvm.ptr<3>
  %y = llvm.load %smem : !llvm.ptr<3> -> i32
  llvm.return
}

// Two threads may write the halves of one word.
// HALVES: argument 0: 65536 196610 ...
llvm.func @halves(%out: !llvm.ptr<1>) attributes {nvvm.kernel, fusion.shared_bytes = 256 : i32} {
  %all = arith.constant -1 : i32
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %smem = llvm.mlir.addressof @smem : !llvm.ptr<3>
  %thread = nvvm.read.ptx.sreg.tid.x : i32
  %mine = llvm.getelementptr %smem[%thread] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i16
  %x = arith.trunci %thread : i32 to i16
  llvm.store %x, %mine : i16, !llvm.ptr<3>
  nvvm.bar.warp.sync %all : i32
  %low = arith.cmpi ult, %thread, %c16 : i32
  scf.if %low {
    %pair = llvm.getelementptr %smem[%thread] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %y = llvm.load %pair : !llvm.ptr<3> -> i32
    %to = llvm.getelementptr %out[%thread] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %y, %to : i32, !llvm.ptr<1>
  }
  llvm.return
}

// All lanes store to one bank.
// CONFLICTS: shared passes: 32 bank conflicts 31
llvm.func @conflicts() attributes {nvvm.kernel, fusion.shared_bytes = 4096 : i32} {
  %c32 = arith.constant 32 : i32
  %smem = llvm.mlir.addressof @smem : !llvm.ptr<3>
  %thread = nvvm.read.ptx.sreg.tid.x : i32
  %index = arith.muli %thread, %c32 : i32
  %mine = llvm.getelementptr %smem[%index] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  llvm.store %thread, %mine : i32, !llvm.ptr<3>
  llvm.return
}

// GLOBAL: data race: kernel 'same_address', 'llvm.store', block (1, 0, 0), thread 0 writes global address {{.*}}, not ordered after 'llvm.store' of thread 0 in block 0
llvm.func @same_address(%out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %c0 = arith.constant 0 : i32
  %one = arith.constant 1.0 : f32
  %thread = nvvm.read.ptx.sreg.tid.x : i32
  %first = arith.cmpi eq, %thread, %c0 : i32
  scf.if %first {
    llvm.store %one, %out : f32, !llvm.ptr<1>
  }
  llvm.return
}
