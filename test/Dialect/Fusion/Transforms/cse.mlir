// Ops are one where all that they read is, in their regions too, be it only once
// what that follows from has become one.

// RUN: fusion-opt %s -fusion-cse | FileCheck %s

#map = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @joined(
// CHECK-SAME:    %[[A:.*]]: tensor<8xf32>, %[[B:.*]]: tensor<8xf32>)
// CHECK-NOT:     fusion.captures
// CHECK:         %[[X:.*]] = linalg.generic
// CHECK:           tensor.extract %[[A]]
// CHECK:         %[[Y:.*]] = linalg.generic
// CHECK:           tensor.extract %[[B]]
// CHECK:         %[[Z:.*]] = linalg.generic
// CHECK:           tensor.extract %[[X]]
// CHECK-NOT:     linalg.generic
// CHECK:         return %[[X]], %[[Y]], %[[X]], %[[Z]], %[[Z]]
func.func @joined(%a: tensor<8xf32>, %b: tensor<8xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %x = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%e : tensor<4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %v = tensor.extract %a[%i] : tensor<8xf32>
    linalg.yield %v : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%e : tensor<4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %v = tensor.extract %b[%i] : tensor<8xf32>
    linalg.yield %v : f32
  } -> tensor<4xf32>
  %x2 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%e : tensor<4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %v = tensor.extract %a[%i] : tensor<8xf32>
    linalg.yield %v : f32
  } -> tensor<4xf32>
  %z = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%e : tensor<4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %v = tensor.extract %x[%i] : tensor<4xf32>
    linalg.yield %v : f32
  } -> tensor<4xf32>
  %z2 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%e : tensor<4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %v = tensor.extract %x2[%i] : tensor<4xf32>
    linalg.yield %v : f32
  } -> tensor<4xf32>
  return %x, %y, %x2, %z, %z2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// What is nested reads values of its own op.
// CHECK-LABEL: func.func @nested(
// CHECK:         %[[X:.*]] = linalg.generic
// CHECK-NOT:     linalg.generic
// CHECK:         return %[[X]], %[[X]]
func.func @nested(%a: tensor<8xf32>) -> (tensor<9xf32>, tensor<9xf32>) {
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<9xf32>
  %x = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%e : tensor<9xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %inside = arith.cmpi ult, %i, %c8 : index
    %v = scf.if %inside -> (f32) {
      %w = tensor.extract %a[%i] : tensor<8xf32>
      scf.yield %w : f32
    } else {
      scf.yield %zero : f32
    }
    linalg.yield %v : f32
  } -> tensor<9xf32>
  %y = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%e : tensor<9xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %inside = arith.cmpi ult, %i, %c8 : index
    %v = scf.if %inside -> (f32) {
      %w = tensor.extract %a[%i] : tensor<8xf32>
      scf.yield %w : f32
    } else {
      scf.yield %zero : f32
    }
    linalg.yield %v : f32
  } -> tensor<9xf32>
  return %x, %y : tensor<9xf32>, tensor<9xf32>
}
