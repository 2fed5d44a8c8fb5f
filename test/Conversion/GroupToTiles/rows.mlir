// RUN: fusion-opt %s -split-input-file -fusion-group-to-tiles -canonicalize -cse | FileCheck %s

// Short rows stay in registers, several to a block. Lanes past the end hold the
// identity of what they feed: minus infinity for the maximum, zero for the sum.
// The elements are loaded once.
// CHECK-LABEL: func.func private @softmax(
// CHECK-SAME:    fusion.schedule = {columns = 128 : i64, kind = "rows", rows = 8 : i64, warps = 4 : i64}
// CHECK:         tile.launch @kernels::@softmax grid(%c1024, %c1, %c1) args({{.*}} : memref<8192x100xf16>, memref<8192x100xf16>)
// CHECK:       gpu.func @softmax(%[[A:.*]]: memref<8192x100xf16>, %[[B:.*]]: memref<8192x100xf16>)
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-DAG:     %[[INF:.*]] = arith.constant 0xFF800000 : f32
// CHECK:         %[[O:.*]] = arith.muli %{{.*}}, %c8
// CHECK:         %[[X:.*]] = tile.load %[[A]][%[[O]], %c0] dims [0, 1] in_bounds [true, false] : memref<8192x100xf16> -> tensor<8x128xf16>
// CHECK-NOT:     tile.load
// CHECK:         %[[W:.*]] = arith.extf %[[X]]
// CHECK:         %[[M:.*]] = tile.mask %[[W]], %[[INF]] offsets[%c0, %c0] sizes[%c8, %c100]
// CHECK:         %[[MAX:.*]] = tile.reduce %[[M]] dim 1 : tensor<8x128xf32> -> tensor<8xf32> {
// CHECK:           arith.maximumf
// CHECK:         %[[BMAX:.*]] = tile.broadcast %[[MAX]] dims [0]
// CHECK:         %[[D:.*]] = arith.subf %[[W]], %[[BMAX]]
// CHECK:         %[[E:.*]] = math.exp %[[D]]
// CHECK:         %[[EM:.*]] = tile.mask %[[E]], %[[ZERO]]
// CHECK:         %[[SUM:.*]] = tile.reduce %[[EM]] dim 1
// CHECK:         arith.divf %[[E]], %{{.*}}
// CHECK:         tile.store %{{.*}}, %[[B]][%[[O]], %c0] dims [0, 1] in_bounds [true, false]
func.func private @softmax(%a: memref<2x4096x100xf16>, %out: memref<2x4096x100xf16>) attributes {fusion.group = "softmax"} {
  %x = bufferization.to_tensor %a restrict : memref<2x4096x100xf16> to tensor<2x4096x100xf16>
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4096xf32>
  %f = linalg.fill ins(%ninf : f32) outs(%e : tensor<2x4096xf32>) -> tensor<2x4096xf32>
  %max = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<2x4096x100xf16>) outs(%f : tensor<2x4096xf32>) {
  ^bb0(%i: f16, %o: f32):
    %w = arith.extf %i : f16 to f32
    %m = arith.maximumf %w, %o : f32
    linalg.yield %m : f32
  } -> tensor<2x4096xf32>
  %ee = tensor.empty() : tensor<2x4096x100xf32>
  %exp = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %max : tensor<2x4096x100xf16>, tensor<2x4096xf32>) outs(%ee : tensor<2x4096x100xf32>) {
  ^bb0(%i: f16, %m: f32, %o: f32):
    %w = arith.extf %i : f16 to f32
    %d = arith.subf %w, %m : f32
    %p = math.exp %d : f32
    linalg.yield %p : f32
  } -> tensor<2x4096x100xf32>
  %g = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4096xf32>) -> tensor<2x4096xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%exp : tensor<2x4096x100xf32>) outs(%g : tensor<2x4096xf32>) {
  ^bb0(%i: f32, %o: f32):
    %m = arith.addf %o, %i : f32
    linalg.yield %m : f32
  } -> tensor<2x4096xf32>
  %eo = tensor.empty() : tensor<2x4096x100xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%exp, %sum : tensor<2x4096x100xf32>, tensor<2x4096xf32>) outs(%eo : tensor<2x4096x100xf16>) {
  ^bb0(%i: f32, %m: f32, %o: f16):
    %d = arith.divf %i, %m : f32
    %t = arith.truncf %d {fusion.rounding} : f32 to f16
    linalg.yield %t : f16
  } -> tensor<2x4096x100xf16>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<2x4096x100xf16>, memref<2x4096x100xf16>) -> ()
  return
}

