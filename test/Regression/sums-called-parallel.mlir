// Sums along loops that are called parallel are sums. (Threads of a GPU each had one
// element in hand, and the last one was kept.)
// RUN: fusion-run %s --verify | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_80 --verify | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_90a --verify | FileCheck %s
// CHECK: verify: all {{[0-9]+}} results of groups agree
#all = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @main(%x: tensor<4x8xf32>, %d: tensor<4xf32>, %k: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>, tensor<4x8xf32>) {
  %e = tensor.empty() : tensor<4x8xf32>
  %0:3 = linalg.generic {indexing_maps = [#all, #row, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xf32>) outs(%d, %k, %e : tensor<4xf32>, tensor<4xi32>, tensor<4x8xf32>) {
  ^bb0(%a: f32, %s: f32, %n: i32, %o: f32):
    %1 = arith.addf %s, %a : f32
    %2 = arith.fptosi %a : f32 to i32
    %3 = arith.addi %n, %2 : i32
    %4 = arith.negf %a : f32
    linalg.yield %1, %3, %4 : f32, i32, f32
  } -> (tensor<4xf32>, tensor<4xi32>, tensor<4x8xf32>)
  return %0#0, %0#1, %0#2 : tensor<4xf32>, tensor<4xi32>, tensor<4x8xf32>
}
