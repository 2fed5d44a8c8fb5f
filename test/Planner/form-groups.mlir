// What may share a kernel does, and each pair says so.

// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// The example of the pass.
// CHECK-LABEL: func.func @chain(
// CHECK-SAME:      %[[X:.*]]: tensor<8x4xf32>
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<8x4xf32>
// CHECK-NEXT:    %[[G:.*]] = fusion.group "exp+negf" kinds ["vertical"] ins(%[[X]] : tensor<8x4xf32>) outs(%[[E]] : tensor<8x4xf32>) {
// CHECK-NEXT:    ^bb0(%[[A:.*]]: tensor<8x4xf32>, %[[D:.*]]: tensor<8x4xf32>):
// CHECK-NEXT:      %[[T:.*]] = tensor.empty() : tensor<8x4xf32>
// CHECK-NEXT:      %[[EXP:.*]] = linalg.exp ins(%[[A]] : {{.*}}) outs(%[[T]] :
// CHECK-NEXT:      %[[NEG:.*]] = linalg.negf ins(%[[EXP]] : {{.*}}) outs(%[[D]] :
// CHECK-NEXT:      fusion.yield %[[NEG]]
// CHECK:         return %[[G]]
func.func @chain(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %e = tensor.empty() : tensor<8x4xf32>
  %0 = linalg.exp ins(%x : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  // expected-remark @below {{[Passed] FormGroups | Category:fusion | Function=chain | Remark="fused with exp"}}
  %1 = linalg.negf ins(%0 : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}

// -----

// Bias, activation and residual behind a matmul; the fill belongs to it, and
// so does the marked rounding.
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>

// CHECK-LABEL: func.func @epilogue(
// CHECK-COUNT-1: fusion.group "matmul+elementwise" kinds ["vertical"]
// CHECK-NOT:     fusion.group
// CHECK:           linalg.fill
// CHECK:           linalg.matmul
// CHECK:           arith.truncf {{.*}} {fusion.rounding}
// CHECK:           math.tanh
// CHECK:           fusion.yield
// CHECK:         return
func.func @epilogue(%a: tensor<64x32xf16>, %b: tensor<32x48xf16>, %bias: tensor<48xf16>,
                    %residual: tensor<64x48xf16>) -> tensor<64x48xf16> {
  %zero = arith.constant 0.0 : f32
  %wide = tensor.empty() : tensor<64x48xf32>
  %narrow = tensor.empty() : tensor<64x48xf16>
  %init = linalg.fill ins(%zero : f32) outs(%wide : tensor<64x48xf32>) -> tensor<64x48xf32>
  %mm = linalg.matmul ins(%a, %b : tensor<64x32xf16>, tensor<32x48xf16>)
                      outs(%init : tensor<64x48xf32>) -> tensor<64x48xf32>
  %rounded = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%mm : tensor<64x48xf32>) outs(%narrow : tensor<64x48xf16>) {
  ^bb0(%p: f32, %q: f16):
    %0 = arith.truncf %p {fusion.rounding} : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<64x48xf16>
  // expected-remark @below {{Remark="fused with matmul"}}
  %y = linalg.generic {indexing_maps = [#id, #row, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%rounded, %bias, %residual : tensor<64x48xf16>, tensor<48xf16>, tensor<64x48xf16>)
      outs(%narrow : tensor<64x48xf16>) {
  ^bb0(%p: f16, %q: f16, %r: f16, %d: f16):
    %0 = arith.addf %p, %q : f16
    %1 = math.tanh %0 : f16
    %2 = arith.addf %1, %r : f16
    linalg.yield %2 : f16
  } -> tensor<64x48xf16>
  return %y : tensor<64x48xf16>
}

// -----

// A bias that is broadcast by an op of its own is in the group too.
// CHECK-LABEL: func.func @broadcast_bias(
// CHECK:         fusion.group "matmul+broadcast+add" kinds ["vertical"]
// CHECK-NOT:     fusion.group
func.func @broadcast_bias(%a: tensor<64x32xf32>, %b: tensor<32x48xf32>, %bias: tensor<48xf32>) -> tensor<64x48xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x48xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %mm = linalg.matmul ins(%a, %b : tensor<64x32xf32>, tensor<32x48xf32>)
                      outs(%init : tensor<64x48xf32>) -> tensor<64x48xf32>
  %wide = linalg.broadcast ins(%bias : tensor<48xf32>) outs(%e : tensor<64x48xf32>) dimensions = [0]
  // expected-remark @below {{fused with matmul}}
  // expected-remark @below {{fused with broadcast}}
  %y = linalg.add ins(%mm, %wide : tensor<64x48xf32>, tensor<64x48xf32>)
                  outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %y : tensor<64x48xf32>
}

// -----

// A value with two readers becomes a result; nothing is computed twice.
// CHECK-LABEL: func.func @two_results(
// CHECK:         %[[G:.*]]:2 = fusion.group "exp+negf" kinds ["vertical"]
// CHECK-COUNT-1:   linalg.exp
// CHECK:           fusion.yield %{{.*}}, %{{.*}} :
// CHECK:         return %[[G]]#0, %[[G]]#1
func.func @two_results(%x: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  %e = tensor.empty() : tensor<8x4xf32>
  %0 = linalg.exp ins(%x : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  // expected-remark @below {{fused with exp}}
  %1 = linalg.negf ins(%0 : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0, %1 : tensor<8x4xf32>, tensor<8x4xf32>
}

// -----

// Loops written in another order change nothing.
#t = affine_map<(i, j) -> (j, i)>

// CHECK-LABEL: func.func @renamed_loops(
// CHECK:         fusion.group "exp+elementwise" kinds ["vertical"]
// CHECK-NOT:     fusion.group
func.func @renamed_loops(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %e = tensor.empty() : tensor<8x4xf32>
  %0 = linalg.exp ins(%x : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  // expected-remark @below {{fused with exp}}
  %1 = linalg.generic {indexing_maps = [#t, #t], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) {
  ^bb0(%a: f32, %d: f32):
    %2 = arith.negf %a : f32
    linalg.yield %2 : f32
  } -> tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}

// -----

// Dynamic sizes: inside, they are sizes of the group's own arguments.
// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME:      %[[X:[a-z0-9]+]]: tensor<?x4xf32>
// CHECK:         %[[N:.*]] = tensor.dim %[[X]]
// CHECK:         %[[E:.*]] = tensor.empty(%[[N]])
// CHECK:         fusion.group "exp+negf" kinds ["vertical"] ins(%[[X]] : {{.*}}) outs(%[[E]] :
// CHECK-NEXT:    ^bb0(%[[A:.*]]: tensor<?x4xf32>, %{{.*}}: tensor<?x4xf32>):
// CHECK:           %[[M:.*]] = tensor.dim %[[A]]
// CHECK:           tensor.empty(%[[M]])
func.func @dynamic(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %e = tensor.empty(%n) : tensor<?x4xf32>
  %0 = linalg.exp ins(%x : tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  %m = tensor.dim %0, %c0 : tensor<?x4xf32>
  %f = tensor.empty(%m) : tensor<?x4xf32>
  // expected-remark @below {{fused with exp}}
  %1 = linalg.negf ins(%0 : tensor<?x4xf32>) outs(%f : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}

// -----

// The first edge would close a cycle (exp -> log -> add); the second makes it
// possible, and the first is asked again.
// CHECK-LABEL: func.func @diamond(
// CHECK:         fusion.group "exp+log+add" kinds ["vertical"]
// CHECK-NOT:     fusion.group
func.func @diamond(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  // expected-remark @below {{fused with exp}}
  %1 = linalg.log ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  // expected-remark @below {{fused with exp}}
  // expected-remark @below {{fused with log}}
  %2 = linalg.add ins(%0, %1 : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}

// -----

// Scalars and splats are cloned into the group, other constants are inputs.
// CHECK-LABEL: func.func @constants(
// CHECK:         %[[K:.*]] = arith.constant dense<[1.000000e+00, 2.000000e+00]>
// CHECK:         fusion.group "add+mul" kinds ["vertical"] ins(%[[K]], %{{.*}} :
// CHECK:           arith.constant dense<3.000000e+00>
func.func @constants(%x: tensor<2xf32>) -> tensor<2xf32> {
  %k = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %s = arith.constant dense<3.0> : tensor<2xf32>
  %e = tensor.empty() : tensor<2xf32>
  %0 = linalg.add ins(%k, %x : tensor<2xf32>, tensor<2xf32>) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  // expected-remark @below {{fused with add}}
  %1 = linalg.mul ins(%0, %s : tensor<2xf32>, tensor<2xf32>) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// -----

// A reshape between a matmul and its bias moves behind the bias.
#id = affine_map<(i, j, k) -> (i, j, k)>
#last = affine_map<(i, j, k) -> (k)>

// CHECK-LABEL: func.func @behind_reshape(
// CHECK:         %[[G:.*]] = fusion.group "matmul+elementwise" kinds ["vertical"]
// CHECK:         %[[R:.*]] = tensor.expand_shape %[[G]]
// CHECK:         return %[[R]]
func.func @behind_reshape(%a: tensor<16x32xf32>, %b: tensor<32x48xf32>, %bias: tensor<48xf32>) -> tensor<2x8x48xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x48xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<16x48xf32>) -> tensor<16x48xf32>
  %mm = linalg.matmul ins(%a, %b : tensor<16x32xf32>, tensor<32x48xf32>)
                      outs(%init : tensor<16x48xf32>) -> tensor<16x48xf32>
  %r = tensor.expand_shape %mm [[0, 1], [2]] output_shape [2, 8, 48] : tensor<16x48xf32> into tensor<2x8x48xf32>
  %f = tensor.empty() : tensor<2x8x48xf32>
  // expected-remark @below {{fused with matmul}}
  %y = linalg.generic {indexing_maps = [#id, #last, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%r, %bias : tensor<2x8x48xf32>, tensor<48xf32>) outs(%f : tensor<2x8x48xf32>) {
  ^bb0(%p: f32, %q: f32, %d: f32):
    %0 = arith.addf %p, %q : f32
    linalg.yield %0 : f32
  } -> tensor<2x8x48xf32>
  return %y : tensor<2x8x48xf32>
}
