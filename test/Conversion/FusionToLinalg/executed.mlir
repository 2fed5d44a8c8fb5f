// What the lowering computes, run by MLIR's own back end. The operands are
// arguments of functions that are called, so that nothing is folded.

// DEFINE: %{lower} = func.func(fusion-decompose),fusion-to-linalg,canonicalize,cse
// DEFINE: %{buffers} = one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},func.func(convert-linalg-to-loops)
// DEFINE: %{llvm} = expand-strided-metadata,lower-affine,convert-scf-to-cf,convert-math-to-llvm,convert-math-to-libm,convert-arith-to-llvm,finalize-memref-to-llvm,convert-cf-to-llvm,convert-func-to-llvm,convert-index-to-llvm,reconcile-unrealized-casts
// RUN: fusion-opt %s -pass-pipeline='builtin.module(%{lower},%{buffers},%{llvm})' \
// RUN: | mlir-runner -e main -entry-point-result=void \
// RUN:   -shared-libs=%llvm_lib/libmlir_runner_utils.so,%llvm_lib/libmlir_c_runner_utils.so \
// RUN: | FileCheck %s

func.func private @printMemrefF32(tensor<*xf32>)
func.func private @printMemrefI32(tensor<*xi32>)

func.func @print(%x: tensor<?xf32>) {
  %u = tensor.cast %x : tensor<?xf32> to tensor<*xf32>
  call @printMemrefF32(%u) : (tensor<*xf32>) -> ()
  return
}
func.func @print_ints(%x: tensor<?xi32>) {
  %u = tensor.cast %x : tensor<?xi32> to tensor<*xi32>
  call @printMemrefI32(%u) : (tensor<*xi32>) -> ()
  return
}

//===----------------------------------------------------------------------===//
// Softmax: a masked element is 0, a fully masked row is NaN.
//===----------------------------------------------------------------------===//

func.func @softmax(%x: tensor<?x3xf32>, %n: index) -> tensor<?xf32> {
  %0 = fusion.softmax %x dim = 1 : tensor<?x3xf32>
  %1 = fusion.reshape %0 sizes(%n) : tensor<?x3xf32> to tensor<?xf32>
  return %1 : tensor<?xf32>
}
func.func @log_softmax(%x: tensor<1x2xf16>) -> tensor<?xf32> {
  %0 = fusion.log_softmax %x dim = 1 : tensor<1x2xf16>
  %1 = fusion.cast %0 : tensor<1x2xf16> to tensor<1x2xf32>
  %2 = fusion.reshape %1 : tensor<1x2xf32> to tensor<2xf32>
  %3 = tensor.cast %2 : tensor<2xf32> to tensor<?xf32>
  return %3 : tensor<?xf32>
}
func.func @test_softmax() {
  %n = arith.constant 9 : index
  %x = arith.constant dense<[[1.0, 1.0, 1.0],
                             [0xFF800000, 0.0, 0xFF800000],
                             [0xFF800000, 0xFF800000, 0xFF800000]]>
       : tensor<3x3xf32>
  %xd = tensor.cast %x : tensor<3x3xf32> to tensor<?x3xf32>
  // CHECK: [0.333333, 0.333333, 0.333333, 0, 1, 0, {{-?}}nan, {{-?}}nan, {{-?}}nan]
  %0 = call @softmax(%xd, %n) : (tensor<?x3xf32>, index) -> tensor<?xf32>
  call @print(%0) : (tensor<?xf32>) -> ()
  // The naive form overflows; log(1/2) rounded to f16.
  // CHECK: [-0.693359, -0.693359]
  %y = arith.constant dense<60000.0> : tensor<1x2xf16>
  %1 = call @log_softmax(%y) : (tensor<1x2xf16>) -> tensor<?xf32>
  call @print(%1) : (tensor<?xf32>) -> ()
  return
}

//===----------------------------------------------------------------------===//
// Layer norm: a variance of rows with a large mean keeps its digits.
//===----------------------------------------------------------------------===//

