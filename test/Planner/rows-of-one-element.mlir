// A softmax of rows of one element is one kernel, as any other: the loops of one
// iteration that elementwise ops have are not in the way of those of the reductions.
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups))' | FileCheck %s

#all = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func.func @softmax(
// CHECK:         fusion.group {{.*}} kinds ["vertical"]
// CHECK-NOT:     fusion.group
func.func @softmax(%x: tensor<1024x1xf32>) -> tensor<1024x1xf32> {
  %e = tensor.empty() : tensor<1024x1xf32>
  %r = tensor.empty() : tensor<1024xf32>
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %f0 = linalg.fill ins(%low : f32) outs(%r : tensor<1024xf32>) -> tensor<1024xf32>
  %0 = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<1024x1xf32>) outs(%f0 : tensor<1024xf32>) {
  ^bb0(%a: f32, %b: f32):
    %6 = arith.maximumf %a, %b : f32
    linalg.yield %6 : f32
  } -> tensor<1024xf32>
  %1 = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %0 : tensor<1024x1xf32>, tensor<1024xf32>) outs(%e : tensor<1024x1xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %6 = arith.subf %a, %b : f32
    linalg.yield %6 : f32
  } -> tensor<1024x1xf32>
  %2 = linalg.exp ins(%1 : tensor<1024x1xf32>) outs(%e : tensor<1024x1xf32>) -> tensor<1024x1xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%r : tensor<1024xf32>) -> tensor<1024xf32>
  %3 = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%2 : tensor<1024x1xf32>) outs(%f1 : tensor<1024xf32>) {
  ^bb0(%a: f32, %b: f32):
    %6 = arith.addf %a, %b : f32
    linalg.yield %6 : f32
  } -> tensor<1024xf32>
  %4 = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%2, %3 : tensor<1024x1xf32>, tensor<1024xf32>) outs(%e : tensor<1024x1xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %6 = arith.divf %a, %b : f32
    linalg.yield %6 : f32
  } -> tensor<1024x1xf32>
  return %4 : tensor<1024x1xf32>
}
