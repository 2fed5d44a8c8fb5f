// Six query heads share two heads of keys and values: a dim of their own.

// RUN: fusion-opt %s -fusion-expand-repeats -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @shared(
// CHECK-SAME:      %[[Q:.*]]: tensor<6x16x8xf16>, %[[K:.*]]: tensor<2x32x8xf16>, %[[V:.*]]: tensor<2x32x16xf16>
// CHECK-DAG:     %[[KR:.*]] = linalg.broadcast ins(%[[K]]
// CHECK-DAG:     %[[VR:.*]] = linalg.broadcast ins(%[[V]]
// CHECK-DAG:     %[[QE:.*]] = tensor.expand_shape %[[Q]] {{\[\[}}0, 1], [2], [3]] output_shape [2, 3, 16, 8]
// CHECK:         linalg.generic {{.*}} ins(%[[QE]], %[[KR]] : {{.*}}) outs(%{{.*}} : tensor<2x3x16x32xf32>)
// CHECK:         arith.maximumf
// CHECK:         } -> tensor<2x3x16xf32>
// CHECK:         math.exp
// CHECK:         } -> tensor<2x3x16x32xf32>
// CHECK:         %[[O:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %[[VR]] : {{.*}}) outs(%{{.*}} : tensor<2x3x16x16xf32>)
// CHECK:         tensor.collapse_shape %[[O]]
#s = affine_map<(b, i, j, k) -> (b, i, j)>
#q = affine_map<(b, i, j, k) -> (b, i, k)>
#k = affine_map<(b, i, j, k) -> (b, j, k)>
#w = affine_map<(b, i, d, j) -> (b, i, j)>
#v = affine_map<(b, i, d, j) -> (b, j, d)>
#o = affine_map<(b, i, d, j) -> (b, i, d)>
#id = affine_map<(b, i, j) -> (b, i, j)>
#row = affine_map<(b, i, j) -> (b, i)>
#head = affine_map<(b, i, j) -> (b)>
func.func @shared(%q: tensor<6x16x8xf16>, %k2: tensor<2x32x8xf16>, %v2: tensor<2x32x16xf16>) -> (tensor<6x16x16xf32>) {
  %ke = tensor.empty() : tensor<2x3x32x8xf16>
  %kr = linalg.broadcast ins(%k2 : tensor<2x32x8xf16>) outs(%ke : tensor<2x3x32x8xf16>) dimensions = [1]
  %k = tensor.collapse_shape %kr [[0, 1], [2], [3]] : tensor<2x3x32x8xf16> into tensor<6x32x8xf16>
  %ve = tensor.empty() : tensor<2x3x32x16xf16>
  %vr = linalg.broadcast ins(%v2 : tensor<2x32x16xf16>) outs(%ve : tensor<2x3x32x16xf16>) dimensions = [1]
  %v = tensor.collapse_shape %vr [[0, 1], [2], [3]] : tensor<2x3x32x16xf16> into tensor<6x32x16xf16>
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %se = tensor.empty() : tensor<6x16x32xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%se : tensor<6x16x32xf32>) -> tensor<6x16x32xf32>
  %re = tensor.empty() : tensor<6x16xf32>
  %max0 = linalg.fill ins(%inf : f32) outs(%re : tensor<6x16xf32>) -> tensor<6x16xf32>
  %sum0 = linalg.fill ins(%zero : f32) outs(%re : tensor<6x16xf32>) -> tensor<6x16xf32>
  %he = tensor.empty() : tensor<6x16x32xf16>
  %oe = tensor.empty() : tensor<6x16x16xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%oe : tensor<6x16x16xf32>) -> tensor<6x16x16xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<6x16x8xf16>, tensor<6x32x8xf16>) outs(%s0 : tensor<6x16x32xf32>) {
  ^bb0(%i0: f16, %i1: f16, %z: f32):
    %0 = arith.extf %i0 : f16 to f32
    %1 = arith.extf %i1 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %z, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<6x16x32xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%s : tensor<6x16x32xf32>) outs(%max0 : tensor<6x16xf32>) {
  ^bb0(%i0: f32, %z: f32):
    %0 = arith.maximumf %i0, %z : f32
    linalg.yield %0 : f32
  } -> tensor<6x16xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %max : tensor<6x16x32xf32>, tensor<6x16xf32>) outs(%se : tensor<6x16x32xf32>) {
  ^bb0(%a0: f32, %a1: f32, %r: f32):
    %0 = arith.subf %a0, %a1 : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<6x16x32xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%e : tensor<6x16x32xf32>) outs(%sum0 : tensor<6x16xf32>) {
  ^bb0(%i0: f32, %z: f32):
    %0 = arith.addf %i0, %z : f32
    linalg.yield %0 : f32
  } -> tensor<6x16xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%e, %sum : tensor<6x16x32xf32>, tensor<6x16xf32>) outs(%he : tensor<6x16x32xf16>) {
  ^bb0(%a0: f32, %a1: f32, %r: f16):
    %0 = arith.divf %a0, %a1 : f32
    %1 = arith.truncf %0 : f32 to f16
    linalg.yield %1 : f16
  } -> tensor<6x16x32xf16>
  %o = linalg.generic {indexing_maps = [#w, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%p, %v : tensor<6x16x32xf16>, tensor<6x32x16xf16>) outs(%o0 : tensor<6x16x16xf32>) {
  ^bb0(%i0: f16, %i1: f16, %z: f32):
    %0 = arith.extf %i0 : f16 to f32
    %1 = arith.extf %i1 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %z, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<6x16x16xf32>
  return %o : tensor<6x16x16xf32>
}
