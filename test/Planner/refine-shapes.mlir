// Ops on both sides of a reshape run on the coarsest shape that both consist of.

// RUN: fusion-opt %s -fusion-sink-reshapes -canonicalize -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups))' \
// RUN:   -split-input-file | FileCheck %s --check-prefix=GROUPS

// Rows of 4 channels are summed, then each channel has a factor.
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#id4 = affine_map<(n, c, h, w) -> (n, c, h, w)>
#channel = affine_map<(n, c, h, w) -> (c)>

// CHECK-DAG:   #[[$ALL:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
// CHECK-DAG:   #[[$GROUP:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1)>
// CHECK-DAG:   #[[$CHANNEL:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d1, d2)>
// CHECK-LABEL: func.func @groups_of_channels(
// CHECK-SAME:      %[[X:[^:]*]]: tensor<16x324xf32>, %[[S:[^:]*]]: tensor<32xf32>
// CHECK:         %[[SUM:.*]] = linalg.generic {indexing_maps = [#[[$ALL]], #[[$GROUP]]], {{.*}}"parallel", "parallel", "reduction", "reduction", "reduction"]}
// CHECK:         } -> tensor<2x8xf32>
// CHECK:         %[[SUB:.*]] = linalg.generic {indexing_maps = [#[[$ALL]], #[[$GROUP]], #[[$ALL]]]
// CHECK-SAME:        ins(%{{.*}}, %[[SUM]] : tensor<2x8x4x9x9xf32>, tensor<2x8xf32>)
// CHECK:         %[[CUT:.*]] = tensor.expand_shape %[[S]] {{\[\[}}0, 1]] output_shape [8, 4]
// CHECK:         linalg.generic {indexing_maps = [#[[$ALL]], #[[$CHANNEL]], #[[$ALL]]]
// CHECK-SAME:        ins(%[[SUB]], %[[CUT]] : tensor<2x8x4x9x9xf32>, tensor<8x4xf32>)
// CHECK:         tensor.collapse_shape %{{.*}} {{\[\[}}0], [1, 2], [3], [4]]
// GROUPS-LABEL: func.func @groups_of_channels(
// GROUPS-COUNT-1: fusion.group
// GROUPS-NOT:     fusion.group
func.func @groups_of_channels(%x: tensor<16x324xf32>, %scale: tensor<32xf32>) -> tensor<2x32x9x9xf32> {
  %zero = arith.constant 0.0 : f32
  %e16 = tensor.empty() : tensor<16xf32>
  %e = tensor.empty() : tensor<16x324xf32>
  %e4 = tensor.empty() : tensor<2x32x9x9xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e16 : tensor<16xf32>) -> tensor<16xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<16x324xf32>) outs(%f : tensor<16xf32>) {
  ^bb0(%a: f32, %d: f32):
    %0 = arith.addf %d, %a : f32
    linalg.yield %0 : f32
  } -> tensor<16xf32>
  %sub = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<16x324xf32>, tensor<16xf32>) outs(%e : tensor<16x324xf32>) {
  ^bb0(%a: f32, %b: f32, %d: f32):
    %0 = arith.subf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<16x324xf32>
  %flat = tensor.collapse_shape %sub [[0, 1]] : tensor<16x324xf32> into tensor<5184xf32>
  %image = tensor.expand_shape %flat [[0, 1, 2, 3]] output_shape [2, 32, 9, 9] : tensor<5184xf32> into tensor<2x32x9x9xf32>
  %y = linalg.generic {indexing_maps = [#id4, #channel, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%image, %scale : tensor<2x32x9x9xf32>, tensor<32xf32>) outs(%e4 : tensor<2x32x9x9xf32>) {
  ^bb0(%a: f32, %b: f32, %d: f32):
    %0 = arith.mulf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<2x32x9x9xf32>
  return %y : tensor<2x32x9x9xf32>
}

// -----

// The size of the batch is open, and the body asks where it is: position c of
// the reader is 4 * (outer part) + (inner part).
#id = affine_map<(i, j) -> (i, j)>
#id3 = affine_map<(n, c, p) -> (n, c, p)>
#channel = affine_map<(n, c, p) -> (c)>

// CHECK-LABEL: func.func @open_batch(
// CHECK-SAME:      %[[X:[^:]*]]: tensor<?x12xf32>
// CHECK-DAG:     %[[FOUR:.*]] = arith.constant 4 : index
// CHECK:         tensor.expand_shape %[[X]] {{\[\[}}0, 1], [2, 3]] output_shape [%{{.*}}, 2, 4, 3]
// CHECK:         linalg.generic {{.*}}"parallel", "parallel", "parallel", "parallel"]}
// CHECK:           math.exp
// CHECK:         linalg.generic
// CHECK:           %[[OUTER:.*]] = linalg.index 1
// CHECK:           %[[INNER:.*]] = linalg.index 2
// CHECK:           %[[BASE:.*]] = arith.muli %[[OUTER]], %[[FOUR]]
// CHECK:           arith.addi %[[BASE]], %[[INNER]]
// CHECK:         tensor.collapse_shape %{{.*}} {{\[\[}}0], [1, 2], [3]]
// GROUPS-LABEL: func.func @open_batch(
// GROUPS-COUNT-1: fusion.group
// GROUPS-NOT:     fusion.group
func.func @open_batch(%x: tensor<?x12xf32>, %scale: tensor<8xf32>, %e: tensor<?x12xf32>, %e3: tensor<?x8x3xf32>, %n: index) -> tensor<?x8x3xf32> {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x12xf32>) outs(%e : tensor<?x12xf32>) {
  ^bb0(%a: f32, %d: f32):
    %0 = math.exp %a : f32
    linalg.yield %0 : f32
  } -> tensor<?x12xf32>
  %flat = tensor.collapse_shape %r [[0, 1]] : tensor<?x12xf32> into tensor<?xf32>
  %parts = tensor.expand_shape %flat [[0, 1, 2]] output_shape [%n, 8, 3] : tensor<?xf32> into tensor<?x8x3xf32>
  %y = linalg.generic {indexing_maps = [#id3, #channel, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%parts, %scale : tensor<?x8x3xf32>, tensor<8xf32>) outs(%e3 : tensor<?x8x3xf32>) {
  ^bb0(%a: f32, %b: f32, %d: f32):
    %c = linalg.index 1 : index
    %i = arith.index_cast %c : index to i32
    %p = arith.sitofp %i : i32 to f32
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %0, %p : f32
    linalg.yield %1 : f32
  } -> tensor<?x8x3xf32>
  return %y : tensor<?x8x3xf32>
}
