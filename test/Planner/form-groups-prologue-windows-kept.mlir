// What makes the image of a convolution, and is written to memory nevertheless.

// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=a100}))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=a100}))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

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
  // expected-remark @below {{Reason="windows of the producer's result are read from memory"}}
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

// Images of doubles.
// CHECK-LABEL: func.func @doubles(
// CHECK:         fusion.group "exp" kinds []
// CHECK:         fusion.group "contraction" kinds []
// CHECK-NOT:     fusion.group
func.func @doubles(%x: tensor<2x16x8x8xf64>, %k: tensor<24x16x3x3xf64>, %d: tensor<2x24x6x6xf64>) -> tensor<2x24x6x6xf64> {
  %e = tensor.empty() : tensor<2x16x8x8xf64>
  %0 = linalg.exp ins(%x : tensor<2x16x8x8xf64>) outs(%e : tensor<2x16x8x8xf64>) -> tensor<2x16x8x8xf64>
  // expected-remark @below {{Reason="only operands of one type, f16, bf16 or f32, are computed inside of a contraction"}}
  %y = linalg.generic {indexing_maps = [affine_map<(n, f, y, x, c, i, j) -> (n, c, y + i, x + j)>, affine_map<(n, f, y, x, c, i, j) -> (f, c, i, j)>, affine_map<(n, f, y, x, c, i, j) -> (n, f, y, x)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%0, %k : tensor<2x16x8x8xf64>, tensor<24x16x3x3xf64>) outs(%d : tensor<2x24x6x6xf64>) {
  ^bb0(%p: f64, %q: f64, %o: f64):
    %m = arith.mulf %p, %q : f64
    %a = arith.addf %o, %m : f64
    linalg.yield %a : f64
  } -> tensor<2x24x6x6xf64>
  return %y : tensor<2x24x6x6xf64>
}

// -----

// Each channel has its own windows: no matrices are multiplied.
// CHECK-LABEL: func.func @depthwise(
// CHECK:         fusion.group "exp" kinds []
// CHECK:         fusion.group "depthwise_conv_2d_nhwc_hwc" kinds []
// CHECK-NOT:     fusion.group
func.func @depthwise(%x: tensor<2x8x8x16xf32>, %k: tensor<3x3x16xf32>, %d: tensor<2x6x6x16xf32>) -> tensor<2x6x6x16xf32> {
  %e = tensor.empty() : tensor<2x8x8x16xf32>
  %0 = linalg.exp ins(%x : tensor<2x8x8x16xf32>) outs(%e : tensor<2x8x8x16xf32>) -> tensor<2x8x8x16xf32>
  // expected-remark @below {{Reason="windows of the producer's result are read from memory"}}
  %1 = linalg.depthwise_conv_2d_nhwc_hwc ins(%0, %k : tensor<2x8x8x16xf32>, tensor<3x3x16xf32>) outs(%d : tensor<2x6x6x16xf32>) -> tensor<2x6x6x16xf32>
  return %1 : tensor<2x6x6x16xf32>
}

// -----

// What divides an image is a sum of its channels.
// CHECK-LABEL: func.func @rows_of_windows(
// CHECK:         fusion.group "reduce+elementwise" kinds ["vertical"]
// CHECK:         fusion.group "contraction" kinds []
// CHECK-NOT:     fusion.group
func.func @rows_of_windows(%x: tensor<2x16x8x8xf32>, %k: tensor<24x16x3x3xf32>, %d: tensor<2x24x6x6xf32>, %r: tensor<2x8x8xf32>) -> tensor<2x24x6x6xf32> {
  %e = tensor.empty() : tensor<2x16x8x8xf32>
  %s = linalg.reduce { arith.addf } ins(%x : tensor<2x16x8x8xf32>) outs(%r : tensor<2x8x8xf32>) dimensions = [1]
  // expected-remark @below {{Remark="fused with reduce"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (n, h, w)>, affine_map<(n, c, h, w) -> (n, c, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %s : tensor<2x16x8x8xf32>, tensor<2x8x8xf32>) outs(%e : tensor<2x16x8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %2 = arith.divf %a, %b : f32
    linalg.yield %2 : f32
  } -> tensor<2x16x8x8xf32>
  // expected-remark @below {{Reason="a contraction's tiles do not hold the whole rows of a reduction other than along one dim, its k"}}
  %y = linalg.generic {indexing_maps = [affine_map<(n, f, y, x, c, i, j) -> (n, c, y + i, x + j)>, affine_map<(n, f, y, x, c, i, j) -> (f, c, i, j)>, affine_map<(n, f, y, x, c, i, j) -> (n, f, y, x)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%0, %k : tensor<2x16x8x8xf32>, tensor<24x16x3x3xf32>) outs(%d : tensor<2x24x6x6xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.mulf %p, %q : f32
    %a = arith.addf %o, %m : f32
    linalg.yield %a : f32
  } -> tensor<2x24x6x6xf32>
  return %y : tensor<2x24x6x6xf32>
}

// -----

// Windows whose size is known only at run time.
// CHECK-LABEL: func.func @unknown_windows(
// CHECK:         fusion.group "exp" kinds []
// CHECK:         fusion.group "contraction" kinds []
// CHECK-NOT:     fusion.group
func.func @unknown_windows(%x: tensor<2x16x8x8xf32>, %k: tensor<24x16x?x?xf32>, %d: tensor<2x24x6x6xf32>) -> tensor<2x24x6x6xf32> {
  %e = tensor.empty() : tensor<2x16x8x8xf32>
  %0 = linalg.exp ins(%x : tensor<2x16x8x8xf32>) outs(%e : tensor<2x16x8x8xf32>) -> tensor<2x16x8x8xf32>
  // expected-remark @below {{Reason="windows or channels whose sizes are known only at run time are read from memory"}}
  %y = linalg.generic {indexing_maps = [affine_map<(n, f, y, x, c, i, j) -> (n, c, y + i, x + j)>, affine_map<(n, f, y, x, c, i, j) -> (f, c, i, j)>, affine_map<(n, f, y, x, c, i, j) -> (n, f, y, x)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%0, %k : tensor<2x16x8x8xf32>, tensor<24x16x?x?xf32>) outs(%d : tensor<2x24x6x6xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.mulf %p, %q : f32
    %a = arith.addf %o, %m : f32
    linalg.yield %a : f32
  } -> tensor<2x24x6x6xf32>
  return %y : tensor<2x24x6x6xf32>
}

// -----

// Rows of the image are gathered by indices.
// CHECK-LABEL: func.func @gathered(
// CHECK:         fusion.group "elementwise" kinds []
// CHECK:         fusion.group "contraction" kinds []
// CHECK-NOT:     fusion.group
func.func @gathered(%x: tensor<2x16x64x8xf32>, %t: tensor<8xindex>, %k: tensor<24x16x3x3xf32>, %d: tensor<2x24x6x6xf32>) -> tensor<2x24x6x6xf32> {
  %e = tensor.empty() : tensor<2x16x8x8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (h)>, affine_map<(n, c, h, w) -> (n, c, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%t : tensor<8xindex>) outs(%e : tensor<2x16x8x8xf32>) {
  ^bb0(%i: index, %o: f32):
    %n = linalg.index 0 : index
    %c = linalg.index 1 : index
    %w = linalg.index 3 : index
    %v = tensor.extract %x[%n, %c, %i, %w] : tensor<2x16x64x8xf32>
    linalg.yield %v : f32
  } -> tensor<2x16x8x8xf32>
  // expected-remark @below {{Reason="what makes the operand asks for positions, and is computed where it lies"}}
  %y = linalg.generic {indexing_maps = [affine_map<(n, f, y, x, c, i, j) -> (n, c, y + i, x + j)>, affine_map<(n, f, y, x, c, i, j) -> (f, c, i, j)>, affine_map<(n, f, y, x, c, i, j) -> (n, f, y, x)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%0, %k : tensor<2x16x8x8xf32>, tensor<24x16x3x3xf32>) outs(%d : tensor<2x24x6x6xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.mulf %p, %q : f32
    %a = arith.addf %o, %m : f32
    linalg.yield %a : f32
  } -> tensor<2x24x6x6xf32>
  return %y : tensor<2x24x6x6xf32>
}

// -----

// Windows of one element, and their image is added to what they give.
// CHECK-LABEL: func.func @image_and_places(
// CHECK:         fusion.group "exp" kinds []
// CHECK:         fusion.group "contraction+add" kinds ["vertical"]
// CHECK-NOT:     fusion.group
func.func @image_and_places(%x: tensor<2x16x8x8xf32>, %k: tensor<16x16x1x1xf32>, %d: tensor<2x16x8x8xf32>) -> tensor<2x16x8x8xf32> {
  %e = tensor.empty() : tensor<2x16x8x8xf32>
  %0 = linalg.exp ins(%x : tensor<2x16x8x8xf32>) outs(%e : tensor<2x16x8x8xf32>) -> tensor<2x16x8x8xf32>
  // expected-remark @below {{Reason="the consumer reads the value at other positions than the producer writes it"}}
  %y = linalg.generic {indexing_maps = [affine_map<(n, f, y, x, c, i, j) -> (n, c, y + i, x + j)>, affine_map<(n, f, y, x, c, i, j) -> (f, c, i, j)>, affine_map<(n, f, y, x, c, i, j) -> (n, f, y, x)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%0, %k : tensor<2x16x8x8xf32>, tensor<16x16x1x1xf32>) outs(%d : tensor<2x16x8x8xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.mulf %p, %q : f32
    %a = arith.addf %o, %m : f32
    linalg.yield %a : f32
  } -> tensor<2x16x8x8xf32>
  // expected-remark @below {{Remark="fused with contraction"}}
  // expected-remark @below {{Reason="the consumer reads the value at other positions than the producer writes it"}}
  %z = linalg.add ins(%y, %0 : tensor<2x16x8x8xf32>, tensor<2x16x8x8xf32>) outs(%e : tensor<2x16x8x8xf32>) -> tensor<2x16x8x8xf32>
  return %z : tensor<2x16x8x8xf32>
}