// -----

// A long row: three passes over chunks. Accumulators are tiles, combined across
// threads once after their loop.
// CHECK-LABEL: gpu.func @long_softmax(
// CHECK:         %[[ACC:.*]] = scf.for %[[K:.*]] = %c0 to %c65536 step %c4096 iter_args(%[[M:.*]] = %{{.*}}) -> (tensor<1x4096xf32>) {
// CHECK:           %[[X:.*]] = tile.load %{{.*}}[%{{.*}}, %[[K]]] dims [0, 1] in_bounds [true, true]
// CHECK:           %[[W:.*]] = arith.extf %[[X]]
// CHECK:           %[[N:.*]] = arith.maximumf %[[M]], %[[W]]
// CHECK:           scf.yield %[[N]]
// CHECK:         %[[MAX:.*]] = tile.reduce %[[ACC]] dim 1
// CHECK:         scf.for
// CHECK:           tile.load
// CHECK:           math.exp
// CHECK:           arith.addf
// CHECK:         tile.reduce
// CHECK:         scf.for
// CHECK:           tile.load
// CHECK:           math.exp
// CHECK:           arith.divf
// CHECK:           tile.store
func.func private @long_softmax(%a: memref<2x8x65536xf16>, %out: memref<2x8x65536xf16>) attributes {fusion.group = "softmax"} {
  %x = bufferization.to_tensor %a restrict : memref<2x8x65536xf16> to tensor<2x8x65536xf16>
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x8xf32>
  %f = linalg.fill ins(%ninf : f32) outs(%e : tensor<2x8xf32>) -> tensor<2x8xf32>
  %max = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<2x8x65536xf16>) outs(%f : tensor<2x8xf32>) {
  ^bb0(%i: f16, %o: f32):
    %w = arith.extf %i : f16 to f32
    %m = arith.maximumf %w, %o : f32
    linalg.yield %m : f32
  } -> tensor<2x8xf32>
  %ee = tensor.empty() : tensor<2x8x65536xf32>
  %exp = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %max : tensor<2x8x65536xf16>, tensor<2x8xf32>) outs(%ee : tensor<2x8x65536xf32>) {
  ^bb0(%i: f16, %m: f32, %o: f32):
    %w = arith.extf %i : f16 to f32
    %d = arith.subf %w, %m : f32
    %p = math.exp %d : f32
    linalg.yield %p : f32
  } -> tensor<2x8x65536xf32>
  %g = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8xf32>) -> tensor<2x8xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%exp : tensor<2x8x65536xf32>) outs(%g : tensor<2x8xf32>) {
  ^bb0(%i: f32, %o: f32):
    %m = arith.addf %o, %i : f32
    linalg.yield %m : f32
  } -> tensor<2x8xf32>
  %eo = tensor.empty() : tensor<2x8x65536xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%exp, %sum : tensor<2x8x65536xf32>, tensor<2x8xf32>) outs(%eo : tensor<2x8x65536xf16>) {
  ^bb0(%i: f32, %m: f32, %o: f16):
    %d = arith.divf %i, %m : f32
    %t = arith.truncf %d {fusion.rounding} : f32 to f16
    linalg.yield %t : f16
  } -> tensor<2x8x65536xf16>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<2x8x65536xf16>, memref<2x8x65536xf16>) -> ()
  return
}

// -----

