// A contraction, a softmax of its rows and a contraction over its columns are one
// kernel, whoever wrote them.

// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=sm_80 fuse=vertical,horizontal,conditional,-prologue}))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=sm_80 fuse=vertical,horizontal,conditional,-prologue}))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics=only-expected -o /dev/null
// On a CPU, and with every value rounded to its type, it stays apart.
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=cpu}))' -split-input-file \
// RUN:   | FileCheck %s --check-prefix=APART
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=sm_80 strict=true}))' -split-input-file \
// RUN:   | FileCheck %s --check-prefix=APART

// APART-LABEL: func.func @plain(
// APART-COUNT-3: fusion.group

// Scores, softmax, weighted sum, in Linalg that nobody prepared: one kernel.
// CHECK-LABEL: func.func @plain(
// CHECK-COUNT-1: fusion.group
// CHECK-NOT:     fusion.group
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

func.func @plain(%q: tensor<4x16x8xf16>, %k: tensor<4x32x8xf16>, %v: tensor<4x32x16xf16>) -> (tensor<4x16x16xf32>) {
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
  // expected-remark @below {{Remark="one kernel with its softmax and contraction"}}
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

// Anything elementwise in between, here a scale, a cap and a bias for each head;
// weights as products with reciprocals.
// CHECK-LABEL: func.func @between(
// CHECK-COUNT-1: fusion.group
// CHECK-NOT:     fusion.group
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

func.func @between(%q: tensor<4x16x8xf16>, %k: tensor<4x32x8xf16>, %v: tensor<4x32x16xf16>, %bias: tensor<4xf32>) -> (tensor<4x16x16xf32>) {
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
  // expected-remark @below {{Remark="one kernel with its softmax and contraction"}}
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<4x16x8xf16>, tensor<4x32x8xf16>) outs(%s0 : tensor<4x16x32xf32>) {
  ^bb0(%i0: f16, %i1: f16, %z: f32):
    %0 = arith.extf %i0 : f16 to f32
    %1 = arith.extf %i1 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %z, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<4x16x32xf32>
  %x = linalg.generic {indexing_maps = [#id, #head, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %bias : tensor<4x16x32xf32>, tensor<4xf32>) outs(%se : tensor<4x16x32xf32>) {
  ^bb0(%a0: f32, %a1: f32, %r: f32):
    %c = arith.constant 0.125 : f32
    %0 = arith.mulf %a0, %c : f32
    %1 = math.tanh %0 : f32
    %2 = arith.addf %1, %a1 : f32
    linalg.yield %2 : f32
  } -> tensor<4x16x32xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : tensor<4x16x32xf32>) outs(%max0 : tensor<4x16xf32>) {
  ^bb0(%i0: f32, %z: f32):
    %0 = arith.maximumf %i0, %z : f32
    linalg.yield %0 : f32
  } -> tensor<4x16xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %max : tensor<4x16x32xf32>, tensor<4x16xf32>) outs(%se : tensor<4x16x32xf32>) {
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
    %one = arith.constant 1.0 : f32
    %0 = arith.divf %one, %a1 : f32
    %1 = arith.mulf %0, %a0 : f32
    %2 = arith.truncf %1 : f32 to f16
    linalg.yield %2 : f16
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

// What is subtracted may be any function of the row: here the maximum where it is
// finite.
// CHECK-LABEL: func.func @safe(
// CHECK-COUNT-1: fusion.group
// CHECK-NOT:     fusion.group
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

func.func @safe(%q: tensor<4x16x8xf16>, %k: tensor<4x32x8xf16>, %v: tensor<4x32x16xf16>) -> (tensor<4x16x16xf32>) {
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
  // expected-remark @below {{Remark="one kernel with its softmax and contraction"}}
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
  %safe = linalg.generic {indexing_maps = [affine_map<(b, i) -> (b, i)>, affine_map<(b, i) -> (b, i)>], iterator_types = ["parallel", "parallel"]}
      ins(%max : tensor<4x16xf32>) outs(%re : tensor<4x16xf32>) {
  ^bb0(%a0: f32, %r: f32):
    %c = arith.cmpf oeq, %a0, %inf : f32
    %0 = arith.select %c, %zero, %a0 : f32
    linalg.yield %0 : f32
  } -> tensor<4x16xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %safe : tensor<4x16x32xf32>, tensor<4x16xf32>) outs(%se : tensor<4x16x32xf32>) {
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
