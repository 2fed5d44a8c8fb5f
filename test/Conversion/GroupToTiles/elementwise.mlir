// RUN: fusion-opt %s -split-input-file -fusion-group-to-tiles -canonicalize -cse | FileCheck %s

// All dims become one: 16 rows of 64 are 1024 elements. A value that stays in the
// kernel keeps its f32 (the inner rounding is elided), the stored one is rounded.
// CHECK-LABEL: func.func private @flat(
// CHECK-SAME:    %[[A:.*]]: memref<16x64xf16>, %[[B:.*]]: memref<16x64xf16>)
// CHECK-SAME:    fusion.schedule = {columns = 128 : i64, kind = "elementwise", rows = 1 : i64, warps = 4 : i64}
// CHECK-DAG:     %[[CA:.*]] = memref.collapse_shape %[[A]] {{\[\[}}0, 1]]
// CHECK-DAG:     %[[CB:.*]] = memref.collapse_shape %[[B]] {{\[\[}}0, 1]]
// CHECK:         tile.launch @kernels::@flat grid(%c8, %c1, %c1) args(%[[CA]], %[[CB]] : memref<1024xf16>, memref<1024xf16>)
// CHECK-NEXT:    return
// CHECK:       gpu.func @flat(%[[A:.*]]: memref<1024xf16>, %[[B:.*]]: memref<1024xf16>) kernel
// CHECK-SAME:    tile.schedule = {{{.*}}kind = "elementwise"{{.*}}}, tile.warps = 4 : i32
// CHECK:         %[[ID:.*]] = gpu.block_id x
// CHECK:         %[[O:.*]] = arith.muli %[[ID]], %c128
// CHECK:         %[[X:.*]] = tile.load %[[A]][%[[O]]] dims [0] in_bounds [true] : memref<1024xf16> -> tensor<128xf16>
// CHECK-NEXT:    %[[W:.*]] = arith.extf %[[X]]
// CHECK-NEXT:    %[[E:.*]] = math.exp %[[W]] : tensor<128xf32>
// CHECK-NEXT:    %[[S:.*]] = arith.addf %[[E]], %{{.*}} : tensor<128xf32>
// CHECK-NEXT:    %[[R:.*]] = arith.truncf %[[S]]
// CHECK-NEXT:    tile.store %[[R]], %[[B]][%[[O]]] dims [0] in_bounds [true]
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func private @flat(%a: memref<16x64xf16>, %b: memref<16x64xf16>) attributes {fusion.group = "flat"} {
  %x = bufferization.to_tensor %a restrict : memref<16x64xf16> to tensor<16x64xf16>
  %e = tensor.empty() : tensor<16x64xf16>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<16x64xf16>) outs(%e : tensor<16x64xf16>) {
  ^bb0(%i: f16, %o: f16):
    %w = arith.extf %i : f16 to f32
    %s = math.exp %w : f32
    %t = arith.truncf %s {fusion.rounding} : f32 to f16
    linalg.yield %t : f16
  } -> tensor<16x64xf16>
  %one = arith.constant 1.0 : f32
  %z = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<16x64xf16>) outs(%e : tensor<16x64xf16>) {
  ^bb0(%i: f16, %o: f16):
    %w = arith.extf %i : f16 to f32
    %s = arith.addf %w, %one : f32
    %t = arith.truncf %s {fusion.rounding} : f32 to f16
    linalg.yield %t : f16
  } -> tensor<16x64xf16>
  bufferization.materialize_in_destination %z in restrict writable %b : (tensor<16x64xf16>, memref<16x64xf16>) -> ()
  return
}

// -----

