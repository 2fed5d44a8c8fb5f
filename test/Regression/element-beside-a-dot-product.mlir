// A dot product of matrices, as a scalar, is added to one element of a tensor: once the
// sum, run on the product's dims, forgot which element that is, and the compiler failed.
//
// RUN: fusion-opt %s -fusion-sink-reshapes | FileCheck %s --check-prefix=IR
// RUN: fusion-run %s --device=cpu --verify | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_90a --verify | FileCheck %s
// CHECK: verify: all {{[1-9].*}} agree

#none = affine_map<() -> ()>
#third = affine_map<() -> (3)>

// IR-DAG:   #[[$ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// IR-DAG:   #[[$THIRD:.*]] = affine_map<(d0, d1) -> (3)>
// IR-LABEL: func.func @main(
// IR:         %[[M:.*]] = linalg.matmul
// IR:         linalg.generic {indexing_maps = [#[[$ID]], #[[$THIRD]], #[[$ID]]], {{.*}} ins(%[[M]], %{{.*}} : tensor<1x1xf32>, tensor<8xf32>)
func.func @main(%x: tensor<1x16xf32> {fusion.name = "x"}, %w: tensor<16x1xf32> {fusion.name = "w"}, %y: tensor<8xf32> {fusion.name = "y"}) -> (tensor<f32> {fusion.name = "z"}) {
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<1x1xf32>
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<1x1xf32>) -> tensor<1x1xf32>
  %m = linalg.matmul ins(%x, %w : tensor<1x16xf32>, tensor<16x1xf32>) outs(%f : tensor<1x1xf32>) -> tensor<1x1xf32>
  %c = tensor.collapse_shape %m [] : tensor<1x1xf32> into tensor<f32>
  %r = linalg.generic {indexing_maps = [#none, #third, #none], iterator_types = []}
      ins(%c, %y : tensor<f32>, tensor<8xf32>) outs(%e : tensor<f32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.addf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}
