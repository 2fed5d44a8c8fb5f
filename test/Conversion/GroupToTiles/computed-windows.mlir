// RUN: fusion-opt %s -split-input-file -fusion-group-to-tiles=target=sm_80 | FileCheck %s

// Elementwise code that makes what a convolution reads: its arrays are read in the
// windows, a factor for each channel at k / 9, and what pads is put around the result.
#id = affine_map<(n, c, h, w) -> (n, c, h, w)>
#channel = affine_map<(n, c, h, w) -> (c)>
#image = affine_map<(n, f, y, x, c, i, j) -> (n, c, y + i, x + j)>
#filter = affine_map<(n, f, y, x, c, i, j) -> (f, c, i, j)>
#result = affine_map<(n, f, y, x, c, i, j) -> (n, f, y, x)>

// CHECK-LABEL: gpu.func @padded(
// CHECK:         scf.for
// CHECK-DAG:       %[[X:.*]] = tile.load_window %arg0[{{.*}} checked [false, false, true, true] {{.*}} : memref<2x16x8x8xf32> ->
// CHECK-DAG:       %[[S:.*]] = tile.load_window %arg1[{{.*}} checked [false] {{.*}} parts [3] sizes [16, 3, 3] map #{{.*}} : memref<16xf32> ->
// CHECK:           %[[B:.*]] = tile.broadcast %[[S]]
// CHECK:           %[[P:.*]] = arith.addf %[[X]], %[[B]]
// CHECK:           %[[M:.*]] = tile.mask_window %[[P]][{{.*}} checked [false, false, true, true]
// CHECK:           tile.dot
func.func private @padded(%x: memref<2x16x8x8xf32>, %s: memref<16xf32>, %k: memref<24x16x3x3xf32>, %out: memref<2x24x8x8xf32>)
    attributes {fusion.group = "g", fusion.kinds = ["vertical"]} {
  %xt = bufferization.to_tensor %x restrict : memref<2x16x8x8xf32> to tensor<2x16x8x8xf32>
  %st = bufferization.to_tensor %s restrict : memref<16xf32> to tensor<16xf32>
  %kt = bufferization.to_tensor %k restrict : memref<24x16x3x3xf32> to tensor<24x16x3x3xf32>
  %e = tensor.empty() : tensor<2x16x8x8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #channel, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%xt, %st : tensor<2x16x8x8xf32>, tensor<16xf32>) outs(%e : tensor<2x16x8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.addf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<2x16x8x8xf32>
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant 0.0 : f32
  %pe = tensor.empty() : tensor<2x16x10x10xf32>
  %p = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%pe : tensor<2x16x10x10xf32>) {
  ^bb0(%o: f32):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %h0 = arith.subi %i2, %c1 : index
    %w0 = arith.subi %i3, %c1 : index
    %h1 = arith.cmpi ult, %h0, %c8 : index
    %w1 = arith.cmpi ult, %w0, %c8 : index
    %in = arith.andi %h1, %w1 : i1
    %r = scf.if %in -> (f32) {
      %g = tensor.extract %0[%i0, %i1, %h0, %w0] : tensor<2x16x8x8xf32>
      scf.yield %g : f32
    } else {
      scf.yield %z : f32
    }
    linalg.yield %r : f32
  } -> tensor<2x16x10x10xf32>
  %d = tensor.empty() : tensor<2x24x8x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%d : tensor<2x24x8x8xf32>) -> tensor<2x24x8x8xf32>
  %y = linalg.generic {indexing_maps = [#image, #filter, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%p, %kt : tensor<2x16x10x10xf32>, tensor<24x16x3x3xf32>) outs(%f : tensor<2x24x8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %2 = arith.mulf %a, %b : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<2x24x8x8xf32>
  bufferization.materialize_in_destination %y in restrict writable %out : (tensor<2x24x8x8xf32>, memref<2x24x8x8xf32>) -> ()
  return
}

// -----

// Blocks of 12 rows of k with a factor each: k is one dim, in steps that cross them.
// CHECK-LABEL: gpu.func @blocks(
// CHECK:         scf.for
// CHECK-DAG:       tile.load %arg1[{{.*}} : memref<60x40xf32>
// CHECK-DAG:       tile.load_window %arg2[{{.*}} parts [2, 1] sizes [5, 12, 40] map #{{.*}} : memref<5x40xf32>
// CHECK-NOT:       tile.mask_window
// CHECK:           tile.dot
func.func private @blocks(%x: memref<20x5x12xf32>, %w: memref<5x12x40xf32>, %s: memref<5x40xf32>, %out: memref<20x40xf32>)
    attributes {fusion.group = "g", fusion.kinds = ["vertical"]} {
  %xt = bufferization.to_tensor %x restrict : memref<20x5x12xf32> to tensor<20x5x12xf32>
  %wt = bufferization.to_tensor %w restrict : memref<5x12x40xf32> to tensor<5x12x40xf32>
  %st = bufferization.to_tensor %s restrict : memref<5x40xf32> to tensor<5x40xf32>
  %e = tensor.empty() : tensor<5x12x40xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(b, k, n) -> (b, k, n)>, affine_map<(b, k, n) -> (b, n)>, affine_map<(b, k, n) -> (b, k, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%wt, %st : tensor<5x12x40xf32>, tensor<5x40xf32>) outs(%e : tensor<5x12x40xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.mulf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<5x12x40xf32>
  %z = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<20x40xf32>
  %f = linalg.fill ins(%z : f32) outs(%d : tensor<20x40xf32>) -> tensor<20x40xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(m, n, b, k) -> (m, b, k)>, affine_map<(m, n, b, k) -> (b, k, n)>, affine_map<(m, n, b, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%xt, %0 : tensor<20x5x12xf32>, tensor<5x12x40xf32>) outs(%f : tensor<20x40xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %2 = arith.mulf %a, %b : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<20x40xf32>
  bufferization.materialize_in_destination %y in restrict writable %out : (tensor<20x40xf32>, memref<20x40xf32>) -> ()
  return
}
