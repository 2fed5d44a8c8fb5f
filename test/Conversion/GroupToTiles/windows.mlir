// RUN: fusion-opt %s -split-input-file -fusion-group-to-tiles=target=sm_80 -canonicalize -cse | FileCheck %s

// A padded convolution: places become one dim of the tile, channels and window
// the other; the array that is padded is read itself, zero outside.
// CHECK:       #[[$MAP:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (0, d0, d1 + d3, d2 + d4)>
// CHECK-LABEL: gpu.func @conv(
// CHECK-SAME:    %[[X:.*]]: memref<?x8x10x12xf16>, %[[W:.*]]: memref<16x72xf16>, %[[OUT:.*]]: memref<?x16x120xf32>)
// CHECK-DAG:     %[[MINUS:.*]] = arith.constant -1 : index
// CHECK-DAG:     %[[H:.*]] = arith.constant 10 : index
// CHECK-DAG:     %[[WIDTH:.*]] = arith.constant 12 : index
// CHECK-DAG:     %[[PLACES:.*]] = arith.constant 120 : index
// CHECK-DAG:     %[[STEPS:.*]] = arith.constant 72 : index
// CHECK:         scf.for %[[K:.*]] = %{{.*}} to %[[STEPS]]
// CHECK-DAG:       %[[A:.*]] = tile.load %[[W]][%{{.*}}, %[[K]]] dims [0, 1]
// CHECK-DAG:       %[[B:.*]] = tile.load_window %[[X]][%{{.*}}, %{{.*}}, %[[MINUS]], %[[MINUS]]] extents[%{{.*}}, %{{.*}}, %[[H]], %[[WIDTH]]] checked [false, false, true, true] along[%[[K]], %{{.*}}] limits[%[[STEPS]], %[[PLACES]]] in_bounds [false, false] parts [3, 2] sizes [8, 3, 3, 10, 12] map #[[$MAP]]
// CHECK:           tile.dot %[[A]], %[[B]]
// CHECK:         arith.maximumf
// CHECK:         tile.store %{{.*}}, %[[OUT]]
func.func private @conv(%x: memref<?x8x10x12xf16>, %w: memref<16x8x3x3xf16>, %out: memref<?x16x10x12xf32>) attributes {fusion.group = "g"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %c12 = arith.constant 12 : index
  %zero = arith.constant 0.0 : f16
  %zero32 = arith.constant 0.0 : f32
  %xt = bufferization.to_tensor %x restrict : memref<?x8x10x12xf16> to tensor<?x8x10x12xf16>
  %wt = bufferization.to_tensor %w restrict : memref<16x8x3x3xf16> to tensor<16x8x3x3xf16>
  %n = tensor.dim %xt, %c0 : tensor<?x8x10x12xf16>
  %e = tensor.empty(%n) : tensor<?x8x12x14xf16>
  %p = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      outs(%e : tensor<?x8x12x14xf16>) {
  ^bb0(%o: f16):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %l = linalg.index 3 : index
    %h = arith.subi %k, %c1 : index
    %v = arith.subi %l, %c1 : index
    %in0 = arith.cmpi ult, %h, %c10 : index
    %in1 = arith.cmpi ult, %v, %c12 : index
    %in = arith.andi %in0, %in1 : i1
    %r = scf.if %in -> (f16) {
      %t = tensor.extract %xt[%i, %j, %h, %v] : tensor<?x8x10x12xf16>
      scf.yield %t : f16
    } else {
      scf.yield %zero : f16
    }
    linalg.yield %r : f16
  } -> tensor<?x8x12x14xf16>
  %d = tensor.empty(%n) : tensor<?x16x10x12xf32>
  %f = linalg.fill ins(%zero32 : f32) outs(%d : tensor<?x16x10x12xf32>) -> tensor<?x16x10x12xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(n, f, h, w, c, i, j) -> (n, c, h + i, w + j)>,
                                        affine_map<(n, f, h, w, c, i, j) -> (f, c, i, j)>,
                                        affine_map<(n, f, h, w, c, i, j) -> (n, f, h, w)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%p, %wt : tensor<?x8x12x14xf16>, tensor<16x8x3x3xf16>) outs(%f : tensor<?x16x10x12xf32>) {
  ^bb0(%a: f16, %b: f16, %o: f32):
    %aw = arith.extf %a : f16 to f32
    %bw = arith.extf %b : f16 to f32
    %m = arith.mulf %aw, %bw : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<?x16x10x12xf32>
  %z = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%y : tensor<?x16x10x12xf32>) outs(%d : tensor<?x16x10x12xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.maximumf %a, %zero32 : f32
    linalg.yield %m : f32
  } -> tensor<?x16x10x12xf32>
  bufferization.materialize_in_destination %z in restrict writable %out : (tensor<?x16x10x12xf32>, memref<?x16x10x12xf32>) -> ()
  return
}

// -----

// Padding that is not zero cannot be the fill of a copy: each thread sums for
// itself, and reads it as `other`.
// CHECK-LABEL: gpu.func @padded_by_one(
// CHECK-DAG:     %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NOT:     tile.dot
// CHECK:         scf.for
// CHECK:           tile.load_window {{.*}} other %[[ONE]]
func.func private @padded_by_one(%x: memref<2x3x8xf32>, %w: memref<4x3x3xf32>, %out: memref<2x4x8xf32>) attributes {fusion.group = "g"} {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %xt = bufferization.to_tensor %x restrict : memref<2x3x8xf32> to tensor<2x3x8xf32>
  %wt = bufferization.to_tensor %w restrict : memref<4x3x3xf32> to tensor<4x3x3xf32>
  %e = tensor.empty() : tensor<2x3x10xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(n, c, w) -> (n, c, w)>], iterator_types = ["parallel", "parallel", "parallel"]}
      outs(%e : tensor<2x3x10xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %h = arith.subi %k, %c1 : index
    %in = arith.cmpi ult, %h, %c8 : index
    %r = scf.if %in -> (f32) {
      %t = tensor.extract %xt[%i, %j, %h] : tensor<2x3x8xf32>
      scf.yield %t : f32
    } else {
      scf.yield %one : f32
    }
    linalg.yield %r : f32
  } -> tensor<2x3x10xf32>
  %d = tensor.empty() : tensor<2x4x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(n, f, w, c, i) -> (n, c, w + i)>, affine_map<(n, f, w, c, i) -> (f, c, i)>, affine_map<(n, f, w, c, i) -> (n, f, w)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%p, %wt : tensor<2x3x10xf32>, tensor<4x3x3xf32>) outs(%f : tensor<2x4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x4x8xf32>
  bufferization.materialize_in_destination %y in restrict writable %out : (tensor<2x4x8xf32>, memref<2x4x8xf32>) -> ()
  return
}
