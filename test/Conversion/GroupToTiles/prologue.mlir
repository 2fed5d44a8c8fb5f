// RUN: fusion-opt %s -split-input-file -fusion-group-to-tiles=target=sm_80 | FileCheck %s

// Operands that are computed in the loop over k. Only k is cut off by the step:
// what would be computed past its end is 0, whatever the code makes of a 0.
#id = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>

// CHECK-LABEL: gpu.func @dequantize(
// CHECK-SAME:    kind = "mma"
// CHECK:         scf.for %[[K:.*]] = {{.*}} iter_args(%[[ACC:.*]] = %{{.*}}) -> (tensor<32x64xf32>)
// CHECK-DAG:       %[[W:.*]] = tile.load %arg1[%[[K]], %{{.*}}] dims [0, 1] in_bounds [false, false] : memref<72x80xi8> -> tensor<32x64xi8>
// CHECK-DAG:       %[[S:.*]] = tile.load %arg2[%{{.*}}] dims [0] in_bounds [false] : memref<80xf16> -> tensor<64xf16>
// CHECK:           %[[B:.*]] = tile.broadcast %[[S]] dims [1] : tensor<64xf16> -> tensor<32x64xf16>
// CHECK:           %[[F:.*]] = arith.sitofp %[[W]] : tensor<32x64xi8> to tensor<32x64xf32>
// CHECK:           %[[P:.*]] = arith.addf %[[F]], %{{.*}} : tensor<32x64xf32>
// Whoever multiplies the value sees it rounded.
// CHECK:           %[[R:.*]] = arith.truncf %[[P]] : tensor<32x64xf32> to tensor<32x64xf16>
// CHECK-DAG:       %[[X:.*]] = tile.load %arg0[%{{.*}}, %[[K]]] {{.*}} -> tensor<32x32xf16>
// CHECK-DAG:       %[[M:.*]] = tile.mask %[[R]], %{{.*}} offsets[%[[K]], %{{.*}}] sizes[%{{.*}}, %{{.*}}] : tensor<32x64xf16>
// CHECK:           tile.dot %[[X]], %[[M]], %[[ACC]]
// CHECK:         tile.store
func.func private @dequantize(%x: memref<70x72xf16>, %w: memref<72x80xi8>, %s: memref<80xf16>, %out: memref<70x80xf32>)
    attributes {fusion.group = "g", fusion.kinds = ["vertical"]} {
  %xt = bufferization.to_tensor %x restrict : memref<70x72xf16> to tensor<70x72xf16>
  %wt = bufferization.to_tensor %w restrict : memref<72x80xi8> to tensor<72x80xi8>
  %st = bufferization.to_tensor %s restrict : memref<80xf16> to tensor<80xf16>
  %e = tensor.empty() : tensor<72x80xf16>
  %d = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%wt, %st : tensor<72x80xi8>, tensor<80xf16>) outs(%e : tensor<72x80xf16>) {
  ^bb0(%a: i8, %b: f16, %o: f16):
    %0 = arith.sitofp %a : i8 to f32
    %1 = arith.extf %b : f16 to f32
    %2 = arith.addf %0, %1 : f32
    %3 = arith.truncf %2 {fusion.rounding} : f32 to f16
    linalg.yield %3 : f16
  } -> tensor<72x80xf16>
  %z = arith.constant 0.0 : f32
  %eo = tensor.empty() : tensor<70x80xf32>
  %f = linalg.fill ins(%z : f32) outs(%eo : tensor<70x80xf32>) -> tensor<70x80xf32>
  %m = linalg.matmul ins(%xt, %d : tensor<70x72xf16>, tensor<72x80xf16>) outs(%f : tensor<70x80xf32>) -> tensor<70x80xf32>
  bufferization.materialize_in_destination %m in restrict writable %out : (tensor<70x80xf32>, memref<70x80xf32>) -> ()
  return
}

// -----

// Nothing is cut off, nothing is masked. One value is the operand of both
// products, and is computed once; what the result needs too is computed again
// after the loop.
#id = affine_map<(i, j) -> (i, j)>
#none = affine_map<(i, j) -> ()>

// CHECK-LABEL: gpu.func @shared(
// CHECK:         scf.for %{{.*}} -> (tensor<[[T:.*]]xf32>, tensor<{{.*}}xf32>)
// CHECK:           arith.negf
// CHECK:           arith.mulf
// CHECK-NOT:       tile.mask
// CHECK-NOT:       arith.negf
// CHECK:           tile.dot %[[X:.*]], %{{.*}}, %{{.*}} :
// CHECK:           tile.dot %[[X]], %{{.*}}, %{{.*}} :
// CHECK:           scf.yield
// CHECK:         arith.negf
// CHECK:         arith.addf
// CHECK:         tile.store
func.func private @shared(%x: memref<64x64xf32>, %s: memref<f32>, %a: memref<64x64xf32>, %b: memref<64x64xf32>, %out: memref<64x64xf32>)
    attributes {fusion.group = "g", fusion.kinds = ["vertical"]} {
  %xt = bufferization.to_tensor %x restrict : memref<64x64xf32> to tensor<64x64xf32>
  %st = bufferization.to_tensor %s restrict : memref<f32> to tensor<f32>
  %at = bufferization.to_tensor %a restrict : memref<64x64xf32> to tensor<64x64xf32>
  %bt = bufferization.to_tensor %b restrict : memref<64x64xf32> to tensor<64x64xf32>
  %e0 = tensor.empty() : tensor<f32>
  %n = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
      ins(%st : tensor<f32>) outs(%e0 : tensor<f32>) {
  ^bb0(%p: f32, %o: f32):
    %0 = arith.negf %p : f32
    linalg.yield %0 : f32
  } -> tensor<f32>
  %e = tensor.empty() : tensor<64x64xf32>
  %d = linalg.generic {indexing_maps = [#id, #none, #id], iterator_types = ["parallel", "parallel"]}
      ins(%xt, %n : tensor<64x64xf32>, tensor<f32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %0 = arith.mulf %p, %q : f32
    linalg.yield %0 : f32
  } -> tensor<64x64xf32>
  %z = arith.constant 0.0 : f32
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %m = linalg.matmul ins(%d, %at : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %k = linalg.matmul ins(%d, %bt : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #none, #id], iterator_types = ["parallel", "parallel"]}
      ins(%m, %k, %n : tensor<64x64xf32>, tensor<64x64xf32>, tensor<f32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%p: f32, %q: f32, %c: f32, %o: f32):
    %0 = arith.addf %p, %q : f32
    %1 = arith.addf %0, %c : f32
    linalg.yield %1 : f32
  } -> tensor<64x64xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64x64xf32>, memref<64x64xf32>) -> ()
  return
}
