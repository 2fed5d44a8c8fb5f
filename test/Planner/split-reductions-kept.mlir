// Reductions that stay one step, with the reasons where two were thought of.

// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-split-reductions))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics | FileCheck %s

// Nobody knows how many rows there are: with many the device is busy.
// CHECK-LABEL: func.func @open_rows(
// CHECK-NOT:     floordiv
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
func.func @open_rows(%x: tensor<?x4194304xf32>, %d: tensor<?xf32>) -> tensor<?xf32> {
  // expected-remark @below {{Reason="how many rows it has is known only at run time: with many the device is busy"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (n)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x4194304xf32>) outs(%d : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// Nor how long they are.
// CHECK-LABEL: func.func @open_length(
// CHECK-NOT:     floordiv
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
func.func @open_length(%x: tensor<4x?xf32>, %d: tensor<4xf32>) -> tensor<4xf32> {
  // expected-remark @below {{Reason="how long its rows are is known only at run time: short ones are done in one step"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (n)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x?xf32>) outs(%d : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Sums of nothing.
// CHECK-LABEL: func.func @nothing(
// CHECK-NOT:     floordiv
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
func.func @nothing(%x: tensor<4x0xf32>, %d: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (n)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x0xf32>) outs(%d : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A row of one tile has no parts.
// CHECK-LABEL: func.func @one_tile(
// CHECK-NOT:     floordiv
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
func.func @one_tile(%x: tensor<4x1024xf32>, %d: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (n)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x1024xf32>) outs(%d : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Windows overlap: their loops are short, however many there are.
// CHECK-LABEL: func.func @windows(
// CHECK-NOT:     floordiv
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
func.func @windows(%x: tensor<1048578xf32>, %w: tensor<3xf32>, %d: tensor<1048576xf32>) -> tensor<1048576xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(n, k) -> (n + k)>, affine_map<(n, k) -> (k)>, affine_map<(n, k) -> (n)>], iterator_types = ["parallel", "reduction"]}
      ins(%x, %w : tensor<1048578xf32>, tensor<3xf32>) outs(%d : tensor<1048576xf32>) {
  ^bb0(%a: f32, %u: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  } -> tensor<1048576xf32>
  return %0 : tensor<1048576xf32>
}

// -----

// Sums and sums of squares in one loop: two results.
// CHECK-LABEL: func.func @two_sums(
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
func.func @two_sums(%x: tensor<4194304xf32>, %d: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %0:2 = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> ()>, affine_map<(k) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<4194304xf32>) outs(%d, %d : tensor<f32>, tensor<f32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %b, %a : f32
    %q = arith.mulf %a, %a : f32
    %t = arith.addf %c, %q : f32
    linalg.yield %s, %t : f32, f32
  } -> (tensor<f32>, tensor<f32>)
  return %0#0, %0#1 : tensor<f32>, tensor<f32>
}

// -----

// Parts have no parts.
// CHECK-LABEL: func.func @in_parts(
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
func.func @in_parts(%x: tensor<4194304xf32>, %d: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k floordiv 1048576)>], iterator_types = ["reduction"]}
      ins(%x : tensor<4194304xf32>) outs(%d : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Rows times a vector are a product: those have other parts.
// CHECK-LABEL: func.func @matvec(
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
func.func @matvec(%x: tensor<2x4194304xf32>, %y: tensor<4194304xf32>, %d: tensor<2xf32>) -> tensor<2xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (k)>, affine_map<(n, k) -> (n)>], iterator_types = ["parallel", "reduction"]}
      ins(%x, %y : tensor<2x4194304xf32>, tensor<4194304xf32>) outs(%d : tensor<2xf32>) {
  ^bb0(%a: f32, %c: f32, %b: f32):
    %m = arith.mulf %a, %c : f32
    %s = arith.addf %b, %m : f32
    linalg.yield %s : f32
  } -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// The elements are read again after the sum: a second launch does not save enough.
