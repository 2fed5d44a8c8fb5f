// RUN: fusion-opt %s -fusion-verify-ptx-legal | FileCheck %s

// Changes nothing.

// CHECK-LABEL: llvm.func @legal(
// CHECK:         math.fma
// CHECK:         arith.maximumf
// CHECK:         nvvm.barrier0
llvm.func @callee(%x: f32) -> f32 {
  llvm.return %x : f32
}
llvm.func @legal(%x: f32, %d: f64, %h: f16, %b: vector<2xbf16>, %i: i64) {
  %0 = math.fma %x, %x, %x : f32
  %1 = arith.maximumf %h, %h : f16
  %2 = arith.addf %b, %b : vector<2xbf16>
  %3 = math.sqrt %d : f64
  %4 = arith.divsi %i, %i : i64
  %5 = llvm.call @callee(%x) : (f32) -> f32
  %6 = math.copysign %h, %h : f16
  nvvm.barrier0
  llvm.return
}
