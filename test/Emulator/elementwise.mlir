// Loads, arithmetic and stores of single threads, and what is checked there.
// RUN: fusion-emulate %s --kernel=scale --grid=2 --block=32 iota:64xf32 unwritten:64xf32 i64:64 --print=1 --most=4 --counters | FileCheck %s --check-prefix=SCALE
// RUN: fusion-emulate %s --kernel=scale --grid=2 --block=32 --seed=5 iota:40xf32 unwritten:40xf32 i64:40 --print=1 --most=64 | FileCheck %s --check-prefix=TAIL
// RUN: not fusion-emulate %s --kernel=scale --grid=2 --block=32 iota:40xf32 unwritten:40xf32 i64:41 2>&1 | FileCheck %s --check-prefix=BOUNDS
// RUN: not fusion-emulate %s --kernel=scale --grid=1 --block=32 unwritten:40xf32 unwritten:40xf32 i64:40 2>&1 | FileCheck %s --check-prefix=UNWRITTEN
// RUN: not fusion-emulate %s --kernel=wide --block=32 iota:40xf32 i64:3 2>&1 | FileCheck %s --check-prefix=ALIGN
// RUN: not fusion-emulate %s --kernel=scale --grid=1 --block=64 iota:64xf32 unwritten:64xf32 i64:64 2>&1 | FileCheck %s --check-prefix=BLOCK

// SCALE: argument 1: 0.5 2.5 4.5 6.5 ...
// SCALE-NEXT: thread instructions: {{[1-9]}}
// SCALE-NEXT: warp instructions: integer {{[1-9][0-9]*}} float 4
// SCALE-NEXT: global bytes: read 256 written 256
// SCALE: global requests: 4 sectors 16
// TAIL: argument 1: 0.5 2.5 {{.*}} 78.5{{$}}
// BOUNDS: access out of bounds: kernel 'scale', 'llvm.load', block (1, 0, 0), thread 8: 4 bytes at global address 0x{{[0-9A-F]+}}, offset 160 of an array of 160 bytes
// UNWRITTEN: read of unwritten memory: kernel 'scale', 'llvm.load', block (0, 0, 0), thread 0
// UNWRITTEN-SAME: [32 times]
// ALIGN: misaligned access: kernel 'wide', 'llvm.load', {{.*}}thread 0: expected a global address aligned to 16 bytes
// BLOCK: launch: {{.*}}expected a block of 1 to 32 threads, but got 64
llvm.func @scale(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>, %n: i64)
    attributes {nvvm.kernel, nvvm.maxntid = array<i32: 32, 1, 1>} {
  %two = arith.constant 2.0 : f32
  %half = arith.constant 0.5 : f32
  %thread = nvvm.read.ptx.sreg.tid.x : i32
  %size = nvvm.read.ptx.sreg.ntid.x : i32
  %block = nvvm.read.ptx.sreg.ctaid.x : i32
  %first = arith.muli %block, %size : i32
  %index = arith.addi %first, %thread : i32
  %wide = arith.extui %index : i32 to i64
  %inside = arith.cmpi ult, %wide, %n : i64
  scf.if %inside {
    %from = llvm.getelementptr %in[%wide] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %to = llvm.getelementptr %out[%wide] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %x = llvm.load %from : !llvm.ptr<1> -> f32
    %twice = arith.mulf %x, %two : f32
    %y = arith.addf %twice, %half : f32
    llvm.store %y, %to : f32, !llvm.ptr<1>
  }
  llvm.return
}

llvm.func @wide(%in: !llvm.ptr<1>, %offset: i64) attributes {nvvm.kernel} {
  %from = llvm.getelementptr %in[%offset] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %x = llvm.load %from : !llvm.ptr<1> -> vector<4xf32>
  llvm.return
}
