// RUN: fusion-opt %s -fusion-tile-group-for-cpu -canonicalize -cse -split-input-file | FileCheck %s

// The fill and the contraction are computed in the loop of their consumer.
// CHECK-LABEL: func.func @epilogue(
// CHECK-NOT:     linalg
// CHECK:         scf.forall (%{{.*}}, %{{.*}}) = (0, 0) to (1000, %{{.*}}) step (128, 256)
// CHECK:           linalg.fill
// CHECK:           %[[PRODUCT:.*]] = linalg.matmul
// CHECK:           linalg.generic {{.*}} ins(%[[PRODUCT]], %{{.*}} : tensor<?x?xf32>, tensor<?xf32>)
// CHECK:           scf.forall.in_parallel
// CHECK-NOT:     linalg
func.func @epilogue(%a: tensor<1000x64xf32>, %b: tensor<64x?xf32>, %bias: tensor<?xf32>) -> tensor<1000x?xf32> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %b, %c1 : tensor<64x?xf32>
  %e = tensor.empty(%n) : tensor<1000x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1000x?xf32>) -> tensor<1000x?xf32>
  %p = linalg.matmul ins(%a, %b : tensor<1000x64xf32>, tensor<64x?xf32>) outs(%f : tensor<1000x?xf32>) -> tensor<1000x?xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%p, %bias : tensor<1000x?xf32>, tensor<?xf32>) outs(%e : tensor<1000x?xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<1000x?xf32>
  return %r : tensor<1000x?xf32>
}

// -----

// Only the rows are tiled, so that the reduction of a row is in the loop.
// CHECK-LABEL: func.func @rows(
// CHECK:         %[[LOOP:.*]] = scf.forall (%{{.*}}) = (0) to (512) step (16)
// CHECK:           %[[SUM:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%{{.*}} : tensor<16x1024xf32>)
// CHECK:           linalg.generic {{.*}} ins(%{{.*}}, %[[SUM]] : tensor<16x1024xf32>, tensor<16xf32>)
// CHECK:         }
// CHECK:         return %[[LOOP]]
func.func @rows(%a: tensor<512x1024xf32>, %z: tensor<512xf32>) -> tensor<512x1024xf32> {
  %e = tensor.empty() : tensor<512x1024xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<512x1024xf32>) outs(%z : tensor<512xf32>) {
  ^bb0(%x: f32, %o: f32):
    %t = arith.addf %o, %x : f32
    linalg.yield %t : f32
  } -> tensor<512xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%a, %s : tensor<512x1024xf32>, tensor<512xf32>) outs(%e : tensor<512x1024xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %t = arith.divf %x, %y : f32
    linalg.yield %t : f32
  } -> tensor<512x1024xf32>
  return %r : tensor<512x1024xf32>
}

// -----

// A value of the loop that someone else needs is a second result of it.
// CHECK-LABEL: func.func @two_results(
// CHECK:         %[[LOOP:.*]]:2 = scf.forall {{.*}} shared_outs(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (tensor<64x32768xf32>, tensor<64x32768xf32>)
// CHECK:         return %[[LOOP]]#0, %[[LOOP]]#1
func.func @two_results(%a: tensor<64x32768xf32>) -> (tensor<64x32768xf32>, tensor<64x32768xf32>) {
  %e0 = tensor.empty() : tensor<64x32768xf32>
  %e1 = tensor.empty() : tensor<64x32768xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<64x32768xf32>) outs(%e0 : tensor<64x32768xf32>) {
  ^bb0(%x: f32, %o: f32):
    %t = arith.mulf %x, %x : f32
    linalg.yield %t : f32
  } -> tensor<64x32768xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<64x32768xf32>) outs(%e1 : tensor<64x32768xf32>) {
  ^bb0(%x: f32, %o: f32):
    %t = arith.negf %x : f32
    linalg.yield %t : f32
  } -> tensor<64x32768xf32>
  return %s, %r : tensor<64x32768xf32>, tensor<64x32768xf32>
}
