// As executed.mlir, for bf16: LLVM's rounding to it is a library function that
// is missing on Debian 12, and its expansion gets max(+0, -0) wrong.

// DEFINE: %{lower} = func.func(fusion-decompose),fusion-to-linalg,canonicalize,cse
// DEFINE: %{buffers} = one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},func.func(convert-linalg-to-loops)
// DEFINE: %{llvm} = expand-strided-metadata,lower-affine,convert-scf-to-cf,convert-math-to-llvm,convert-math-to-libm,arith-expand{include-bf16=true},convert-arith-to-llvm,finalize-memref-to-llvm,convert-cf-to-llvm,convert-func-to-llvm,convert-index-to-llvm,reconcile-unrealized-casts
// RUN: fusion-opt %s -pass-pipeline='builtin.module(%{lower},%{buffers},%{llvm})' \
// RUN: | mlir-runner -e main -entry-point-result=void \
// RUN:   -shared-libs=%llvm_lib/libmlir_runner_utils.so,%llvm_lib/libmlir_c_runner_utils.so \
// RUN: | FileCheck %s

func.func private @printMemrefF32(tensor<*xf32>)

func.func @print(%x: tensor<?xf32>) {
  %u = tensor.cast %x : tensor<?xf32> to tensor<*xf32>
  call @printMemrefF32(%u) : (tensor<*xf32>) -> ()
  return
}

func.func @casts(%x: tensor<?xf32>) {
  // A narrowing that the model asks for rounds.
  %0 = fusion.cast %x : tensor<?xf32> to tensor<?xbf16>
  %1 = fusion.cast %0 : tensor<?xbf16> to tensor<?xf32>
  call @print(%1) : (tensor<?xf32>) -> ()
  return
}
// The sum of 4096 ones, in bf16 stuck at 256.
func.func @sum(%x: tensor<?xbf16>, %n: index) {
  %0 = fusion.reduce sum, %x dims = [0] : tensor<?xbf16> to tensor<bf16>
  %1 = fusion.cast %0 : tensor<bf16> to tensor<f32>
  %2 = fusion.broadcast %1 dims = [] sizes(%n) : tensor<f32> to tensor<?xf32>
  call @print(%2) : (tensor<?xf32>) -> ()
  return
}

func.func @main() {
  %x = arith.constant dense<[1.001, 3.14159274, 1.00390625, 1.01171875]> : tensor<4xf32>
  %xd = tensor.cast %x : tensor<4xf32> to tensor<?xf32>
  // CHECK: [1, 3.14062, 1, 1.01562]
  call @casts(%xd) : (tensor<?xf32>) -> ()
  %ones = arith.constant dense<1.0> : tensor<4096xbf16>
  %onesd = tensor.cast %ones : tensor<4096xbf16> to tensor<?xbf16>
  %n = arith.constant 2 : index
  // CHECK: [4096, 4096]
  call @sum(%onesd, %n) : (tensor<?xbf16>, index) -> ()
  return
}
