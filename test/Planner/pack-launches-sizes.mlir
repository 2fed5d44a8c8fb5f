// What keeps groups apart for nothing is out of the way when launches are packed: sizes
// that are asked of another launch, a value that two results are, an array that is
// written in turn.

// RUN: fusion-opt %s -fusion-pack-launches -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @size(
// CHECK-SAME:    %[[X:.*]]: tensor<?xf32>, %[[Y:.*]]: tensor<8xf32>)
// CHECK:         %[[N:.*]] = tensor.dim %[[X]]
// CHECK:         fusion.group "exp | scale" kinds ["horizontal"] ins(%[[X]], %[[Y]], %[[N]] :
// CHECK-NOT:     fusion.group {{.*}}%[[N]]
func.func @size(%x: tensor<?xf32>, %y: tensor<8xf32>) -> (tensor<?xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %d = tensor.empty(%n) : tensor<?xf32>
  %e = tensor.empty() : tensor<8xf32>
  %r = fusion.group "exp" kinds [] ins(%x : tensor<?xf32>) outs(%d : tensor<?xf32>) {
  ^bb0(%x0: tensor<?xf32>, %d0: tensor<?xf32>):
    %0 = linalg.exp ins(%x0 : tensor<?xf32>) outs(%d0 : tensor<?xf32>) -> tensor<?xf32>
    fusion.yield %0 : tensor<?xf32>
  } : tensor<?xf32>
  %m = tensor.dim %r, %c0 : tensor<?xf32>
  %s = fusion.group "scale" kinds [] ins(%y, %m : tensor<8xf32>, index) outs(%e : tensor<8xf32>) {
  ^bb0(%y0: tensor<8xf32>, %m0: index, %e0: tensor<8xf32>):
    %0 = linalg.generic {
        indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
        ins(%y0 : tensor<8xf32>) outs(%e0 : tensor<8xf32>) {
    ^bb0(%a: f32, %o: f32):
      %k = arith.index_cast %m0 : index to i32
      %f = arith.sitofp %k : i32 to f32
      %p = arith.mulf %a, %f : f32
      linalg.yield %p : f32
    } -> tensor<8xf32>
    fusion.yield %0 : tensor<8xf32>
  } : tensor<8xf32>
  return %r, %s : tensor<?xf32>, tensor<8xf32>
}

// -----

// The copy and what else reads the value share a launch.
// CHECK-LABEL: func.func @copied(
// CHECK:         %[[R:.*]] = fusion.group "exp" kinds []
// CHECK:         fusion.group "abs | copy" kinds ["horizontal"] ins(%[[R]]
func.func @copied(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<2x4xf32>, tensor<8xf32>) {
  %d = tensor.empty() : tensor<8xf32>
  %r = fusion.group "exp" kinds [] ins(%x : tensor<8xf32>) outs(%d : tensor<8xf32>) {
  ^bb0(%x0: tensor<8xf32>, %d0: tensor<8xf32>):
    %0 = linalg.exp ins(%x0 : tensor<8xf32>) outs(%d0 : tensor<8xf32>) -> tensor<8xf32>
    fusion.yield %0 : tensor<8xf32>
  } : tensor<8xf32>
  %v = tensor.expand_shape %r [[0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
  %s = fusion.group "abs" kinds [] ins(%r : tensor<8xf32>) outs(%d : tensor<8xf32>) {
  ^bb0(%x0: tensor<8xf32>, %d0: tensor<8xf32>):
    %0 = linalg.abs ins(%x0 : tensor<8xf32>) outs(%d0 : tensor<8xf32>) -> tensor<8xf32>
    fusion.yield %0 : tensor<8xf32>
  } : tensor<8xf32>
  return %r, %v, %s : tensor<8xf32>, tensor<2x4xf32>, tensor<8xf32>
}
