// What reads windows, and does not share a kernel with what makes its image, or with
// what follows: each with its reason.

// RUN: fusion-opt %s -split-input-file -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=sm_90a}))' | FileCheck %s
// RUN: fusion-opt %s -split-input-file -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=sm_90a}))' \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

#id = affine_map<(n, c, h) -> (n, c, h)>

// What a window reads is computed once, before: it would be computed as often as
// windows overlap.
// CHECK-LABEL: func.func @pooled(
// CHECK-COUNT-2: fusion.group
func.func @pooled(%x: tensor<2x8x17xf32>) -> tensor<2x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x8x17xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<2x8x17xf32>) outs(%e : tensor<2x8x17xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = math.exp %a : f32
    linalg.yield %m : f32
  } -> tensor<2x8x17xf32>
  %s = tensor.empty() : tensor<3xi8>
  %d = tensor.empty() : tensor<2x8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  // expected-remark @below {{Reason="windows of the producer's result are read from memory"}}
  %y = linalg.generic {indexing_maps = [affine_map<(n, c, w, i) -> (n, c, w * 2 + i)>, affine_map<(n, c, w, i) -> (i)>, affine_map<(n, c, w, i) -> (n, c, w)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%0, %s : tensor<2x8x17xf32>, tensor<3xi8>) outs(%f : tensor<2x8x8xf32>) {
  ^bb0(%a: f32, %b: i8, %o: f32):
    %m = arith.addf %o, %a : f32
    linalg.yield %m : f32
  } -> tensor<2x8x8xf32>
  return %y : tensor<2x8x8xf32>
}

// -----

#id = affine_map<(n, c, h) -> (n, c, h)>

// A padded tensor that something else reads too is a tensor.
// CHECK-LABEL: func.func @padded_twice(
// CHECK-COUNT-2: fusion.group
func.func @padded_twice(%x: tensor<2x8x16xf32>) -> (tensor<2x8x18xf32>, tensor<2x8x16xf32>) {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x8x18xf32>
  %p = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel", "parallel"]} outs(%e : tensor<2x8x18xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %h = arith.subi %k, %c1 : index
    %in = arith.cmpi ult, %h, %c16 : index
    %v = scf.if %in -> (f32) {
      %t = tensor.extract %x[%i, %j, %h] : tensor<2x8x16xf32>
      scf.yield %t : f32
    } else {
      scf.yield %zero : f32
    }
    linalg.yield %v : f32
  } -> tensor<2x8x18xf32>
  %s = tensor.empty() : tensor<3xi8>
  %d = tensor.empty() : tensor<2x8x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  // expected-remark @below {{Reason="windows of the producer's result are read from memory"}}
  %y = linalg.generic {indexing_maps = [affine_map<(n, c, w, i) -> (n, c, w + i)>, affine_map<(n, c, w, i) -> (i)>, affine_map<(n, c, w, i) -> (n, c, w)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%p, %s : tensor<2x8x18xf32>, tensor<3xi8>) outs(%f : tensor<2x8x16xf32>) {
  ^bb0(%a: f32, %b: i8, %o: f32):
    %m = arith.addf %o, %a : f32
    linalg.yield %m : f32
  } -> tensor<2x8x16xf32>
  return %p, %y : tensor<2x8x18xf32>, tensor<2x8x16xf32>
}

// -----