// An explicit cast always rounds, and so does a value that leaves the kernel:
// whoever reads it inside sees it rounded.
// CHECK-LABEL: gpu.func @rounds(
// CHECK:         %[[X:.*]] = tile.load
// CHECK:         %[[R:.*]] = arith.truncf %[[X]] : tensor<64xf32> to tensor<64xf16>
// CHECK:         tile.store %[[R]]
// CHECK:         %[[W:.*]] = arith.extf %[[R]]
// CHECK:         %[[N:.*]] = arith.negf %[[W]]
// CHECK:         %[[C:.*]] = arith.truncf %[[N]] : tensor<64xf32> to tensor<64xf16>
// CHECK:         arith.extf %[[C]]
#d = affine_map<(d0) -> (d0)>
func.func private @rounds(%a: memref<64xf32>, %b: memref<64xf16>, %c: memref<64xf32>) attributes {fusion.group = "rounds"} {
  %x = bufferization.to_tensor %a restrict : memref<64xf32> to tensor<64xf32>
  %e = tensor.empty() : tensor<64xf16>
  %y = linalg.generic {indexing_maps = [#d, #d], iterator_types = ["parallel"]}
      ins(%x : tensor<64xf32>) outs(%e : tensor<64xf16>) {
  ^bb0(%i: f32, %o: f16):
    %t = arith.truncf %i {fusion.rounding} : f32 to f16
    linalg.yield %t : f16
  } -> tensor<64xf16>
  bufferization.materialize_in_destination %y in restrict writable %b : (tensor<64xf16>, memref<64xf16>) -> ()
  %f = tensor.empty() : tensor<64xf32>
  %z = linalg.generic {indexing_maps = [#d, #d], iterator_types = ["parallel"]}
      ins(%y : tensor<64xf16>) outs(%f : tensor<64xf32>) {
  ^bb0(%i: f16, %o: f32):
    %w = arith.extf %i : f16 to f32
    %n = arith.negf %w : f32
    %t = arith.truncf %n : f32 to f16
    %u = arith.extf %t : f16 to f32
    linalg.yield %u : f32
  } -> tensor<64xf32>
  bufferization.materialize_in_destination %z in restrict writable %c : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// Dynamic sizes: one dim of their product, bounds checked, blocks in a loop.
// CHECK-LABEL: func.func private @dynamic(
// CHECK-SAME:    %[[A:.*]]: memref<?x?xf32>, %[[B:.*]]: memref<?x?xf32>)
// CHECK-DAG:     %[[M:.*]] = memref.dim %[[A]], %c0
// CHECK-DAG:     %[[N:.*]] = memref.dim %[[A]], %c1
// CHECK:         %[[P:.*]] = arith.muli %[[M]], %[[N]]
// CHECK:         %[[T:.*]] = arith.ceildivui %[[P]], %c1024
// CHECK:         %[[G:.*]] = arith.minui %[[T]], %c2147483647
// CHECK:         tile.launch @kernels::@dynamic grid(%[[G]], %c1, %c1)
// CHECK:       gpu.func @dynamic(%[[A:.*]]: memref<?xf32>, %[[B:.*]]: memref<?xf32>)
// CHECK:         %[[N:.*]] = memref.dim %[[A]], %c0
// CHECK:         %[[T:.*]] = arith.ceildivui %[[N]], %c1024
// CHECK:         scf.for %[[I:.*]] = %{{.*}} to %[[T]] step %{{.*}} {
// CHECK:           %[[O:.*]] = arith.muli %[[I]], %c1024
// CHECK:           tile.load %[[A]][%[[O]]] dims [0] in_bounds [false]
// CHECK:           tile.store %{{.*}}, %[[B]][%[[O]]] dims [0] in_bounds [false]
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func private @dynamic(%a: memref<?x?xf32>, %b: memref<?x?xf32>) attributes {fusion.group = "dynamic"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = bufferization.to_tensor %a restrict : memref<?x?xf32> to tensor<?x?xf32>
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%i: f32, %o: f32):
    %s = math.sqrt %i : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  bufferization.materialize_in_destination %y in restrict writable %b : (tensor<?x?xf32>, memref<?x?xf32>) -> ()
  return
}

// -----

// A vector along the columns, one along the rows, a scalar, and a size-one dim:
// each is loaded along its own dims. The scalar goes everywhere at once.
// CHECK-LABEL: gpu.func @broadcasts(
// CHECK-SAME:    %[[X:.*]]: memref<100x24xf32>, %[[C:.*]]: memref<24xf32>, %[[R:.*]]: memref<100xf32>, %[[S:.*]]: memref<f32>, %[[Y:.*]]: memref<100x24xf32>)
// CHECK:         tile.load %[[X]][%[[I:.*]], %[[J:.*]]] dims [0, 1] in_bounds [true, false] : memref<100x24xf32> -> tensor<4x32xf32>
// CHECK-NEXT:    %[[CT:.*]] = tile.load %[[C]][%[[J]]] dims [0] in_bounds [false] : memref<24xf32> -> tensor<32xf32>
// CHECK-NEXT:    tile.broadcast %[[CT]] dims [1] : tensor<32xf32> -> tensor<4x32xf32>
// CHECK-NEXT:    %[[RT:.*]] = tile.load %[[R]][%[[I]]] dims [0] in_bounds [true] : memref<100xf32> -> tensor<4xf32>
// CHECK-NEXT:    tile.broadcast %[[RT]] dims [0] : tensor<4xf32> -> tensor<4x32xf32>
// CHECK-NEXT:    tile.load %[[S]][] dims [] in_bounds [] : memref<f32> -> tensor<4x32xf32>
func.func private @broadcasts(%a: memref<100x24xf32>, %c: memref<24xf32>, %r: memref<100x1xf32>, %s: memref<f32>, %b: memref<100x24xf32>)
    attributes {fusion.group = "broadcasts", fusion.schedule = {kind = "elementwise", rows = 4 : i64, columns = 32 : i64, warps = 4 : i64}} {
  %at = bufferization.to_tensor %a restrict : memref<100x24xf32> to tensor<100x24xf32>
  %ct = bufferization.to_tensor %c restrict : memref<24xf32> to tensor<24xf32>
  %rt = bufferization.to_tensor %r restrict : memref<100x1xf32> to tensor<100x1xf32>
  %st = bufferization.to_tensor %s restrict : memref<f32> to tensor<f32>
  %e = tensor.empty() : tensor<100x24xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>,
                                        affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> ()>,
                                        affine_map<(d0, d1) -> (d0, d1)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%at, %ct, %rt, %st : tensor<100x24xf32>, tensor<24xf32>, tensor<100x1xf32>, tensor<f32>) outs(%e : tensor<100x24xf32>) {
  ^bb0(%i: f32, %j: f32, %k: f32, %l: f32, %o: f32):
    %0 = arith.addf %i, %j : f32
    %1 = arith.addf %0, %k : f32
    %2 = arith.mulf %1, %l : f32
    linalg.yield %2 : f32
  } -> tensor<100x24xf32>
  bufferization.materialize_in_destination %y in restrict writable %b : (tensor<100x24xf32>, memref<100x24xf32>) -> ()
  return
}

// -----

// Transposed: the tile is wide along both dims; the load names the memref's order.
// The batch dim is a coordinate.
// CHECK-LABEL: gpu.func @transposed(
// CHECK-SAME:    %[[X:.*]]: memref<3x64x128xf32>, %[[Y:.*]]: memref<3x128x64xf32>)
// CHECK:         %[[T:.*]] = tile.load %[[X]][%[[B:.*]], %[[J:.*]], %[[I:.*]]] dims [-1, 1, 0] in_bounds [true, true, true] : memref<3x64x128xf32> -> tensor<64x64xf32>
// CHECK:         tile.store %{{.*}}, %[[Y]][%[[B]], %[[I]], %[[J]]] dims [-1, 0, 1] in_bounds [true, true, true]
func.func private @transposed(%a: memref<3x64x128xf32>, %b: memref<3x128x64xf32>) attributes {fusion.group = "transposed"} {
  %x = bufferization.to_tensor %a restrict : memref<3x64x128xf32> to tensor<3x64x128xf32>
  %e = tensor.empty() : tensor<3x128x64xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, j, i)>, affine_map<(b, i, j) -> (b, i, j)>],
                       iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<3x64x128xf32>) outs(%e : tensor<3x128x64xf32>) {
  ^bb0(%i: f32, %o: f32):
    %n = math.absf %i : f32
    linalg.yield %n : f32
  } -> tensor<3x128x64xf32>
  bufferization.materialize_in_destination %y in restrict writable %b : (tensor<3x128x64xf32>, memref<3x128x64xf32>) -> ()
  return
}

