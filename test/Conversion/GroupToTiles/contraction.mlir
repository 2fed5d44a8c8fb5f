// RUN: fusion-opt %s -split-input-file -fusion-group-to-tiles=target=sm_90a -canonicalize -cse | FileCheck %s

// The whole shape of a multiply: blocks walk over tiles in groups of eight rows,
// the inner loop steps along k, the epilogue works on the accumulator. Rounding
// before the bias is elided.
// CHECK-LABEL: func.func private @bias_tanh(
// CHECK-SAME:    fusion.schedule = {bk = 64 : i64, bm = 128 : i64, bn = 256 : i64, kind = "wgmma", stages = 4 : i64, warps = 8 : i64}
// CHECK:         %[[P:.*]] = tile.multiprocessors
// CHECK:         %[[G:.*]] = arith.minui %[[P]], %c512
// CHECK:         tile.launch @kernels::@bias_tanh grid(%[[G]], %c1, %c1)
// CHECK:       gpu.func @bias_tanh(%[[A:.*]]: memref<4096x4096xf16>, %[[B:.*]]: memref<4096x4096xf16>, %[[V:.*]]: memref<4096xf16>, %[[OUT:.*]]: memref<4096x4096xf16>)
// CHECK:         %[[ID:.*]] = gpu.block_id x
// CHECK:         %[[STEP:.*]] = gpu.grid_dim x
// CHECK:         scf.for %[[T:.*]] = %[[ID]] to %c512 step %[[STEP]] {
// CHECK:           %[[GROUP:.*]] = arith.divui %[[T]], %c128
// CHECK:           %[[FIRST:.*]] = arith.muli %[[GROUP]], %c8
// CHECK:           %[[LEFT:.*]] = arith.subi %c32, %[[FIRST]]
// CHECK:           %[[ROWS:.*]] = arith.minui %[[LEFT]], %c8
// CHECK:           %[[IN:.*]] = arith.remui %[[T]], %c128
// CHECK:           %[[R:.*]] = arith.remui %[[IN]], %[[ROWS]]
// CHECK:           %[[TM:.*]] = arith.addi %[[FIRST]], %[[R]]
// CHECK:           %[[TN:.*]] = arith.divui %[[IN]], %[[ROWS]]
// CHECK:           %[[M:.*]] = arith.muli %[[TM]], %c128
// CHECK:           %[[N:.*]] = arith.muli %[[TN]], %c256
// CHECK:           %[[ACC:.*]] = scf.for %[[K:.*]] = %c0 to %c4096 step %c64 iter_args(%[[C:.*]] = %{{.*}}) -> (tensor<128x256xf32>) {
// CHECK:             %[[X:.*]] = tile.load %[[A]][%[[M]], %[[K]]] dims [0, 1] in_bounds [true, true] : memref<4096x4096xf16> -> tensor<128x64xf16>
// CHECK:             %[[Y:.*]] = tile.load %[[B]][%[[K]], %[[N]]] dims [0, 1] in_bounds [true, true] : memref<4096x4096xf16> -> tensor<64x256xf16>
// CHECK:             %[[D:.*]] = tile.dot %[[X]], %[[Y]], %[[C]]
// CHECK:             scf.yield %[[D]]
// CHECK:           %[[BV:.*]] = tile.load %[[V]][%[[N]]] dims [0] in_bounds [true] : memref<4096xf16> -> tensor<256xf16>
// CHECK:           %[[BB:.*]] = tile.broadcast %[[BV]] dims [1]
// CHECK:           %[[BW:.*]] = arith.extf %[[BB]]
// CHECK:           arith.addf %[[ACC]], %[[BW]]
// CHECK:           math.tanh
// CHECK:           tile.store %{{.*}}, %[[OUT]][%[[M]], %[[N]]] dims [0, 1] in_bounds [true, true]
func.func private @bias_tanh(%a: memref<4096x4096xf16>, %b: memref<4096x4096xf16>, %bias: memref<4096xf16>, %out: memref<4096x4096xf16>) attributes {fusion.group = "mm"} {
  %at = bufferization.to_tensor %a restrict : memref<4096x4096xf16> to tensor<4096x4096xf16>
  %bt = bufferization.to_tensor %b restrict : memref<4096x4096xf16> to tensor<4096x4096xf16>
  %ct = bufferization.to_tensor %bias restrict : memref<4096xf16> to tensor<4096xf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4096x4096xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %m = linalg.matmul ins(%at, %bt : tensor<4096x4096xf16>, tensor<4096x4096xf16>) outs(%f : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %e1 = tensor.empty() : tensor<4096x4096xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%m : tensor<4096x4096xf32>) outs(%e1 : tensor<4096x4096xf16>) {
  ^bb0(%x: f32, %o: f16):
    %t = arith.truncf %x {fusion.rounding} : f32 to f16
    linalg.yield %t : f16
  } -> tensor<4096x4096xf16>
  %g = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%r, %ct : tensor<4096x4096xf16>, tensor<4096xf16>) outs(%e1 : tensor<4096x4096xf16>) {
  ^bb0(%x: f16, %y: f16, %o: f16):
    %c = arith.constant 0.5 : f32
    %x1 = arith.extf %x : f16 to f32
    %y1 = arith.extf %y : f16 to f32
    %s = arith.addf %x1, %y1 : f32
    %h = math.tanh %s : f32
    %p = arith.mulf %h, %c : f32
    %t = arith.truncf %p {fusion.rounding} : f32 to f16
    linalg.yield %t : f16
  } -> tensor<4096x4096xf16>
  bufferization.materialize_in_destination %g in restrict writable %out : (tensor<4096x4096xf16>, memref<4096x4096xf16>) -> ()
  return
}

