// Softmaxes between two contractions whose dims or sizes are not those of one kernel:
// the contractions stay apart.

// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=sm_80 fuse=vertical,horizontal,conditional,-prologue}))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=sm_80 fuse=vertical,horizontal,conditional,-prologue}))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics=only-expected -o /dev/null

// Widths that are not known.
// CHECK-LABEL: func.func @dynamic_width(
// CHECK-COUNT-2: fusion.group
#s = affine_map<(b, i, j, k) -> (b, i, j)>
#q = affine_map<(b, i, j, k) -> (b, i, k)>
#k = affine_map<(b, i, j, k) -> (b, j, k)>
#w = affine_map<(b, i, d, j) -> (b, i, j)>
#v = affine_map<(b, i, d, j) -> (b, j, d)>
#o = affine_map<(b, i, d, j) -> (b, i, d)>
#id = affine_map<(b, i, j) -> (b, i, j)>
#row = affine_map<(b, i, j) -> (b, i)>
#head = affine_map<(b, i, j) -> (b)>

func.func @dynamic_width(%q: tensor<4x16x8xf16>, %k: tensor<4x32x8xf16>, %v: tensor<4x32x?xf16>) -> (tensor<4x16x?xf32>) {
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %se = tensor.empty() : tensor<4x16x32xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%se : tensor<4x16x32xf32>) -> tensor<4x16x32xf32>
  %re = tensor.empty() : tensor<4x16xf32>
  %max0 = linalg.fill ins(%inf : f32) outs(%re : tensor<4x16xf32>) -> tensor<4x16xf32>
  %sum0 = linalg.fill ins(%zero : f32) outs(%re : tensor<4x16xf32>) -> tensor<4x16xf32>
  %he = tensor.empty() : tensor<4x16x32xf16>
  %c2 = arith.constant 2 : index
  %dd = tensor.dim %v, %c2 : tensor<4x32x?xf16>
  %oe = tensor.empty(%dd) : tensor<4x16x?xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%oe : tensor<4x16x?xf32>) -> tensor<4x16x?xf32>
  // expected-remark @below {{Reason="the widths of its operands are not known"}}
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
  %o = linalg.generic {indexing_maps = [#w, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%p, %v : tensor<4x16x32xf16>, tensor<4x32x?xf16>) outs(%o0 : tensor<4x16x?xf32>) {
  ^bb0(%i0: f16, %i1: f16, %z: f32):
    %0 = arith.extf %i0 : f16 to f32
    %1 = arith.extf %i1 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %z, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<4x16x?xf32>
  return %o : tensor<4x16x?xf32>
}

// -----

// Accumulators that no thread can hold.
// CHECK-LABEL: func.func @wide(
// CHECK-COUNT-2: fusion.group
#s = affine_map<(b, i, j, k) -> (b, i, j)>
#q = affine_map<(b, i, j, k) -> (b, i, k)>
#k = affine_map<(b, i, j, k) -> (b, j, k)>
#w = affine_map<(b, i, d, j) -> (b, i, j)>
#v = affine_map<(b, i, d, j) -> (b, j, d)>
#o = affine_map<(b, i, d, j) -> (b, i, d)>
#id = affine_map<(b, i, j) -> (b, i, j)>
#row = affine_map<(b, i, j) -> (b, i)>
#head = affine_map<(b, i, j) -> (b)>

func.func @wide(%q: tensor<4x16x8xf16>, %k: tensor<4x32x8xf16>, %v: tensor<4x32x1024xf16>) -> (tensor<4x16x1024xf32>) {
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %se = tensor.empty() : tensor<4x16x32xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%se : tensor<4x16x32xf32>) -> tensor<4x16x32xf32>
  %re = tensor.empty() : tensor<4x16xf32>
  %max0 = linalg.fill ins(%inf : f32) outs(%re : tensor<4x16xf32>) -> tensor<4x16xf32>
  %sum0 = linalg.fill ins(%zero : f32) outs(%re : tensor<4x16xf32>) -> tensor<4x16xf32>
  %he = tensor.empty() : tensor<4x16x32xf16>
  %oe = tensor.empty() : tensor<4x16x1024xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%oe : tensor<4x16x1024xf32>) -> tensor<4x16x1024xf32>
  // expected-remark @below {{registers of a thread for tiles spill}}
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
  %o = linalg.generic {indexing_maps = [#w, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%p, %v : tensor<4x16x32xf16>, tensor<4x32x1024xf16>) outs(%o0 : tensor<4x16x1024xf32>) {
  ^bb0(%i0: f16, %i1: f16, %z: f32):
    %0 = arith.extf %i0 : f16 to f32
    %1 = arith.extf %i1 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %z, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<4x16x1024xf32>
  return %o : tensor<4x16x1024xf32>
}

// -----

// One row: a matrix product would waste its tiles.
// CHECK-LABEL: func.func @one_row(
// CHECK-COUNT-2: fusion.group
#s = affine_map<(b, i, j, k) -> (b, i, j)>
#q = affine_map<(b, i, j, k) -> (b, i, k)>
#k = affine_map<(b, i, j, k) -> (b, j, k)>
#w = affine_map<(b, i, d, j) -> (b, i, j)>
#v = affine_map<(b, i, d, j) -> (b, j, d)>
#o = affine_map<(b, i, d, j) -> (b, i, d)>
#id = affine_map<(b, i, j) -> (b, i, j)>
#row = affine_map<(b, i, j) -> (b, i)>
#head = affine_map<(b, i, j) -> (b)>

func.func @one_row(%q: tensor<4x1x8xf16>, %k: tensor<4x32x8xf16>, %v: tensor<4x32x16xf16>) -> (tensor<4x1x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %se = tensor.empty() : tensor<4x1x32xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%se : tensor<4x1x32xf32>) -> tensor<4x1x32xf32>
  %re = tensor.empty() : tensor<4x1xf32>
  %max0 = linalg.fill ins(%inf : f32) outs(%re : tensor<4x1xf32>) -> tensor<4x1xf32>
  %sum0 = linalg.fill ins(%zero : f32) outs(%re : tensor<4x1xf32>) -> tensor<4x1xf32>
  %he = tensor.empty() : tensor<4x1x32xf16>
  %oe = tensor.empty() : tensor<4x1x16xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%oe : tensor<4x1x16xf32>) -> tensor<4x1x16xf32>
  // expected-remark @below {{a kernel of both multiplies tiles of rows, and there is just one}}
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<4x1x8xf16>, tensor<4x32x8xf16>) outs(%s0 : tensor<4x1x32xf32>) {
  ^bb0(%i0: f16, %i1: f16, %z: f32):
    %0 = arith.extf %i0 : f16 to f32
    %1 = arith.extf %i1 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %z, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<4x1x32xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%s : tensor<4x1x32xf32>) outs(%max0 : tensor<4x1xf32>) {
  ^bb0(%i0: f32, %z: f32):
    %0 = arith.maximumf %i0, %z : f32
    linalg.yield %0 : f32
  } -> tensor<4x1xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %max : tensor<4x1x32xf32>, tensor<4x1xf32>) outs(%se : tensor<4x1x32xf32>) {
  ^bb0(%a0: f32, %a1: f32, %r: f32):
    %0 = arith.subf %a0, %a1 : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<4x1x32xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%e : tensor<4x1x32xf32>) outs(%sum0 : tensor<4x1xf32>) {
  ^bb0(%i0: f32, %z: f32):
    %0 = arith.addf %i0, %z : f32
    linalg.yield %0 : f32
  } -> tensor<4x1xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%e, %sum : tensor<4x1x32xf32>, tensor<4x1xf32>) outs(%he : tensor<4x1x32xf16>) {
  ^bb0(%a0: f32, %a1: f32, %r: f16):
    %0 = arith.divf %a0, %a1 : f32
    %1 = arith.truncf %0 : f32 to f16
    linalg.yield %1 : f16
  } -> tensor<4x1x32xf16>
  %o = linalg.generic {indexing_maps = [#w, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%p, %v : tensor<4x1x32xf16>, tensor<4x32x16xf16>) outs(%o0 : tensor<4x1x16xf32>) {
  ^bb0(%i0: f16, %i1: f16, %z: f32):
    %0 = arith.extf %i0 : f16 to f32
    %1 = arith.extf %i1 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %z, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<4x1x16xf32>
  return %o : tensor<4x1x16xf32>
}

// -----

// An op that shall not be fused.
// CHECK-LABEL: func.func @marked(
// CHECK-COUNT-2: fusion.group
#s = affine_map<(b, i, j, k) -> (b, i, j)>
#q = affine_map<(b, i, j, k) -> (b, i, k)>
#k = affine_map<(b, i, j, k) -> (b, j, k)>
#w = affine_map<(b, i, d, j) -> (b, i, j)>
#v = affine_map<(b, i, d, j) -> (b, j, d)>
#o = affine_map<(b, i, d, j) -> (b, i, d)>
#id = affine_map<(b, i, j) -> (b, i, j)>
#row = affine_map<(b, i, j) -> (b, i)>
#head = affine_map<(b, i, j) -> (b)>

func.func @marked(%q: tensor<4x16x8xf16>, %k: tensor<4x32x8xf16>, %v: tensor<4x32x16xf16>) -> (tensor<4x16x16xf32>) {
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
  // expected-remark @below {{Reason="an op is marked with fusion.no_fuse"}}
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
  %e = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"], fusion.no_fuse}
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

// The weighted sum runs over the rows.
// CHECK-LABEL: func.func @over_rows(
// CHECK-COUNT-2: fusion.group
#s = affine_map<(b, i, j, k) -> (b, i, j)>
#q = affine_map<(b, i, j, k) -> (b, i, k)>
#k = affine_map<(b, i, j, k) -> (b, j, k)>
#w = affine_map<(b, i, d, j) -> (b, i, j)>
#v = affine_map<(b, i, d, j) -> (b, j, d)>
#o = affine_map<(b, i, d, j) -> (b, i, d)>
#id = affine_map<(b, i, j) -> (b, i, j)>
#row = affine_map<(b, i, j) -> (b, i)>
#head = affine_map<(b, i, j) -> (b)>

func.func @over_rows(%q: tensor<4x32x8xf16>, %k: tensor<4x32x8xf16>, %v: tensor<4x32x16xf16>) -> (tensor<4x32x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %se = tensor.empty() : tensor<4x32x32xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%se : tensor<4x32x32xf32>) -> tensor<4x32x32xf32>
  %re = tensor.empty() : tensor<4x32xf32>
  %max0 = linalg.fill ins(%inf : f32) outs(%re : tensor<4x32xf32>) -> tensor<4x32xf32>
  %sum0 = linalg.fill ins(%zero : f32) outs(%re : tensor<4x32xf32>) -> tensor<4x32xf32>
  %he = tensor.empty() : tensor<4x32x32xf16>
  %oe = tensor.empty() : tensor<4x32x16xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%oe : tensor<4x32x16xf32>) -> tensor<4x32x16xf32>
  // expected-remark @below {{Reason="the reductions and the contraction run over different dims"}}
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<4x32x8xf16>, tensor<4x32x8xf16>) outs(%s0 : tensor<4x32x32xf32>) {
  ^bb0(%i0: f16, %i1: f16, %z: f32):
    %0 = arith.extf %i0 : f16 to f32
    %1 = arith.extf %i1 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %z, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<4x32x32xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%s : tensor<4x32x32xf32>) outs(%max0 : tensor<4x32xf32>) {
  ^bb0(%i0: f32, %z: f32):
    %0 = arith.maximumf %i0, %z : f32
    linalg.yield %0 : f32
  } -> tensor<4x32xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %max : tensor<4x32x32xf32>, tensor<4x32xf32>) outs(%se : tensor<4x32x32xf32>) {
  ^bb0(%a0: f32, %a1: f32, %r: f32):
    %0 = arith.subf %a0, %a1 : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<4x32x32xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%e : tensor<4x32x32xf32>) outs(%sum0 : tensor<4x32xf32>) {
  ^bb0(%i0: f32, %z: f32):
    %0 = arith.addf %i0, %z : f32
    linalg.yield %0 : f32
  } -> tensor<4x32xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%e, %sum : tensor<4x32x32xf32>, tensor<4x32xf32>) outs(%he : tensor<4x32x32xf16>) {
  ^bb0(%a0: f32, %a1: f32, %r: f16):
    %0 = arith.divf %a0, %a1 : f32
    %1 = arith.truncf %0 : f32 to f16
    linalg.yield %1 : f16
  } -> tensor<4x32x32xf16>
  %o = linalg.generic {indexing_maps = [affine_map<(b, i, d, j) -> (b, j, i)>, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%p, %v : tensor<4x32x32xf16>, tensor<4x32x16xf16>) outs(%o0 : tensor<4x32x16xf32>) {
  ^bb0(%i0: f16, %i1: f16, %z: f32):
    %0 = arith.extf %i0 : f16 to f32
    %1 = arith.extf %i1 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %z, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<4x32x16xf32>
  return %o : tensor<4x32x16xf32>
}
