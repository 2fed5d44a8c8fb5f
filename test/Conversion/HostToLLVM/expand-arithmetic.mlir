// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-expand-arithmetic))' | FileCheck %s

// CHECK-LABEL: func.func @bf16(
func.func @bf16(%x: f32, %y: bf16) -> (bf16, f32) {
  // CHECK-NOT: arith.truncf
  // CHECK-NOT: arith.extf
  // CHECK: arith.bitcast %{{.*}} : i16 to bf16
  %0 = arith.truncf %x : f32 to bf16
  // CHECK: arith.bitcast %{{.*}} : i32 to f32
  %1 = arith.extf %y : bf16 to f32
  return %0, %1 : bf16, f32
}

// CHECK-LABEL: func.func @ceil_div(
func.func @ceil_div(%n: index, %m: index) -> index {
  // CHECK-NOT: arith.ceildivui
  // CHECK: arith.divui
  %0 = arith.ceildivui %n, %m : index
  return %0 : index
}

// max(-0, +0) is +0: comparisons cannot say that.
// CHECK-LABEL: func.func @extremes(
func.func @extremes(%x: f32, %y: f32) -> (f32, f32) {
  // CHECK: arith.maximumf
  %0 = arith.maximumf %x, %y : f32
  // CHECK: arith.minimumf
  %1 = arith.minimumf %x, %y : f32
  return %0, %1 : f32, f32
}
