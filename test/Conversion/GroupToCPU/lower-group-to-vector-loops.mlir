// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-lower-group-to-vector-loops{vector-bits=512},canonicalize,cse))' -split-input-file | FileCheck %s

// Along the innermost dimension: whole vectors, then one masked.
// CHECK-LABEL: func.func @elementwise(
// CHECK-SAME:      %[[A:.*]]: memref<8x?xf32>, %[[B:.*]]: memref<8xf32>
// CHECK:         scf.for %[[I:.*]] = %c0 to %c8 step %c1
// CHECK:           scf.for %[[J:.*]] = %c0 to %[[WHOLE:.*]] step %c16
// CHECK:             %[[X:.*]] = vector.load %[[A]][%[[I]], %[[J]]] {{.*}} vector<16xf32>
// CHECK:             %[[Y:.*]] = memref.load %[[B]][%[[I]]]
// CHECK:             %[[S:.*]] = vector.broadcast %[[Y]] : f32 to vector<16xf32>
// CHECK:             arith.addf %[[X]], %[[S]] : vector<16xf32>
// CHECK:             vector.store
// CHECK:           scf.for %{{.*}} = %[[WHOLE]] to %{{.*}} step %c16
// CHECK:             vector.create_mask
// CHECK:             vector.maskedload
// CHECK:             vector.maskedstore
func.func @elementwise(%a: memref<8x?xf32>, %b: memref<8xf32>, %out: memref<8x?xf32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : memref<8x?xf32>, memref<8xf32>) outs(%out : memref<8x?xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// Along the reduced dimension: lanes, then halves of the lanes.
// CHECK-LABEL: func.func @row_maximum(
// CHECK-DAG:     %[[NEUTRAL:.*]] = arith.constant dense<0xFF800000> : vector<16xf32>
// CHECK:         %[[LANES:.*]] = scf.for {{.*}} iter_args(%[[ACC:.*]] = %[[NEUTRAL]]) -> (vector<16xf32>)
// CHECK:           %[[NEXT:.*]] = arith.maximumf %[[ACC]], %{{.*}} : vector<16xf32>
// CHECK:           scf.yield %[[NEXT]]
// CHECK:         arith.maximumf {{.*}} : vector<8xf32>
// CHECK:         arith.maximumf {{.*}} : vector<4xf32>
// CHECK:         arith.maximumf {{.*}} : vector<2xf32>
// CHECK:         arith.maximumf {{.*}} : vector<1xf32>
// CHECK:         arith.maximumf {{.*}} : f32
// CHECK:         memref.store
func.func @row_maximum(%a: memref<4x64xf32>, %out: memref<4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>], iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<4x64xf32>) outs(%out : memref<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.maximumf %o, %x : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// Half factors are widened where they are packed; the right one, [N, K], is
// transposed there. Sums are one fused multiply-add per term, in order.
// CHECK-LABEL: func.func @contraction(
// CHECK-DAG:     %[[PANELS:.*]] = memref.alloca() {alignment = 64 : i64, fusion.pack_buffer} : memref<8x256x32xf32>
// CHECK-DAG:     %[[ROWS:.*]] = memref.alloca() {alignment = 64 : i64, fusion.pack_buffer} : memref<128x256xf32>
// CHECK-COUNT-64: vector.shuffle
// CHECK:         vector.store {{.*}} %[[PANELS]]
// CHECK:         arith.extf {{.*}} : vector<16xf16> to vector<16xf32>
// CHECK:         vector.store {{.*}} %[[ROWS]]
// CHECK:         %[[SUMS:.*]]:16 = scf.for
// CHECK-COUNT-16: math.fma {{.*}} : vector<16xf32>
// CHECK-COUNT-16: vector.maskedstore
func.func @contraction(%a: memref<?x?xf16>, %b: memref<?x?xf16>, %out: memref<?x?xf32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<?x?xf16>, memref<?x?xf16>) outs(%out : memref<?x?xf32>) {
  ^bb0(%x: f16, %y: f16, %o: f32):
    %p = arith.extf %x : f16 to f32
    %q = arith.extf %y : f16 to f32
    %s = arith.mulf %p, %q : f32
    %t = arith.addf %o, %s : f32
    linalg.yield %t : f32
  }
  return
}

// -----

