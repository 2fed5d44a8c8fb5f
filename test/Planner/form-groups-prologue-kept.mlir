// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=a100}))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=a100}))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// What makes operands of contractions, and is written to memory nevertheless.

// The value depends on where it lies; in windows it has no place.
// CHECK-LABEL: func.func @asks_for_positions(
// CHECK-COUNT-2: fusion.group "{{.*}}" kinds []
func.func @asks_for_positions(%x: tensor<2x16x8x8xf32>, %s: tensor<16xf32>, %k: tensor<24x16x3x3xf32>) -> tensor<2x24x6x6xf32> {
  %e = tensor.empty() : tensor<2x16x8x8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (n, c, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x : tensor<2x16x8x8xf32>) outs(%e : tensor<2x16x8x8xf32>) {
  ^bb0(%p0: f32, %o: f32):
    %i = linalg.index 2 : index
    %c = arith.index_cast %i : index to i32
    %g = arith.sitofp %c : i32 to f32
    %v = arith.mulf %p0, %g : f32
    linalg.yield %v : f32
  } -> tensor<2x16x8x8xf32>
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<2x24x6x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<2x24x6x6xf32>) -> tensor<2x24x6x6xf32>
  // expected-remark @below {{Reason="what makes the operand asks for positions, and is computed where it lies"}}
  %y = linalg.generic {indexing_maps = [affine_map<(n, f, y, x, c, i, j) -> (n, c, y + i, x + j)>, affine_map<(n, f, y, x, c, i, j) -> (f, c, i, j)>, affine_map<(n, f, y, x, c, i, j) -> (n, f, y, x)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%0, %k : tensor<2x16x8x8xf32>, tensor<24x16x3x3xf32>) outs(%f : tensor<2x24x6x6xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.mulf %p, %q : f32
    %a = arith.addf %o, %m : f32
    linalg.yield %a : f32
  } -> tensor<2x24x6x6xf32>
  return %y : tensor<2x24x6x6xf32>
}

// -----

// Nobody knows how many channels there are: their windows are no one dim.
// CHECK-LABEL: func.func @channels(
// CHECK-COUNT-2: fusion.group "{{.*}}" kinds []
func.func @channels(%x: tensor<2x?x8x8xf32>, %s: tensor<?xf32>, %k: tensor<24x?x3x3xf32>, %c: index) -> tensor<2x24x6x6xf32> {
  %e = tensor.empty(%c) : tensor<2x?x8x8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (c)>, affine_map<(n, c, h, w) -> (n, c, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %s : tensor<2x?x8x8xf32>, tensor<?xf32>) outs(%e : tensor<2x?x8x8xf32>) {
  ^bb0(%p0: f32, %p1: f32, %o: f32):
    %v = arith.mulf %p0, %p1 : f32
    linalg.yield %v : f32
  } -> tensor<2x?x8x8xf32>
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<2x24x6x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<2x24x6x6xf32>) -> tensor<2x24x6x6xf32>
  // expected-remark @below {{Reason="windows or channels whose sizes are known only at run time are read from memory"}}
  %y = linalg.generic {indexing_maps = [affine_map<(n, f, y, x, c, i, j) -> (n, c, y + i, x + j)>, affine_map<(n, f, y, x, c, i, j) -> (f, c, i, j)>, affine_map<(n, f, y, x, c, i, j) -> (n, f, y, x)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%0, %k : tensor<2x?x8x8xf32>, tensor<24x?x3x3xf32>) outs(%f : tensor<2x24x6x6xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.mulf %p, %q : f32
    %a = arith.addf %o, %m : f32
    linalg.yield %a : f32
  } -> tensor<2x24x6x6xf32>
  return %y : tensor<2x24x6x6xf32>
}

// -----