// Dynamic sizes: chunks, masked at the end of the row.
// CHECK-LABEL: gpu.func @dynamic_softmax(
// CHECK:         %[[N:.*]] = memref.dim %{{.*}}, %c1
// CHECK:         scf.for %[[K:.*]] = %c0 to %[[N]] step %c4096
// CHECK:           tile.load %{{.*}} in_bounds [true, false]
// CHECK:           tile.mask %{{.*}}, %{{.*}} offsets[%c0, %[[K]]] sizes[%c1, %[[N]]]
func.func private @dynamic_softmax(%a: memref<?x8x?xf16>, %out: memref<?x8x?xf16>) attributes {fusion.group = "softmax"} {
  %x = bufferization.to_tensor %a restrict : memref<?x8x?xf16> to tensor<?x8x?xf16>
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %x, %c0 : tensor<?x8x?xf16>
  %l = tensor.dim %x, %c2 : tensor<?x8x?xf16>
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%n) : tensor<?x8xf32>
  %f = linalg.fill ins(%ninf : f32) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
  %max = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<?x8x?xf16>) outs(%f : tensor<?x8xf32>) {
  ^bb0(%i: f16, %o: f32):
    %w = arith.extf %i : f16 to f32
    %m = arith.maximumf %w, %o : f32
    linalg.yield %m : f32
  } -> tensor<?x8xf32>
  %ee = tensor.empty(%n, %l) : tensor<?x8x?xf32>
  %exp = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %max : tensor<?x8x?xf16>, tensor<?x8xf32>) outs(%ee : tensor<?x8x?xf32>) {
  ^bb0(%i: f16, %m: f32, %o: f32):
    %w = arith.extf %i : f16 to f32
    %d = arith.subf %w, %m : f32
    %p = math.exp %d : f32
    linalg.yield %p : f32
  } -> tensor<?x8x?xf32>
  %g = linalg.fill ins(%zero : f32) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%exp : tensor<?x8x?xf32>) outs(%g : tensor<?x8xf32>) {
  ^bb0(%i: f32, %o: f32):
    %m = arith.addf %o, %i : f32
    linalg.yield %m : f32
  } -> tensor<?x8xf32>
  %eo = tensor.empty(%n, %l) : tensor<?x8x?xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%exp, %sum : tensor<?x8x?xf32>, tensor<?x8xf32>) outs(%eo : tensor<?x8x?xf16>) {
  ^bb0(%i: f32, %m: f32, %o: f16):
    %d = arith.divf %i, %m : f32
    %t = arith.truncf %d {fusion.rounding} : f32 to f16
    linalg.yield %t : f16
  } -> tensor<?x8x?xf16>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<?x8x?xf16>, memref<?x8x?xf16>) -> ()
  return
}

// -----

