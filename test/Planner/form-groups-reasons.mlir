// Reasons of pairs that stay apart, which are rarely given: each by the least graph
// that has it.
//
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=sm_90a}))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=cpu}))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=CPU

// CHECK: Function=two_sums {{.*}}Reason="a contraction's operand would be the result of another contraction: each contraction wants one dim to sum over, the second one of one operand of the first"
func.func @two_sums(%x: tensor<64x64xf16>, %w: tensor<64x128xf16>, %v: tensor<8x16x64xf16>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x8x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x8x16xf32>) -> tensor<64x8x16xf32>
  %w3 = tensor.expand_shape %w [[0], [1, 2]] output_shape [64, 8, 16] : tensor<64x128xf16> into tensor<64x8x16xf16>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, a, b, k) -> (m, k)>, affine_map<(m, a, b, k) -> (k, a, b)>, affine_map<(m, a, b, k) -> (m, a, b)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
     ins(%x, %w3 : tensor<64x64xf16>, tensor<64x8x16xf16>) outs(%f : tensor<64x8x16xf32>) {
  ^bb0(%p: f16, %q: f16, %s: f32):
    %p1 = arith.extf %p : f16 to f32
    %q1 = arith.extf %q : f16 to f32
    %m = arith.mulf %p1, %q1 : f32
    %r = arith.addf %s, %m : f32
    linalg.yield %r : f32
  } -> tensor<64x8x16xf32>
  %h = tensor.empty() : tensor<64x8x16xf16>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%0 : tensor<64x8x16xf32>) outs(%h : tensor<64x8x16xf16>) {
  ^bb0(%a: f32, %d: f16):
    %t = arith.truncf %a : f32 to f16
    linalg.yield %t : f16
  } -> tensor<64x8x16xf16>
  %g = tensor.empty() : tensor<64x64xf32>
  %k = linalg.fill ins(%zero : f32) outs(%g : tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(m, n, a, b) -> (m, a, b)>, affine_map<(m, n, a, b) -> (a, b, n)>, affine_map<(m, n, a, b) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
     ins(%1, %v : tensor<64x8x16xf16>, tensor<8x16x64xf16>) outs(%k : tensor<64x64xf32>) {
  ^bb0(%p: f16, %q: f16, %s: f32):
    %p1 = arith.extf %p : f16 to f32
    %q1 = arith.extf %q : f16 to f32
    %m = arith.mulf %p1, %q1 : f32
    %r = arith.addf %s, %m : f32
    linalg.yield %r : f32
  } -> tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
}

// -----

// CHECK: Function=reads_slice {{.*}}Reason="a contraction's operand would be the result of another contraction: an operand of a contraction is read at computed positions"
func.func @reads_slice(%x: tensor<64x70xf16>, %w: tensor<64x128xf16>, %v: tensor<128x64xf16>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x128xf32>) -> tensor<64x128xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k + 3)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
     ins(%x, %w : tensor<64x70xf16>, tensor<64x128xf16>) outs(%f : tensor<64x128xf32>) {
  ^bb0(%p: f16, %q: f16, %s: f32):
    %p1 = arith.extf %p : f16 to f32
    %q1 = arith.extf %q : f16 to f32
    %m = arith.mulf %p1, %q1 : f32
    %r = arith.addf %s, %m : f32
    linalg.yield %r : f32
  } -> tensor<64x128xf32>
  %h = tensor.empty() : tensor<64x128xf16>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<64x128xf32>) outs(%h : tensor<64x128xf16>) {
  ^bb0(%a: f32, %d: f16):
    %t = arith.truncf %a : f32 to f16
    linalg.yield %t : f16
  } -> tensor<64x128xf16>
  %g = tensor.empty() : tensor<64x64xf32>
  %k = linalg.fill ins(%zero : f32) outs(%g : tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = linalg.matmul ins(%1, %v : tensor<64x128xf16>, tensor<128x64xf16>) outs(%k : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
}

// -----

// CHECK: Function=pool_then_matmul {{.*}}Reason="a contraction's operand would be the result of a reduction over windows"
func.func @pool_then_matmul(%x: tensor<1x8x8x16xf32>, %w: tensor<16x16xf32>) -> tensor<7x7x16xf32> {
  %zero = arith.constant 0.0 : f32
  %k = tensor.empty() : tensor<2x2xf32>
  %e = tensor.empty() : tensor<1x7x7x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x7x7x16xf32>) -> tensor<1x7x7x16xf32>
  %0 = linalg.pooling_nhwc_sum ins(%x, %k : tensor<1x8x8x16xf32>, tensor<2x2xf32>) outs(%f : tensor<1x7x7x16xf32>) -> tensor<1x7x7x16xf32>
  %g = tensor.empty() : tensor<7x7x16xf32>
  %h = linalg.fill ins(%zero : f32) outs(%g : tensor<7x7x16xf32>) -> tensor<7x7x16xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(a, b, n, k) -> (0, a, b, k)>, affine_map<(a, b, n, k) -> (k, n)>, affine_map<(a, b, n, k) -> (a, b, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
     ins(%0, %w : tensor<1x7x7x16xf32>, tensor<16x16xf32>) outs(%h : tensor<7x7x16xf32>) {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %m = arith.mulf %p, %q : f32
    %r = arith.addf %s, %m : f32
    linalg.yield %r : f32
  } -> tensor<7x7x16xf32>
  return %1 : tensor<7x7x16xf32>
}

// -----

// CPU: Function=reads_destination {{.*}}Reason="what makes the operand reads its destination, and is computed once"
func.func @reads_destination(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x64xf32>) outs(%w : tensor<64x64xf32>) {
  ^bb0(%a: f32, %d: f32):
    %t = arith.addf %a, %d : f32
    linalg.yield %t : f32
  } -> tensor<64x64xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %1 : tensor<64x64xf32>
}

