// One op that sums rows and keeps something for each element is one op for each result,
// also where a branch computes that. (The kernel wrote that of the last element everywhere.)
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-adopt-linalg))' | FileCheck %s --check-prefix=ADOPTED
// ADOPTED-LABEL: func.func @main(
// ADOPTED:         iterator_types = ["parallel", "reduction"]
// ADOPTED-COUNT-2: iterator_types = ["parallel", "parallel"]
//
// RUN: fusion-run %s --verify | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_80 --verify | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_90a --verify | FileCheck %s
// CHECK: verify: all {{[0-9]+}} results of groups agree
func.func @main(%x: tensor<8x12xf32>, %h: tensor<8x12xf32>) -> (tensor<8xf32>, tensor<8x12xf32>, tensor<8x12xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %g = tensor.empty() : tensor<8x12xf32>
  %0:3 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>,
      affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x12xf32>) outs(%f, %g, %h : tensor<8xf32>, tensor<8x12xf32>, tensor<8x12xf32>) {
  ^bb0(%v: f32, %sum: f32, %o: f32, %old: f32):
    %1 = arith.mulf %v, %v : f32
    %2 = arith.addf %1, %sum : f32
    %3 = arith.cmpf ogt, %v, %old : f32
    %4 = scf.if %3 -> f32 {
      scf.yield %1 : f32
    } else {
      %5 = arith.negf %old : f32
      scf.yield %5 : f32
    }
    linalg.yield %2, %1, %4 : f32, f32, f32
  } -> (tensor<8xf32>, tensor<8x12xf32>, tensor<8x12xf32>)
  return %0#0, %0#1, %0#2 : tensor<8xf32>, tensor<8x12xf32>, tensor<8x12xf32>
}