// Windows of windows: each of the first ones would be computed for several of the
// second ones.
// CHECK-LABEL: func.func @pooled_twice(
// CHECK-COUNT-2: fusion.group
func.func @pooled_twice(%x: tensor<2x8x17xf32>) -> tensor<2x8x3xf32> {
  %zero = arith.constant 0.0 : f32
  %s = tensor.empty() : tensor<3xi8>
  %d = tensor.empty() : tensor<2x8x8xf32>
  %e = tensor.empty() : tensor<2x8x3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  %g = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x3xf32>) -> tensor<2x8x3xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(n, c, w, i) -> (n, c, w * 2 + i)>, affine_map<(n, c, w, i) -> (i)>, affine_map<(n, c, w, i) -> (n, c, w)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %s : tensor<2x8x17xf32>, tensor<3xi8>) outs(%f : tensor<2x8x8xf32>) {
  ^bb0(%a: f32, %b: i8, %o: f32):
    %m = arith.addf %o, %a : f32
    linalg.yield %m : f32
  } -> tensor<2x8x8xf32>
  // expected-remark @below {{Reason="windows of the producer's result are read from memory"}}
  %1 = linalg.generic {indexing_maps = [affine_map<(n, c, w, i) -> (n, c, w * 2 + i)>, affine_map<(n, c, w, i) -> (i)>, affine_map<(n, c, w, i) -> (n, c, w)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%0, %s : tensor<2x8x8xf32>, tensor<3xi8>) outs(%g : tensor<2x8x3xf32>) {
  ^bb0(%a: f32, %b: i8, %o: f32):
    %m = arith.addf %o, %a : f32
    linalg.yield %m : f32
  } -> tensor<2x8x3xf32>
  return %1 : tensor<2x8x3xf32>
}

// -----

// The image of a convolution is the result of another one.
// CHECK-LABEL: func.func @conv_of_conv(
// CHECK-COUNT-2: fusion.group
func.func @conv_of_conv(%x: tensor<2x8x18xf32>, %w: tensor<8x8x3xf32>, %v: tensor<24x8x3xf32>) -> tensor<2x24x14xf32> {
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<2x8x16xf32>
  %e = tensor.empty() : tensor<2x24x14xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  %g = linalg.fill ins(%zero : f32) outs(%e : tensor<2x24x14xf32>) -> tensor<2x24x14xf32>
  // expected-remark @below {{Consumer=contraction, Reason="a value between the contractions is read at computed positions"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(n, f, w, c, i) -> (n, c, w + i)>, affine_map<(n, f, w, c, i) -> (f, c, i)>, affine_map<(n, f, w, c, i) -> (n, f, w)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<2x8x18xf32>, tensor<8x8x3xf32>) outs(%f : tensor<2x8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %t = arith.addf %o, %m : f32
    linalg.yield %t : f32
  } -> tensor<2x8x16xf32>
  // expected-remark @below {{Reason="a contraction's operand would be the result of another contraction: a value between the contractions is read at computed positions"}}
  %1 = linalg.generic {indexing_maps = [affine_map<(n, f, w, c, i) -> (n, c, w + i)>, affine_map<(n, f, w, c, i) -> (f, c, i)>, affine_map<(n, f, w, c, i) -> (n, f, w)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%0, %v : tensor<2x8x16xf32>, tensor<24x8x3xf32>) outs(%g : tensor<2x24x14xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %t = arith.addf %o, %m : f32
    linalg.yield %t : f32
  } -> tensor<2x24x14xf32>
  return %1 : tensor<2x24x14xf32>
}

// -----

// A pooling behind a convolution takes windows of what its tiles hold.
// CHECK-LABEL: func.func @pooled_conv(
// CHECK-COUNT-2: fusion.group
func.func @pooled_conv(%x: tensor<2x8x19xf32>, %w: tensor<24x8x3xf32>) -> tensor<2x24x8xf32> {
  %zero = arith.constant 0.0 : f32
  %s = tensor.empty() : tensor<3xi8>
  %d = tensor.empty() : tensor<2x24x17xf32>
  %e = tensor.empty() : tensor<2x24x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<2x24x17xf32>) -> tensor<2x24x17xf32>
  %g = linalg.fill ins(%zero : f32) outs(%e : tensor<2x24x8xf32>) -> tensor<2x24x8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(n, f, w, c, i) -> (n, c, w + i)>, affine_map<(n, f, w, c, i) -> (f, c, i)>, affine_map<(n, f, w, c, i) -> (n, f, w)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<2x8x19xf32>, tensor<24x8x3xf32>) outs(%f : tensor<2x24x17xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %t = arith.addf %o, %m : f32
    linalg.yield %t : f32
  } -> tensor<2x24x17xf32>
  // expected-remark @below {{Reason="windows of the producer's result are read from memory"}}
  %1 = linalg.generic {indexing_maps = [affine_map<(n, c, w, i) -> (n, c, w * 2 + i)>, affine_map<(n, c, w, i) -> (i)>, affine_map<(n, c, w, i) -> (n, c, w)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%0, %s : tensor<2x24x17xf32>, tensor<3xi8>) outs(%g : tensor<2x24x8xf32>) {
  ^bb0(%a: f32, %b: i8, %o: f32):
    %m = arith.addf %o, %a : f32
    linalg.yield %m : f32
  } -> tensor<2x24x8xf32>
  return %1 : tensor<2x24x8xf32>
}