// CHECK-LABEL: func.func @needed_again(
// CHECK-COUNT-2: linalg.generic
// CHECK-NOT:     linalg.generic
#k = affine_map<(k) -> (k)>
#one = affine_map<(k) -> ()>
func.func @needed_again(%x: tensor<98304xf32>, %d: tensor<f32>, %e: tensor<98304xf32>) -> tensor<98304xf32> {
  // expected-remark-re @below {{Reason="in parts it is estimated at {{.*}} us, against {{.*}} us, which is too little gained where what follows needs its elements again"}}
  %0 = linalg.generic {indexing_maps = [#k, #one], iterator_types = ["reduction"]}
      ins(%x : tensor<98304xf32>) outs(%d : tensor<f32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  %1 = linalg.generic {indexing_maps = [#k, #one, #k], iterator_types = ["parallel"]}
      ins(%x, %0 : tensor<98304xf32>, tensor<f32>) outs(%e : tensor<98304xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.divf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<98304xf32>
  return %1 : tensor<98304xf32>
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
  // expected-remark @below {{Reason="how long its rows are is known only at run time: short ones are done in one step"}}
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

// -----

// All elements are one sum, which lies in a dim of its own.
// CHECK-LABEL: func.func @keeps_a_dim(
// CHECK-NOT:     floordiv
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
func.func @keeps_a_dim(%x: tensor<1x4194304xf32>, %d: tensor<1xf32>) -> tensor<1xf32> {
  // expected-remark @below {{Reason="no loop runs along a dim of its result"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (0)>], iterator_types = ["reduction", "reduction"]}
      ins(%x : tensor<1x4194304xf32>) outs(%d : tensor<1xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  } -> tensor<1xf32>
  return %0 : tensor<1xf32>
}

// -----

// One block takes a little longer than many and one more launch: too close to tell.
// CHECK-LABEL: func.func @close_call(
// CHECK-NOT:     floordiv
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
func.func @close_call(%x: tensor<49152xf32>, %d: tensor<f32>) -> tensor<f32> {
  // expected-remark-re @below {{Reason="in parts it is estimated at {{[0-9.]+}} us, against {{[0-9.]+}} us, which is too little gained"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<49152xf32>) outs(%d : tensor<f32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// Columns of half floats, along the outer dim: as close.
// CHECK-LABEL: func.func @close_columns(
// CHECK-NOT:     floordiv
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
func.func @close_columns(%x: tensor<32768x8xf16>, %d: tensor<8xf16>) -> tensor<8xf16> {
  // expected-remark-re @below {{Reason="in parts it is estimated at {{[0-9.]+}} us, against {{[0-9.]+}} us, which is too little gained"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(k, n) -> (k, n)>, affine_map<(k, n) -> (n)>], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<32768x8xf16>) outs(%d : tensor<8xf16>) {
  ^bb0(%a: f16, %b: f16):
    %s = arith.maximumf %b, %a : f16
    linalg.yield %s : f16
  } -> tensor<8xf16>
  return %0 : tensor<8xf16>
}

// -----

// Of how many batches each column is summed up over two dims nobody knows.
// CHECK-LABEL: func.func @open_batches(
// CHECK-NOT:     floordiv
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
func.func @open_batches(%x: tensor<?x512x1024x4xf16>, %d: tensor<?x4xf16>) -> tensor<?x4xf16> {
  // expected-remark @below {{Reason="how many rows it has is known only at run time: with many the device is busy"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(b, h, w, c) -> (b, h, w, c)>, affine_map<(b, h, w, c) -> (b, c)>], iterator_types = ["parallel", "reduction", "reduction", "parallel"]}
      ins(%x : tensor<?x512x1024x4xf16>) outs(%d : tensor<?x4xf16>) {
  ^bb0(%a: f16, %b: f16):
    %s = arith.addf %b, %a : f16
    linalg.yield %s : f16
  } -> tensor<?x4xf16>
  return %0 : tensor<?x4xf16>
}

// -----

// A quotient of all elements: nothing to begin a part with.
// CHECK-LABEL: func.func @quotient(
// CHECK-NOT:     floordiv
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
func.func @quotient(%x: tensor<8x1048576xf32>, %d: tensor<8xf32>) -> tensor<8xf32> {
  // expected-remark @below {{Reason="what it combines with has no neutral value, so that parts cannot begin without what comes before"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (n)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x1048576xf32>) outs(%d : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.divf %b, %a : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
