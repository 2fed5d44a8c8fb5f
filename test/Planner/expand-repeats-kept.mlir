// Repeated operands of contractions that stay as they are, each with its reason.

// RUN: fusion-opt %s -fusion-expand-repeats -split-input-file | FileCheck %s
// RUN: fusion-opt %s -fusion-expand-repeats -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// Contractions apart from a softmax stay as they are.
// CHECK-LABEL: func.func @product(
// CHECK:         tensor.collapse_shape
// CHECK:         linalg.batch_matmul
func.func @product(%q: tensor<6x16x8xf16>, %k: tensor<2x8x32xf16>, %d: tensor<6x16x32xf32>) -> tensor<6x16x32xf32> {
  %e = tensor.empty() : tensor<2x3x8x32xf16>
  %r = linalg.broadcast ins(%k : tensor<2x8x32xf16>) outs(%e : tensor<2x3x8x32xf16>) dimensions = [1]
  %c = tensor.collapse_shape %r [[0, 1], [2], [3]] : tensor<2x3x8x32xf16> into tensor<6x8x32xf16>
  // expected-remark @below {{Reason="more than a softmax of its rows and a contraction over its columns follows"}}
  %0 = linalg.batch_matmul ins(%q, %c : tensor<6x16x8xf16>, tensor<6x8x32xf16>) outs(%d : tensor<6x16x32xf32>) -> tensor<6x16x32xf32>
  return %0 : tensor<6x16x32xf32>
}

// -----

