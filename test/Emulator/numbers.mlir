// Comparisons with NaN, conversions, divisions: where ISAs differ.
// RUN: fusion-emulate %s --kernel=compare --block=3 unwritten:3x8xi32 --print=0 --most=24 | FileCheck %s --check-prefix=COMPARE
// RUN: fusion-emulate %s --kernel=convert --block=1 unwritten:8xi32 --print=0 | FileCheck %s --check-prefix=CONVERT
// RUN: fusion-emulate %s --kernel=divide --block=1 unwritten:8xi32 --print=0 | FileCheck %s --check-prefix=DIVIDE
// RUN: fusion-emulate %s --kernel=extremes --block=1 unwritten:4xf32 --print=0 | FileCheck %s --check-prefix=EXTREMES

// Lanes compare 1, 2 and NaN with 2: oeq, olt, ord, ueq, ult, une, uno, one.
// COMPARE: argument 0: 0 1 1 0 1 1 0 1 1 0 1 1 0 0 0 0 0 0 0 1 1 1 1 0
llvm.func @compare(%out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c8 = arith.constant 8 : i32
  %two = arith.constant 2.0 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %lane = nvvm.read.ptx.sreg.tid.x : i32
  %next = arith.addi %lane, %c1 : i32
  %number = arith.sitofp %next : i32 to f32
  %isLast = arith.cmpi eq, %lane, %c2 : i32
  %x = arith.select %isLast, %nan, %number : f32
  %0 = arith.cmpf oeq, %x, %two : f32
  %1 = arith.cmpf olt, %x, %two : f32
  %2 = arith.cmpf ord, %x, %two : f32
  %3 = arith.cmpf ueq, %x, %two : f32
  %4 = arith.cmpf ult, %x, %two : f32
  %5 = arith.cmpf une, %x, %two : f32
  %6 = arith.cmpf uno, %x, %two : f32
  %7 = arith.cmpf one, %x, %two : f32
  %e0 = arith.extui %0 : i1 to i32
  %e1 = arith.extui %1 : i1 to i32
  %e2 = arith.extui %2 : i1 to i32
  %e3 = arith.extui %3 : i1 to i32
  %e4 = arith.extui %4 : i1 to i32
  %e5 = arith.extui %5 : i1 to i32
  %e6 = arith.extui %6 : i1 to i32
  %e7 = arith.extui %7 : i1 to i32
  %row = arith.muli %lane, %c8 : i32
  %to = llvm.getelementptr %out[%row] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  %low = vector.from_elements %e0, %e1, %e2, %e3 : vector<4xi32>
  %high = vector.from_elements %e4, %e5, %e6, %e7 : vector<4xi32>
  %rest = llvm.getelementptr %to[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %low, %to : vector<4xi32>, !llvm.ptr<1>
  llvm.store %high, %rest : vector<4xi32>, !llvm.ptr<1>
  llvm.return
}

// Out of range saturates, NaN is 0, i8 wraps and extends with its sign.
// CONVERT: argument 0: 2147483647 -2147483648 0 -1 -56 200 1 16777216
llvm.func @convert(%out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %large = arith.constant 1.0e+10 : f32
  %small = arith.constant -1.0e+10 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %minus = arith.constant -1.75 : f32
  %c200 = arith.constant 200 : i32
  %c16777217 = arith.constant 16777217 : i32
  %half = arith.constant 1.0009 : f16
  %0 = arith.fptosi %large : f32 to i32
  %1 = arith.fptosi %small : f32 to i32
  %2 = arith.fptosi %nan : f32 to i32
  %3 = arith.fptosi %minus : f32 to i32
  %byte = arith.trunci %c200 : i32 to i8
  %4 = arith.extsi %byte : i8 to i32
  %5 = arith.extui %byte : i8 to i32
  %6 = arith.fptosi %half : f16 to i32
  %rounded = arith.sitofp %c16777217 : i32 to f32
  %7 = arith.fptosi %rounded : f32 to i32
  %low = vector.from_elements %0, %1, %2, %3 : vector<4xi32>
  %high = vector.from_elements %4, %5, %6, %7 : vector<4xi32>
  %rest = llvm.getelementptr %out[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %low, %out : vector<4xi32>, !llvm.ptr<1>
  llvm.store %high, %rest : vector<4xi32>, !llvm.ptr<1>
  llvm.return
}

// -7 / 2: toward zero, floor, ceiling; remainders; shifts by the width.
// DIVIDE: argument 0: -3 -4 -3 -1 2147483644 0 -1 4
llvm.func @divide(%out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %a = arith.constant -7 : i32
  %b = arith.constant 2 : i32
  %c32 = arith.constant 32 : i32
  %seven = arith.constant 7 : i32
  %0 = arith.divsi %a, %b : i32
  %1 = arith.floordivsi %a, %b : i32
  %2 = arith.ceildivsi %a, %b : i32
  %3 = arith.remsi %a, %b : i32
  %4 = arith.divui %a, %b : i32
  %5 = arith.shli %a, %c32 : i32
  %6 = arith.shrsi %a, %c32 : i32
  %7 = arith.ceildivui %seven, %b : i32
  %low = vector.from_elements %0, %1, %2, %3 : vector<4xi32>
  %high = vector.from_elements %4, %5, %6, %7 : vector<4xi32>
  %rest = llvm.getelementptr %out[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %low, %out : vector<4xi32>, !llvm.ptr<1>
  llvm.store %high, %rest : vector<4xi32>, !llvm.ptr<1>
  llvm.return
}

// NaN wins in maximumf, loses in maxnumf; -0 is below 0.
// EXTREMES: argument 0: nan 1 0 -0
llvm.func @extremes(%out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %one = arith.constant 1.0 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %zero = arith.constant 0.0 : f32
  %minus = arith.constant -0.0 : f32
  %0 = arith.maximumf %one, %nan : f32
  %1 = arith.maxnumf %one, %nan : f32
  %2 = arith.maximumf %minus, %zero : f32
  %3 = arith.minimumf %zero, %minus : f32
  %all = vector.from_elements %0, %1, %2, %3 : vector<4xf32>
  llvm.store %all, %out : vector<4xf32>, !llvm.ptr<1>
  llvm.return
}