// -----

// Two products share the loop and the tile of a; leading dims are one with the
// rows; weights are [N, K].
// CHECK-LABEL: gpu.func @swiglu(
// CHECK-SAME:    %[[A:.*]]: memref<512x512xf16>, %[[B:.*]]: memref<2048x512xf16>, %[[C:.*]]: memref<2048x512xf16>, %[[OUT:.*]]: memref<512x2048xf16>)
// CHECK-SAME:    tile.schedule = {bk = 64 : i64, bm = [[BM:[0-9]+]] : i64, bn = [[BN:[0-9]+]] : i64, kind = "wgmma"
// CHECK:           %[[ACC:.*]]:2 = scf.for %[[K:.*]] = {{.*}} iter_args(%[[P:.*]] = %{{.*}}, %[[Q:.*]] = %{{.*}}) -> (tensor<[[BM]]x[[BN]]xf32>, tensor<[[BM]]x[[BN]]xf32>) {
// CHECK-NEXT:        %[[X:.*]] = tile.load %[[A]][%[[M:.*]], %[[K]]] dims [0, 1]
// CHECK-NEXT:        %[[Y:.*]] = tile.load %[[B]][%[[N:.*]], %[[K]]] dims [1, 0] {{.*}} -> tensor<64x[[BN]]xf16>
// CHECK-NEXT:        tile.dot %[[X]], %[[Y]], %[[P]]
// CHECK-NEXT:        %[[Z:.*]] = tile.load %[[C]][%[[N]], %[[K]]] dims [1, 0]
// CHECK-NEXT:        tile.dot %[[X]], %[[Z]], %[[Q]]
// CHECK:           math.tanh %[[ACC]]#0
// CHECK:           arith.mulf %{{.*}}, %[[ACC]]#1
func.func private @swiglu(%a: memref<2x256x512xf16>, %b: memref<2048x512xf16>, %c: memref<2048x512xf16>, %out: memref<2x256x2048xf16>) attributes {fusion.group = "swiglu"} {
  %x = bufferization.to_tensor %a restrict : memref<2x256x512xf16> to tensor<2x256x512xf16>
  %g = bufferization.to_tensor %b restrict : memref<2048x512xf16> to tensor<2048x512xf16>
  %u = bufferization.to_tensor %c restrict : memref<2048x512xf16> to tensor<2048x512xf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x256x2048xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x256x2048xf32>) -> tensor<2x256x2048xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(b, s, n, k) -> (b, s, k)>, affine_map<(b, s, n, k) -> (n, k)>, affine_map<(b, s, n, k) -> (b, s, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %g : tensor<2x256x512xf16>, tensor<2048x512xf16>) outs(%f : tensor<2x256x2048xf32>) {
  ^bb0(%i: f16, %j: f16, %o: f32):
    %0 = arith.extf %i : f16 to f32
    %1 = arith.extf %j : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<2x256x2048xf32>
  %q = linalg.generic {indexing_maps = [affine_map<(b, s, n, k) -> (b, s, k)>, affine_map<(b, s, n, k) -> (n, k)>, affine_map<(b, s, n, k) -> (b, s, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %u : tensor<2x256x512xf16>, tensor<2048x512xf16>) outs(%f : tensor<2x256x2048xf32>) {
  ^bb0(%i: f16, %j: f16, %o: f32):
    %0 = arith.extf %i : f16 to f32
    %1 = arith.extf %j : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<2x256x2048xf32>
  %eo = tensor.empty() : tensor<2x256x2048xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(b, s, n) -> (b, s, n)>, affine_map<(b, s, n) -> (b, s, n)>, affine_map<(b, s, n) -> (b, s, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%p, %q : tensor<2x256x2048xf32>, tensor<2x256x2048xf32>) outs(%eo : tensor<2x256x2048xf16>) {
  ^bb0(%i: f32, %j: f32, %o: f16):
    %0 = math.tanh %i : f32
    %1 = arith.mulf %0, %j : f32
    %2 = arith.truncf %1 : f32 to f16
    linalg.yield %2 : f16
  } -> tensor<2x256x2048xf16>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<2x256x2048xf16>, memref<2x256x2048xf16>) -> ()
  return
}

// -----

// Batches are coordinates of the grid; sizes that do not divide are checked, and
// strides that bulk copies cannot take mean that all warps copy.
// CHECK-LABEL: gpu.func @odd_batch(
// CHECK-SAME:    kind = "wgmma", pipeline = "multistage"
// CHECK:           tile.load %{{.*}}[%[[B:.*]], %[[M:.*]], %[[K:.*]]] dims [-1, 0, 1] in_bounds [true, false, false] : memref<3x130x1001xf16>
// CHECK:           tile.load %{{.*}}[%[[B]], %[[K]], %[[N:.*]]] dims [-1, 0, 1] in_bounds [true, false, false] : memref<3x1001x999xf16>
// CHECK:           tile.store %{{.*}}, %{{.*}}[%[[B]], %[[M]], %[[N]]] dims [-1, 0, 1] in_bounds [true, false, false]
func.func private @odd_batch(%a: memref<3x130x1001xf16>, %b: memref<3x1001x999xf16>, %out: memref<3x130x999xf32>) attributes {fusion.group = "odd_batch"} {
  %x = bufferization.to_tensor %a restrict : memref<3x130x1001xf16> to tensor<3x130x1001xf16>
  %y = bufferization.to_tensor %b restrict : memref<3x1001x999xf16> to tensor<3x1001x999xf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x130x999xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x130x999xf32>) -> tensor<3x130x999xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<3x130x1001xf16>, tensor<3x1001x999xf16>) outs(%f : tensor<3x130x999xf32>) {
  ^bb0(%i: f16, %j: f16, %o: f32):
    %u = arith.extf %i : f16 to f32
    %v = arith.extf %j : f16 to f32
    %p = arith.mulf %u, %v : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<3x130x999xf32>
  bufferization.materialize_in_destination %m in restrict writable %out : (tensor<3x130x999xf32>, memref<3x130x999xf32>) -> ()
  return
}

// -----

// f32: scalar multiply-adds. The result is transposed: its rows become the columns
// of the tile, and the operands change places.
// CHECK-LABEL: gpu.func @transposed_result(
// CHECK-SAME:    %[[A:.*]]: memref<256x64xf32>, %[[B:.*]]: memref<64x128xf32>, %[[C:.*]]: memref<128x256xf32>)
// CHECK-SAME:    kind = "fma"
// CHECK:           %[[X:.*]] = tile.load %[[B]][%[[K:.*]], %[[I:.*]]] dims [1, 0]
// CHECK:           %[[Y:.*]] = tile.load %[[A]][%[[J:.*]], %[[K]]] dims [1, 0]
// CHECK:           tile.dot %[[X]], %[[Y]]
// CHECK:         tile.store %{{.*}}, %[[C]][%[[I]], %[[J]]] dims [0, 1]
func.func private @transposed_result(%a: memref<256x64xf32>, %b: memref<64x128xf32>, %out: memref<128x256xf32>) attributes {fusion.group = "transposed_result"} {
  %x = bufferization.to_tensor %a restrict : memref<256x64xf32> to tensor<256x64xf32>
  %y = bufferization.to_tensor %b restrict : memref<64x128xf32> to tensor<64x128xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x256xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<128x256xf32>) -> tensor<128x256xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (n, m)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<256x64xf32>, tensor<64x128xf32>) outs(%f : tensor<128x256xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %p = arith.mulf %i, %j : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<128x256xf32>
  bufferization.materialize_in_destination %m in restrict writable %out : (tensor<128x256xf32>, memref<128x256xf32>) -> ()
  return
}