// Nine times, for each of two columns of blocks.
// CHECK-LABEL: func.func @expensive_windows(
// CHECK-COUNT-2: fusion.group "{{.*}}" kinds []
func.func @expensive_windows(%x: tensor<32x64x56x56xf32>, %k: tensor<256x64x3x3xf32>) -> tensor<32x256x54x54xf32> {
  %e = tensor.empty() : tensor<32x64x56x56xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (n, c, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x : tensor<32x64x56x56xf32>) outs(%e : tensor<32x64x56x56xf32>) {
  ^bb0(%p0: f32, %o: f32):
    %v = math.erf %p0 : f32
    %u = math.erf %v : f32
    %t = math.erf %u : f32
    linalg.yield %t : f32
  } -> tensor<32x64x56x56xf32>
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<32x256x54x54xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<32x256x54x54xf32>) -> tensor<32x256x54x54xf32>
  // expected-remark-re @below {{Reason="estimated slower fused ({{[0-9.]+}} us) than apart ({{[0-9.]+}} us)"}}
  %y = linalg.generic {indexing_maps = [affine_map<(n, f, y, x, c, i, j) -> (n, c, y + i, x + j)>, affine_map<(n, f, y, x, c, i, j) -> (f, c, i, j)>, affine_map<(n, f, y, x, c, i, j) -> (n, f, y, x)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%0, %k : tensor<32x64x56x56xf32>, tensor<256x64x3x3xf32>) outs(%f : tensor<32x256x54x54xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.mulf %p, %q : f32
    %a = arith.addf %o, %m : f32
    linalg.yield %a : f32
  } -> tensor<32x256x54x54xf32>
  return %y : tensor<32x256x54x54xf32>
}

// -----

// The image is a result too.
// CHECK-LABEL: func.func @image_escapes(
// CHECK-COUNT-2: fusion.group "{{.*}}" kinds []
func.func @image_escapes(%x: tensor<2x16x8x8xf32>, %s: tensor<16xf32>, %k: tensor<24x16x3x3xf32>) -> (tensor<2x24x6x6xf32>, tensor<2x16x8x8xf32>) {
  %e = tensor.empty() : tensor<2x16x8x8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (c)>, affine_map<(n, c, h, w) -> (n, c, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %s : tensor<2x16x8x8xf32>, tensor<16xf32>) outs(%e : tensor<2x16x8x8xf32>) {
  ^bb0(%p0: f32, %p1: f32, %o: f32):
    %v = arith.mulf %p0, %p1 : f32
    linalg.yield %v : f32
  } -> tensor<2x16x8x8xf32>
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<2x24x6x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<2x24x6x6xf32>) -> tensor<2x24x6x6xf32>
  // expected-remark @below {{Reason="the operand is needed outside of the group too: it is computed once, and written}}
  %y = linalg.generic {indexing_maps = [affine_map<(n, f, y, x, c, i, j) -> (n, c, y + i, x + j)>, affine_map<(n, f, y, x, c, i, j) -> (f, c, i, j)>, affine_map<(n, f, y, x, c, i, j) -> (n, f, y, x)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%0, %k : tensor<2x16x8x8xf32>, tensor<24x16x3x3xf32>) outs(%f : tensor<2x24x6x6xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.mulf %p, %q : f32
    %a = arith.addf %o, %m : f32
    linalg.yield %a : f32
  } -> tensor<2x24x6x6xf32>
  return %y, %0 : tensor<2x24x6x6xf32>, tensor<2x16x8x8xf32>
}

// -----

// Sums over windows keep no operand.
// CHECK-LABEL: func.func @pooled(
// CHECK-COUNT-2: fusion.group "{{.*}}" kinds []
func.func @pooled(%x: tensor<2x16x8x8xf32>, %s: tensor<16xf32>, %k: tensor<24x16x3x3xf32>) -> tensor<2x16x6x6xf32> {
  %e = tensor.empty() : tensor<2x16x8x8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (c)>, affine_map<(n, c, h, w) -> (n, c, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %s : tensor<2x16x8x8xf32>, tensor<16xf32>) outs(%e : tensor<2x16x8x8xf32>) {
  ^bb0(%p0: f32, %p1: f32, %o: f32):
    %v = arith.mulf %p0, %p1 : f32
    linalg.yield %v : f32
  } -> tensor<2x16x8x8xf32>
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<2x16x6x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<2x16x6x6xf32>) -> tensor<2x16x6x6xf32>
  %t = tensor.empty() : tensor<3x3xf32>
  // expected-remark @below {{Reason="windows of the producer's result would be computed several times"}}
  %y = linalg.pooling_nchw_sum ins(%0, %t : tensor<2x16x8x8xf32>, tensor<3x3xf32>) outs(%f : tensor<2x16x6x6xf32>) -> tensor<2x16x6x6xf32>
  return %y : tensor<2x16x6x6xf32>
}