// -----

// y + transpose(y): the producer is computed along both orders.
// CHECK-LABEL: gpu.func @both_orders(
// CHECK:         %[[P:.*]] = tile.load %[[X:.*]][%[[I:.*]], %[[J:.*]]] dims [0, 1]
// CHECK-NEXT:    %[[E:.*]] = math.exp %[[P]]
// CHECK-NEXT:    %[[Q:.*]] = tile.load %[[X]][%[[J]], %[[I]]] dims [1, 0]
// CHECK-NEXT:    %[[F:.*]] = math.exp %[[Q]]
// CHECK:         arith.addf
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func private @both_orders(%a: memref<64x64xf32>, %b: memref<64x64xf32>) attributes {fusion.group = "both"} {
  %x = bufferization.to_tensor %a restrict : memref<64x64xf32> to tensor<64x64xf32>
  %e = tensor.empty() : tensor<64x64xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%i: f32, %o: f32):
    %s = math.exp %i : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32>
  %z = linalg.generic {indexing_maps = [#id, affine_map<(d0, d1) -> (d1, d0)>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y, %y : tensor<64x64xf32>, tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %s = arith.addf %i, %j : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32>
  bufferization.materialize_in_destination %z in restrict writable %b : (tensor<64x64xf32>, memref<64x64xf32>) -> ()
  return
}

// -----

// A mask from indices, a fill, and i1: dims that are asked for stay apart.
// CHECK-LABEL: gpu.func @masked(
// CHECK-DAG:     %[[I:.*]] = tile.index %[[OI:.*]] dim 0 : tensor<8x64xindex>
// CHECK-DAG:     %[[J:.*]] = tile.index %[[OJ:.*]] dim 1 : tensor<8x64xindex>
// CHECK:         %[[C:.*]] = arith.cmpi ule, %[[J]], %[[I]] : tensor<8x64xindex>
// CHECK:         arith.select %[[C]], %{{.*}}, %{{.*}} : tensor<8x64xi1>, tensor<8x64xf32>
func.func private @masked(%a: memref<64x64xf32>, %b: memref<64x64xf32>)
    attributes {fusion.group = "masked", fusion.schedule = {kind = "elementwise", rows = 8 : i64, columns = 64 : i64, warps = 4 : i64}} {
  %x = bufferization.to_tensor %a restrict : memref<64x64xf32> to tensor<64x64xf32>
  %ninf = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%ninf : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %f : tensor<64x64xf32>, tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%i: f32, %n: f32, %o: f32):
    %r = linalg.index 0 : index
    %c = linalg.index 1 : index
    %k = arith.cmpi ule, %c, %r : index
    %s = arith.select %k, %i, %n : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32>
  bufferization.materialize_in_destination %y in restrict writable %b : (tensor<64x64xf32>, memref<64x64xf32>) -> ()
  return
}