// Nothing repeats: keys of six heads, merged dims that both differ.
// CHECK-LABEL: func.func @real(
// CHECK-COUNT-2: tensor.collapse_shape
// CHECK-NOT:     tensor.expand_shape
#s = affine_map<(b, i, j, k) -> (b, i, j)>
#q = affine_map<(b, i, j, k) -> (b, i, k)>
#k = affine_map<(b, i, j, k) -> (b, j, k)>
#w = affine_map<(b, i, d, j) -> (b, i, j)>
#v = affine_map<(b, i, d, j) -> (b, j, d)>
#o = affine_map<(b, i, d, j) -> (b, i, d)>
#id = affine_map<(b, i, j) -> (b, i, j)>
#row = affine_map<(b, i, j) -> (b, i)>
#head = affine_map<(b, i, j) -> (b)>
func.func @real(%q: tensor<6x16x8xf16>, %k2: tensor<2x3x32x8xf16>, %v2: tensor<2x3x32x16xf16>) -> (tensor<6x16x16xf32>) {
  %k = tensor.collapse_shape %k2 [[0, 1], [2], [3]] : tensor<2x3x32x8xf16> into tensor<6x32x8xf16>
  %v = tensor.collapse_shape %v2 [[0, 1], [2], [3]] : tensor<2x3x32x16xf16> into tensor<6x32x16xf16>
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

// -----

// The scores are a result too.
// CHECK-LABEL: func.func @scores_returned(
// CHECK-COUNT-2: tensor.collapse_shape
// CHECK-NOT:     tensor.expand_shape
// CHECK:         return
#s = affine_map<(b, i, j, k) -> (b, i, j)>
#q = affine_map<(b, i, j, k) -> (b, i, k)>
#k = affine_map<(b, i, j, k) -> (b, j, k)>
#w = affine_map<(b, i, d, j) -> (b, i, j)>
#v = affine_map<(b, i, d, j) -> (b, j, d)>
#o = affine_map<(b, i, d, j) -> (b, i, d)>
#id = affine_map<(b, i, j) -> (b, i, j)>
#row = affine_map<(b, i, j) -> (b, i)>
#head = affine_map<(b, i, j) -> (b)>
func.func @scores_returned(%q: tensor<6x16x8xf16>, %k2: tensor<2x32x8xf16>, %v2: tensor<2x32x16xf16>) -> (tensor<6x16x16xf32>, tensor<6x16x32xf32>) {
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
  // expected-remark @below {{Reason="what lies between the contractions is needed elsewhere"}}
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
  // expected-remark @below {{Reason="more than a softmax of its rows and a contraction over its columns follows"}}
  %o = linalg.generic {indexing_maps = [#w, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%p, %v : tensor<6x16x32xf16>, tensor<6x32x16xf16>) outs(%o0 : tensor<6x16x16xf32>) {
  ^bb0(%i0: f16, %i1: f16, %z: f32):
    %0 = arith.extf %i0 : f16 to f32
    %1 = arith.extf %i1 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %z, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<6x16x16xf32>
  return %o, %s : tensor<6x16x16xf32>, tensor<6x16x32xf32>
}


// -----

// The weights are a result too.
// CHECK-LABEL: func.func @weights_returned(
// CHECK-COUNT-2: tensor.collapse_shape
// CHECK-NOT:     tensor.expand_shape
// CHECK:         return
#s = affine_map<(b, i, j, k) -> (b, i, j)>
#q = affine_map<(b, i, j, k) -> (b, i, k)>
#k = affine_map<(b, i, j, k) -> (b, j, k)>
#w = affine_map<(b, i, d, j) -> (b, i, j)>
#v = affine_map<(b, i, d, j) -> (b, j, d)>
#o = affine_map<(b, i, d, j) -> (b, i, d)>
#id = affine_map<(b, i, j) -> (b, i, j)>
#row = affine_map<(b, i, j) -> (b, i)>
#head = affine_map<(b, i, j) -> (b)>
func.func @weights_returned(%q: tensor<6x16x8xf16>, %k2: tensor<2x32x8xf16>, %v2: tensor<2x32x16xf16>) -> (tensor<6x16x16xf32>, tensor<6x16x32xf16>) {
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
  // expected-remark @below {{Reason="what lies between the contractions is needed elsewhere"}}
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
  // expected-remark @below {{Reason="more than a softmax of its rows and a contraction over its columns follows"}}
  %o = linalg.generic {indexing_maps = [#w, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%p, %v : tensor<6x16x32xf16>, tensor<6x32x16xf16>) outs(%o0 : tensor<6x16x16xf32>) {
  ^bb0(%i0: f16, %i1: f16, %z: f32):
    %0 = arith.extf %i0 : f16 to f32
    %1 = arith.extf %i1 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %z, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<6x16x16xf32>
  return %o, %p : tensor<6x16x16xf32>, tensor<6x16x32xf16>
}


// -----

// What the weights are divided by is no sum of them.
// CHECK-LABEL: func.func @sum_of_another(
// CHECK-COUNT-2: tensor.collapse_shape
// CHECK-NOT:     tensor.expand_shape
// CHECK:         return
#s = affine_map<(b, i, j, k) -> (b, i, j)>
#q = affine_map<(b, i, j, k) -> (b, i, k)>
#k = affine_map<(b, i, j, k) -> (b, j, k)>
#w = affine_map<(b, i, d, j) -> (b, i, j)>
#v = affine_map<(b, i, d, j) -> (b, j, d)>
#o = affine_map<(b, i, d, j) -> (b, i, d)>
#id = affine_map<(b, i, j) -> (b, i, j)>
#row = affine_map<(b, i, j) -> (b, i)>
#head = affine_map<(b, i, j) -> (b)>
func.func @sum_of_another(%q: tensor<6x16x8xf16>, %k2: tensor<2x32x8xf16>, %v2: tensor<2x32x16xf16>) -> (tensor<6x16x16xf32>) {
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
  // expected-remark @below {{Reason="what is summed is no exponential"}}
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
      ins(%s : tensor<6x16x32xf32>) outs(%sum0 : tensor<6x16xf32>) {
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
  // expected-remark @below {{Reason="more than a softmax of its rows and a contraction over its columns follows"}}
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

// -----

// The product in the middle belongs to two attentions: the first one gets it.
// CHECK-LABEL: func.func @twice(
// CHECK:         math.exp
// CHECK:         } -> tensor<2x3x16x32xf32>
// CHECK:         math.exp
// CHECK:         } -> tensor<6x16x16xf32>
#s = affine_map<(b, i, j, k) -> (b, i, j)>
#q = affine_map<(b, i, j, k) -> (b, i, k)>
#k = affine_map<(b, i, j, k) -> (b, j, k)>
#w = affine_map<(b, i, d, j) -> (b, i, j)>
#v = affine_map<(b, i, d, j) -> (b, j, d)>
#o = affine_map<(b, i, d, j) -> (b, i, d)>
#id = affine_map<(b, i, j) -> (b, i, j)>
#row = affine_map<(b, i, j) -> (b, i)>
func.func @twice(%q: tensor<6x16x8xf16>, %k2: tensor<2x32x8xf16>, %v2: tensor<2x32x16xf16>, %w2: tensor<6x16x24xf16>) -> (tensor<6x16x24xf32>) {
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
  // expected-remark @below {{Reason="the heads of another attention, which shares operations with this one, become a dim of their own"}}
  %o = linalg.generic {indexing_maps = [#w, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%p, %v : tensor<6x16x32xf16>, tensor<6x32x16xf16>) outs(%o0 : tensor<6x16x16xf32>) {
  ^bb0(%i0: f16, %i1: f16, %z: f32):
    %0 = arith.extf %i0 : f16 to f32
    %1 = arith.extf %i1 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %z, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<6x16x16xf32>
  %ae = tensor.empty() : tensor<6x16x16xf32>
  %ah = tensor.empty() : tensor<6x16x16xf16>
  %ye = tensor.empty() : tensor<6x16x24xf32>
  %y0 = linalg.fill ins(%zero : f32) outs(%ye : tensor<6x16x24xf32>) -> tensor<6x16x24xf32>
  %max2 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%o : tensor<6x16x16xf32>) outs(%max0 : tensor<6x16xf32>) {
  ^bb0(%i0: f32, %z: f32):
    %0 = arith.maximumf %i0, %z : f32
    linalg.yield %0 : f32
  } -> tensor<6x16xf32>
  %e2 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%o, %max2 : tensor<6x16x16xf32>, tensor<6x16xf32>) outs(%ae : tensor<6x16x16xf32>) {
  ^bb0(%a0: f32, %a1: f32, %r: f32):
    %0 = arith.subf %a0, %a1 : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<6x16x16xf32>
  %sum2 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%e2 : tensor<6x16x16xf32>) outs(%sum0 : tensor<6x16xf32>) {
  ^bb0(%i0: f32, %z: f32):
    %0 = arith.addf %i0, %z : f32
    linalg.yield %0 : f32
  } -> tensor<6x16xf32>
  %p2 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%e2, %sum2 : tensor<6x16x16xf32>, tensor<6x16xf32>) outs(%ah : tensor<6x16x16xf16>) {
  ^bb0(%a0: f32, %a1: f32, %r: f16):
    %0 = arith.divf %a0, %a1 : f32
    %1 = arith.truncf %0 : f32 to f16
    linalg.yield %1 : f16
  } -> tensor<6x16x16xf16>
  %y = linalg.generic {indexing_maps = [#w, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%p2, %w2 : tensor<6x16x16xf16>, tensor<6x16x24xf16>) outs(%y0 : tensor<6x16x24xf32>) {
  ^bb0(%i0: f16, %i1: f16, %z: f32):
    %0 = arith.extf %i0 : f16 to f32
    %1 = arith.extf %i1 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %z, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<6x16x24xf32>
  return %y : tensor<6x16x24xf32>
}