// -----

#id = affine_map<(n, c, h) -> (n, c, h)>

// The convolution is marked: what follows it is a kernel of its own.
// CHECK-LABEL: func.func @marked(
// CHECK-COUNT-2: fusion.group
func.func @marked(%x: tensor<2x8x18xf32>, %w: tensor<24x8x3xf32>) -> tensor<2x24x16xf32> {
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<2x24x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<2x24x16xf32>) -> tensor<2x24x16xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(n, f, w, c, i) -> (n, c, w + i)>, affine_map<(n, f, w, c, i) -> (f, c, i)>, affine_map<(n, f, w, c, i) -> (n, f, w)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<2x8x18xf32>, tensor<24x8x3xf32>) outs(%f : tensor<2x24x16xf32>) attrs = {fusion.no_fuse} {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %t = arith.addf %o, %m : f32
    linalg.yield %t : f32
  } -> tensor<2x24x16xf32>
  // expected-remark @below {{Reason="the producer is marked with fusion.no_fuse"}}
  %1 = linalg.exp ins(%0 : tensor<2x24x16xf32>) outs(%d : tensor<2x24x16xf32>) -> tensor<2x24x16xf32>
  return %1 : tensor<2x24x16xf32>
}

// -----

#id = affine_map<(n, c, h) -> (n, c, h)>
#row = affine_map<(n, c, h) -> (n, c)>

// The image is normed by the sums of its rows: these are whole rows, windows are parts.
// CHECK-LABEL: func.func @normed_image(
// CHECK-COUNT-2: fusion.group
func.func @normed_image(%x: tensor<2x8x18xf32>, %w: tensor<24x8x3xf32>) -> tensor<2x24x16xf32> {
  %zero = arith.constant 0.0 : f32
  %r = tensor.empty() : tensor<2x8xf32>
  %q = linalg.fill ins(%zero : f32) outs(%r : tensor<2x8xf32>) -> tensor<2x8xf32>
  %e = tensor.empty() : tensor<2x8x18xf32>
  %d = tensor.empty() : tensor<2x24x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<2x24x16xf32>) -> tensor<2x24x16xf32>
  %n = linalg.reduce { arith.addf } ins(%x : tensor<2x8x18xf32>) outs(%q : tensor<2x8xf32>) dimensions = [2]
  // expected-remark @below {{Remark="fused with reduce"}}
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %n : tensor<2x8x18xf32>, tensor<2x8xf32>) outs(%e : tensor<2x8x18xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.divf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<2x8x18xf32>
  // expected-remark @below {{Reason="a contraction's tiles do not hold the whole rows of a reduction other than along one dim, its k"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(n, f, w, c, i) -> (n, c, w + i)>, affine_map<(n, f, w, c, i) -> (f, c, i)>, affine_map<(n, f, w, c, i) -> (n, f, w)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%y, %w : tensor<2x8x18xf32>, tensor<24x8x3xf32>) outs(%f : tensor<2x24x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %t = arith.addf %o, %m : f32
    linalg.yield %t : f32
  } -> tensor<2x24x16xf32>
  return %0 : tensor<2x24x16xf32>
}

// -----