// -----

// The user says so.
// CHECK-LABEL: func.func @marked(
// CHECK-COUNT-2: fusion.group "{{.*}}" kinds []
func.func @marked(%x: tensor<2x16x8x8xf32>, %s: tensor<16xf32>, %k: tensor<24x16x3x3xf32>) -> tensor<2x24x6x6xf32> {
  %e = tensor.empty() : tensor<2x16x8x8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (c)>, affine_map<(n, c, h, w) -> (n, c, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %s : tensor<2x16x8x8xf32>, tensor<16xf32>) outs(%e : tensor<2x16x8x8xf32>) {
  ^bb0(%p0: f32, %p1: f32, %o: f32):
    %v = arith.mulf %p0, %p1 : f32
    linalg.yield %v : f32
  } -> tensor<2x16x8x8xf32>
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<2x24x6x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<2x24x6x6xf32>) -> tensor<2x24x6x6xf32>
  // expected-remark @below {{Reason="the consumer is marked with fusion.no_fuse"}}
  %y = linalg.generic {indexing_maps = [affine_map<(n, f, y, x, c, i, j) -> (n, c, y + i, x + j)>, affine_map<(n, f, y, x, c, i, j) -> (f, c, i, j)>, affine_map<(n, f, y, x, c, i, j) -> (n, f, y, x)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%0, %k : tensor<2x16x8x8xf32>, tensor<24x16x3x3xf32>) outs(%f : tensor<2x24x6x6xf32>) attrs = {fusion.no_fuse} {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.mulf %p, %q : f32
    %a = arith.addf %o, %m : f32
    linalg.yield %a : f32
  } -> tensor<2x24x6x6xf32>
  return %y : tensor<2x24x6x6xf32>
}

// -----

// A factor of the inner dim of k, whose size is not known: positions along k cannot be
// taken apart.
// CHECK-LABEL: func.func @parts(
// CHECK-COUNT-2: fusion.group "{{.*}}" kinds []
func.func @parts(%x: tensor<16x4x?xf32>, %s: tensor<?xf32>, %w: tensor<4x?x16xf32>, %c: index) -> tensor<16x16xf32> {
  %e = tensor.empty(%c) : tensor<16x4x?xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, h, j) -> (i, h, j)>, affine_map<(i, h, j) -> (j)>, affine_map<(i, h, j) -> (i, h, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %s : tensor<16x4x?xf32>, tensor<?xf32>) outs(%e : tensor<16x4x?xf32>) {
  ^bb0(%p0: f32, %p1: f32, %o: f32):
    %v = arith.mulf %p0, %p1 : f32
    linalg.yield %v : f32
  } -> tensor<16x4x?xf32>
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<16x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<16x16xf32>) -> tensor<16x16xf32>
  // expected-remark @below {{Reason="what the operand is computed from has parts of loops whose sizes are known only at run time"}}
  %y = linalg.generic {indexing_maps = [affine_map<(m, n, h, j) -> (m, h, j)>, affine_map<(m, n, h, j) -> (h, j, n)>, affine_map<(m, n, h, j) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%0, %w : tensor<16x4x?xf32>, tensor<4x?x16xf32>) outs(%f : tensor<16x16xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.mulf %p, %q : f32
    %a = arith.addf %o, %m : f32
    linalg.yield %a : f32
  } -> tensor<16x16xf32>
  return %y : tensor<16x16xf32>
}

// -----