// Factors that are computed are so where they are packed: rows of the right one by
// lines of both its arrays, the left one's factor of a row by its scalar. The sums
// read what is packed.
// CHECK-LABEL: func.func @computed_factors(
// CHECK-SAME:      %[[A:.*]]: memref<?x?xf32>, %[[S:.*]]: memref<?xf32>, %[[B:.*]]: memref<?x?xi8>, %[[G:.*]]: memref<?xf32>, %{{.*}}: memref<?x?xf32>)
// CHECK-DAG:     %[[PANELS:.*]] = memref.alloca() {alignment = 64 : i64, fusion.pack_buffer} : memref<8x256x32xf32>
// CHECK-DAG:     %[[ROWS:.*]] = memref.alloca() {alignment = 64 : i64, fusion.pack_buffer} : memref<128x256xf32>
// CHECK:         %[[W:.*]] = vector.maskedload %[[B]]
// CHECK:         %[[F:.*]] = vector.maskedload %[[G]]
// CHECK:         %[[WIDE:.*]] = arith.sitofp %[[W]] : vector<16xi8> to vector<16xf32>
// CHECK:         %[[RIGHT:.*]] = arith.mulf %[[WIDE]], %[[F]] : vector<16xf32>
// CHECK:         vector.store %[[RIGHT]], %[[PANELS]]
// CHECK:         %[[X:.*]] = vector.maskedload %[[A]]
// CHECK:         %[[ONE:.*]] = memref.load %[[S]]
// CHECK:         %[[SAME:.*]] = vector.broadcast %[[ONE]] : f32 to vector<16xf32>
// CHECK:         %[[SUM:.*]] = arith.addf %[[X]], %[[SAME]] : vector<16xf32>
// CHECK:         %[[LEFT:.*]] = math.exp %[[SUM]] : vector<16xf32>
// CHECK:         vector.store %[[LEFT]], %[[ROWS]]
// CHECK-NOT:     math.exp
// CHECK:         math.fma {{.*}} : vector<16xf32>
// CHECK-NOT:     math.exp
func.func @computed_factors(%a: memref<?x?xf32>, %s: memref<?xf32>, %b: memref<?x?xi8>, %g: memref<?xf32>, %out: memref<?x?xf32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %s, %b, %g : memref<?x?xf32>, memref<?xf32>, memref<?x?xi8>, memref<?xf32>) outs(%out : memref<?x?xf32>)
      attrs = {fusion.computes_operands} {
  ^bb0(%x: f32, %t: f32, %w: i8, %f: f32, %o: f32):
    %0 = arith.addf %x, %t : f32
    %1 = math.exp %0 : f32
    %2 = arith.sitofp %w : i8 to f32
    %3 = arith.mulf %2, %f : f32
    %4 = arith.mulf %1, %3 : f32
    %5 = arith.addf %o, %4 : f32
    linalg.yield %5 : f32
  }
  return
}

// -----

// Sums in a half type round at each step: they are no contraction.
// CHECK-LABEL: func.func @half_sums(
// CHECK-NOT:     math.fma
// CHECK:         arith.mulf {{.*}} : vector<16xf16>
// CHECK:         arith.addf {{.*}} : vector<16xf16>
func.func @half_sums(%a: memref<8x8xf16>, %b: memref<8x8xf16>, %out: memref<8x8xf16>) {
  linalg.matmul ins(%a, %b : memref<8x8xf16>, memref<8x8xf16>) outs(%out : memref<8x8xf16>)
  return
}

// -----

// An input that is contiguous along another loop is read in squares and
// transposed in registers.
// CHECK-LABEL: func.func @transpose(
// CHECK:         scf.for %{{.*}} = %c0 to %c40 step %c16
// CHECK:           scf.for %{{.*}} = %c0 to %c80 step %c16
// CHECK-COUNT-16:    vector.maskedload
// CHECK-COUNT-64:    vector.shuffle
// CHECK-COUNT-16:    vector.maskedstore
func.func @transpose(%a: memref<80x40xf32>, %out: memref<40x80xf32>) {
  linalg.transpose ins(%a : memref<80x40xf32>) outs(%out : memref<40x80xf32>) permutation = [1, 0]
  return
}

// -----

// Sums of columns take several vectors of each line at a time.
// CHECK-LABEL: func.func @column_sums(
// CHECK:         scf.for %{{.*}} = %c0 to %c256 step %c128
// CHECK:           scf.for %{{.*}} = %c0 to %c64 step %c1 iter_args
// CHECK-COUNT-8:     arith.addf {{.*}} : vector<16xf32>
// CHECK:             scf.yield
func.func @column_sums(%a: memref<64x256xf32>, %out: memref<256xf32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>], iterator_types = ["reduction", "parallel"]}
      ins(%a : memref<64x256xf32>) outs(%out : memref<256xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %o, %x : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// Every second element is no vector.
// CHECK-LABEL: func.func @strided(
// CHECK-NOT:     vector
func.func @strided(%a: memref<16xf32>, %out: memref<8xf32>) {
  linalg.generic {indexing_maps = [affine_map<(m) -> (m * 2)>, affine_map<(m) -> (m)>], iterator_types = ["parallel"]}
      ins(%a : memref<16xf32>) outs(%out : memref<8xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  }
  return
}

// -----

// An i1 is a byte in memory, which no vector of i1 is; a division might trap in
// lanes that are masked.
// CHECK-LABEL: func.func @scalar_only(
// CHECK-NOT:     vector
func.func @scalar_only(%a: memref<8xi1>, %b: memref<8xi1>, %c: memref<8xi32>, %d: memref<8xi32>) {
  linalg.copy ins(%a : memref<8xi1>) outs(%b : memref<8xi1>)
  linalg.generic {indexing_maps = [affine_map<(m) -> (m)>, affine_map<(m) -> (m)>], iterator_types = ["parallel"]}
      ins(%c : memref<8xi32>) outs(%d : memref<8xi32>) {
  ^bb0(%x: i32, %y: i32):
    %s = arith.divsi %y, %x : i32
    linalg.yield %s : i32
  }
  return
}