// -----

// CPU: Function=cpu_batch {{.*}}Reason="on a CPU only what a matrix product packs is computed inside of its kernel"
func.func @cpu_batch(%x: tensor<8x64xf32>, %w: tensor<8x64x64xf32>) -> tensor<8x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x64xf32>
  %e3 = tensor.empty() : tensor<8x64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x64xf32>) -> tensor<8x64xf32>
  %0 = linalg.exp ins(%w : tensor<8x64x64xf32>) outs(%e3 : tensor<8x64x64xf32>) -> tensor<8x64x64xf32>
  %1 = linalg.batch_vecmat ins(%x, %0 : tensor<8x64xf32>, tensor<8x64x64xf32>) outs(%f : tensor<8x64xf32>) -> tensor<8x64xf32>
  return %1 : tensor<8x64xf32>
}

// -----

// CHECK: Function=destination_windows {{.*}}Reason="what makes the operand reads its destination, and is computed once"
func.func @destination_windows(%x: tensor<1x9x9x16xf32>, %y: tensor<1x9x9x16xf32>, %w: tensor<3x3x16x16xf32>) -> tensor<1x7x7x16xf32> {
  %zero = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<1x7x7x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<1x7x7x16xf32>) -> tensor<1x7x7x16xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(a, i, j, c) -> (a, i, j, c)>, affine_map<(a, i, j, c) -> (a, i, j, c)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x : tensor<1x9x9x16xf32>) outs(%y : tensor<1x9x9x16xf32>) {
  ^bb0(%a: f32, %d: f32):
    %t = arith.subf %a, %d : f32
    linalg.yield %t : f32
  } -> tensor<1x9x9x16xf32>
  %1 = linalg.conv_2d_nhwc_hwcf ins(%0, %w : tensor<1x9x9x16xf32>, tensor<3x3x16x16xf32>) outs(%f : tensor<1x7x7x16xf32>) -> tensor<1x7x7x16xf32>
  return %1 : tensor<1x7x7x16xf32>
}

// -----

// CPU: Function=meet_transposed {{.*}}Reason="the contractions read their common operand at different positions"
func.func @meet_transposed(%x: tensor<64x64xf16>, %w: tensor<64x64xf16>, %v: tensor<64x64xf16>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<64x64xf16>, tensor<64x64xf16>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = linalg.matmul ins(%x, %v : tensor<64x64xf16>, tensor<64x64xf16>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%0, %1 : tensor<64x64xf32>, tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %d: f32):
    %t = arith.subf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
}

// -----

#ij = affine_map<(i, j) -> (i, j)>
#id = affine_map<(i, j) -> (i)>

// CHECK: OnlineSoftmax {{.*}}Function=weights_of_scores {{.*}}Reason="the weights are not made from the exponentials"
func.func @weights_of_scores(%x: tensor<64x32xf16>, %y: tensor<32x128xf16>, %v: tensor<128x32xf16>) -> tensor<64x32xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<64x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x128xf32>) -> tensor<64x128xf32>
  %s = linalg.matmul ins(%x, %y : tensor<64x32xf16>, tensor<32x128xf16>) outs(%f : tensor<64x128xf32>) -> tensor<64x128xf32>
  %e1 = tensor.empty() : tensor<64xf32>
  %fm = linalg.fill ins(%low : f32) outs(%e1 : tensor<64xf32>) -> tensor<64xf32>
  %max = linalg.reduce { arith.maximumf } ins(%s : tensor<64x128xf32>) outs(%fm : tensor<64xf32>) dimensions = [1]
  %ex = linalg.generic {indexing_maps = [#ij, #id, #ij], iterator_types = ["parallel", "parallel"]} ins(%s, %max : tensor<64x128xf32>, tensor<64xf32>) outs(%e : tensor<64x128xf32>) {
  ^bb0(%a: f32, %b: f32, %d: f32):
    %t = arith.subf %a, %b : f32
    %u = math.exp %t : f32
    linalg.yield %u : f32
  } -> tensor<64x128xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%e1 : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.reduce { arith.addf } ins(%ex : tensor<64x128xf32>) outs(%fs : tensor<64xf32>) dimensions = [1]
  %h = tensor.empty() : tensor<64x128xf16>
  %w = linalg.generic {indexing_maps = [#ij, #id, #ij], iterator_types = ["parallel", "parallel"]} ins(%s, %sum : tensor<64x128xf32>, tensor<64xf32>) outs(%h : tensor<64x128xf16>) {
  ^bb0(%a: f32, %b: f32, %d: f16):
    %t = arith.divf %a, %b : f32
    %u = arith.truncf %t : f32 to f16
    linalg.yield %u : f16
  } -> tensor<64x128xf16>
  %o = tensor.empty() : tensor<64x32xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%o : tensor<64x32xf32>) -> tensor<64x32xf32>
  %r = linalg.matmul ins(%w, %v : tensor<64x128xf16>, tensor<128x32xf16>) outs(%fo : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %r : tensor<64x32xf32>
}
