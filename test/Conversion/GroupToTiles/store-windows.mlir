// Rows and columns of a product that other arrays have apart, or in part, are
// one dim of its tiles where their parts are short.

// RUN: fusion-opt %s -split-input-file -fusion-group-to-tiles=target=sm_80 -canonicalize -cse | FileCheck %s

// The factors as they lie; the residual, without the batch, and the result
// through maps. The batch is known at run time.
// CHECK-LABEL: gpu.func @heads(
// CHECK-SAME:    %[[X:.*]]: memref<?x31xf32>, %[[W:.*]]: memref<31x15xf32>, %[[R:.*]]: memref<3x7x5xf32>, %[[OUT:.*]]: memref<?x3x7x5xf32>)
// CHECK-DAG:     %[[COLUMNS:.*]] = arith.constant 15 : index
// CHECK-DAG:     %[[ROWS:.*]] = memref.dim %[[X]]
// CHECK:           tile.load %[[X]]
// CHECK:           tile.load %[[W]]
// CHECK:         %[[T:.*]] = tile.load_window %[[R]]{{.*}} along[%[[M:.*]], %[[N:.*]]] limits[%[[ROWS]], %[[COLUMNS]]] in_bounds [false, false] parts [2, 2] sizes [{{-?[0-9]+}}, 7, 3, 5] map #[[$MAP:.*]] :
// CHECK:         %[[S:.*]] = arith.addf %{{.*}}, %[[T]]
// CHECK:         tile.store_window %[[S]], %[[OUT]]{{.*}} along[%[[M]], %[[N]]] limits[%[[ROWS]], %[[COLUMNS]]] in_bounds [false, false] parts [2, 2] sizes [{{-?[0-9]+}}, 7, 3, 5]
func.func private @heads(%a: memref<?x7x31xf32>, %b: memref<31x3x5xf32>, %r: memref<3x7x5xf32>, %out: memref<?x3x7x5xf32>) attributes {fusion.group = "heads"} {
  %c0 = arith.constant 0 : index
  %x = bufferization.to_tensor %a restrict : memref<?x7x31xf32> to tensor<?x7x31xf32>
  %y = bufferization.to_tensor %b restrict : memref<31x3x5xf32> to tensor<31x3x5xf32>
  %z = bufferization.to_tensor %r restrict : memref<3x7x5xf32> to tensor<3x7x5xf32>
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x7x31xf32>
  %e = tensor.empty(%n) : tensor<?x7x3x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x7x3x5xf32>) -> tensor<?x7x3x5xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(b, s, h, d, k) -> (b, s, k)>, affine_map<(b, s, h, d, k) -> (k, h, d)>, affine_map<(b, s, h, d, k) -> (b, s, h, d)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<?x7x31xf32>, tensor<31x3x5xf32>) outs(%f : tensor<?x7x3x5xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %p = arith.mulf %i, %j : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<?x7x3x5xf32>
  %g = tensor.empty(%n) : tensor<?x3x7x5xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(b, h, s, d) -> (b, s, h, d)>, affine_map<(b, h, s, d) -> (h, s, d)>, affine_map<(b, h, s, d) -> (b, h, s, d)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%m, %z : tensor<?x7x3x5xf32>, tensor<3x7x5xf32>) outs(%g : tensor<?x3x7x5xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %q = arith.addf %i, %j : f32
    linalg.yield %q : f32
  } -> tensor<?x3x7x5xf32>
  bufferization.materialize_in_destination %t in restrict writable %out : (tensor<?x3x7x5xf32>, memref<?x3x7x5xf32>) -> ()
  return
}

// -----

// Tiles of parts that fill them: bulk copies and vectors store these.
// CHECK-LABEL: gpu.func @long(
// CHECK-NOT:     window
// CHECK:         tile.store %{{.*}} dims [-1, -1, 0, 1]
func.func private @long(%a: memref<2x64x32xf32>, %b: memref<32x3x32xf32>, %r: memref<3x64x32xf32>, %out: memref<2x3x64x32xf32>) attributes {fusion.group = "long"} {
  %c0 = arith.constant 0 : index
  %x = bufferization.to_tensor %a restrict : memref<2x64x32xf32> to tensor<2x64x32xf32>
  %y = bufferization.to_tensor %b restrict : memref<32x3x32xf32> to tensor<32x3x32xf32>
  %z = bufferization.to_tensor %r restrict : memref<3x64x32xf32> to tensor<3x64x32xf32>
  %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<2x64x3x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x64x3x32xf32>) -> tensor<2x64x3x32xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(b, s, h, d, k) -> (b, s, k)>, affine_map<(b, s, h, d, k) -> (k, h, d)>, affine_map<(b, s, h, d, k) -> (b, s, h, d)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<2x64x32xf32>, tensor<32x3x32xf32>) outs(%f : tensor<2x64x3x32xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %p = arith.mulf %i, %j : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<2x64x3x32xf32>
  %g = tensor.empty() : tensor<2x3x64x32xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(b, h, s, d) -> (b, s, h, d)>, affine_map<(b, h, s, d) -> (h, s, d)>, affine_map<(b, h, s, d) -> (b, h, s, d)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%m, %z : tensor<2x64x3x32xf32>, tensor<3x64x32xf32>) outs(%g : tensor<2x3x64x32xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %q = arith.addf %i, %j : f32
    linalg.yield %q : f32
  } -> tensor<2x3x64x32xf32>
  bufferization.materialize_in_destination %t in restrict writable %out : (tensor<2x3x64x32xf32>, memref<2x3x64x32xf32>) -> ()
  return
}
