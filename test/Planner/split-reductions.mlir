// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-split-reductions))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-split-reductions{target=cpu}))' -split-input-file | FileCheck %s --check-prefix=CPU
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-split-reductions))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// CPU-NOT:     floordiv
// CPU-LABEL:   func.func @columns(
// CPU-COUNT-1: linalg.generic
// CPU-NOT:     linalg.generic
// CPU-LABEL:   func.func @product(
// CPU-COUNT-1: linalg.generic
// CPU-NOT:     {{linalg.generic|floordiv}}
// CPU-LABEL:   func.func @many_rows(
// CPU-NOT:     floordiv

// The rows are cut: 65537 in parts of whole tiles, the last one shorter.
// CHECK-DAG: #[[$X:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[$PARTS:.*]] = affine_map<(d0, d1) -> (d0 floordiv {{[0-9]+}}, d1)>
// CHECK-DAG: #[[$LAST:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: func.func @columns(
// CHECK:         %[[ZERO:.*]] = arith.constant 0.0
// CHECK:         %[[FILL:.*]] = linalg.fill ins(%[[ZERO]] : f32) outs(%{{.*}} : tensor<[[P:[0-9]+]]x64xf32>)
// CHECK:         %[[FIRST:.*]] = linalg.generic {indexing_maps = [#[[$X]], #[[$PARTS]]], iterator_types = ["reduction", "parallel"]}
// CHECK-SAME:      outs(%[[FILL]] : tensor<[[P]]x64xf32>)
// CHECK:         linalg.generic {indexing_maps = [#[[$X]], #[[$LAST]]], iterator_types = ["reduction", "parallel"]}
// CHECK-SAME:      ins(%[[FIRST]] : tensor<[[P]]x64xf32>) outs(%arg1 : tensor<64xf32>)
func.func @columns(%x: tensor<65537x64xf32>, %d: tensor<64xf32>) -> tensor<64xf32> {
  // expected-remark @below {{done in parts: fewer blocks than the device runs}}
  %0 = linalg.generic {indexing_maps = [affine_map<(k, n) -> (k, n)>, affine_map<(k, n) -> (n)>], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<65537x64xf32>) outs(%d : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

// A scalar: parts start from the combiner's neutral value, not from what the
// reduction starts from.
// CHECK-LABEL: func.func @product(
// CHECK:         arith.constant 1.0
// CHECK:         linalg.fill
// CHECK:         linalg.generic
// CHECK:         linalg.generic
// CHECK-SAME:      outs(%arg1 : tensor<f32>)
func.func @product(%x: tensor<4194304xf32>, %d: tensor<f32>) -> tensor<f32> {
  // expected-remark @below {{done in parts: fewer blocks than the device runs}}
  %0 = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<4194304xf32>) outs(%d : tensor<f32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.mulf %b, %a : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// As many rows as keep a device busy.
// CHECK-LABEL: func.func @many_rows(
// CHECK-NOT:     floordiv
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
func.func @many_rows(%x: tensor<4096x8192xf32>, %d: tensor<4096xf32>) -> tensor<4096xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (n)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4096x8192xf32>) outs(%d : tensor<4096xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  } -> tensor<4096xf32>
  return %0 : tensor<4096xf32>
}

// -----

// Too little to pay for a launch; a size known only at run time.
// CHECK-LABEL: func.func @small(
// CHECK-COUNT-2: linalg.generic
// CHECK-NOT:     linalg.generic
func.func @small(%x: tensor<4096xf32>, %y: tensor<?xf32>, %d: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %0 = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<4096xf32>) outs(%d : tensor<f32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  %1 = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"]}
      ins(%y : tensor<?xf32>) outs(%d : tensor<f32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}

// -----

// The user wants it as it is.
// CHECK-LABEL: func.func @directives(
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
func.func @directives(%x: tensor<4194304xf32>, %d: tensor<f32>) -> tensor<f32> {
  // expected-remark @below {{Reason="it is marked with fusion.no_fuse"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<4194304xf32>) outs(%d : tensor<f32>) attrs = {fusion.no_fuse} {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// It belongs to a set of ops.
// CHECK-LABEL: func.func @together(
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
func.func @together(%x: tensor<4194304xf32>, %d: tensor<f32>) -> tensor<f32> {
  // expected-remark @below {{Reason="it is marked with fusion.fuse_with"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<4194304xf32>) outs(%d : tensor<f32>) attrs = {fusion.fuse_with = "set"} {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// Its schedule is one of whole rows.
// CHECK-LABEL: func.func @pinned(
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
func.func @pinned(%x: tensor<4194304xf32>, %d: tensor<f32>) -> tensor<f32> {
  // expected-remark @below {{Reason="it is marked with fusion.schedule"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<4194304xf32>) outs(%d : tensor<f32>) attrs = {fusion.schedule = {kind = "rows", rows = 1, columns = 1024, warps = 4}} {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// Each step needs the one before: no neutral value, no parts.
// CHECK-LABEL: func.func @polynomial(
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
func.func @polynomial(%x: tensor<4194304xf32>, %d: tensor<f32>) -> tensor<f32> {
  %c = arith.constant 0.5 : f32
  %0 = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<4194304xf32>) outs(%d : tensor<f32>) {
  ^bb0(%a: f32, %b: f32):
    %p = arith.mulf %b, %c : f32
    %s = arith.addf %p, %a : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

#s = affine_map<(b, i, j, k) -> (b, i, j)>
#q = affine_map<(b, i, j, k) -> (b, i, k)>
#k = affine_map<(b, i, j, k) -> (b, j, k)>
#w = affine_map<(b, i, d, j) -> (b, i, j)>
#v = affine_map<(b, i, d, j) -> (b, j, d)>
#o = affine_map<(b, i, d, j) -> (b, i, d)>
#id = affine_map<(b, i, j) -> (b, i, j)>
#row = affine_map<(b, i, j) -> (b, i)>

// The rows of a softmax between two contractions: one kernel walks along them, in
// parts of its own.
// CHECK-LABEL: func.func @attention(
// CHECK-NOT:     floordiv
func.func @attention(%q: tensor<2x2x64xf16>, %k: tensor<2x1048576x64xf16>, %v: tensor<2x1048576x16xf16>) -> (tensor<2x2x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %se = tensor.empty() : tensor<2x2x1048576xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%se : tensor<2x2x1048576xf32>) -> tensor<2x2x1048576xf32>
  %re = tensor.empty() : tensor<2x2xf32>
  %max0 = linalg.fill ins(%inf : f32) outs(%re : tensor<2x2xf32>) -> tensor<2x2xf32>
  %sum0 = linalg.fill ins(%zero : f32) outs(%re : tensor<2x2xf32>) -> tensor<2x2xf32>
  %he = tensor.empty() : tensor<2x2x1048576xf16>
  %oe = tensor.empty() : tensor<2x2x16xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x2x16xf32>) -> tensor<2x2x16xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x2x64xf16>, tensor<2x1048576x64xf16>) outs(%s0 : tensor<2x2x1048576xf32>) {
  ^bb0(%i0: f16, %i1: f16, %z: f32):
    %0 = arith.extf %i0 : f16 to f32
    %1 = arith.extf %i1 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %z, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<2x2x1048576xf32>
  // expected-remark @below {{Reason="the kernel of an attention walks over it"}}
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%s : tensor<2x2x1048576xf32>) outs(%max0 : tensor<2x2xf32>) {
  ^bb0(%i0: f32, %z: f32):
    %0 = arith.maximumf %i0, %z : f32
    linalg.yield %0 : f32
  } -> tensor<2x2xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %max : tensor<2x2x1048576xf32>, tensor<2x2xf32>) outs(%se : tensor<2x2x1048576xf32>) {
  ^bb0(%a0: f32, %a1: f32, %r: f32):
    %0 = arith.subf %a0, %a1 : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x2x1048576xf32>
  // expected-remark @below {{Reason="the kernel of an attention walks over it"}}
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%e : tensor<2x2x1048576xf32>) outs(%sum0 : tensor<2x2xf32>) {
  ^bb0(%i0: f32, %z: f32):
    %0 = arith.addf %i0, %z : f32
    linalg.yield %0 : f32
  } -> tensor<2x2xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%e, %sum : tensor<2x2x1048576xf32>, tensor<2x2xf32>) outs(%he : tensor<2x2x1048576xf16>) {
  ^bb0(%a0: f32, %a1: f32, %r: f16):
    %0 = arith.divf %a0, %a1 : f32
    %1 = arith.truncf %0 : f32 to f16
    linalg.yield %1 : f16
  } -> tensor<2x2x1048576xf16>
  %o = linalg.generic {indexing_maps = [#w, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%p, %v : tensor<2x2x1048576xf16>, tensor<2x1048576x16xf16>) outs(%o0 : tensor<2x2x16xf32>) {
  ^bb0(%i0: f16, %i1: f16, %z: f32):
    %0 = arith.extf %i0 : f16 to f32
    %1 = arith.extf %i1 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %z, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<2x2x16xf32>
  return %o : tensor<2x2x16xf32>
}

// -----

// What each step does to the result has no neutral value: a difference,
// CHECK-LABEL: func.func @difference(
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
func.func @difference(%x: tensor<4194304xf32>, %d: tensor<f32>) -> tensor<f32> {
  // expected-remark @below {{Reason="what it combines with has no neutral value, so that parts cannot begin without what comes before"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<4194304xf32>) outs(%d : tensor<f32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.subf %b, %a : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// and a shift.
// CHECK-LABEL: func.func @shift(
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
func.func @shift(%x: tensor<4194304xi32>, %d: tensor<i32>) -> tensor<i32> {
  // expected-remark @below {{Reason="what it combines with has no neutral value, so that parts cannot begin without what comes before"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<4194304xi32>) outs(%d : tensor<i32>) {
  ^bb0(%a: i32, %b: i32):
    %s = arith.shrui %b, %a : i32
    linalg.yield %s : i32
  } -> tensor<i32>
  return %0 : tensor<i32>
}