func.func @layer_norm(%x: tensor<?x16xf32>, %s: tensor<16xf32>) -> tensor<?xf32> {
  %n = arith.constant 16 : index
  %0 = fusion.layer_norm %x scale(%s : tensor<16xf32>) bias(%s : tensor<16xf32>)
       axis = 1 eps = 1.0e-05 : tensor<?x16xf32>
  %1 = fusion.reshape %0 sizes(%n) : tensor<?x16xf32> to tensor<?xf32>
  return %1 : tensor<?xf32>
}
// Over a dynamic dim: the mean divides by a size known at run time.
func.func @rms_norm(%x: tensor<1x?xf32>, %n: index) -> tensor<?xf32> {
  %0 = fusion.rms_norm %x axis = 1 eps = 0.0 : tensor<1x?xf32>
  %1 = fusion.reshape %0 sizes(%n) : tensor<1x?xf32> to tensor<?xf32>
  return %1 : tensor<?xf32>
}
func.func @test_norms() {
  %x = arith.constant dense<[[
    1000000.0, 1000001.0, 1000002.0, 1000003.0, 1000004.0, 1000005.0, 1000006.0,
    1000007.0, 1000008.0, 1000009.0, 1000010.0, 1000011.0, 1000012.0, 1000013.0,
    1000014.0, 1000015.0]]> : tensor<1x16xf32>
  %one = arith.constant dense<1.0> : tensor<16xf32>
  %xd = tensor.cast %x : tensor<1x16xf32> to tensor<?x16xf32>
  // (j - 7.5) / sqrt(21.25001) + 1
  // CHECK: [-0.626978, -0.410048,{{.*}}, 2.62698]
  %0 = call @layer_norm(%xd, %one) : (tensor<?x16xf32>, tensor<16xf32>) -> tensor<?xf32>
  call @print(%0) : (tensor<?xf32>) -> ()
  // x / sqrt(12.3125)
  // CHECK: [0.569976, 0.854965, -1.13995, 1.28245]
  %y = arith.constant dense<[[2.0, 3.0, -4.0, 4.5]]> : tensor<1x4xf32>
  %yd = tensor.cast %y : tensor<1x4xf32> to tensor<1x?xf32>
  %n = arith.constant 4 : index
  %1 = call @rms_norm(%yd, %n) : (tensor<1x?xf32>, index) -> tensor<?xf32>
  call @print(%1) : (tensor<?xf32>) -> ()
  return
}

//===----------------------------------------------------------------------===//
// NaN wins; the sign of zero counts.
//===----------------------------------------------------------------------===//

func.func @nan(%a: tensor<?xf32>, %b: tensor<?xf32>) {
  %0 = fusion.max %a, %b : tensor<?xf32>
  call @print(%0) : (tensor<?xf32>) -> ()
  %1 = fusion.min %a, %b : tensor<?xf32>
  call @print(%1) : (tensor<?xf32>) -> ()
  %2 = fusion.relu %a : tensor<?xf32>
  call @print(%2) : (tensor<?xf32>) -> ()
  %3 = fusion.clamp %b, %a, %a : tensor<?xf32>
  call @print(%3) : (tensor<?xf32>) -> ()
  %4 = fusion.sign %a : tensor<?xf32>
  call @print(%4) : (tensor<?xf32>) -> ()
  %5 = fusion.compare ne, %a, %b : tensor<?xf32>
  %6 = fusion.cast %5 : tensor<?xi1> to tensor<?xf32>
  call @print(%6) : (tensor<?xf32>) -> ()
  return
}
// ceil(-0.25) is -0; adding +0 gives +0; so the reciprocal is +inf.
func.func @zeros(%x: tensor<?xf32>, %zero: tensor<?xf32>) {
  %0 = fusion.ceil %x : tensor<?xf32>
  call @print(%0) : (tensor<?xf32>) -> ()
  %1 = fusion.add %0, %zero : tensor<?xf32>
  %2 = fusion.reciprocal %1 : tensor<?xf32>
  call @print(%2) : (tensor<?xf32>) -> ()
  %3 = fusion.neg %zero : tensor<?xf32>
  call @print(%3) : (tensor<?xf32>) -> ()
  return
}
func.func @test_floats() {
  %a = arith.constant dense<[0x7FC00000, 2.0, 0x7FC00000, 0.0, -5.0]> : tensor<5xf32>
  %b = arith.constant dense<[3.0, 0x7FC00000, 0x7FC00000, -0.0, 1.0]> : tensor<5xf32>
  %ad = tensor.cast %a : tensor<5xf32> to tensor<?xf32>
  %bd = tensor.cast %b : tensor<5xf32> to tensor<?xf32>
  // CHECK: [nan, nan, nan, 0, 1]
  // CHECK: [nan, nan, nan, -0, -5]
  // CHECK: [nan, 2, nan, 0, 0]
  // CHECK: [nan, nan, nan, 0, -5]
  // CHECK: [nan, 1, nan, 0, -1]
  // CHECK: [1, 1, 1, 0, 1]
  call @nan(%ad, %bd) : (tensor<?xf32>, tensor<?xf32>) -> ()
  %c = arith.constant dense<[-0.25, -0.75]> : tensor<2xf32>
  %z = arith.constant dense<0.0> : tensor<2xf32>
  %cd = tensor.cast %c : tensor<2xf32> to tensor<?xf32>
  %zd = tensor.cast %z : tensor<2xf32> to tensor<?xf32>
  // CHECK: [-0, -0]
  // CHECK: [inf, inf]
  // CHECK: [-0, -0]
  call @zeros(%cd, %zd) : (tensor<?xf32>, tensor<?xf32>) -> ()
  return
}