// -----

// Rank zero: one tile of one element, in one block.
// CHECK-LABEL: gpu.func @scalars(
// CHECK:         tile.load %{{.*}}[] dims [] in_bounds [] : memref<f32> -> tensor<1xf32>
// CHECK:         tile.store %{{.*}}, %{{.*}}[] dims [] in_bounds [] : tensor<1xf32>, memref<f32>
func.func private @scalars(%a: memref<f32>, %b: memref<1x1xf32>) attributes {fusion.group = "scalars"} {
  %x = bufferization.to_tensor %a restrict : memref<f32> to tensor<f32>
  %e = tensor.empty() : tensor<1x1xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<f32>) outs(%e : tensor<1x1xf32>) {
  ^bb0(%i: f32, %o: f32):
    %s = math.exp %i : f32
    linalg.yield %s : f32
  } -> tensor<1x1xf32>
  bufferization.materialize_in_destination %y in restrict writable %b : (tensor<1x1xf32>, memref<1x1xf32>) -> ()
  return
}

// -----

// A scalar that the host computes (a size) is an argument of the launch.
// CHECK-LABEL: func.func private @size(
// CHECK-SAME:    %[[A:.*]]: memref<?xf32>, %[[B:.*]]: memref<?xf32>)
// CHECK:         %[[N:.*]] = memref.dim %[[A]], %c0
// CHECK:         %[[I:.*]] = arith.index_cast %[[N]]
// CHECK:         %[[F:.*]] = arith.sitofp %[[I]]
// CHECK:         tile.launch {{.*}} args(%[[A]], %[[B]], %[[F]] : memref<?xf32>, memref<?xf32>, f32)
// CHECK:       gpu.func @size(%{{.*}}: memref<?xf32>, %{{.*}}: memref<?xf32>, %[[F:.*]]: f32)
// CHECK:         %[[S:.*]] = tile.splat %[[F]] : f32 -> tensor<1024xf32>
// CHECK:         arith.divf %{{.*}}, %[[S]]
#d = affine_map<(d0) -> (d0)>
func.func private @size(%a: memref<?xf32>, %b: memref<?xf32>) attributes {fusion.group = "size"} {
  %c0 = arith.constant 0 : index
  %x = bufferization.to_tensor %a restrict : memref<?xf32> to tensor<?xf32>
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %i = arith.index_cast %n : index to i64
  %f = arith.sitofp %i : i64 to f32
  %e = tensor.empty(%n) : tensor<?xf32>
  %y = linalg.generic {indexing_maps = [#d, #d], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%v: f32, %o: f32):
    %s = arith.divf %v, %f : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  bufferization.materialize_in_destination %y in restrict writable %b : (tensor<?xf32>, memref<?xf32>) -> ()
  return
}