// -----

// An initial value other than zero is added after the loop.
// CHECK-LABEL: gpu.func @initial(
// CHECK-DAG:     %[[ONE:.*]] = arith.constant dense<1.000000e+00>
// CHECK:         %[[ACC:.*]] = scf.for %{{.*}} = %c0 to %c32 step
// CHECK:         arith.addf %[[ACC]], %[[ONE]]
func.func private @initial(%a: memref<64x32xf32>, %b: memref<32x64xf32>, %out: memref<64x64xf32>) attributes {fusion.group = "initial"} {
  %x = bufferization.to_tensor %a restrict : memref<64x32xf32> to tensor<64x32xf32>
  %y = bufferization.to_tensor %b restrict : memref<32x64xf32> to tensor<32x64xf32>
  %zero = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<64x32xf32>, tensor<32x64xf32>) outs(%f : tensor<64x64xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %p = arith.mulf %i, %j : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32>
  bufferization.materialize_in_destination %m in restrict writable %out : (tensor<64x64xf32>, memref<64x64xf32>) -> ()
  return
}

// -----

// One row: a sum of products along k, not a matrix product.
// CHECK-LABEL: gpu.func @vector(
// CHECK-SAME:    %[[X:.*]]: memref<1024xf16>, %[[W:.*]]: memref<512x1024xf16>, %[[Y:.*]]: memref<512xf32>)
// CHECK-SAME:    kind = "rows"
// CHECK:         arith.mulf
// CHECK:         tile.reduce %{{.*}} dim 1
func.func private @vector(%a: memref<1x1024xf16>, %b: memref<512x1024xf16>, %out: memref<1x512xf32>) attributes {fusion.group = "vector"} {
  %x = bufferization.to_tensor %a restrict : memref<1x1024xf16> to tensor<1x1024xf16>
  %y = bufferization.to_tensor %b restrict : memref<512x1024xf16> to tensor<512x1024xf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x512xf32>) -> tensor<1x512xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<1x1024xf16>, tensor<512x1024xf16>) outs(%f : tensor<1x512xf32>) {
  ^bb0(%i: f16, %j: f16, %o: f32):
    %u = arith.extf %i : f16 to f32
    %v = arith.extf %j : f16 to f32
    %p = arith.mulf %u, %v : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<1x512xf32>
  bufferization.materialize_in_destination %m in restrict writable %out : (tensor<1x512xf32>, memref<1x512xf32>) -> ()
  return
}
