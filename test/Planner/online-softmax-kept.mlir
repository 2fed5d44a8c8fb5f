// What lies between two contractions and looks like a softmax, but is another
// function or another shape: it stays apart, with the reason.

// DEFINE: %{groups} = fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=sm_80 fuse=all,-prologue}))' -split-input-file
// RUN: %{groups} | FileCheck %s
// RUN: %{groups} -remarks-filter='fusion.*' -remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REASON

// Exponentials of half floats.
// REASON: [Missed] OnlineSoftmax {{.*}} Function=half_exp | Reason="the softmax is not computed in f32"
// CHECK-LABEL: func.func @half_exp(
// CHECK-COUNT-2: fusion.group
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
func.func @half_exp(%q: tensor<4x16x8xf16>, %k: tensor<4x32x8xf16>, %v: tensor<4x32x16xf16>) -> (tensor<4x16x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %se = tensor.empty() : tensor<4x16x32xf32>
  %hz = arith.constant 0.0 : f16
  %hs = tensor.empty() : tensor<4x16xf16>
  %s0 = linalg.fill ins(%zero : f32) outs(%se : tensor<4x16x32xf32>) -> tensor<4x16x32xf32>
  %re = tensor.empty() : tensor<4x16xf32>
  %max0 = linalg.fill ins(%inf : f32) outs(%re : tensor<4x16xf32>) -> tensor<4x16xf32>
  %sum0 = linalg.fill ins(%zero : f32) outs(%re : tensor<4x16xf32>) -> tensor<4x16xf32>
  %he = tensor.empty() : tensor<4x16x32xf16>
  %oe = tensor.empty() : tensor<4x16x16xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%oe : tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<4x16x8xf16>, tensor<4x32x8xf16>) outs(%s0 : tensor<4x16x32xf32>) {
  ^bb0(%i0: f16, %i1: f16, %z: f32):
    %0 = arith.extf %i0 : f16 to f32
    %1 = arith.extf %i1 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %z, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<4x16x32xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%s : tensor<4x16x32xf32>) outs(%max0 : tensor<4x16xf32>) {
  ^bb0(%i0: f32, %z: f32):
    %0 = arith.maximumf %i0, %z : f32
    linalg.yield %0 : f32
  } -> tensor<4x16xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %max : tensor<4x16x32xf32>, tensor<4x16xf32>) outs(%he : tensor<4x16x32xf16>) {
  ^bb0(%a0: f32, %a1: f32, %r: f16):
    %0 = arith.subf %a0, %a1 : f32
    %1 = arith.truncf %0 : f32 to f16
    %2 = math.exp %1 : f16
    linalg.yield %2 : f16
  } -> tensor<4x16x32xf16>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%e : tensor<4x16x32xf16>) outs(%sum0 : tensor<4x16xf32>) {
  ^bb0(%h0: f16, %z: f32):
    %i0 = arith.extf %h0 : f16 to f32
    %0 = arith.addf %i0, %z : f32
    linalg.yield %0 : f32
  } -> tensor<4x16xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%e, %sum : tensor<4x16x32xf16>, tensor<4x16xf32>) outs(%he : tensor<4x16x32xf16>) {
  ^bb0(%h0: f16, %a1: f32, %r: f16):
    %a0 = arith.extf %h0 : f16 to f32
    %0 = arith.divf %a0, %a1 : f32
    %1 = arith.truncf %0 : f32 to f16
    linalg.yield %1 : f16
  } -> tensor<4x16x32xf16>
  %o = linalg.generic {indexing_maps = [#w, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%p, %v : tensor<4x16x32xf16>, tensor<4x32x16xf16>) outs(%o0 : tensor<4x16x16xf32>) {
  ^bb0(%i0: f16, %i1: f16, %z: f32):
    %0 = arith.extf %i0 : f16 to f32
    %1 = arith.extf %i1 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %z, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<4x16x16xf32>
  return %o : tensor<4x16x16xf32>
}

// -----

// The maximum is added: nothing keeps the exponentials small.
// REASON: [Missed] OnlineSoftmax {{.*}} Function=no_maximum | Reason="no row's maximum is subtracted before the exponential"
// CHECK-LABEL: func.func @no_maximum(
// CHECK-COUNT-2: fusion.group
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
func.func @no_maximum(%q: tensor<4x16x8xf16>, %k: tensor<4x32x8xf16>, %v: tensor<4x32x16xf16>) -> (tensor<4x16x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %se = tensor.empty() : tensor<4x16x32xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%se : tensor<4x16x32xf32>) -> tensor<4x16x32xf32>
  %re = tensor.empty() : tensor<4x16xf32>
  %max0 = linalg.fill ins(%inf : f32) outs(%re : tensor<4x16xf32>) -> tensor<4x16xf32>
  %sum0 = linalg.fill ins(%zero : f32) outs(%re : tensor<4x16xf32>) -> tensor<4x16xf32>
  %he = tensor.empty() : tensor<4x16x32xf16>
  %oe = tensor.empty() : tensor<4x16x16xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%oe : tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<4x16x8xf16>, tensor<4x32x8xf16>) outs(%s0 : tensor<4x16x32xf32>) {
  ^bb0(%i0: f16, %i1: f16, %z: f32):
    %0 = arith.extf %i0 : f16 to f32
    %1 = arith.extf %i1 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %z, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<4x16x32xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%s : tensor<4x16x32xf32>) outs(%max0 : tensor<4x16xf32>) {
  ^bb0(%i0: f32, %z: f32):
    %0 = arith.maximumf %i0, %z : f32
    linalg.yield %0 : f32
  } -> tensor<4x16xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %max : tensor<4x16x32xf32>, tensor<4x16xf32>) outs(%se : tensor<4x16x32xf32>) {
  ^bb0(%a0: f32, %a1: f32, %r: f32):
    %0 = arith.addf %a0, %a1 : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<4x16x32xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%e : tensor<4x16x32xf32>) outs(%sum0 : tensor<4x16xf32>) {
  ^bb0(%i0: f32, %z: f32):
    %0 = arith.addf %i0, %z : f32
    linalg.yield %0 : f32
  } -> tensor<4x16xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%e, %sum : tensor<4x16x32xf32>, tensor<4x16xf32>) outs(%he : tensor<4x16x32xf16>) {
  ^bb0(%a0: f32, %a1: f32, %r: f16):
    %0 = arith.divf %a0, %a1 : f32
    %1 = arith.truncf %0 : f32 to f16
    linalg.yield %1 : f16
  } -> tensor<4x16x32xf16>
  %o = linalg.generic {indexing_maps = [#w, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%p, %v : tensor<4x16x32xf16>, tensor<4x32x16xf16>) outs(%o0 : tensor<4x16x16xf32>) {
  ^bb0(%i0: f16, %i1: f16, %z: f32):
    %0 = arith.extf %i0 : f16 to f32
    %1 = arith.extf %i1 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %z, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<4x16x16xf32>
  return %o : tensor<4x16x16xf32>
}

// -----

// Weights that are squares of exponentials.
// REASON: [Missed] OnlineSoftmax {{.*}} Function=squared | Reason="the exponentials go different ways"
// CHECK-LABEL: func.func @squared(
// CHECK-COUNT-2: fusion.group
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
func.func @squared(%q: tensor<4x16x8xf16>, %k: tensor<4x32x8xf16>, %v: tensor<4x32x16xf16>) -> (tensor<4x16x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %se = tensor.empty() : tensor<4x16x32xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%se : tensor<4x16x32xf32>) -> tensor<4x16x32xf32>
  %re = tensor.empty() : tensor<4x16xf32>
  %max0 = linalg.fill ins(%inf : f32) outs(%re : tensor<4x16xf32>) -> tensor<4x16xf32>
  %sum0 = linalg.fill ins(%zero : f32) outs(%re : tensor<4x16xf32>) -> tensor<4x16xf32>
  %he = tensor.empty() : tensor<4x16x32xf16>
  %oe = tensor.empty() : tensor<4x16x16xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%oe : tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<4x16x8xf16>, tensor<4x32x8xf16>) outs(%s0 : tensor<4x16x32xf32>) {
  ^bb0(%i0: f16, %i1: f16, %z: f32):
    %0 = arith.extf %i0 : f16 to f32
    %1 = arith.extf %i1 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %z, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<4x16x32xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%s : tensor<4x16x32xf32>) outs(%max0 : tensor<4x16xf32>) {
  ^bb0(%i0: f32, %z: f32):
    %0 = arith.maximumf %i0, %z : f32
    linalg.yield %0 : f32
  } -> tensor<4x16xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %max : tensor<4x16x32xf32>, tensor<4x16xf32>) outs(%se : tensor<4x16x32xf32>) {
  ^bb0(%a0: f32, %a1: f32, %r: f32):
    %0 = arith.subf %a0, %a1 : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<4x16x32xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%e : tensor<4x16x32xf32>) outs(%sum0 : tensor<4x16xf32>) {
  ^bb0(%i0: f32, %z: f32):
    %0 = arith.addf %i0, %z : f32
    linalg.yield %0 : f32
  } -> tensor<4x16xf32>
  %p = linalg.generic {indexing_maps = [#id, #id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%e, %e, %sum : tensor<4x16x32xf32>, tensor<4x16x32xf32>, tensor<4x16xf32>) outs(%he : tensor<4x16x32xf16>) {
  ^bb0(%a0: f32, %a2: f32, %a1: f32, %r: f16):
    %3 = arith.mulf %a0, %a2 : f32
    %0 = arith.divf %3, %a1 : f32
    %1 = arith.truncf %0 : f32 to f16
    linalg.yield %1 : f16
  } -> tensor<4x16x32xf16>
  %o = linalg.generic {indexing_maps = [#w, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%p, %v : tensor<4x16x32xf16>, tensor<4x32x16xf16>) outs(%o0 : tensor<4x16x16xf32>) {
  ^bb0(%i0: f16, %i1: f16, %z: f32):
    %0 = arith.extf %i0 : f16 to f32
    %1 = arith.extf %i1 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %z, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<4x16x16xf32>
  return %o : tensor<4x16x16xf32>
}

// -----

// The maximum of all rows together.
// REASON: [Missed] OnlineSoftmax {{.*}} Function=whole_head | Reason="the maximum is over several dims"
// CHECK-LABEL: func.func @whole_head(
// CHECK-COUNT-2: fusion.group
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
func.func @whole_head(%q: tensor<4x16x8xf16>, %k: tensor<4x32x8xf16>, %v: tensor<4x32x16xf16>) -> (tensor<4x16x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %se = tensor.empty() : tensor<4x16x32xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%se : tensor<4x16x32xf32>) -> tensor<4x16x32xf32>
  %re = tensor.empty() : tensor<4x16xf32>
  %max0 = linalg.fill ins(%inf : f32) outs(%re : tensor<4x16xf32>) -> tensor<4x16xf32>
  %sum0 = linalg.fill ins(%zero : f32) outs(%re : tensor<4x16xf32>) -> tensor<4x16xf32>
  %he = tensor.empty() : tensor<4x16x32xf16>
  %oe = tensor.empty() : tensor<4x16x16xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%oe : tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<4x16x8xf16>, tensor<4x32x8xf16>) outs(%s0 : tensor<4x16x32xf32>) {
  ^bb0(%i0: f16, %i1: f16, %z: f32):
    %0 = arith.extf %i0 : f16 to f32
    %1 = arith.extf %i1 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %z, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<4x16x32xf32>
  %top = tensor.empty() : tensor<4xf32>
  %max1 = linalg.fill ins(%inf : f32) outs(%top : tensor<4xf32>) -> tensor<4xf32>
  %max = linalg.generic {indexing_maps = [#id, #head], iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%s : tensor<4x16x32xf32>) outs(%max1 : tensor<4xf32>) {
  ^bb0(%i0: f32, %z: f32):
    %0 = arith.maximumf %i0, %z : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  %e = linalg.generic {indexing_maps = [#id, #head, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %max : tensor<4x16x32xf32>, tensor<4xf32>) outs(%se : tensor<4x16x32xf32>) {
  ^bb0(%a0: f32, %a1: f32, %r: f32):
    %0 = arith.subf %a0, %a1 : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<4x16x32xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%e : tensor<4x16x32xf32>) outs(%sum0 : tensor<4x16xf32>) {
  ^bb0(%i0: f32, %z: f32):
    %0 = arith.addf %i0, %z : f32
    linalg.yield %0 : f32
  } -> tensor<4x16xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%e, %sum : tensor<4x16x32xf32>, tensor<4x16xf32>) outs(%he : tensor<4x16x32xf16>) {
  ^bb0(%a0: f32, %a1: f32, %r: f16):
    %0 = arith.divf %a0, %a1 : f32
    %1 = arith.truncf %0 : f32 to f16
    linalg.yield %1 : f16
  } -> tensor<4x16x32xf16>
  %o = linalg.generic {indexing_maps = [#w, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%p, %v : tensor<4x16x32xf16>, tensor<4x32x16xf16>) outs(%o0 : tensor<4x16x16xf32>) {
  ^bb0(%i0: f16, %i1: f16, %z: f32):
    %0 = arith.extf %i0 : f16 to f32
    %1 = arith.extf %i1 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %z, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<4x16x16xf32>
  return %o : tensor<4x16x16xf32>
}

// -----

// Values of two dims.
// REASON: [Missed] OnlineSoftmax {{.*}} Function=two_widths | Reason="there is not one dim each of columns and of both operands' widths"
// CHECK-LABEL: func.func @two_widths(
// CHECK-COUNT-2: fusion.group
// CHECK:         return
#s = affine_map<(b, i, j, k) -> (b, i, j)>
#q = affine_map<(b, i, j, k) -> (b, i, k)>
#k = affine_map<(b, i, j, k) -> (b, j, k)>
#w = affine_map<(b, i, d, c, j) -> (b, i, j)>
#v = affine_map<(b, i, d, c, j) -> (b, j, d, c)>
#o = affine_map<(b, i, d, c, j) -> (b, i, d, c)>
#id = affine_map<(b, i, j) -> (b, i, j)>
#row = affine_map<(b, i, j) -> (b, i)>
#head = affine_map<(b, i, j) -> (b)>
func.func @two_widths(%q: tensor<4x16x8xf16>, %k: tensor<4x32x8xf16>, %v: tensor<4x32x4x4xf16>) -> (tensor<4x16x4x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %se = tensor.empty() : tensor<4x16x32xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%se : tensor<4x16x32xf32>) -> tensor<4x16x32xf32>
  %re = tensor.empty() : tensor<4x16xf32>
  %max0 = linalg.fill ins(%inf : f32) outs(%re : tensor<4x16xf32>) -> tensor<4x16xf32>
  %sum0 = linalg.fill ins(%zero : f32) outs(%re : tensor<4x16xf32>) -> tensor<4x16xf32>
  %he = tensor.empty() : tensor<4x16x32xf16>
  %oe = tensor.empty() : tensor<4x16x4x4xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%oe : tensor<4x16x4x4xf32>) -> tensor<4x16x4x4xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<4x16x8xf16>, tensor<4x32x8xf16>) outs(%s0 : tensor<4x16x32xf32>) {
  ^bb0(%i0: f16, %i1: f16, %z: f32):
    %0 = arith.extf %i0 : f16 to f32
    %1 = arith.extf %i1 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %z, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<4x16x32xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%s : tensor<4x16x32xf32>) outs(%max0 : tensor<4x16xf32>) {
  ^bb0(%i0: f32, %z: f32):
    %0 = arith.maximumf %i0, %z : f32
    linalg.yield %0 : f32
  } -> tensor<4x16xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %max : tensor<4x16x32xf32>, tensor<4x16xf32>) outs(%se : tensor<4x16x32xf32>) {
  ^bb0(%a0: f32, %a1: f32, %r: f32):
    %0 = arith.subf %a0, %a1 : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<4x16x32xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%e : tensor<4x16x32xf32>) outs(%sum0 : tensor<4x16xf32>) {
  ^bb0(%i0: f32, %z: f32):
    %0 = arith.addf %i0, %z : f32
    linalg.yield %0 : f32
  } -> tensor<4x16xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%e, %sum : tensor<4x16x32xf32>, tensor<4x16xf32>) outs(%he : tensor<4x16x32xf16>) {
  ^bb0(%a0: f32, %a1: f32, %r: f16):
    %0 = arith.divf %a0, %a1 : f32
    %1 = arith.truncf %0 : f32 to f16
    linalg.yield %1 : f16
  } -> tensor<4x16x32xf16>
  %o = linalg.generic {indexing_maps = [#w, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%p, %v : tensor<4x16x32xf16>, tensor<4x32x4x4xf16>) outs(%o0 : tensor<4x16x4x4xf32>) {
  ^bb0(%i0: f16, %i1: f16, %z: f32):
    %0 = arith.extf %i0 : f16 to f32
    %1 = arith.extf %i1 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %z, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<4x16x4x4xf32>
  return %o : tensor<4x16x4x4xf32>
}
