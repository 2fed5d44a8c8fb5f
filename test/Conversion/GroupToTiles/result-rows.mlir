// RUN: fusion-opt %s -split-input-file -fusion-group-to-tiles=target=sm_80 -canonicalize -cse | FileCheck %s

// The maximum of rows of ten columns, of which a tile has 64: what lies past the tenth
// is minus infinity. The rows' values are as good as any other tile afterwards.
// CHECK-LABEL: gpu.func @rows(
// CHECK-DAG:     %[[INF:.*]] = arith.constant 0xFF800000 : f32
// CHECK:         %[[ACC:.*]] = scf.for
// CHECK:         %[[IN:.*]] = tile.mask %[[ACC]], %[[INF]] offsets[%c0, %{{.*}}] sizes[%c32, %c10]
// CHECK:         %[[MAX:.*]] = tile.reduce %[[IN]] dim 1
// CHECK:           arith.maximumf
// CHECK:         %[[WIDE:.*]] = tile.broadcast %{{.*}} dims [0]
// CHECK:         %[[R:.*]] = arith.subf %[[ACC]], %[[WIDE]]
// CHECK:         tile.store %[[R]], %{{.*}} dims [0, 1] in_bounds [false, false]
func.func private @rows(%a: memref<100x40xf16>, %b: memref<40x10xf16>, %out: memref<100x10xf32>) attributes {fusion.group = "g"} {
  %at = bufferization.to_tensor %a restrict : memref<100x40xf16> to tensor<100x40xf16>
  %bt = bufferization.to_tensor %b restrict : memref<40x10xf16> to tensor<40x10xf16>
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<100x10xf32>
  %r = tensor.empty() : tensor<100xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<100x10xf32>) -> tensor<100x10xf32>
  %g = linalg.fill ins(%inf : f32) outs(%r : tensor<100xf32>) -> tensor<100xf32>
  %m = linalg.matmul ins(%at, %bt : tensor<100x40xf16>, tensor<40x10xf16>) outs(%f : tensor<100x10xf32>) -> tensor<100x10xf32>
  %x = linalg.reduce { arith.maximumf } ins(%m : tensor<100x10xf32>) outs(%g : tensor<100xf32>) dimensions = [1]
  %d = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%m, %x : tensor<100x10xf32>, tensor<100xf32>) outs(%e : tensor<100x10xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.subf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<100x10xf32>
  bufferization.materialize_in_destination %d in restrict writable %out : (tensor<100x10xf32>, memref<100x10xf32>) -> ()
  return
}

// -----

// Columns: a tile has all of the twenty rows, along which its own columns lie, so that
// warps have all that they add up.
// CHECK-LABEL: gpu.func @columns(
// CHECK:         %[[ACC:.*]] = scf.for
// CHECK:         %[[IN:.*]] = tile.mask %[[ACC]], %{{.*}} offsets[%c0, %{{.*}}] sizes[%c32, %c20]
// CHECK:         %[[SUM:.*]] = tile.reduce %[[IN]] dim 1
// CHECK:           arith.addf
// CHECK:         tile.store %{{.*}}, %{{.*}} dims [0] in_bounds [false] : tensor<{{.*}}xf32>, memref<1000xf32>
func.func private @columns(%a: memref<20x40xf32>, %b: memref<40x1000xf32>, %out: memref<1000xf32>) attributes {fusion.group = "g"} {
  %at = bufferization.to_tensor %a restrict : memref<20x40xf32> to tensor<20x40xf32>
  %bt = bufferization.to_tensor %b restrict : memref<40x1000xf32> to tensor<40x1000xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<20x1000xf32>
  %r = tensor.empty() : tensor<1000xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<20x1000xf32>) -> tensor<20x1000xf32>
  %g = linalg.fill ins(%zero : f32) outs(%r : tensor<1000xf32>) -> tensor<1000xf32>
  %m = linalg.matmul ins(%at, %bt : tensor<20x40xf32>, tensor<40x1000xf32>) outs(%f : tensor<20x1000xf32>) -> tensor<20x1000xf32>
  %x = linalg.reduce { arith.addf } ins(%m : tensor<20x1000xf32>) outs(%g : tensor<1000xf32>) dimensions = [0]
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<1000xf32>, memref<1000xf32>) -> ()
  return
}
