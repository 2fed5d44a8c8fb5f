// What lies between two contractions and looks like a softmax, but is another
// function: the contractions stay apart.

// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=sm_80 fuse=vertical,horizontal,conditional,-prologue}))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=sm_80 fuse=vertical,horizontal,conditional,-prologue}))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics=only-expected -o /dev/null

// exp of something else than what the maximum is of.
// CHECK-LABEL: func.func @other_maximum(
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

func.func @other_maximum(%q: tensor<4x16x8xf16>, %k: tensor<4x32x8xf16>, %v: tensor<4x32x16xf16>) -> (tensor<4x16x16xf32>) {
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
  // expected-remark @below {{Reason="the exponential is not of what the maximum is of"}}
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<4x16x8xf16>, tensor<4x32x8xf16>) outs(%s0 : tensor<4x16x32xf32>) {
  ^bb0(%i0: f16, %i1: f16, %z: f32):
    %0 = arith.extf %i0 : f16 to f32
    %1 = arith.extf %i1 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %z, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<4x16x32xf32>
  %x = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : tensor<4x16x32xf32>) outs(%se : tensor<4x16x32xf32>) {
  ^bb0(%a0: f32, %r: f32):
    %0 = arith.negf %a0 : f32
    linalg.yield %0 : f32
  } -> tensor<4x16x32xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : tensor<4x16x32xf32>) outs(%max0 : tensor<4x16xf32>) {
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

// Another function than exp.
// CHECK-LABEL: func.func @no_exponential(
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

func.func @no_exponential(%q: tensor<4x16x8xf16>, %k: tensor<4x32x8xf16>, %v: tensor<4x32x16xf16>) -> (tensor<4x16x16xf32>) {
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
  // expected-remark @below {{Reason="what is summed is no exponential"}}
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
    %1 = math.tanh %0 : f32
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

// What is subtracted varies along the row.
// CHECK-LABEL: func.func @shift_varies(
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

func.func @shift_varies(%q: tensor<4x16x8xf16>, %k: tensor<4x32x8xf16>, %v: tensor<4x32x16xf16>, %t: tensor<4x16x32xf32>) -> (tensor<4x16x16xf32>) {
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
  // expected-remark @below {{Reason="what is subtracted varies along a row"}}
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
  %f = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%t, %max : tensor<4x16x32xf32>, tensor<4x16xf32>) outs(%se : tensor<4x16x32xf32>) {
  ^bb0(%a0: f32, %a1: f32, %r: f32):
    %0 = arith.addf %a0, %a1 : f32
    linalg.yield %0 : f32
  } -> tensor<4x16x32xf32>
  %e = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %f : tensor<4x16x32xf32>, tensor<4x16x32xf32>) outs(%se : tensor<4x16x32xf32>) {
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

// Weights squared.
// CHECK-LABEL: func.func @squared(
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
  // expected-remark @below {{Reason="the weights are not exponentials times functions of rows"}}
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
    %1 = arith.mulf %0, %0 : f32
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

// A factor for each weight, as dropout has it.
// CHECK-LABEL: func.func @dropout(
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

func.func @dropout(%q: tensor<4x16x8xf16>, %k: tensor<4x32x8xf16>, %v: tensor<4x32x16xf16>, %t: tensor<4x16x32xf32>) -> (tensor<4x16x16xf32>) {
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
  // expected-remark @below {{Reason="the weights are not exponentials times functions of rows"}}
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
  %p = linalg.generic {indexing_maps = [#id, #row, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%e, %sum, %t : tensor<4x16x32xf32>, tensor<4x16xf32>, tensor<4x16x32xf32>) outs(%he : tensor<4x16x32xf16>) {
  ^bb0(%a0: f32, %a1: f32, %a2: f32, %r: f16):
    %0 = arith.divf %a0, %a1 : f32
    %1 = arith.mulf %0, %a2 : f32
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

// The op of the exponential goes on: it would be multiplied before the sum.
// CHECK-LABEL: func.func @goes_on(
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

func.func @goes_on(%q: tensor<4x16x8xf16>, %k: tensor<4x32x8xf16>, %v: tensor<4x32x16xf16>) -> (tensor<4x16x16xf32>) {
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
  // expected-remark @below {{Reason="what is summed is no exponential"}}
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
    %2 = arith.mulf %1, %1 : f32
    linalg.yield %2 : f32
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
