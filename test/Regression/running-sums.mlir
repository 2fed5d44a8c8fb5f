// What a sum has at each step is no result of loops in any order: refused on a GPU,
// with the reason. (The kernel wrote the whole sum everywhere.)
// RUN: not fusion-compile %s --target=sm_80 --emit=ptx 2>&1 | FileCheck %s
// CHECK: error: 'linalg.generic' op expected results that no reduced loop indexes, but got loop 1 in affine_map<(d0, d1) -> (d0, d1)>
// RUN: fusion-compile %s --target=sm_80 --emit=groups --remarks -o %t.mlir 2>&1 | FileCheck %s --check-prefix=KEPT
// KEPT: [Missed] AdoptLinalg {{.*}}Reason="a result along a reduced loop is what another one has on the way"
func.func @main(%x: tensor<8x12xf32>) -> (tensor<8xf32>, tensor<8x12xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %g = tensor.empty() : tensor<8x12xf32>
  %0:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x12xf32>) outs(%f, %g : tensor<8xf32>, tensor<8x12xf32>) {
  ^bb0(%v: f32, %sum: f32, %o: f32):
    %1 = arith.addf %v, %sum : f32
    linalg.yield %1, %1 : f32, f32
  } -> (tensor<8xf32>, tensor<8x12xf32>)
  return %0#0, %0#1 : tensor<8xf32>, tensor<8x12xf32>
}
