// Linalg of other compilers whose inputs are scalars: constants, elements of
// tensors, arguments. (The planner crashed.)
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups))' | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(fusion-linalg-to-groups{target=sm_90a})' | FileCheck %s
// CHECK-LABEL: func.func @main(
// CHECK-COUNT-1: fusion.group
// CHECK-NOT:     fusion.group
// CHECK-LABEL: func.func private @argument(
// CHECK-COUNT-1: fusion.group
// CHECK-NOT:     fusion.group
//
// RUN: sed '/^func.func private/,$d' %s > %t.mlir
// RUN: fusion-run %t.mlir --verify | FileCheck %s --check-prefix=EXECUTED
// RUN: fusion-run %t.mlir --device=emulator --target=sm_80 --verify | FileCheck %s --check-prefix=EXECUTED
// RUN: fusion-run %t.mlir --device=emulator --target=sm_90a --verify | FileCheck %s --check-prefix=EXECUTED
// EXECUTED: verify: all {{[0-9]+}} results of groups agree
#id = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
func.func @main(%x: tensor<64xf32>, %s: tensor<f32>, %v: tensor<3xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %c1 = arith.constant 1 : index
  %two = arith.constant 2.0 : f32
  %s0 = tensor.extract %s[] : tensor<f32>
  %s1 = tensor.extract %v[%c1] : tensor<3xf32>
  %0 = linalg.generic {indexing_maps = [#id, #none, #none, #none, #id], iterator_types = ["parallel"]}
      ins(%x, %s0, %s1, %two : tensor<64xf32>, f32, f32, f32) outs(%e : tensor<64xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32, %k: f32, %o: f32):
    %1 = arith.mulf %p, %q : f32
    %2 = arith.addf %r, %1 : f32
    %3 = arith.addf %2, %k : f32
    linalg.yield %3 : f32
  } -> tensor<64xf32>
  %4 = linalg.exp ins(%0 : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  return %4 : tensor<64xf32>
}
func.func private @argument(%x: tensor<64xf32>, %s: f32) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %0 = linalg.generic {indexing_maps = [#id, #none, #id], iterator_types = ["parallel"]}
      ins(%x, %s : tensor<64xf32>, f32) outs(%e : tensor<64xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %1 = arith.mulf %p, %q : f32
    linalg.yield %1 : f32
  } -> tensor<64xf32>
  %2 = linalg.exp ins(%0 : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  return %2 : tensor<64xf32>
}