// The other array has rows between the dims of k.
// CHECK-LABEL: func.func @apart(
// CHECK-COUNT-2: fusion.group "{{.*}}" kinds []
func.func @apart(%x: tensor<16x4x8xf32>, %s: tensor<4x16x8xf32>, %w: tensor<4x8x16xf32>) -> tensor<16x16xf32> {
  %e = tensor.empty() : tensor<16x4x8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, h, j) -> (i, h, j)>, affine_map<(i, h, j) -> (h, i, j)>, affine_map<(i, h, j) -> (i, h, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %s : tensor<16x4x8xf32>, tensor<4x16x8xf32>) outs(%e : tensor<16x4x8xf32>) {
  ^bb0(%p0: f32, %p1: f32, %o: f32):
    %v = arith.mulf %p0, %p1 : f32
    linalg.yield %v : f32
  } -> tensor<16x4x8xf32>
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<16x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<16x16xf32>) -> tensor<16x16xf32>
  // expected-remark @below {{Reason="what the operand is computed from keeps loops apart that the contraction takes as one"}}
  %y = linalg.generic {indexing_maps = [affine_map<(m, n, h, j) -> (m, h, j)>, affine_map<(m, n, h, j) -> (h, j, n)>, affine_map<(m, n, h, j) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%0, %w : tensor<16x4x8xf32>, tensor<4x8x16xf32>) outs(%f : tensor<16x16xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.mulf %p, %q : f32
    %a = arith.addf %o, %m : f32
    linalg.yield %a : f32
  } -> tensor<16x16xf32>
  return %y : tensor<16x16xf32>
}

// -----

// A factor for each of the outer dim of k, and weights that have these dims the
// other way round.
// CHECK-LABEL: func.func @weights_apart(
// CHECK-COUNT-2: fusion.group "{{.*}}" kinds []
func.func @weights_apart(%x: tensor<16x4x8xf32>, %s: tensor<4xf32>, %w: tensor<8x4x16xf32>) -> tensor<16x16xf32> {
  %e = tensor.empty() : tensor<16x4x8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, h, j) -> (i, h, j)>, affine_map<(i, h, j) -> (h)>, affine_map<(i, h, j) -> (i, h, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %s : tensor<16x4x8xf32>, tensor<4xf32>) outs(%e : tensor<16x4x8xf32>) {
  ^bb0(%p0: f32, %p1: f32, %o: f32):
    %v = arith.mulf %p0, %p1 : f32
    linalg.yield %v : f32
  } -> tensor<16x4x8xf32>
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<16x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<16x16xf32>) -> tensor<16x16xf32>
  // expected-remark @below {{Reason="what the operand is computed from keeps loops apart that the contraction takes as one"}}
  %y = linalg.generic {indexing_maps = [affine_map<(m, n, h, j) -> (m, h, j)>, affine_map<(m, n, h, j) -> (j, h, n)>, affine_map<(m, n, h, j) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%0, %w : tensor<16x4x8xf32>, tensor<8x4x16xf32>) outs(%f : tensor<16x16xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.mulf %p, %q : f32
    %a = arith.addf %o, %m : f32
    linalg.yield %a : f32
  } -> tensor<16x16xf32>
  return %y : tensor<16x16xf32>
}

// -----

// Places of several images lie apart, and how many an image has is known only at run
// time: rows do not tell them.
// CHECK-LABEL: func.func @images(
// CHECK-COUNT-2: fusion.group "{{.*}}" kinds []
func.func @images(%x: tensor<2x40x8x?xf32>, %s: tensor<2x40xf32>, %w: tensor<24x40xf32>, %n: index) -> tensor<2x24x8x?xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%n) : tensor<2x40x8x?xf32>
  %d = tensor.empty(%n) : tensor<2x24x8x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<2x24x8x?xf32>) -> tensor<2x24x8x?xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (n, c)>, affine_map<(n, c, h, w) -> (n, c, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %s : tensor<2x40x8x?xf32>, tensor<2x40xf32>) outs(%e : tensor<2x40x8x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %2 = arith.mulf %a, %b : f32
    linalg.yield %2 : f32
  } -> tensor<2x40x8x?xf32>
  // expected-remark @below {{Reason="what the operand is computed from keeps loops apart that the contraction takes as one"}}
  %1 = linalg.generic {indexing_maps = [affine_map<(n, o, h, w, c) -> (n, c, h, w)>, affine_map<(n, o, h, w, c) -> (o, c)>, affine_map<(n, o, h, w, c) -> (n, o, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%0, %w : tensor<2x40x8x?xf32>, tensor<24x40xf32>) outs(%f : tensor<2x24x8x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %2 = arith.mulf %a, %b : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<2x24x8x?xf32>
  return %1 : tensor<2x24x8x?xf32>
}
