// Loops whose lanes leave at different times, branches, values that change
// places in a loop.
// RUN: fusion-emulate %s --kernel=sums --block=8 unwritten:8xi64 --print=0 | FileCheck %s --check-prefix=SUMS
// RUN: fusion-emulate %s --kernel=collatz --block=8 unwritten:8xi32 --print=0 | FileCheck %s --check-prefix=COLLATZ
// RUN: fusion-emulate %s --kernel=fibonacci --block=8 unwritten:8xi32 --print=0 | FileCheck %s --check-prefix=FIBONACCI

// SUMS: argument 0: 0 0 1 3 106 110 115 121
llvm.func @sums(%out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c4 = arith.constant 4 : i64
  %c100 = arith.constant 100 : i64
  %thread = nvvm.read.ptx.sreg.tid.x : i32
  %n = arith.extui %thread : i32 to i64
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c0) -> (i64) : i64 {
    %next = arith.addi %s, %i : i64
    scf.yield %next : i64
  }
  %large = arith.cmpi uge, %n, %c4 : i64
  %result = scf.if %large -> (i64) {
    %more = arith.addi %sum, %c100 : i64
    scf.yield %more : i64
  } else {
    scf.yield %sum : i64
  }
  %to = llvm.getelementptr %out[%n] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i64
  llvm.store %result, %to : i64, !llvm.ptr<1>
  llvm.return
}

// Steps until 1 is reached, from 1 to 8.
// COLLATZ: argument 0: 0 1 7 2 5 8 16 3
llvm.func @collatz(%out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %thread = nvvm.read.ptx.sreg.tid.x : i32
  %start = arith.addi %thread, %c1 : i32
  %end:2 = scf.while (%x = %start, %steps = %c0) : (i32, i32) -> (i32, i32) {
    %more = arith.cmpi ne, %x, %c1 : i32
    scf.condition(%more) %x, %steps : i32, i32
  } do {
  ^bb0(%x: i32, %steps: i32):
    %low = arith.andi %x, %c1 : i32
    %odd = arith.cmpi eq, %low, %c1 : i32
    %half = arith.shrui %x, %c1 : i32
    %triple = arith.muli %x, %c3 : i32
    %up = arith.addi %triple, %c1 : i32
    %next = arith.select %odd, %up, %half : i32
    %step = arith.addi %steps, %c1 : i32
    scf.yield %next, %step : i32, i32
  }
  %to = llvm.getelementptr %out[%thread] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  llvm.store %end#1, %to : i32, !llvm.ptr<1>
  llvm.return
}

// The two carried values change places as if at once.
// FIBONACCI: argument 0: 0 1 1 2 3 5 8 13
llvm.func @fibonacci(%out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %thread = nvvm.read.ptx.sreg.tid.x : i32
  %f:2 = scf.for %i = %c0 to %thread step %c1 iter_args(%a = %c0, %b = %c1) -> (i32, i32) : i32 {
    %sum = arith.addi %a, %b : i32
    scf.yield %b, %sum : i32, i32
  }
  %to = llvm.getelementptr %out[%thread] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  llvm.store %f#0, %to : i32, !llvm.ptr<1>
  llvm.return
}