// Two reductions over the same rows, a residual that is also a result, and
// columns of three times a power of two: no masks.
// CHECK-LABEL: gpu.func @layer_norm(
// CHECK-SAME:    tile.schedule = {columns = 768 : i64, kind = "rows", rows = 2 : i64, warps = 4 : i64}
// CHECK-NOT:     tile.mask
// CHECK:         tile.store %[[S:[0-9]+]], %{{.*}} : tensor<2x768xf32>
// CHECK:         %[[SUM:.*]] = tile.reduce %[[S]] dim 1
// CHECK:         %[[MEAN:.*]] = arith.divf %{{.*}} : tensor<2xf32>
// CHECK:         %[[BM:.*]] = tile.broadcast %[[MEAN]] dims [0]
// CHECK:         arith.subf %[[S]], %[[BM]]
// CHECK:         tile.reduce
// CHECK:         math.rsqrt
// CHECK:         tile.store
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#col = affine_map<(d0, d1) -> (d1)>
#vec = affine_map<(d0) -> (d0)>
func.func private @layer_norm(%a: memref<4096x768xf32>, %r: memref<4096x768xf32>, %g: memref<768xf32>, %sum_out: memref<4096x768xf32>, %out: memref<4096x768xf32>) attributes {fusion.group = "layer_norm"} {
  %x = bufferization.to_tensor %a restrict : memref<4096x768xf32> to tensor<4096x768xf32>
  %res = bufferization.to_tensor %r restrict : memref<4096x768xf32> to tensor<4096x768xf32>
  %gt = bufferization.to_tensor %g restrict : memref<768xf32> to tensor<768xf32>
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 768.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %e = tensor.empty() : tensor<4096x768xf32>
  %er = tensor.empty() : tensor<4096xf32>
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %res : tensor<4096x768xf32>, tensor<4096x768xf32>) outs(%e : tensor<4096x768xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %0 = arith.addf %i, %j : f32
    linalg.yield %0 : f32
  } -> tensor<4096x768xf32>
  bufferization.materialize_in_destination %s in restrict writable %sum_out : (tensor<4096x768xf32>, memref<4096x768xf32>) -> ()
  %f = linalg.fill ins(%zero : f32) outs(%er : tensor<4096xf32>) -> tensor<4096xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%s : tensor<4096x768xf32>) outs(%f : tensor<4096xf32>) {
  ^bb0(%i: f32, %o: f32):
    %0 = arith.addf %o, %i : f32
    linalg.yield %0 : f32
  } -> tensor<4096xf32>
  %mean = linalg.generic {indexing_maps = [#vec, #vec], iterator_types = ["parallel"]}
      ins(%sum : tensor<4096xf32>) outs(%er : tensor<4096xf32>) {
  ^bb0(%i: f32, %o: f32):
    %0 = arith.divf %i, %count : f32
    linalg.yield %0 : f32
  } -> tensor<4096xf32>
  %sq = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%s, %mean : tensor<4096x768xf32>, tensor<4096xf32>) outs(%f : tensor<4096xf32>) {
  ^bb0(%i: f32, %m: f32, %o: f32):
    %0 = arith.subf %i, %m : f32
    %1 = arith.mulf %0, %0 : f32
    %2 = arith.addf %o, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<4096xf32>
  %n = linalg.generic {indexing_maps = [#id, #row, #row, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s, %mean, %sq, %gt : tensor<4096x768xf32>, tensor<4096xf32>, tensor<4096xf32>, tensor<768xf32>) outs(%e : tensor<4096x768xf32>) {
  ^bb0(%i: f32, %m: f32, %v: f32, %w: f32, %o: f32):
    %0 = arith.subf %i, %m : f32
    %1 = arith.divf %v, %count : f32
    %2 = arith.addf %1, %eps : f32
    %3 = math.rsqrt %2 : f32
    %4 = arith.mulf %0, %3 : f32
    %5 = arith.mulf %4, %w : f32
    linalg.yield %5 : f32
  } -> tensor<4096x768xf32>
  bufferization.materialize_in_destination %n in restrict writable %out : (tensor<4096x768xf32>, memref<4096x768xf32>) -> ()
  return
}

// -----

// The first dim is reduced: the tile is wide along the other one, and a loop
// walks over the reduced one.
// CHECK-LABEL: gpu.func @leading(
// CHECK-SAME:    %[[A:.*]]: memref<1000x4096xf32>, %[[B:.*]]: memref<4096xf32>)
// CHECK:         %[[ACC:.*]] = scf.for %[[K:.*]] = %c0 to %c1000 step %c256 iter_args(%{{.*}}) -> (tensor<32x256xf32>) {
// CHECK:           tile.load %[[A]][%[[K]], %[[O:.*]]] dims [1, 0] in_bounds [false, true]
// CHECK:           tile.mask %{{.*}} offsets[%c0, %[[K]]]
// CHECK:         %[[S:.*]] = tile.reduce %[[ACC]] dim 1
// CHECK:         tile.store %{{.*}}, %[[B]][%[[O]]] dims [0] in_bounds [true]
func.func private @leading(%a: memref<1000x4096xf32>, %out: memref<4096xf32>) attributes {fusion.group = "leading"} {
  %x = bufferization.to_tensor %a restrict : memref<1000x4096xf32> to tensor<1000x4096xf32>
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4096xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<4096xf32>) -> tensor<4096xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<1000x4096xf32>) outs(%f : tensor<4096xf32>) {
  ^bb0(%i: f32, %o: f32):
    %0 = arith.addf %o, %i : f32
    linalg.yield %0 : f32
  } -> tensor<4096xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<4096xf32>, memref<4096xf32>) -> ()
  return
}

// -----

// Batch statistics: the outer reduced dim is a loop around the inner ones, which
// are one dim.
// CHECK-LABEL: gpu.func @channels(
// CHECK-SAME:    %[[A:.*]]: memref<8x32x784xf32>, %[[B:.*]]: memref<32xf32>)
// CHECK:         %[[ACC:.*]] = scf.for %[[N:.*]] = %c0 to %c8 step %c1 {{.*}} {
// CHECK:           tile.load %[[A]][%[[N]], %[[C:.*]], %c0] dims [-1, 0, 1] in_bounds [true, true, false]
// CHECK:         tile.reduce %[[ACC]] dim 1
// CHECK:         tile.store %{{.*}}, %[[B]][%[[C]]] dims [0]
func.func private @channels(%a: memref<8x32x28x28xf32>, %out: memref<32xf32>) attributes {fusion.group = "channels"} {
  %x = bufferization.to_tensor %a restrict : memref<8x32x28x28xf32> to tensor<8x32x28x28xf32>
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<32xf32>) -> tensor<32xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (c)>], iterator_types = ["reduction", "parallel", "reduction", "reduction"]}
      ins(%x : tensor<8x32x28x28xf32>) outs(%f : tensor<32xf32>) {
  ^bb0(%i: f32, %o: f32):
    %0 = arith.addf %o, %i : f32
    linalg.yield %0 : f32
  } -> tensor<32xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<32xf32>, memref<32xf32>) -> ()
  return
}

// -----

