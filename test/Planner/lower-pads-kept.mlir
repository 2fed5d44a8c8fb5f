// Paddings whose value is made with effects: as an elementwise op they would happen for
// each element, in any order.
//
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=sm_90a fuse=none}))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=sm_90a fuse=none}))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// A function that is called at each position of the border.
func.func private @border(index, index) -> f32

// CHECK-LABEL: func.func @call(
// CHECK:         tensor.pad
// CHECK:           call @border
// CHECK-NOT:     linalg.generic
func.func @call(%x: tensor<?x8xf32>) -> tensor<?x10xf32> {
  // expected-remark @below {{Reason="what it pads with is made with effects"}}
  %p = tensor.pad %x low[0, 2] high[0, 0] {
  ^bb0(%a: index, %b: index):
    %v = func.call @border(%a, %b) : (index, index) -> f32
    tensor.yield %v : f32
  } : tensor<?x8xf32> to tensor<?x10xf32>
  return %p : tensor<?x10xf32>
}

// -----

// Memory that others may write; the padding beside it is lowered.
// CHECK-LABEL: func.func @memory(
// CHECK:         tensor.pad
// CHECK:           memref.load
// CHECK:         fusion.group
// CHECK:           linalg.generic
func.func @memory(%x: tensor<3xi32>, %m: memref<8xi32>) -> (tensor<8xi32>, tensor<5xi32>) {
  %one = arith.constant 1 : i32
  // expected-remark @below {{Reason="what it pads with is made with effects"}}
  %p = tensor.pad %x low[4] high[1] {
  ^bb0(%i: index):
    %v = memref.load %m[%i] : memref<8xi32>
    tensor.yield %v : i32
  } : tensor<3xi32> to tensor<8xi32>
  %q = tensor.pad %x low[0] high[2] {
  ^bb0(%i: index):
    tensor.yield %one : i32
  } : tensor<3xi32> to tensor<5xi32>
  return %p, %q : tensor<8xi32>, tensor<5xi32>
}

// -----

// A constant, but each use of it is counted.
// CHECK-LABEL: func.func @counted(
// CHECK:         tensor.pad
// CHECK:           memref.atomic_rmw
// CHECK-NOT:     linalg.generic
func.func @counted(%x: tensor<4x?xf16>, %n: index, %count: memref<i32>) -> tensor<?x?xf16> {
  %one = arith.constant 1 : i32
  // expected-remark @below {{Reason="what it pads with is made with effects"}}
  %p = tensor.pad %x low[%n, 0] high[0, %n] {
  ^bb0(%i: index, %j: index):
    %old = memref.atomic_rmw addi %one, %count[] : (i32, memref<i32>) -> i32
    %v = arith.constant 0.0 : f16
    tensor.yield %v : f16
  } : tensor<4x?xf16> to tensor<?x?xf16>
  return %p : tensor<?x?xf16>
}