// Sums along whole rows of the places, behind the convolution.
// CHECK-LABEL: func.func @rows_behind(
// CHECK-COUNT-2: fusion.group
func.func @rows_behind(%x: tensor<2x8x1026xf32>, %w: tensor<24x8x3xf32>) -> tensor<2x24xf32> {
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<2x24x1024xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<2x24x1024xf32>) -> tensor<2x24x1024xf32>
  %r = tensor.empty() : tensor<2x24xf32>
  %q = linalg.fill ins(%zero : f32) outs(%r : tensor<2x24xf32>) -> tensor<2x24xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(n, f, w, c, i) -> (n, c, w + i)>, affine_map<(n, f, w, c, i) -> (f, c, i)>, affine_map<(n, f, w, c, i) -> (n, f, w)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<2x8x1026xf32>, tensor<24x8x3xf32>) outs(%f : tensor<2x24x1024xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %t = arith.addf %o, %m : f32
    linalg.yield %t : f32
  } -> tensor<2x24x1024xf32>
  // expected-remark @below {{Reason="a contraction's tiles do not hold the whole rows of a reduction: 1024 elements are reduced, of which a tile has 64"}}
  %1 = linalg.reduce { arith.maximumf } ins(%0 : tensor<2x24x1024xf32>) outs(%q : tensor<2x24xf32>) dimensions = [2]
  return %1 : tensor<2x24xf32>
}

// -----

// The computed image is a result too: it is in memory anyway.
// CHECK-LABEL: func.func @shared_image(
// CHECK-COUNT-2: fusion.group
func.func @shared_image(%x: tensor<2x8x18xf32>, %w: tensor<24x8x3xf32>) -> (tensor<2x24x16xf32>, tensor<2x8x18xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x8x18xf32>
  %y = linalg.exp ins(%x : tensor<2x8x18xf32>) outs(%e : tensor<2x8x18xf32>) -> tensor<2x8x18xf32>
  %d = tensor.empty() : tensor<2x24x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<2x24x16xf32>) -> tensor<2x24x16xf32>
  // expected-remark-re @below {{Reason="the operand is needed outside of the group too: it is computed once, and written; to compute it again is estimated at {{[0-9.]+}} us in all kernels concerned, to write and read it at {{[0-9.]+}} us"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(n, f, w, c, i) -> (n, c, w + i)>, affine_map<(n, f, w, c, i) -> (f, c, i)>, affine_map<(n, f, w, c, i) -> (n, f, w)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%y, %w : tensor<2x8x18xf32>, tensor<24x8x3xf32>) outs(%f : tensor<2x24x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %t = arith.addf %o, %m : f32
    linalg.yield %t : f32
  } -> tensor<2x24x16xf32>
  return %0, %y : tensor<2x24x16xf32>, tensor<2x8x18xf32>
}

// -----

// What follows the pooling is not along its windows: it is turned, and summed up over
// the channels.
// CHECK-LABEL: func.func @channels_summed(
// CHECK-COUNT-2: fusion.group
func.func @channels_summed(%x: tensor<2x8x17xf32>) -> tensor<2x8xf32> {
  %zero = arith.constant 0.0 : f32
  %s = tensor.empty() : tensor<3xi8>
  %d = tensor.empty() : tensor<2x8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  %r = tensor.empty() : tensor<2x8xf32>
  %q = linalg.fill ins(%zero : f32) outs(%r : tensor<2x8xf32>) -> tensor<2x8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(n, c, w, i) -> (n, c, w * 2 + i)>, affine_map<(n, c, w, i) -> (i)>, affine_map<(n, c, w, i) -> (n, c, w)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %s : tensor<2x8x17xf32>, tensor<3xi8>) outs(%f : tensor<2x8x8xf32>) {
  ^bb0(%a: f32, %b: i8, %o: f32):
    %m = arith.addf %o, %a : f32
    linalg.yield %m : f32
  } -> tensor<2x8x8xf32>
  // expected-remark @below {{Reason="a contraction's tiles do not hold the whole rows of a reduction: they are of windows, not of products"}}
  %1 = linalg.reduce { arith.addf } ins(%0 : tensor<2x8x8xf32>) outs(%q : tensor<2x8xf32>) dimensions = [1]
  return %1 : tensor<2x8xf32>
}
