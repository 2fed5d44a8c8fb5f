// RUN: fusion-opt %s --fusion-relax-divisions | FileCheck %s

// 1 / (1 + e^-x): the divisor is approximate already.
// CHECK-LABEL: func.func @sigmoid(
// CHECK:         %[[Q:.*]] = llvm.call_intrinsic "llvm.nvvm.div.full"(%{{.*}}, %{{.*}}) : (f32, f32) -> f32
// CHECK:         return %[[Q]]
func.func @sigmoid(%x: f32) -> f32 {
  %one = arith.constant 1.0 : f32
  %n = arith.negf %x : f32
  %e = math.exp %n : f32
  %d = arith.addf %e, %one : f32
  %q = arith.divf %one, %d : f32
  return %q : f32
}

// One inexact quotient within another: both.
// CHECK-LABEL: func.func @nested(
// CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.div.full"
// CHECK-NOT:     arith.divf
func.func @nested(%x: f32, %y: f32) -> f32 {
  %e = math.tanh %x : f32
  %q = arith.divf %e, %y : f32
  %r = arith.divf %y, %q : f32
  return %r : f32
}

// Exact values may be looked at closely later: floor(6 / 3) is 2.
// CHECK-LABEL: func.func @exact(
// CHECK:         arith.divf
// CHECK-NOT:     call_intrinsic
func.func @exact(%x: f32, %y: f32) -> f32 {
  %s = math.sqrt %x : f32
  %m = math.fma %s, %y, %x : f32
  %q = arith.divf %m, %y : f32
  %f = math.floor %q : f32
  return %f : f32
}

// PTX has it for f32 only.
// CHECK-LABEL: func.func @wide(
// CHECK:         arith.divf
// CHECK-NOT:     call_intrinsic
func.func @wide(%x: f64) -> f64 {
  %e = math.exp %x : f64
  %q = arith.divf %x, %e : f64
  return %q : f64
}

// Nothing is known of what comes out of a branch.
// CHECK-LABEL: func.func @branch(
// CHECK:         arith.divf
func.func @branch(%x: f32, %p: i1) -> f32 {
  %e = scf.if %p -> (f32) {
    %t = math.exp %x : f32
    scf.yield %t : f32
  } else {
    scf.yield %x : f32
  }
  %q = arith.divf %x, %e : f32
  return %q : f32
}