// Everything is reduced: one block, one row. An initial value is combined once.
// CHECK-LABEL: func.func private @all(
// CHECK:         tile.launch @kernels::@all grid(%c1, %c1, %c1)
// CHECK:       gpu.func @all(
// CHECK:         %[[P:.*]] = tile.reduce %{{.*}} dim 1 : tensor<1x512xi32> -> tensor<1xi32>
// CHECK:         %[[R:.*]] = arith.muli %{{.*}}, %{{.*}} : tensor<1xi32>
// CHECK:         tile.store %[[R]], %{{.*}}[] dims [] in_bounds []
func.func private @all(%a: memref<20x20xi32>, %out: memref<i32>) attributes {fusion.group = "all"} {
  %x = bufferization.to_tensor %a restrict : memref<20x20xi32> to tensor<20x20xi32>
  %c = arith.constant 7 : i32
  %e = tensor.empty() : tensor<i32>
  %f = linalg.fill ins(%c : i32) outs(%e : tensor<i32>) -> tensor<i32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>], iterator_types = ["reduction", "reduction"]}
      ins(%x : tensor<20x20xi32>) outs(%f : tensor<i32>) {
  ^bb0(%i: i32, %o: i32):
    %0 = arith.muli %o, %i : i32
    linalg.yield %0 : i32
  } -> tensor<i32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<i32>, memref<i32>) -> ()
  return
}

// -----

// Nothing to reduce: a tile outside of the array, all masked, gives the initial
// value.
// CHECK-LABEL: gpu.func @none(
// CHECK:         tile.load %{{.*}} in_bounds [true, false] : memref<4x0xf32>
// CHECK:         tile.mask %{{.*}} offsets[%c0, %c0] sizes[%{{.*}}, %c0]
func.func private @none(%a: memref<4x0xf32>, %out: memref<4xf32>) attributes {fusion.group = "none"} {
  %x = bufferization.to_tensor %a restrict : memref<4x0xf32> to tensor<4x0xf32>
  %c = arith.constant -3.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x0xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%i: f32, %o: f32):
    %0 = arith.maximumf %o, %i : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// -----

// A dim of size one is no loop: its one element is combined with the initial value.
// CHECK-LABEL: gpu.func @unit(
// CHECK-NOT:     tile.reduce
// CHECK:         %[[X:.*]] = tile.load
// CHECK:         arith.addf %[[X]], %{{.*}}
func.func private @unit(%a: memref<64x1xf32>, %out: memref<64xf32>) attributes {fusion.group = "unit"} {
  %x = bufferization.to_tensor %a restrict : memref<64x1xf32> to tensor<64x1xf32>
  %c = arith.constant 5.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x1xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%i: f32, %o: f32):
    %0 = arith.addf %o, %i : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// Coupled results: each thread walks along a row, with what it has so far.
// CHECK-LABEL: gpu.func @coupled(
// CHECK-NOT: tile.reduce
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (tensor<8xf32>, tensor<8xi64>)
// CHECK: arith.cmpf ogt
// CHECK: arith.select
// CHECK: arith.select
// CHECK: scf.yield
// CHECK-NOT: tile.reduce
func.func private @coupled(%a: memref<8x64xf32>, %b: memref<8xf32>, %c: memref<8xi64>) attributes {fusion.group = "g"} {
  %x = bufferization.to_tensor %a restrict : memref<8x64xf32> to tensor<8x64xf32>
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0 : i64
  %e = tensor.empty() : tensor<8xf32>
  %ei = tensor.empty() : tensor<8xi64>
  %f = linalg.fill ins(%ninf : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %fi = linalg.fill ins(%zero : i64) outs(%ei : tensor<8xi64>) -> tensor<8xi64>
  %y:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x64xf32>) outs(%f, %fi : tensor<8xf32>, tensor<8xi64>) {
  ^bb0(%i: f32, %o: f32, %p: i64):
    %k = linalg.index 1 : index
    %n = arith.index_cast %k : index to i64
    %g = arith.cmpf ogt, %i, %o : f32
    %0 = arith.select %g, %i, %o : f32
    %1 = arith.select %g, %n, %p : i64
    linalg.yield %0, %1 : f32, i64
  } -> (tensor<8xf32>, tensor<8xi64>)
  bufferization.materialize_in_destination %y#0 in restrict writable %b : (tensor<8xf32>, memref<8xf32>) -> ()
  bufferization.materialize_in_destination %y#1 in restrict writable %c : (tensor<8xi64>, memref<8xi64>) -> ()
  return
}