//===----------------------------------------------------------------------===//
// Integers wrap, and division never traps (docs/Numerics.md).
//===----------------------------------------------------------------------===//

func.func @divide(%x: tensor<?xi32>, %y: tensor<?xi32>) {
  %0 = fusion.div %x, %y : tensor<?xi32>
  call @print_ints(%0) : (tensor<?xi32>) -> ()
  %1 = fusion.rem %x, %y : tensor<?xi32>
  call @print_ints(%1) : (tensor<?xi32>) -> ()
  %2 = fusion.abs %x : tensor<?xi32>
  call @print_ints(%2) : (tensor<?xi32>) -> ()
  return
}
func.func @unsigned(%x: tensor<?xui8>, %y: tensor<?xui8>) {
  %0 = fusion.div %x, %y : tensor<?xui8>
  %1 = fusion.cast %0 : tensor<?xui8> to tensor<?xi32>
  call @print_ints(%1) : (tensor<?xi32>) -> ()
  %2 = fusion.add %x, %x : tensor<?xui8>
  %3 = fusion.cast %2 : tensor<?xui8> to tensor<?xi32>
  call @print_ints(%3) : (tensor<?xi32>) -> ()
  %4 = fusion.neg %x : tensor<?xui8>
  %5 = fusion.cast %4 : tensor<?xui8> to tensor<?xf32>
  call @print(%5) : (tensor<?xf32>) -> ()
  %6 = fusion.max %x, %y : tensor<?xui8>
  %7 = fusion.cast %6 : tensor<?xui8> to tensor<?xi32>
  call @print_ints(%7) : (tensor<?xi32>) -> ()
  return
}
func.func @test_ints() {
  %x = arith.constant dense<[-2147483648, 7, -7, 5, -5]> : tensor<5xi32>
  %y = arith.constant dense<[-1, 2, 2, 0, 0]> : tensor<5xi32>
  %xd = tensor.cast %x : tensor<5xi32> to tensor<?xi32>
  %yd = tensor.cast %y : tensor<5xi32> to tensor<?xi32>
  // CHECK: [-2147483648, 3, -3, -1, -1]
  // CHECK: [0, 1, -1, 5, -5]
  // CHECK: [-2147483648, 7, 7, 5, 5]
  call @divide(%xd, %yd) : (tensor<?xi32>, tensor<?xi32>) -> ()
  %u = fusion.constant dense<[130, 200, 255, 6]> : tensor<4xui8>
  %v = fusion.constant dense<[3, 0, 255, 7]> : tensor<4xui8>
  %ud = tensor.cast %u : tensor<4xui8> to tensor<?xui8>
  %vd = tensor.cast %v : tensor<4xui8> to tensor<?xui8>
  // CHECK: [43, 255, 1, 0]
  // CHECK: [4, 144, 254, 12]
  // CHECK: [126, 56, 1, 250]
  // CHECK: [130, 200, 255, 7]
  call @unsigned(%ud, %vd) : (tensor<?xui8>, tensor<?xui8>) -> ()
  return
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

func.func @saturate(%x: tensor<?xf32>) {
  %0 = fusion.cast %x : tensor<?xf32> to tensor<?xi32>
  call @print_ints(%0) : (tensor<?xi32>) -> ()
  %1 = fusion.cast %x : tensor<?xf32> to tensor<?xui8>
  %2 = fusion.cast %1 : tensor<?xui8> to tensor<?xi32>
  call @print_ints(%2) : (tensor<?xi32>) -> ()
  %3 = fusion.cast %x : tensor<?xf32> to tensor<?xi1>
  %4 = fusion.cast %3 : tensor<?xi1> to tensor<?xi32>
  call @print_ints(%4) : (tensor<?xi32>) -> ()
  return
}
func.func @test_casts() {
  %y = arith.constant dense<[-1.9, 255.5, 3.0e9, -3.0e9, 0x7FC00000, 0.0]> : tensor<6xf32>
  %yd = tensor.cast %y : tensor<6xf32> to tensor<?xf32>
  // CHECK: [-1, 255, 2147483647, -2147483648, 0, 0]
  // CHECK: [0, 255, 255, 0, 0, 0]
  // CHECK: [1, 1, 1, 1, 1, 0]
  call @saturate(%yd) : (tensor<?xf32>) -> ()
  return
}

//===----------------------------------------------------------------------===//
// Halves accumulate in f32.
//===----------------------------------------------------------------------===//

func.func @half_sums(%ones: tensor<?xf16>, %big: tensor<4xf16>, %a: tensor<1x4096xf16>,
                     %n: index) {
  // A half accumulator sticks at 2048.
  %0 = fusion.reduce sum, %ones dims = [0] : tensor<?xf16> to tensor<f16>
  // The count is no half either.
  %1 = fusion.reduce mean, %ones dims = [0] : tensor<?xf16> to tensor<f16>
  // 40000 + 40000 is no half.
  %2 = fusion.reduce sum, %big dims = [0] : tensor<4xf16> to tensor<f16>
  %3 = fusion.matmul %a, %a {transpose_b} : tensor<1x4096xf16>, tensor<1x4096xf16> -> tensor<1x1xf16>
  %4 = fusion.reshape %3 : tensor<1x1xf16> to tensor<f16>
  %5 = fusion.add %0, %4 : tensor<f16>
  %6 = fusion.add %1, %2 : tensor<f16>
  %7 = fusion.cast %5 : tensor<f16> to tensor<f32>
  %8 = fusion.cast %6 : tensor<f16> to tensor<f32>
  %9 = fusion.broadcast %7 dims = [] sizes(%n) : tensor<f32> to tensor<?xf32>
  call @print(%9) : (tensor<?xf32>) -> ()
  %10 = fusion.broadcast %8 dims = [] sizes(%n) : tensor<f32> to tensor<?xf32>
  call @print(%10) : (tensor<?xf32>) -> ()
  return
}
func.func @test_halves() {
  %one = arith.constant dense<1.0> : tensor<4096xf16>
  %oned = tensor.cast %one : tensor<4096xf16> to tensor<?xf16>
  %big = arith.constant dense<[40000.0, 40000.0, -40000.0, -40000.0]> : tensor<4xf16>
  %a = arith.constant dense<1.0> : tensor<1x4096xf16>
  %n = arith.constant 2 : index
  // CHECK: [8192, 8192]
  // CHECK: [1, 1]
  call @half_sums(%oned, %big, %a, %n)
    : (tensor<?xf16>, tensor<4xf16>, tensor<1x4096xf16>, index) -> ()
  return
}

//===----------------------------------------------------------------------===//
// Reductions over nothing, layouts, products
//===----------------------------------------------------------------------===//

func.func @empty(%x: tensor<?x0xf32>) {
  %0 = fusion.reduce sum, %x dims = [1] : tensor<?x0xf32> to tensor<?xf32>
  call @print(%0) : (tensor<?xf32>) -> ()
  %1 = fusion.reduce max, %x dims = [1] : tensor<?x0xf32> to tensor<?xf32>
  call @print(%1) : (tensor<?xf32>) -> ()
  %2 = fusion.reduce prod, %x dims = [1] : tensor<?x0xf32> to tensor<?xf32>
  call @print(%2) : (tensor<?xf32>) -> ()
  %3 = fusion.reduce mean, %x dims = [1] : tensor<?x0xf32> to tensor<?xf32>
  call @print(%3) : (tensor<?xf32>) -> ()
  return
}
// Rows of 6 to rows of 4 and back through a transpose.
func.func @move(%x: tensor<2x6xi32>) {
  %0 = fusion.reshape %x : tensor<2x6xi32> to tensor<3x4xi32>
  %1 = fusion.transpose %0 perm = [1, 0] : tensor<3x4xi32> to tensor<4x3xi32>
  %2 = fusion.reshape %1 : tensor<4x3xi32> to tensor<12xi32>
  %3 = tensor.cast %2 : tensor<12xi32> to tensor<?xi32>
  call @print_ints(%3) : (tensor<?xi32>) -> ()
  %4 = fusion.reduce sum, %1 dims = [0, 1] : tensor<4x3xi32> to tensor<i32>
  %5 = fusion.reshape %4 : tensor<i32> to tensor<1x1xi32>
  %6 = fusion.broadcast %5 dims = [0, 2] : tensor<1x1xi32> to tensor<1x2x2xi32>
  %7 = fusion.reshape %6 : tensor<1x2x2xi32> to tensor<4xi32>
  %8 = tensor.cast %7 : tensor<4xi32> to tensor<?xi32>
  call @print_ints(%8) : (tensor<?xi32>) -> ()
  return
}
func.func @products(%a: tensor<2x2x3xi32>, %b: tensor<2x2x3xi32>, %n: index) {
  %0 = fusion.matmul %a, %b {transpose_b} : tensor<2x2x3xi32>, tensor<2x2x3xi32> -> tensor<2x2x2xi32>
  %1 = fusion.reshape %0 sizes(%n) : tensor<2x2x2xi32> to tensor<?xi32>
  call @print_ints(%1) : (tensor<?xi32>) -> ()
  %2 = fusion.matmul %a, %b {transpose_a} : tensor<2x2x3xi32>, tensor<2x2x3xi32> -> tensor<2x3x3xi32>
  %3 = fusion.reduce max, %2 dims = [1] : tensor<2x3x3xi32> to tensor<2x3xi32>
  %4 = fusion.reshape %3 : tensor<2x3xi32> to tensor<6xi32>
  %5 = tensor.cast %4 : tensor<6xi32> to tensor<?xi32>
  call @print_ints(%5) : (tensor<?xi32>) -> ()
  return
}
func.func @test_shapes() {
  %n = arith.constant 2 : index
  %e = tensor.empty(%n) : tensor<?x0xf32>
  // CHECK: [0, 0]
  // CHECK: [-inf, -inf]
  // CHECK: [1, 1]
  // CHECK: [{{-?}}nan, {{-?}}nan]
  call @empty(%e) : (tensor<?x0xf32>) -> ()
  %x = arith.constant dense<[[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]]> : tensor<2x6xi32>
  // CHECK: [0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11]
  // CHECK: [66, 66, 66, 66]
  call @move(%x) : (tensor<2x6xi32>) -> ()
  %a = arith.constant dense<[[[1, 2, 3], [4, 5, 6]], [[0, 1, 0], [2, 0, 1]]]> : tensor<2x2x3xi32>
  %b = arith.constant dense<[[[1, 0, 2], [0, 1, 1]], [[3, 1, 4], [1, 5, 9]]]> : tensor<2x2x3xi32>
  %eight = arith.constant 8 : index
  // CHECK: [7, 5, 16, 11, 1, 5, 10, 11]
  // a^T b: [[1, 4, 6], [2, 5, 9], [3, 6, 12]], [[2, 10, 18], [3, 1, 4], [1, 5, 9]]
  // CHECK: [3, 6, 12, 3, 10, 18]
  call @products(%a, %b, %eight) : (tensor<2x2x3xi32>, tensor<2x2x3xi32>, index) -> ()
  return
}

func.func @main() {
  call @test_softmax() : () -> ()
  call @test_norms() : () -> ()
  call @test_floats() : () -> ()
  call @test_ints() : () -> ()
  call @test_casts() : () -> ()
  call @test_halves() : () -> ()
  call @test_shapes() : () -> ()
  return
}
