// Contractions that share an operand and meet in an elementwise op.

// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{fuse=vertical}))' -split-input-file \
// RUN:   | FileCheck %s --check-prefix=VERTICAL
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{fuse=horizontal}))' -split-input-file \
// RUN:   | FileCheck %s --check-prefix=HORIZONTAL
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{fuse=none}))' -split-input-file \
// RUN:   | FileCheck %s --check-prefix=NONE

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#res = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @swiglu(
// CHECK:         fusion.group "gate+negf+up+mul" kinds ["vertical", "horizontal"]

// VERTICAL-LABEL: func.func @swiglu(
// VERTICAL:         fusion.group "up" kinds []
// VERTICAL:         fusion.group "gate+negf+mul" kinds ["vertical"]

// HORIZONTAL-LABEL: func.func @swiglu(
// HORIZONTAL-COUNT-4: fusion.group "{{.*}}" kinds []

// NONE-LABEL: func.func @swiglu(
// NONE:         fusion.group "gate" kinds []
// NONE:         fusion.group "negf" kinds []
// NONE:         fusion.group "up" kinds []
// NONE:         fusion.group "mul" kinds []
func.func @swiglu(%x: tensor<?x96xf32>, %w: tensor<64x96xf32>, %v: tensor<64x96xf32>) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %x, %c0 : tensor<?x96xf32>
  %e = tensor.empty(%m) : tensor<?x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<?x64xf32>) -> tensor<?x64xf32>
  %g = linalg.generic {indexing_maps = [#lhs, #rhs, #res], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<?x96xf32>, tensor<64x96xf32>) outs(%init : tensor<?x64xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %0 = arith.mulf %p, %q : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<?x64xf32> loc("gate")
  %s = linalg.negf ins(%g : tensor<?x64xf32>) outs(%e : tensor<?x64xf32>) -> tensor<?x64xf32>
  %u = linalg.generic {indexing_maps = [#lhs, #rhs, #res], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %v : tensor<?x96xf32>, tensor<64x96xf32>) outs(%init : tensor<?x64xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %0 = arith.mulf %p, %q : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<?x64xf32> loc("up")
  %y = linalg.mul ins(%s, %u : tensor<?x64xf32>, tensor<?x64xf32>) outs(%e : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}

// -----

// Meeting directly, they share a kernel even without vertical fusion.
// CHECK-LABEL: func.func @direct(
// CHECK:         fusion.group "gate+up+mul" kinds ["vertical", "horizontal"]

// HORIZONTAL-LABEL: func.func @direct(
// HORIZONTAL:         fusion.group "gate+up" kinds ["horizontal"]
// HORIZONTAL:         fusion.group "mul" kinds []
func.func @direct(%x: tensor<32x96xf32>, %w: tensor<96x64xf32>, %v: tensor<96x64xf32>) -> tensor<32x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<32x64xf32>) -> tensor<32x64xf32>
  %g = linalg.matmul ins(%x, %w : tensor<32x96xf32>, tensor<96x64xf32>) outs(%init : tensor<32x64xf32>) -> tensor<32x64xf32> loc("gate")
  %u = linalg.matmul ins(%x, %v : tensor<32x96xf32>, tensor<96x64xf32>) outs(%init : tensor<32x64xf32>) -> tensor<32x64xf32> loc("up")
  %y = linalg.mul ins(%g, %u : tensor<32x64xf32>, tensor<32x64xf32>) outs(%e : tensor<32x64xf32>) -> tensor<32x64xf32>
  return %y : tensor<32x64xf32>
}
